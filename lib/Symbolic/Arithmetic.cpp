// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums and products in canonical form: flattened, like terms collected, constants folded.
#include "Node.h"
#include <algorithm>
#include <array>
#include <numeric>

namespace tilewright::symbolic {

static Wide checkedWideMul(Wide a, Wide b) {
  Wide r;
  if (__builtin_mul_overflow(a, b, &r))
    throwOverflow("a constant of the expression");
  return r;
}
static Wide checkedWideAdd(Wide a, Wide b) {
  Wide r;
  if (__builtin_add_overflow(a, b, &r))
    throwOverflow("a constant of the expression");
  return r;
}

Factors factorsOf(const Expr &e) {
  if (e.op() != Op::Mul)
    return {1, {&e, 1}};
  std::span<const Expr> all = e.operands();
  return all[0].isConstant() ? Factors{all[0].value(), all.subspan(1)} : Factors{1, all};
}

static Expr withoutCoefficient(const Expr &e) {
  Factors factors = factorsOf(e);
  if (factors.coefficient == 1)
    return e;
  return factors.rest.size() == 1 ? factors.rest[0] : Interner::make(Op::Mul, factors.rest);
}

/// coefficient * base for a base that is neither a constant nor an Add and has coefficient 1.
static Expr scaled(int64_t coefficient, const Expr &base) {
  if (coefficient == 1)
    return base;
  Factors factors = factorsOf(base);
  std::vector<Expr> operands{Expr(coefficient)};
  operands.insert(operands.end(), factors.rest.begin(), factors.rest.end());
  return Interner::make(Op::Mul, operands);
}

void Linear::add(const Expr &e, Wide factor) {
  if (e.isConstant()) {
    constant = checkedWideAdd(constant, checkedWideMul(factor, e.value()));
  } else if (e.op() == Op::Add) {
    for (const Expr &operand : e.operands())
      add(operand, factor);
  } else {
    terms.push_back({withoutCoefficient(e), checkedWideMul(factor, factorsOf(e).coefficient)});
  }
}

void Linear::collect() {
  std::sort(terms.begin(), terms.end(),
            [](const Term &a, const Term &b) { return Expr::compare(a.base, b.base) < 0; });
  size_t kept = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (kept && terms[kept - 1].base == terms[i].base)
      terms[kept - 1].coefficient =
          checkedWideAdd(terms[kept - 1].coefficient, terms[i].coefficient);
    else
      terms[kept++] = terms[i];
  }
  terms.resize(kept);
  std::erase_if(terms, [](const Term &term) { return term.coefficient == 0; });
}

Expr Linear::build() const {
  int64_t c = narrow(constant, "a constant of the expression");
  std::vector<Expr> operands;
  for (const Term &term : terms)
    operands.push_back(
        scaled(narrow(term.coefficient, "a coefficient of the expression"), term.base));
  if (c || operands.empty())
    operands.push_back(Expr(c));
  return operands.size() == 1 ? operands[0] : Interner::make(Op::Add, operands);
}

uint64_t Linear::content() const {
  auto magnitude = [](Wide v) { return uint64_t(v < 0 ? -v : v); };
  uint64_t divisor = magnitude(constant);
  for (const Term &term : terms)
    divisor = std::gcd(divisor, magnitude(term.coefficient));
  return divisor;
}

Expr sum(std::span<const Expr> operands) {
  Linear linear;
  for (const Expr &operand : operands)
    linear.add(operand, 1);
  linear.collect();
  return linear.build();
}

/// Moves the common factor of a sum, and the sign of its first term, into `coefficient`.
static Expr primitive(const Expr &e, Wide &coefficient) {
  if (e.op() != Op::Add)
    return e;
  Linear linear(e);
  Wide divisor = linear.content();
  if (linear.terms[0].coefficient < 0)
    divisor = -divisor;
  coefficient = checkedWideMul(coefficient, divisor);
  linear.constant /= divisor;
  for (Linear::Term &term : linear.terms)
    term.coefficient /= divisor;
  return linear.build();
}

Expr product(std::span<const Expr> operands) {
  Wide coefficient = 1;
  std::vector<Expr> factors;
  bool zero = false;
  for (const Expr &operand : operands) {
    zero |= operand.isConstant() && operand.value() == 0;
    if (operand.isConstant()) {
      coefficient = zero ? 0 : checkedWideMul(coefficient, operand.value());
      continue;
    }
    Factors parts = factorsOf(operand);
    coefficient = zero ? 0 : checkedWideMul(coefficient, parts.coefficient);
    factors.insert(factors.end(), parts.rest.begin(), parts.rest.end());
  }
  if (zero)
    return 0;
  if (factors.size() > 1)
    for (Expr &factor : factors)
      factor = primitive(factor, coefficient);
  std::sort(factors.begin(), factors.end(),
            [](const Expr &a, const Expr &b) { return Expr::compare(a, b) < 0; });
  int64_t c = narrow(coefficient, "a constant of the expression");
  if (factors.empty())
    return c;
  if (factors.size() == 1) {
    Linear linear;
    linear.add(factors[0], c);
    linear.collect();
    return linear.build();
  }
  return scaled(c, Interner::make(Op::Mul, factors));
}

Expr operator+(Expr a, Expr b) {
  return sum(std::array{a, b});
}
Expr operator*(Expr a, Expr b) {
  return product(std::array{a, b});
}
Expr operator-(Expr a, Expr b) {
  Linear linear;
  linear.add(a, 1);
  linear.add(b, -1);
  linear.collect();
  return linear.build();
}

} // namespace tilewright::symbolic
