// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 64-bit arithmetic that reports overflow instead of wrapping.
#pragma once

#include "tilewright/Support/Diagnostic.h"
#include <cstdint>
#include <optional>

namespace tilewright {

inline std::optional<int64_t> checkedAdd(int64_t a, int64_t b) {
  int64_t r;
  return __builtin_add_overflow(a, b, &r) ? std::nullopt : std::optional(r);
}
inline std::optional<int64_t> checkedMul(int64_t a, int64_t b) {
  int64_t r;
  return __builtin_mul_overflow(a, b, &r) ? std::nullopt : std::optional(r);
}

/// Quotient rounded towards minus infinity; `b` must not be 0.
inline int64_t floorDiv(int64_t a, int64_t b) {
  int64_t q = a / b;
  return (a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q;
}
/// Quotient rounded towards plus infinity; `b` must not be 0.
inline int64_t ceilDiv(int64_t a, int64_t b) {
  int64_t q = a / b;
  return (a % b != 0 && ((a < 0) == (b < 0))) ? q + 1 : q;
}

} // namespace tilewright
