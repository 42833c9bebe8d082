// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verifier rejects every corrupted solution.
#include "tilewright/Solver/Verify.h"
#include "RandomProblem.h"
#include "tilewright/Solver/Solve.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::solver;
using namespace tilewright::test;

static Problem sample() {
  Problem p;
  p.variables = {{"x", {2, 4, 8}, "", {}}, {"y", {1, 2, 3}, "", {}}};
  p.constraints = {
      {"capacity", symbolic::parse("x * y"), Constraint::Relation::Le, 12, "bytes", ""},
      {"divides", symbolic::parse("x % y"), Constraint::Relation::Eq, 0, "", ""}};
  p.objective = symbolic::parse("ceildiv(100, x) * 10 + ceildiv(7, y)");
  return p;
}

TEST(Verify, AcceptsTheOptimum) {
  Result r = solve(sample());
  ASSERT_EQ(r.status, Status::Optimal);
  EXPECT_EQ(r.solution.values, (std::vector<int64_t>{8, 1}));
  EXPECT_TRUE(verify(sample(), r.solution).empty());
}

TEST(Verify, RejectsEverySingleFieldCorruption) {
  Solution good = solve(sample()).solution;
  for (size_t v = 0; v < good.values.size(); ++v)
    for (int64_t value = -3; value < 12; ++value) {
      Solution bad = good;
      bad.values[v] = value;
      EXPECT_EQ(verify(sample(), bad).empty(), value == good.values[v]) << v << " " << value;
    }
  for (int64_t delta : {-1, 1, 1000}) {
    Solution bad = good;
    bad.objective += delta;
    EXPECT_FALSE(verify(sample(), bad).empty());
  }
  Solution missing = good, extra = good;
  missing.values.pop_back();
  extra.values.push_back(1);
  EXPECT_FALSE(verify(sample(), missing).empty());
  EXPECT_FALSE(verify(sample(), extra).empty());
}

TEST(Verify, SaysWhatIsWrong) {
  EXPECT_EQ(verify(sample(), {{8, 2}, 134}),
            (std::vector<std::string>{"constraint \"capacity\" is violated: 16 exceeds 12 bytes"}));
  EXPECT_EQ(verify(sample(), {{4, 3}, 253}),
            (std::vector<std::string>{"constraint \"divides\" is violated: 1 is not 0"}));
  EXPECT_EQ(verify(sample(), {{8, 1}, 7}),
            (std::vector<std::string>{"objective is 137, the solution says 7"}));
  EXPECT_EQ(verify(sample(), {{5, 1}, 207}),
            (std::vector<std::string>{"value 5 of \"x\" is not in its domain"}));
}

TEST(Verify, AgreesWithEvaluateOnRandomPoints) {
  RandomProblems random(41);
  unsigned good = 0, bad = 0;
  for (int i = 0; i < 3000; ++i) {
    Problem p = random.problem();
    Solution s;
    symbolic::Environment point;
    for (Variable &v : p.variables) {
      v.domain = {v.domain[size_t(random.pick(0, int64_t(v.domain.size()) - 1))]};
      s.values.push_back(point[v.name] = v.domain[0]);
    }
    std::optional<Solution> only = bruteForce(p);
    s.objective = only ? only->objective : 0;
    ASSERT_EQ(verify(p, s).empty(), only.has_value()) << p.toJson();
    (only ? good : bad) += 1;
  }
  EXPECT_GT(good, 500u);
  EXPECT_GT(bad, 500u);
}
