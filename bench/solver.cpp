// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time of the exact search on a matrix multiplication of 16384 cubed on 8 x 8 cores: proven
// optimum, and rejection of a candidate that is 5 % worse than the incumbent.
#include "bench.h"
#include "tilewright/Solver/Solve.h"
#include "tilewright/Solver/Verify.h"
#include "tilewright/Symbolic/Tape.h"
#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace tilewright::solver;
using tilewright::symbolic::parse;

static std::vector<int64_t> multiples(int64_t step, int64_t last) {
  std::vector<int64_t> values;
  for (int64_t v = step; v <= last; v += step)
    values.push_back(v);
  return values;
}

static Problem gemm() {
  std::map<std::string, Expr, std::less<>> terms;
  auto define = [&](const char *name, const std::string &text) {
    terms.emplace(name, substitute(parse(text), terms));
  };
  Problem p;
  p.name = "gemm 16384 16384 16384";
  for (const char *name : {"tile_m", "tile_n", "tile_k"})
    p.variables.push_back({name, multiples(32, 16384), std::string("block size of ") + name, {}});
  for (const char *name : {"sub_m", "sub_n"})
    p.variables.push_back({name, multiples(1, 4), name, {}});
  for (const char *name : {"db_k", "db_store"})
    p.variables.push_back({name, {0, 1}, name, {}});
  auto constrain = [&](const char *name, const char *lhs, int64_t rhs,
                       Constraint::Relation relation) {
    p.constraints.push_back({name, parse(lhs), relation, rhs, "", ""});
  };
  constrain("l1",
            "2*(tile_m*tile_k + tile_k*tile_n)*(1 + db_k) + 4*tile_m*tile_n + 2*tile_m*tile_n*(1 + "
            "db_store)",
            1395424, Constraint::Relation::Le);
  constrain("dst", "sub_m*sub_n", 4, Constraint::Relation::Le);
  constrain("m", "mod(tile_m, 32*sub_m)", 0, Constraint::Relation::Eq);
  constrain("n", "mod(tile_n, 32*sub_n)", 0, Constraint::Relation::Eq);
  define("load", "400 + ceildiv(2*(tile_m*tile_k + tile_k*tile_n)*10, 280)");
  define("compute",
         "(tile_m//32)*(tile_n//32)*(tile_k//32)*max(48, 32 + ceildiv(32, max(sub_m, sub_n))) + "
         "30*(tile_m//32)*(tile_n//32)//(sub_m*sub_n)");
  define("step", "select(db_k, max(load, compute), load + compute)");
  define("store", "200 + ceildiv(2*tile_m*tile_n*10, 280)");
  define("outer", "ceildiv(16384, tile_k)*step + load + 2000 + select(db_store, 0, store)");
  define("objective", "ceildiv(16384, tile_m*8)*ceildiv(16384, tile_n*8)*outer + store");
  p.objective = terms.at("objective");
  return p;
}

/// Microseconds of processor time per call, the least of five rounds.
static double timed(int repeats, auto &&work) {
  double best = 1e30;
  for (int round = 0; round < 5; ++round) {
    std::clock_t start = std::clock();
    for (int i = 0; i < repeats; ++i)
      work();
    best = std::min(best, 1e6 * double(std::clock() - start) / CLOCKS_PER_SEC / repeats);
  }
  return best;
}

static void tapeTimes(const Problem &p) {
  std::vector<std::string> names;
  std::vector<int64_t> point{256, 256, 64, 2, 2, 1, 0}, results(1), scratch;
  std::vector<tilewright::symbolic::Interval> box, ranges(1), slots;
  for (const Variable &v : p.variables)
    names.push_back(v.name), box.push_back({v.domain.front(), v.domain.back()});
  tilewright::symbolic::Tape tape(std::span(&p.objective, 1), names);
  std::printf("tape of %zu instructions: %.0f ns a value, %.0f ns an interval\n", tape.size(),
              1000 * timed(20000, [&] { tape.evaluate(point, results, scratch); }),
              1000 * timed(20000, [&] { tape.bounds(box, ranges, slots); }));
}

int benchSolver(const BenchPaths &) {
  constexpr double provenLimit = 10'000, rejectionLimit = 200; // microseconds
  Problem p = gemm();
  tapeTimes(p);
  Result r = solve(p);
  if (r.status != Status::Optimal || !verify(p, r.solution).empty())
    return std::puts("no verified optimum"), 1;
  for (size_t v = 0; v < p.variables.size(); ++v)
    std::printf("%s = %lld  ", p.variables[v].name.c_str(), (long long)r.solution.values[v]);
  std::printf("\noptimum %lld, root bound %lld, %llu nodes, %llu evaluations\n",
              (long long)r.solution.objective, (long long)rootBound(p).value_or(-1),
              (unsigned long long)r.statistics.nodes, (unsigned long long)r.statistics.evaluations);
  double proven = timed(3, [&] { solve(p); });
  std::printf("optimum proven in %.0f us of %.0f allowed\n", proven, provenLimit);
  Search compiled(p);
  std::printf("compiled once: compile %.0f us, root bound %.1f us\n",
              timed(20, [&] { Search again(p); }), timed(20, [&] { (void)compiled.rootBound(); }));
  Options options;
  options.incumbent = int64_t(double(r.solution.objective) * 0.95);
  Result rejected = compiled.solve({}, options);
  double rejection = timed(20, [&] { compiled.solve({}, options); });
  std::printf("5 %% worse candidate rejected (%s) in %.0f us of %.0f allowed, %llu nodes\n",
              rejected.status == Status::NotBetter ? "not better" : "wrong", rejection,
              rejectionLimit, (unsigned long long)rejected.statistics.nodes);
  bool good = rejected.status == Status::NotBetter;
  return !good || proven > provenLimit || rejection > rejectionLimit;
}
