// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tw-concretize-buffers: virtual buffers get memory, shared where lives allow, and a semaphore
// each.
#include "tilewright/Transforms/Liveness.h"
#include "tilewright/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright::tw;

namespace tilewright::transforms {
using mlir::Location;
#define GEN_PASS_DEF_CONCRETIZEBUFFERS
#include "tilewright/Transforms/Passes.h.inc"

namespace {

/// Buffers and memory are created at the top of the grid's body, so that one allocation serves all.
LogicalResult checkStage(func::FuncOp func) {
  auto result = func.walk([](Operation *op) -> WalkResult {
    if (isa<VBBindOp>(op))
      return op->emitOpError("already has memory [transforms.stage]");
    if (isa<LoadOp, StoreOp, MatmulOp, FillOp>(op))
      return op->emitOpError(
          "is of an earlier stage: run tw-reify-dataflow first [transforms.stage]");
    if (isa<VBCreateOp>(op) && !isa<GridOp>(op->getParentOp()))
      return op->emitOpError("must be at the top of the grid's body [transforms.structure]");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

void concretize(GridOp grid) {
  std::vector<Lifetime> lifetimes = computeLifetimes(grid);
  std::vector<Value> memories(colorLifetimes(lifetimes));
  for (const Lifetime &life : lifetimes) {
    auto create = life.buffer.getDefiningOp<VBCreateOp>();
    auto type = cast<VirtualBufferType>(life.buffer.getType());
    OpBuilder builder(create);
    Location loc = create.getLoc();
    Value &memory = memories[life.color];
    if (!memory)
      memory = MemAllocOp::create(
          builder, loc, MemType::get(builder.getContext(), type.getDims(), type.getElementType()));
    Value semaphore = SemAllocOp::create(builder, loc, SemType::get(builder.getContext()));
    Value bound = VBBindOp::create(builder, loc, type, create.getLabelAttr(), memory, semaphore);
    create.getBuffer().replaceAllUsesWith(bound);
    create.erase();
  }
}

struct ConcretizeBuffers : impl::ConcretizeBuffersBase<ConcretizeBuffers> {
  void runOnOperation() override {
    if (failed(checkStage(getOperation())))
      return signalPassFailure();
    SmallVector<GridOp> grids(getOperation().getBody().getOps<GridOp>());
    for (GridOp grid : grids)
      concretize(grid);
  }
};

} // namespace
} // namespace tilewright::transforms
