// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation with errors, substitution, and the symbols of an expression. Shared nodes are visited
// once.
#include "Node.h"
#include "tilewright/Support/Checked.h"
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace tilewright::symbolic {

namespace {

class Evaluator {
public:
  explicit Evaluator(const Environment &e) : environment(e) {}

  int64_t value(const Expr &e) {
    if (e.isConstant())
      return e.value();
    auto found = memo.find(e.identity());
    if (found != memo.end())
      return found->second;
    int64_t result = compute(e);
    memo.emplace(e.identity(), result);
    return result;
  }

private:
  int64_t compute(const Expr &e);
  int64_t lookup(const Expr &e);
  int64_t total(const Expr &e);
  Wide wideProduct(const Expr &e);
  int64_t division(const Expr &e);
  int64_t extreme(const Expr &e);

  const Environment &environment;
  std::unordered_map<const Node *, int64_t> memo;
};

int64_t Evaluator::lookup(const Expr &e) {
  auto found = environment.find(e.name());
  if (found == environment.end())
    throw Error(Kind::User, "symbolic.unbound", "symbol \"" + e.name() + "\" has no value",
                "give it a value");
  return found->second;
}

int64_t Evaluator::total(const Expr &e) {
  Wide sum = 0;
  for (const Expr &operand : e.operands())
    if (__builtin_add_overflow(sum, operand.op() == Op::Mul ? wideProduct(operand) : value(operand),
                               &sum))
      throwOverflow("the value of \"" + e.str() + "\"");
  return fits(sum) ? int64_t(sum) : narrow(sum, "the value of \"" + e.str() + "\"");
}

Wide Evaluator::wideProduct(const Expr &e) {
  Wide result = 1;
  bool overflow = false, zero = false;
  for (const Expr &operand : e.operands()) {
    Wide factor = value(operand);
    zero |= factor == 0;
    overflow |= __builtin_mul_overflow(result, factor, &result);
  }
  if (overflow && !zero)
    throwOverflow("the value of \"" + e.str() + "\"");
  return zero ? 0 : result;
}

int64_t Evaluator::division(const Expr &e) {
  int64_t a = value(e.operands()[0]), b = value(e.operands()[1]);
  if (b == 0)
    throw Error(Kind::User, "symbolic.division-by-zero", "division by zero in \"" + e.str() + "\"",
                "the divisor \"" + e.operands()[1].str() + "\" must not be 0");
  if (e.op() == Op::Mod)
    return b == -1 ? 0 : int64_t(Wide(a) - Wide(b) * floorDiv(a, b));
  if (b == -1)
    return narrow(-Wide(a), "the value of \"" + e.str() + "\"");
  return e.op() == Op::FloorDiv ? floorDiv(a, b) : ceilDiv(a, b);
}

int64_t Evaluator::extreme(const Expr &e) {
  int64_t result = value(e.operands()[0]);
  for (const Expr &operand : e.operands().subspan(1)) {
    int64_t next = value(operand);
    result = e.op() == Op::Min ? std::min(result, next) : std::max(result, next);
  }
  return result;
}

int64_t Evaluator::compute(const Expr &e) {
  std::span<const Expr> x = e.operands();
  switch (e.op()) {
  case Op::Constant:
    return e.value();
  case Op::Symbol:
    return lookup(e);
  case Op::Add:
    return total(e);
  case Op::Mul: {
    Wide wide = wideProduct(e);
    return fits(wide) ? int64_t(wide) : narrow(wide, "the value of \"" + e.str() + "\"");
  }
  case Op::FloorDiv:
  case Op::CeilDiv:
  case Op::Mod:
    return division(e);
  case Op::Min:
  case Op::Max:
    return extreme(e);
  case Op::Le:
    return value(x[0]) <= value(x[1]);
  case Op::Lt:
    return value(x[0]) < value(x[1]);
  case Op::Eq:
    return value(x[0]) == value(x[1]);
  case Op::Ne:
    return value(x[0]) != value(x[1]);
  case Op::Select:
    return value(value(x[0]) ? x[1] : x[2]);
  }
  return 0;
}

Expr extremeOf(Expr (*op)(Expr, Expr), std::span<const Expr> x) {
  Expr result = x[0];
  for (const Expr &operand : x.subspan(1))
    result = op(result, operand);
  return result;
}

/// The same operation on other operands, simplified anew.
Expr rebuild(Op op, std::span<const Expr> x) {
  switch (op) {
  case Op::Add:
    return sum(x);
  case Op::Mul:
    return product(x);
  case Op::Min:
    return extremeOf(min, x);
  case Op::Max:
    return extremeOf(max, x);
  case Op::FloorDiv:
    return floordiv(x[0], x[1]);
  case Op::CeilDiv:
    return ceildiv(x[0], x[1]);
  case Op::Mod:
    return mod(x[0], x[1]);
  case Op::Le:
    return le(x[0], x[1]);
  case Op::Lt:
    return lt(x[0], x[1]);
  case Op::Eq:
    return eq(x[0], x[1]);
  case Op::Ne:
    return ne(x[0], x[1]);
  default:
    return select(x[0], x[1], x[2]);
  }
}

using Replacements = std::map<std::string, Expr, std::less<>>;

struct Substitution {
  const Replacements &replacements;
  std::unordered_map<const Node *, Expr> memo;

  Expr apply(const Expr &e) {
    if (e.isConstant())
      return e;
    auto found = memo.find(e.identity());
    if (found != memo.end())
      return found->second;
    Expr result = compute(e);
    memo.emplace(e.identity(), result);
    return result;
  }

  Expr compute(const Expr &e) {
    if (e.op() == Op::Symbol) {
      auto found = replacements.find(e.name());
      return found == replacements.end() ? e : found->second;
    }
    std::vector<Expr> operands;
    bool changed = false;
    for (const Expr &operand : e.operands()) {
      operands.push_back(apply(operand));
      changed |= operands.back() != operand;
    }
    return changed ? rebuild(e.op(), operands) : e;
  }
};

void collectSymbols(const Expr &e, std::unordered_set<const Node *> &seen,
                    std::set<std::string> &names) {
  if (!seen.insert(e.identity()).second)
    return;
  if (e.op() == Op::Symbol)
    names.insert(e.name());
  for (const Expr &operand : e.operands())
    collectSymbols(operand, seen, names);
}

} // namespace

int64_t evaluate(Expr e, const Environment &environment) {
  return Evaluator(environment).value(e);
}

Expr substitute(Expr e, const Replacements &replacements) {
  return Substitution{replacements, {}}.apply(e);
}

std::vector<std::string> symbols(Expr e) {
  std::unordered_set<const Node *> seen;
  std::set<std::string> names;
  collectSymbols(e, seen, names);
  return {names.begin(), names.end()};
}

} // namespace tilewright::symbolic
