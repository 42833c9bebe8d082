// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tile arithmetic against direct double arithmetic and hand-computed values.
#include "../../lib/Emulator/TTMetal/Math.h"
#include "../../lib/Emulator/TTMetal/Tile.h"
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace tilewright::emulator {
namespace {

TEST(Tile, RoundingToBf16) {
  EXPECT_EQ(roundBf16(1.0f + std::ldexp(1.0f, -8)), 1.0f); // tie, even below
  EXPECT_EQ(roundBf16(1.0f + 3 * std::ldexp(1.0f, -8)),
            1.0f + std::ldexp(1.0f, -6)); // tie, even above
  EXPECT_EQ(roundBf16(1.0f + std::ldexp(1.1f, -8)), 1.0f + std::ldexp(1.0f, -7));
  EXPECT_TRUE(std::isnan(roundBf16(floatOf(0x7f800001u))));
  EXPECT_TRUE(std::isinf(roundBf16(3.4e38f)));
}

TEST(Tile, FaceOrder) {
  std::vector<float> tile(tileElements), back(tileElements);
  for (int i = 0; i < tileElements; ++i)
    tile[size_t(i)] = float(i);
  std::vector<uint8_t> page(tileElements * 4);
  encodeTile(tile.data(), Dtype::F32, page.data());
  const float *raw = reinterpret_cast<const float *>(page.data());
  // Faces TL, TR, BL, BR: element (row, column) of the tile is row * 32 + column.
  EXPECT_EQ(raw[0], 0 * 32 + 0);
  EXPECT_EQ(raw[16], 1 * 32 + 0);
  EXPECT_EQ(raw[256], 0 * 32 + 16);
  EXPECT_EQ(raw[512], 16 * 32 + 0);
  EXPECT_EQ(raw[768 + 17], 17 * 32 + 17);
  decodeTile(page.data(), Dtype::F32, back.data());
  EXPECT_EQ(back, tile);
}

/// Product of two one-element tiles, all else zero.
float oneProduct(float left, float right, int phases, bool dst32 = true, float before = 0) {
  std::vector<float> a(tileElements), b(tileElements), d(tileElements);
  a[0] = left, b[0] = right, d[0] = before;
  tileProduct(d.data(), a.data(), b.data(), {phases, dst32});
  return d[0];
}

TEST(Math, FidelityPhases) {
  // left (SrcB) = 1 + 2^-7: high part 1, low part 2^-7. right (SrcA) = 1 + 2^-7: high 1, low 2^-7.
  const double e = std::ldexp(1, -7);
  const float v = float(1 + e);
  EXPECT_EQ(oneProduct(v, v, 1), 1.0f);
  EXPECT_EQ(oneProduct(v, v, 2), float(1 + e));             // + lowA * highB
  EXPECT_EQ(oneProduct(v, v, 3), float(1 + 2 * e));         // + highA * lowB
  EXPECT_EQ(oneProduct(v, v, 4), float(1 + 2 * e + e * e)); // + lowA * lowB
  // 2^-5 lies in the high part of SrcB (6 bits) but in the low part of SrcA (4 bits).
  const float w = float(1 + std::ldexp(1, -5));
  EXPECT_EQ(oneProduct(w, 1, 1), w);
  EXPECT_EQ(oneProduct(1, w, 1), 1.0f);
}

TEST(Math, SixteenBitDestination) {
  EXPECT_EQ(oneProduct(1, 1, 4, false, 256), 256.0f); // 257 is not a bf16 number: a tie, to even
  EXPECT_EQ(oneProduct(1, 1, 4, true, 256), 257.0f);
}

TEST(Math, ProductAgainstDouble) {
  std::vector<float> a(tileElements), b(tileElements), d(tileElements, 0.5f);
  for (int i = 0; i < tileElements; ++i) {
    a[size_t(i)] = float((i * 37) % 255 - 127) / 64;
    b[size_t(i)] = float((i * 91) % 253 - 126) / 64;
  }
  tileProduct(d.data(), a.data(), b.data(), {4, true});
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 32; ++j) {
      double sum = 0.5;
      for (int k = 0; k < 32; ++k)
        sum += double(a[size_t(i * 32 + k)]) * b[size_t(k * 32 + j)];
      EXPECT_EQ(d[size_t(i * 32 + j)], sum); // exact in fp32
    }
}

double function(tilewright_bridge::Sfpu code, float x, float scalar = 0) {
  std::vector<float> t(tileElements, x);
  tilewright_bridge::SfpuOp op;
  op.code = code;
  op.scalar0 = bitsOf(scalar);
  sfpuTile(op, t.data(), t.data(), t.data(), t.data(), true);
  return t[tileElements - 1];
}

TEST(Math, VectorFunctions) {
  using tilewright_bridge::Sfpu;
  EXPECT_FLOAT_EQ(float(function(Sfpu::Gelu, 1)), 0.8413447461f); // normal distribution at 1
  EXPECT_FLOAT_EQ(float(function(Sfpu::Sigmoid, 0)), 0.5f);
  EXPECT_FLOAT_EQ(float(function(Sfpu::Silu, 1)), 0.7310585786f);
  EXPECT_FLOAT_EQ(float(function(Sfpu::Tanh, 1)), 0.7615941560f);
  EXPECT_FLOAT_EQ(float(function(Sfpu::Erf, 1)), 0.8427007929f);
  EXPECT_FLOAT_EQ(float(function(Sfpu::Rsqrt, 4)), 0.5f);
  EXPECT_FLOAT_EQ(float(function(Sfpu::Exp2, 3, 1)), 8);
  EXPECT_FLOAT_EQ(float(function(Sfpu::RsubScalar, 3, 10)), 7);
  EXPECT_FLOAT_EQ(float(function(Sfpu::ReluMax, 9, 6)), 6);
}

} // namespace
} // namespace tilewright::emulator
