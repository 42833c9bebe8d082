// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In-place contractions: where their first value comes from, how partial sums lie in L1, and which
// protocol operations are folded into the contraction itself.
#include "Plan.h"
#include "tilewright/Support/Checked.h"

using namespace mlir;

namespace tilewright::ttmetal {

/// The first `Op` on `buffer` after `from` in its block.
template <typename Op> static Operation *following(Operation *from, Value buffer) {
  for (Operation *op = from->getNextNode(); op; op = op->getNextNode())
    if (auto found = dyn_cast<Op>(op))
      if (found.getBuffer() == buffer)
        return op;
  internal("ttmetal.protocol", "a view has no commit or release in its block", from);
}

/// The four protocol ops around an in-place contraction become waits and pops per sub-block.
static void foldProtocol(Plan &plan, tw::ContractOp contract) {
  Operation *acquire = contract.getAccumulator().getDefiningOp();
  Value buffer = virtualBuffer(contract.getTarget());
  plan.silent.insert(acquire);
  plan.silent.insert(following<tw::VBReleaseOp>(acquire, buffer));
  plan.silent.insert(contract.getTarget().getDefiningOp());
  plan.silent.insert(following<tw::VBCommitOp>(contract, buffer));
}

/// A zero that only starts an accumulation is never written: the first step skips the reload.
static void foldZero(Plan &plan, tw::SetOp set) {
  plan.silent.insert(set);
  plan.silent.insert(set.getView().getDefiningOp());
  plan.silent.insert(following<tw::VBCommitOp>(set, virtualBuffer(set.getView())));
}

static Operation *lastWriterBefore(tw::ContractOp contract, Value buffer) {
  Operation *writer = nullptr;
  for (Operation *user : buffer.getUsers()) {
    auto reserve = dyn_cast<tw::VBReserveOp>(user);
    if (!reserve || reserve.getView() == contract.getTarget())
      continue;
    for (Operation *use : reserve.getView().getUsers()) {
      Operation *scope = use->getBlock()->findAncestorOpInBlock(*contract);
      if (scope && use->isBeforeInBlock(scope) && (!writer || writer->getBlock()->findAncestorOpInBlock(*use)))
        writer = use;
    }
  }
  return writer;
}

static void collectLoops(Accumulation &acc, tw::ContractOp contract, Block *stop) {
  for (Operation *op = contract->getParentOp(); op; op = op->getParentOp()) {
    if (stop->findAncestorOpInBlock(*contract) == contract || op->getBlock() == nullptr)
      break;
    if (isa<tw::LoopOp>(op))
      acc.loops.insert(acc.loops.begin(), op);
    if (op->getBlock() == stop)
      break;
  }
}

static void countTrips(Plan &plan, Accumulation &acc) {
  for (Operation *op : acc.loops) {
    auto loop = cast<tw::LoopOp>(op);
    acc.trips *= ceilDiv((int64_t)loop.getExtent(), plan.symbols.at(loop.getLabel().str()).elements);
  }
}

static void checkSubblock(Plan &plan, tw::ContractOp contract) {
  auto shape = contract.getSubblock();
  if (!shape || shape->size() != 2)
    internal("ttmetal.schedule", "a contraction has no sub-block", contract);
  const Buffer &target = plan.buffers[plan.buffer(contract.getTarget())];
  int64_t rows = (*shape)[0], columns = (*shape)[1];
  if (rows < 1 || columns < 1 || target.rows.tiles % rows || target.columns.tiles % columns)
    internal("ttmetal.subblock",
             fmt::format("a sub-block of {} x {} tiles does not divide \"{}\", {} x {} tiles", rows,
                         columns, target.holds, target.rows.tiles, target.columns.tiles),
             contract);
  if (rows * columns > plan.limits.dstTiles)
    internal("ttmetal.subblock",
             fmt::format("a sub-block of {} x {} tiles is more than the {} tiles of DST", rows, columns,
                         plan.limits.dstTiles),
             contract);
}

/// Partial sums queue up sub-block after sub-block; a sub-block as wide as the block is row-major.
static void orderTiles(Plan &plan, tw::ContractOp contract, Buffer &buffer) {
  auto shape = *contract.getSubblock();
  std::array<int64_t, 2> order = {shape[0], shape[1]};
  if (shape[1] == buffer.columns.tiles)
    order = {0, 0};
  if (buffer.order != std::array<int64_t, 2>{0, 0} && buffer.order != order)
    unsupported("ttmetal.accumulator-order",
                "accumulator \"" + buffer.holds + "\" is updated with two sub-blocks",
                "use one sub-block for both contractions", contract);
  buffer.order = order;
}

static void planInPlace(Plan &plan, tw::ContractOp contract) {
  Value buffer = virtualBuffer(contract.getTarget());
  Accumulation acc;
  acc.buffer = acc.finalBuffer = plan.buffer(buffer);
  Operation *writer = lastWriterBefore(contract, buffer);
  if (!writer)
    internal("ttmetal.accumulator", "an accumulator has no first value", contract);
  collectLoops(acc, contract, writer->getBlock());
  countTrips(plan, acc);
  auto set = dyn_cast<tw::SetOp>(writer);
  acc.startsAtZero = set && set.getValue().convertToDouble() == 0.0;
  if (acc.startsAtZero)
    foldZero(plan, set);
  foldProtocol(plan, contract);
  Buffer &storage = plan.buffers[acc.buffer];
  if (acc.trips > 1 || !acc.startsAtZero) {
    orderTiles(plan, contract, storage);
    if (storage.consumer == Role::Writer)
      unsupported("ttmetal.accumulator-store",
                  "accumulator \"" + storage.holds + "\" is stored straight from its buffer",
                  "give the stored value a buffer of its own", contract);
  }
  plan.accumulations[contract] = acc;
}

/// A zero that another buffer's contraction starts from: nothing of this buffer is left.
static void foldZeroSource(Plan &plan, tw::ContractOp contract) {
  Value buffer = virtualBuffer(contract.getAccumulator());
  for (Operation *user : buffer.getUsers()) {
    Value view = isa<tw::VBReserveOp, tw::VBAcquireOp>(user) ? user->getResult(0) : Value();
    for (Operation *use : view ? view.getUsers() : buffer.getUsers()) {
      auto set = dyn_cast<tw::SetOp>(use);
      auto other = dyn_cast<tw::ContractOp>(use);
      bool zero = set && set.getValue().convertToDouble() == 0.0;
      bool source = other && other.getAccumulator() == view && other.getTarget() != view;
      if (view && !zero && !source)
        return;
    }
  }
  for (Operation *user : buffer.getUsers()) {
    plan.silent.insert(user);
    if (auto reserve = dyn_cast<tw::VBReserveOp>(user))
      for (Operation *set : reserve.getView().getUsers())
        plan.silent.insert(set);
  }
}

void planAccumulations(Plan &plan) {
  plan.grid.walk([&](tw::ContractOp contract) {
    checkSubblock(plan, contract);
    if (virtualBuffer(contract.getTarget()) == virtualBuffer(contract.getAccumulator()))
      planInPlace(plan, contract);
    else
      foldZeroSource(plan, contract);
  });
}

} // namespace tilewright::ttmetal
