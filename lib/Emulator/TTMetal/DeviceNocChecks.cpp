// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NoC addresses and the rules of transfers: alignment, destinations, multicast rectangles, linked
// chains.
#include "Device.h"
#include <fmt/format.h>

namespace tilewright::emulator {

// Layout of a NoC address, known to nobody but this file: local address, x, y, then for a
// multicast the start corner and a mark. DRAM bank b is node (0, b + 1), so that node (0, 0), which
// is what an L1 address taken for a NoC address names, does not exist.
constexpr int xShift = 36, yShift = 42, startXShift = 48, startYShift = 54, multicastShift = 60;
constexpr uint64_t nodeMask = 63, localMask = (uint64_t(1) << xShift) - 1;

static uint64_t node(uint64_t x, uint64_t y) {
  return x << xShift | y << yShift;
}

uint64_t Device::nocAddress(uint32_t x, uint32_t y, uint32_t address) {
  if (x > nodeMask || y > nodeMask)
    fail("emulator.noc-unknown-address", fmt::format("NoC node ({}, {}) does not exist", x, y),
         "use the virtual coordinates of a core");
  return node(x, y) | address;
}

uint64_t Device::multicastAddress(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,
                                  uint32_t address) {
  const uint64_t start = nocAddress(x0, y0, 0), end = nocAddress(x1, y1, address);
  return end | (start >> xShift) << startXShift | uint64_t(1) << multicastShift;
}

uint64_t Device::pageAddress(uint32_t base, uint32_t page, uint32_t pageBytes, uint32_t offset) {
  const DramTensor *found = nullptr;
  for (const DramTensor &t : tensors)
    if (t.base == base)
      found = &t;
  if (!found)
    fail("emulator.unknown-tensor", fmt::format("no tensor begins at DRAM address {:#x}", base),
         "pass the tensor's address as a runtime argument");
  if (page >= found->pages)
    fail("emulator.page-range",
         fmt::format("page {} of tensor \"{}\", which has {}", page, found->info->name,
                     found->pages),
         "page ids are linear tile indices, row-major");
  if (int64_t(pageBytes) != found->info->pageBytes || offset >= pageBytes)
    fail("emulator.page-size",
         fmt::format("pages of {} bytes at offset {}, but tensor \"{}\" has pages of {} bytes",
                     pageBytes, offset, found->info->name, found->info->pageBytes));
  const uint64_t banksCount = uint64_t(machine.dramBanks);
  return node(0, page % banksCount + 1) | (base + page / banksCount * pageBytes + offset);
}

Core *Device::workerAt(uint64_t x, uint64_t y) {
  const int64_t lx = int64_t(x) - machine.virtualX, ly = int64_t(y) - machine.virtualY;
  if (lx < 0 || ly < 0 || lx >= manifest.gridX || ly >= manifest.gridY)
    return nullptr;
  return cores[size_t(ly * manifest.gridX + lx)].get();
}

Device::Target Device::target(uint64_t address, uint64_t bytes, const char *what) {
  const uint64_t x = address >> xShift & nodeMask, y = address >> yShift & nodeMask;
  Target t{nullptr, -1, address & localMask};
  if (address >> multicastShift)
    fail("emulator.noc-unknown-address", fmt::format("{} with a multicast address", what),
         "use get_noc_addr for a single destination");
  if (x == 0 && y >= 1 && y <= uint64_t(machine.dramBanks))
    t.bank = int(y - 1);
  else
    t.core = workerAt(x, y);
  if (t.bank < 0 && !t.core)
    fail(
        "emulator.noc-unknown-address",
        fmt::format(
            "{} to NoC node ({}, {}), where there is neither a core of the program nor a DRAM bank",
            what, x, y),
        "wrap L1 addresses with get_noc_addr and use virtual, not logical, coordinates");
  if (t.bank >= 0) {
    if (!tensorAt(t.address) || t.address + bytes > bank(t.bank).size())
      fail("emulator.noc-unknown-address",
           fmt::format("{} of {} bytes at {:#x} of DRAM bank {}, where no tensor lies", what, bytes,
                       t.address, t.bank));
    return t;
  }
  checkKnownL1(*t.core, {t.address, bytes}, what);
  return t;
}

void Device::checkPort(const tb::Transfer &t) {
  const uint32_t own = role() == Reader ? 0 : 1;
  if (t.noc != own)
    fail("emulator.noc-index", fmt::format("NoC {} used by the kernel of NoC {}", t.noc, own),
         "in dedicated mode a kernel uses its own NoC only");
  if (t.bytes == 0)
    fail("emulator.noc-size", "a transfer of 0 bytes");
  if (t.vc >= std::tuple_size_v<decltype(NocPort::lastArrival)>)
    fail("emulator.noc-size", fmt::format("virtual channel {} does not exist", t.vc));
}

void Device::checkCongruent(uint64_t remote, uint32_t local, int64_t alignment, const char *what) {
  const uint64_t a = uint64_t(alignment);
  if (remote % a != local % a)
    fail("emulator.noc-alignment",
         fmt::format("{} between {:#x} and L1 {:#x}: the addresses differ modulo {} bytes", what,
                     remote & localMask, local, alignment),
         "source and destination must agree modulo the alignment");
}

void Device::checkDramWrite(uint64_t address, uint64_t bytes) {
  const DramTensor *t = tensorAt(address);
  if (!t->info->output)
    fail("emulator.write-to-input",
         fmt::format("{} bytes are written to the input tensor \"{}\"", bytes, t->info->name));
}

Device::Rectangle Device::rectangle(const tb::Transfer &t) {
  const uint64_t a = t.remote;
  if (!(a >> multicastShift))
    fail("emulator.noc-unknown-address",
         "a multicast needs an address from get_noc_multicast_addr");
  uint64_t x0 = a >> startXShift & nodeMask, y0 = a >> startYShift & nodeMask;
  uint64_t x1 = a >> xShift & nodeMask, y1 = a >> yShift & nodeMask;
  const bool ordered = t.noc == 0 ? x0 <= x1 && y0 <= y1 : x0 >= x1 && y0 >= y1;
  if (!ordered)
    fail("emulator.multicast-order",
         fmt::format("multicast on NoC {} from ({}, {}) to ({}, {})", t.noc, x0, y0, x1, y1),
         "NoC 0 starts at the upper left corner and NoC 1 at the lower right one");
  if (t.noc == 1)
    std::swap(x0, x1), std::swap(y0, y1);
  Rectangle r;
  r.key = x0 | y0 << 8 | x1 << 16 | y1 << 24;
  r.address = a & localMask;
  for (uint64_t y = y0; y <= y1; ++y)
    for (uint64_t x = x0; x <= x1; ++x) {
      Core *core = workerAt(x, y);
      if (!core)
        fail("emulator.multicast-non-worker",
             fmt::format("the rectangle ({}, {}) to ({}, {}) contains ({}, {}), which is no core "
                         "of the program",
                         x0, y0, x1, y1, x, y));
      r.containsSelf |= core == &here();
      r.cores.push_back(core);
    }
  return r;
}

void Device::checkDestinations(const tb::Transfer &t, const Rectangle &r) {
  const uint32_t inside = uint32_t(r.cores.size());
  const uint32_t expected = inside - (r.containsSelf && !t.loopback ? 1 : 0);
  if (t.destinations == 0)
    fail("emulator.multicast-zero",
         fmt::format("num_dests is 0, the rectangle has {} destinations", expected),
         "skip the multicast when there is nobody else");
  if (t.loopback && (!r.containsSelf || t.destinations == 1))
    fail("emulator.multicast-loopback",
         fmt::format("loopback with the sender {} the rectangle and num_dests {}",
                     r.containsSelf ? "in" : "outside", t.destinations),
         "the sender must be inside and not alone");
  if (t.destinations == expected)
    return;
  const bool counted = r.containsSelf && !t.loopback && t.destinations == inside;
  fail(counted ? "emulator.multicast-sender-counted" : "emulator.multicast-count",
       fmt::format("num_dests is {}, but the rectangle of {} cores has {} destinations{}",
                   t.destinations, inside, expected, counted ? " without the sender" : ""),
       "a wrong count makes the barrier hang on the device");
}

void Device::checkLinked(const tb::Transfer &t, uint64_t rectangleKey, bool isMulticast) {
  NocPort &port = here().noc[t.noc];
  if (port.linked && (!isMulticast || rectangleKey != port.linkedRectangle))
    fail("emulator.linked-interleaved",
         fmt::format("{} on NoC {} inside a chain of linked multicasts",
                     isMulticast ? "another multicast" : "a write", t.noc),
         "end the chain with a multicast to the same rectangle that has linked = false");
  port.linked = isMulticast && t.linked;
  port.linkedRectangle = rectangleKey;
}

uint64_t Device::semaphoreCell(uint64_t address) {
  if (address % 4)
    fail("emulator.noc-alignment",
         fmt::format("a semaphore at {:#x} is not aligned to 4 bytes", address));
  checkKnownL1(here(), {address, 4}, "semaphore access");
  for (const ManifestSemaphore &s : manifest.semaphores)
    if (address == semaphoreBase + uint64_t(s.id) * 16)
      return address;
  if (address >= semaphoreBase && address < semaphoreBase + uint64_t(machine.semaphoreLimit) * 16)
    fail("emulator.semaphore-id",
         fmt::format("no semaphore has id {}", (address - semaphoreBase) / 16));
  return address;
}

} // namespace tilewright::emulator
