// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source-like text of an expression, with the fewest parentheses that parse back to the same
// handle.
#include "Node.h"

namespace tilewright::symbolic {

namespace {

/// How tightly the context binds: a looser expression needs parentheses in it.
enum Level { Comparison, Sum, Product, Primary };

class Printer {
public:
  void print(const Expr &e, Level context) {
    bool parentheses = levelOf(e) < context;
    text += parentheses ? "(" : "";
    body(e);
    text += parentheses ? ")" : "";
  }
  std::string text;

private:
  static Level levelOf(const Expr &e) {
    switch (e.op()) {
    case Op::Add:
      return Sum;
    case Op::Mul:
    case Op::FloorDiv:
    case Op::Mod:
      return Product;
    case Op::Le:
    case Op::Lt:
    case Op::Eq:
    case Op::Ne:
      return Comparison;
    default:
      return Primary; // a negative constant too: the minus sign binds tightest
    }
  }

  void body(const Expr &e);
  void call(const char *name, const Expr &e);
  void infix(const char *op, const Expr &e, Level left, Level right);
  void addition(const Expr &e);
  void multiplication(int64_t coefficient, std::span<const Expr> factors);
};

void Printer::body(const Expr &e) {
  switch (e.op()) {
  case Op::Constant:
    text += std::to_string(e.value());
    return;
  case Op::Symbol:
    text += e.name();
    return;
  case Op::Add:
    return addition(e);
  case Op::Mul:
    return multiplication(factorsOf(e).coefficient, factorsOf(e).rest);
  case Op::FloorDiv:
    return infix(" // ", e, Product, Primary);
  case Op::CeilDiv:
    return call("ceildiv", e);
  case Op::Mod:
    return infix(" % ", e, Product, Primary);
  case Op::Min:
    return call("min", e);
  case Op::Max:
    return call("max", e);
  case Op::Le:
    return infix(" <= ", e, Sum, Sum);
  case Op::Lt:
    return infix(" < ", e, Sum, Sum);
  case Op::Eq:
    return infix(" == ", e, Sum, Sum);
  case Op::Ne:
    return infix(" != ", e, Sum, Sum);
  case Op::Select:
    return call("select", e);
  }
}

void Printer::call(const char *name, const Expr &e) {
  text += name;
  const char *separator = "(";
  for (const Expr &operand : e.operands()) {
    text += separator;
    print(operand, Comparison);
    separator = ", ";
  }
  text += ")";
}

void Printer::infix(const char *op, const Expr &e, Level left, Level right) {
  print(e.operands()[0], left);
  text += op;
  print(e.operands()[1], right);
}

static bool isNegative(const Expr &term) {
  int64_t c = term.isConstant() ? term.value() : factorsOf(term).coefficient;
  return c < 0 && c != INT64_MIN; // the magnitude of the smallest value is not a 64-bit literal
}

/// Positive terms first, so that `b - a` reads like its source whatever the order of a and b.
void Printer::addition(const Expr &e) {
  std::vector<Expr> terms;
  for (bool negative : {false, true})
    for (const Expr &term : e.operands())
      if (isNegative(term) == negative)
        terms.push_back(term);
  print(terms[0], Product);
  for (const Expr &term : std::span(terms).subspan(1)) {
    text += isNegative(term) ? " - " : " + ";
    if (!isNegative(term))
      print(term, Product);
    else if (term.isConstant())
      text += std::to_string(-term.value());
    else
      multiplication(-factorsOf(term).coefficient, factorsOf(term).rest);
  }
}

/// The constant goes last ("tile_m * 8"); -1 becomes a sign, which must not bind to a division's
/// dividend.
void Printer::multiplication(int64_t coefficient, std::span<const Expr> factors) {
  bool sign = coefficient == -1;
  text += sign ? "-" : "";
  print(factors[0], sign ? Primary : Product);
  for (const Expr &factor : factors.subspan(1)) {
    text += " * ";
    print(factor, Primary);
  }
  if (coefficient != 1 && !sign)
    text += " * " + std::to_string(coefficient);
}

} // namespace

std::string Expr::str() const {
  Printer printer;
  printer.print(*this, Comparison);
  return std::move(printer.text);
}

} // namespace tilewright::symbolic
