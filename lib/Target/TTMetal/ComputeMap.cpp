// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointwise operations: several output tiles per register section, operation by operation, so that
// every init serves the whole batch.
#include "Compute.h"
#include "Format.h"

using namespace mlir;

namespace tilewright::ttmetal {

/// How a map visits its target: batches of tiles along a row, inside sub-blocks if a buffer is a
/// queue.
struct ComputeBuilder::Walk {
  tw::MapOp map;
  const MapPlan *plan = nullptr;
  Side rows, columns;
  std::array<int64_t, 2> order = {0, 0}; ///< {0, 0}: row by row
  int64_t batch = 1;
  int target = -1;
  int inPlace = -1; ///< the input buffer that is also the target, or -1
  bool oneRow() const { return rows.tiles == 1 && rows.label.empty(); }
  std::string row() const { return order[0] ? "(row + r)" : oneRow() ? "0" : "row"; }
  std::string column() const { return order[0] ? "column + c" : "column"; }
  std::string slot(int slot) const {
    if (batch == 1)
      return std::to_string(slot);
    return slot == 0 ? "t" : fmt::format("{} + t", slot * batch);
  }
};

/// Position of the current tile in a buffer's block.
std::string ComputeBuilder::index(const Walk &walk, int buffer, Spread spread, bool queue) {
  std::string t = walk.batch > 1 ? " + t" : "";
  const Buffer &b = plan.buffers[buffer];
  if (queue)
    return walk.batch > 1 ? "t" : "0";
  if (spread == Spread::Scalar)
    return "0";
  if (spread == Spread::Row)
    return walk.column() + t;
  if (spread == Spread::Column)
    return walk.row();
  // A sub-block's first tile is behind `row` whole tile rows and the sub-blocks to its left.
  if (b.order[0] != 0 && b.order == walk.order)
    return fmt::format("row * {} + column * {} + r * {} + c{}", walk.columns.code(), b.order[0],
                       b.order[1], t);
  if (b.order[0] != 0) {
    usesSubBlockTile = true;
    return fmt::format("sub_block_tile({}, {}{}, {}, {}, {})", walk.row(), walk.column(), t,
                       walk.columns.code(), b.order[0], b.order[1]);
  }
  if (walk.oneRow() && !walk.order[0])
    return walk.column() + t;
  return fmt::format("{} * {} + {}{}", walk.row(), walk.columns.code(), walk.column(), t);
}

//===--- Operations on DST
//---------------------------------------------------------------------------===//

static const char *verb(tw::BinaryKind kind) {
  switch (kind) {
  case tw::BinaryKind::Add:
    return "add";
  case tw::BinaryKind::Sub:
    return "sub";
  case tw::BinaryKind::Mul:
    return "mul";
  case tw::BinaryKind::Div:
    return "div";
  case tw::BinaryKind::Max:
    return "max";
  case tw::BinaryKind::Min:
    return "min";
  }
  return "";
}

static const char *spreadName(Spread spread) {
  return spread == Spread::Row ? "rows" : spread == Spread::Column ? "cols" : "scalar";
}
static const char *broadcastType(Spread spread) {
  return spread == Spread::Row      ? "BroadcastType::ROW"
         : spread == Spread::Column ? "BroadcastType::COL"
                                    : "BroadcastType::SCALAR";
}

Step ComputeBuilder::fpuOp(const Walk &walk, const DstOp &op) {
  auto inputs = tw::MapOp(walk.map).getInputs();
  int a = readBuffer(inputs[op.input]), b = readBuffer(inputs[op.other]);
  std::string slot = walk.slot(op.slot);
  std::string at = index(walk, a, Spread::None, a == walk.inPlace);
  headers.insert("api/compute/eltwise_binary.h");
  if (op.kind == DstOp::FpuReuse) {
    std::string reuse = fmt::format("{}_reuse_dest_{{}}<EltwiseBinaryReuseDestType::DEST_TO_SRCA>",
                                    verb(op.binary));
    std::string init = fmt::format(fmt::runtime(reuse), "init") + fmt::format("({});", name(a));
    std::string call =
        fmt::format(fmt::runtime(reuse), "tiles") + fmt::format("({}, {}, {});", name(a), at, slot);
    return Step::line(call, {srcA(b), srcB(a), fpuInit(init)});
  }
  std::string other = index(walk, b, op.spread, b == walk.inPlace);
  std::string suffix;
  if (op.spread != Spread::None) {
    headers.insert("api/compute/bcast.h");
    suffix = std::string("_bcast_") + spreadName(op.spread);
  }
  return Step::line(
      fmt::format("{}_tiles{}({}, {}, {}, {}, {});", verb(op.binary), suffix, name(a), name(b), at,
                  other, slot),
      {srcA(a), srcB(b),
       fpuInit(fmt::format("{}{}_init({}, {});", verb(op.binary), suffix, name(a), name(b)))});
}

namespace {
struct SfpuCall {
  const char *header, *call, *arguments; ///< template arguments of the call and of its init
};
} // namespace

static SfpuCall unaryCall(tw::UnaryKind kind) {
  static const char *general = "api/compute/compute_kernel_api.h";
  switch (kind) {
  case tw::UnaryKind::Neg:
    return {"api/compute/eltwise_unary/negative.h", "negative", ""};
  case tw::UnaryKind::Abs:
    return {general, "abs", ""};
  case tw::UnaryKind::Exp:
    return {"api/compute/eltwise_unary/exp.h", "exp", ""};
  case tw::UnaryKind::Exp2:
    return {general, "exp2", ""};
  case tw::UnaryKind::Log:
    return {general, "log", ""};
  case tw::UnaryKind::Sqrt:
    return {"api/compute/eltwise_unary/sqrt.h", "sqrt", ""};
  case tw::UnaryKind::Rsqrt:
    return {"api/compute/eltwise_unary/rsqrt.h", "rsqrt", ""};
  case tw::UnaryKind::Reciprocal:
    return {"api/compute/eltwise_unary/recip.h", "recip", ""};
  case tw::UnaryKind::Sigmoid:
    return {general, "sigmoid", ""};
  case tw::UnaryKind::Silu:
    return {general, "silu", ""};
  case tw::UnaryKind::Tanh:
    return {general, "tanh", ""};
  case tw::UnaryKind::Gelu:
    return {"api/compute/eltwise_unary/gelu.h", "gelu", "<false>"};
  case tw::UnaryKind::GeluTanh:
    return {"api/compute/eltwise_unary/gelu.h", "gelu_tanh", ""};
  case tw::UnaryKind::Relu:
    return {"api/compute/eltwise_unary/relu.h", "relu", ""};
  case tw::UnaryKind::Square:
    return {general, "square", ""};
  case tw::UnaryKind::Erf:
    return {"api/compute/eltwise_unary/erf_erfc.h", "erf", "<false>"};
  case tw::UnaryKind::Sin:
    return {"api/compute/eltwise_unary/trigonometry.h", "sin", ""};
  case tw::UnaryKind::Cos:
    return {"api/compute/eltwise_unary/trigonometry.h", "cos", ""};
  }
  return {"", "", ""};
}

static std::string scalarCall(const DstOp &op, const std::string &slot) {
  std::string prefix = op.binary == tw::BinaryKind::Max   ? "unary_max_tile"
                       : op.binary == tw::BinaryKind::Min ? "unary_min_tile"
                       : op.reversed ? "rsub_unary_tile"
                                     : std::string(verb(op.binary)) + "_unary_tile";
  return fmt::format("{}({}, {});  // {}", prefix, slot, floatBits(op.scalar),
                     floatLiteral(op.scalar));
}

Step ComputeBuilder::sfpuOp(const Walk &walk, const DstOp &op) {
  std::string slot = walk.slot(op.slot);
  bool extreme = op.binary == tw::BinaryKind::Max || op.binary == tw::BinaryKind::Min;
  switch (op.kind) {
  case DstOp::SfpuUnary: {
    SfpuCall call = unaryCall(op.unary);
    return Step::line(
        fmt::format("{}_tile{}({});", call.call, call.arguments, slot),
        {sfpuInit(call.header, fmt::format("{}_tile_init{}();", call.call, call.arguments))});
  }
  case DstOp::SfpuBinary: {
    std::string call =
        fmt::format("{}{}_tile", extreme ? "binary_" : "",
                    extreme ? verb(op.binary) : std::string(verb(op.binary)) + "_binary");
    return Step::line(
        fmt::format("{}({}, {}, {});", call, walk.slot(op.left), walk.slot(op.right), slot),
        {sfpuInit(extreme ? "api/compute/binary_max_min.h" : "api/compute/eltwise_binary_sfpu.h",
                  call + "_init();")});
  }
  case DstOp::SfpuScalar:
    if (extreme)
      return Step::line(scalarCall(op, slot),
                        {sfpuInit("api/compute/compute_kernel_api.h",
                                  fmt::format("unary_{}_tile_init();", verb(op.binary)))});
    return Step::line(scalarCall(op, slot),
                      {sfpuInit("api/compute/eltwise_unary/binop_with_scalar.h",
                                "binop_with_scalar_tile_init();")});
  case DstOp::Fill:
    return Step::line(fmt::format("fill_tile({}, {});", slot, floatLiteral(op.scalar)),
                      {sfpuInit("api/compute/eltwise_unary/fill.h", "fill_tile_init();")});
  case DstOp::Round: {
    std::string types = "<static_cast<uint32_t>(DataFormat::Float32), "
                        "static_cast<uint32_t>(DataFormat::Float16_b)>";
    return Step::line(
        fmt::format("typecast_tile{}({});", types, slot),
        {sfpuInit("api/compute/eltwise_unary/typecast.h", "typecast_tile_init" + types + "();")});
  }
  default:
    return Step::line(
        fmt::format("copy_dest_values<DataFormat::Float32>({}, {});", walk.slot(op.left), slot),
        {sfpuInit("api/compute/copy_dest_values.h", "copy_dest_values_init();")});
  }
}

Step ComputeBuilder::dstOp(const Walk &walk, const DstOp &op) {
  if (op.kind == DstOp::FpuBinary || op.kind == DstOp::FpuReuse)
    return fpuOp(walk, op);
  if (op.kind != DstOp::Copy && op.kind != DstOp::Broadcast)
    return sfpuOp(walk, op);
  int buffer = readBuffer(tw::MapOp(walk.map).getInputs()[op.input]);
  std::string at = index(walk, buffer, op.spread, buffer == walk.inPlace);
  std::string slot = walk.slot(op.slot);
  if (op.kind == DstOp::Copy) {
    headers.insert("api/compute/tile_move_copy.h");
    return Step::line(fmt::format("copy_tile({}, {}, {});", name(buffer), at, slot),
                      {srcA(buffer), copyInit("copy_init(" + name(buffer) + ");")});
  }
  headers.insert("api/compute/bcast.h");
  std::string type = broadcastType(op.spread);
  Need init = copyInit(fmt::format("unary_bcast_init<{}>({});", type, name(buffer)));
  init.leave = fmt::format("unary_bcast_uninit<{}>({});", type, name(buffer));
  return Step::line(fmt::format("unary_bcast<{}>({}, {}, {});", type, name(buffer), at, slot),
                    {srcA(buffer), srcB(buffer), init});
}

Step ComputeBuilder::packOp(const Walk &walk, tw::MapOp op) {
  std::string slot = walk.slot(walk.plan->result);
  std::vector<Need> needs = packNeeds(walk.target, walk.plan->packerRelu);
  if (walk.inPlace >= 0)
    return Step::line(fmt::format("pack_tile({}, {});", slot, name(walk.target)), needs);
  return Step::line(fmt::format("pack_tile<true>({}, {}, {});", slot, name(walk.target),
                                index(walk, walk.target, Spread::None, false)),
                    needs);
}

//===--- The walk over tiles
//-------------------------------------------------------------------------===//

/// One operation on every tile of the batch, configured once.
static void batched(int64_t batch, Step step, std::vector<Step> &out) {
  if (batch == 1) {
    out.push_back(std::move(step));
    return;
  }
  out.push_back(Step::line("", std::move(step.needs)));
  out.push_back(countingLoop("t", std::to_string(batch), 1, {Step::line(step.text)}));
}

static int64_t largestDivisor(int64_t of, int64_t limit) {
  int64_t best = std::max<int64_t>(1, std::min(of, limit));
  while (of % best != 0)
    --best;
  return best;
}

/// The buffers that the kernel starts with: those of the first operation that reads one.
static std::array<int, 2> firstInputs(const MapPlan &map) {
  for (const DstOp &op : map.ops) {
    if (op.kind == DstOp::FpuBinary)
      return {op.input, op.other};
    if (op.kind == DstOp::Copy || op.kind == DstOp::Broadcast)
      return {op.input, op.input};
  }
  return {-1, -1};
}

void ComputeBuilder::map(tw::MapOp op, std::vector<Step> &out) {
  const MapPlan &mapPlan = maps.at(op);
  auto [rows, columns] = blockSides(plan, cast<tw::ViewType>(op.getTarget().getType()).getDims());
  Walk walk{op, &mapPlan, rows, columns};
  walk.target = plan.buffer(op.getTarget());
  std::vector<int> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(readBuffer(input));
  for (int buffer : inputs) {
    if (plan.buffers[buffer].order[0] != 0 && walk.order[0] == 0)
      walk.order = plan.buffers[buffer].order;
    if (buffer == walk.target)
      walk.inPlace = buffer;
  }
  if (walk.order[0] == 0)
    walk.order = plan.buffers[walk.target].order;
  walk.batch = largestDivisor(walk.order[0] ? walk.order[1] : columns.tiles,
                              plan.limits.dstTiles / mapPlan.slots);
  auto first = firstInputs(mapPlan);
  firstUse(false, first[0] < 0 ? walk.target : inputs[first[0]],
           first[1] < 0 ? walk.target : inputs[first[1]], walk.target);

  std::string count = std::to_string(walk.batch);
  std::vector<Step> tiles;
  if (walk.inPlace >= 0)
    protocol("cb_wait_front", walk.inPlace, count, tiles);
  tiles.push_back(Step::line("tile_regs_acquire();"));
  for (const DstOp &dst : mapPlan.ops)
    batched(walk.batch, dstOp(walk, dst), tiles);
  if (walk.inPlace >= 0)
    protocol("cb_pop_front", walk.inPlace, count, tiles);
  tiles.push_back(Step::line("tile_regs_commit();"));
  if (walk.inPlace >= 0)
    protocol("cb_reserve_back", walk.target, count, tiles);
  tiles.push_back(Step::line("tile_regs_wait();"));
  batched(walk.batch, packOp(walk, op), tiles);
  tiles.push_back(Step::line("tile_regs_release();"));
  if (walk.inPlace >= 0)
    protocol("cb_push_back", walk.target, count, tiles);
  walkTiles(walk, std::move(tiles), out);
}

void ComputeBuilder::walkTiles(const Walk &walk, std::vector<Step> tiles, std::vector<Step> &out) {
  if (walk.order[0] == 0) {
    Step columns = countingLoop("column", walk.columns.code(), walk.batch, std::move(tiles));
    out.push_back(walk.oneRow() ? columns : countingLoop("row", walk.rows.code(), 1, {columns}));
    return;
  }
  Step inner = countingLoop(
      "r", std::to_string(walk.order[0]), 1,
      {countingLoop("c", std::to_string(walk.order[1]), walk.batch, std::move(tiles))});
  out.push_back(
      countingLoop("row", walk.rows.code(), walk.order[0],
                   {countingLoop("column", walk.columns.code(), walk.order[1], {inner})}));
}

} // namespace tilewright::ttmetal
