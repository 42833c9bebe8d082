// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search against brute force and against the exact solver; every shape of the corners of the
// range; the same answer always.
#include "Enumerate.h"
#include "Shapes.h"
#include "tilewright/MatMul/Formulate.h"
#include "tilewright/Solver/Solve.h"
#include <gtest/gtest.h>
#include <thread>

using namespace tilewright;
using namespace tilewright::matmul;

TEST(Planner, EqualsBruteForce) {
  Random random(21);
  for (int i = 0; i < 60; ++i) {
    Shape s = randomShape(random, 160);
    if (s.empty())
      continue;
    Plan fast = plan(target(), s), slow = planByEnumeration(target(), s);
    EXPECT_EQ(fast.cycles, slow.cycles)
        << s.str() << ": " << fast.choice.str() << " / " << slow.choice.str();
    EXPECT_EQ(cycles(target(), s, fast.choice), fast.cycles);
  }
}

/// Flat products, where the store of an unaligned C decides.
TEST(Planner, EqualsBruteForceWhereStoresDecide) {
  for (const Shape &s : {shape(28806, 2930, 1), shape(3000, 3001, 5, "cr"),
                         shape(5000, 700, 17, "rc"), shape(700, 5001, 3, "cc")})
    EXPECT_EQ(plan(target(), s).cycles, planByEnumeration(target(), s).cycles) << s.str();
}

/// No structure has a better point: the solver, told the plan's time, finds nothing below it.
TEST(Planner, ExactSolverFindsNothingBetter) {
  for (const Shape &s : {shape(96, 80, 64), shape(300, 48, 500, "rc"), shape(17, 700, 33, "cr")}) {
    Plan best = plan(target(), s);
    bool met = false;
    for (auto [kind, modules] : structuresOf(target(), s)) {
      solver::Problem problem = formulate(target(), s, kind, modules);
      solver::Options options;
      options.incumbent = best.cycles;
      EXPECT_NE(solver::solve(problem, options).status, solver::Status::Optimal) << s.str();
      if (kind == best.choice.kind && modules == best.choice.modules) {
        EXPECT_EQ(solver::solve(problem).solution.objective, best.cycles);
        met = true;
      }
    }
    EXPECT_TRUE(met);
  }
}

TEST(Planner, EveryCornerOfTheRangeIsPlannedAndLegal) {
  const int64_t sizes[] = {1, 2, 15, 16, 17, 251, 8191, 8192, 65535, 65536, 100000};
  const char *layouts[] = {"rr", "rc", "cr", "cc"};
  int planned = 0;
  for (int64_t m : sizes)
    for (int64_t n : sizes)
      for (int64_t k : sizes) {
        Shape s = shape(m, n, k, layouts[planned % 4]);
        Plan p = plan(target(), s);
        EXPECT_GT(p.cycles, 0);
        EXPECT_EQ(cycles(target(), s, p.choice), p.cycles) << s.str() << ": " << p.choice.str();
        if (++planned % 37 == 0)
          for (const std::string &finding : verify(target(), s, p))
            ADD_FAILURE() << s.str() << ": " << finding;
      }
  EXPECT_EQ(planned, 11 * 11 * 11);
}

TEST(Planner, VerifyObjects) {
  Shape s = shape(512, 512, 2048);
  Plan good = plan(target(), s);
  EXPECT_TRUE(verify(target(), s, good).empty());
  std::vector<std::function<void(Plan &)>> spoils = {
      [](Plan &p) { p.cycles -= 1; },
      [](Plan &p) { p.choice.tiles.m1 += 8; },
      [](Plan &p) { p.choice.tiles.n1 = 512; },
      [](Plan &p) { p.choice.tiles.kA = 3; },
      [](Plan &p) { p.choice.tiles.k0 = 0; },
      [](Plan &p) { p.choice.tiles.m0 = 16; },
      [](Plan &p) { p.choice.tiles.split = 3; },
      [](Plan &p) { p.choice.tiles.swizzle = 5; },
      [](Plan &p) { p.choice.kind = Template::Nothing; },
      [](Plan &p) { p.choice.modules.padC = Pad::Nd; },
      [](Plan &p) { p.choice.modules.smallM = true; },
      [](Plan &p) { p.choice.modules.atomic = true; },
  };
  for (size_t i = 0; i < spoils.size(); ++i) {
    Plan bad = good;
    spoils[i](bad);
    if (!(bad.choice == good.choice && bad.cycles == good.cycles))
      EXPECT_FALSE(verify(target(), s, bad).empty()) << i;
  }
}

TEST(Planner, SameAnswerOnEveryThread) {
  Random random(22);
  std::vector<Shape> shapes;
  for (int i = 0; i < 40; ++i)
    shapes.push_back(randomShape(random, 4000));
  auto planAll = [&](std::vector<Plan> &plans) {
    for (const Shape &s : shapes)
      plans.push_back(plan(target(), s));
  };
  std::vector<Plan> results[4];
  std::vector<std::thread> threads;
  for (auto &plans : results)
    threads.emplace_back([&] { planAll(plans); });
  for (std::thread &thread : threads)
    thread.join();
  for (auto &plans : results)
    for (size_t i = 0; i < shapes.size(); ++i)
      EXPECT_EQ(plans[i].choice, results[0][i].choice);
}

TEST(Planner, PinsAreKept) {
  Shape s = shape(1024, 1024, 4096);
  Pins pins;
  pins.kind = Template::MultiCoreSplitK;
  pins.m1 = 256, pins.n1 = 128, pins.split = 2;
  try {
    plan(target(), s, pins); // 32 tiles keep 24 cores busy
    ADD_FAILURE();
  } catch (const Error &error) {
    EXPECT_EQ(error.diagnostic().id, "matmul.no-candidate");
  }
  s.m = 256;
  Plan p = plan(target(), s, pins);
  EXPECT_EQ(p.choice.kind, Template::MultiCoreSplitK);
  EXPECT_EQ(p.choice.tiles.m1, 256);
  EXPECT_EQ(p.choice.tiles.n1, 128);
  EXPECT_EQ(p.choice.tiles.split, 2);
  EXPECT_GE(p.cycles, plan(target(), s).cycles);
}

TEST(Planner, DeterministicReductionHasNoAtomics) {
  Random random(23);
  int split = 0;
  for (int i = 0; i < 200; ++i) {
    Shape s = randomShape(random, 9000);
    s.deterministic = true;
    if (s.empty())
      continue;
    Plan p = plan(target(), s);
    EXPECT_FALSE(p.choice.modules.atomic);
    split += splitsOverCores(p.choice.kind);
  }
  EXPECT_GT(split, 0);
}
