// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tw-reify-dataflow: stage 1 (tiles) to stage 2 (virtual buffers).
#include "Fusion.h"
#include "tilewright/Transforms/Passes.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace tilewright::tw;

namespace tilewright::transforms {
#define GEN_PASS_DEF_REIFYDATAFLOW
#include "tilewright/Transforms/Passes.h.inc"

namespace {

bool hasTiles(Operation *op) {
  auto isTile = [](Type type) { return isa<TileType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTile) || llvm::any_of(op->getResultTypes(), isTile);
}

/// Tile values that nobody uses need no buffer; users come after what they use.
void eraseUnused(func::FuncOp func) {
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty() && (isPointwise(op) || isa<LoadOp, FillOp, MatmulOp>(op)))
      op->erase();
}

/// Everything that the rewrite relies on, checked before it starts.
class Checks {
public:
  LogicalResult run(func::FuncOp func) {
    func.walk([&](StoreOp op) { written.try_emplace(op.getTarget(), op); });
    func.walk([&](Operation *op) { check(op); });
    return failure(failed);
  }

private:
  void check(Operation *op) {
    if (isa<VBCreateOp, VBBindOp, MapOp, ContractOp, CopyOp, SetOp>(op))
      error(op, "is of a later stage than the tile program", "stage");
    else if (isa<GridOp>(op) && !isa<func::FuncOp>(op->getParentOp()))
      error(op, "must be at the top of its function", "structure");
    else if (isa<LoopOp>(op) || hasTiles(op))
      checkPlace(op);
    if (isPointwise(op) || isa<FillOp>(op))
      checkElement(op, op->getResult(0));
    if (auto load = dyn_cast<LoadOp>(op))
      checkLoad(load);
    if (auto store = dyn_cast<StoreOp>(op))
      checkTensor(op, store.getTarget());
  }
  void checkPlace(Operation *op) {
    if (!isPointwise(op) && !isa<LoadOp, StoreOp, FillOp, MatmulOp, LoopOp, YieldOp>(op))
      error(op, "computes with tiles in a way that has no virtual-buffer form", "unknown-op");
    else if (!isa<GridOp, LoopOp>(op->getParentOp()) || !op->getParentOfType<GridOp>())
      error(op, "must be inside tw.grid", "structure");
  }
  void checkElement(Operation *op, Value value) {
    if (Type element = cast<TileType>(value.getType()).getElementType(); !isa<FloatType>(element))
      op->emitOpError("computes with elements of type ")
          << element << ", which are not floating-point"
          << " [transforms.element-type]",
          failed = true;
  }
  void checkTensor(Operation *op, Value tensor) {
    if (!isa<BlockArgument>(tensor) || !isa<func::FuncOp>(tensor.getParentBlock()->getParentOp()))
      error(op, "accesses a tensor that is not an argument of the function", "tensor");
  }
  void checkLoad(LoadOp op) {
    checkTensor(op, op.getSource());
    Operation *store = written.lookup(op.getSource());
    if (!store || failed)
      return;
    auto diagnostic = op.emitOpError("reads \"")
                      << argumentName(op.getSource())
                      << "\", which the function also writes [transforms.read-of-output]";
    diagnostic.attachNote(store->getLoc()) << "written here; the order of the two is not kept";
    failed = true;
  }
  void error(Operation *op, StringRef message, StringRef id) {
    op->emitOpError(message) << " [transforms." << id << "]";
    failed = true;
  }

  llvm::DenseMap<Value, Operation *> written;
  bool failed = false;
};

struct ReifyDataflow : impl::ReifyDataflowBase<ReifyDataflow> {
  void runOnOperation() override {
    if (failed(Checks().run(getOperation())))
      return signalPassFailure();
    eraseUnused(getOperation());
    llvm::StringMap<int> labels;
    SmallVector<GridOp> grids(getOperation().getBody().getOps<GridOp>());
    for (GridOp grid : grids) {
      DataflowPlan plan(grid);
      reifyGrid(grid, plan, labels);
    }
  }
};

} // namespace
} // namespace tilewright::transforms
