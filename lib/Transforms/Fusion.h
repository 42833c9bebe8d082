// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values of a tile program get a buffer, which disappear into a tw.map, and who reads what.
#pragma once

#include "tilewright/IR/Tw.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

namespace tilewright::transforms {

/// A value that lives in a virtual buffer. A load that is used in several unsqueezed shapes is held
/// once per shape, because its copy can bring it in directly in each of them.
struct Held {
  mlir::Value value;
  llvm::SmallVector<int64_t> axes; ///< of a load: where unit dims are inserted, one after another
  mlir::Block *block = nullptr;    ///< where it is acquired and released
  mlir::Operation *lastReader = nullptr; ///< in `block`; null when nothing reads it
  mlir::Operation *lastUser = nullptr;   ///< the reader itself: `lastReader` or something inside it
  mlir::Value buffer;                    ///< set while rewriting
  mlir::Value view;                      ///< set while it is acquired
};

/// One read of a held value, with unit dims inserted into its view (never for loads).
struct HeldRead {
  int held;
  llvm::SmallVector<int64_t> axes;
  bool operator==(const HeldRead &other) const { return held == other.held && axes == other.axes; }
};

/// Analysis of one grid, made before anything is rewritten.
class DataflowPlan {
public:
  explicit DataflowPlan(tw::GridOp grid);

  /// Results of pointwise operations that are computed inside the map of their only user;
  /// unsqueezes that are only a way of looking at their operand.
  bool isInlined(mlir::Value value) const;
  /// The root of a map: a pointwise result that is not inlined.
  bool isRoot(mlir::Value value) const;
  /// The store or loop whose buffer a root writes directly because it is its only reader.
  mlir::OpOperand *directUse(mlir::Value value) const;
  /// The reads of one operation in order, without repetitions.
  llvm::ArrayRef<HeldRead> reads(mlir::Operation *op) const;
  /// Indices of the held values that `op`, or anything inside it, reads and that live in its block.
  llvm::SmallVector<int> needs(mlir::Operation *op) const;
  /// Index into `held` of a value that is not a load; -1 when it has none.
  int indexOf(mlir::Value value) const;
  /// The read that stands for `value` seen through `steps` (innermost last) in the map of a root.
  HeldRead leaf(mlir::Value value, llvm::ArrayRef<int64_t> steps) const;

  std::vector<Held> held;

private:
  void visit(mlir::Block &block);
  void visitOperands(mlir::Operation *op, mlir::ValueRange values);
  void collectLeaves(mlir::Operation *root, mlir::Value value, llvm::SmallVector<int64_t> steps);
  void addRead(mlir::Operation *op, const HeldRead &read);
  int hold(mlir::Value value, llvm::ArrayRef<int64_t> axes);
  int find(mlir::Value value, llvm::ArrayRef<int64_t> axes) const;
  bool isTransparent(mlir::Operation *unsqueeze) const;
  llvm::SmallVector<mlir::OpOperand *> effectiveUses(mlir::Value value) const;

  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<HeldRead>> readsOf;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<int>> needsOf;
};

bool isPointwise(mlir::Operation *op);
/// How many dims follow the unit dim that an unsqueeze inserts: what its position is in a value of
/// any rank.
int64_t dimsAfter(tw::UnsqueezeOp op);
/// Rewrites one grid to stage 2. `plan` was made for it; uses and fills it.
void reifyGrid(tw::GridOp grid, DataflowPlan &plan, llvm::StringMap<int> &labels);

} // namespace tilewright::transforms
