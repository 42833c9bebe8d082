// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks a tile program: one method per operation (room-internal).
#pragma once

#include "Global.h"
#include "llvm/ADT/DenseMap.h"

namespace tilewright::reference {

/// Where an operation came from, if its location is a place in a file.
Location locationOf(mlir::Operation *op);
/// True for bf16, false for f32; throws reference.type for any other type.
bool isBf16(mlir::Type type, const Location &location);

class Interpreter {
public:
  using Sizes = std::map<std::string, int64_t>;
  Interpreter(mlir::func::FuncOp program, const Sizes &blockSizes, const Precision &precision)
      : program(program), blockSizes(blockSizes), precision(precision) {}

  /// The function's arguments, by value; filled by the caller before run().
  llvm::DenseMap<mlir::Value, Global> globals;
  void run();

private:
  void runOp(mlir::Operation &op);
  void runBody(mlir::Block &body);
  void runValueOp(mlir::Operation &op);
  void runGrid(tw::GridOp op);
  void runLoop(tw::LoopOp op);
  void runLoad(tw::LoadOp op);
  void runStore(tw::StoreOp op);
  void runFill(tw::FillOp op);
  void runUnsqueeze(tw::UnsqueezeOp op);

  int64_t blockSize(mlir::StringRef label, const Location &location) const;
  int64_t blockCount(mlir::StringRef label, int64_t extent, const Location &location) const;
  std::vector<int64_t> sizes(mlir::ArrayRef<mlir::Attribute> dims, const Location &location) const;
  Index index(mlir::Value value, const Location &location) const;
  Window window(mlir::ValueRange indices, tw::TileType type, const Global &global,
                const Location &location) const;
  const Block &block(mlir::Value value) const { return *blocks.at(value); }
  Global &global(mlir::Value value, const Location &location);

  mlir::func::FuncOp program;
  const Sizes &blockSizes;
  const Precision &precision;
  llvm::DenseMap<mlir::Value, BlockPtr> blocks;
  llvm::DenseMap<mlir::Value, Index> indices;
  int64_t iteration = 0;
};

} // namespace tilewright::reference
