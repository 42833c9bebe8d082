// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contractions: sub-block by sub-block in DST. Partial sums spill to the accumulator's buffer after
// every K block and are reloaded before the next one; the buffer is a queue of sub-blocks.
#include "Compute.h"

using namespace mlir;

namespace tilewright::ttmetal {

namespace {

/// The names and sizes that a contraction's code is made of.
struct Shape {
  Side rows, columns, inner;
  int64_t subRows, subColumns;
  int lhs, rhs, target;
  int64_t tiles() const { return subRows * subColumns; }
};

Shape shapeOf(const Plan &plan, tw::ContractOp op) {
  auto [rows, inner] = blockSides(plan, cast<tw::ViewType>(op.getLhs().getType()).getDims());
  auto columns = blockSides(plan, cast<tw::ViewType>(op.getRhs().getType()).getDims())[1];
  auto sub = *op.getSubblock();
  return {rows,
          columns,
          inner,
          sub[0],
          sub[1],
          plan.buffer(op.getLhs()),
          plan.buffer(op.getRhs()),
          plan.buffer(op.getTarget())};
}

/// The loop over K blocks around a contraction, if K is cut into blocks.
tw::LoopOp innerLoop(tw::ContractOp op) {
  Attribute label = cast<tw::ViewType>(op.getLhs().getType()).getDims()[1];
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (auto loop = dyn_cast<tw::LoopOp>(parent); loop && loop.getLabelAttr() == label)
      return loop;
  return {};
}

std::string conjunction(const std::vector<std::string> &terms, const char *op) {
  std::string text;
  for (const std::string &term : terms)
    text += (text.empty() ? "" : std::string(" ") + op + " ") + term;
  return text;
}

} // namespace

bool ComputeBuilder::reloads(tw::ContractOp op) const {
  auto it = plan.accumulations.find(op);
  if (it == plan.accumulations.end())
    return !plan.buffers[plan.buffer(op.getAccumulator())].unused;
  return it->second.trips > 1 || !it->second.startsAtZero;
}

bool ComputeBuilder::queues(tw::ContractOp op) const {
  return plan.accumulations.count(op) && reloads(op);
}

std::vector<Need> ComputeBuilder::matmulNeeds(tw::ContractOp op) {
  Shape s = shapeOf(plan, op);
  headers.insert("api/compute/matmul.h");
  return {srcA(s.rhs), srcB(s.lhs),
          fpuInit(fmt::format("matmul_block_init({}, {}, 0, {}, {}, {});", name(s.lhs), name(s.rhs),
                              s.subColumns, s.subRows, s.inner.code()))};
}

/// DST = what the accumulator holds for this sub-block.
std::vector<Step> ComputeBuilder::reload(tw::ContractOp op) {
  Shape s = shapeOf(plan, op);
  int source = plan.accumulations.count(op) ? s.target : readBuffer(op.getAccumulator());
  headers.insert("api/compute/tile_move_copy.h");
  std::vector<Need> needs = {srcA(source), copyInit("copy_init(" + name(source) + ");")};
  std::vector<Step> out;
  if (queues(op)) {
    protocol("cb_wait_front", source, std::to_string(s.tiles()), out);
    Step copy = Step::line(fmt::format("copy_tile({}, tile, tile);", name(source)), needs);
    out.push_back(countingLoop("tile", std::to_string(s.tiles()), 1, {copy}));
    protocol("cb_pop_front", source, std::to_string(s.tiles()), out);
  } else {
    std::string at = fmt::format("(row + r) * {} + column + c", s.columns.code());
    Step copy = Step::line(
        fmt::format("copy_tile({}, {}, r * {} + c);", name(source), at, s.subColumns), needs);
    out.push_back(countingLoop("r", std::to_string(s.subRows), 1,
                               {countingLoop("c", std::to_string(s.subColumns), 1, {copy})}));
  }
  out.push_back(Step::line("", matmulNeeds(op)));
  return out;
}

/// The products of one sub-block; only K tiles inside the tensors take part.
Step ComputeBuilder::products(tw::ContractOp op, std::vector<Step> &out) {
  Shape s = shapeOf(plan, op);
  std::string steps = s.inner.code();
  if (tw::LoopOp loop = innerLoop(op)) {
    std::string k = loopName(plan, loop);
    int64_t tiles = (loop.getExtent() + plan.limits.tileSide - 1) / plan.limits.tileSide;
    if (tiles % s.inner.tiles != 0) {
      out.push_back(Step::line(
          fmt::format("const uint32_t {0}_left = {1} - block_{0} * {2};", k, tiles, steps)));
      out.push_back(Step::line(
          fmt::format("const uint32_t {0}_valid = {0}_left < {1} ? {0}_left : {1};", k, steps)));
      steps = k + "_valid";
    }
  }
  Step product = Step::line(
      fmt::format("matmul_block({}, {}, row * {} + k, k * {} + column, 0, 0, {}, {}, {});",
                  name(s.lhs), name(s.rhs), s.inner.code(), s.columns.code(), s.subColumns,
                  s.subRows, s.inner.code()),
      matmulNeeds(op));
  return countingLoop("k", steps, 1, {product});
}

void ComputeBuilder::packPartial(tw::ContractOp op, std::vector<Step> &out) {
  Shape s = shapeOf(plan, op);
  std::string count = std::to_string(s.tiles());
  if (!queues(op)) {
    out.push_back(Step::line("tile_regs_wait();"));
    Step pack =
        Step::line(fmt::format("pack_tile<true>(r * {} + c, {}, (row + r) * {} + column + c);",
                               s.subColumns, name(s.target), s.columns.code()),
                   packNeeds(s.target, false));
    out.push_back(countingLoop("r", std::to_string(s.subRows), 1,
                               {countingLoop("c", std::to_string(s.subColumns), 1, {pack})}));
    out.push_back(Step::line("tile_regs_release();"));
    return;
  }
  const Accumulation &acc = plan.accumulations.at(op);
  std::string target = acc.finalBuffer == acc.buffer ? name(acc.buffer)
                       : acc.loops.empty()           ? name(acc.finalBuffer)
                                                     : name(acc.buffer) + "_target";
  out.push_back(Step::line(fmt::format("cb_reserve_back({}, {});", target, count)));
  out.push_back(Step::line("tile_regs_wait();"));
  Step pack = Step::line(fmt::format("pack_tile(tile, {});", target), packNeeds(acc.buffer, false));
  out.push_back(countingLoop("tile", count, 1, {pack}));
  out.push_back(Step::line("tile_regs_release();"));
  out.push_back(Step::line(fmt::format("cb_push_back({}, {});", target, count)));
}

std::vector<Step> ComputeBuilder::subBlock(tw::ContractOp op) {
  std::vector<Step> out = {Step::line("tile_regs_acquire();")};
  if (reloads(op)) {
    std::vector<Step> copies = reload(op);
    std::vector<std::string> later;
    auto it = plan.accumulations.find(op);
    if (it != plan.accumulations.end() && it->second.startsAtZero)
      for (Operation *loop : it->second.loops)
        later.push_back("block_" + loopName(plan, cast<tw::LoopOp>(loop)) + " > 0");
    if (later.empty())
      llvm::append_range(out, copies);
    else
      out.push_back(Step::when("if (" + conjunction(later, "||") + ")", std::move(copies)));
  }
  Step sum = products(op, out);
  out.push_back(std::move(sum));
  out.push_back(Step::line("tile_regs_commit();"));
  packPartial(op, out);
  return out;
}

void ComputeBuilder::contract(tw::ContractOp op, std::vector<Step> &out) {
  Shape s = shapeOf(plan, op);
  firstUse(true, s.lhs, s.rhs, s.target);
  for (int operand : {s.lhs, s.rhs})
    if (plan.buffers[operand].order[0] != 0)
      unsupported("ttmetal.accumulator-operand",
                  "accumulator \"" + plan.buffers[operand].holds + "\" is an operand of a matmul",
                  "store it to a tensor first", op);
  auto it = plan.accumulations.find(op);
  if (it != plan.accumulations.end() && it->second.finalBuffer != it->second.buffer &&
      !it->second.loops.empty()) {
    std::vector<std::string> last;
    for (Operation *loop : it->second.loops) {
      std::string k = loopName(plan, cast<tw::LoopOp>(loop));
      last.push_back(fmt::format("block_{0} + 1 == {0}_blocks", k));
    }
    const std::string &partial = name(it->second.buffer);
    out.push_back(
        Step::line(fmt::format("const uint32_t {}_target = {} ? {} : {};", partial,
                               conjunction(last, "&&"), name(it->second.finalBuffer), partial)));
  }
  Step columns = countingLoop("column", s.columns.code(), s.subColumns, subBlock(op));
  out.push_back(countingLoop("row", s.rows.code(), s.subRows, {columns}));
}

} // namespace tilewright::ttmetal
