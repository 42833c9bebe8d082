// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A schedule as an optimisation problem: plain data, with a JSON form, shared by all engines.
#pragma once

#include "tilewright/Symbolic/Expr.h"
#include <optional>
#include <string>
#include <vector>

namespace tilewright::solver {

using symbolic::Expr;

/// An unknown with a finite domain. `source` says in the user's words what it is ("block size of
/// tile_m").
struct Variable {
  std::string name;
  std::vector<int64_t> domain; ///< sorted, without duplicates, not empty
  std::string source;
  /// The domain before the user fixed the value; empty unless the variable is pinned (a domain of
  /// one).
  std::vector<int64_t> unpinned = {};
};

/// `lhs <= rhs` or `lhs == rhs`. `source` and `unit` serve the explanation of an infeasible
/// problem.
struct Constraint {
  enum class Relation { Le, Eq };
  std::string name;
  Expr lhs;
  Relation relation = Relation::Le;
  Expr rhs;
  std::string unit;
  std::string source;
};

/// Minimise `objective` over the domains subject to all constraints. A point where the objective or
/// a constraint has no value (division by zero, overflow) is not a solution. Among equal optima the
/// answer is the lexicographically smallest vector of values in the order of `variables`.
struct Problem {
  std::string name;
  std::vector<Variable> variables;
  std::vector<Constraint> constraints;
  Expr objective;

  /// {"name", "variables": [{"name", "domain", "source", "unpinned"}], "constraints": [{"name",
  /// "lhs", "relation": "<=" or "==", "rhs", "unit", "source"}], "objective"}, expressions as text.
  /// `unpinned` may be left out, everything else may not.
  std::string toJson() const;
  static Problem fromJson(const std::string &text); ///< errors: "solver.problem-json"
  /// Domains sorted, unique and not empty, names unique, symbols known. Error "solver.problem".
  void check() const;
};

struct Solution {
  std::vector<int64_t> values; ///< one per variable
  int64_t objective = 0;
};

} // namespace tilewright::solver
