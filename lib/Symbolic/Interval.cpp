// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interval arithmetic; see Interval.h for the meaning of ends at the limits.
#include "tilewright/Symbolic/Interval.h"
#include "Node.h"
#include "tilewright/Support/Checked.h"
#include <algorithm>

namespace tilewright::symbolic {

static constexpr Wide beyond = Wide(1) << 63; ///< "no limit" upwards; INT64_MIN is its mirror image

static Wide upper(int64_t hi) {
  return hi == INT64_MAX ? beyond : Wide(hi);
}

static int64_t clamp(Wide v) {
  return v > INT64_MAX ? INT64_MAX : v < INT64_MIN ? INT64_MIN : int64_t(v);
}

static Interval mulSlow(Interval a, Interval b) {
  Wide alo = a.lo, ahi = upper(a.hi), blo = b.lo, bhi = upper(b.hi);
  auto [lo, hi] = std::minmax({alo * blo, alo * bhi, ahi * blo, ahi * bhi});
  return {clamp(lo), clamp(hi)};
}

Interval mulIntervals(Interval a, Interval b) {
  Interval r;
  if (a.lo < 0 || b.lo < 0 || __builtin_mul_overflow(a.lo, b.lo, &r.lo) ||
      __builtin_mul_overflow(a.hi, b.hi, &r.hi))
    return mulSlow(a, b);
  return r;
}

/// x + y where an end at the limit absorbs everything.
static int64_t addLow(int64_t x, Wide y) {
  return x == INT64_MIN || y <= INT64_MIN ? INT64_MIN : clamp(x + y);
}
static int64_t addHigh(int64_t x, Wide y) {
  return x == INT64_MAX || y > INT64_MAX ? INT64_MAX : clamp(x + y);
}

Interval addScaled(Interval a, int64_t coefficient, Interval b) {
  Wide c = coefficient, lo = c * b.lo, hi = c * upper(b.hi);
  if (c < 0)
    std::swap(lo, hi);
  return {addLow(a.lo, lo), addHigh(a.hi, hi)};
}

/// a divided by a divisor that does not change sign. Monotone in each argument, so corners decide.
static Interval divideOneSign(Op op, Interval a, Interval b) {
  auto quotient = [&](Wide x, Wide y) {
    if (y == -1)
      return -x;
    return Wide(op == Op::FloorDiv ? floorDiv(int64_t(x), int64_t(y))
                                   : ceilDiv(int64_t(x), int64_t(y)));
  };
  auto [lo, hi] = std::minmax(
      {quotient(a.lo, b.lo), quotient(a.lo, b.hi), quotient(a.hi, b.lo), quotient(a.hi, b.hi)});
  return {clamp(lo), clamp(hi)};
}

static Interval modPositive(Interval a, Interval b) {
  if (b.lo == b.hi) {
    int64_t q = floorDiv(a.lo, b.lo);
    if (q == floorDiv(a.hi, b.lo)) // the whole range lies in one period
      return {int64_t(Wide(a.lo) - Wide(q) * b.lo), int64_t(Wide(a.hi) - Wide(q) * b.lo)};
  }
  if (a.lo >= 0 && a.hi < b.lo)
    return a;
  return {0, a.lo >= 0 ? std::min(a.hi, b.hi - 1) : b.hi - 1};
}

/// mod(a, b) = -mod(-a, -b) for a negative divisor.
static Interval modNegative(Interval a, Interval b) {
  if (b.lo == INT64_MIN || a.lo == INT64_MIN)
    return {b.lo + 1, 0};
  Interval r = modPositive({-a.hi, -a.lo}, {-b.hi, -b.lo});
  return {-r.hi, -r.lo};
}

static Interval hull(Interval a, Interval b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

static Interval oneSign(Op op, Interval a, Interval b) {
  if (op != Op::Mod)
    return divideOneSign(op, a, b);
  return b.lo > 0 ? modPositive(a, b) : modNegative(a, b);
}

Interval divideIntervals(Op op, Interval a, Interval b) {
  if (a.lo >= 0 && b.lo > 0 && op != Op::Mod) {
    if (op == Op::FloorDiv)
      return {a.lo / b.hi, a.hi / b.lo};
    return {a.lo == 0 ? 0 : (a.lo - 1) / b.hi + 1, a.hi == 0 ? 0 : (a.hi - 1) / b.lo + 1};
  }
  if (b.lo > 0 || b.hi < 0)
    return oneSign(op, a, b);
  if (b.lo == 0 && b.hi == 0)
    return {0, 0};
  if (b.lo == 0)
    return oneSign(op, a, {1, b.hi});
  if (b.hi == 0)
    return oneSign(op, a, {b.lo, -1});
  return hull(oneSign(op, a, {b.lo, -1}), oneSign(op, a, {1, b.hi}));
}

Interval compareIntervals(Op op, Interval a, Interval b) {
  bool disjoint = a.hi < b.lo || b.hi < a.lo;
  bool single = a.lo == a.hi && b.lo == b.hi && a.lo == b.lo;
  switch (op) {
  case Op::Le:
    return {a.hi <= b.lo, a.lo <= b.hi};
  case Op::Lt:
    return {a.hi < b.lo, a.lo < b.hi};
  case Op::Eq:
    return {single, !disjoint};
  default:
    return {disjoint, !single};
  }
}

Interval selectIntervals(Interval condition, Interval then, Interval otherwise) {
  if (condition.lo > 0 || condition.hi < 0)
    return then;
  return condition.lo == 0 && condition.hi == 0 ? otherwise : hull(then, otherwise);
}

} // namespace tilewright::symbolic
