// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unpacker, matrix and vector engine, packer of one core, and the hand-overs between them.
#include "Device.h"
#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace tilewright::emulator {

constexpr size_t sourceBanks = 2;
constexpr uint32_t asInitialised = 2; ///< an operation's flag that repeats its init's

static const char *kindName(tb::FpuKind kind) {
  const char *names[] = {"none",           "matmul", "copy", "elementwise", "elementwise with DST",
                         "unary broadcast"};
  return names[size_t(kind)];
}

uint32_t Device::dstCapacity() const {
  const int64_t half = manifest.fp32DestAcc ? machine.dstTiles32 : machine.dstTiles16;
  return uint32_t(manifest.dstFullSync ? 2 * half : half);
}

void Device::configure(tb::Configure what, uint32_t a, uint32_t b, uint32_t c) {
  spend(machine.timing.call);
  Core &core = here();
  ThreadSetup &s = core.setup[size_t(role())];
  auto format = [this](uint32_t cb) { return int(cbAt(cb).info->dtype); };
  if (what == tb::Configure::Startup) {
    if (s.started)
      fail("emulator.startup-twice", "compute_kernel_hw_startup is called a second time",
           "it is safe only once, before everything else");
    s.started = true;
    s.formats = {format(a), format(b), format(c)};
    return;
  }
  if (!s.started)
    fail("emulator.missing-startup", "a compute call comes before compute_kernel_hw_startup");
  switch (what) {
  case tb::Configure::SourceA:
    s.formats.a = format(a);
    break;
  case tb::Configure::SourceB:
    s.formats.b = format(a);
    break;
  case tb::Configure::Pack:
    s.formats.pack = format(a);
    break;
  case tb::Configure::L1Accumulate:
    core.l1Accumulate = a;
    break;
  case tb::Configure::Relu:
    core.reluMode = a;
    core.reluThreshold = floatOf(b << 16);
    break;
  default:
    break;
  }
}

void Device::init(const tb::FpuOp &op) {
  spend(machine.timing.call);
  ThreadSetup &s = here().setup[size_t(role())];
  if (!s.started)
    fail("emulator.missing-startup",
         fmt::format("the init of {} comes before compute_kernel_hw_startup", kindName(op.kind)));
  s.init = op;
  requireFormats(op);
}

static bool sameFlag(uint32_t init, uint32_t op) {
  return op == asInitialised || init == op;
}

void Device::requireInit(const tb::FpuOp &op) {
  ThreadSetup &s = here().setup[size_t(role())];
  const tb::FpuOp &i = s.init;
  if (!s.started)
    fail("emulator.missing-startup",
         fmt::format("{} comes before compute_kernel_hw_startup", kindName(op.kind)));
  if (i.kind == tb::FpuKind::None)
    fail("emulator.missing-init", fmt::format("{} without any init", kindName(op.kind)),
         "call the operation's init first");
  const bool same = i.kind == op.kind && i.cb0 == op.cb0 && i.cb1 == op.cb1 && i.ct == op.ct &&
                    i.rt == op.rt && i.kt == op.kt && i.arith == op.arith &&
                    i.broadcast == op.broadcast && i.reuse == op.reuse &&
                    sameFlag(i.transpose, op.transpose) && sameFlag(i.accumulate, op.accumulate);
  if (!same)
    fail("emulator.wrong-init",
         fmt::format("{} on circular buffers {} and {} (block {}x{}, stride {}), but the last init "
                     "was {} on {} and "
                     "{} (block {}x{}, stride {})",
                     kindName(op.kind), op.cb0, op.cb1, op.rt, op.ct, op.kt, kindName(i.kind),
                     i.cb0, i.cb1, i.rt, i.ct, i.kt),
         "call the init of exactly this operation before it");
  requireFormats(op);
}

void Device::requireFormat(const char *where, int configured, const Cb &cb) {
  if (configured == int(cb.info->dtype))
    return;
  fail("emulator.data-format",
       fmt::format("{} is set to {}, but {} holds {}", where,
                   configured < 0 ? "nothing" : dtypeName(Dtype(configured)), describe(here(), cb),
                   dtypeName(cb.info->dtype)),
       "reconfigure the data format when the buffer changes");
}

void Device::requireFormats(const tb::FpuOp &op) {
  const FormatState &f = here().setup[size_t(role())].formats;
  const Cb &first = cbAt(op.cb0), &second = cbAt(op.cb1);
  switch (op.kind) {
  case tb::FpuKind::Matmul:
    requireFormat("SrcB", f.b, first);
    requireFormat("SrcA", f.a, second);
    break;
  case tb::FpuKind::Binary:
    requireFormat("SrcA", f.a, first);
    requireFormat("SrcB", f.b, second);
    break;
  case tb::FpuKind::ReuseDest:
    if (op.reuse == tb::Reuse::DestToSrcA)
      requireFormat("SrcB", f.b, first);
    else
      requireFormat("SrcA", f.a, first);
    break;
  case tb::FpuKind::UnaryBroadcast:
    requireFormat("SrcB", f.b, first);
    break;
  default:
    requireFormat("SrcA", f.a, first);
    break;
  }
}

/// `exact`: the operand goes to DST without passing a source register.
void Device::takeTile(Cb &cb, uint32_t tile, float *out, bool exact) {
  Core &core = here();
  if (tile >= cb.waited)
    fail("emulator.read-not-waited",
         fmt::format("the unpacker takes tile {} of {}, of which {} were waited for", tile,
                     describe(core, cb), cb.waited),
         "call cb_wait_front for all tiles that are used");
  if (cb.frontPage() + tile >= cb.pages())
    fail("emulator.cb-wrap",
         fmt::format("tile {} from page {} of {}, which has {}, lies beyond the ring's end", tile,
                     cb.frontPage(), describe(core, cb), cb.pages()),
         "the ring must be a multiple of what is waited for");
  if (cb.info->unpackToDestFp32 && !exact)
    fail("emulator.unpack-to-dest-operand",
         fmt::format("{} unpacks to DST as fp32, but a matrix-engine operation reads it",
                     describe(core, cb)),
         "only copy_tile may read a buffer with unpack_to_dest_fp32");
  const Range page = cb.window(cb.frontPage() + tile, 1);
  requireWritten(core, page, "the unpacker");
  decodeTile(core.l1->data(page.at), cb.info->dtype, out);
  if (cb.info->dtype == Dtype::F32 && !cb.info->unpackToDestFp32)
    for (int i = 0; i < tileElements; ++i)
      out[i] = truncateTf32(out[i]);
}

void Device::unpack(const tb::FpuOp &op) {
  Core &core = here();
  requireInit(op);
  Packet p;
  p.op = op;
  Cb &first = cbAt(op.cb0);
  const bool exact = op.kind == tb::FpuKind::Copy || op.kind == tb::FpuKind::UnaryBroadcast;
  p.first.resize(size_t(op.rt) * tileElements);
  for (uint32_t r = 0; r < op.rt; ++r)
    takeTile(first, op.tile0 + r * op.kt, p.first.data() + size_t(r) * tileElements, exact);
  int64_t bytes = int64_t(op.rt) * first.pageBytes();
  if (op.kind == tb::FpuKind::Matmul || op.kind == tb::FpuKind::Binary) {
    Cb &second = cbAt(op.cb1);
    p.second.resize(size_t(op.ct) * tileElements);
    for (uint32_t c = 0; c < op.ct; ++c)
      takeTile(second, op.tile1 + c, p.second.data() + size_t(c) * tileElements, false);
    // The larger side stays in its register; the other is unpacked again for every product.
    bytes = int64_t(std::min(op.rt, op.ct)) * (op.ct >= op.rt ? second : first).pageBytes() * 1 +
            int64_t(op.rt) * op.ct * (op.ct >= op.rt ? first : second).pageBytes();
  }
  eng.block([&core] { return core.source.size() < sourceBanks; },
            [&core] {
              return Engine::Wait{"a free bank of SrcA and SrcB", {core.threads[MathRole]}, {}};
            });
  spend(bytes / machine.timing.unpackBytesPerCycle);
  core.source.push_back(std::move(p));
  eng.wake(core.index);
}

void Device::checkDst(uint32_t first, uint32_t count) {
  if (uint64_t(first) + count > dstCapacity())
    fail("emulator.dst-index",
         fmt::format("DST tiles {} to {}, but DST holds {} tiles ({}, {})", first,
                     uint64_t(first) + count - 1, dstCapacity(),
                     manifest.fp32DestAcc ? "fp32" : "16 bit",
                     manifest.dstFullSync ? "full sync" : "half sync"),
         "use smaller sub-blocks");
}

void Device::requireAcquired(const char *what) {
  if (!here().dst.acquired)
    fail("emulator.dst-order",
         fmt::format("{} outside tile_regs_acquire and tile_regs_commit", what),
         "the order is acquire, math, commit, wait, pack, release");
}

float *Device::dstTile(uint32_t index) {
  Dst &d = here().dst;
  return d.half[size_t(d.mathHalf)].data() + size_t(index) * tileElements;
}

void Device::roundDst(float *tile) const {
  if (!manifest.fp32DestAcc)
    for (int i = 0; i < tileElements; ++i)
      tile[i] = roundBf16(tile[i]);
}

void Device::runMatmul(const tb::FpuOp &op, Packet &packet) {
  std::vector<float> turned(tileElements);
  const uint32_t transpose = here().setup[MathRole].init.transpose;
  for (uint32_t c = 0; c < op.ct; ++c) {
    const float *right = packet.second.data() + size_t(c) * tileElements;
    if (transpose) {
      transposeTile(turned.data(), right);
      right = turned.data();
    }
    for (uint32_t r = 0; r < op.rt; ++r)
      tileProduct(dstTile(op.dst + r * op.ct + c), packet.first.data() + size_t(r) * tileElements,
                  right, precision());
  }
}

void Device::runEltwise(const tb::FpuOp &op, Packet &packet) {
  float *dst = dstTile(op.dst);
  std::vector<float> other(tileElements);
  if (op.kind == tb::FpuKind::Copy) {
    const bool transpose = here().setup[MathRole].init.transpose;
    transpose ? transposeTile(dst, packet.first.data())
              : void(std::memcpy(dst, packet.first.data(), tileElements * sizeof(float)));
    return roundDst(dst);
  }
  if (op.kind == tb::FpuKind::UnaryBroadcast) {
    broadcastTile(dst, packet.first.data(), op.broadcast, 0);
    return roundDst(dst);
  }
  if (op.kind == tb::FpuKind::Binary) {
    broadcastTile(other.data(), packet.second.data(), op.broadcast, op.broadcastRow);
    return eltwiseTile(dst, packet.first.data(), other.data(), op.arith,
                       here().setup[MathRole].init.accumulate, precision());
  }
  // DST passes through a source register, which holds TF32.
  for (int i = 0; i < tileElements; ++i)
    other[size_t(i)] = truncateTf32(dst[i]);
  const bool toA = op.reuse == tb::Reuse::DestToSrcA;
  eltwiseTile(dst, toA ? other.data() : packet.first.data(),
              toA ? packet.first.data() : other.data(), op.arith, false, precision());
}

void Device::math(const tb::FpuOp &op) {
  Core &core = here();
  requireInit(op);
  requireAcquired(kindName(op.kind));
  checkDst(op.dst, op.rt * op.ct);
  if (op.broadcastRow >= uint32_t(tileSide))
    fail("emulator.dst-index",
         fmt::format("broadcast row {} of a tile of {} rows", op.broadcastRow, tileSide));
  eng.block(
      [&core] { return !core.source.empty(); },
      [&core] { return Engine::Wait{"operands from the unpacker", {core.threads[Unpack]}, {}}; });
  Packet packet = std::move(core.source.front());
  core.source.pop_front();
  eng.wake(core.index);
  const tb::FpuOp &p = packet.op;
  if (p.kind != op.kind || p.cb0 != op.cb0 || p.cb1 != op.cb1 || p.tile0 != op.tile0 ||
      p.tile1 != op.tile1 || p.rt != op.rt || p.ct != op.ct)
    fail("emulator.operand-mismatch",
         fmt::format("the matrix engine runs {} on buffers {} and {}, but the unpacker delivers {} "
                     "of {} and {}",
                     kindName(op.kind), op.cb0, op.cb1, kindName(p.kind), p.cb0, p.cb1),
         "all three compute threads must make the same calls");
  if (op.kind == tb::FpuKind::Matmul) {
    runMatmul(op, packet);
    return spend(machine.timing.productPhase * manifest.mathPhases * op.rt * op.ct);
  }
  runEltwise(op, packet);
  spend(machine.timing.eltwiseTile);
}

void Device::sfpuInit(tb::Sfpu code) {
  spend(machine.timing.call);
  here().setup[MathRole].sfpuInit = int(code);
}

void Device::sfpu(const tb::SfpuOp &op) {
  requireAcquired("a vector-engine operation");
  if (here().setup[MathRole].sfpuInit != int(op.init))
    fail("emulator.sfpu-init",
         fmt::format("vector-engine operation {} without its init (the last init was {})",
                     uint32_t(op.code), here().setup[MathRole].sfpuInit),
         "call the function's own _tile_init() right before it");
  for (uint32_t tile :
       {op.in0, op.inputs > 1 ? op.in1 : op.in0, op.inputs > 2 ? op.in2 : op.in0, op.out})
    checkDst(tile, 1);
  sfpuTile(op, dstTile(op.out), dstTile(op.in0), dstTile(op.in1 < dstCapacity() ? op.in1 : 0),
           dstTile(op.in2 < dstCapacity() ? op.in2 : 0), manifest.fp32DestAcc);
  spend(machine.timing.sfpuTile);
}

} // namespace tilewright::emulator
