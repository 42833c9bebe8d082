// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reader: DRAM to circular buffers, alone or once per rectangle of cores with a multicast. Writer:
// circular buffers to DRAM. Both walk the same waves and loops as the compute kernel.
#include "DataMovement.h"
#include "Compute.h"

using namespace mlir;

namespace tilewright::ttmetal {

static tw::Direction direction(Role role) {
  return role == Role::Reader ? tw::Direction::In : tw::Direction::Out;
}

static std::vector<tw::CopyOp> copies(const Plan &plan, Role role) {
  std::vector<tw::CopyOp> found;
  tw::GridOp(plan.grid).walk([&](tw::CopyOp copy) {
    if (copy.getDirection() == direction(role))
      found.push_back(copy);
  });
  return found;
}

static std::optional<int> gridAxis(const Plan &plan, Value index) {
  auto argument = dyn_cast<BlockArgument>(index);
  if (!argument || argument.getOwner()->getParentOp() != tw::GridOp(plan.grid).getOperation())
    return std::nullopt;
  return argument.getArgNumber();
}

static void castArguments(const Multicast &cast, std::vector<RuntimeArgument> &out) {
  using A = RuntimeArgument;
  for (auto [kind, suffix] : {std::pair(A::Sender, "_is_sender"),
                              {A::SenderX, "_sender_x"},
                              {A::SenderY, "_sender_y"},
                              {A::FirstX, "_first_x"},
                              {A::FirstY, "_first_y"},
                              {A::LastX, "_last_x"},
                              {A::LastY, "_last_y"}})
    out.push_back({kind, cast.name + suffix, 0, nullptr, &cast});
}

DataMovement planDataMovement(const Plan &plan, Role role) {
  DataMovement moves;
  std::set<int> axes;
  for (tw::CopyOp copy : copies(plan, role)) {
    const Tensor *tensor = &plan.tensor(copy.getGlobal());
    if (!llvm::is_contained(moves.tensors, tensor))
      moves.tensors.push_back(tensor);
    for (Value index : copy.getIndices())
      if (auto axis = gridAxis(plan, index))
        axes.insert(*axis);
  }
  for (const Tensor *tensor : moves.tensors)
    moves.arguments.push_back(
        {RuntimeArgument::Address, tensor->name + "_address", 0, tensor, nullptr});
  for (int axis : axes)
    moves.arguments.push_back(
        {RuntimeArgument::Coordinate, "core_" + plan.axes[axis].name, axis, nullptr, nullptr});
  for (tw::CopyOp copy : copies(plan, role))
    if (auto it = plan.multicasts.find(copy); it != plan.multicasts.end())
      castArguments(it->second, moves.arguments);
  if ((int64_t)moves.arguments.size() > plan.limits.runtimeArguments)
    throw Error(Kind::DoesNotFit, "ttmetal.runtime-args",
                fmt::format("a kernel needs {} runtime arguments, a core has {}",
                            moves.arguments.size(), plan.limits.runtimeArguments),
                "use fewer operands");
  return moves;
}

//===--- Helper functions of the emitted kernels
//-----------------------------------------------------===//

static void emitReadBlock(CodeWriter &out) {
  out.line("// Reads a block of tiles. Tiles beyond the tensor repeat its last row or column: "
           "their products");
  out.line("// are never stored, and the buffer never holds stale data.");
  out.line("template <typename Accessor>");
  out.line("void read_block(const Accessor &tensor, uint32_t l1, uint32_t page_bytes, uint32_t "
           "first_row,");
  out.line("                uint32_t first_column, uint32_t rows, uint32_t columns, uint32_t "
           "tensor_rows,");
  out.open("                uint32_t tensor_columns)");
  out.open("for (uint32_t r = 0; r < rows; ++r)");
  out.line("const uint32_t row = first_row + r < tensor_rows ? first_row + r : tensor_rows - 1;");
  out.open("for (uint32_t c = 0; c < columns; ++c)");
  out.line("const uint32_t column =");
  out.line("    first_column + c < tensor_columns ? first_column + c : tensor_columns - 1;");
  out.line("noc_async_read_page(row * tensor_columns + column, tensor, l1);");
  out.line("l1 += page_bytes;");
  out.close();
  out.close();
  out.line("noc_async_read_barrier();");
  out.close();
  out.line();
}

static void emitWriteBlock(CodeWriter &out) {
  out.line("// Writes the tiles of a block that lie inside the tensor.");
  out.line("template <typename Accessor>");
  out.line("void write_block(const Accessor &tensor, uint32_t l1, uint32_t page_bytes, uint32_t "
           "first_row,");
  out.line("                 uint32_t first_column, uint32_t rows, uint32_t columns, uint32_t "
           "tensor_rows,");
  out.open("                 uint32_t tensor_columns)");
  out.open("for (uint32_t row = first_row; row < first_row + rows; ++row)");
  out.open("for (uint32_t column = first_column; column < first_column + columns; ++column)");
  out.open("if (row < tensor_rows && column < tensor_columns)");
  out.line("noc_async_write_page(row * tensor_columns + column, tensor, l1);");
  out.close();
  out.line("l1 += page_bytes;");
  out.close();
  out.close();
  out.line("noc_async_writes_flushed();");
  out.close();
  out.line();
}

static void emitSharedRead(CodeWriter &out) {
  out.line("// A rectangle of cores that shares one read: its upper left core sends.");
  out.open("struct SharedRead");
  out.line(
      "uint32_t sender_x, sender_y, first_x, first_y, last_x, last_y, receivers, ready, valid;");
  out.line();
  out.line("// Tells the sender that there is room, and waits for the block.");
  out.open("void receive() const");
  out.line("volatile tt_l1_ptr uint32_t *flag = reinterpret_cast<volatile tt_l1_ptr uint32_t "
           "*>(valid);");
  out.line("noc_semaphore_set(flag, 0);");
  out.line("noc_semaphore_inc(get_noc_addr(sender_x, sender_y, ready), 1);");
  out.line("noc_semaphore_wait(flag, 1);");
  out.close();
  out.line();
  out.line("// Waits until all receivers have room, then sends the block and the flag behind it.");
  out.open("void send(uint32_t l1, uint32_t bytes) const");
  out.line("volatile tt_l1_ptr uint32_t *count = reinterpret_cast<volatile tt_l1_ptr uint32_t "
           "*>(ready);");
  out.line("volatile tt_l1_ptr uint32_t *flag = reinterpret_cast<volatile tt_l1_ptr uint32_t "
           "*>(valid);");
  out.line("noc_semaphore_wait(count, receivers);");
  out.line("noc_semaphore_set(count, 0);");
  out.line("noc_semaphore_set(flag, 1);");
  out.line("const uint64_t block = get_noc_multicast_addr(first_x, first_y, last_x, last_y, l1);");
  out.line("noc_async_write_multicast(l1, block, bytes, receivers, true);");
  out.line(
      "const uint64_t flags = get_noc_multicast_addr(first_x, first_y, last_x, last_y, valid);");
  out.line("noc_semaphore_set_multicast(valid, flags, receivers, false);");
  out.line("noc_async_writes_flushed();");
  out.close();
  out.close("};");
  out.line();
}

//===--- The kernel
//----------------------------------------------------------------------------------===//

namespace {

class Mover {
public:
  Mover(const Plan &plan, Role role, const DataMovement &moves, CodeWriter &out)
      : plan(plan), role(role), moves(moves), out(out) {}
  void constants();
  void helpers();
  void kernel();

private:
  const Plan &plan;
  Role role;
  const DataMovement &moves;
  CodeWriter &out;
  std::set<int> axes;

  void arguments();
  void sharedReads();
  void waves(size_t level);
  void block(Block &block);
  void moveBlock(const char *function, const char *pointer, tw::CopyOp copy);
  void copyIn(tw::CopyOp copy);
  void copyOut(tw::CopyOp copy);
  std::array<std::string, 2> origin(tw::CopyOp copy);
  std::string start(tw::CopyOp copy, int dim, const Side &side);
  bool concerns(Operation &op) const;
};

void Mover::constants() {
  out.line("// Tensors in tiles.");
  for (const Tensor *t : moves.tensors)
    out.line("constexpr uint32_t {0}_rows = {1}, {0}_columns = {2}, {0}_page_bytes = {3};", t->name,
             t->rows, t->columns, t->pageBytes);
  for (const RuntimeArgument &argument : moves.arguments)
    if (argument.kind == RuntimeArgument::Coordinate) {
      axes.insert(argument.axis);
      const Axis &axis = plan.axes[argument.axis];
      out.line("constexpr uint32_t {}_spatial = {};  // cores along this axis", axis.name,
               axis.spatial);
    }
}

void Mover::helpers() {
  if (role == Role::Writer)
    return emitWriteBlock(out);
  if (!moves.tensors.empty())
    emitReadBlock(out);
  if (!plan.multicasts.empty())
    emitSharedRead(out);
}

void Mover::arguments() {
  for (auto [i, argument] : llvm::enumerate(moves.arguments))
    out.line("const uint32_t {} = get_arg_val<uint32_t>({});", argument.name, i);
  std::string offset = "0";
  for (const Tensor *t : moves.tensors) {
    out.line("constexpr auto {}_layout = TensorAccessorArgs<{}>();", t->name, offset);
    // A suffix on every name of the user's: none of them can hide a function of the vendor's.
    out.line("const auto {0}_tensor = TensorAccessor({0}_layout, {0}_address);", t->name);
    offset = t->name + "_layout.next_compile_time_args_offset()";
  }
}

void Mover::sharedReads() {
  for (tw::CopyOp copy : copies(plan, role))
    if (auto it = plan.multicasts.find(copy); it != plan.multicasts.end()) {
      const Multicast &cast = it->second;
      out.line("// {0}: {1} x {2} cores.", cast.name, cast.x, cast.y);
      out.line("const SharedRead {0}_shared = {{{0}_sender_x, {0}_sender_y, {0}_first_x, "
               "{0}_first_y, {0}_last_x,",
               cast.name);
      out.line("    {0}_last_y, {1}, get_semaphore({2}), get_semaphore({3})}};", cast.name,
               cast.x * cast.y - 1, cast.ready, cast.valid);
    }
}

/// First tile of the block along one dim of the tensor.
std::string Mover::start(tw::CopyOp copy, int dim, const Side &side) {
  Value index = copy.getIndices()[dim];
  int64_t length = plan.tensor(copy.getGlobal()).shape[dim];
  auto constant = constantIndex(index);
  if (constant && *constant * side.elements % plan.limits.tileSide == 0)
    return std::to_string(*constant * side.elements / plan.limits.tileSide);
  if (side.elements >= length)
    return "0";
  if (constant || side.elements % plan.limits.tileSide)
    unsupported("ttmetal.access",
                fmt::format("blocks of {} elements of \"{}\" do not start on tiles", side.elements,
                            plan.tensor(copy.getGlobal()).name),
                fmt::format("use a multiple of {}", plan.limits.tileSide), copy);
  auto name = plan.indexNames.find(index);
  if (name == plan.indexNames.end())
    unsupported("ttmetal.access", "an index of a copy is not a block number", "index by tiles",
                copy);
  return name->second + " * " + side.code();
}

std::array<std::string, 2> Mover::origin(tw::CopyOp copy) {
  auto sides = blockSides(plan, cast<tw::ViewType>(copy.getView().getType()).getDims());
  const Tensor &tensor = plan.tensor(copy.getGlobal());
  if (tensor.shape.size() == 2)
    return {start(copy, 0, sides[0]), start(copy, 1, sides[1])};
  if (tensor.layout == "column")
    return {start(copy, 0, sides[0]), "0"};
  return {"0", start(copy, 0, sides[1])};
}

/// read_block or write_block for a copy's block, on two lines.
void Mover::moveBlock(const char *function, const char *pointer, tw::CopyOp copy) {
  const Buffer &buffer = plan.buffers[plan.buffer(copy.getView())];
  const std::string &name = plan.tensor(copy.getGlobal()).name;
  auto [row, column] = origin(copy);
  std::string call = std::string(function) + "(";
  out.line("{}{}_tensor, {}({}), {}_page_bytes, {},", call, name, pointer, buffer.name, name, row);
  out.line("{}{}, {}, {}, {}_rows, {}_columns);", std::string(call.size(), ' '), column,
           buffer.rows.code(), buffer.columns.code(), name, name);
}

void Mover::copyIn(tw::CopyOp copy) {
  const Buffer &buffer = plan.buffers[plan.buffer(copy.getView())];
  out.line("cb_reserve_back({}, {});", buffer.name, buffer.blockCode());
  auto it = plan.multicasts.find(copy);
  if (it == plan.multicasts.end()) {
    moveBlock("read_block", "get_write_ptr", copy);
  } else {
    const std::string &name = it->second.name;
    out.open("if (" + name + "_is_sender)");
    moveBlock("read_block", "get_write_ptr", copy);
    out.line("{}_shared.send(get_write_ptr({}), {} * {}_page_bytes);", name, buffer.name,
             buffer.blockCode(), plan.tensor(copy.getGlobal()).name);
    out.next("else");
    out.line("{}_shared.receive();", name);
    out.close();
  }
  out.line("cb_push_back({}, {});", buffer.name, buffer.blockCode());
}

void Mover::copyOut(tw::CopyOp copy) {
  const Buffer &buffer = plan.buffers[plan.buffer(copy.getView())];
  out.line("cb_wait_front({}, {});", buffer.name, buffer.blockCode());
  moveBlock("write_block", "get_read_ptr", copy);
  out.line("cb_pop_front({}, {});", buffer.name, buffer.blockCode());
}

bool Mover::concerns(Operation &op) const {
  return op
      .walk([&](tw::CopyOp copy) {
        return copy.getDirection() == direction(role) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
      })
      .wasInterrupted();
}

void Mover::block(Block &block) {
  for (Operation &op : block) {
    if (!concerns(op))
      continue;
    if (auto copy = dyn_cast<tw::CopyOp>(op)) {
      role == Role::Reader ? copyIn(copy) : copyOut(copy);
      continue;
    }
    auto loop = dyn_cast<tw::LoopOp>(op);
    if (!loop)
      internal("ttmetal.structure", "a copy lies inside an operation that is not a loop", &op);
    out.open(loopHead(plan, loop));
    this->block(loop.getBody().front());
    out.close();
  }
}

/// Block number along an axis: wave * cores + coordinate. Blocks beyond the grid exist on some
/// cores.
void Mover::waves(size_t level) {
  if (level == plan.order.size())
    return block(tw::GridOp(plan.grid).getBody().front());
  int axis = plan.order[level];
  const std::string &name = plan.axes[axis].name;
  bool loop = plan.axes[axis].waves > 1;
  if (loop)
    out.open(fmt::format("for (uint32_t wave_{0} = 0; wave_{0} < {0}_waves; ++wave_{0})", name));
  if (axes.count(axis))
    out.line(
        loop ? fmt::format("const uint32_t block_{0} = wave_{0} * {0}_spatial + core_{0};", name)
             : fmt::format("const uint32_t block_{0} = core_{0};", name));
  waves(level + 1);
  if (loop)
    out.close();
}

void Mover::kernel() {
  out.open("void kernel_main()");
  arguments();
  if (role == Role::Reader)
    sharedReads();
  waves(0);
  if (role == Role::Writer)
    out.line("noc_async_write_barrier();");
  else if (!plan.multicasts.empty()) {
    out.line("noc_async_write_barrier();");
    out.line("noc_async_atomic_barrier();");
  }
  out.close();
}

} // namespace

void emitDataMovement(const Plan &plan, Role role, const DataMovement &moves, CodeWriter &out) {
  out.line("#include <cstdint>");
  out.line("#include \"api/dataflow/dataflow_api.h\"");
  out.line();
  Mover mover(plan, role, moves, out);
  emitSymbols(plan, out);
  emitTrips(plan, out);
  emitBuffers(plan, role, out);
  mover.constants();
  out.line();
  mover.helpers();
  mover.kernel();
}

} // namespace tilewright::ttmetal
