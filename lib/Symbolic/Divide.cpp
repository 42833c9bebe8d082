// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floor division, ceiling division and modulo. Each rule holds for all integers, negatives
// included, wherever the divisor is not 0; a division by the constant 0 stays in the expression.
#include "Node.h"
#include "tilewright/Support/Checked.h"
#include <algorithm>
#include <numeric>
#include <optional>

namespace tilewright::symbolic {

static Expr divideByPositive(Op op, const Expr &a, int64_t divisor);

/// a / b when b's factors are among a's: (x*y*6) / (y*3) = x*2. The quotient is exact for b != 0.
static std::optional<Expr> exactQuotient(const Expr &a, const Expr &b) {
  Factors x = factorsOf(a), y = factorsOf(b);
  if ((y.coefficient == -1 && x.coefficient == INT64_MIN) || x.coefficient % y.coefficient != 0)
    return std::nullopt;
  std::vector<Expr> rest(x.rest.begin(), x.rest.end());
  for (const Expr &factor : y.rest) {
    auto found = std::find(rest.begin(), rest.end(), factor);
    if (found == rest.end())
      return std::nullopt;
    rest.erase(found);
  }
  rest.push_back(Expr(x.coefficient / y.coefficient));
  return product(rest);
}

static void divideAll(Linear &linear, Wide divisor) {
  linear.constant /= divisor;
  for (Linear::Term &term : linear.terms)
    term.coefficient /= divisor;
}

/// Splits off the terms that `divisor` divides: linear keeps the rest, the result holds the
/// quotients.
static Linear takeMultiples(Linear &linear, int64_t divisor) {
  Linear quotient, rest;
  for (const Linear::Term &term : linear.terms) {
    if (term.coefficient % divisor == 0)
      quotient.terms.push_back({term.base, term.coefficient / divisor});
    else
      rest.terms.push_back(term);
  }
  (linear.constant % divisor == 0 ? quotient.constant : rest.constant) =
      linear.constant % divisor == 0 ? linear.constant / divisor : linear.constant;
  linear = std::move(rest);
  return quotient;
}

/// op(op(x, c), d) = op(x, c * d) for positive constants c and d.
static std::optional<Expr> nested(Op op, const Expr &a, int64_t divisor) {
  if (a.op() != op || !a.operands()[1].isConstant() || a.operands()[1].value() <= 0)
    return std::nullopt;
  std::optional<int64_t> combined = checkedMul(a.operands()[1].value(), divisor);
  if (!combined)
    return std::nullopt;
  return divideByPositive(op, a.operands()[0], *combined);
}

/// floordiv(x + d - 1, d) = ceildiv(x, d), and the reverse.
static std::optional<Expr> rounded(Op op, Linear linear, int64_t divisor) {
  Wide bias = op == Op::FloorDiv ? divisor - 1 : 1 - divisor;
  if (linear.constant != bias)
    return std::nullopt;
  linear.constant = 0;
  return divideByPositive(op == Op::FloorDiv ? Op::CeilDiv : Op::FloorDiv, linear.build(), divisor);
}

static Expr divideByPositive(Op op, const Expr &a, int64_t divisor) {
  Linear rest(a);
  Linear quotient = takeMultiples(rest, divisor);
  if (rest.terms.empty() && rest.constant == 0)
    return quotient.build();
  if (rest.terms.empty()) {
    int64_t c = int64_t(rest.constant);
    quotient.constant += op == Op::FloorDiv ? floorDiv(c, divisor) : ceilDiv(c, divisor);
    return quotient.build();
  }
  int64_t common = int64_t(std::gcd(rest.content(), uint64_t(divisor)));
  divideAll(rest, common);
  divisor /= common;
  Expr dividend = rest.build();
  std::optional<Expr> simpler = nested(op, dividend, divisor);
  if (!simpler)
    simpler = rounded(op, rest, divisor);
  quotient.add(simpler ? *simpler : Interner::make(op, {dividend, Expr(divisor)}), 1);
  quotient.collect();
  return quotient.build();
}

static bool divisible(const Expr &a, const Expr &b) {
  return b.value() != 0 && !(a.value() == INT64_MIN && b.value() == -1);
}

/// Cancels a common positive constant of a sum or product and a product: ceildiv(x*8, y*8).
static Expr cancelled(Op op, const Expr &a, const Expr &b) {
  Linear x(a), y(b);
  Wide common = std::gcd(x.content(), y.content());
  if (a.isConstant() || common <= 1)
    return Interner::make(op, {a, b});
  divideAll(x, common);
  divideAll(y, common);
  return Interner::make(op, {x.build(), y.build()});
}

static Expr divide(Op op, const Expr &a, const Expr &b) {
  if (a.isConstant() && b.isConstant() && divisible(a, b))
    return op == Op::FloorDiv ? floorDiv(a.value(), b.value()) : ceilDiv(a.value(), b.value());
  if (b.isConstant() && b.value() == -1 && !a.isConstant())
    return Expr(0) - a;
  if (b.isConstant() && b.value() > 0)
    return divideByPositive(op, a, b.value());
  if (b.isConstant())
    return Interner::make(op, {a, b});
  if (a.isConstant() && a.value() == 0)
    return 0;
  if (std::optional<Expr> quotient = exactQuotient(a, b))
    return *quotient;
  return cancelled(op, a, b);
}

Expr floordiv(Expr a, Expr b) {
  return divide(Op::FloorDiv, a, b);
}
Expr ceildiv(Expr a, Expr b) {
  return divide(Op::CeilDiv, a, b);
}

static int64_t modulo(int64_t a, int64_t b) {
  return int64_t(Wide(a) - Wide(b) * (b == -1 ? -Wide(a) : Wide(floorDiv(a, b))));
}

static Expr moduloPositive(const Expr &a, int64_t divisor) {
  Linear rest(a);
  rest.constant = modulo(int64_t(rest.constant), divisor);
  std::erase_if(rest.terms, [&](const Linear::Term &t) { return t.coefficient % divisor == 0; });
  Expr r = rest.build();
  if (r.isConstant())
    return r;
  bool again = r.op() == Op::Mod && r.operands()[1].isConstant() && r.operands()[1].value() > 0 &&
               r.operands()[1].value() % divisor == 0;
  return again ? moduloPositive(r.operands()[0], divisor)
               : Interner::make(Op::Mod, {r, Expr(divisor)});
}

Expr mod(Expr a, Expr b) {
  if (a.isConstant() && b.isConstant() && b.value() != 0)
    return modulo(a.value(), b.value());
  if (b.isConstant() && (b.value() == 1 || b.value() == -1))
    return 0;
  if (b.isConstant())
    return b.value() > 0 ? moduloPositive(a, b.value()) : Interner::make(Op::Mod, {a, b});
  if ((a.isConstant() && a.value() == 0) || exactQuotient(a, b))
    return 0;
  return Interner::make(Op::Mod, {a, b});
}

} // namespace tilewright::symbolic
