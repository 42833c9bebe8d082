// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compute kernel: structure, protocol and engine state.
#include "Compute.h"
#include "Format.h"

using namespace mlir;

namespace tilewright::ttmetal {

/// Accumulators are complete behind the loops of their last contraction.
int ComputeBuilder::readBuffer(Value view) const {
  int buffer = plan.buffer(view);
  for (const auto &[op, acc] : plan.accumulations) {
    if (acc.buffer != buffer || acc.finalBuffer == buffer)
      continue;
    Operation *outermost = acc.loops.empty() ? op : acc.loops.front();
    Operation *read = outermost->getBlock()->findAncestorOpInBlock(*view.getDefiningOp());
    if (read && outermost->isBeforeInBlock(read))
      return acc.finalBuffer;
  }
  return buffer;
}

Step countingLoop(const char *variable, const std::string &bound, int64_t step,
                  std::vector<Step> body) {
  std::string next =
      step == 1 ? fmt::format("++{}", variable) : fmt::format("{} += {}", variable, step);
  return Step::loop(fmt::format("for (uint32_t {0} = 0; {0} < {1}; {2})", variable, bound, next),
                    std::move(body));
}

//===--- Engine state
//--------------------------------------------------------------------------------===//

static std::string format(const Buffer &buffer) {
  return std::string(dtypeName(buffer.dtype)) + (buffer.unpackToDest ? " to DST" : "");
}

Need ComputeBuilder::srcA(int buffer) const {
  return {fields::srcA,
          format(plan.buffers[buffer]),
          {"reconfig_data_format_srca(" + name(buffer) + ");"},
          ""};
}
Need ComputeBuilder::srcB(int buffer) const {
  return {fields::srcB,
          format(plan.buffers[buffer]),
          {"reconfig_data_format_srcb(" + name(buffer) + ");"},
          ""};
}
/// Copies move tiles without the replay buffer: vector engine inits survive them.
Need ComputeBuilder::copyInit(std::string line) const {
  return {fields::fpu, line, {line}, "", false};
}
Need ComputeBuilder::fpuInit(std::string line) const {
  return {fields::fpu, line, {line}, "", true};
}

Need ComputeBuilder::sfpuInit(const std::string &header, std::string line) {
  headers.insert(header);
  return {fields::sfpu, line, {line}, "", true};
}

std::vector<Need> ComputeBuilder::packNeeds(int buffer, bool relu) {
  headers.insert("api/compute/pack.h");
  std::vector<Need> needs = {{fields::pack,
                              dtypeName(plan.buffers[buffer].dtype),
                              {"pack_reconfig_data_format(" + name(buffer) + ");"},
                              ""}};
  if (usesRelu)
    needs.push_back(
        {fields::relu,
         relu ? "zero" : "none",
         {relu ? "pack_relu_config(ReluConfig::zero());" : "pack_relu_config(ReluConfig::none());"},
         ""});
  return needs;
}

/// The start-up call configures the engines for the kernel's first operation.
void ComputeBuilder::firstUse(bool reverse, int a, int b, int target) {
  if (!startup.empty())
    return;
  startup = fmt::format("compute_kernel_hw_startup{}({}, {}, {});",
                        reverse ? "<SrcOrder::Reverse>" : "", name(a), name(b), name(target));
  int inA = reverse ? b : a, inB = reverse ? a : b;
  start[fields::srcA] = {format(plan.buffers[inA]), ""};
  start[fields::srcB] = {format(plan.buffers[inB]), ""};
  start[fields::pack] = {dtypeName(plan.buffers[target].dtype), ""};
  start[fields::relu] = {"none", ""};
}

//===--- Statements
//----------------------------------------------------------------------------------===//

void ComputeBuilder::protocol(const char *call, int buffer, const std::string &count,
                              std::vector<Step> &out) {
  out.push_back(Step::line(fmt::format("{}({}, {});", call, name(buffer), count)));
}

/// One value in every tile of a block.
void ComputeBuilder::set(tw::SetOp op, std::vector<Step> &out) {
  int buffer = plan.buffer(op.getView());
  firstUse(false, buffer, buffer, buffer);
  double value = op.getValue().convertToDouble();
  std::vector<Step> tile;
  tile.push_back(Step::line("tile_regs_acquire();"));
  tile.push_back(Step::line(fmt::format("fill_tile(0, {});", floatLiteral(value)),
                            {sfpuInit("api/compute/eltwise_unary/fill.h", "fill_tile_init();")}));
  tile.push_back(Step::line("tile_regs_commit();"));
  tile.push_back(Step::line("tile_regs_wait();"));
  tile.push_back(Step::line(fmt::format("pack_tile<true>(0, {}, tile);", name(buffer)),
                            packNeeds(buffer, false)));
  tile.push_back(Step::line("tile_regs_release();"));
  out.push_back(countingLoop("tile", plan.buffers[buffer].blockCode(), 1, std::move(tile)));
}

void ComputeBuilder::statement(Operation &op, std::vector<Step> &out) {
  if (plan.silent.count(&op))
    return;
  auto owns = [&](int buffer, bool writes) {
    const Buffer &b = plan.buffers[buffer];
    return !b.unused && (writes ? b.producer : b.consumer) == Role::Compute;
  };
  auto emit = [&](const char *call, int buffer, bool writes) {
    if (owns(buffer, writes))
      protocol(call, buffer, plan.buffers[buffer].blockCode(), out);
  };
  if (auto reserve = dyn_cast<tw::VBReserveOp>(op))
    emit("cb_reserve_back", plan.buffer(reserve.getBuffer()), true);
  else if (auto acquire = dyn_cast<tw::VBAcquireOp>(op))
    emit("cb_wait_front", readBuffer(acquire.getView()), false);
  else if (auto commit = dyn_cast<tw::VBCommitOp>(op))
    emit("cb_push_back", plan.buffer(commit.getBuffer()), true);
  else if (auto release = dyn_cast<tw::VBReleaseOp>(op))
    emit("cb_pop_front", readBuffer(matchingView(release)), false);
  else if (auto value = dyn_cast<tw::SetOp>(op))
    set(value, out);
  else if (auto product = dyn_cast<tw::ContractOp>(op))
    contract(product, out);
  else if (auto pointwise = dyn_cast<tw::MapOp>(op))
    map(pointwise, out);
  else if (auto loop = dyn_cast<tw::LoopOp>(op))
    if (std::vector<Step> inner = statements(loop.getBody().front()); !inner.empty())
      out.push_back(Step::loop(loopHead(plan, loop), std::move(inner)));
}

std::vector<Step> ComputeBuilder::statements(Block &block) {
  std::vector<Step> out;
  for (Operation &op : block)
    statement(op, out);
  return out;
}

void ComputeBuilder::build() {
  headers = {"api/compute/cb_api.h", "api/compute/compute_kernel_hw_startup.h",
             "api/compute/reg_api.h"};
  body = statements(plan.grid.getBody().front());
  for (int64_t axis : llvm::reverse(plan.order))
    if (const Axis &a = plan.axes[axis]; a.waves > 1)
      body = {Step::loop(
          fmt::format("for (uint32_t wave_{0} = 0; wave_{0} < {0}_waves; ++wave_{0})", a.name),
          std::move(body))};
  EngineState state = start;
  body = configure(body, state);
  headers.insert("api/compute/reconfig_data_format.h");
}

void ComputeBuilder::emit(CodeWriter &out) {
  if (usesSubBlockTile) {
    out.line("// Position of a tile in a block whose tiles lie sub-block after sub-block.");
    out.open("constexpr uint32_t sub_block_tile(uint32_t row, uint32_t column, uint32_t columns,\n"
             "                                  uint32_t sub_rows, uint32_t sub_columns)");
    out.line("const uint32_t sub_block = row / sub_rows * (columns / sub_columns) + column / "
             "sub_columns;");
    out.line(
        "return (sub_block * sub_rows + row % sub_rows) * sub_columns + column % sub_columns;");
    out.close();
    out.line();
  }
  out.open("void kernel_main()");
  if (!startup.empty())
    out.line(std::string_view(startup));
  print(body, out);
  out.close();
}

} // namespace tilewright::ttmetal
