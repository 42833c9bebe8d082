// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The analysis behind tw-reify-dataflow: chains of pointwise operations become maps, the rest is
// held.
#include "Fusion.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tilewright::tw;

namespace tilewright::transforms {

bool isPointwise(Operation *op) {
  return isa_and_nonnull<UnaryOp, BinaryOp, CastOp, UnsqueezeOp>(op) &&
         isa<TileType>(op->getResult(0).getType());
}

int64_t dimsAfter(UnsqueezeOp op) {
  return cast<TileType>(op.getOperand().getType()).getDims().size() - op.getAxis();
}

/// Positions at which unit dims go into a value of `rank`, from what the unsqueezes say (innermost
/// last). Broadcasting aligns shapes at the last dim, so a unit dim in front changes nothing and is
/// left out.
static SmallVector<int64_t> insertedAxes(int64_t rank, ArrayRef<int64_t> steps) {
  SmallVector<int64_t> axes;
  for (int64_t after : llvm::reverse(steps))
    if (after < rank)
      axes.push_back(rank++ - after);
  return axes;
}

DataflowPlan::DataflowPlan(GridOp grid) {
  visit(grid.getBody().front());
}

//===--- What is fused
//-------------------------------------------------------------------------------===//

SmallVector<OpOperand *> DataflowPlan::effectiveUses(Value value) const {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses()) {
    if (isa<UnsqueezeOp>(use.getOwner()) && isTransparent(use.getOwner()))
      llvm::append_range(uses, effectiveUses(use.getOwner()->getResult(0)));
    else
      uses.push_back(&use);
  }
  return uses;
}

bool DataflowPlan::isTransparent(Operation *unsqueeze) const {
  return llvm::all_of(effectiveUses(unsqueeze->getResult(0)), [](OpOperand *use) {
    return isPointwise(use->getOwner()) && !isa<UnsqueezeOp>(use->getOwner());
  });
}

bool DataflowPlan::isInlined(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!isPointwise(op))
    return false;
  if (isa<UnsqueezeOp>(op))
    return isTransparent(op);
  auto uses = effectiveUses(value);
  return uses.size() == 1 && isPointwise(uses[0]->getOwner()) &&
         uses[0]->getOwner()->getBlock() == op->getBlock();
}

bool DataflowPlan::isRoot(Value value) const {
  return isPointwise(value.getDefiningOp()) && !isInlined(value);
}

OpOperand *DataflowPlan::directUse(Value value) const {
  if (!isRoot(value) || !value.hasOneUse())
    return nullptr;
  OpOperand &use = *value.getUses().begin();
  Operation *user = use.getOwner();
  return isa<StoreOp, LoopOp>(user) && user->getBlock() == value.getDefiningOp()->getBlock()
             ? &use
             : nullptr;
}

//===--- Who reads what
//------------------------------------------------------------------------------===//

int DataflowPlan::find(Value value, ArrayRef<int64_t> axes) const {
  for (auto [i, entry] : llvm::enumerate(held))
    if (entry.value == value && ArrayRef<int64_t>(entry.axes) == axes)
      return i;
  return -1;
}

int DataflowPlan::indexOf(Value value) const {
  return find(value, {});
}

int DataflowPlan::hold(Value value, ArrayRef<int64_t> axes) {
  int index = find(value, axes);
  if (index >= 0)
    return index;
  Held entry;
  entry.value = value;
  entry.axes.assign(axes.begin(), axes.end());
  entry.block = value.getParentBlock();
  held.push_back(entry);
  return held.size() - 1;
}

HeldRead DataflowPlan::leaf(Value value, ArrayRef<int64_t> steps) const {
  auto axes = insertedAxes(cast<TileType>(value.getType()).getDims().size(), steps);
  if (value.getDefiningOp<LoadOp>())
    return {find(value, axes), {}};
  return {find(value, {}), axes};
}

void DataflowPlan::addRead(Operation *op, const HeldRead &read) {
  auto &list = readsOf[op];
  if (!llvm::is_contained(list, read))
    list.push_back(read);
  Held &entry = held[read.held];
  Operation *ancestor = entry.block->findAncestorOpInBlock(*op);
  entry.lastReader = ancestor;
  entry.lastUser = op;
  if (auto &needed = needsOf[ancestor]; !llvm::is_contained(needed, read.held))
    needed.push_back(read.held);
}

ArrayRef<HeldRead> DataflowPlan::reads(Operation *op) const {
  auto it = readsOf.find(op);
  return it == readsOf.end() ? ArrayRef<HeldRead>() : ArrayRef<HeldRead>(it->second);
}

SmallVector<int> DataflowPlan::needs(Operation *op) const {
  return needsOf.lookup(op);
}

void DataflowPlan::collectLeaves(Operation *root, Value value, SmallVector<int64_t> steps) {
  Operation *op = value.getDefiningOp();
  if (op != root && !isInlined(value)) {
    if (isa_and_nonnull<FillOp>(op))
      return;
    auto axes = insertedAxes(cast<TileType>(value.getType()).getDims().size(), steps);
    hold(value, isa_and_nonnull<LoadOp>(op) ? ArrayRef<int64_t>(axes) : ArrayRef<int64_t>());
    return addRead(root, leaf(value, steps));
  }
  if (auto unsqueeze = dyn_cast<UnsqueezeOp>(op))
    steps.push_back(dimsAfter(unsqueeze));
  for (Value operand : op->getOperands())
    collectLeaves(root, operand, steps);
}

void DataflowPlan::visitOperands(Operation *op, ValueRange values) {
  for (Value value : values) {
    if (!isa<TileType>(value.getType()) || value.getDefiningOp<FillOp>())
      continue;
    OpOperand *direct = directUse(value);
    if (direct && direct->getOwner() == op)
      continue;
    hold(value, {});
    addRead(op, {indexOf(value), {}});
  }
}

void DataflowPlan::visit(Block &block) {
  if (isa<LoopOp>(block.getParentOp()))
    for (Value argument : block.getArguments().drop_front())
      hold(argument, {});
  for (Operation &op : block) {
    if (op.getNumResults() == 1 && isRoot(op.getResult(0)))
      collectLeaves(&op, op.getResult(0), {});
    else if (isa<MatmulOp, StoreOp, LoopOp, YieldOp>(op))
      visitOperands(&op, op.getOperands());
    if (auto loop = dyn_cast<LoopOp>(op)) {
      visit(loop.getBody().front());
      for (Value result : loop.getResults())
        hold(result, {});
    }
  }
}

} // namespace tilewright::transforms
