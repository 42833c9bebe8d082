// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Circular buffers: reserve, push, wait, pop, and their rules.
#include "Device.h"
#include <fmt/format.h>

namespace tilewright::emulator {

Cb &Device::cbAt(uint32_t cb) {
  Core &core = here();
  if (cb >= core.cbOfIndex.size() || core.cbOfIndex[cb] < 0)
    fail("emulator.cb-index", fmt::format("circular buffer {} does not exist", cb),
         "the manifest lists the buffers of this program");
  return core.cbs[size_t(core.cbOfIndex[cb])];
}

void Device::claim(Cb &cb, bool producer) {
  int &owner = producer ? cb.producer : cb.consumer;
  if (owner >= 0 && owner != role())
    fail(producer ? "emulator.cb-two-producers" : "emulator.cb-two-consumers",
         fmt::format("{} is {} by \"{}\" and now by \"{}\"", describe(here(), cb),
                     producer ? "filled" : "emptied", roleName(owner), roleName(role())),
         "a circular buffer has one producer thread and one consumer thread");
  owner = role();
}

void Device::checkCount(const Cb &cb, uint32_t pages, const char *call) {
  if (pages == 0 || pages > cb.pages())
    fail(
        "emulator.cb-beyond-ring",
        fmt::format("{} of {} pages, but {} has {}", call, pages, describe(here(), cb), cb.pages()),
        "ask for at least one page and at most the ring");
}

Engine::Wait Device::waitForRoom(const Core &core, const Cb &cb, uint32_t pages) const {
  Engine::Wait w;
  w.what = fmt::format("{} free pages in {} ({} of {} are free)", pages, describe(core, cb),
                       cb.pages() - cb.filled(), cb.pages());
  if (cb.consumer >= 0)
    w.by.push_back(core.threads[size_t(cb.consumer)]);
  w.hint = "no thread has emptied it so far";
  return w;
}

Engine::Wait Device::waitForPages(const Core &core, const Cb &cb, uint32_t pages) const {
  Engine::Wait w;
  w.what = fmt::format("{} filled pages in {} ({} of {} are filled)", pages, describe(core, cb),
                       cb.filled(), cb.pages());
  if (cb.producer >= 0)
    w.by.push_back(core.threads[size_t(cb.producer)]);
  w.hint = "no thread has filled it so far";
  return w;
}

bool Device::cbRoom(uint32_t cb, uint32_t pages) {
  spend(machine.timing.call);
  Cb &c = cbAt(cb);
  return c.pages() - c.filled() >= pages;
}

bool Device::cbAvailable(uint32_t cb, uint32_t pages) {
  spend(machine.timing.call);
  return cbAt(cb).filled() >= pages;
}

void Device::cbReserve(uint32_t cb, uint32_t pages) {
  spend(machine.timing.call);
  Core &core = here();
  Cb &c = cbAt(cb);
  checkCount(c, pages, "cb_reserve_back");
  claim(c, true);
  eng.block([&c, pages] { return c.pages() - c.filled() >= pages; },
            [this, &core, &c, pages] { return waitForRoom(core, c, pages); });
  c.reserved = std::max(c.reserved, pages);
}

void Device::checkPushed(Core &core, Cb &cb, Range r) {
  for (NocPort &port : core.noc)
    for (auto &t : port.open)
      if (t->kind == Transaction::Read && r.overlaps(t->local))
        fail("emulator.missing-read-barrier",
             fmt::format(
                 "cb_push_back publishes pages of {} while {} to L1 {:#x} has no barrier yet",
                 describe(core, cb), t->what, t->local.at),
             "call noc_async_read_barrier() before cb_push_back");
  for (const Range &l : core.landing)
    if (r.overlaps(l))
      fail("emulator.push-before-data",
           fmt::format(
               "cb_push_back publishes pages of {} while {} bytes are still on the way to L1 {:#x}",
               describe(core, cb), l.bytes, l.at),
           "wait for the sender's flag, sent after the data on the same NoC and virtual channel");
}

void Device::cbPush(uint32_t cb, uint32_t pages) {
  spend(machine.timing.call);
  Core &core = here();
  Cb &c = cbAt(cb);
  checkCount(c, pages, "cb_push_back");
  claim(c, true);
  if (c.filled() + pages > c.pages())
    fail("emulator.cb-overflow",
         fmt::format("pushing {} pages onto {} filled ones of {}, which has {}", pages, c.filled(),
                     describe(core, c), c.pages()),
         "reserve before pushing");
  if (pages > c.reserved)
    fail("emulator.push-without-reserve",
         fmt::format("pushing {} pages of {}, of which {} are reserved", pages, describe(core, c),
                     c.reserved),
         "reserve as many pages as are pushed");
  if (c.backPage() + pages > c.pages())
    fail("emulator.cb-wrap",
         fmt::format("pushing {} pages at page {} of {}, which has {}, crosses the ring's end",
                     pages, c.backPage(), describe(core, c), c.pages()),
         "the ring must be a multiple of what is pushed");
  checkPushed(core, c, c.window(c.backPage(), pages));
  c.pushed += pages;
  c.reserved -= pages;
  c.packSlot = 0;
  eng.wake(core.index);
}

void Device::cbWait(uint32_t cb, uint32_t pages) {
  spend(machine.timing.call);
  Core &core = here();
  Cb &c = cbAt(cb);
  checkCount(c, pages, "cb_wait_front");
  claim(c, false);
  eng.block([&c, pages] { return c.filled() >= pages; },
            [this, &core, &c, pages] { return waitForPages(core, c, pages); });
  c.waited = std::max(c.waited, pages);
}

void Device::checkPopped(Core &core, Cb &cb, Range r) {
  for (NocPort &port : core.noc)
    for (auto &t : port.open)
      if (t->kind == Transaction::Write && !t->flushed && r.overlaps(t->local))
        fail("emulator.missing-write-flush",
             fmt::format(
                 "cb_pop_front frees pages of {} while {} from L1 {:#x} has not been flushed",
                 describe(core, cb), t->what, t->local.at),
             "call noc_async_writes_flushed() or noc_async_write_barrier() before cb_pop_front");
}

void Device::cbPop(uint32_t cb, uint32_t pages) {
  spend(machine.timing.call);
  Core &core = here();
  Cb &c = cbAt(cb);
  checkCount(c, pages, "cb_pop_front");
  claim(c, false);
  if (pages > c.filled())
    fail("emulator.cb-underflow",
         fmt::format("popping {} pages of {}, of which {} are filled", pages, describe(core, c),
                     c.filled()),
         "wait before popping");
  if (pages > c.waited)
    fail("emulator.pop-without-wait",
         fmt::format("popping {} pages of {}, of which {} were waited for", pages,
                     describe(core, c), c.waited),
         "wait for as many pages as are popped");
  if (c.frontPage() + pages > c.pages())
    fail("emulator.cb-wrap",
         fmt::format("popping {} pages at page {} of {}, which has {}, crosses the ring's end",
                     pages, c.frontPage(), describe(core, c), c.pages()),
         "the ring must be a multiple of what is popped");
  checkPopped(core, c, c.window(c.frontPage(), pages));
  c.popped += pages;
  c.waited -= pages;
  eng.wake(core.index);
}

} // namespace tilewright::emulator
