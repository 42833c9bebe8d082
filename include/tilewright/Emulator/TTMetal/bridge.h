// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only contact between a compiled kernel and the emulator: a table of functions and plain
// structs. Included by the emulator (C++20) and by every API header (C++17), so it holds nothing
// heavy.
#pragma once

#include <cstdint>

namespace tilewright_bridge {

enum class FpuKind : uint32_t { None, Matmul, Copy, Binary, ReuseDest, UnaryBroadcast };
enum class Arith : uint32_t { Add, Sub, Mul };
enum class Broadcast : uint32_t { None, Column, Row, Scalar };
/// Which source register takes the destination tile in a ReuseDest operation.
enum class Reuse : uint32_t { None, DestToSrcA, DestToSrcB };

/// One matrix-engine operation. An init fills everything but tiles and dst.
struct FpuOp {
  FpuKind kind = FpuKind::None;
  uint32_t cb0 = 0, cb1 = 0;     ///< operands in the API's natural order
  uint32_t tile0 = 0, tile1 = 0; ///< tile indices from the front of the buffers
  uint32_t dst = 0;
  uint32_t ct = 1, rt = 1, kt = 1; ///< matmul block: columns, rows, row stride of operand 0
  uint32_t transpose = 0;
  Arith arith = Arith::Add;
  Broadcast broadcast = Broadcast::None;
  uint32_t broadcastRow = 0;
  Reuse reuse = Reuse::None;
  uint32_t accumulate = 0; ///< add to what DST holds
};

/// Vector-engine functions on DST tiles. Scalars are raw fp32 bits.
enum class Sfpu : uint32_t {
  Exp,
  Exp2,
  Expm1,
  Log,
  LogBase,
  Log1p,
  Sqrt,
  Rsqrt,
  Recip,
  Sigmoid,
  Silu,
  Tanh,
  Gelu,
  GeluTanh,
  Relu,
  ReluMax,
  ReluMin,
  LeakyRelu,
  Elu,
  Softplus,
  Abs,
  Sign,
  Square,
  Negative,
  Erf,
  Erfc,
  Sin,
  Cos,
  Tan,
  Power,
  Clamp,
  Fill,
  Typecast,
  Identity,
  UnaryMax,
  UnaryMin,
  Floor,
  Ceil,
  Trunc,
  Round,
  Eqz,
  Nez,
  Ltz,
  Lez,
  Gtz,
  Gez,
  BinopWithScalar, // init only
  AddScalar,
  SubScalar,
  MulScalar,
  DivScalar,
  RsubScalar,
  AddBinary,
  SubBinary,
  MulBinary,
  DivBinary,
  RsubBinary,
  PowerBinary,
  MaxBinary,
  MinBinary,
  CopyDest,
  Where,
  Rounding // Rounding: init only
};

struct SfpuOp {
  Sfpu code = Sfpu::Identity;
  uint32_t init = 0; ///< the init (a Sfpu value) that this operation needs
  uint32_t in0 = 0, in1 = 0, in2 = 0, out = 0; ///< DST tiles
  uint32_t inputs = 1;                         ///< how many of in0..in2 are read
  uint32_t scalar0 = 0, scalar1 = 0, scalar2 = 0;
};

struct Transfer {
  uint64_t remote = 0; ///< NoC address
  uint32_t local = 0;  ///< L1 address of the calling core
  uint32_t bytes = 0;
  uint32_t noc = 0, vc = 1;
  uint32_t destinations = 0; ///< multicast: as the kernel states it
  bool linked = false, loopback = false, posted = false;
};

enum class Fence : uint32_t { Reads, Writes, WritesFlushed, Atomics, All };
enum class Configure : uint32_t { Startup, SourceA, SourceB, Pack, PackInit, L1Accumulate, Relu };

struct Bridge {
  uint32_t (*runtimeArg)(int32_t index);
  uint32_t (*logicalX)();
  uint32_t (*logicalY)();
  void (*cbReserve)(uint32_t cb, uint32_t pages);
  void (*cbPush)(uint32_t cb, uint32_t pages);
  void (*cbWait)(uint32_t cb, uint32_t pages);
  void (*cbPop)(uint32_t cb, uint32_t pages);
  uint32_t (*cbFree)(uint32_t cb, uint32_t pages);
  uint32_t (*cbAvailable)(uint32_t cb, uint32_t pages);
  uint32_t (*cbWritePointer)(uint32_t cb);
  uint32_t (*cbReadPointer)(uint32_t cb);
  uint32_t (*cbPageBytes)(uint32_t cb);
  uint32_t (*cbFormat)(uint32_t cb);
  uint64_t (*nocAddress)(uint32_t x, uint32_t y, uint32_t address);
  uint64_t (*ownAddress)(uint32_t address);
  uint64_t (*multicastAddress)(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,
                               uint32_t address);
  uint64_t (*pageAddress)(uint32_t base, uint32_t page, uint32_t pageBytes, uint32_t offset);
  void (*read)(const Transfer *transfer);
  void (*write)(const Transfer *transfer);
  void (*multicast)(const Transfer *transfer);
  void (*writeWord)(const Transfer *transfer, uint32_t value);
  void (*atomicAdd)(const Transfer *transfer, uint32_t value);
  void (*atomicAddMulticast)(const Transfer *transfer, uint32_t value);
  void (*fence)(Fence fence, uint32_t noc);
  uint32_t (*semaphoreAddress)(uint32_t id);
  void (*semaphoreSet)(uint64_t address, uint32_t value);
  uint32_t (*semaphoreRead)(uint64_t address);
  void (*semaphoreWait)(uint64_t address, uint32_t value, uint32_t atLeast);
  void (*configure)(Configure what, uint32_t a, uint32_t b, uint32_t c);
  void (*init)(const FpuOp *op);
  void (*unpack)(const FpuOp *op);
  void (*math)(const FpuOp *op);
  void (*sfpuInit)(Sfpu code);
  void (*sfpu)(const SfpuOp *op);
  void (*dstAcquire)();
  void (*dstCommit)();
  void (*dstWait)();
  void (*dstRelease)();
  void (*packTile)(uint32_t dst, uint32_t cb, uint32_t outOfOrder, uint32_t index);
  void (*spin)();                 ///< called now and then by running loops: counts work
  void (*rawAccess)(uint64_t at); ///< the kernel dereferenced a device address
};

} // namespace tilewright_bridge

#ifdef TILEWRIGHT_KERNEL
/// Set once after loading; each kernel is its own shared object, so this is private to it.
extern "C" __attribute__((visibility("hidden")))
const tilewright_bridge::Bridge *tilewright_bridge_table;
#endif
