// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tw-merge-handoffs: one virtual buffer where a value is only handed on (Loom section 2.4, figure
// 5a).
//
// Two buffers are joined when an operation reads the one for the last time and writes the other,
// and the joined program still obeys the protocol. That check is the whole legality condition: with
// room for one block, a program that never waits for itself hands every reader the block that it
// was handed before.
#include "tilewright/Transforms/Passes.h"
#include "tilewright/Transforms/Protocol.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace mlir;
using namespace tilewright::tw;

namespace tilewright::transforms {
#define GEN_PASS_DEF_MERGEHANDOFFS
#include "tilewright/Transforms/Passes.h.inc"

namespace {

/// An operation that may write its result over one of its operands.
struct Handoff {
  Operation *op;
  Value from, to; ///< buffers
};

bool meetsGlobalMemory(Value buffer) {
  for (Operation *user : buffer.getUsers())
    if (isa<VBReserveOp, VBAcquireOp>(user))
      for (Operation *use : user->getResult(0).getUsers())
        if (isa<CopyOp>(use))
          return true;
  return false;
}

/// Operands that can be overwritten as they are read: element by element, at the same position.
SmallVector<Value> overwritable(Operation *op) {
  if (auto contract = dyn_cast<ContractOp>(op))
    return {contract.getAccumulator()};
  SmallVector<Value> views;
  if (auto map = dyn_cast<MapOp>(op))
    llvm::append_range(views, map.getInputs());
  return views;
}

Value targetOf(Operation *op) {
  if (auto contract = dyn_cast<ContractOp>(op))
    return contract.getTarget();
  auto map = dyn_cast<MapOp>(op);
  return map ? map.getTarget() : Value();
}

std::vector<Handoff> findHandoffs(GridOp grid) {
  std::vector<Handoff> found;
  grid.walk<WalkOrder::PreOrder>([&](Operation *op) {
    Value target = targetOf(op);
    for (Value view : overwritable(op)) {
      if (!view.getDefiningOp<VBAcquireOp>() || view.getType() != target.getType() ||
          view.getParentBlock() != op->getBlock())
        continue;
      Value from = viewBuffer(view), to = viewBuffer(target);
      if (from != to && !meetsGlobalMemory(from) && !meetsGlobalMemory(to))
        found.push_back({op, from, to});
    }
  });
  return found;
}

bool isIdentity(MapOp map) {
  Block &body = map.getBody().front();
  return map.getInputs().size() == 1 && map.getInputs()[0].getType() == map.getTarget().getType() &&
         cast<YieldOp>(body.back()).getValues()[0] == body.getArgument(0);
}

/// The first operation of type `Op` on `buffer` after `from` in its block.
template <typename Op> Op following(Operation *from, Value buffer) {
  for (Operation *op = from->getNextNode(); op; op = op->getNextNode())
    if (auto found = dyn_cast<Op>(op); found && found.getBuffer() == buffer)
      return found;
  return {};
}

/// A copy of a block onto itself, by its only reader, is nothing at all: the block stays where it
/// is.
void eraseCopy(MapOp map, Value buffer) {
  auto acquire = map.getInputs()[0].getDefiningOp<VBAcquireOp>();
  auto reserve = map.getTarget().getDefiningOp<VBReserveOp>();
  auto release = following<VBReleaseOp>(map, buffer);
  auto commit = following<VBCommitOp>(map, buffer);
  bool lonely =
      acquire && reserve && release && commit && acquire->hasOneUse() && reserve->hasOneUse();
  if (!lonely || acquire->getBlock() != map->getBlock() || reserve->getBlock() != map->getBlock())
    return;
  for (Operation *op : {map.getOperation(), acquire.getOperation(), reserve.getOperation(),
                        release.getOperation(), commit.getOperation()})
    op->erase();
}

/// The block is given back before the room for the new one is asked for.
void releaseFirst(Operation *op, Value buffer) {
  auto reserve = targetOf(op).getDefiningOp<VBReserveOp>();
  auto release = following<VBReleaseOp>(op, buffer);
  if (reserve && release && reserve->getBlock() == release->getBlock())
    release->moveBefore(reserve);
}

void join(GridOp grid, Value from, Value to) {
  Operation *kept = from.getDefiningOp(), *dropped = to.getDefiningOp();
  if (dropped->isBeforeInBlock(kept))
    std::swap(kept, dropped);
  Value buffer = kept->getResult(0);
  dropped->getResult(0).replaceAllUsesWith(buffer);
  dropped->erase();
  SmallVector<Operation *> updates;
  grid.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto own = [&](Value view) {
      return view.getDefiningOp<VBAcquireOp>() && viewBuffer(view) == buffer;
    };
    if (Value target = targetOf(op);
        target && viewBuffer(target) == buffer && llvm::any_of(overwritable(op), own))
      updates.push_back(op);
  });
  for (Operation *op : updates) {
    if (auto map = dyn_cast<MapOp>(op);
        map && isIdentity(map) && following<VBReleaseOp>(op, buffer))
      eraseCopy(map, buffer);
    else
      releaseFirst(op, buffer);
  }
}

using Pair = std::pair<std::string, std::string>;

/// Tries the first hand-off not yet in `refused` on a clone and keeps the clone when it obeys the
/// protocol. False when there is nothing left to try.
bool tryOne(GridOp &grid, std::set<Pair> &refused) {
  std::vector<Handoff> handoffs = findHandoffs(grid);
  for (auto [i, handoff] : llvm::enumerate(handoffs)) {
    Pair names{bufferLabel(handoff.from), bufferLabel(handoff.to)};
    if (refused.count(names))
      continue;
    OpBuilder builder(grid);
    auto clone = cast<GridOp>(builder.clone(*grid));
    Handoff same = findHandoffs(clone)[i];
    join(clone, same.from, same.to);
    if (checkProtocol(clone).empty()) {
      grid.erase();
      grid = clone;
      refused.clear();
    } else {
      clone.erase();
      refused.insert(names);
    }
    return true;
  }
  return false;
}

struct MergeHandoffs : impl::MergeHandoffsBase<MergeHandoffs> {
  void runOnOperation() override {
    SmallVector<GridOp> grids(getOperation().getBody().getOps<GridOp>());
    for (GridOp grid : grids) {
      if (!checkProtocol(grid).empty()) {
        grid.emitOpError("does not obey the protocol before buffers are merged [transforms.stage]");
        return signalPassFailure();
      }
      std::set<Pair> refused;
      while (tryOne(grid, refused))
        ;
    }
  }
};

} // namespace
} // namespace tilewright::transforms
