// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Number formats and tile layout: 32x32 elements stored as four 16x16 faces.
#pragma once

#include "tilewright/Emulator/TTMetal.h"
#include <bit>
#include <cstdint>

namespace tilewright::emulator {

constexpr int tileSide = 32, faceSide = 16, tileElements = tileSide * tileSide;

inline uint32_t bitsOf(float v) {
  return std::bit_cast<uint32_t>(v);
}
inline float floatOf(uint32_t v) {
  return std::bit_cast<float>(v);
}

/// Nearest bf16, ties to even; NaN stays NaN.
inline float roundBf16(float v) {
  const uint32_t b = bitsOf(v);
  if ((b & 0x7fffffffu) > 0x7f800000u)
    return floatOf((b | 0x400000u) & 0xffff0000u);
  return floatOf((b + 0x7fffu + ((b >> 16) & 1)) & 0xffff0000u);
}

/// The first `explicitBits` bits of the mantissa; the rest becomes zero.
inline float truncateMantissa(float v, int explicitBits) {
  return floatOf(bitsOf(v) & ~((1u << (23 - explicitBits)) - 1));
}

/// TF32 as the source registers hold fp32 operands: 10 explicit mantissa bits.
inline float truncateTf32(float v) {
  return truncateMantissa(v, 10);
}

inline int64_t elementBytes(Dtype dtype) {
  return dtype == Dtype::Bf16 ? 2 : 4;
}
inline const char *dtypeName(Dtype dtype) {
  return dtype == Dtype::Bf16 ? "bf16" : "f32";
}

/// A page in face order to 32x32 row-major floats, exact.
void decodeTile(const uint8_t *page, Dtype dtype, float *rowMajor);
/// 32x32 row-major floats to a page in face order; bf16 rounds to nearest even.
void encodeTile(const float *rowMajor, Dtype dtype, uint8_t *page);

} // namespace tilewright::emulator
