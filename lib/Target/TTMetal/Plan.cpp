// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a mapped program into a Plan: symbols, tensors, axes, buffers and their two ends.
#include "Plan.h"
#include "tilewright/Support/Checked.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tilewright::ttmetal {

static tilewright::Location locationOf(Operation *op) {
  if (!op)
    return {};
  if (auto loc = dyn_cast<FileLineColLoc>(op->getLoc()))
    return {loc.getFilename().str(), loc.getLine(), loc.getColumn()};
  return {};
}

void unsupported(const char *id, std::string message, std::string hint, Operation *op) {
  throw Error(Kind::Unsupported, id, std::move(message), std::move(hint), locationOf(op));
}
void internal(const char *id, std::string message, Operation *op) {
  throw Error(Kind::Internal, id, std::move(message), {}, locationOf(op));
}

const char *dtypeName(Dtype dtype) {
  return dtype == Dtype::BF16 ? "bf16" : "f32";
}
int64_t dtypeBytes(Dtype dtype) {
  return dtype == Dtype::BF16 ? 2 : 4;
}

Dtype elementType(Operation *op, Type type) {
  if (type.isBF16())
    return Dtype::BF16;
  if (type.isF32())
    return Dtype::F32;
  std::string text;
  llvm::raw_string_ostream(text) << type;
  unsupported("ttmetal.dtype", "elements of type \"" + text + "\" cannot be stored on this target",
              "use bf16 or f32", op);
}

std::string identifier(llvm::StringRef name) {
  std::string out;
  for (char c : name)
    out += llvm::isAlnum(c) ? c : '_';
  if (out.empty() || llvm::isDigit(out[0]))
    out.insert(0, "v_");
  return out;
}

std::string shortName(llvm::StringRef label) {
  llvm::StringRef rest = label;
  return identifier(rest.consume_front("tile_") && !rest.empty() ? rest : label);
}

std::optional<int64_t> constantIndex(Value index) {
  Operation *op = index.getDefiningOp();
  if (auto value = op ? op->getAttrOfType<IntegerAttr>("value") : nullptr)
    if (!isa<tw::SymOp>(op))
      return value.getInt();
  return std::nullopt;
}

std::string Buffer::blockCode() const {
  if (rows.tiles == 1 && rows.label.empty())
    return columns.code();
  if (columns.tiles == 1 && columns.label.empty())
    return rows.code();
  return rows.code() + " * " + columns.code();
}

Value virtualBuffer(Value view) {
  Operation *op = view.getDefiningOp();
  if (auto reserve = dyn_cast_or_null<tw::VBReserveOp>(op))
    return reserve.getBuffer();
  if (auto acquire = dyn_cast_or_null<tw::VBAcquireOp>(op))
    return acquire.getBuffer();
  internal("ttmetal.view", "a view does not come from a reserve or an acquire", op);
}

const Tensor &Plan::tensor(Value global) const {
  for (const Tensor &t : tensors)
    if (t.value == global)
      return t;
  internal("ttmetal.tensor", "a copy moves something that is not an argument of the kernel", func);
}

int Plan::buffer(Value value) const {
  if (!isa<tw::VirtualBufferType>(value.getType()))
    value = virtualBuffer(value);
  auto it = bufferOf.find(value);
  if (it == bufferOf.end())
    internal("ttmetal.buffer", "a virtual buffer is not bound to memory", value.getDefiningOp());
  return it->second;
}

/// Tiles of a symbol's blocks. A block that covers its whole dim may end inside a tile.
static Side symbolSide(const Plan &plan, tw::SymOp sym) {
  std::string label = sym.getLabel().str();
  if (!sym.getValue())
    internal("ttmetal.schedule", "symbol \"" + label + "\" has no value", sym);
  int64_t value = *sym.getValue(), side = plan.limits.tileSide;
  if (value < 1 || (value % side != 0 && value < (int64_t)sym.getExtent()))
    throw Error(Kind::User, "ttmetal.alignment",
                fmt::format("\"{}\" = {} is not a multiple of {} elements", label, value, side),
                fmt::format("choose a multiple of {}", side));
  return {label, value, ceilDiv(value, side)};
}

static Side side(const Plan &plan, Attribute dim) {
  if (auto label = dyn_cast<FlatSymbolRefAttr>(dim)) {
    auto it = plan.symbols.find(label.getValue().str());
    if (it == plan.symbols.end())
      internal("ttmetal.schedule", "label \"" + label.getValue().str() + "\" has no tw.sym");
    return it->second;
  }
  int64_t size = cast<IntegerAttr>(dim).getInt();
  return {"", size, ceilDiv(size, plan.limits.tileSide)};
}

std::array<Side, 2> blockSides(const Plan &plan, ArrayRef<Attribute> dims) {
  if (dims.size() > 2)
    unsupported("ttmetal.rank", "a block of rank " + std::to_string(dims.size()) + " has no tiles",
                "use blocks with one or two dims");
  if (dims.empty())
    return {Side(), Side()};
  if (dims.size() == 1)
    return {Side(), side(plan, dims[0])};
  return {side(plan, dims[0]), side(plan, dims[1])};
}

//===--- Tensors
//-------------------------------------------------------------------------------------===//

/// A 1-D tensor is a column of tiles when copies move it through [n, 1] views.
static bool isColumn(Value tensor) {
  Operation *column = nullptr, *row = nullptr;
  for (Operation *user : tensor.getUsers()) {
    auto copy = dyn_cast<tw::CopyOp>(user);
    auto dims =
        copy ? cast<tw::ViewType>(copy.getView().getType()).getDims() : ArrayRef<Attribute>();
    auto last = dims.size() == 2 ? dyn_cast<IntegerAttr>(dims[1]) : IntegerAttr();
    (last && last.getInt() == 1 ? column : row) = user;
  }
  if (column && row)
    unsupported("ttmetal.layout",
                "'" + tw::argumentName(tensor) + "' is read both as a row and as a column",
                "pass it twice", column);
  return column != nullptr;
}

static Tensor makeTensor(Plan &plan, BlockArgument argument) {
  auto type = dyn_cast<MemRefType>(argument.getType());
  if (!type || !type.hasStaticShape())
    internal("ttmetal.tensor", "an argument is not a tensor with a static shape", plan.func);
  Tensor t;
  t.value = argument;
  t.name = identifier(tw::argumentName(argument));
  t.dtype = elementType(plan.func, type.getElementType());
  t.shape.assign(type.getShape().begin(), type.getShape().end());
  if (t.shape.empty() || t.shape.size() > 2)
    unsupported("ttmetal.rank",
                "tensor \"" + t.name + "\" has rank " + std::to_string(t.shape.size()),
                "use tensors with one or two dims", plan.func);
  int64_t tile = plan.limits.tileSide;
  bool column = t.shape.size() == 1 && isColumn(argument);
  t.layout = t.shape.size() == 2 ? "matrix" : column ? "column" : "row";
  t.rows = t.shape.size() == 2 || column ? ceilDiv(t.shape[0], tile) : 1;
  t.columns = column ? 1 : ceilDiv(t.shape.back(), tile);
  t.pageBytes = tile * tile * dtypeBytes(t.dtype);
  return t;
}

static void readTensors(Plan &plan) {
  std::vector<Tensor> outputs;
  for (BlockArgument argument : plan.func.getArguments()) {
    auto role = plan.func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), tw::roleAttr);
    Tensor t = makeTensor(plan, argument);
    t.output = role && role.getValue() == "output";
    (t.output ? outputs : plan.tensors).push_back(std::move(t));
  }
  llvm::append_range(plan.tensors, outputs);
  if (outputs.empty())
    internal("ttmetal.tensor", "the kernel has no output", plan.func);
}

//===--- Axes and names
//------------------------------------------------------------------------------===//

static std::string unique(std::set<std::string> &taken, std::string name) {
  std::string candidate = name;
  for (int i = 2; !taken.insert(candidate).second; ++i)
    candidate = name + "_" + std::to_string(i);
  return candidate;
}

static void readAxes(Plan &plan) {
  std::set<std::string> taken;
  tw::GridOp grid = plan.grid;
  for (auto [i, label] : llvm::enumerate(grid.getLabels().getAsRange<FlatSymbolRefAttr>())) {
    Axis axis;
    axis.name = unique(taken, shortName(label.getValue()));
    axis.side = side(plan, label);
    axis.extent = grid.getExtents()[i];
    axis.blocks = ceilDiv(axis.extent, axis.side.elements);
    plan.indexNames[grid.getBody().getArgument(i)] = "block_" + axis.name;
    plan.axes.push_back(std::move(axis));
  }
  grid.walk([&](tw::LoopOp loop) {
    side(plan, loop.getLabelAttr());
    plan.indexNames[loop.getBody().getArgument(0)] =
        "block_" + unique(taken, shortName(loop.getLabel()));
  });
}

static void nameCopies(Plan &plan) {
  std::set<std::string> taken;
  plan.grid.walk([&](tw::CopyOp copy) {
    plan.copyNames[copy] = unique(taken, plan.tensor(copy.getGlobal()).name);
  });
}

//===--- Buffers
//-------------------------------------------------------------------------------------===//

/// "x[tile_m, tile_k]" names the buffer cb_x.
static std::string bufferName(llvm::StringRef label) {
  return "cb_" + identifier(label.take_until([](char c) { return c == '[' || c == ' '; }));
}

static Buffer makeBuffer(Plan &plan, tw::VBBindOp bind, std::set<std::string> &taken) {
  auto type = cast<tw::VirtualBufferType>(bind.getBuffer().getType());
  auto alloc = bind.getMemory().getDefiningOp<tw::MemAllocOp>();
  if (!alloc)
    internal("ttmetal.buffer", "a virtual buffer is not bound to a tw.mem.alloc", bind);
  Buffer b;
  b.name = unique(taken, bufferName(bind.getLabel()));
  b.holds = bind.getLabel().str();
  b.dtype = elementType(bind, type.getElementType());
  auto [rows, columns] = blockSides(plan, type.getDims());
  b.rows = rows, b.columns = columns;
  b.depth = alloc.getDepth();
  return b;
}

/// The thread that writes or reads a buffer through `view`.
static void setRole(Plan &plan, Operation *op, Value view, bool writes, Role role) {
  Buffer &b = plan.buffers[plan.buffer(view)];
  Role &end = writes ? b.producer : b.consumer;
  if (end != Role::None && end != role)
    unsupported("ttmetal.buffer-ends",
                "buffer \"" + b.holds + "\" is " + (writes ? "written" : "read") +
                    " by two threads",
                "give the stored value a buffer of its own", op);
  end = role;
}

static void readRoles(Plan &plan) {
  plan.grid.walk([&](Operation *op) {
    if (auto copy = dyn_cast<tw::CopyOp>(op)) {
      bool in = copy.getDirection() == tw::Direction::In;
      setRole(plan, op, copy.getView(), in, in ? Role::Reader : Role::Writer);
    } else if (auto set = dyn_cast<tw::SetOp>(op)) {
      setRole(plan, op, set.getView(), true, Role::Compute);
    } else if (auto contract = dyn_cast<tw::ContractOp>(op)) {
      for (Value view : {contract.getLhs(), contract.getRhs(), contract.getAccumulator()})
        setRole(plan, op, view, false, Role::Compute);
      setRole(plan, op, contract.getTarget(), true, Role::Compute);
    } else if (auto map = dyn_cast<tw::MapOp>(op)) {
      for (Value view : map.getInputs())
        setRole(plan, op, view, false, Role::Compute);
      setRole(plan, op, map.getTarget(), true, Role::Compute);
    }
  });
}

/// Buffers on one memory become faces of one allocation. The compute thread must own all their
/// ends: its data dependences are what keeps the faces apart.
static void shareMemory(Plan &plan, const std::vector<tw::VBBindOp> &binds) {
  llvm::DenseMap<Value, int> first;
  for (tw::VBBindOp bind : binds) {
    int position = plan.bufferOf[bind.getBuffer()];
    auto [it, fresh] = first.try_emplace(bind.getMemory(), position);
    if (fresh)
      continue;
    for (int i : {it->second, position})
      if (plan.buffers[i].producer != Role::Compute || plan.buffers[i].consumer != Role::Compute)
        unsupported("ttmetal.shared-memory",
                    "buffer \"" + plan.buffers[i].holds + "\" shares memory across threads",
                    "bind buffers that meet global memory to memory of their own", bind);
    plan.buffers[position].aliasOf = it->second;
  }
}

static void readBuffers(Plan &plan) {
  std::set<std::string> taken;
  std::vector<tw::VBBindOp> binds;
  plan.grid.walk([&](tw::VBBindOp bind) {
    plan.bufferOf[bind.getBuffer()] = plan.buffers.size();
    plan.buffers.push_back(makeBuffer(plan, bind, taken));
    binds.push_back(bind);
  });
  readRoles(plan);
  shareMemory(plan, binds);
}

static void readHeader(Plan &plan, const machine::Machine &machine) {
  plan.limits = readLimits(machine);
  plan.machine = machine.name;
  plan.kernel = plan.func.getName().str();
  auto source = plan.func->getAttrOfType<StringAttr>(tw::sourceAttr);
  plan.source = source ? source.getValue().str() : plan.kernel;
  for (tw::GridOp grid : plan.func.getOps<tw::GridOp>()) {
    if (plan.grid)
      unsupported("ttmetal.grids", "the kernel has more than one grid",
                  "split it into kernels with one grid each", grid);
    plan.grid = grid;
  }
  if (!plan.grid)
    internal("ttmetal.grids", "the kernel has no tw.grid", plan.func);
  if (!plan.grid.getPlacementAttr())
    internal("ttmetal.schedule", "the grid has no placement", plan.grid);
}

Plan buildPlan(func::FuncOp func, const machine::Machine &machine) {
  Plan plan;
  plan.func = func;
  readHeader(plan, machine);
  func.walk([&](tw::SymOp sym) { plan.symbols[sym.getLabel().str()] = symbolSide(plan, sym); });
  readTensors(plan);
  readAxes(plan);
  nameCopies(plan);
  readBuffers(plan);
  planPlacement(plan);
  planAccumulations(plan);
  return plan;
}

} // namespace tilewright::ttmetal
