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

/// The accumulator's old value is read, if at all, by the contraction itself. A queue of sub-blocks
/// also reserves and pushes there.
static void foldProtocol(Plan &plan, tw::ContractOp contract, bool queue) {
  Operation *acquire = contract.getAccumulator().getDefiningOp();
  Value buffer = virtualBuffer(contract.getTarget());
  plan.silent.insert(acquire);
  plan.silent.insert(following<tw::VBReleaseOp>(acquire, buffer));
  if (!queue)
    return;
  plan.silent.insert(contract.getTarget().getDefiningOp());
  plan.silent.insert(following<tw::VBCommitOp>(contract, buffer));
}

/// A zero that only starts an accumulation is never written: the first step skips the reload.
static void foldZero(Plan &plan, tw::SetOp set) {
  plan.silent.insert(set);
  plan.silent.insert(set.getView().getDefiningOp());
  plan.silent.insert(following<tw::VBCommitOp>(set, virtualBuffer(set.getView())));
}

/// Position of every operation in program order.
static llvm::DenseMap<Operation *, int> numberOps(Plan &plan) {
  llvm::DenseMap<Operation *, int> number;
  plan.grid.walk<WalkOrder::PreOrder>([&](Operation *op) { number[op] = number.size(); });
  return number;
}

/// The last operation before `contract` in program order that writes the buffer.
static Operation *lastWriterBefore(Plan &plan, tw::ContractOp contract, Value buffer) {
  auto number = numberOps(plan);
  Operation *writer = nullptr;
  for (Operation *user : buffer.getUsers())
    if (auto reserve = dyn_cast<tw::VBReserveOp>(user))
      for (Operation *use : reserve.getView().getUsers())
        if (number[use] < number[contract] && (!writer || number[writer] < number[use]))
          writer = use;
  return writer;
}

/// Loops around `contract` that do not contain `writer`, outermost first.
static std::vector<Operation *> loopsSince(tw::ContractOp contract, Operation *writer) {
  std::vector<Operation *> loops;
  for (Operation *op = contract->getParentOp(); op && !op->isAncestor(writer);
       op = op->getParentOp())
    if (isa<tw::LoopOp>(op))
      loops.insert(loops.begin(), op);
  return loops;
}

static void countTrips(Plan &plan, Accumulation &acc) {
  for (Operation *op : acc.loops) {
    auto loop = cast<tw::LoopOp>(op);
    acc.trips *=
        ceilDiv((int64_t)loop.getExtent(), plan.symbols.at(loop.getLabel().str()).elements);
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
             fmt::format("a sub-block of {} x {} tiles is more than the {} tiles of DST", rows,
                         columns, plan.limits.dstTiles),
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
  Operation *writer = lastWriterBefore(plan, contract, buffer);
  if (!writer)
    internal("ttmetal.accumulator", "an accumulator has no first value", contract);
  acc.loops = loopsSince(contract, writer);
  countTrips(plan, acc);
  auto set = dyn_cast<tw::SetOp>(writer);
  acc.startsAtZero = set && set.getValue().convertToDouble() == 0.0;
  if (acc.startsAtZero)
    foldZero(plan, set);
  bool queue = acc.trips > 1 || !acc.startsAtZero;
  foldProtocol(plan, contract, queue);
  Buffer &storage = plan.buffers[acc.buffer];
  if (queue) {
    orderTiles(plan, contract, storage);
    if (storage.consumer == Role::Writer)
      unsupported("ttmetal.accumulator-store",
                  "accumulator \"" + storage.holds + "\" is stored straight from its buffer",
                  "give the stored value a buffer of its own", contract);
  }
  plan.accumulations[contract] = acc;
}

/// Whether a buffer only ever brings a zero to contractions whose target is another buffer.
static bool isZeroSource(Value buffer) {
  for (Operation *user : buffer.getUsers()) {
    if (auto reserve = dyn_cast<tw::VBReserveOp>(user))
      for (Operation *use : reserve.getView().getUsers())
        if (auto set = dyn_cast<tw::SetOp>(use); !set || set.getValue().convertToDouble() != 0.0)
          return false;
    if (auto acquire = dyn_cast<tw::VBAcquireOp>(user))
      for (Operation *use : acquire.getView().getUsers()) {
        auto contract = dyn_cast<tw::ContractOp>(use);
        if (!contract || contract.getAccumulator() != acquire.getView() ||
            virtualBuffer(contract.getTarget()) == buffer)
          return false;
      }
  }
  return true;
}

/// Nothing is left of a buffer that is a zero source: the contraction starts from cleared
/// registers.
static void foldZeroSource(Plan &plan, Value buffer) {
  if (!isZeroSource(buffer))
    return;
  for (Operation *user : buffer.getUsers()) {
    plan.silent.insert(user);
    if (auto reserve = dyn_cast<tw::VBReserveOp>(user))
      for (Operation *set : reserve.getView().getUsers())
        plan.silent.insert(set);
  }
  plan.buffers[plan.buffer(buffer)].unused = true;
}

/// A map that updates a buffer takes tiles from the front of its queue and appends the new ones.
static void foldInPlaceMap(Plan &plan, tw::MapOp map) {
  Value buffer = virtualBuffer(map.getTarget());
  for (Value input : map.getInputs()) {
    if (virtualBuffer(input) != buffer)
      continue;
    if (!llvm::all_of(input.getUsers(), [&](Operation *user) { return user == map; }))
      unsupported("ttmetal.in-place",
                  "buffer \"" + plan.buffers[plan.buffer(buffer)].holds +
                      "\" is updated while another operation reads it",
                  "give the new value a buffer of its own", map);
    Operation *acquire = input.getDefiningOp();
    plan.silent.insert(acquire);
    plan.silent.insert(following<tw::VBReleaseOp>(acquire, buffer));
    plan.silent.insert(map.getTarget().getDefiningOp());
    plan.silent.insert(following<tw::VBCommitOp>(map, buffer));
  }
}

void planAccumulations(Plan &plan) {
  plan.grid.walk([&](tw::MapOp map) { foldInPlaceMap(plan, map); });
  plan.grid.walk([&](tw::ContractOp contract) {
    checkSubblock(plan, contract);
    if (virtualBuffer(contract.getTarget()) == virtualBuffer(contract.getAccumulator()))
      planInPlace(plan, contract);
    else
      foldZeroSource(plan, virtualBuffer(contract.getAccumulator()));
  });
}

} // namespace tilewright::ttmetal
