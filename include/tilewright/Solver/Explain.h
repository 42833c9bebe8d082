// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why a problem has no solution, in source terms.
#pragma once

#include "tilewright/Solver/Problem.h"

namespace tilewright::solver {

/// A smallest set of constraints (and pinned variables) that cannot hold together. Removing any one
/// member makes the rest satisfiable.
struct Conflict {
  std::vector<size_t> constraints; ///< indices into Problem::constraints
  std::vector<size_t> pinned;      ///< variables with a one-element domain that take part
  /// For each constraint in the set the smallest amount by which it is missed when the others hold
  /// (unit of the constraint).
  std::vector<int64_t> excess;
  std::string text;       ///< sentence(s) in source terms with actual against limit
  std::string suggestion; ///< one change that makes the problem feasible, checked by solving it
};

/// Requires an infeasible problem.
Conflict explainInfeasible(const Problem &problem);

} // namespace tilewright::solver
