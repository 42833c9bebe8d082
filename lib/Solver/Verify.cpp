// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a solution with an evaluator of its own, straight from the expressions, in 128-bit
// integers. Shares nothing with the search: no tape, no intervals, no common helper.
#include "tilewright/Solver/Verify.h"
#include <algorithm>
#include <map>
#include <unordered_map>

namespace tilewright::solver {

namespace {

using symbolic::Op;
using Value = std::optional<__int128>;

class Check {
public:
  Check(const Problem &p, const Solution &s) : problem(p), solution(s) {}
  std::vector<std::string> run();

private:
  Value valueOf(const Expr &e);
  Value compute(const Expr &e);
  void checkValues();
  void checkConstraint(const Constraint &c);
  void checkObjective();

  const Problem &problem;
  const Solution &solution;
  std::map<std::string, int64_t> values;
  std::unordered_map<const symbolic::Node *, Value> memo;
  std::vector<std::string> findings;
};

std::string decimal(__int128 v) {
  bool negative = v < 0;
  std::string digits;
  do
    digits.insert(digits.begin(), char('0' + int(negative ? -(v % 10) : v % 10)));
  while ((v /= 10) != 0);
  return (negative ? "-" : "") + digits;
}

/// Largest integer not above a / b.
__int128 quotientDown(__int128 a, __int128 b) {
  __int128 q = a / b;
  bool inexact = q * b != a, negative = (a < 0) != (b < 0);
  return inexact && negative ? q - 1 : q;
}

Value apply(Op op, __int128 a, __int128 b) {
  __int128 r = 0;
  if ((op == Op::FloorDiv || op == Op::CeilDiv || op == Op::Mod) && b == 0)
    return std::nullopt;
  switch (op) {
  case Op::Add:
    return __builtin_add_overflow(a, b, &r) ? Value() : r;
  case Op::Mul:
    return __builtin_mul_overflow(a, b, &r) ? Value() : r;
  case Op::FloorDiv:
    return quotientDown(a, b);
  case Op::CeilDiv:
    return -quotientDown(-a, b);
  case Op::Mod:
    return a - b * quotientDown(a, b);
  case Op::Min:
    return std::min(a, b);
  case Op::Max:
    return std::max(a, b);
  case Op::Le:
    return a <= b;
  case Op::Lt:
    return a < b;
  case Op::Eq:
    return a == b;
  case Op::Ne:
    return a != b;
  default:
    return std::nullopt;
  }
}

Value Check::valueOf(const Expr &e) {
  auto found = memo.find(e.identity());
  if (found == memo.end())
    found = memo.emplace(e.identity(), compute(e)).first;
  return found->second;
}

Value Check::compute(const Expr &e) {
  if (e.op() == Op::Constant)
    return e.value();
  if (e.op() == Op::Symbol) {
    auto found = values.find(e.name());
    return found == values.end() ? Value() : Value(found->second);
  }
  std::span<const Expr> operands = e.operands();
  Value result = valueOf(operands[0]);
  if (e.op() == Op::Select)
    return result ? valueOf(operands[*result != 0 ? 1 : 2]) : result;
  for (const Expr &operand : operands.subspan(1)) {
    Value next = valueOf(operand);
    result = result && next ? apply(e.op(), *result, *next) : std::nullopt;
  }
  return result;
}

void Check::checkValues() {
  for (size_t i = 0; i < problem.variables.size(); ++i) {
    const Variable &v = problem.variables[i];
    int64_t value = solution.values[i];
    values[v.name] = value;
    if (std::find(v.domain.begin(), v.domain.end(), value) == v.domain.end())
      findings.push_back("value " + decimal(value) + " of \"" + v.name + "\" is not in its domain");
  }
}

void Check::checkConstraint(const Constraint &c) {
  Value lhs = valueOf(c.lhs), rhs = valueOf(c.rhs);
  bool equality = c.relation == Constraint::Relation::Eq;
  if (!lhs || !rhs)
    findings.push_back("constraint \"" + c.name + "\" has no value");
  else if (equality ? *lhs != *rhs : *lhs > *rhs)
    findings.push_back("constraint \"" + c.name + "\" is violated: " + decimal(*lhs) +
                       (equality ? " is not " : " exceeds ") + decimal(*rhs) +
                       (c.unit.empty() ? "" : " " + c.unit));
}

void Check::checkObjective() {
  Value objective = valueOf(problem.objective);
  if (!objective)
    findings.push_back("the objective has no value");
  else if (*objective != solution.objective)
    findings.push_back("objective is " + decimal(*objective) + ", the solution says " +
                       decimal(solution.objective));
}

std::vector<std::string> Check::run() {
  if (solution.values.size() != problem.variables.size()) {
    findings.push_back("solution has " + std::to_string(solution.values.size()) + " values for " +
                       std::to_string(problem.variables.size()) + " variables");
    return findings;
  }
  checkValues();
  for (const Constraint &c : problem.constraints)
    checkConstraint(c);
  checkObjective();
  return findings;
}

} // namespace

std::vector<std::string> verify(const Problem &problem, const Solution &solution) {
  return Check(problem, solution).run();
}

} // namespace tilewright::solver
