// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the machine bounds: circular buffers, their numbers and bytes.
#include "Plan.h"

namespace tilewright::ttmetal {

Limits readLimits(const machine::Machine &machine) {
  Limits limits;
  limits.tileSide = machine.number("tile.rows");
  limits.buffers = machine.number("cb.count");
  limits.semaphores = machine.number("semaphore.count");
  limits.runtimeArguments = machine.number("kernel.runtime_args");
  limits.dstTiles = machine.number("compute.dst_tiles_fp32");
  limits.l1Bytes = machine.number("l1.capacity") - machine.number("l1.reserved");
  limits.gridX = machine.grid.x;
  limits.gridY = machine.grid.y;
  return limits;
}

int64_t bufferBytes(const Plan &plan, const Buffer &buffer) {
  int64_t tile = plan.limits.tileSide * plan.limits.tileSide * dtypeBytes(buffer.dtype);
  return buffer.depth * buffer.blockTiles() * tile;
}

int64_t assignBuffers(Plan &plan) {
  int next = 0;
  int64_t used = 0;
  for (Buffer &buffer : plan.buffers) {
    if (buffer.unused)
      continue;
    buffer.index = next++;
    bool face = buffer.aliasOf >= 0 && !plan.buffers[buffer.aliasOf].unused;
    if (!face)
      buffer.aliasOf = -1, used += bufferBytes(plan, buffer);
  }
  if (next > plan.limits.buffers)
    throw Error(Kind::DoesNotFit, "ttmetal.buffers",
                fmt::format("the kernel needs {} circular buffers, a core has {}", next,
                            plan.limits.buffers),
                "fuse fewer operands into one kernel");
  if (used > plan.limits.l1Bytes)
    throw Error(Kind::DoesNotFit, "ttmetal.l1",
                fmt::format("the buffers of \"{}\" need {} bytes of L1, a core has {}", plan.kernel,
                            used, plan.limits.l1Bytes),
                "choose smaller blocks or less double buffering");
  return used;
}

} // namespace tilewright::ttmetal
