// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Execution on hashes. A hash stands for a whole block or for any element of it, so a map's scalar
// body and the tile operations that it came from give the same one.
#include "Trace.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tilewright::tw;

namespace {

uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t h = (a ^ (b + 0x9e3779b97f4a7c15ull + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdull;
  return h ^ (h >> 33);
}
uint64_t mix(uint64_t a, llvm::StringRef text) {
  for (char c : text)
    a = mix(a, (uint64_t)c);
  return a;
}
uint64_t typeHash(Type type) {
  if (auto tile = dyn_cast<TileType>(type))
    type = tile.getElementType();
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return mix(7, text);
}

class Machine {
public:
  Machine(int trips, Trace &trace) : trips(trips), trace(trace) {}

  void block(Block &body) {
    for (Operation &op : body)
      step(&op);
  }

private:
  uint64_t get(Value v) { return values.lookup(v); }
  static std::string label(Value buffer) {
    Operation *op = buffer.getDefiningOp();
    return op->getAttrOfType<StringAttr>("label").str();
  }
  static Value bufferOf(Value view) {
    while (isa<ViewUnsqueezeOp>(view.getDefiningOp()))
      view = view.getDefiningOp()->getOperand(0);
    return view.getDefiningOp()->getOperand(0);
  }
  uint64_t read(Value view) {
    Value memory = trace.memory[label(bufferOf(view))];
    if (!contents.count(memory))
      trace.faults.push_back("reads memory never written: " + label(bufferOf(view)));
    return contents[memory];
  }
  void write(Value view, uint64_t value) { contents[trace.memory[label(bufferOf(view))]] = value; }
  uint64_t place(uint64_t hash, ValueRange indices) {
    for (Value index : indices)
      hash = mix(hash, get(index));
    return hash;
  }
  uint64_t global(Value tensor, ValueRange indices) {
    return place(mix(3, cast<BlockArgument>(tensor).getArgNumber()), indices);
  }

  void hold(Value buffer) {
    std::string name = label(buffer);
    for (const std::string &other : alive)
      if (other != name)
        trace.together.insert({std::min(name, other), std::max(name, other)});
    alive.insert(name);
  }

  uint64_t compute(Operation *op) {
    uint64_t hash = mix(11, op->getName().getStringRef());
    if (auto kind = op->getAttr("kind")) {
      std::string text;
      llvm::raw_string_ostream(text) << kind;
      hash = mix(hash, text);
    }
    for (Value operand : op->getOperands())
      hash = mix(hash, get(operand));
    return mix(hash, typeHash(op->getResult(0).getType()));
  }
  static uint64_t fillHash(double value) { return mix(5, (uint64_t)(value * 16)); }
  static uint64_t product(uint64_t a, uint64_t b, uint64_t c, Type element) {
    return mix(mix(mix(mix(13, a), b), c), typeHash(element));
  }

  void copy(CopyOp op) {
    trace.global.insert(label(bufferOf(op.getView())));
    uint64_t where = global(op.getGlobal(), op.getIndices());
    if (op.getDirection() == Direction::In)
      write(op.getView(), where);
    else
      trace.stores.push_back(mix(where, read(op.getView())));
  }
  void map(MapOp op) {
    Block &body = op.getBody().front();
    for (auto [argument, input] : llvm::zip(body.getArguments(), op.getInputs()))
      values[argument] = read(input);
    block(body);
    write(op.getTarget(), get(cast<YieldOp>(body.back()).getValues()[0]));
  }
  void loop(LoopOp op) {
    Block &body = op.getBody().front();
    for (auto [i, init] : llvm::enumerate(op.getInits()))
      values[body.getArgument(i + 1)] = get(init);
    SmallVector<uint64_t> carried;
    for (int trip = 0; trip < trips; ++trip) {
      for (auto [i, value] : llvm::enumerate(carried))
        values[body.getArgument(i + 1)] = value;
      values[body.getArgument(0)] = trip + 100;
      block(body);
      carried.clear();
      for (Value value : cast<YieldOp>(body.back()).getValues())
        carried.push_back(get(value));
    }
    for (auto [result, value] : llvm::zip(op.getResults(), carried))
      values[result] = value;
  }
  void grid(GridOp op) {
    for (int number = 0; number < 2; ++number) {
      for (BlockArgument argument : op.getBody().getArguments())
        values[argument] = number + 1 + argument.getArgNumber() * 10;
      contents.clear();
      block(op.getBody().front());
      if (!alive.empty())
        trace.faults.push_back("a block is left in " + *alive.begin());
    }
  }

  void sync(Operation *op) {
    Value buffer = op->getOperand(0);
    std::string name = label(buffer);
    int &count = blocks[buffer];
    if (isa<VBReserveOp>(op)) {
      if (count > 0)
        trace.faults.push_back("no room in " + name);
      hold(buffer);
    } else if (isa<VBCommitOp>(op)) {
      ++count;
    } else if (isa<VBAcquireOp>(op)) {
      if (count < 1)
        trace.faults.push_back("no block in " + name);
    } else {
      --count;
      alive.erase(name);
    }
  }

  void step(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<GridOp>([&](GridOp o) { grid(o); })
        .Case<LoopOp>([&](LoopOp o) { loop(o); })
        .Case<LoadOp>(
            [&](LoadOp o) { values[o.getResult()] = global(o.getSource(), o.getIndices()); })
        .Case<StoreOp>([&](StoreOp o) {
          trace.stores.push_back(mix(global(o.getTarget(), o.getIndices()), get(o.getValue())));
        })
        .Case<FillOp>(
            [&](FillOp o) { values[o.getResult()] = fillHash(o.getValue().convertToDouble()); })
        .Case<ConstantOp>(
            [&](ConstantOp o) { values[o.getResult()] = fillHash(o.getValue().convertToDouble()); })
        .Case<UnsqueezeOp>([&](UnsqueezeOp o) { values[o.getResult()] = get(o.getOperand()); })
        .Case<UnaryOp, BinaryOp, CastOp>([&](auto o) { values[o.getResult()] = compute(o); })
        .Case<MatmulOp>([&](MatmulOp o) {
          values[o.getResult()] = product(get(o.getLhs()), get(o.getRhs()), get(o.getAccumulator()),
                                          cast<TileType>(o.getType()).getElementType());
        })
        .Case<SetOp>([&](SetOp o) { write(o.getView(), fillHash(o.getValue().convertToDouble())); })
        .Case<ContractOp>([&](ContractOp o) {
          write(o.getTarget(), product(read(o.getLhs()), read(o.getRhs()), read(o.getAccumulator()),
                                       cast<ViewType>(o.getTarget().getType()).getElementType()));
        })
        .Case<MapOp>([&](MapOp o) { map(o); })
        .Case<CopyOp>([&](CopyOp o) { copy(o); })
        .Case<VBCreateOp, VBBindOp>([&](auto o) {
          Value buffer = o.getBuffer();
          trace.types[label(buffer)] = buffer.getType();
          trace.memory[label(buffer)] = isa<VBBindOp>(op) ? op->getOperand(0) : buffer;
        })
        .Case<VBReserveOp, VBCommitOp, VBAcquireOp, VBReleaseOp>([&](auto o) { sync(o); });
  }

  int trips;
  Trace &trace;
  llvm::DenseMap<Value, uint64_t> values, contents;
  llvm::DenseMap<Value, int> blocks;
  std::set<std::string> alive;
};

} // namespace

Trace runTrace(func::FuncOp func, int trips) {
  Trace trace;
  Machine(trips, trace).block(func.getBody().front());
  return trace;
}
