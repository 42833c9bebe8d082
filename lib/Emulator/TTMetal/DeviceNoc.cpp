// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NoC transactions in time: issue, departure, arrival, acknowledgement; barriers and semaphores.
#include "Device.h"
#include <cstring>
#include <fmt/format.h>

namespace tilewright::emulator {

static Cycle ceilDivide(uint64_t a, int64_t b) {
  return (a + uint64_t(b) - 1) / uint64_t(b);
}

std::string Device::initiator() const {
  const int thread = eng.current();
  return thread < 0 ? "the NoC" : eng.thread(thread).name;
}

int64_t Device::latencyTo(const Core &from, const Target &to) const {
  if (!to.core)
    return machine.timing.nocLatency;
  const int64_t hops = std::abs(from.x - to.core->x) + std::abs(from.y - to.core->y);
  return machine.timing.nocLatency + hops * machine.timing.nocHop;
}

void Device::finish(Core &core, const Launch &launch) {
  launch.transaction->complete = true;
  eng.wake(core.index);
}

void Device::read(const tb::Transfer &t) {
  spend(machine.timing.nocReadIssue);
  Core &core = here();
  checkPort(t);
  const Target from = target(t.remote, t.bytes, "a read");
  checkCongruent(t.remote, t.local, from.bank >= 0 ? machine.alignDramRead : machine.alignL1,
                 "a read");
  const Range local{t.local, t.bytes};
  checkKnownL1(core, local, "a read");
  checkLanding(core, local, "a read");
  checkMayChange(core, local, "a read");
  NocPort &port = core.noc[t.noc];
  const Cycle flow = ceilDivide(t.bytes, machine.timing.nocBytesPerCycle);
  Cycle begins = std::max(eng.now(), port.readFree);
  port.readFree = begins + flow;
  Cycle done = begins + flow + Cycle(machine.timing.readLatency);
  if (from.bank >= 0) {
    Cycle &free = bankFree[size_t(from.bank)];
    free = std::max(free, begins) + ceilDivide(t.bytes, machine.timing.dramBytesPerCycle);
    done = std::max(begins + flow, free) + Cycle(machine.timing.dramLatency);
  }
  Launch launch{std::make_shared<Transaction>(), 0, done, done, eng.current()};
  launch.transaction->local = local;
  launch.transaction->what = fmt::format("a read of {} bytes by {}", t.bytes, initiator());
  port.open.push_back(launch.transaction);
  eng.at(done, [this, &core, from, local, launch] {
    Memory &source = from.core ? *from.core->l1 : bank(from.bank);
    std::memcpy(core.l1->data(local.at), source.data(from.address), local.bytes);
    std::memcpy(core.l1->shadow(local.at), source.shadow(from.address), local.bytes);
    finish(core, launch);
  });
}

Device::Launch Device::launchWrite(const tb::Transfer &t, Transaction::Kind kind, Range local,
                                   int64_t setup, int64_t latency, std::string what) {
  NocPort &port = here().noc[t.noc];
  Launch l{std::make_shared<Transaction>(), 0, 0, 0, eng.current()};
  l.transaction->kind = kind;
  l.transaction->local = local;
  l.transaction->what = what + " by " + initiator();
  const Cycle begins = std::max(eng.now(), port.writeFree) + Cycle(setup);
  l.departs = begins + ceilDivide(t.bytes, machine.timing.nocBytesPerCycle);
  port.writeFree = l.departs;
  // Per NoC and virtual channel nothing overtakes.
  Cycle &last = port.lastArrival[t.vc];
  l.arrives = last = std::max(l.departs + Cycle(latency), last);
  l.acknowledged = l.arrives + Cycle(latency);
  port.open.push_back(l.transaction);
  return l;
}

void Device::store(Core &core, uint64_t address, const Payload &payload, int thread) {
  std::memcpy(core.l1->data(address), payload.data.data(), payload.data.size());
  std::memcpy(core.l1->shadow(address), payload.shadow.data(), payload.shadow.size());
  if (payload.data.size() == 4)
    core.wordWriters[address].push_back(thread);
  eng.wake(core.index);
}

void Device::land(const Target &to, const Payload &payload, const Launch &launch) {
  const Range r{to.address, payload.data.size()};
  if (to.bank >= 0) {
    std::memcpy(bank(to.bank).data(r.at), payload.data.data(), r.bytes);
    std::memcpy(bank(to.bank).shadow(r.at), payload.shadow.data(), r.bytes);
    return;
  }
  auto &landing = to.core->landing;
  for (auto it = landing.begin(); it != landing.end(); ++it)
    if (it->at == r.at && it->bytes == r.bytes) {
      landing.erase(it);
      break;
    }
  checkLanding(*to.core, r, launch.transaction->what.c_str());
  // A loopback multicast may land on its own source.
  checkMayChange(*to.core, r, launch.transaction->what.c_str(), launch.transaction.get());
  store(*to.core, r.at, payload, launch.thread);
}

void Device::deliver(Core &sender, const Launch &launch, std::vector<Target> targets,
                     Range source) {
  for (const Target &to : targets)
    if (to.core)
      to.core->landing.push_back({to.address, source.bytes});
  auto payload = std::make_shared<Payload>();
  eng.at(launch.departs, [this, &sender, launch, payload, source] {
    payload->data.assign(sender.l1->data(source.at), sender.l1->data(source.at) + source.bytes);
    payload->shadow.assign(sender.l1->shadow(source.at),
                           sender.l1->shadow(source.at) + source.bytes);
    launch.transaction->departed = true;
    eng.wake(sender.index);
  });
  eng.at(launch.arrives, [this, launch, payload, targets] {
    for (const Target &to : targets)
      land(to, *payload, launch);
  });
  eng.at(launch.acknowledged, [this, &sender, launch] { finish(sender, launch); });
}

void Device::write(const tb::Transfer &t) {
  spend(machine.timing.nocWriteIssue);
  Core &core = here();
  checkPort(t);
  checkLinked(t, 0, false);
  const Target to = target(t.remote, t.bytes, "a write");
  checkCongruent(t.remote, t.local, machine.alignL1, "a write");
  const Range source{t.local, t.bytes};
  checkKnownL1(core, source, "a write");
  checkMayRead(core, source, "a write");
  if (to.bank >= 0) {
    checkDramWrite(to.address, t.bytes);
    requireWritten(core, source, "a write to DRAM");
  }
  auto launch = launchWrite(t, Transaction::Write, source, 0, latencyTo(core, to),
                            fmt::format("a write of {} bytes", t.bytes));
  if (to.bank >= 0) {
    Cycle &free = bankFree[size_t(to.bank)];
    free = std::max(free, launch.departs) + ceilDivide(t.bytes, machine.timing.dramBytesPerCycle);
    launch.acknowledged = std::max(launch.acknowledged, free + Cycle(machine.timing.nocLatency));
  }
  deliver(core, launch, {to}, source);
}

void Device::multicast(const tb::Transfer &t) {
  spend(machine.timing.nocWriteIssue);
  Core &core = here();
  checkPort(t);
  const Rectangle r = rectangle(t);
  checkDestinations(t, r);
  const bool chained = core.noc[t.noc].linked;
  checkLinked(t, r.key, true);
  checkCongruent(r.address, t.local, machine.alignL1, "a multicast");
  const Range source{t.local, t.bytes};
  checkKnownL1(core, source, "a multicast");
  checkMayRead(core, source, "a multicast");
  std::vector<Target> targets;
  int64_t latency = 0;
  for (Core *to : r.cores)
    if (to != &core || t.loopback) {
      targets.push_back({to, -1, r.address});
      checkKnownL1(*to, {r.address, t.bytes}, "a multicast");
      latency = std::max(latency, latencyTo(core, targets.back()));
    }
  auto launch =
      launchWrite(t, Transaction::Write, source, chained ? 0 : machine.timing.multicastSetup,
                  latency, fmt::format("a multicast of {} bytes", t.bytes));
  deliver(core, launch, targets, source);
}

void Device::atomicTo(const tb::Transfer &t, std::vector<Core *> targets, uint64_t address,
                      bool add, uint32_t value) {
  Core &core = here();
  int64_t latency = 0;
  for (Core *to : targets)
    latency = std::max(latency, latencyTo(core, {to, -1, address}));
  auto launch = launchWrite(t, add ? Transaction::Atomic : Transaction::Write, {}, 0, latency,
                            add ? "a semaphore increment" : "a word write");
  eng.at(launch.departs, [launch] { launch.transaction->departed = true; });
  eng.at(launch.arrives, [this, launch, targets, address, add, value] {
    for (Core *to : targets) {
      uint32_t word = 0;
      std::memcpy(&word, to->l1->data(address), 4);
      word = add ? word + value : value;
      to->l1->store(address, &word, 4);
      to->wordWriters[address].push_back(launch.thread);
      eng.wake(to->index);
    }
  });
  eng.at(launch.acknowledged, [this, &core, launch] { finish(core, launch); });
}

void Device::writeWord(const tb::Transfer &t, uint32_t value) {
  spend(machine.timing.nocWriteIssue);
  checkPort(t);
  checkLinked(t, 0, false);
  const Target to = target(t.remote, 4, "an inline write");
  if (!to.core || to.address % 4)
    fail("emulator.noc-alignment", "an inline write goes to an aligned word of L1");
  atomicTo(t, {to.core}, to.address, false, value);
}

void Device::atomicAdd(const tb::Transfer &t, uint32_t value, bool many) {
  spend(machine.timing.nocWriteIssue);
  checkPort(t);
  if (many) {
    Rectangle r = rectangle(t);
    checkDestinations(t, r);
    std::erase(r.cores, &here());
    semaphoreCell(r.address);
    return atomicTo(t, r.cores, r.address, true, value);
  }
  const Target to = target(t.remote, 4, "a semaphore increment");
  if (!to.core)
    fail("emulator.noc-unknown-address", "a semaphore increment goes to a DRAM bank");
  semaphoreCell(to.address);
  atomicTo(t, {to.core}, to.address, true, value);
}

static bool concerns(tb::Fence fence, Transaction::Kind kind) {
  switch (fence) {
  case tb::Fence::Reads:
    return kind == Transaction::Read;
  case tb::Fence::Writes:
  case tb::Fence::WritesFlushed:
    return kind == Transaction::Write;
  case tb::Fence::Atomics:
    return kind == Transaction::Atomic;
  case tb::Fence::All:
    return true;
  }
  return true;
}

void Device::fence(tb::Fence fence, uint32_t noc) {
  spend(machine.timing.call);
  tb::Transfer t;
  t.noc = noc, t.bytes = 1;
  checkPort(t);
  Core &core = here();
  auto &open = core.noc[noc].open;
  const bool flush = fence == tb::Fence::WritesFlushed;
  auto pending = [&open, fence, flush] {
    size_t n = 0;
    for (auto &x : open)
      n += concerns(fence, x->kind) && !(flush ? x->departed : x->complete);
    return n;
  };
  eng.block([pending] { return pending() == 0; },
            [pending, noc] {
              return Engine::Wait{fmt::format("{} transactions of NoC {}", pending(), noc), {}, {}};
            });
  for (auto it = open.begin(); it != open.end();) {
    const bool mine = concerns(fence, (*it)->kind);
    (*it)->flushed |= mine;
    it = mine && !flush ? open.erase(it) : std::next(it);
  }
}

uint32_t Device::semaphoreAddress(uint32_t id) {
  if (int64_t(id) >= machine.semaphoreLimit)
    fail("emulator.semaphore-id",
         fmt::format("semaphore {} of at most {}", id, machine.semaphoreLimit));
  return uint32_t(semaphoreCell(semaphoreBase + uint64_t(id) * 16));
}

uint32_t Device::semaphoreRead(uint64_t address) {
  uint32_t value = 0;
  std::memcpy(&value, here().l1->data(semaphoreCell(address)), 4);
  return value;
}

void Device::semaphoreSet(uint64_t address, uint32_t value) {
  spend(machine.timing.call);
  Core &core = here();
  // Storing the value that is there already harms no multicast that still reads the word.
  if (semaphoreRead(address) != value)
    checkMayChange(core, {address, 4}, "noc_semaphore_set");
  core.l1->store(address, &value, 4);
  eng.wake(core.index);
}

void Device::semaphoreWait(uint64_t address, uint32_t value, bool atLeast) {
  spend(machine.timing.call);
  Core &core = here();
  semaphoreCell(address);
  auto word = [&core, address] {
    uint32_t w = 0;
    std::memcpy(&w, core.l1->data(address), 4);
    return w;
  };
  auto why = [this, &core, address, value, atLeast, word] {
    std::string name = "?";
    for (const ManifestSemaphore &s : manifest.semaphores)
      if (address == semaphoreBase + uint64_t(s.id) * 16)
        name = fmt::format("{} \"{}\"", s.id, s.name);
    Engine::Wait w{fmt::format("semaphore {} of core [{}, {}] to be {}{} (it is {})", name, core.x,
                               core.y, atLeast ? "at least " : "", value, word()),
                   {},
                   "no thread has written it so far"};
    for (int t : core.wordWriters[address])
      if (std::find(w.by.begin(), w.by.end(), t) == w.by.end())
        w.by.push_back(t);
    return w;
  };
  eng.block([word, value, atLeast] { return atLeast ? word() >= value : word() == value; }, why);
}

} // namespace tilewright::emulator
