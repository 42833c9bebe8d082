// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The chosen schedule against exhaustive search, replay, and requests.
#include "Gemm.h"
#include "tilewright/Solver/Verify.h"
#include "tilewright/Symbolic/Tape.h"
#include <gtest/gtest.h>

namespace tilewright::mapping {
namespace {

struct Solved {
  Solved(int64_t m, int64_t n, int64_t k, Request request, int biases = 0)
      : gemm(m, n, k, biases), machine(wormhole()), request(request),
        formulation(formulate(gemm.program, machine, request)),
        selection(select(gemm.program, formulation, machine, request)) {}
  Gemm gemm;
  machine::Machine machine;
  Request request;
  Formulation formulation;
  Selection selection;
};

/// Smallest objective over all points of all candidates: plain nested counting over the domains,
/// the expressions evaluated by a tape, no bounds. The memory constraint skips whole tails of the
/// three block sizes, which is sound because the footprint grows with each of them.
int64_t exhaustive(const Solved &solved) {
  const auto &problem = solved.formulation.problem;
  std::vector<std::string> names;
  for (const auto &variable : problem.variables)
    names.push_back(variable.name);
  std::vector<symbolic::Expr> roots{solved.formulation.latency.total};
  for (const auto &constraint : problem.constraints) {
    roots.push_back(constraint.lhs);
    roots.push_back(constraint.rhs);
  }
  symbolic::Tape tape(roots, names);
  auto space = enumerate(solved.gemm.program, solved.request.gridX, solved.request.gridY, 32, 119,
                         /*mergeAlike=*/false);
  int64_t best = INT64_MAX;
  std::vector<int64_t> point(names.size()), results(roots.size()), scratch;
  std::function<bool(const std::vector<std::vector<int64_t>> &, size_t)> walk =
      [&](const std::vector<std::vector<int64_t>> &domains, size_t variable) -> bool {
    if (variable == domains.size()) {
      if (!tape.evaluate(point, results, scratch))
        return true;
      bool feasible = true;
      for (size_t c = 0; c < problem.constraints.size(); ++c) {
        bool equal = problem.constraints[c].relation == solver::Constraint::Relation::Eq;
        feasible &= equal ? results[1 + 2 * c] == results[2 + 2 * c]
                          : results[1 + 2 * c] <= results[2 + 2 * c];
      }
      if (feasible)
        best = std::min(best, results[0]);
      return feasible || problem.constraints.back().name != "l1" ||
             results[results.size() - 2] <= results.back();
    }
    bool anyFits = false;
    for (int64_t value : domains[variable]) {
      point[variable] = value;
      bool fits = walk(domains, variable + 1);
      anyFits |= fits;
      if (!fits && names[variable].starts_with("tile_"))
        break; // larger blocks only need more memory
    }
    return anyFits;
  };
  for (const Candidate &candidate : space.candidates) {
    auto pinned = problemOf(solved.formulation, solved.gemm.program, candidate);
    std::vector<std::vector<int64_t>> domains;
    for (const auto &variable : pinned.variables)
      domains.push_back(variable.domain);
    walk(domains, 0);
  }
  return best;
}

TEST(Select, EqualsExhaustiveSearchOnSmallGemms) {
  for (auto [m, n, k] :
       {std::tuple{128, 96, 160}, {256, 256, 256}, {64, 512, 96}, {33, 65, 31}, {1, 64, 64}}) {
    Solved solved(m, n, k, Request{2, 2, {}});
    EXPECT_EQ(solved.selection.solution.objective, exhaustive(solved)) << m << "x" << n << "x" << k;
  }
  Solved bias(128, 160, 96, Request{2, 2, {}}, true);
  EXPECT_EQ(bias.selection.solution.objective, exhaustive(bias));
  Solved alike(64, 96, 64, Request{2, 2, {}}, 2);
  EXPECT_EQ(alike.selection.solution.objective, exhaustive(alike));
}

TEST(Select, IsVerifiedAndTheFloorIsALowerBound) {
  for (auto [m, n, k] : {std::tuple{512, 512, 512}, {2048, 256, 2048}, {100, 70, 50}}) {
    Solved solved(m, n, k, Request{});
    EXPECT_TRUE(solver::verify(solved.selection.problem, solved.selection.solution).empty());
    symbolic::Environment values;
    for (size_t i = 0; i < solved.selection.problem.variables.size(); ++i)
      values[solved.selection.problem.variables[i].name] = solved.selection.solution.values[i];
    int64_t latency = symbolic::evaluate(solved.formulation.latency.total, values);
    EXPECT_EQ(solved.selection.solution.objective, latency)
        << "the floor must not be what is minimised";
    EXPECT_LE(symbolic::evaluate(solved.formulation.floor, values), latency);
    int64_t parts = 0;
    for (const auto &part : solved.formulation.latency.parts)
      parts += symbolic::evaluate(part.cycles, values);
    EXPECT_EQ(parts, latency);
  }
}

TEST(Select, ObeysRequests) {
  Solved solved(512, 512, 512, Request{2, 4, {{"tile_m", 64}, {"pipe_tile_k_load", 0}}});
  EXPECT_LE(solved.selection.candidate.placement.sizeX(), 2);
  EXPECT_LE(solved.selection.candidate.placement.sizeY(), 4);
  auto schedule =
      makeSchedule(solved.gemm.program, solved.formulation, solved.selection, solved.machine, {});
  EXPECT_EQ(schedule.value("tile_m"), 64);
  EXPECT_EQ(schedule.value("pipe_tile_k_load"), 0);
  EXPECT_THROW(Solved(512, 512, 512, (Request{0, 0, {{"tile_m", 7}}})), Error);
  EXPECT_THROW(Solved(512, 512, 512, (Request{0, 0, {{"nothing", 7}}})), Error);
}

TEST(Select, SaysWhatDoesNotFit) {
  try {
    Solved(4096, 4096, 4096, Request{0, 0, {{"tile_m", 4096}, {"tile_n", 4096}}});
    FAIL() << "a block of 4096 x 4096 cannot fit";
  } catch (const Error &error) {
    EXPECT_EQ(error.diagnostic().kind, Kind::DoesNotFit);
    EXPECT_EQ(error.diagnostic().id, "mapping.no-schedule");
    EXPECT_NE(error.diagnostic().message.find("bytes"), std::string::npos);
    EXPECT_FALSE(error.diagnostic().hint.empty());
  }
}

TEST(Select, NamesPinsThatNoPlacementHas) {
  auto diagnosticOf = [](std::map<std::string, int64_t, std::less<>> fixed) {
    try {
      Solved(64, 64, 64, Request{0, 0, std::move(fixed)});
    } catch (const Error &error) {
      return error.diagnostic();
    }
    return Diagnostic{};
  };
  auto nine = diagnosticOf({{"cores_tile_m", 9}});
  EXPECT_EQ(nine.id, "mapping.no-placement");
  EXPECT_EQ(nine.hint, "'cores_tile_m' can be 1, 2");
  auto three = diagnosticOf({{"cores_tile_n", 2}, {"sharers_x", 3}});
  EXPECT_EQ(three.id, "mapping.no-placement");
  EXPECT_EQ(three.hint, "'sharers_x' can be 1, 2");
  // A bias is as good as another, unless one of them is asked for.
  for (const char *name : {"sharers_bias", "sharers_bias1"}) {
    Solved solved(64, 64, 64, Request{0, 0, {{"cores_tile_m", 2}, {name, 1}}}, 2);
    Solved other(64, 64, 64, Request{0, 0, {{"cores_tile_m", 2}, {name, 2}}}, 2);
    auto load = name == std::string("sharers_bias") ? 2 : 3;
    EXPECT_EQ(solved.selection.candidate.sharing[load].cores(), 1) << name;
    EXPECT_EQ(other.selection.candidate.sharing[load].cores(), 2) << name;
  }
}

TEST(Schedule, ReplaysToTheSameSelection) {
  Solved solved(512, 256, 384, Request{}, true);
  const auto &program = solved.gemm.program;
  std::vector<std::string> arguments{"x=bf16[512,384]"};
  auto schedule =
      makeSchedule(program, solved.formulation, solved.selection, solved.machine, arguments);
  std::string text = toJson(schedule, program);
  auto read = fromJson(text, "s.json", program, solved.machine, arguments);
  EXPECT_EQ(toJson(read, program), text);
  auto selection = replay(read, "s.json", program, solved.formulation, solved.machine, {});
  EXPECT_EQ(selection.solution.values, solved.selection.solution.values);
  EXPECT_THROW(fromJson(text, "s.json", program, solved.machine, {"x=bf16[1,1]"}), Error);
  auto replayUnder = [&](const Request &request) {
    auto formulation = formulate(program, solved.machine, request);
    return replay(read, "s.json", program, formulation, solved.machine, request);
  };
  int64_t cores = read.candidate.placement.cores(0), x = read.candidate.placement.sizeX();
  ASSERT_GT(x, 1);
  EXPECT_EQ(replayUnder({x, 8, {{"cores_tile_m", cores}}}).solution.values,
            solved.selection.solution.values);
  EXPECT_THROW(replayUnder({x - 1, 8, {}}), Error);
  EXPECT_THROW(replayUnder({0, 0, {{"cores_tile_m", cores + 1}}}), Error);
}

} // namespace
} // namespace tilewright::mapping
