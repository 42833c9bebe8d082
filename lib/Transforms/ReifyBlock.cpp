// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites the body of one grid from values to virtual buffers (Loom section 2.3).
#include "Fusion.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright::tw;

namespace tilewright::transforms {
using mlir::Location;
namespace {

class Rewriter {
public:
  Rewriter(GridOp grid, DataflowPlan &plan, llvm::StringMap<int> &labels)
      : grid(grid), plan(plan), labels(labels), builder(grid), creates(grid) {}

  void run() {
    auto target = cast<GridOp>(builder.cloneWithoutRegions(*grid));
    enter(target.getBody(), grid.getBody().front());
    top = builder.getInsertionBlock();
    runBlock(grid.getBody().front());
    grid.erase();
  }

private:
  void enter(Region &region, Block &old) {
    Block *block = builder.createBlock(&region);
    block->addArgument(builder.getIndexType(), old.getArgument(0).getLoc());
    mapping.map(old.getArgument(0), block->getArgument(0));
    if (!isa<GridOp>(old.getParentOp()))
      return;
    for (BlockArgument argument : old.getArguments().drop_front())
      mapping.map(argument, block->addArgument(argument.getType(), argument.getLoc()));
  }
  void runBlock(Block &block) {
    for (Operation &op : block)
      runOp(&op);
  }
  void runOp(Operation *op);
  void load(LoadOp op);
  void map(Operation *root);
  void matmul(MatmulOp op);
  void store(StoreOp op);
  void loop(LoopOp op);
  void yield(YieldOp op);

  Value createBuffer(Location loc, const std::string &name, ArrayRef<Attribute> dims, Type element);
  Value createBuffer(Value value, StringRef fallback);
  Value reserve(Location loc, Value buffer);
  void commit(Location loc, Value buffer) { VBCommitOp::create(builder, loc, buffer); }
  Value acquire(Location loc, Value buffer);
  void release(Location loc, Value buffer) { VBReleaseOp::create(builder, loc, buffer); }
  void acquireFor(Operation *op);
  void releaseAfter(Operation *op, bool beforeBody = false);
  void drain(Location loc, int index);
  void set(Location loc, FillOp fill, Value buffer);
  void copyBlock(Location loc, Value view, Value buffer);
  void give(Location loc, Value value, Value buffer);
  Value carriedBuffer(LoopOp loop, unsigned i);
  Value storedBuffer(StoreOp store);
  Value readView(Location loc, const HeldRead &read);
  Value scalar(OpBuilder &body, Operation *root, Value value, SmallVector<int64_t> steps,
               ArrayRef<HeldRead> inputs, Block *block);
  SmallVector<Value> indices(OperandRange range) {
    SmallVector<Value> out;
    for (Value index : range)
      out.push_back(mapping.lookupOrDefault(index));
    return out;
  }

  GridOp grid;
  DataflowPlan &plan;
  llvm::StringMap<int> &labels;
  OpBuilder builder, creates; ///< code; buffers, which all stand at the top of the grid's body
  Block *top = nullptr;
  Operation *lastCreate = nullptr;
  IRMapping mapping; ///< block numbers and other index values
  llvm::DenseMap<std::pair<Operation *, unsigned>, Value> carried;
  llvm::DenseMap<Operation *, Value> stored;
};

//===--- Buffers
//-------------------------------------------------------------------------------------===//

Value Rewriter::createBuffer(Location loc, const std::string &name, ArrayRef<Attribute> dims,
                             Type element) {
  std::string label = name + dimsText(dims);
  if (int count = ++labels[label]; count > 1)
    label += "#" + std::to_string(count);
  auto type = VirtualBufferType::get(builder.getContext(), dims, element);
  if (lastCreate)
    creates.setInsertionPointAfter(lastCreate);
  else
    creates.setInsertionPointToStart(top);
  lastCreate = VBCreateOp::create(creates, loc, type, label);
  return lastCreate->getResult(0);
}

/// The source's name for a value when the frontend gave one.
static std::string valueName(Value value, StringRef fallback) {
  auto name = value.getLoc()->findInstanceOf<NameLoc>();
  return name ? name.getName().str() : fallback.str();
}

Value Rewriter::createBuffer(Value value, StringRef fallback) {
  auto type = cast<TileType>(value.getType());
  return createBuffer(value.getLoc(), valueName(value, fallback), type.getDims(),
                      type.getElementType());
}

static Type viewType(Value buffer) {
  auto type = cast<VirtualBufferType>(buffer.getType());
  return ViewType::get(buffer.getContext(), type.getDims(), type.getElementType());
}

Value Rewriter::reserve(Location loc, Value buffer) {
  return VBReserveOp::create(builder, loc, viewType(buffer), buffer);
}
Value Rewriter::acquire(Location loc, Value buffer) {
  return VBAcquireOp::create(builder, loc, viewType(buffer), buffer);
}

/// A loop's carried tile lives in one buffer: before, inside and after the loop.
Value Rewriter::carriedBuffer(LoopOp loop, unsigned i) {
  Value &buffer = carried[{loop, i}];
  if (!buffer)
    buffer = createBuffer(loop.getBody().getArgument(i + 1), "acc");
  return buffer;
}

Value Rewriter::storedBuffer(StoreOp store) {
  Value &buffer = stored[store];
  auto type = cast<TileType>(store.getValue().getType());
  if (!buffer)
    buffer = createBuffer(store.getLoc(), argumentName(store.getTarget()), type.getDims(),
                          type.getElementType());
  return buffer;
}

//===--- Spans
//---------------------------------------------------------------------------------------===//

void Rewriter::acquireFor(Operation *op) {
  for (int index : plan.needs(op))
    if (Held &entry = plan.held[index]; !entry.view)
      entry.view = acquire(op->getLoc(), entry.buffer);
}

/// Before a loop's body only what the loop itself was the last to read is given back: initial
/// values.
void Rewriter::releaseAfter(Operation *op, bool beforeBody) {
  for (int index : plan.needs(op))
    if (Held &entry = plan.held[index];
        entry.view && entry.lastReader == op && (!beforeBody || entry.lastUser == op)) {
      release(op->getLoc(), entry.buffer);
      entry.view = nullptr;
    }
}

/// A block that nothing reads is taken all the same, or the next one would find no room.
void Rewriter::drain(Location loc, int index) {
  if (plan.held[index].lastReader)
    return;
  acquire(loc, plan.held[index].buffer);
  release(loc, plan.held[index].buffer);
}

Value Rewriter::readView(Location loc, const HeldRead &read) {
  Value view = plan.held[read.held].view;
  for (int64_t axis : read.axes) {
    auto type = cast<ViewType>(view.getType());
    SmallVector<Attribute> dims(type.getDims());
    dims.insert(dims.begin() + axis, builder.getI64IntegerAttr(1));
    view = ViewUnsqueezeOp::create(
        builder, loc, ViewType::get(builder.getContext(), dims, type.getElementType()), view, axis);
  }
  return view;
}

//===--- Writers
//-------------------------------------------------------------------------------------===//

void Rewriter::set(Location loc, FillOp fill, Value buffer) {
  Value view = reserve(loc, buffer);
  SetOp::create(builder, loc, fill.getValueAttr(), view);
  commit(loc, buffer);
}

void Rewriter::copyBlock(Location loc, Value view, Value buffer) {
  Value target = reserve(loc, buffer);
  auto map = MapOp::create(builder, loc, view, target);
  OpBuilder body = OpBuilder::atBlockBegin(&map.getBody().emplaceBlock());
  Value element =
      body.getInsertionBlock()->addArgument(cast<ViewType>(view.getType()).getElementType(), loc);
  YieldOp::create(body, loc, element);
  commit(loc, buffer);
}

/// Puts a value into a buffer of its own kind, unless its map has put it there already.
void Rewriter::give(Location loc, Value value, Value buffer) {
  if (auto fill = value.getDefiningOp<FillOp>())
    return set(loc, fill, buffer);
  if (!plan.directUse(value))
    copyBlock(loc, plan.held[plan.indexOf(value)].view, buffer);
}

void Rewriter::load(LoadOp op) {
  for (Held &entry : plan.held) {
    if (entry.value != op.getResult())
      continue;
    auto type = cast<TileType>(op.getType());
    SmallVector<Attribute> dims(type.getDims());
    for (int64_t axis : entry.axes)
      dims.insert(dims.begin() + axis, builder.getI64IntegerAttr(1));
    Location loc = op.getLoc();
    entry.buffer = createBuffer(loc, argumentName(op.getSource()), dims, type.getElementType());
    Value view = reserve(loc, entry.buffer);
    CopyOp::create(builder, loc, Direction::In, op.getSource(), indices(op.getIndices()), view,
                   TransferAttr());
    commit(loc, entry.buffer);
  }
}

static Type elementOf(Value tile) {
  return cast<TileType>(tile.getType()).getElementType();
}

Value Rewriter::scalar(OpBuilder &body, Operation *root, Value value, SmallVector<int64_t> steps,
                       ArrayRef<HeldRead> inputs, Block *block) {
  Operation *op = value.getDefiningOp();
  if (auto fill = dyn_cast_or_null<FillOp>(op))
    return ConstantOp::create(body, op->getLoc(), elementOf(value), fill.getValueAttr());
  if (op != root && !plan.isInlined(value)) {
    HeldRead read = plan.leaf(value, steps);
    return block->getArgument(llvm::find(inputs, read) - inputs.begin());
  }
  if (auto unsqueeze = dyn_cast<UnsqueezeOp>(op)) {
    steps.push_back(dimsAfter(unsqueeze));
    return scalar(body, root, unsqueeze.getOperand(), steps, inputs, block);
  }
  IRMapping operands;
  for (Value operand : op->getOperands())
    if (!operands.contains(operand))
      operands.map(operand, scalar(body, root, operand, steps, inputs, block));
  Operation *clone = body.clone(*op, operands);
  clone->getResult(0).setType(elementOf(value));
  return clone->getResult(0);
}

void Rewriter::map(Operation *root) {
  Value value = root->getResult(0);
  Location loc = root->getLoc();
  Value buffer;
  if (OpOperand *use = plan.directUse(value)) {
    auto store = dyn_cast<StoreOp>(use->getOwner());
    buffer = store ? storedBuffer(store)
                   : carriedBuffer(cast<LoopOp>(use->getOwner()), use->getOperandNumber());
  } else {
    buffer = plan.held[plan.indexOf(value)].buffer = createBuffer(value, "map");
  }
  ArrayRef<HeldRead> inputs = plan.reads(root);
  SmallVector<Value> views;
  for (const HeldRead &read : inputs)
    views.push_back(readView(loc, read));
  Value target = reserve(loc, buffer);
  auto map = MapOp::create(builder, loc, views, target);
  Block *block = &map.getBody().emplaceBlock();
  for (Value view : views)
    block->addArgument(cast<ViewType>(view.getType()).getElementType(), loc);
  OpBuilder body = OpBuilder::atBlockBegin(block);
  YieldOp::create(body, loc, scalar(body, root, value, {}, inputs, block));
  commit(loc, buffer);
}

void Rewriter::matmul(MatmulOp op) {
  Location loc = op.getLoc();
  SmallVector<Value> views, fills;
  for (Value operand : op.getOperands()) {
    if (auto fill = operand.getDefiningOp<FillOp>()) {
      fills.push_back(createBuffer(operand, operand == op.getAccumulator() ? "acc" : "fill"));
      set(loc, fill, fills.back());
      views.push_back(acquire(loc, fills.back()));
    } else {
      views.push_back(plan.held[plan.indexOf(operand)].view);
    }
  }
  Value buffer = plan.held[plan.indexOf(op.getResult())].buffer =
      createBuffer(op.getResult(), "product");
  Value target = reserve(loc, buffer);
  ContractOp::create(builder, loc, views[0], views[1], views[2], target, DenseI64ArrayAttr());
  commit(loc, buffer);
  for (Value fill : fills)
    release(loc, fill);
}

void Rewriter::store(StoreOp op) {
  Location loc = op.getLoc();
  Value buffer = storedBuffer(op);
  give(loc, op.getValue(), buffer);
  releaseAfter(op);
  Value view = acquire(loc, buffer);
  CopyOp::create(builder, loc, Direction::Out, op.getTarget(), indices(op.getIndices()), view,
                 TransferAttr());
  release(loc, buffer);
}

//===--- Loops
//---------------------------------------------------------------------------------------===//

void Rewriter::loop(LoopOp op) {
  Location loc = op.getLoc();
  for (auto [i, init] : llvm::enumerate(op.getInits())) {
    give(loc, init, carriedBuffer(op, i));
    plan.held[plan.indexOf(op.getBody().getArgument(i + 1))].buffer = carriedBuffer(op, i);
    plan.held[plan.indexOf(op.getResult(i))].buffer = carriedBuffer(op, i);
  }
  releaseAfter(op, /*beforeBody=*/true);
  auto target = LoopOp::create(builder, loc, TypeRange(), op.getLabelAttr(), op.getExtentAttr(),
                               ValueRange());
  {
    OpBuilder::InsertionGuard guard(builder);
    enter(target.getBody(), op.getBody().front());
    for (Value argument : op.getBody().getArguments().drop_front())
      drain(loc, plan.indexOf(argument));
    runBlock(op.getBody().front());
  }
  for (Value result : op.getResults())
    drain(loc, plan.indexOf(result));
}

/// Every carried block of this iteration is released before the next one is written: blocks that
/// pass from one carried position to another go through a buffer of their own first.
void Rewriter::yield(YieldOp op) {
  auto loop = cast<LoopOp>(op->getParentOp());
  Location loc = op.getLoc();
  llvm::DenseMap<unsigned, Value> kept;
  for (auto [i, value] : llvm::enumerate(op.getValues()))
    if (value.getParentBlock() == op->getBlock() && isa<BlockArgument>(value)) {
      kept[i] = createBuffer(value, "kept");
      copyBlock(loc, plan.held[plan.indexOf(value)].view, kept[i]);
    }
  for (Value argument : loop.getBody().getArguments().drop_front())
    if (Held &entry = plan.held[plan.indexOf(argument)]; entry.view) {
      release(loc, entry.buffer);
      entry.view = nullptr;
    }
  for (auto [i, value] : llvm::enumerate(op.getValues())) {
    if (!kept.count(i)) {
      give(loc, value, carriedBuffer(loop, i));
      continue;
    }
    copyBlock(loc, acquire(loc, kept[i]), carriedBuffer(loop, i));
    release(loc, kept[i]);
  }
}

void Rewriter::runOp(Operation *op) {
  acquireFor(op);
  bool handled = true;
  if (op->getNumResults() == 1 && plan.isRoot(op->getResult(0)))
    map(op);
  else
    llvm::TypeSwitch<Operation *>(op)
        .Case<LoadOp>([&](LoadOp o) { load(o); })
        .Case<MatmulOp>([&](MatmulOp o) { matmul(o); })
        .Case<StoreOp>([&](StoreOp o) { store(o); })
        .Case<LoopOp>([&](LoopOp o) { loop(o); })
        .Case<YieldOp>([&](YieldOp o) { yield(o); })
        .Default([&](Operation *) { handled = false; });
  if (!handled && !isPointwise(op) && !isa<FillOp>(op))
    builder.clone(*op, mapping); // index arithmetic
  releaseAfter(op);
  if (isa<YieldOp>(op))
    YieldOp::create(builder, op->getLoc());
}

} // namespace

void reifyGrid(GridOp grid, DataflowPlan &plan, llvm::StringMap<int> &labels) {
  Rewriter(grid, plan, labels).run();
}

} // namespace tilewright::transforms
