// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a correct device's arithmetic may be from exact arithmetic. Plain numbers: the caller
// takes them from the machine's description. docs/numerics.md derives what they mean.
#pragma once

#include "tilewright/IR/Tw.h"
#include <map>

namespace tilewright::reference {

/// |f~(x) - f(x)| <= relative * |f(x)| + absolute for every x.
struct Approximation {
  double relative = 0, absolute = 0;
};

struct Precision {
  /// Part of |a * b| that a multiplication of two bf16 operands may lose (docs/numerics.md,
  /// "fidelity").
  double fidelityLoss = 0;
  /// The same when an operand is f32.
  double fidelityLossF32 = 0;
  /// Relative error of one f32 operation on the device: a rounding, or the step of a sum.
  double accumulateUlp = 0x1p-24;
  /// Relative error of reading an f32 operand: 2^-10 where it is cut to TF32.
  double fpuTruncation = 0;
  /// Relative error of reading an f32 accumulator back at each step of a sum.
  double accumulatorReload = 0;
  /// Error of the device's functions; a function that is absent has the error of one f32 rounding.
  std::map<tw::UnaryKind, Approximation> sfpu;
  /// Error of the device's division.
  Approximation divide;

  /// f32 arithmetic that rounds to nearest, with sums in any order.
  static Precision exact() { return {}; }
  /// A multiplier that reads `significand` bits (hidden bit included: 11 for TF32) and keeps
  /// `upperA` bits of one operand and `upperB` bits of the other in its first phase; `phases`
  /// in 1..4.
  static Precision ofMultiplier(int phases, int upperA, int upperB, int significand);
};

/// Part of |a * b| lost for operands of `significand` bits when only `phases` of the four partial
/// products hi*hi, lo(A)*hi(B), hi(A)*lo(B), lo*lo are added, in this order.
double fidelityLoss(int phases, int significand, int upperA, int upperB);

} // namespace tilewright::reference
