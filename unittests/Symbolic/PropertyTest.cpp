// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random expressions: every way to compute a value agrees with the unsimplified tree.
#include "RandomTree.h"
#include "tilewright/Symbolic/Tape.h"
#include <gtest/gtest.h>
#include <thread>

using namespace tilewright;
using namespace tilewright::symbolic;
using namespace tilewright::test;

namespace {

const std::vector<std::string> names = {"a", "b", "c", "d"};
constexpr Wide harmless =
    Wide(1) << 31; ///< below this nothing can overflow, however it is arranged

/// The value, or the id of the error.
struct Outcome {
  std::optional<int64_t> value;
  std::string error;
};
Outcome outcome(auto &&compute) {
  try {
    return {compute(), ""};
  } catch (const Error &e) {
    return {std::nullopt, e.diagnostic().id};
  }
}

Outcome onTape(const Expr &e, const Environment &environment) {
  std::vector<int64_t> point, scratch;
  for (const std::string &name : names)
    point.push_back(environment.at(name));
  int64_t result = 0;
  bool good = Tape(std::span(&e, 1), names).evaluate(point, std::span(&result, 1), scratch);
  return good ? Outcome{result, ""} : Outcome{std::nullopt, "tape"};
}

std::optional<Expr> tryBuild(const Tree &tree) {
  try {
    return build(tree);
  } catch (const Error &e) {
    EXPECT_EQ(e.diagnostic().id, "symbolic.overflow");
    return std::nullopt;
  }
}

Environment randomPoint(RandomTrees &random, int64_t limit) {
  Environment point;
  for (const std::string &name : names)
    point[name] = random.pick(-limit, limit);
  return point;
}

void checkValue(const Tree &tree, const Outcome &got, const Environment &point, unsigned &checked) {
  TreeEvaluator reference{point};
  std::optional<Wide> exact = reference.value(tree);
  if (!exact)
    return;
  if (got.value) {
    ASSERT_TRUE(*exact == Wide(*got.value)) << text(tree) << " = " << *got.value;
    ++checked;
    return;
  }
  ASSERT_EQ(got.error, "symbolic.overflow") << text(tree);
  ASSERT_GT(reference.largest, harmless) << text(tree);
}

void runValues(unsigned seed, int64_t constants, int64_t points, int rounds, unsigned atLeast) {
  RandomTrees random(seed, names, constants);
  unsigned checked = 0;
  for (int i = 0; i < rounds; ++i) {
    Tree tree = random.tree(int(random.pick(1, 6)));
    std::optional<Expr> e = tryBuild(tree);
    for (int p = 0; e && p < 5; ++p) {
      Environment point = randomPoint(random, points);
      Outcome got = outcome([&] { return evaluate(*e, point); });
      ASSERT_NO_FATAL_FAILURE(checkValue(tree, got, point, checked));
      ASSERT_EQ(onTape(*e, point).value, got.value) << e->str();
    }
  }
  EXPECT_GT(checked, atLeast);
}

} // namespace

TEST(Property, EvaluateAndTapeMatchTheTree) {
  runValues(1, 9, 7, 6000, 12000);
}
TEST(Property, LargeValuesOverflowOrMatch) {
  runValues(2, 3'000'000'000, 5'000'000'000, 4000, 3000);
}
TEST(Property, ExtremeValuesOverflowOrMatch) {
  runValues(3, INT64_MAX, INT64_MAX, 4000, 500);
}

TEST(Property, TextParsesBackToTheSameHandle) {
  RandomTrees random(4, names);
  for (int i = 0; i < 6000; ++i) {
    Tree tree = random.tree(int(random.pick(1, 6)));
    if (std::optional<Expr> e = tryBuild(tree)) {
      ASSERT_TRUE(parse(e->str()) == *e) << e->str() << " | " << parse(e->str()).str();
      ASSERT_TRUE(parse(text(tree)) == *e || outcome([&] { return parse(text(tree)), 0; }).value)
          << text(tree);
    }
  }
}

TEST(Property, ParsedSourceMatchesTheTree) {
  RandomTrees random(5, names);
  unsigned checked = 0;
  for (int i = 0; i < 4000; ++i) {
    Tree tree = random.tree(int(random.pick(1, 5)));
    Environment point = randomPoint(random, 7);
    Outcome got = outcome([&] { return evaluate(parse(text(tree)), point); });
    if (got.error != "symbolic.division-by-zero" || TreeEvaluator{point}.value(tree))
      ASSERT_NO_FATAL_FAILURE(checkValue(tree, got, point, checked));
  }
  EXPECT_GT(checked, 2000u);
}

TEST(Property, SubstituteMatchesTheTree) {
  RandomTrees random(6, names);
  unsigned checked = 0;
  for (int i = 0; i < 5000; ++i) {
    Tree tree = random.tree(int(random.pick(1, 5))), other = random.tree(2);
    std::optional<Expr> e = tryBuild(tree), replacement = tryBuild(other);
    Environment point = randomPoint(random, 5), shifted = point;
    std::optional<Wide> value = TreeEvaluator{point}.value(other);
    if (!e || !replacement || !value || *value != Wide(int64_t(*value)))
      continue;
    shifted["a"] = int64_t(*value);
    Outcome got = outcome([&] { return evaluate(substitute(*e, {{"a", *replacement}}), point); });
    ASSERT_NO_FATAL_FAILURE(checkValue(tree, got, shifted, checked));
  }
  EXPECT_GT(checked, 2000u);
}

TEST(Property, SubstitutingValuesGivesTheConstant) {
  RandomTrees random(7, names);
  for (int i = 0; i < 3000; ++i) {
    std::optional<Expr> e = tryBuild(random.tree(int(random.pick(1, 5))));
    if (!e)
      continue;
    Environment point = randomPoint(random, 5);
    std::map<std::string, Expr, std::less<>> values(point.begin(), point.end());
    Outcome direct = outcome([&] { return evaluate(*e, point); });
    Outcome folded = outcome([&] { return evaluate(substitute(*e, values), {}); });
    if (direct.value && folded.error != "symbolic.overflow")
      ASSERT_EQ(direct.value, folded.value) << e->str();
  }
}

TEST(Property, OrderIsTotal) {
  RandomTrees random(8, names);
  std::vector<Expr> all;
  while (all.size() < 120)
    if (std::optional<Expr> e = tryBuild(random.tree(int(random.pick(0, 4)))))
      all.push_back(*e);
  for (const Expr &x : all)
    for (const Expr &y : all) {
      ASSERT_EQ(Expr::compare(x, y), -Expr::compare(y, x));
      ASSERT_EQ(Expr::compare(x, y) == 0, x == y);
      ASSERT_EQ(x == y, x.str() == y.str()) << x.str();
      for (const Expr &z : all)
        if (Expr::compare(x, y) < 0 && Expr::compare(y, z) < 0)
          ASSERT_LT(Expr::compare(x, z), 0);
    }
}

TEST(Property, ThreadsShareHandles) {
  std::vector<std::vector<Expr>> built(4);
  std::vector<std::thread> threads;
  for (auto &mine : built)
    threads.emplace_back([&mine] {
      RandomTrees random(9, {"p", "q", "r"}, 5);
      for (int i = 0; i < 500; ++i)
        mine.push_back(build(random.tree(3)));
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const auto &other : built)
    EXPECT_TRUE(other == built[0]);
}
