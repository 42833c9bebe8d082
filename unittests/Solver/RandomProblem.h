// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random small problems that look like schedules, and their brute-force answer.
#pragma once

#include "tilewright/Solver/Problem.h"
#include <random>

namespace tilewright::test {

using solver::Constraint;
using solver::Problem;
using solver::Solution;
using solver::Variable;
using symbolic::Expr;

class RandomProblems {
public:
  explicit RandomProblems(unsigned seed) : generator(seed) {}
  int64_t pick(int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(generator);
  }

  Problem problem() {
    Problem p;
    p.name = "random";
    int count = int(pick(1, 4));
    for (int i = 0; i < count; ++i)
      p.variables.push_back(variable(std::string(1, char('a' + (i * 7 + 3) % 5))));
    for (int64_t c = pick(0, 3); c > 0; --c)
      p.constraints.push_back(constraint(p));
    p.objective = pick(0, 3) ? tripCosts(p) : expression(p, 4);
    if (pick(0, 5) == 0) { // optima on an antidiagonal: the order of variables decides
      Expr distance = leaf(p) * pick(1, 3) + leaf(p) * pick(1, 3) - pick(10, 150);
      p.objective = max(distance, Expr(0) - distance);
    }
    if (pick(0, 2) == 0) // coarse costs tie
      p.objective = ceildiv(p.objective, pick(2, 500));
    return p;
  }

  /// A knob chooses between two costs.
  Problem knobProblem() {
    Problem p = problem();
    Expr other = pick(0, 1) ? tripCosts(p) : expression(p, 3);
    p.variables.push_back({"knob", {0, 1}, "source of knob", {}});
    p.objective = select(Expr::symbol("knob"), p.objective, other);
    return p;
  }

private:
  Variable variable(std::string name) {
    Variable v{name, {}, "source of " + name, {}};
    int64_t step = pick(0, 2) ? pick(1, 4) * 8 : 1, first = pick(0, 3) ? 1 : pick(-2, 0),
            size = pick(1, 8);
    for (int64_t i = 0; i < size; ++i)
      if (size == 1 || pick(0, 5))
        v.domain.push_back((first + i) * step);
    if (v.domain.empty())
      v.domain.push_back(step);
    return v;
  }
  Expr leaf(const Problem &p) {
    return pick(0, 3) ? Expr::symbol(p.variables[pick(0, int64_t(p.variables.size()) - 1)].name)
                      : Expr(pick(-3, 40));
  }
  Expr expression(const Problem &p, int depth) {
    if (depth == 0)
      return leaf(p);
    Expr x = expression(p, depth - 1), y = expression(p, int(pick(0, depth - 1)));
    switch (pick(0, 10)) {
    case 0:
      return ceildiv(x, y);
    case 1:
      return floordiv(x, y);
    case 2:
      return mod(x, y);
    case 3:
      return max(x, y);
    case 4:
      return min(x, y);
    case 5:
      return select(le(x, y), x, leaf(p));
    case 6:
      return x - y;
    case 7:
    case 8:
      return x * y;
    default:
      return x + y;
    }
  }
  /// ceildiv(size, x) * max(cost, cost) + ..., the shape of a latency.
  Expr tripCosts(const Problem &p) {
    Expr total = pick(0, 20);
    for (int64_t i = pick(1, 3); i > 0; --i) {
      Expr divisor = pick(0, 2) ? leaf(p) * pick(1, 3) : max(leaf(p), leaf(p) * pick(1, 3));
      Expr trip = ceildiv(pick(1, 500), divisor) * ceildiv(pick(1, 300), leaf(p));
      Expr cost = max(leaf(p) * leaf(p) + pick(0, 50), expression(p, 1) * pick(1, 9));
      total = total + trip * cost + (trip - 1) * floordiv(leaf(p) * leaf(p), pick(1, 16));
    }
    return total;
  }
  Constraint constraint(const Problem &p) {
    Constraint c;
    c.name = c.source = "c" + std::to_string(p.constraints.size());
    switch (pick(0, 3)) {
    case 0:
      c.lhs = mod(leaf(p), leaf(p) * pick(1, 2)), c.relation = Constraint::Relation::Eq;
      break;
    case 1:
      c.lhs = expression(p, 2), c.rhs = expression(p, 1);
      break;
    default:
      c.lhs = leaf(p) * leaf(p) * pick(1, 2) + leaf(p) * leaf(p), c.rhs = pick(0, 3000);
    }
    return c;
  }
  std::mt19937 generator;
};

/// All points in lexicographic order, the first best one wins; `optima` counts the best ones.
inline std::optional<Solution> bruteForce(const Problem &p, unsigned *optima = nullptr) {
  std::optional<Solution> best;
  unsigned equal = 0;
  std::vector<size_t> at(p.variables.size(), 0);
  for (bool more = true; more;) {
    symbolic::Environment point;
    Solution s;
    for (size_t v = 0; v < at.size(); ++v)
      s.values.push_back(point[p.variables[v].name] = p.variables[v].domain[at[v]]);
    try {
      bool good = true;
      for (const Constraint &c : p.constraints) {
        int64_t lhs = evaluate(c.lhs, point), rhs = evaluate(c.rhs, point);
        good &= c.relation == Constraint::Relation::Eq ? lhs == rhs : lhs <= rhs;
      }
      s.objective = evaluate(p.objective, point);
      if (good && (!best || s.objective < best->objective))
        best = s, equal = 0;
      equal += good && s.objective == best->objective;
    } catch (const Error &) { // no value here: not a solution
    }
    more = false;
    for (size_t v = at.size(); v-- > 0 && !more;)
      if (++at[v] < p.variables[v].domain.size())
        more = true;
      else
        at[v] = 0;
  }
  if (optima)
    *optima = equal;
  return best;
}

} // namespace tilewright::test
