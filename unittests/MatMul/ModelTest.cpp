// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The formulas on integers against the same on expressions, bounds against candidates, and limits
// that hold for any right model.
#include "Bounds.h"
#include "Enumerate.h"
#include "Pairs.h"
#include "Shapes.h"
#include "tilewright/MatMul/Explain.h"
#include "tilewright/MatMul/Formulate.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::matmul;

/// A few legal candidates of each structure of a shape.
template <class F> static void sample(const Shape &s, Random &random, F f) {
  for (auto [kind, modules] : structuresOf(target(), s)) {
    Setting setting(target(), s, kind, modules);
    Domains d = domains(setting);
    auto pick = [&](const std::vector<int64_t> &v) { return v[random.below(v.size())]; };
    for (int tries = 0; tries < 6; ++tries)
      forEachRest(setting, d, pick(d.m1), pick(d.n1), pick(d.split),
                  [&](const TilesOf<int64_t> &x) {
                    if (random.below(25) == 0)
                      f(setting, d, x);
                  });
  }
}

TEST(Model, IntegersAndExpressionsAgree) {
  Random random(11);
  int compared = 0;
  for (int i = 0; i < 6; ++i) {
    Shape s = randomShape(random, 3000);
    if (s.empty())
      continue;
    std::map<std::string, solver::Problem> problems;
    sample(s, random, [&](const Setting &setting, const Domains &, const TilesOf<int64_t> &x) {
      if (random.below(12))
        return;
      solver::Problem p = formulate(target(), s, setting.kind, setting.modules);
      symbolic::Environment e = {{"m1", x.m1}, {"n1", x.n1},       {"kA", x.kA},
                                 {"kB", x.kB}, {"k0", x.k0},       {"m0", x.m0},
                                 {"n0", x.n0}, {"split", x.split}, {"swizzle", x.swizzle}};
      EXPECT_EQ(symbolic::evaluate(p.objective, e), estimate(setting, x).total)
          << s.str() << ": " << Choice{setting.kind, setting.modules, plain(x)}.str();
      for (const solver::Constraint &c : p.constraints)
        if (c.relation == solver::Constraint::Relation::Le)
          EXPECT_LE(symbolic::evaluate(c.lhs, e), symbolic::evaluate(c.rhs, e)) << c.name;
      ++compared;
    });
  }
  EXPECT_GT(compared, 100);
}

/// What the planner asks first of a tile.
static int64_t firstBound(const Setting &s, const Domains &d, const Bounds &bounds,
                          const TilesOf<int64_t> &x) {
  auto index = [](const std::vector<int64_t> &values, int64_t value) {
    return uint32_t(std::find(values.begin(), values.end(), value) - values.begin());
  };
  PairWork work = pairWork(s, d, index(d.m1, x.m1), index(d.n1, x.n1));
  if (s.modules.resident != Resident::None)
    addRuns(s, work);
  int64_t depth = depthOf(s, x.split) / s.t.cubeK;
  int64_t coldA = s.fitsL2 && !s.a.inL2 ? work.coldA : 0;
  int64_t coldB = s.fitsL2 && !s.b.inL2 ? work.coldB : 0;
  return bounds.fixedOfSplit(x.split) + PairBound(s.t)(s, work, x.split, depth,
                                                       std::max(work.loadA, coldA),
                                                       std::max(work.loadB, coldB));
}

TEST(Model, BoundsAreAdmissible) {
  Random random(12);
  int compared = 0;
  const Shape memoryBound[] = {shape(3, 256, 87087, "rc"), shape(16, 5120, 5120, "rc"),
                               shape(7000, 16, 9000), shape(30000, 64, 512, "cr")};
  for (int i = 0; i < 76; ++i) {
    Shape s = i < 16 ? memoryBound[i % 4] : randomShape(random, i % 2 ? 20000 : 100000);
    if (s.m * s.k + s.k * s.n + s.m * s.n > (int64_t(1) << 33))
      continue;
    if (s.empty())
      continue;
    sample(s, random, [&](const Setting &setting, const Domains &d, const TilesOf<int64_t> &x) {
      Bounds bounds(setting, d);
      int64_t total = estimate(setting, x).total;
      Choice choice{setting.kind, setting.modules, plain(x)};
      EXPECT_LE(bounds.fixedOfSplit(x.split) + bounds.mainOfSplit(), total)
          << s.str() << ": " << choice.str();
      EXPECT_LE(firstBound(setting, d, bounds, x), total) << s.str() << ": " << choice.str();
      TileShare share = bounds.share(x.m1, x.n1, x.split);
      ASSERT_TRUE(share.legal);
      EXPECT_LE(bounds.ofDepths(bounds.tasks(share), x.kA, x.kB), total)
          << s.str() << ": " << choice.str();
      ++compared;
    });
  }
  EXPECT_GT(compared, 5000);
}

/// Whatever the schedule, Cube and memory have their share of the work.
TEST(Model, NeverFasterThanTheMachine) {
  Random random(13);
  for (int i = 0; i < 40; ++i) {
    Shape s = randomShape(random, 5000);
    if (s.empty())
      continue;
    double cube = double(s.m) * s.n * s.k * s.batch / (16.0 * 16 * 16) / 24;
    sample(s, random, [&](const Setting &setting, const Domains &, const TilesOf<int64_t> &x) {
      Estimate<int64_t> e = estimate(setting, x);
      EXPECT_GE(double(e.main), cube);
      EXPECT_GE(e.main, e.core.busy.cube);
      EXPECT_GE(e.main, e.core.busy.mte2);
      EXPECT_GE(e.main, e.core.busy.mte1);
      EXPECT_EQ(e.total, e.launch + e.prologue + e.main + e.epilogue);
    });
  }
}

TEST(Model, PhasesOfAnExplanationSumUp) {
  Random random(14);
  for (int i = 0; i < 60; ++i) {
    Shape s = randomShape(random, 30000);
    if (s.empty() || s.m * s.n > (int64_t(1) << 33))
      continue;
    Plan p = plan(target(), s);
    Explanation e = explain(target(), s, p.choice);
    int64_t sum = 0, cores = 0, main = 0;
    for (const Amount &phase : e.phases)
      sum += phase.value;
    EXPECT_EQ(sum, p.cycles) << s.str();
    for (const CoreClass &c : e.classes)
      cores += c.cores, main = std::max(main, c.cycles);
    EXPECT_EQ(cores, 24);
    EXPECT_EQ(main, e.phases[3].value) << s.str() << ": " << p.choice.str();
  }
}

/// Equations of the paper, section 4.2, for a shape that the tiles divide.
TEST(Model, TrafficIsThePapers) {
  Shape s = shape(4096, 8192, 2048);
  Tiles t{128, 256, 256, 256, 128, 256, 64, 1, 1};
  auto traffic = [&](Template kind, Tiles tiles) {
    return explain(target(), s, {kind, {}, tiles}).traffic;
  };
  int64_t mn = s.m * s.n, mnk = mn * s.k;
  auto common = traffic(Template::Common, t);
  EXPECT_EQ(common[0].value, 2 * mnk / 128 + 2 * mnk / 256);
  EXPECT_EQ(common[2].value + common[3].value, 2 * mn);
  Tiles large{256, 256, 256, 256, 128, 128, 128, 1, 1};
  auto single = traffic(Template::SingleCoreSplitK, large);
  EXPECT_EQ(single[0].value, 2 * mnk / 256 + 2 * mnk / 256);
  EXPECT_EQ(single[2].value + single[3].value, 4 * mn * (2048 / 256) + 2 * mn);
  t.split = 4;
  auto multi = traffic(Template::MultiCoreSplitK, t);
  EXPECT_EQ(multi[2].value + multi[3].value, 4 * mn * 4 + 2 * mn);
  large.split = 2;
  auto hybrid = traffic(Template::HybridSplitK, large);
  EXPECT_EQ(hybrid[2].value + hybrid[3].value, 4 * mn * (2048 / 256) + 2 * mn);
}

/// Who shares a fetch from memory: every column of tiles reads A, every row B; with a resident
/// panel every run of tiles.
TEST(Model, ReadersOfEachOperand) {
  Shape s = shape(1000, 3000, 512);
  TilesOf<int64_t> x{128, 256, 512, 64, 128, 256, 32, 1, 1};
  auto readers = [&](Resident resident, TilesOf<int64_t> tiles) {
    Modules modules;
    modules.resident = resident;
    Setting setting(target(), s, Template::Common, modules);
    Context<int64_t> c = contextOf(setting, layOut(setting, tiles), tiles, int64_t(512));
    return std::pair(c.readsA, c.readsB);
  };
  EXPECT_EQ(readers(Resident::None, x), std::pair(int64_t(12), int64_t(8)));
  EXPECT_EQ(readers(Resident::A, x), std::pair(int64_t(3), int64_t(8)));  // 24 cores for 8 rows
  EXPECT_EQ(readers(Resident::B, x), std::pair(int64_t(12), int64_t(2))); // and for 12 columns
}

/// Each limit of 910B1, met to the byte and missed by one step.
TEST(Model, LimitsAreTheMachines) {
  Shape s = shape(8192, 8192, 8192);
  auto fits = [&](Template kind, Tiles tiles, Pipelining pipelining = Pipelining::Double) {
    Modules modules;
    modules.pipelining = pipelining;
    return cycles(target(), s, {kind, modules, tiles}).has_value();
  };
  Template common = Template::Common, off = Template::SingleCoreSplitK;
  EXPECT_TRUE(fits(common, {128, 256, 512, 256, 128, 256, 64, 1, 1}));  // L1 and L0C full
  EXPECT_FALSE(fits(common, {128, 256, 512, 512, 128, 256, 64, 1, 1})); // L1: 768 KiB
  EXPECT_TRUE(fits(common, {128, 256, 512, 512, 128, 256, 64, 1, 1}, Pipelining::Single));
  EXPECT_FALSE(fits(common, {128, 272, 256, 256, 128, 272, 32, 1, 1}));  // L0C: 136 KiB
  EXPECT_FALSE(fits(common, {128, 256, 256, 256, 128, 256, 128, 1, 1})); // L0B: 128 KiB
  EXPECT_FALSE(fits(common, {512, 64, 128, 128, 512, 64, 64, 1, 1}));    // L0A: 128 KiB
  EXPECT_FALSE(fits(common, {128, 256, 384, 256, 128, 256, 64, 1, 1})); // 384 is no multiple of 256
  EXPECT_FALSE(fits(common, {128, 256, 256, 256, 128, 256, 48, 1, 1})); // nor 256 of 48
  EXPECT_TRUE(fits(off, {256, 256, 256, 256, 128, 128, 128, 1, 1}));    // two halves of L0C
  EXPECT_FALSE(fits(off, {256, 256, 256, 256, 128, 256, 64, 1, 1}));    // L0C: twice 128 KiB
  EXPECT_FALSE(fits(off, {128, 256, 256, 256, 128, 128, 128, 1, 1}));   // a tile that fits L0C
  EXPECT_FALSE(fits(off, {256, 256, 256, 128, 128, 128, 128, 1, 1}));   // two depths
}
