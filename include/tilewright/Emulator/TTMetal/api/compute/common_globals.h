// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three compute threads: each call does only its thread's part.
#pragma once

#include "../detail_common.h"

#if !defined(TRISC_UNPACK) && !defined(TRISC_MATH) && !defined(TRISC_PACK)
#error "compute API used in a data-movement kernel"
#endif

#ifdef TRISC_UNPACK
#define UNPACK(x) x
#else
#define UNPACK(x)
#endif
#ifdef TRISC_MATH
#define MATH(x) x
#else
#define MATH(x)
#endif
#ifdef TRISC_PACK
#define PACK(x) x
#else
#define PACK(x)
#endif

namespace ckernel {

enum class EltwiseBinaryType : uint8_t { ELWMUL, ELWDIV, ELWADD, ELWSUB, ELWLESS };
enum class BroadcastType : uint8_t { NONE = 0, COL = 1, ROW = 2, SCALAR = 3 };
enum class EltwiseBinaryReuseDestType : uint8_t { NONE = 0, DEST_TO_SRCA = 1, DEST_TO_SRCB = 2 };
enum class VectorMode : uint8_t { None = 0, R = 1, C = 2, RC = 4 };

namespace detail {
using tilewright_bridge::FpuKind;
using tilewright_bridge::FpuOp;
using tilewright_bridge::Sfpu;
using tilewright_bridge::SfpuOp;

constexpr tilewright_bridge::Arith arith(EltwiseBinaryType type) {
  return type == EltwiseBinaryType::ELWADD   ? tilewright_bridge::Arith::Add
         : type == EltwiseBinaryType::ELWSUB ? tilewright_bridge::Arith::Sub
                                             : tilewright_bridge::Arith::Mul;
}
constexpr tilewright_bridge::Broadcast broadcast(BroadcastType type) {
  return tilewright_bridge::Broadcast(uint32_t(type));
}
/// An init concerns the unpacker and the matrix engine; the packer has its own.
inline void init(const FpuOp &op) {
  UNPACK((tilewright_kernel::bridge().init(&op)));
  MATH((tilewright_kernel::bridge().init(&op)));
}
inline void issue(const FpuOp &op) {
  UNPACK((tilewright_kernel::bridge().unpack(&op)));
  MATH((tilewright_kernel::bridge().math(&op)));
}
inline void sfpuInit(Sfpu code) {
  MATH((tilewright_kernel::bridge().sfpuInit(code)));
}
inline void sfpu(const SfpuOp &op) {
  MATH((tilewright_kernel::bridge().sfpu(&op)));
}
inline void unary(Sfpu code, Sfpu init, uint32_t dst, uint32_t a = 0, uint32_t b = 0,
                  uint32_t c = 0) {
  SfpuOp op;
  op.code = code, op.init = uint32_t(init), op.in0 = dst, op.out = dst;
  op.scalar0 = a, op.scalar1 = b, op.scalar2 = c;
  sfpu(op);
}
inline void binary(Sfpu code, uint32_t a, uint32_t b, uint32_t out) {
  SfpuOp op;
  op.code = code, op.init = uint32_t(code), op.in0 = a, op.in1 = b, op.out = out, op.inputs = 2;
  sfpu(op);
}
inline uint32_t bits(float value) {
  union {
    float f;
    uint32_t u;
  } pun = {value};
  return pun.u;
}
} // namespace detail

} // namespace ckernel
using namespace ckernel;
