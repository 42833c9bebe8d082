// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intervals: they contain every value (brute force), and they are tight where operations are
// monotone.
#include "RandomTree.h"
#include "tilewright/Symbolic/Interval.h"
#include "tilewright/Symbolic/Tape.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::symbolic;
using namespace tilewright::test;

namespace {

/// Calls `visit` with every point of the box, or with its corners and neighbours when it is wide.
void forEachPoint(const Box &box, auto &&visit, Environment point = {}) {
  if (point.size() == box.size())
    return visit(point);
  auto next = box.begin();
  std::advance(next, point.size());
  auto [lo, hi] = next->second;
  for (int64_t v = lo; v <= hi; ++v) {
    point[next->first] = v;
    forEachPoint(box, visit, point);
    point.erase(next->first);
    if (Wide(hi) - v > 8 && v > lo + 1)
      v = hi - 2;
    if (v == hi)
      break;
  }
}

unsigned checkContains(const Expr &e, const Box &box) {
  Interval range = bounds(e, box);
  EXPECT_LE(range.lo, range.hi);
  unsigned seen = 0;
  forEachPoint(box, [&](const Environment &point) {
    try {
      int64_t v = evaluate(e, point);
      EXPECT_TRUE(v >= range.lo && v <= range.hi)
          << e.str() << " = " << v << " not in [" << range.lo << ", " << range.hi << "]";
      ++seen;
    } catch (const Error &) { // no value at this point
    }
  });
  return seen;
}

unsigned runRandom(unsigned seed, int64_t constants, int64_t range, int64_t width, int rounds) {
  RandomTrees random(seed, {"a", "b", "c"}, constants);
  unsigned seen = 0;
  for (int i = 0; i < rounds && !testing::Test::HasFailure(); ++i) {
    Box box;
    for (const char *name : {"a", "b", "c"}) {
      int64_t lo = random.pick(-range, range);
      box[name] = {lo, int64_t(std::min<Wide>(Wide(lo) + random.pick(0, width), INT64_MAX))};
    }
    try {
      seen += checkContains(build(random.tree(int(random.pick(1, 5)))), box);
    } catch (const Error &e) {
      EXPECT_EQ(e.diagnostic().id, "symbolic.overflow");
    }
  }
  return seen;
}

} // namespace

TEST(Bounds, ContainEveryValueOfSmallBoxes) {
  EXPECT_GT(runRandom(21, 9, 5, 3, 2500), 20000u);
}
TEST(Bounds, ContainSampledValuesOfWideBoxes) {
  EXPECT_GT(runRandom(22, 999, 3000, 4000, 600), 5000u);
}
TEST(Bounds, ContainValuesNearTheLimits) {
  EXPECT_GT(runRandom(23, INT64_MAX, INT64_MAX, INT64_MAX, 800), 1000u);
  EXPECT_GT(runRandom(24, 5, INT64_MAX, INT64_MAX, 800), 1000u);
}

TEST(Bounds, TightForMonotoneOperations) {
  Box box{{"m", {32, 512}}, {"n", {1, 4}}, {"k", {0, 1}}};
  auto range = [&](const char *text) { return bounds(parse(text), box); };
  EXPECT_EQ(range("ceildiv(4096, m * 8)"), (Interval{1, 16}));
  EXPECT_EQ(range("m * n + 3"), (Interval{35, 2051}));
  EXPECT_EQ(range("5 - m"), (Interval{-507, -27}));
  EXPECT_EQ(range("max(m, 100) - min(n, 2)"), (Interval{98, 511}));
  EXPECT_EQ(range("select(k, m, 1000)"), (Interval{32, 1000}));
  EXPECT_EQ(range("m % 600"), (Interval{32, 512}));
  EXPECT_EQ(range("n % 3"), (Interval{0, 2}));
  EXPECT_EQ(range("(n + 32) % 32"), (Interval{1, 4}));
  EXPECT_EQ(range("m <= 31"), (Interval{0, 0}));
  EXPECT_EQ(range("m <= 512"), (Interval{1, 1}));
  EXPECT_EQ(range("m == n"), (Interval{0, 0}));
}

TEST(Bounds, DivisorsAroundZero) {
  auto range = [](const char *text, Interval b) {
    return bounds(parse(text), {{"a", {-10, 20}}, {"b", b}});
  };
  EXPECT_EQ(range("a // b", {-2, 3}), (Interval{-20, 20}));
  EXPECT_EQ(range("a // b", {0, 3}), (Interval{-10, 20}));
  EXPECT_EQ(range("ceildiv(a, b)", {-4, 0}), (Interval{-20, 10}));
  EXPECT_EQ(range("a % b", {-4, 6}), (Interval{-3, 5}));
  EXPECT_EQ(range("a // b", {0, 0}), (Interval{0, 0})) << "no value at all";
}

TEST(Bounds, SaturateInsteadOfWrapping) {
  Box box{{"x", {1, INT64_MAX}}, {"y", {INT64_MIN, -1}}};
  EXPECT_EQ(bounds(parse("x * x"), box), (Interval{1, INT64_MAX}));
  EXPECT_EQ(bounds(parse("x * y"), box), (Interval{INT64_MIN, -1}));
  EXPECT_EQ(bounds(parse("x + x"), box), (Interval{2, INT64_MAX}));
  EXPECT_EQ(bounds(parse("y * 3 - 1"), box), (Interval{INT64_MIN, -4}));
  EXPECT_EQ(bounds(parse("-y"), box), (Interval{1, INT64_MAX}));
  EXPECT_EQ(bounds(parse("x * x - x * 5"), box), (Interval{INT64_MIN, INT64_MAX}))
      << "wide terms may cancel";
}
