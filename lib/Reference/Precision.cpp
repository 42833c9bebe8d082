// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fidelity: what a multiplier that works in phases loses.
#include "tilewright/Reference/Precision.h"
#include "tilewright/Support/Diagnostic.h"
#include <cmath>

namespace tilewright::reference {

/// Largest |lo| / |hi + lo| when the upper `upper` of `significand` bits are hi: hi is smallest
/// with its hidden bit alone, and lo largest with all its bits set.
static double lowerPart(int significand, int upper) {
  if (upper >= significand)
    return 0;
  double lo = (std::ldexp(1.0, significand - upper) - 1) * std::ldexp(1.0, 1 - significand);
  return lo / (1 + lo);
}

double fidelityLoss(int phases, int significand, int upperA, int upperB) {
  double a = lowerPart(significand, upperA), b = lowerPart(significand, upperB);
  switch (phases) {
  case 1: // ab - hi(a) hi(b)
    return a + b - a * b;
  case 2: // a lo(b)
    return b;
  case 3: // lo(a) lo(b)
    return a * b;
  case 4:
    return 0;
  }
  throw Error(Kind::User, "reference.phases",
              "a multiplication has 1 to 4 phases, not " + std::to_string(phases),
              "take the phases of the machine's fidelity");
}

Precision Precision::ofMultiplier(int phases, int upperA, int upperB, int significand) {
  constexpr int bf16Significand = 8; // of the format: the hidden bit and seven more
  Precision precision;
  precision.fidelityLoss =
      reference::fidelityLoss(phases, std::min(bf16Significand, significand), upperA, upperB);
  precision.fidelityLossF32 = reference::fidelityLoss(phases, significand, upperA, upperB);
  precision.fpuTruncation = std::ldexp(1.0, 1 - significand);
  return precision;
}

} // namespace tilewright::reference
