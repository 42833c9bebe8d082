// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emulated chip: cores with L1, circular buffers, semaphores and compute pipes; DRAM banks; two
// NoCs.
#pragma once

#include "../Engine.h"
#include "Math.h"
#include "Tile.h"
#include "tilewright/Emulator/TTMetal.h"
#include "tilewright/Emulator/TTMetal/bridge.h"
#include <array>
#include <deque>
#include <list>
#include <map>
#include <memory>

namespace tilewright::emulator {

namespace tb = tilewright_bridge;

enum Role { Reader, Writer, Unpack, MathRole, Pack, RoleCount };
const char *roleName(int role);

/// Bytes with a shadow that says which of them were ever written. Untouched parts cost no memory.
class Memory {
public:
  explicit Memory(uint64_t bytes);
  uint64_t size() const { return bytes; }
  uint8_t *data(uint64_t at) { return storage.get() + at; }
  uint8_t *shadow(uint64_t at) { return written.get() + at; }
  void store(uint64_t at, const void *from, uint64_t count);
  /// First byte of [at, at + count) that was never written, or -1.
  int64_t firstUnwritten(uint64_t at, uint64_t count) const;

private:
  struct Free {
    void operator()(uint8_t *p) const { std::free(p); }
  };
  uint64_t bytes;
  std::unique_ptr<uint8_t[], Free> storage, written;
};

struct Range {
  uint64_t at = 0, bytes = 0;
  bool overlaps(const Range &o) const { return at < o.at + o.bytes && o.at < at + bytes; }
};

struct Cb {
  const ManifestBuffer *info = nullptr;
  uint32_t base = 0;
  uint64_t pushed = 0, popped = 0;
  uint32_t reserved = 0, waited = 0; ///< pages from the back, from the front
  uint32_t packSlot = 0;             ///< next slot of in-order packing
  int producer = -1, consumer = -1;  ///< roles
  uint32_t pages() const { return uint32_t(info->pages); }
  uint32_t pageBytes() const { return uint32_t(info->pageBytes); }
  uint32_t filled() const { return uint32_t(pushed - popped); }
  uint32_t backPage() const { return uint32_t(pushed % pages()); }
  uint32_t frontPage() const { return uint32_t(popped % pages()); }
  Range whole() const { return {base, uint64_t(info->bytes)}; }
  /// Pages [first, first + count) of the ring; clipped at the ring's end.
  Range window(uint32_t first, uint32_t count) const;
  Range reservedRange() const { return window(backPage(), reserved); }
  Range waitedRange() const { return window(frontPage(), waited); }
};

/// One NoC transaction as its issuing core sees it.
struct Transaction {
  enum Kind { Read, Write, Atomic } kind = Read;
  Range local; ///< bytes of the issuing core's L1: destination of a read, source of a write
  bool departed = false, complete = false;
  bool flushed = false; ///< the kernel has made sure that the source may be reused
  std::string what;
};

struct Packet {
  tb::FpuOp op;
  std::vector<float> first, second; ///< tiles of operand 0 and operand 1
};

struct FormatState {
  int a = -1, b = -1, pack = -1; ///< Dtype values, -1 before start-up
};

/// What one compute thread of one core has been set to.
struct ThreadSetup {
  bool started = false;
  FormatState formats;
  tb::FpuOp init;
  int sfpuInit = -1;
};

struct Dst {
  std::array<std::vector<float>, 2> half;
  int filled = 0; ///< halves committed and not released
  int mathHalf = 0, packHalf = 0;
  bool acquired = false, waited = false;
};

struct NocPort {
  Cycle readFree = 0, writeFree = 0;
  std::array<Cycle, 16> lastArrival{};          ///< by VC: writes arrive in order
  std::list<std::shared_ptr<Transaction>> open; ///< not yet confirmed by a barrier
  bool linked = false;
  uint64_t linkedRectangle = 0;
};

struct Core {
  int index = 0;
  int64_t x = 0, y = 0;
  std::unique_ptr<Memory> l1;
  std::vector<Cb> cbs;        ///< in manifest order
  std::vector<int> cbOfIndex; ///< CB index to position in cbs, -1
  std::array<NocPort, 2> noc;
  std::list<Range> landing; ///< remote writes under way to this L1
  std::map<uint64_t, std::vector<int>>
      wordWriters; ///< threads that have stored to a semaphore word
  std::deque<Packet> source;
  Dst dst;
  std::array<ThreadSetup, RoleCount> setup;
  std::array<int, RoleCount> threads{};
  uint32_t l1Accumulate = 0, reluMode = 0;
  float reluThreshold = 0;
};

struct DramTensor {
  const ManifestTensor *info = nullptr;
  uint64_t base = 0; ///< same in every bank
  uint64_t pages = 0;
};

class Device {
public:
  Device(const Manifest &manifest, const MachineModel &machine, const EmulationOptions &options);
  void loadInput(size_t tensor, const HostTensor &host);
  HostTensor readOutput(size_t tensor);
  /// Creates the five threads of every core; `run(role)` executes that role's kernel_main.
  void spawn(std::function<void(int role)> run);
  /// When this core's threads begin (EmulationOptions::startSkew).
  Cycle startDelay(const Core &core) const;
  Engine &engine() { return eng; }
  EmulationReport report();
  uint32_t resolve(const ManifestArgument &argument) const;

  // Called by kernels, on the running thread.
  uint32_t runtimeArg(int32_t index);
  Core &here();
  int role() const;
  void cbReserve(uint32_t cb, uint32_t pages);
  void cbPush(uint32_t cb, uint32_t pages);
  void cbWait(uint32_t cb, uint32_t pages);
  void cbPop(uint32_t cb, uint32_t pages);
  bool cbRoom(uint32_t cb, uint32_t pages);
  bool cbAvailable(uint32_t cb, uint32_t pages);
  Cb &cbAt(uint32_t cb);
  uint64_t nocAddress(uint32_t x, uint32_t y, uint32_t address);
  uint64_t multicastAddress(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1, uint32_t address);
  uint64_t pageAddress(uint32_t base, uint32_t page, uint32_t pageBytes, uint32_t offset);
  void read(const tb::Transfer &t);
  void write(const tb::Transfer &t);
  void multicast(const tb::Transfer &t);
  void writeWord(const tb::Transfer &t, uint32_t value);
  void atomicAdd(const tb::Transfer &t, uint32_t value, bool many);
  void fence(tb::Fence fence, uint32_t noc);
  uint32_t semaphoreAddress(uint32_t id);
  void semaphoreSet(uint64_t address, uint32_t value);
  uint32_t semaphoreRead(uint64_t address);
  void semaphoreWait(uint64_t address, uint32_t value, bool atLeast);
  void configure(tb::Configure what, uint32_t a, uint32_t b, uint32_t c);
  void init(const tb::FpuOp &op);
  void unpack(const tb::FpuOp &op);
  void math(const tb::FpuOp &op);
  void sfpuInit(tb::Sfpu code);
  void sfpu(const tb::SfpuOp &op);
  void dstAcquire();
  void dstCommit();
  void dstWait();
  void dstRelease();
  void packTile(uint32_t dst, uint32_t cb, bool outOfOrder, uint32_t index);
  void spend(int64_t cycles) { eng.spend(Cycle(cycles < 1 ? 1 : cycles)); }
  [[noreturn]] void fail(const char *id, const std::string &message, const std::string &hint = {},
                         Kind kind = Kind::User);

private:
  struct Target {
    Core *core = nullptr; ///< L1 of this core, or
    int bank = -1;        ///< this DRAM bank
    uint64_t address = 0;
  };
  struct Rectangle {
    std::vector<Core *> cores;
    uint64_t key = 0, address = 0;
    bool containsSelf = false;
  };

  // DeviceSetup.cpp
  void placeL1();
  void placeTensors();
  void checkLimits();
  void finishThread(Core &core, int role);
  void checkLeftovers(Core &core);
  // DeviceMemory.cpp
  const DramTensor *tensorAt(uint64_t bankAddress) const;
  Memory &bank(int index) { return *banks[size_t(index)]; }
  std::string describe(const Core &core, const Cb &cb) const;
  void checkKnownL1(Core &core, Range r, const char *what);
  /// Checks before bytes of a core's L1 change; `exempt` is a transaction that causes the change.
  void checkMayChange(Core &core, Range r, const char *what, const Transaction *exempt = nullptr);
  void checkMayRead(Core &core, Range r, const char *what);
  void checkLanding(Core &core, Range r, const char *what);
  void requireWritten(Core &core, Range r, const char *what);
  // DeviceCb.cpp
  void claim(Cb &cb, bool producer);
  void checkCount(const Cb &cb, uint32_t pages, const char *call);
  void checkPushed(Core &core, Cb &cb, Range r);
  void checkPopped(Core &core, Cb &cb, Range r);
  void checkFilled(Core &core, Range r, const char *what);
  Engine::Wait waitForRoom(const Core &core, const Cb &cb, uint32_t pages) const;
  Engine::Wait waitForPages(const Core &core, const Cb &cb, uint32_t pages) const;
  // DeviceNocChecks.cpp
  Target target(uint64_t address, uint64_t bytes, const char *what);
  Rectangle rectangle(const tb::Transfer &t);
  Core *workerAt(uint64_t x, uint64_t y);
  void checkPort(const tb::Transfer &t);
  void checkCongruent(uint64_t remote, uint32_t local, int64_t alignment, const char *what);
  void checkDramWrite(uint64_t address, uint64_t bytes);
  void checkDestinations(const tb::Transfer &t, const Rectangle &r);
  void checkLinked(const tb::Transfer &t, uint64_t rectangleKey, bool multicast);
  uint64_t semaphoreCell(uint64_t address);
  // DeviceNoc.cpp
  /// Bytes taken from the source when they leave.
  struct Payload {
    std::vector<uint8_t> data, shadow;
  };
  struct Launch {
    std::shared_ptr<Transaction> transaction;
    Cycle departs = 0, arrives = 0, acknowledged = 0;
    int thread = -1;
  };
  std::string initiator() const;
  Launch launchWrite(const tb::Transfer &t, Transaction::Kind kind, Range local, int64_t setup,
                     int64_t latency, std::string what);
  void deliver(Core &sender, const Launch &launch, std::vector<Target> targets, Range source);
  void land(const Target &target, const Payload &payload, const Launch &launch);
  void store(Core &core, uint64_t address, const Payload &payload, int thread);
  void finish(Core &core, const Launch &launch);
  void atomicTo(const tb::Transfer &t, std::vector<Core *> targets, uint64_t address, bool add,
                uint32_t value);
  int64_t latencyTo(const Core &from, const Target &to) const;
  std::vector<Cycle> bankFree;
  // DeviceCompute.cpp
  void requireInit(const tb::FpuOp &op);
  void requireFormats(const tb::FpuOp &op);
  void requireFormat(const char *where, int configured, const Cb &cb);
  void takeTile(Cb &cb, uint32_t tile, float *out, bool exact);
  void checkDst(uint32_t first, uint32_t count);
  void requireAcquired(const char *what);
  float *dstTile(uint32_t index);
  void runMatmul(const tb::FpuOp &op, Packet &packet);
  void runEltwise(const tb::FpuOp &op, Packet &packet);
  void roundDst(float *tile) const;
  uint32_t packSlot(Cb &cb, bool outOfOrder, uint32_t index);
  uint32_t dstCapacity() const;
  Precision precision() const { return {manifest.mathPhases, manifest.fp32DestAcc}; }

  const Manifest &manifest;
  const MachineModel &machine;
  Engine eng;
  uint64_t startSkew = 0; ///< cycles
  std::vector<std::unique_ptr<Core>> cores;
  std::vector<std::unique_ptr<Memory>> banks;
  std::vector<DramTensor> tensors;
  std::vector<std::array<const std::vector<ManifestArgument> *, 3>>
      runtimeArgs;                         ///< by core and kernel
  std::vector<std::pair<int, int>> places; ///< engine thread to (core, role)
  uint32_t semaphoreBase = 0;
};

} // namespace tilewright::emulator
