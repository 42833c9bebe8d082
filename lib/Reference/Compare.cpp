// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device values against the reference's, element by element, each with its own bound.
#include "tilewright/Reference/Reference.h"
#include "tilewright/Support/Diagnostic.h"
#include <cmath>
#include <limits>

namespace tilewright::reference {

namespace {

/// Welford's update keeps centred sums in one pass, so that large means do not cancel.
struct Correlation {
  double count = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  bool equal = true;
  void add(double a, double b) {
    equal &= a == b;
    ++count;
    double dx = a - x, dy = b - y;
    x += dx / count;
    y += dy / count;
    xx += dx * (a - x);
    yy += dy * (b - y);
    xy += dx * (b - y);
  }
  double value() const { return equal ? 1 : xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0; }
};

} // namespace

static void checkComparable(const Tensor &expected, const Tensor &actual) {
  bool same = expected.name == actual.name && expected.dtype == actual.dtype &&
              expected.shape == actual.shape && expected.values.size() == actual.values.size();
  if (!same)
    throw Error(
        Kind::User, "reference.compare",
        "'" + actual.name + "' (" + actual.dtype + ", " + std::to_string(actual.values.size()) +
            " values) differs in name, type or shape from the expected '" + expected.name + "' (" +
            expected.dtype + ", " + std::to_string(expected.values.size()) + " values)",
        "compare an output with the same output of the reference");
}

static bool isSame(float a, float b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

/// Distance in units of the bound: 0 for equal, infinite when nothing is allowed.
static double badness(float got, float expected, float bound) {
  if (isSame(got, expected))
    return 0;
  if (std::isinf(bound))
    return 1;
  double difference = std::abs(double(got) - expected);
  return std::isfinite(difference) && bound > 0 ? difference / bound
                                                : std::numeric_limits<double>::infinity();
}

static void count(Comparison &result, float got, float expected, float bound) {
  if (isSame(got, expected))
    return;
  if (std::isinf(bound))
    ++result.undecided;
  else if (!(std::abs(double(got) - expected) <= bound))
    ++result.mismatches;
}

Comparison compare(const Output &expected, const Tensor &actual) {
  checkComparable(expected.tensor, actual);
  Comparison result;
  Correlation correlation;
  double worst = -1;
  for (size_t i = 0; i < actual.values.size(); ++i) {
    float got = actual.values[i], want = expected.tensor.values[i], bound = expected.bound[i];
    count(result, got, want, bound);
    if (double bad = badness(got, want, bound); bad > worst) {
      worst = bad;
      result.worst = int64_t(i);
    }
    if (!std::isfinite(got) || !std::isfinite(want))
      continue;
    double difference = std::abs(double(got) - want);
    result.maxAbs = std::max(result.maxAbs, difference);
    if (want != 0)
      result.maxRel = std::max(result.maxRel, difference / std::abs(want));
    correlation.add(want, got);
  }
  if (!actual.values.empty()) {
    result.got = actual.values[result.worst];
    result.expected = expected.tensor.values[result.worst];
    result.bound = expected.bound[result.worst];
  }
  result.pcc = correlation.value();
  result.pass = result.mismatches == 0 && result.undecided == 0;
  return result;
}

} // namespace tilewright::reference
