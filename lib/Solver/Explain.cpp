// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deletion-based minimal conflicts; every claim is checked by an exact search.
#include "tilewright/Solver/Explain.h"
#include "tilewright/Solver/Solve.h"
#include <algorithm>

namespace tilewright::solver {

namespace {

using Indices = std::vector<size_t>;

class Explainer {
public:
  explicit Explainer(const Problem &p) : problem(p) {}
  Conflict run();

private:
  Problem part(const Indices &constraints, const Indices &pinned) const;
  static bool feasible(Problem p);
  static std::optional<Solution> optimum(const Problem &p);
  void shrink();
  std::optional<int64_t> excessOf(size_t constraint, const Problem &others) const;
  std::string describe(size_t constraint, int64_t excess) const;
  std::string describeAll() const;
  std::optional<std::string> freePin(size_t variable) const;
  std::optional<std::string> raiseLimit(size_t constraint) const;
  std::optional<std::string> drop(size_t constraint) const;
  std::string suggest() const;
  Indices allBut(size_t constraint) const;
  std::string name(const Variable &v) const {
    return v.source.empty() ? "\"" + v.name + "\"" : v.source;
  }
  std::string name(const Constraint &c) const {
    return c.source.empty() ? "\"" + c.name + "\"" : c.source;
  }

  const Problem &problem;
  Conflict conflict;
};

std::string amount(int64_t value, const Constraint &c) {
  return std::to_string(value) + (c.unit.empty() ? "" : " " + c.unit);
}

/// The problem with only these constraints; pinned variables outside `pinned` get their domain
/// back.
Problem Explainer::part(const Indices &constraints, const Indices &pinned) const {
  Problem p = problem;
  p.constraints.clear();
  for (size_t c : constraints)
    p.constraints.push_back(problem.constraints[c]);
  for (size_t v = 0; v < p.variables.size(); ++v) {
    Variable &variable = p.variables[v];
    if (!variable.unpinned.empty() && !std::count(pinned.begin(), pinned.end(), v))
      variable.domain = variable.unpinned;
    variable.unpinned.clear();
  }
  return p;
}

std::optional<Solution> Explainer::optimum(const Problem &p) {
  Result result = solve(p);
  if (result.status == Status::WorkLimit && result.solution.values.empty())
    throw Error(Kind::Internal, "solver.work-limit",
                "explaining \"" + p.name + "\" exceeded the work limit",
                "pin fewer or more variables");
  return result.solution.values.empty() && !p.variables.empty() ? std::nullopt
         : result.status == Status::Infeasible                  ? std::nullopt
                                                                : std::optional(result.solution);
}

bool Explainer::feasible(Problem p) {
  p.objective = 0;
  return optimum(p).has_value();
}

/// Leaves out one member after the other as long as what remains has no solution.
void Explainer::shrink() {
  auto without = [](Indices list, size_t member) {
    std::erase(list, member);
    return list;
  };
  for (size_t v : Indices(conflict.pinned))
    if (!feasible(part(conflict.constraints, without(conflict.pinned, v))))
      std::erase(conflict.pinned, v);
  for (size_t c : Indices(conflict.constraints))
    if (!feasible(part(without(conflict.constraints, c), conflict.pinned)))
      std::erase(conflict.constraints, c);
}

/// Smallest amount by which the constraint is missed where the others hold.
std::optional<int64_t> Explainer::excessOf(size_t constraint, const Problem &others) const {
  const Constraint &c = problem.constraints[constraint];
  Problem p = others;
  Expr difference = c.lhs - c.rhs;
  bool equality = c.relation == Constraint::Relation::Eq;
  p.objective = equality ? max(difference, c.rhs - c.lhs) : difference;
  std::optional<Solution> solution = optimum(p);
  return solution ? std::optional(solution->objective) : std::nullopt;
}

Indices Explainer::allBut(size_t constraint) const {
  Indices all;
  for (size_t c = 0; c < problem.constraints.size(); ++c)
    if (c != constraint)
      all.push_back(c);
  return all;
}

std::string Explainer::describe(size_t constraint, int64_t excess) const {
  const Constraint &c = problem.constraints[constraint];
  bool equality = c.relation == Constraint::Relation::Eq;
  if (!equality && c.rhs.isConstant())
    return name(c) + " needs at least " + amount(c.rhs.value() + excess, c) + ", limit " +
           amount(c.rhs.value(), c);
  std::string text = name(c) + ": \"" + c.lhs.str() + (equality ? " == " : " <= ") + c.rhs.str();
  return text + "\" is missed by at least " + amount(excess, c);
}

std::string Explainer::describeAll() const {
  std::string text;
  for (size_t i = 0; i < conflict.constraints.size(); ++i)
    text += (i ? "; " : "") + describe(conflict.constraints[i], conflict.excess[i]);
  std::string pins;
  for (size_t v : conflict.pinned)
    pins += (pins.empty() ? "" : ", ") + name(problem.variables[v]) + " = " +
            std::to_string(problem.variables[v].domain[0]);
  if (conflict.constraints.size() > 1)
    text = "these cannot hold together: " + text;
  return pins.empty() ? text : text + " (with " + pins + " pinned)";
}

/// The value nearest to the pinned one with which the whole problem has a solution.
std::optional<std::string> Explainer::freePin(size_t variable) const {
  const Variable &v = problem.variables[variable];
  Problem p = problem;
  p.variables[variable].domain = v.unpinned;
  p.variables[variable].unpinned.clear();
  Expr change = Expr::symbol(v.name) - v.domain[0];
  p.objective = max(change, Expr(0) - change);
  std::optional<Solution> solution = optimum(p);
  if (!solution)
    return std::nullopt;
  return "use " + v.name + " = " + std::to_string(solution->values[variable]) + " instead of " +
         std::to_string(v.domain[0]);
}

std::optional<std::string> Explainer::raiseLimit(size_t constraint) const {
  const Constraint &c = problem.constraints[constraint];
  if (c.relation != Constraint::Relation::Le || !c.rhs.isConstant())
    return std::nullopt;
  Problem p = problem;
  p.constraints.erase(p.constraints.begin() + constraint);
  std::optional<int64_t> excess = excessOf(constraint, p);
  if (!excess || *excess > INT64_MAX - std::max<int64_t>(c.rhs.value(), 0))
    return std::nullopt;
  Problem raised = problem;
  raised.constraints[constraint].rhs = c.rhs + *excess;
  if (!feasible(raised))
    return std::nullopt;
  return "raise the limit of " + name(c) + " from " + amount(c.rhs.value(), c) + " to " +
         amount(c.rhs.value() + *excess, c);
}

std::optional<std::string> Explainer::drop(size_t constraint) const {
  Problem p = problem;
  p.constraints.erase(p.constraints.begin() + constraint);
  if (!feasible(p))
    return std::nullopt;
  return "do without " + name(problem.constraints[constraint]);
}

/// Freeing a pin is in the user's hands, so it comes first.
std::string Explainer::suggest() const {
  for (size_t v : conflict.pinned)
    if (auto text = freePin(v))
      return *text;
  for (size_t c : conflict.constraints)
    if (auto text = raiseLimit(c))
      return *text;
  for (size_t c : conflict.constraints)
    if (auto text = drop(c))
      return *text;
  if (!conflict.pinned.empty() && feasible(part(allBut(SIZE_MAX), {})))
    return "free all pinned variables";
  return "no single change makes it feasible";
}

Conflict Explainer::run() {
  for (size_t v = 0; v < problem.variables.size(); ++v)
    if (!problem.variables[v].unpinned.empty())
      conflict.pinned.push_back(v);
  conflict.constraints = allBut(SIZE_MAX);
  if (feasible(part(conflict.constraints, conflict.pinned)))
    throw Error(Kind::Internal, "solver.not-infeasible",
                "problem \"" + problem.name + "\" has a solution",
                "explain only what the search found infeasible");
  shrink();
  for (size_t c : conflict.constraints) {
    Indices others = conflict.constraints;
    std::erase(others, c);
    conflict.excess.push_back(excessOf(c, part(others, conflict.pinned)).value_or(0));
  }
  conflict.text = describeAll();
  conflict.suggestion = suggest();
  return conflict;
}

} // namespace

Conflict explainInfeasible(const Problem &problem) {
  problem.check();
  return Explainer(problem).run();
}

} // namespace tilewright::solver
