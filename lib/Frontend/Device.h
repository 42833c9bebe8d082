// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the tile program: knows operations and their types, nothing of Python.
#pragma once

#include "Values.h"
#include "mlir/IR/Builders.h"
#include <set>

namespace tilewright::frontend {

/// Where a block of a tensor lies: per dim of the tensor its block number and the block's dim.
struct Access {
  llvm::SmallVector<mlir::Value> numbers;
  llvm::SmallVector<mlir::Attribute> dims;
};

class Device {
public:
  Device(mlir::MLIRContext &context, const std::string &function, const Location &location);

  mlir::Location at(const Location &location);

  //===--- Values
  //------------------------------------------------------------------------------------===//
  // Callers have checked shapes; results have the given dtype.

  Block fill(double value, llvm::ArrayRef<mlir::Attribute> dims, const Dtype &dtype,
             const Location &at);
  Block cast(Block operand, const Dtype &dtype, const Location &at);
  Block unary(tw::UnaryKind kind, Block operand, const Location &at);
  Block binary(tw::BinaryKind kind, Block lhs, Block rhs, const Dtype &dtype, const Location &at);
  Block matmul(Block lhs, Block rhs, Block accumulator, const Location &at);
  Block unsqueeze(Block operand, int64_t axis, const Location &at);
  /// The same elements repeated to `dims`, to which the operand must broadcast.
  Block broadcast(Block operand, llvm::ArrayRef<mlir::Attribute> dims, const Location &at);
  Block load(Tensor &tensor, const Access &access, const Location &at);
  void store(Block value, Tensor &tensor, const Access &access, const Location &at);
  mlir::Value blockNumberZero(const Location &at);
  mlir::Attribute constantDim(int64_t size);

  //===--- Structure
  //---------------------------------------------------------------------------------===//

  /// Gives the size its symbol, named like `name` or that with a number, if it has none yet.
  void name(BlockSize &size, const std::string &name, const Location &at);
  /// Tells which extent the size cuts; clips its domain to it.
  void setExtent(BlockSize &size, int64_t extent);

  tw::SymOp symbol(llvm::StringRef label) { return tw::findSymbol(function, label); }

  /// Opens the grid and returns its block numbers; `closeGrid` ends it.
  llvm::SmallVector<mlir::Value> openGrid(llvm::ArrayRef<TileRef> tiles, const Location &at);
  void closeGrid();
  /// Opens a loop; arguments of the body are the block number and the carried tiles.
  tw::LoopOp openLoop(const TileVariable &tile, llvm::ArrayRef<mlir::Value> inits,
                      const Location &at);
  /// Ends it with the carried tiles' new values; returns their values after the loop. Tiles that
  /// the body leaves as they are stop being carried.
  llvm::SmallVector<mlir::Value> closeLoop(tw::LoopOp loop, llvm::ArrayRef<mlir::Value> values);

  /// Lets matrix products add to what they are added to, removes what has no effect, orders the
  /// arguments (inputs as given, then outputs) and verifies. An invalid program is our error
  /// ("frontend.verify").
  mlir::OwningOpRef<mlir::ModuleOp> finish(const std::vector<TensorRef> &inputs,
                                           const std::vector<TensorRef> &outputs,
                                           const std::string &source);

private:
  tw::TileType tileType(llvm::ArrayRef<mlir::Attribute> dims, const Dtype &dtype);
  mlir::Value argument(Tensor &tensor, const Location &at);
  void fuseAccumulators();
  void removeDeadCode();
  void bindArguments(const std::vector<TensorRef> &tensors, llvm::StringRef role,
                     llvm::SmallVectorImpl<mlir::DictionaryAttr> &attributes);
  void verify();

  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  mlir::OpBuilder builder;
  tw::GridOp grid;
  std::set<std::string> labels;
};

} // namespace tilewright::frontend
