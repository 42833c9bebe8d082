// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accumulator + lhs * rhs: the sum in f32 in increasing k, and the bound on what a device makes of
// it (docs/numerics.md, "sums").
#include "Block.h"
#include "Gemm.h"
#include "Rounding.h"

namespace tilewright::reference {

namespace {

/// An operand with its device-side error, as planes that addProducts can multiply.
struct Planes {
  std::vector<float> magnitude; // |x|
  std::vector<float> reach;     // |x| + error
  std::vector<float> error;
  bool exact = true; // no error anywhere
};

struct Size {
  int64_t m, n, k, rowA;
};

class Bound {
public:
  Bound(const Block &lhs, const Block &rhs, const Block &acc, Size size, const Precision &precision)
      : lhs(lhs), rhs(rhs), acc(acc), size(size), precision(precision) {}
  /// Error of the terms and their total magnitude, after this step.
  Sum extend() const;
  /// Rows and columns of `result` that hold an infinity or NaN.
  void settleNonFinite(Block &result) const;

private:
  Planes planes(const Block &block) const;
  Sum start() const;
  std::vector<double> product(const std::vector<float> &a, const std::vector<float> &b) const;
  std::vector<double> propagated(const Planes &a, const Planes &b) const;

  const Block &lhs, &rhs, &acc;
  Size size;
  const Precision &precision;
};

} // namespace

Planes Bound::planes(const Block &block) const {
  Planes planes;
  for (size_t i = 0; i < block.value.size(); ++i) {
    Number x = readOperand(block.value[i], block.error[i], block.bf16, precision);
    planes.magnitude.push_back(std::abs(block.value[i]));
    planes.reach.push_back(roundUp(x.magnitude()));
    planes.error.push_back(roundUp(x.error));
    planes.exact &= x.error == 0;
  }
  return planes;
}

/// |a| |b| for planes without negative elements. Sums of such terms in f32 have a small relative
/// error, which is added; products below the normal range cost at most `smallestNormal` each.
std::vector<double> Bound::product(const std::vector<float> &a, const std::vector<float> &b) const {
  std::vector<float> sums(size.m * size.n);
  addProducts(sums.data(), a.data(), b.data(), size.m, size.n, size.k, size.rowA, size.n, size.n);
  double up = 1 + 2 * gamma(size.k + 1, unitRoundoff), tiny = size.k * smallestNormal;
  std::vector<double> result;
  result.reserve(sums.size());
  for (float sum : sums)
    result.push_back(sum * up + tiny);
  return result;
}

/// |a~ b~ - a b| <= |a| error(b) + error(a) (|b| + error(b)).
std::vector<double> Bound::propagated(const Planes &a, const Planes &b) const {
  std::vector<double> result(size.m * size.n, 0.0);
  if (!b.exact)
    result = product(a.magnitude, b.error);
  if (!a.exact) {
    std::vector<double> more = product(a.error, b.reach);
    for (size_t i = 0; i < result.size(); ++i)
      result[i] += more[i];
  }
  return result;
}

/// The accumulator as the beginning of a sum, or the sum that it already is.
Sum Bound::start() const {
  bool goesOn = acc.sum.terms > 0;
  Sum sum = acc.sum;
  sum.settled.resize(acc.value.size());
  sum.magnitude.resize(acc.value.size());
  for (size_t i = 0; i < acc.value.size(); ++i) {
    if (goesOn) {
      double reload = precision.accumulatorReload * (std::abs(acc.value[i]) + acc.error[i]);
      sum.settled[i] = roundUp(sum.settled[i] + reload);
      continue;
    }
    Number x = readOperand(acc.value[i], acc.error[i], acc.bf16, precision);
    sum.settled[i] = roundUp(x.error);
    sum.magnitude[i] = roundUp(x.magnitude());
  }
  ++sum.terms; // adding the step's products to what is there
  return sum;
}

Sum Bound::extend() const {
  Sum sum = start();
  Planes a = planes(lhs), b = planes(rhs);
  std::vector<double> magnitude = product(a.reach, b.reach), error = propagated(a, b);
  double loss = lhs.bf16 && rhs.bf16 ? precision.fidelityLoss : precision.fidelityLossF32;
  for (size_t i = 0; i < magnitude.size(); ++i) {
    sum.settled[i] =
        roundUp(sum.settled[i] + error[i] + loss * magnitude[i] + size.k * smallestNormal);
    sum.magnitude[i] = roundUp(sum.magnitude[i] + magnitude[i]);
  }
  sum.terms += size.k;
  return sum;
}

/// An infinity or NaN in a row of lhs, a column of rhs or the accumulator is there on the device
/// too and decides the result, unless anything else in the sum is itself without bound.
void Bound::settleNonFinite(Block &result) const {
  auto at = [&](const Block &block, int64_t index, bool &special, bool &unbounded) {
    special |= !std::isfinite(block.value[index]);
    unbounded |= !(block.error[index] < infinite);
  };
  for (int64_t i = 0; i < size.m; ++i)
    for (int64_t j = 0; j < size.n; ++j) {
      int64_t index = i * size.n + j;
      if (std::isfinite(result.value[index]))
        continue;
      bool special = false, unbounded = false, uncertain = false;
      at(acc, index, special, unbounded);
      for (int64_t p = 0; p < size.k; ++p) {
        at(lhs, i * size.rowA + p, special, unbounded);
        at(rhs, p * size.n + j, special, unbounded);
        uncertain |= lhs.error[i * size.rowA + p] > 0 || rhs.error[p * size.n + j] > 0;
      }
      bool decided = special && !unbounded && (!uncertain || std::isnan(result.value[index]));
      result.error[index] = decided ? 0.0f : std::numeric_limits<float>::infinity();
    }
}

/// The result's error from the sum's, with the reference's own roundings and the one to the
/// result's type.
static void boundResult(Block &result, const Sum &sum, const std::vector<float> &exactInF32,
                        const Precision &precision) {
  double additions = double(sum.terms) + 1; // and the product's own rounding
  double relative = gamma(additions, precision.accumulateUlp) + gamma(additions, unitRoundoff);
  for (size_t i = 0; i < result.value.size(); ++i) {
    double error = double(sum.settled[i]) + relative * sum.magnitude[i];
    double value = exactInF32[i];
    if (result.bf16)
      error += halfUlpBf16(std::abs(value) + error) + std::abs(result.value[i] - value);
    bool overflows = std::abs(value) + error > std::numeric_limits<float>::max();
    result.error[i] = overflows ? std::numeric_limits<float>::infinity() : roundUp(error);
  }
}

BlockPtr matmul(const Block &lhs, const Block &rhs, const Block &accumulator, bool toBf16,
                const Precision &precision) {
  // Lanes beyond the loop's extent are not part of the sum, whatever they hold.
  int64_t inner = std::min(lhs.valid[1], rhs.valid[0]);
  Size size{lhs.dims[0], rhs.dims[1], inner, lhs.dims[1]};
  auto result = std::make_shared<Block>(makeBlock(
      accumulator.dims,
      {std::min(lhs.valid[0], accumulator.valid[0]), std::min(rhs.valid[1], accumulator.valid[1])},
      toBf16));
  std::vector<float> sums = accumulator.value;
  addProducts(sums.data(), lhs.value.data(), rhs.value.data(), size.m, size.n, size.k, size.rowA,
              size.n, size.n);
  for (size_t i = 0; i < sums.size(); ++i)
    result->value[i] = toBf16 ? roundToBf16(sums[i]) : sums[i];
  Bound bound(lhs, rhs, accumulator, size, precision);
  Sum sum = bound.extend();
  boundResult(*result, sum, sums, precision);
  bound.settleNonFinite(*result);
  if (!toBf16)
    result->sum = std::move(sum);
  return result;
}

} // namespace tilewright::reference
