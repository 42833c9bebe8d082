// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conflicts are minimal (brute force), excesses exact, and suggestions work.
#include "tilewright/Solver/Explain.h"
#include "RandomProblem.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::solver;
using namespace tilewright::test;

static Problem gemm() {
  Problem p;
  p.name = "gemm";
  p.variables = {{"tile_m", {256}, "block size of tile_m", {32, 64, 128, 256}},
                 {"tile_n", {32, 64}, "block size of tile_n", {}}};
  p.constraints = {
      {"l1", symbolic::parse("tile_m * tile_n * 2"), Constraint::Relation::Le, 10000, "bytes",
       "L1 footprint"},
      {"even", symbolic::parse("tile_n % 32"), Constraint::Relation::Eq, 0, "", "alignment"}};
  p.objective = symbolic::parse("tile_m + tile_n");
  return p;
}

TEST(Explain, FreesAPin) {
  Conflict c = explainInfeasible(gemm());
  EXPECT_EQ(c.constraints, std::vector<size_t>{0});
  EXPECT_EQ(c.pinned, std::vector<size_t>{0});
  EXPECT_EQ(c.excess, std::vector<int64_t>{6384});
  EXPECT_EQ(c.text, "L1 footprint needs at least 16384 bytes, limit 10000 bytes "
                    "(with block size of tile_m = 256 pinned)");
  EXPECT_EQ(c.suggestion, "use tile_m = 128 instead of 256");
}

TEST(Explain, RaisesALimit) {
  Problem p = gemm();
  p.variables[0].unpinned.clear();
  Conflict c = explainInfeasible(p);
  EXPECT_TRUE(c.pinned.empty());
  EXPECT_EQ(c.suggestion, "raise the limit of L1 footprint from 10000 bytes to 16384 bytes");
}

TEST(Explain, RefusesAFeasibleProblem) {
  Problem p = gemm();
  p.variables[0].domain = {32};
  EXPECT_THROW(explainInfeasible(p), Error);
}

static Problem only(const Problem &p, const std::vector<size_t> &keep) {
  Problem q = p;
  q.constraints.clear();
  q.objective = 0;
  for (size_t c : keep)
    q.constraints.push_back(p.constraints[c]);
  return q;
}

TEST(Explain, ConflictsAreMinimalAndExcessesExact) {
  RandomProblems random(51);
  unsigned seen = 0, several = 0;
  for (int i = 0; i < 4500; ++i) {
    Problem p = random.problem();
    p.objective = 0;
    if (bruteForce(p))
      continue;
    Conflict c = explainInfeasible(p);
    ASSERT_FALSE(bruteForce(only(p, c.constraints))) << p.toJson();
    ASSERT_EQ(c.excess.size(), c.constraints.size());
    for (size_t k = 0; k < c.constraints.size(); ++k) {
      std::vector<size_t> rest = c.constraints;
      rest.erase(rest.begin() + k);
      Problem relaxed = only(p, rest);
      ASSERT_TRUE(bruteForce(relaxed)) << p.toJson();
      const Constraint &member = p.constraints[c.constraints[k]];
      bool equality = member.relation == Constraint::Relation::Eq;
      relaxed.objective = member.lhs - member.rhs;
      if (equality)
        relaxed.objective = max(relaxed.objective, member.rhs - member.lhs);
      if (std::optional<Solution> best = bruteForce(relaxed))
        ASSERT_EQ(c.excess[k], best->objective);
    }
    ++seen, several += c.constraints.size() > 1;
  }
  EXPECT_GT(seen, 200u);
  EXPECT_GT(several, 20u);
}
