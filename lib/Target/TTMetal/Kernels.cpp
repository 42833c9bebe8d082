// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants and loops that the three kernels share.
#include "Compute.h"
#include "tilewright/Support/Checked.h"

using namespace mlir;

namespace tilewright::ttmetal {

void emitSymbols(const Plan &plan, CodeWriter &out) {
  if (plan.symbols.empty())
    return;
  out.line("// Block sizes in tiles.");
  for (const auto &[label, side] : plan.symbols)
    out.line("constexpr uint32_t {}_tiles = {};  // {} = {}", identifier(label), side.tiles, label,
             side.elements);
}

void emitBuffers(const Plan &plan, Role role, CodeWriter &out) {
  out.line("// Circular buffers.");
  for (const Buffer &buffer : plan.buffers)
    if (!buffer.unused && (buffer.producer == role || buffer.consumer == role))
      out.line("constexpr uint32_t {} = {};  // {}", buffer.name, buffer.index, buffer.holds);
}

int64_t loopTrips(const Plan &plan, tw::LoopOp loop) {
  return ceilDiv((int64_t)loop.getExtent(), plan.symbols.at(loop.getLabel().str()).elements);
}

std::string loopName(const Plan &plan, tw::LoopOp loop) {
  return plan.indexNames.lookup(loop.getBody().getArgument(0)).substr(sizeof("block_") - 1);
}

std::string loopHead(const Plan &plan, tw::LoopOp loop) {
  return fmt::format("for (uint32_t block_{0} = 0; block_{0} < {0}_blocks; ++block_{0})",
                     loopName(plan, loop));
}

void emitTrips(const Plan &plan, CodeWriter &out) {
  out.line("// Trip counts.");
  for (const Axis &axis : plan.axes)
    out.line("constexpr uint32_t {}_waves = {};  // {} blocks on {} cores", axis.name, axis.waves,
             axis.blocks, axis.spatial);
  tw::GridOp(plan.grid).walk([&](tw::LoopOp loop) {
    out.line("constexpr uint32_t {}_blocks = {};", loopName(plan, loop), loopTrips(plan, loop));
  });
}

} // namespace tilewright::ttmetal
