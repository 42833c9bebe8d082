// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tile arithmetic. Compiled with optimisation and without contraction into fused operations, so
// that every host gives the same bits.
#include "Math.h"
#include "Tile.h"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace tilewright::emulator {

using tilewright_bridge::Arith;
using tilewright_bridge::Broadcast;
using tilewright_bridge::Sfpu;

constexpr int highBitsSrcA = 4; ///< explicit bits of the first phase; the hidden bit makes 5
constexpr int highBitsSrcB = 6; ///< the hidden bit makes 7

namespace {

/// The parts of an operand that a fidelity needs. A product of parts is exact in fp32, so
/// phases can be folded: LoFi Ah*Bh; HiFi2 A*Bh; HiFi3 A*Bh + Ah*Bl; HiFi4 A*B.
struct Parts {
  alignas(64) float main[tileElements];
  alignas(64) float extra[tileElements]; ///< second factor of HiFi3
};

void splitSrcA(const float *in, int phases, Parts &out) {
  for (int i = 0; i < tileElements; ++i) {
    const float high = truncateMantissa(in[i], highBitsSrcA);
    out.main[i] = phases == 1 ? high : in[i];
    out.extra[i] = high;
  }
}

void splitSrcB(const float *in, int phases, Parts &out) {
  for (int i = 0; i < tileElements; ++i) {
    const float high = truncateMantissa(in[i], highBitsSrcB);
    out.main[i] = phases == 4 ? in[i] : high;
    out.extra[i] = in[i] - high;
  }
}

template <bool twoParts>
void accumulateRow(float *acc, const Parts &b, const Parts &a, int row, int from, int to) {
  for (int k = from; k < to; ++k) {
    const float left = b.main[row * tileSide + k], leftLow = b.extra[row * tileSide + k];
    const float *right = a.main + k * tileSide, *rightHigh = a.extra + k * tileSide;
    for (int j = 0; j < tileSide; ++j) {
      float product = left * right[j];
      if (twoParts)
        product += leftLow * rightHigh[j];
      acc[j] += product;
    }
  }
}

} // namespace

void tileProduct(float *dst, const float *srcB, const float *srcA, Precision precision) {
  Parts a, b;
  splitSrcA(srcA, precision.phases, a);
  splitSrcB(srcB, precision.phases, b);
  for (int row = 0; row < tileSide; ++row) {
    float acc[tileSide];
    std::memcpy(acc, dst + row * tileSide, sizeof acc);
    // The engine works on 16 values of k at a time, and a 16-bit DST is rounded after each.
    for (int from = 0; from < tileSide; from += faceSide) {
      if (precision.phases == 3)
        accumulateRow<true>(acc, b, a, row, from, from + faceSide);
      else
        accumulateRow<false>(acc, b, a, row, from, from + faceSide);
      if (!precision.dst32)
        for (float &v : acc)
          v = roundBf16(v);
    }
    std::memcpy(dst + row * tileSide, acc, sizeof acc);
  }
}

static float multiply(float a, float b, int phases) {
  const float highA = truncateMantissa(a, highBitsSrcA), highB = truncateMantissa(b, highBitsSrcB);
  float product = (phases == 1 ? highA : a) * (phases == 4 ? b : highB);
  if (phases == 3)
    product += highA * (b - highB);
  return product;
}

void eltwiseTile(float *dst, const float *a, const float *b, Arith arith, bool accumulate,
                 Precision precision) {
  for (int i = 0; i < tileElements; ++i) {
    float v = arith == Arith::Add   ? a[i] + b[i]
              : arith == Arith::Sub ? a[i] - b[i]
                                    : multiply(a[i], b[i], precision.phases);
    if (accumulate)
      v += dst[i];
    dst[i] = precision.dst32 ? v : roundBf16(v);
  }
}

void broadcastTile(float *out, const float *in, Broadcast kind, uint32_t row) {
  for (int i = 0; i < tileElements; ++i) {
    const int from = kind == Broadcast::Column   ? i / tileSide * tileSide
                     : kind == Broadcast::Row    ? int(row) * tileSide + i % tileSide
                     : kind == Broadcast::Scalar ? 0
                                                 : i;
    out[i] = in[from];
  }
}

void transposeTile(float *out, const float *in) {
  for (int row = 0; row < tileSide; ++row)
    for (int column = 0; column < tileSide; ++column)
      out[column * tileSide + row] = in[row * tileSide + column];
}

void packerRelu(float *tile, uint32_t mode, float threshold) {
  for (int i = 0; i < tileElements; ++i) {
    const float v = tile[i];
    tile[i] = mode == 0   ? v
              : mode == 1 ? (v > 0 ? v : 0)
              : mode == 2 ? (v > threshold ? v : 0)
                          : (v > 0 ? std::min(v, threshold) : 0);
  }
}

static double normalCdf(double x) {
  return 0.5 * std::erfc(-x * M_SQRT1_2);
}
static double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
static double geluTanh(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}
static double softplus(double x, double beta, double threshold) {
  return beta * x > threshold ? x : std::log1p(std::exp(beta * x)) / beta;
}

namespace {
/// Scalars of one operation, as numbers.
struct Scalars {
  double a, b, c;
  uint32_t bits;
};
} // namespace

static double unaryValue(Sfpu code, double x, const Scalars &s) {
  switch (code) {
  case Sfpu::Exp:
    return std::exp(x * s.a);
  case Sfpu::Exp2:
    return std::exp2(x);
  case Sfpu::Expm1:
    return std::expm1(x);
  case Sfpu::Log:
    return std::log(x);
  case Sfpu::LogBase:
    return std::log(x) * s.a;
  case Sfpu::Log1p:
    return std::log1p(x);
  case Sfpu::Sqrt:
    return std::sqrt(x);
  case Sfpu::Rsqrt:
    return 1 / std::sqrt(x);
  case Sfpu::Recip:
    return 1 / x;
  case Sfpu::Sigmoid:
    return sigmoid(x);
  case Sfpu::Silu:
    return x * sigmoid(x);
  case Sfpu::Tanh:
    return std::tanh(x);
  case Sfpu::Gelu:
    return x * normalCdf(x);
  case Sfpu::GeluTanh:
    return geluTanh(x);
  case Sfpu::Relu:
    return x > 0 ? x : 0;
  case Sfpu::ReluMax:
    return x > 0 ? std::min(x, s.a) : 0;
  case Sfpu::ReluMin:
    return x > s.a ? x : 0;
  case Sfpu::LeakyRelu:
    return x < 0 ? x * s.a : x;
  case Sfpu::Elu:
    return x < 0 ? s.a * std::expm1(x) : x;
  case Sfpu::Softplus:
    return softplus(x, s.a, s.c);
  case Sfpu::Abs:
    return std::fabs(x);
  case Sfpu::Sign:
    return x > 0 ? 1 : x < 0 ? -1 : 0;
  case Sfpu::Square:
    return x * x;
  case Sfpu::Negative:
    return -x;
  case Sfpu::Erf:
    return std::erf(x);
  case Sfpu::Erfc:
    return std::erfc(x);
  case Sfpu::Sin:
    return std::sin(x);
  case Sfpu::Cos:
    return std::cos(x);
  case Sfpu::Tan:
    return std::tan(x);
  case Sfpu::Power:
    return std::pow(x, s.a);
  case Sfpu::Clamp:
    return std::min(std::max(x, s.a), s.b);
  case Sfpu::Fill:
    return s.a;
  case Sfpu::Typecast:
    return s.bits == 0 ? x : double(roundBf16(float(x)));
  case Sfpu::UnaryMax:
    return std::max(x, s.a);
  case Sfpu::UnaryMin:
    return std::min(x, s.a);
  case Sfpu::Floor:
    return std::floor(x);
  case Sfpu::Ceil:
    return std::ceil(x);
  case Sfpu::Trunc:
    return std::trunc(x);
  case Sfpu::Round:
    return std::nearbyint(x);
  case Sfpu::Eqz:
    return x == 0;
  case Sfpu::Nez:
    return x != 0;
  case Sfpu::Ltz:
    return x < 0;
  case Sfpu::Lez:
    return x <= 0;
  case Sfpu::Gtz:
    return x > 0;
  case Sfpu::Gez:
    return x >= 0;
  case Sfpu::AddScalar:
    return x + s.a;
  case Sfpu::SubScalar:
    return x - s.a;
  case Sfpu::MulScalar:
    return x * s.a;
  case Sfpu::DivScalar:
    return x * s.a; // the kernel passes the reciprocal
  case Sfpu::RsubScalar:
    return s.a - x;
  default:
    return x; // Identity, CopyDest
  }
}

static double binaryValue(Sfpu code, double x, double y) {
  switch (code) {
  case Sfpu::AddBinary:
    return x + y;
  case Sfpu::SubBinary:
    return x - y;
  case Sfpu::MulBinary:
    return x * y;
  case Sfpu::DivBinary:
    return x / y;
  case Sfpu::RsubBinary:
    return y - x;
  case Sfpu::PowerBinary:
    return std::pow(x, y);
  case Sfpu::MaxBinary:
    return std::max(x, y);
  default:
    return std::min(x, y); // MinBinary
  }
}

void sfpuTile(const tilewright_bridge::SfpuOp &op, float *out, const float *in0, const float *in1,
              const float *in2, bool dst32) {
  const Scalars s{floatOf(op.scalar0), floatOf(op.scalar1), floatOf(op.scalar2), op.scalar0};
  for (int i = 0; i < tileElements; ++i) {
    const float v = op.inputs == 3   ? (in0[i] != 0 ? in1[i] : in2[i])
                    : op.inputs == 2 ? float(binaryValue(op.code, in0[i], in1[i]))
                                     : float(unaryValue(op.code, in0[i], s));
    out[i] = dst32 ? v : roundBf16(v);
  }
}

} // namespace tilewright::emulator
