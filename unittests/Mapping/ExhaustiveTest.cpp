// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The paper's 18 GEMM problems on a 4x4 sub-mesh: the search against plain counting over every
// candidate and every value of every variable.
#include "Gemm.h"
#include "tilewright/Symbolic/Tape.h"
#include <future>
#include <gtest/gtest.h>

namespace tilewright::mapping {
namespace {

using symbolic::Expr;
using symbolic::Tape;

/// One candidate's problem with the pinned variables put in, and the order in which the others are
/// counted.
struct Counted {
  std::vector<std::string> names;
  std::vector<std::vector<int64_t>> domains;
  Tape objective, memory, others;
  int64_t capacity;
  size_t otherCount;
};

Counted counted(const solver::Problem &problem, Expr latency) {
  std::map<std::string, Expr, std::less<>> pinned;
  std::vector<std::string> names;
  std::vector<std::vector<int64_t>> domains;
  for (const auto &variable : problem.variables) {
    if (variable.domain.size() == 1) {
      pinned.emplace(variable.name, Expr(variable.domain.front()));
    } else {
      names.push_back(variable.name);
      domains.push_back(variable.domain);
    }
  }
  Expr memory = 0;
  int64_t capacity = 0;
  std::vector<Expr> others; // lhs - rhs: at most 0, or 0 and its negative
  for (const auto &constraint : problem.constraints) {
    Expr difference = substitute(constraint.lhs, pinned) - substitute(constraint.rhs, pinned);
    if (constraint.name == "l1") {
      memory = substitute(constraint.lhs, pinned);
      capacity = constraint.rhs.value();
      continue;
    }
    others.push_back(difference);
    if (constraint.relation == solver::Constraint::Relation::Eq)
      others.push_back(Expr(0) - difference);
  }
  const Expr objective[] = {substitute(latency, pinned)}, footprint[] = {memory};
  Tape objectiveTape(objective, names), memoryTape(footprint, names), othersTape(others, names);
  return {names, domains, objectiveTape, memoryTape, othersTape, capacity, others.size()};
}

class Counter {
public:
  explicit Counter(const Counted &c) : c(c), point(c.names.size()), results(c.otherCount) {
    for (size_t v = 0; v < point.size(); ++v)
      point[v] = c.domains[v].front();
  }
  int64_t least() {
    count(0);
    return best;
  }

private:
  int64_t value(const Tape &tape) {
    int64_t result[1];
    return tape.evaluate(point, result, scratch) ? result[0] : INT64_MAX;
  }
  void count(size_t v) {
    // All that follow are at their least: if even this does not fit, nothing larger does, because
    // the footprint is a sum of products of the variables.
    if (value(c.memory) > c.capacity)
      return;
    if (v == point.size()) {
      if (!c.others.evaluate(point, results, scratch))
        return;
      if (std::all_of(results.begin(), results.end(), [](int64_t r) { return r <= 0; }))
        best = std::min(best, value(c.objective));
      return;
    }
    for (int64_t next : c.domains[v]) {
      point[v] = next;
      if (value(c.memory) > c.capacity)
        break;
      count(v + 1);
    }
    point[v] = c.domains[v].front();
  }

  const Counted &c;
  std::vector<int64_t> point, results, scratch;
  int64_t best = INT64_MAX;
};

int64_t exhaustive(const Gemm &gemm, const Formulation &formulation, const CandidateSpace &space) {
  auto half = [&](size_t start) {
    int64_t best = INT64_MAX;
    for (size_t i = start; i < space.candidates.size(); i += 2) {
      auto problem = problemOf(formulation, gemm.program, space.candidates[i]);
      auto one = counted(problem, formulation.latency.total);
      best = std::min(best, Counter(one).least());
    }
    return best;
  };
  auto other = std::async(std::launch::async, half, 1);
  int64_t best = half(0);
  return std::min(best, other.get());
}

class PaperGemm : public testing::TestWithParam<std::tuple<int64_t, int64_t, int64_t>> {};

TEST_P(PaperGemm, SearchEqualsCounting) {
  auto [m, n, k] = GetParam();
  Gemm gemm(m, n, k);
  auto machine = wormhole();
  Request request{4, 4, {}};
  auto formulation = formulate(gemm.program, machine, request);
  auto selection = select(gemm.program, formulation, machine, request);
  auto space = enumerate(gemm.program, 4, 4, 32, 119);
  EXPECT_EQ(selection.solution.objective, exhaustive(gemm, formulation, space));
}

std::vector<std::tuple<int64_t, int64_t, int64_t>> shapes() {
  std::vector<std::tuple<int64_t, int64_t, int64_t>> result;
  for (auto [m, n] : {std::pair{256, 256},
                      {2048, 256},
                      {2048, 2048},
                      {16384, 256},
                      {16384, 2048},
                      {16384, 16384}})
    for (int64_t k : {256, 2048, 16384})
      result.push_back({m, n, k});
  return result;
}
std::string shapeName(const testing::TestParamInfo<std::tuple<int64_t, int64_t, int64_t>> &info) {
  auto [m, n, k] = info.param;
  return fmt::format("M{}N{}K{}", m, n, k);
}
INSTANTIATE_TEST_SUITE_P(Shapes, PaperGemm, testing::ValuesIn(shapes()), shapeName);

} // namespace
} // namespace tilewright::mapping
