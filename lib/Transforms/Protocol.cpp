// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The abstract run of a virtual-buffer program that finds broken protocols.
#include "tilewright/Transforms/Protocol.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright::tw;

namespace tilewright::transforms {

std::string bufferLabel(Value buffer) {
  if (auto create = buffer.getDefiningOp<VBCreateOp>())
    return create.getLabel().str();
  if (auto bind = buffer.getDefiningOp<VBBindOp>())
    return bind.getLabel().str();
  return "?";
}

Operation *viewOrigin(Value view) {
  while (auto unsqueeze = view.getDefiningOp<ViewUnsqueezeOp>())
    view = unsqueeze.getOperand();
  Operation *op = view.getDefiningOp();
  return isa_and_nonnull<VBReserveOp, VBAcquireOp>(op) ? op : nullptr;
}

Value viewBuffer(Value view) {
  Operation *origin = viewOrigin(view);
  return origin ? origin->getOperand(0) : Value();
}

namespace {

/// What one buffer holds, with the operation that brought each part about.
struct BufferState {
  Operation *reserve = nullptr; ///< room is held for writing
  Operation *acquire = nullptr; ///< a block is held for reading
  Operation *ready = nullptr;   ///< a block was committed and not released
  Operation *stale =
      nullptr;          ///< an acquire whose block was released: readable in place until the commit
  bool written = false; ///< the reserved room has been written
  bool idle() const { return !reserve && !acquire && !ready; }
};
using State = llvm::MapVector<Value, BufferState>;

enum class Read { Plain, InPlace };

class Checker {
public:
  std::vector<ProtocolViolation> run(Operation *root) {
    if (isa<GridOp, LoopOp>(root))
      runBody(*root);
    else
      for (Region &region : root->getRegions())
        for (Block &block : region)
          runBlock(block);
    checkSharing();
    return std::move(violations);
  }

private:
  void runBlock(Block &block) {
    for (Operation &op : block)
      step(op);
  }
  void step(Operation &op);
  void runBody(Operation &op);
  void compare(Operation &body, Value buffer, const BufferState &before, BufferState &after);
  void reserve(VBReserveOp op);
  void commit(VBCommitOp op);
  void acquire(VBAcquireOp op);
  void release(VBReleaseOp op);
  void read(Operation *op, Value view, Read kind);
  void write(Operation *op, Value view);
  void contract(ContractOp op);
  void map(MapOp op);
  void play(Operation *op, Value buffer, llvm::DenseMap<Value, Operation *> &players,
            StringRef role);
  void checkSharedRoom(VBReserveOp op);
  void checkSharing();

  std::string name(Value buffer) { return "\"" + bufferLabel(buffer) + "\""; }
  void report(Value buffer, Operation *op, StringRef id, std::string message, Operation *other,
              std::string note) {
    if (poisoned.insert(buffer).second)
      violations.push_back(
          {op, "transforms." + id.str(), std::move(message), other, std::move(note)});
  }

  State state;
  llvm::DenseSet<Value> poisoned;
  llvm::DenseMap<Operation *, Operation *> closedBy; ///< reserve -> commit, acquire -> release
  llvm::DenseMap<Value, Operation *> producers, consumers;
  llvm::MapVector<Value, SmallVector<Value>> memories; ///< memory -> buffers bound to it
  std::vector<ProtocolViolation> violations;
};

void Checker::step(Operation &op) {
  llvm::TypeSwitch<Operation *>(&op)
      .Case<VBBindOp>([&](VBBindOp o) { memories[o.getMemory()].push_back(o.getBuffer()); })
      .Case<VBReserveOp>([&](VBReserveOp o) { reserve(o); })
      .Case<VBCommitOp>([&](VBCommitOp o) { commit(o); })
      .Case<VBAcquireOp>([&](VBAcquireOp o) { acquire(o); })
      .Case<VBReleaseOp>([&](VBReleaseOp o) { release(o); })
      .Case<SetOp>([&](SetOp o) { write(o, o.getView()); })
      .Case<CopyOp>([&](CopyOp o) {
        o.getDirection() == Direction::In ? write(o, o.getView())
                                          : read(o, o.getView(), Read::Plain);
      })
      .Case<ContractOp>([&](ContractOp o) { contract(o); })
      .Case<MapOp>([&](MapOp o) { map(o); })
      .Case<GridOp, LoopOp>([&](auto o) { runBody(*o); });
}

//===--- The four operations
//-------------------------------------------------------------------------===//

void Checker::reserve(VBReserveOp op) {
  Value buffer = op.getBuffer();
  BufferState &s = state[buffer];
  if (s.reserve)
    report(buffer, op, "protocol-order",
           "reserves " + name(buffer) + " twice without a commit in between", s.reserve,
           "first reserved here");
  else if (s.ready)
    report(buffer, op, "protocol-deadlock",
           "waits for room in " + name(buffer) + " that only a later release can give", s.ready,
           "the block committed here is never released before");
  checkSharedRoom(op);
  s.reserve = op;
  s.written = false;
}

void Checker::commit(VBCommitOp op) {
  Value buffer = op.getBuffer();
  BufferState &s = state[buffer];
  if (!s.reserve)
    report(buffer, op, "protocol-order", "commits " + name(buffer) + " without a reserve before it",
           s.ready, "the last commit is here");
  else if (!s.written)
    report(buffer, op, "protocol-unwritten",
           "commits a block of " + name(buffer) + " that nothing wrote", s.reserve,
           "reserved here");
  if (s.reserve)
    closedBy[s.reserve] = op;
  s.reserve = s.stale = nullptr;
  s.ready = op;
}

void Checker::acquire(VBAcquireOp op) {
  Value buffer = op.getBuffer();
  BufferState &s = state[buffer];
  if (s.acquire)
    report(buffer, op, "protocol-order",
           "acquires " + name(buffer) + " twice without a release in between", s.acquire,
           "first acquired here");
  else if (!s.ready)
    report(buffer, op, "protocol-deadlock",
           "waits for a block of " + name(buffer) + " that nobody commits before",
           s.reserve ? s.reserve : buffer.getDefiningOp(),
           s.reserve ? "reserved here and not committed yet" : "the buffer is empty since here");
  s.acquire = op;
  s.stale = nullptr;
}

void Checker::release(VBReleaseOp op) {
  Value buffer = op.getBuffer();
  BufferState &s = state[buffer];
  if (!s.acquire)
    report(buffer, op, "protocol-order",
           "releases " + name(buffer) + " without an acquire before it", s.ready,
           "the last commit is here");
  else
    closedBy[s.acquire] = op;
  s.stale = s.acquire;
  s.acquire = s.ready = nullptr;
}

//===--- Uses of views
//-------------------------------------------------------------------------------===//

void Checker::play(Operation *op, Value buffer, llvm::DenseMap<Value, Operation *> &players,
                   StringRef role) {
  Operation *&first = players.try_emplace(buffer, op).first->second;
  if (isa<CopyOp>(first) != isa<CopyOp>(op))
    report(buffer, op, "protocol-role",
           "is a second " + role.str() + " of " + name(buffer) +
               ": data movement and computation are different threads",
           first, "the first " + role.str() + " is here");
}

void Checker::read(Operation *op, Value view, Read kind) {
  Operation *origin = viewOrigin(view);
  if (!origin)
    return;
  Value buffer = origin->getOperand(0);
  BufferState &s = state[buffer];
  play(op, buffer, consumers, "consumer");
  if (isa<VBReserveOp>(origin))
    return report(buffer, op, "protocol-view", "reads the write view of " + name(buffer), origin,
                  "reserved here");
  if (s.acquire == origin)
    return;
  Operation *closer = closedBy.lookup(origin);
  std::string released = closer ? "released here" : "acquired here";
  if (s.stale != origin || !s.reserve)
    return report(buffer, op, "protocol-view",
                  "reads the view of " + name(buffer) + " after its release",
                  closer ? closer : origin, released);
  if (s.written)
    return report(buffer, op, "protocol-in-place",
                  "reads a block of " + name(buffer) + " that was overwritten in place", s.reserve,
                  "its room was reserved again here");
  if (kind != Read::InPlace)
    report(buffer, op, "protocol-in-place",
           "reads " + name(buffer) + " in place in a way that is not element by element",
           closer ? closer : origin, released);
}

void Checker::write(Operation *op, Value view) {
  Operation *origin = viewOrigin(view);
  if (!origin)
    return;
  Value buffer = origin->getOperand(0);
  BufferState &s = state[buffer];
  play(op, buffer, producers, "producer");
  if (isa<VBAcquireOp>(origin))
    return report(buffer, op, "protocol-view", "writes to the read view of " + name(buffer), origin,
                  "acquired here");
  Operation *closer = closedBy.lookup(origin);
  if (s.reserve != origin)
    return report(buffer, op, "protocol-view",
                  "writes to the view of " + name(buffer) + " after its commit",
                  closer ? closer : origin, closer ? "committed here" : "reserved here");
  s.written = true;
}

void Checker::contract(ContractOp op) {
  read(op, op.getLhs(), Read::Plain);
  read(op, op.getRhs(), Read::Plain);
  read(op, op.getAccumulator(), Read::InPlace);
  write(op, op.getTarget());
}

void Checker::map(MapOp op) {
  for (Value input : op.getInputs())
    read(op, input, input.getDefiningOp<ViewUnsqueezeOp>() ? Read::Plain : Read::InPlace);
  write(op, op.getTarget());
}

//===--- Bodies and shared memory
//--------------------------------------------------------------------===//

void Checker::runBody(Operation &op) {
  // A released block cannot be read in place by every iteration: the second one finds it
  // overwritten.
  for (auto &[buffer, s] : state)
    s.stale = nullptr;
  State before = state;
  runBlock(op.getRegion(0).front());
  for (auto &[buffer, after] : state) {
    after.stale = nullptr;
    compare(op, buffer, before.lookup(buffer), after);
  }
}

void Checker::compare(Operation &body, Value buffer, const BufferState &before,
                      BufferState &after) {
  std::string what = isa<GridOp>(body) ? "the grid's body" : "the loop's body";
  auto differ = [&](Operation *op, std::string message, Operation *other, std::string note) {
    report(buffer, op, "protocol-neutral", std::move(message), other, std::move(note));
  };
  if (after.reserve && after.reserve != before.reserve)
    differ(after.reserve, "reserves " + name(buffer) + " and " + what + " ends without a commit",
           &body, what + " is here");
  else if (after.acquire && after.acquire != before.acquire)
    differ(after.acquire, "acquires " + name(buffer) + " and " + what + " ends without a release",
           &body, what + " is here");
  else if (before.reserve && !after.reserve)
    differ(closedBy.lookup(before.reserve),
           "commits in " + what + " a block of " + name(buffer) + " reserved outside",
           before.reserve, "reserved here");
  else if (before.acquire && !after.acquire)
    differ(closedBy.lookup(before.acquire),
           "releases in " + what + " a block of " + name(buffer) + " acquired outside",
           before.acquire, "acquired here");
  else if (after.ready && !before.ready)
    differ(after.ready, "leaves a block in " + name(buffer) + " at the end of " + what, &body,
           what + " is here");
  else if (before.ready && !after.ready)
    differ(before.ready,
           "commits a block of " + name(buffer) + " that every iteration takes and none gives back",
           &body, what + " is here");
}

void Checker::checkSharedRoom(VBReserveOp op) {
  auto bind = op.getBuffer().getDefiningOp<VBBindOp>();
  if (!bind)
    return;
  for (Value other : memories[bind.getMemory()]) {
    BufferState s = state.lookup(other);
    if (other == op.getBuffer() || s.idle())
      continue;
    Operation *holder = s.ready ? s.ready : s.reserve ? s.reserve : s.acquire;
    report(op.getBuffer(), op, "protocol-shared-memory",
           "takes memory for " + name(op.getBuffer()) + " that " + name(other) + " still uses",
           holder, "its block is here");
  }
}

void Checker::checkSharing() {
  for (auto &[memory, buffers] : memories)
    for (Value buffer : buffers)
      for (Operation *user : {producers.lookup(buffer), consumers.lookup(buffer)})
        if (buffers.size() > 1 && isa_and_nonnull<CopyOp>(user))
          report(buffer, buffer.getDefiningOp(), "protocol-shared-memory",
                 "shares the memory of " + name(buffer) + " although it meets global memory", user,
                 "moved by this copy");
}

} // namespace

std::vector<ProtocolViolation> checkProtocol(Operation *root) {
  return Checker().run(root);
}

} // namespace tilewright::transforms
