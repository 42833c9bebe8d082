// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DST sections between matrix engine and packer, and the packer itself.
#include "Device.h"
#include <algorithm>
#include <fmt/format.h>

namespace tilewright::emulator {

void Device::dstAcquire() {
  spend(machine.timing.call);
  Core &core = here();
  Dst &d = core.dst;
  if (d.acquired)
    fail("emulator.dst-order", "tile_regs_acquire without a commit of the section before");
  const int sections = manifest.dstFullSync ? 1 : 2;
  eng.block([&d, sections] { return d.filled < sections; },
            [&core] { return Engine::Wait{"a free section of DST", {core.threads[Pack]}, {}}; });
  d.acquired = true;
  std::fill(d.half[size_t(d.mathHalf)].begin(), d.half[size_t(d.mathHalf)].end(), 0.0f);
}

void Device::dstCommit() {
  spend(machine.timing.call);
  Core &core = here();
  requireAcquired("tile_regs_commit");
  core.dst.acquired = false;
  core.dst.mathHalf = manifest.dstFullSync ? 0 : 1 - core.dst.mathHalf;
  ++core.dst.filled;
  eng.wake(core.index);
}

void Device::dstWait() {
  spend(machine.timing.call);
  Core &core = here();
  Dst &d = core.dst;
  if (d.waited)
    fail("emulator.dst-order", "tile_regs_wait without a release of the section before");
  eng.block(
      [&d] { return d.filled > 0; },
      [&core] { return Engine::Wait{"a committed section of DST", {core.threads[MathRole]}, {}}; });
  d.waited = true;
}

void Device::dstRelease() {
  spend(machine.timing.call);
  Core &core = here();
  Dst &d = core.dst;
  if (!d.waited)
    fail("emulator.dst-order", "tile_regs_release without tile_regs_wait");
  d.waited = false;
  d.packHalf = manifest.dstFullSync ? 0 : 1 - d.packHalf;
  --d.filled;
  eng.wake(core.index);
}

uint32_t Device::packSlot(Cb &cb, bool outOfOrder, uint32_t index) {
  const uint32_t slot = outOfOrder ? index : cb.packSlot++;
  if (slot >= cb.reserved)
    fail("emulator.write-unreserved",
         fmt::format("the packer writes slot {} of {}, of which {} are reserved", slot,
                     describe(here(), cb), cb.reserved),
         "call cb_reserve_back for all tiles that are packed");
  if (cb.backPage() + slot >= cb.pages())
    fail("emulator.cb-wrap",
         fmt::format("slot {} from page {} of {}, which has {}, lies beyond the ring's end", slot,
                     cb.backPage(), describe(here(), cb), cb.pages()),
         "the ring must be a multiple of what is reserved");
  return cb.backPage() + slot;
}

void Device::packTile(uint32_t dst, uint32_t index, bool outOfOrder, uint32_t slotIndex) {
  Core &core = here();
  Cb &cb = cbAt(index);
  if (!core.setup[Pack].started)
    fail("emulator.missing-startup", "pack_tile comes before compute_kernel_hw_startup");
  if (!core.dst.waited)
    fail("emulator.dst-order", "pack_tile outside tile_regs_wait and tile_regs_release",
         "the order is acquire, math, commit, wait, pack, release");
  checkDst(dst, 1);
  requireFormat("the packer", core.setup[Pack].formats.pack, cb);
  claim(cb, true);
  const Range page = cb.window(packSlot(cb, outOfOrder, slotIndex), 1);
  checkMayChange(core, page, "the packer");
  const float *from = core.dst.half[size_t(core.dst.packHalf)].data() + size_t(dst) * tileElements;
  std::vector<float> tile(from, from + tileElements);
  packerRelu(tile.data(), core.reluMode, core.reluThreshold);
  if (core.l1Accumulate) {
    std::vector<float> old(tileElements);
    requireWritten(core, page, "the packer's L1 accumulation");
    decodeTile(core.l1->data(page.at), cb.info->dtype, old.data());
    for (size_t i = 0; i < tile.size(); ++i)
      tile[i] += old[i];
  }
  std::vector<uint8_t> bytes(cb.pageBytes());
  encodeTile(tile.data(), cb.info->dtype, bytes.data());
  core.l1->store(page.at, bytes.data(), bytes.size());
  spend(int64_t(cb.pageBytes()) / machine.timing.packBytesPerCycle);
}

} // namespace tilewright::emulator
