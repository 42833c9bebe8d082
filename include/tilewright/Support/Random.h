// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deterministic test data: the same seed gives the same bits on every platform, for ever. Integer
// arithmetic only, so that no math library has a say; golden values are in the tests.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilewright {

/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  /// 64 uniform bits.
  uint64_t next();
  /// Uniform in [0, 1), a multiple of 2^-24.
  float uniform();
  /// Uniform in [0, bound); `bound` must be positive. The bias is below bound / 2^64.
  uint64_t below(uint64_t bound);
  /// Mean 0, standard deviation 1 - 2^-33, |x| < 6, a multiple of 2^-16: the sum of twelve uniform
  /// 16-bit integers (Irwin-Hall), centred and divided by 2^16. Exact in float.
  float normal();

private:
  uint64_t state;
};

/// A seed of its own for each tensor, so that adding a tensor does not change the others (FNV-1a of
/// the name, mixed with `seed`).
uint64_t seedFor(uint64_t seed, std::string_view name);

/// `count` values scale * normal(); rounded to bf16 if asked.
std::vector<float> normalValues(uint64_t seed, int64_t count, bool bf16, float scale = 1.0f);

/// Nearest bf16, ties to even, as a float. NaN stays NaN (quiet), infinities stay, and values
/// beyond the largest bf16 by half an ulp or more become infinite.
float roundToBf16(float value);

} // namespace tilewright
