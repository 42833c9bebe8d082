// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lifetimes of virtual buffers and their coloring.
#include "tilewright/Transforms/Liveness.h"
#include "tilewright/Transforms/Protocol.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <climits>
#include <tuple>

using namespace mlir;
using namespace tilewright::tw;

namespace tilewright::transforms {

bool Lifetime::interferes(const Lifetime &other) const {
  if (buffer.getType() != other.buffer.getType() || meetsGlobal || other.meetsGlobal)
    return true;
  return birth <= other.death && other.birth <= death;
}

namespace {
struct Span {
  int first, last;
};
using Positions = llvm::DenseMap<Operation *, Span>;
} // namespace

static int number(Block &block, int position, Positions &positions) {
  for (Operation &op : block) {
    int first = position++;
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        position = number(inner, position, positions);
    positions[&op] = {first, position - 1};
  }
  return position;
}

/// The operations that touch a buffer or a view of it.
static SmallVector<Operation *> accesses(Value buffer, bool &meetsGlobal) {
  SmallVector<Operation *> ops;
  SmallVector<Value> values{buffer};
  for (size_t i = 0; i < values.size(); ++i)
    for (Operation *user : values[i].getUsers()) {
      ops.push_back(user);
      meetsGlobal |= isa<CopyOp>(user);
      if (isa<VBReserveOp, VBAcquireOp, ViewUnsqueezeOp>(user))
        values.push_back(user->getResult(0));
    }
  return ops;
}

/// The innermost block that holds all operations.
static Block *commonBlock(ArrayRef<Operation *> ops) {
  Block *block = ops.front()->getBlock();
  while (!llvm::all_of(ops, [&](Operation *op) { return block->findAncestorOpInBlock(*op); }))
    block = block->getParentOp()->getBlock();
  return block;
}

static Lifetime lifetime(Value buffer, const Positions &positions) {
  Lifetime life;
  life.buffer = buffer;
  SmallVector<Operation *> ops = accesses(buffer, life.meetsGlobal);
  if (ops.empty())
    return life;
  Block *block = commonBlock(ops);
  life.birth = INT_MAX;
  for (Operation *op : ops) {
    Span span = positions.lookup(block->findAncestorOpInBlock(*op));
    life.birth = std::min(life.birth, span.first);
    life.death = std::max(life.death, span.last);
  }
  return life;
}

std::vector<Lifetime> computeLifetimes(GridOp grid) {
  Positions positions;
  Block &body = grid.getBody().front();
  number(body, 1, positions);
  std::vector<Lifetime> lifetimes;
  for (Operation &op : body)
    if (isa<VBCreateOp, VBBindOp>(op))
      lifetimes.push_back(lifetime(op.getResult(0), positions));
  return lifetimes;
}

int colorLifetimes(std::vector<Lifetime> &lifetimes) {
  std::vector<Lifetime *> order;
  for (Lifetime &life : lifetimes)
    order.push_back(&life);
  std::sort(order.begin(), order.end(), [](const Lifetime *a, const Lifetime *b) {
    // Equal ones keep their order in the vector.
    return std::tuple(a->birth, -a->duration(), a) < std::tuple(b->birth, -b->duration(), b);
  });
  int colors = 0;
  for (Lifetime *life : order) {
    std::vector<bool> taken(colors, false);
    for (const Lifetime &other : lifetimes)
      if (other.color >= 0 && life->interferes(other))
        taken[other.color] = true;
    life->color = std::find(taken.begin(), taken.end(), false) - taken.begin();
    colors = std::max(colors, life->color + 1);
  }
  return colors;
}

} // namespace tilewright::transforms
