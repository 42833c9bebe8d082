// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search against brute force: same optimum, same tie-breaking, same infeasibility.
#include "tilewright/Solver/Solve.h"
#include "RandomProblem.h"
#include "tilewright/Solver/Verify.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::solver;
using namespace tilewright::test;

static void expectSame(const Problem &p, const Result &got, const std::optional<Solution> &want) {
  ASSERT_EQ(got.status, want ? Status::Optimal : Status::Infeasible) << p.toJson();
  if (!want)
    return;
  ASSERT_EQ(got.solution.objective, want->objective) << p.toJson();
  ASSERT_EQ(got.solution.values, want->values) << p.toJson();
  ASSERT_TRUE(verify(p, got.solution).empty()) << verify(p, got.solution)[0];
}

TEST(Solve, MatchesBruteForceOnRandomProblems) {
  RandomProblems random(31);
  unsigned feasible = 0, infeasible = 0, ties = 0, optima = 0;
  for (int i = 0; i < 1500; ++i) {
    Problem p = random.problem();
    std::optional<Solution> want = bruteForce(p, &optima);
    Result got = solve(p);
    ASSERT_NO_FATAL_FAILURE(expectSame(p, got, want));
    ASSERT_EQ(solve(p).statistics.nodes, got.statistics.nodes) << "deterministic";
    (want ? feasible : infeasible) += 1;
    Problem reversed = p;
    std::reverse(reversed.variables.begin(), reversed.variables.end());
    ASSERT_NO_FATAL_FAILURE(expectSame(reversed, solve(reversed), bruteForce(reversed)));
    ties += optima > 1;
  }
  EXPECT_GT(feasible, 700u);
  EXPECT_GT(infeasible, 100u);
  EXPECT_GT(ties, 200u);
}

TEST(Solve, IncumbentAsksForStrictlyBetter) {
  RandomProblems random(32);
  for (int i = 0; i < 500; ++i) {
    Problem p = random.problem();
    std::optional<Solution> best = bruteForce(p);
    if (!best)
      continue;
    Options above{best->objective + 1, 50'000'000}, at{best->objective, 50'000'000};
    ASSERT_NO_FATAL_FAILURE(expectSame(p, solve(p, above), best));
    ASSERT_EQ(solve(p, at).status, Status::NotBetter) << p.toJson();
  }
}

TEST(Solve, RootBoundIsALowerBound) {
  RandomProblems random(33);
  unsigned proven = 0;
  for (int i = 0; i < 1500; ++i) {
    Problem p = random.problem();
    std::optional<Solution> best = bruteForce(p);
    std::optional<int64_t> bound = rootBound(p);
    if (best) {
      ASSERT_TRUE(bound) << p.toJson();
      ASSERT_LE(*bound, best->objective) << p.toJson();
    } else {
      proven += !bound;
    }
  }
  EXPECT_GT(proven, 50u);
}

TEST(Solve, KnobsChangeNeitherBoundsNorAnswers) {
  RandomProblems random(36);
  for (int i = 0; i < 1500; ++i) {
    Problem p = random.knobProblem();
    std::optional<Solution> best = bruteForce(p);
    ASSERT_NO_FATAL_FAILURE(expectSame(p, solve(p), best));
    if (best) {
      ASSERT_LE(rootBound(p).value(), best->objective) << p.toJson();
    }
  }
}

TEST(Solve, RootBoundSeesThroughAKnob) {
  Problem p;
  for (const char *name : {"a", "b"})
    p.variables.push_back({name, {8, 16, 24, 32, 40, 48, 56, 64}, "", {}});
  p.variables.push_back({"knob", {0, 1}, "", {}});
  p.objective =
      symbolic::parse("ceildiv(1024, a) * ceildiv(1024, b) * "
                      "select(knob, max(9 * a * b, 200 * (a + b)), 9 * a * b + 200 * (a + b))");
  int64_t best = bruteForce(p)->objective, bound = rootBound(p).value();
  EXPECT_LE(bound, best);
  EXPECT_GT(bound, best / 2);
}

TEST(Solve, PinsEqualOneElementDomains) {
  RandomProblems random(34);
  for (int i = 0; i < 400; ++i) {
    Problem p = random.problem(), narrowed = p;
    size_t v = size_t(random.pick(0, int64_t(p.variables.size()) - 1));
    const std::vector<int64_t> &domain = p.variables[v].domain;
    int64_t value = domain[size_t(random.pick(0, int64_t(domain.size()) - 1))];
    narrowed.variables[v].domain = {value};
    ASSERT_NO_FATAL_FAILURE(
        expectSame(narrowed, Search(p).solve({{v, value}}), bruteForce(narrowed)));
  }
  Problem p = random.problem();
  EXPECT_THROW(Search(p).solve({{0, 123456789}}), Error);
  EXPECT_THROW(Search(p).solve({{99, 1}}), Error);
}

TEST(Solve, WorkLimitIsNeverAWrongAnswer) {
  RandomProblems random(35);
  for (int i = 0; i < 300; ++i) {
    Problem p = random.problem();
    std::optional<Solution> best = bruteForce(p);
    for (uint64_t work : {0, 1, 3, 10}) {
      Result r = solve(p, {std::nullopt, work});
      if (r.status != Status::WorkLimit)
        ASSERT_NO_FATAL_FAILURE(expectSame(p, r, best));
      else if (!r.solution.values.empty())
        ASSERT_TRUE(verify(p, r.solution).empty()) << "the best so far is a solution";
    }
  }
}

TEST(Solve, ExtremeValues) {
  Problem p;
  p.variables = {{"a", {INT64_MIN, -1, 0, 1, INT64_MAX}, "", {}},
                 {"b", {INT64_MIN, 0, 2, INT64_MAX}, "", {}}};
  for (const char *objective :
       {"a + b", "a * b", "a // b", "-a", "a - b", "max(a, b) * 2", "7", "ceildiv(b, a)"}) {
    p.objective = symbolic::parse(objective);
    ASSERT_NO_FATAL_FAILURE(expectSame(p, solve(p), bruteForce(p)));
  }
  p.variables.clear();
  p.objective = 5;
  EXPECT_EQ(solve(p).solution.objective, 5);
}

TEST(Solve, LargeObjectivesKeepTheirLastDigit) {
  Problem p;
  for (const char *name : {"a", "b"}) {
    p.variables.push_back({name, {}, "", {}});
    for (int64_t i = 1; i <= 30; ++i)
      p.variables.back().domain.push_back(i * 32);
  }
  p.objective =
      symbolic::parse("ceildiv(123456789, a) * ceildiv(987654321, b) * (a * b + 1) + a + b");
  ASSERT_NO_FATAL_FAILURE(expectSame(p, solve(p), bruteForce(p)));
}
