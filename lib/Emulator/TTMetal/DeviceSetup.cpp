// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Placement of memory, creation of threads, host tensors in and out, and the checks at the end of a
// kernel.
#include "Device.h"
#include <cstring>
#include <fmt/format.h>

namespace tilewright::emulator {

const char *roleName(int role) {
  const char *names[] = {"reader", "writer", "unpack", "math", "pack"};
  return names[role];
}

constexpr int64_t semaphoreBytes = 16; ///< each has an aligned slot of its own
constexpr uint64_t dramBase = 4096;    ///< arbitrary: an address of 0 would hide mistakes

static int64_t roundUp(int64_t value, int64_t to) {
  return (value + to - 1) / to * to;
}

Device::Device(const Manifest &m, const MachineModel &machine, const EmulationOptions &options)
    : manifest(m), machine(machine), eng(int(m.gridX * m.gridY), options.workLimit),
      startSkew(options.startSkew) {
  checkLimits();
  placeTensors();
  placeL1();
}

void Device::fail(const char *id, const std::string &message, const std::string &hint, Kind kind) {
  const int thread = eng.current();
  std::string text = message;
  std::string file;
  if (thread >= 0) {
    text += fmt::format(" ({} at cycle {})", eng.thread(thread).name, eng.now());
    const int r = places[size_t(thread)].second;
    file = manifest.kernels[r == Reader ? 0 : r == Writer ? 2 : 1].file;
  } else if (eng.now()) {
    text += fmt::format(" (at cycle {})", eng.now());
  }
  throw Error(kind, id, text, hint, {file, 0, 0});
}

void Device::checkLimits() {
  auto limit = [this](bool ok, const char *id, const std::string &message, const char *hint) {
    if (!ok)
      fail(id, message, hint, Kind::DoesNotFit);
  };
  limit(manifest.gridX <= machine.gridX && manifest.gridY <= machine.gridY, "emulator.grid",
        fmt::format("the program wants {}x{} cores, \"{}\" has {}x{}", manifest.gridX,
                    manifest.gridY, machine.name, machine.gridX, machine.gridY),
        "use the machine that the schedule was solved for");
  for (const ManifestBuffer &b : manifest.buffers)
    limit(b.index < machine.cbLimit, "emulator.cb-limit",
          fmt::format("circular buffer index {} (\"{}\") of at most {}", b.index, b.name,
                      machine.cbLimit),
          "use fewer circular buffers");
  limit(int64_t(manifest.semaphores.size()) <= machine.semaphoreLimit, "emulator.semaphore-limit",
        fmt::format("{} semaphores of at most {}", manifest.semaphores.size(),
                    machine.semaphoreLimit),
        "share semaphores");
  for (const ManifestSemaphore &s : manifest.semaphores)
    limit(
        s.id < machine.semaphoreLimit, "emulator.semaphore-limit",
        fmt::format("semaphore id {} (\"{}\") of at most {}", s.id, s.name, machine.semaphoreLimit),
        "number semaphores from 0");
  for (const ManifestKernel &k : manifest.kernels)
    for (const ManifestCoreArguments &c : k.runtimeArgs)
      limit(int64_t(c.args.size()) <= machine.runtimeArgLimit, "emulator.runtime-arg-limit",
            fmt::format("{} runtime arguments of the {} on core [{}, {}], of at most {}",
                        c.args.size(), k.role, c.x, c.y, machine.runtimeArgLimit),
            "compute addresses in the kernel");
}

void Device::placeTensors() {
  uint64_t at = dramBase;
  for (const ManifestTensor &t : manifest.tensors) {
    const uint64_t pages = uint64_t(t.tileRows) * uint64_t(t.tileColumns);
    tensors.push_back({&t, at, pages});
    at += (pages + uint64_t(machine.dramBanks) - 1) / uint64_t(machine.dramBanks) *
          uint64_t(t.pageBytes);
  }
  if (at > uint64_t(machine.dramBankBytes) || at >> 32)
    fail("emulator.dram-capacity", fmt::format("the tensors need {} bytes of every DRAM bank", at),
         "use smaller tensors", Kind::DoesNotFit);
  for (int64_t b = 0; b < machine.dramBanks; ++b)
    banks.push_back(std::make_unique<Memory>(at));
  bankFree.assign(size_t(machine.dramBanks), 0);
}

void Device::placeL1() {
  const int64_t step = std::max(machine.alignL1, machine.alignDramRead);
  semaphoreBase = uint32_t(machine.l1Base - roundUp(machine.semaphoreLimit * semaphoreBytes, step));
  std::vector<uint32_t> bases(manifest.buffers.size());
  int64_t at = roundUp(machine.l1Base, step);
  for (size_t i = 0; i < bases.size(); ++i)
    if (!manifest.buffers[i].aliasOf) {
      bases[i] = uint32_t(at);
      at = roundUp(at + manifest.buffers[i].bytes, step);
    }
  for (size_t i = 0; i < bases.size(); ++i)
    for (size_t j = 0; j < bases.size(); ++j)
      if (manifest.buffers[i].aliasOf == manifest.buffers[j].index)
        bases[i] = bases[j];
  if (at > machine.l1End)
    fail("emulator.l1-capacity",
         fmt::format("circular buffers end at byte {} of L1, which has {} ({} bytes of buffers, {} "
                     "available)",
                     at, machine.l1End, manifest.l1Used, machine.l1End - machine.l1Base),
         "use smaller blocks", Kind::DoesNotFit);
  for (int64_t y = 0; y < manifest.gridY; ++y)
    for (int64_t x = 0; x < manifest.gridX; ++x) {
      auto core = std::make_unique<Core>();
      core->index = int(cores.size());
      core->x = x, core->y = y;
      core->l1 = std::make_unique<Memory>(uint64_t(at));
      core->cbOfIndex.assign(size_t(machine.cbLimit), -1);
      for (size_t i = 0; i < bases.size(); ++i) {
        core->cbOfIndex[size_t(manifest.buffers[i].index)] = int(i);
        core->cbs.emplace_back().info = &manifest.buffers[i];
        core->cbs.back().base = bases[i];
      }
      for (const ManifestSemaphore &s : manifest.semaphores) {
        const uint32_t word = uint32_t(s.initial);
        core->l1->store(semaphoreBase + uint64_t(s.id * semaphoreBytes), &word, 4);
      }
      for (auto &half : core->dst.half)
        half.resize(size_t(dstCapacity()) * tileElements);
      cores.push_back(std::move(core));
    }
}

uint32_t Device::resolve(const ManifestArgument &a) const {
  switch (a.kind) {
  case ManifestArgument::Kind::Address:
    return uint32_t(tensors[a.tensor].base);
  case ManifestArgument::Kind::NocX:
    return uint32_t(a.coreX + machine.virtualX);
  case ManifestArgument::Kind::NocY:
    return uint32_t(a.coreY + machine.virtualY);
  default:
    return a.value;
  }
}

Cycle Device::startDelay(const Core &core) const {
  uint64_t last = std::max<uint64_t>(1, cores.size() - 1);
  return startSkew * uint64_t(core.index) / last;
}

void Device::spawn(std::function<void(int role)> run) {
  runtimeArgs.resize(cores.size());
  for (size_t k = 0; k < manifest.kernels.size(); ++k)
    for (const ManifestCoreArguments &c : manifest.kernels[k].runtimeArgs)
      runtimeArgs[size_t(c.y * manifest.gridX + c.x)][k] = &c.args;
  for (auto &core : cores)
    for (int role = 0; role < RoleCount; ++role) {
      places.emplace_back(core->index, role);
      core->threads[size_t(role)] =
          eng.spawn(fmt::format("core [{}, {}] {}", core->x, core->y, roleName(role)), core->index,
                    [this, run, role, c = core.get()] {
                      if (Cycle late = startDelay(*c))
                        eng.spend(late);
                      run(role);
                      finishThread(*c, role);
                    });
    }
}

Core &Device::here() {
  return *cores[size_t(places[size_t(eng.current())].first)];
}
int Device::role() const {
  return places[size_t(eng.current())].second;
}

uint32_t Device::runtimeArg(int32_t index) {
  const int r = role();
  const size_t kernel = r == Reader ? 0 : r == Writer ? 2 : 1;
  const auto *args = runtimeArgs[size_t(here().index)][kernel];
  const size_t count = args ? args->size() : 0;
  if (index < 0 || size_t(index) >= count)
    fail("emulator.runtime-arg", fmt::format("runtime argument {} of {} given", index, count),
         "the manifest lists each core's arguments");
  return resolve((*args)[size_t(index)]);
}

void Device::finishThread(Core &core, int role) {
  if (role == Reader || role == Writer) {
    NocPort &port = core.noc[role == Reader ? 0 : 1];
    if (port.linked)
      fail("emulator.linked-open", "the kernel returns inside a chain of linked multicasts",
           "the last multicast of a chain has linked = false");
    if (!port.open.empty())
      fail("emulator.traffic-in-flight",
           fmt::format(
               "the kernel returns with {} transactions that no barrier covers; the first is {}",
               port.open.size(), port.open.front()->what),
           "end with noc_async_read_barrier, noc_async_write_barrier and, after increments, "
           "noc_async_atomic_barrier");
  }
  if (role == MathRole && (core.dst.acquired || !core.source.empty()))
    fail("emulator.dst-order", core.dst.acquired
                                   ? "the kernel returns between acquire and commit"
                                   : "the kernel returns with unused operands in SrcA and SrcB");
  if (role == Pack && core.dst.waited)
    fail("emulator.dst-order", "the kernel returns between wait and release");
}

void Device::checkLeftovers(Core &core) {
  for (const Cb &cb : core.cbs)
    if (cb.filled())
      fail("emulator.cb-leftover",
           fmt::format("{} pages of {} were pushed and {} popped; {} remain at the end", cb.pushed,
                       describe(core, cb), cb.popped, cb.filled()),
           "every page that is pushed must be popped");
  if (core.dst.filled)
    fail("emulator.dst-order",
         fmt::format("{} sections of DST of core [{}, {}] were committed and never packed",
                     core.dst.filled, core.x, core.y));
}

void Device::loadInput(size_t index, const HostTensor &host) {
  const DramTensor &t = tensors[index];
  const int64_t columns = t.info->layout == "matrix" ? host.shape[1]
                          : t.info->layout == "row"  ? host.shape[0]
                                                     : 1;
  const int64_t rows = int64_t(host.values.size()) / columns;
  std::vector<float> tile(tileElements);
  std::vector<uint8_t> page(size_t(t.info->pageBytes));
  for (uint64_t id = 0; id < t.pages; ++id) {
    const int64_t row0 = int64_t(id) / t.info->tileColumns * tileSide,
                  column0 = int64_t(id) % t.info->tileColumns * tileSide;
    for (int i = 0; i < tileElements; ++i) {
      const int64_t r = row0 + i / tileSide, c = column0 + i % tileSide;
      tile[size_t(i)] = r < rows && c < columns ? host.values[size_t(r * columns + c)] : 0;
    }
    encodeTile(tile.data(), t.info->dtype, page.data());
    const uint64_t banksCount = uint64_t(machine.dramBanks);
    bank(int(id % banksCount))
        .store(t.base + id / banksCount * page.size(), page.data(), page.size());
  }
}

HostTensor Device::readOutput(size_t index) {
  const DramTensor &t = tensors[index];
  HostTensor host{t.info->name, dtypeName(t.info->dtype), t.info->shape, {}};
  const int64_t rows =
      t.info->layout == "column" || t.info->layout == "matrix" ? t.info->shape[0] : 1;
  const int64_t columns = t.info->layout == "matrix" ? t.info->shape[1]
                          : t.info->layout == "row"  ? t.info->shape[0]
                                                     : 1;
  host.values.resize(size_t(rows * columns));
  std::vector<float> tile(tileElements);
  for (uint64_t id = 0; id < t.pages; ++id) {
    const uint64_t banksCount = uint64_t(machine.dramBanks);
    const uint64_t at = t.base + id / banksCount * uint64_t(t.info->pageBytes);
    Memory &b = bank(int(id % banksCount));
    const int64_t row0 = int64_t(id) / t.info->tileColumns * tileSide,
                  column0 = int64_t(id) % t.info->tileColumns * tileSide;
    if (row0 >= rows || column0 >= columns)
      continue; // a tile of padding only
    if (b.firstUnwritten(at, uint64_t(t.info->pageBytes)) >= 0)
      fail("emulator.output-not-written",
           fmt::format("page {} of {} of output \"{}\" was never written", id, t.pages,
                       t.info->name),
           "the writer must cover all tiles of the output");
    decodeTile(b.data(at), t.info->dtype, tile.data());
    for (int i = 0; i < tileElements; ++i) {
      const int64_t r = row0 + i / tileSide, c = column0 + i % tileSide;
      if (r < rows && c < columns)
        host.values[size_t(r * columns + c)] = tile[size_t(i)];
    }
  }
  return host;
}

EmulationReport Device::report() {
  for (auto &core : cores)
    checkLeftovers(*core);
  EmulationReport r;
  r.cycles = eng.now();
  r.events = eng.eventCount();
  for (size_t i = 0; i < places.size(); ++i) {
    const Engine::Thread &t = eng.thread(int(i));
    const Core &core = *cores[size_t(places[i].first)];
    r.threads.push_back(
        {core.x, core.y, roleName(places[i].second), t.busy, t.stalled, t.stalls, t.finishedAt});
  }
  for (size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].info->output)
      r.outputs.push_back(readOutput(i));
  return r;
}

} // namespace tilewright::emulator
