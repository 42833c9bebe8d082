// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error rules that every operation shares: rounding, flushing, reading an operand
// (room-internal).
#pragma once

#include "tilewright/Reference/Precision.h"
#include "tilewright/Support/Random.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewright::reference {

inline constexpr double infinite = std::numeric_limits<double>::infinity();
/// Smallest normal number of f32 and bf16: what flushing a subnormal costs at most.
inline constexpr double smallestNormal = 0x1p-126;
/// Double arithmetic in this room errs by less: a few operations and libm calls of 2^-53 each.
inline constexpr double doubleSlack = 0x1p-48;
inline constexpr double unitRoundoff = 0x1p-24; // of the reference's own f32 arithmetic

/// `error` as a float that is not smaller; what cannot be bounded (NaN) is infinite.
inline float roundUp(double error) {
  if (std::isnan(error))
    return std::numeric_limits<float>::infinity();
  float result = float(error);
  return result < error ? std::nextafterf(result, std::numeric_limits<float>::infinity()) : result;
}

/// Half a bf16 ulp at the largest magnitude given: bf16 has 8 significant bits.
inline double halfUlpBf16(double magnitude) {
  if (!(magnitude < infinite))
    return infinite;
  int exponent = magnitude < smallestNormal ? -126 : std::ilogb(magnitude);
  return std::ldexp(1.0, exponent - 8);
}

/// n u / (1 - n u): the relative error of n roundings (Higham, "Accuracy and Stability of Numerical
/// Algorithms", lemma 3.1).
inline double gamma(double n, double u) {
  return n * u < 1 ? n * u / (1 - n * u) : infinite;
}

/// A value on the reference and the device's distance from it.
struct Number {
  double value;
  double error;
  double magnitude() const { return std::abs(value) + error; }
};

/// An operand as the device's unit reads it.
inline Number readOperand(float value, float error, bool bf16, const Precision &precision) {
  Number x{value, error};
  if (!bf16 && precision.fpuTruncation > 0)
    x.error += precision.fpuTruncation * x.magnitude();
  return x;
}

struct Rounded {
  float value;
  float error;
};

/// The result of an operation whose exact value on the reference's operands is `exact.value` and
/// whose device value before its last rounding is within `exact.error`. `decided` says that an
/// infinite or NaN result comes from an operand that was so on the device too.
inline Rounded finish(Number exact, bool bf16, bool decided, const Precision &precision) {
  float single = float(exact.value);
  float value = bf16 ? roundToBf16(single) : single;
  if (!std::isfinite(value))
    return {value, decided ? 0.0f : std::numeric_limits<float>::infinity()};
  double error = exact.error + precision.accumulateUlp * exact.magnitude() + smallestNormal;
  if (bf16)
    error += halfUlpBf16(std::abs(exact.value) + error);
  error += std::abs(double(value) - exact.value) + doubleSlack * std::abs(exact.value);
  if (std::abs(double(value)) + error > std::numeric_limits<float>::max())
    error = infinite;
  return {value, roundUp(error)};
}

} // namespace tilewright::reference
