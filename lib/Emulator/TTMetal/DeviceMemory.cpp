// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// L1 and DRAM bytes, and the rules about who may touch which of them when.
#include "Device.h"
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

namespace tilewright::emulator {

Memory::Memory(uint64_t count)
    : bytes(count), storage(static_cast<uint8_t *>(std::calloc(count ? count : 1, 1))),
      written(static_cast<uint8_t *>(std::calloc(count ? count : 1, 1))) {
  if (!storage || !written)
    throw Error(Kind::DoesNotFit, "emulator.host-memory",
                fmt::format("the host has no {} bytes for one emulated memory", 2 * count),
                "use smaller tensors");
}

void Memory::store(uint64_t at, const void *from, uint64_t count) {
  std::memcpy(storage.get() + at, from, count);
  std::memset(written.get() + at, 1, count);
}

int64_t Memory::firstUnwritten(uint64_t at, uint64_t count) const {
  const void *hole = std::memchr(written.get() + at, 0, count);
  return hole ? static_cast<const uint8_t *>(hole) - written.get() : -1;
}

Range Cb::window(uint32_t first, uint32_t count) const {
  const uint32_t clipped = std::min(count, pages() - first);
  return {base + uint64_t(first) * pageBytes(), uint64_t(clipped) * pageBytes()};
}

static bool inside(const Range &inner, const Range &outer) {
  return inner.at >= outer.at && inner.at + inner.bytes <= outer.at + outer.bytes;
}

const DramTensor *Device::tensorAt(uint64_t address) const {
  for (const DramTensor &t : tensors) {
    const uint64_t perBank =
        (t.pages + uint64_t(machine.dramBanks) - 1) / uint64_t(machine.dramBanks);
    if (address >= t.base && address < t.base + perBank * uint64_t(t.info->pageBytes))
      return &t;
  }
  return nullptr;
}

std::string Device::describe(const Core &core, const Cb &cb) const {
  return fmt::format("circular buffer {} \"{}\" of core [{}, {}]", cb.info->index, cb.info->name,
                     core.x, core.y);
}

void Device::checkKnownL1(Core &core, Range r, const char *what) {
  const Range semaphores{semaphoreBase, uint64_t(machine.semaphoreLimit) * 16};
  if (inside(r, semaphores))
    return;
  for (const Cb &cb : core.cbs)
    if (inside(r, cb.whole()))
      return;
  for (const Cb &cb : core.cbs)
    if (r.overlaps(cb.whole()))
      fail("emulator.l1-unknown-region",
           fmt::format(
               "{} of {} bytes at L1 {:#x} runs past the end of {}, which has {} bytes at {:#x}",
               what, r.bytes, r.at, describe(core, cb), cb.whole().bytes, cb.base),
           "transfer at most what was reserved or waited for");
  fail("emulator.l1-unknown-region",
       fmt::format(
           "{} of {} bytes at L1 {:#x} of core [{}, {}] meets no circular buffer and no semaphore",
           what, r.bytes, r.at, core.x, core.y),
       "take addresses from get_write_ptr, get_read_ptr and get_semaphore");
}

void Device::checkFilled(Core &core, Range r, const char *what) {
  for (const Cb &cb : core.cbs) {
    const uint32_t first = std::min(cb.filled(), cb.pages() - cb.frontPage());
    const Range head = cb.window(cb.frontPage(), first), tail = cb.window(0, cb.filled() - first);
    if ((head.bytes && r.overlaps(head)) || (tail.bytes && r.overlaps(tail)))
      fail("emulator.overwrite",
           fmt::format(
               "{} changes L1 {:#x}, which holds pages of {} that were pushed and not popped", what,
               r.at, describe(core, cb)),
           "buffers that share memory may not be alive at the same time");
  }
}

void Device::checkMayChange(Core &core, Range r, const char *what, const Transaction *exempt) {
  checkFilled(core, r, what);
  for (NocPort &port : core.noc)
    for (auto &t : port.open)
      if (t->kind == Transaction::Write && !t->flushed && t.get() != exempt && r.overlaps(t->local))
        fail("emulator.source-reused",
             fmt::format(
                 "{} changes L1 {:#x} of core [{}, {}] while {} from there has not been flushed",
                 what, r.at, core.x, core.y, t->what),
             "call noc_async_writes_flushed() or noc_async_write_barrier() first");
}

void Device::checkLanding(Core &core, Range r, const char *what) {
  const Cb *hit = nullptr;
  for (const Cb &cb : core.cbs) {
    if (!r.overlaps(cb.whole()))
      continue;
    hit = &cb;
    if (cb.reserved && inside(r, cb.reservedRange()))
      return;
  }
  if (hit)
    fail("emulator.write-unreserved",
         fmt::format("{} of {} bytes at L1 {:#x} lands in {} outside its {} reserved pages", what,
                     r.bytes, r.at, describe(core, *hit), hit->reserved),
         "call cb_reserve_back before data may land there");
}

void Device::checkMayRead(Core &core, Range r, const char *what) {
  for (NocPort &port : core.noc)
    for (auto &t : port.open)
      if (t->kind == Transaction::Read && r.overlaps(t->local))
        fail("emulator.missing-read-barrier",
             fmt::format("{} takes L1 {:#x} of core [{}, {}] while {} to there has no barrier yet",
                         what, r.at, core.x, core.y, t->what),
             "call noc_async_read_barrier() first");
  const Cb *hit = nullptr;
  for (const Cb &cb : core.cbs) {
    if (!r.overlaps(cb.whole()))
      continue;
    hit = &cb;
    if ((cb.waited && inside(r, cb.waitedRange())) ||
        (cb.reserved && cb.producer == role() && inside(r, cb.reservedRange())))
      return;
  }
  if (hit)
    fail("emulator.read-not-waited",
         fmt::format(
             "{} of {} bytes at L1 {:#x} takes from {} outside its {} waited and {} reserved pages",
             what, r.bytes, r.at, describe(core, *hit), hit->waited, hit->reserved),
         "call cb_wait_front before reading");
}

void Device::requireWritten(Core &core, Range r, const char *what) {
  const int64_t hole = core.l1->firstUnwritten(r.at, r.bytes);
  if (hole < 0)
    return;
  std::string where;
  for (const Cb &cb : core.cbs)
    if (r.overlaps(cb.whole()))
      where = fmt::format(" in {}, page {}", describe(core, cb),
                          (uint64_t(hole) - cb.base) / cb.pageBytes());
  fail("emulator.uninitialised-read",
       fmt::format("{} takes byte {:#x} of L1{} that nobody has written", what, hole, where),
       "something must fill the page before it is used");
}

} // namespace tilewright::emulator
