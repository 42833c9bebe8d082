// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exact search over a Problem. Deterministic: limits count work, never time.
#pragma once

#include "tilewright/Solver/Problem.h"
#include <memory>
#include <utility>

namespace tilewright::solver {

struct Options {
  /// Only solutions with an objective strictly below this are of interest (the shared incumbent).
  std::optional<int64_t> incumbent;
  /// Largest number of search nodes; exceeding it yields Status::WorkLimit, never a wrong answer.
  uint64_t workLimit = 50'000'000;
  /// Variables (by index) whose values are limited to these for this search: sorted, not empty,
  /// each one of the variable's domain. The caller knows that no other value can be part of the
  /// answer.
  std::vector<std::pair<size_t, std::vector<int64_t>>> domains = {};
};

enum class Status { Optimal, Infeasible, NotBetter, WorkLimit };

struct Statistics {
  uint64_t nodes = 0;
  uint64_t evaluations = 0;
};

struct Result {
  Status status = Status::Infeasible;
  Solution solution; ///< when Optimal; on WorkLimit the best found so far, if `values` is not empty
  Statistics statistics;
};

/// Variables that are fixed for one search: (index into Problem::variables, a value of its domain).
/// Anything else is Error "solver.pin".
using Pins = std::vector<std::pair<size_t, int64_t>>;

/// A problem compiled once (tapes, domains) and searched many times with different pins: the
/// mapping room has one formulation whose candidates differ only in pinned variables.
class Search {
public:
  explicit Search(const Problem &problem); ///< Error "solver.problem" (Problem::check)
  ~Search();
  /// Lower bound of the objective over all feasible points, from intervals and the monomial
  /// relaxation at the root alone; nullopt when intervals already prove the problem infeasible.
  std::optional<int64_t> rootBound(const Pins &pins = {}) const;
  /// Branch and bound. NotBetter: feasible or not, nothing beats the incumbent.
  /// The solution holds a value for every variable, pinned ones included.
  Result solve(const Pins &pins, const Options &options = {}) const;

private:
  struct State;
  std::unique_ptr<State> state;
};

std::optional<int64_t> rootBound(const Problem &problem);
Result solve(const Problem &problem, const Options &options = {});

} // namespace tilewright::solver
