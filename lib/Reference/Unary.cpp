// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of one operand: the value (in double, so that its own error does not count) and how far
// the function can move when its operand moves.
#include "Block.h"
#include "Rounding.h"
#include <numbers>

namespace tilewright::reference {

using tw::UnaryKind;

static double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

/// 0.5 x (1 + tanh(z)) = x sigmoid(2 z), which does not cancel for negative x.
static double geluTanh(double x) {
  double z = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  return x * sigmoid(2 * z);
}

static double value(UnaryKind kind, double x) {
  switch (kind) {
  case UnaryKind::Neg:
    return -x;
  case UnaryKind::Abs:
    return std::abs(x);
  case UnaryKind::Exp:
    return std::exp(x);
  case UnaryKind::Exp2:
    return std::exp2(x);
  case UnaryKind::Log:
    return std::log(x);
  case UnaryKind::Sqrt:
    return std::sqrt(x);
  case UnaryKind::Rsqrt:
    return 1 / std::sqrt(x);
  case UnaryKind::Reciprocal:
    return 1 / x;
  case UnaryKind::Sigmoid:
    return sigmoid(x);
  case UnaryKind::Silu:
    return x * sigmoid(x);
  case UnaryKind::Tanh:
    return std::tanh(x);
  case UnaryKind::Gelu:
    return 0.5 * x * std::erfc(-x / std::numbers::sqrt2);
  case UnaryKind::GeluTanh:
    return geluTanh(x);
  case UnaryKind::Relu:
    return x < 0 ? 0 : x;
  case UnaryKind::Square:
    return x * x;
  case UnaryKind::Erf:
    return std::erf(x);
  case UnaryKind::Sin:
    return std::sin(x);
  case UnaryKind::Cos:
    return std::cos(x);
  }
  llvm_unreachable("all unary kinds are listed");
}

/// Lowest point of the domain on which the function is defined and monotone around `x`; -infinity
/// if that is everything.
static double domainStart(UnaryKind kind) {
  bool positive = kind == UnaryKind::Log || kind == UnaryKind::Sqrt || kind == UnaryKind::Rsqrt;
  return positive ? 0 : -infinite;
}

/// A monotone function moves most at an end of the interval; beyond its domain it moves without
/// bound.
static double monotoneSpread(UnaryKind kind, Number x, double y, bool neverNegative) {
  double low = x.value - x.error, high = x.value + x.error;
  if (neverNegative) // on the device neither
    low = std::max(low, 0.0);
  if (x.error == 0)
    return 0;
  if (low < domainStart(kind) || (kind == UnaryKind::Reciprocal && low <= 0 && high >= 0))
    return infinite;
  return std::max(std::abs(value(kind, low) - y), std::abs(value(kind, high) - y));
}

/// Largest |f'| anywhere, for functions that are not monotone (docs/numerics.md, "functions").
static double lipschitz(UnaryKind kind) {
  switch (kind) {
  case UnaryKind::Silu:
    return 1.1;
  case UnaryKind::Gelu:
  case UnaryKind::GeluTanh:
    return 1.13;
  case UnaryKind::Abs:
  case UnaryKind::Sin:
  case UnaryKind::Cos:
    return 1;
  default:
    return infinite;
  }
}

/// How far f can move from y = f(x.value) when x moves within its error.
static double spread(UnaryKind kind, Number x, double y, bool neverNegative) {
  if (x.error == 0)
    return 0;
  if (kind == UnaryKind::Square)
    return (2 * std::abs(x.value) + x.error) * x.error;
  double constant = lipschitz(kind);
  return constant < infinite ? constant * x.error
                             : monotoneSpread(kind, x, y, neverNegative);
}

/// Rounds nothing if the result's type holds the operand.
static bool selects(UnaryKind kind) {
  return kind == UnaryKind::Neg || kind == UnaryKind::Abs || kind == UnaryKind::Relu;
}

/// Functions whose results are at least 0 whatever they are given; approximations keep that.
static bool isNeverNegative(UnaryKind kind) {
  return kind == UnaryKind::Abs || kind == UnaryKind::Relu || kind == UnaryKind::Square;
}

static Rounded evaluate(UnaryKind kind, Number x, bool neverNegative, bool toBf16, bool decided,
                        Approximation device, const Precision &precision) {
  double y = value(kind, x.value);
  // Where the operand is infinite it is so on the device, and nothing moves.
  double moved = std::isfinite(x.value) ? spread(kind, x, y, neverNegative) + doubleSlack * std::abs(y) : 0;
  double error = moved + device.relative * (std::abs(y) + moved) + device.absolute;
  return finish({y, error}, toBf16, decided, precision);
}

BlockPtr unary(UnaryKind kind, const Block &operand, bool toBf16, const Precision &precision) {
  auto result = std::make_shared<Block>(makeBlock(operand.dims, operand.valid, toBf16));
  auto found = precision.sfpu.find(kind);
  Approximation device = found == precision.sfpu.end() ? Approximation{} : found->second;
  result->neverNegative = isNeverNegative(kind);
  bool exactly = selects(kind) && (!toBf16 || operand.bf16);
  for (size_t i = 0; i < operand.value.size(); ++i) {
    float x = operand.value[i], error = operand.error[i];
    bool decided = !std::isfinite(x) && error == 0;
    Rounded y{float(value(kind, x)), error};
    if (!exactly)
      y = error < infinite || decided
              ? evaluate(kind, readOperand(x, error, operand.bf16, precision),
                         operand.neverNegative, toBf16, decided, device, precision)
              : finish({value(kind, x), infinite}, toBf16, false, precision);
    result->value[i] = y.value;
    result->error[i] = y.error;
  }
  return result;
}

} // namespace tilewright::reference
