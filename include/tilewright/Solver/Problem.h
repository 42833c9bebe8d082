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
};

/// `lhs <= rhs` or `lhs == rhs`. `source` and `unit` serve the explanation of an infeasible problem.
struct Constraint {
  enum class Relation { Le, Eq };
  std::string name;
  Expr lhs;
  Relation relation = Relation::Le;
  Expr rhs;
  std::string unit;
  std::string source;
};

/// Minimise `objective` over the domains subject to all constraints. Among equal optima the answer is the
/// lexicographically smallest vector of values in the order of `variables`.
struct Problem {
  std::string name;
  std::vector<Variable> variables;
  std::vector<Constraint> constraints;
  Expr objective;

  std::string toJson() const;
  static Problem fromJson(const std::string &text); ///< errors: "solver.problem-json"
};

struct Solution {
  std::vector<int64_t> values; ///< one per variable
  int64_t objective = 0;
};

} // namespace tilewright::solver
