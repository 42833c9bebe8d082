// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Minimum, maximum, comparisons and select.
#include "Node.h"
#include <algorithm>

namespace tilewright::symbolic {

static void flatten(Op op, const Expr &e, std::vector<Expr> &operands) {
  if (e.op() != op) {
    operands.push_back(e);
    return;
  }
  operands.insert(operands.end(), e.operands().begin(), e.operands().end());
}

static void foldConstants(Op op, std::vector<Expr> &sorted) {
  auto first =
      std::find_if(sorted.begin(), sorted.end(), [](const Expr &e) { return e.isConstant(); });
  if (sorted.end() - first < 2)
    return;
  Expr kept = op == Op::Min ? *first : sorted.back(); // constants are sorted by value
  sorted.erase(first, sorted.end());
  sorted.push_back(kept);
}

static Expr extreme(Op op, const Expr &a, const Expr &b) {
  std::vector<Expr> operands;
  flatten(op, a, operands);
  flatten(op, b, operands);
  std::sort(operands.begin(), operands.end(),
            [](const Expr &x, const Expr &y) { return Expr::compare(x, y) < 0; });
  operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
  foldConstants(op, operands);
  return operands.size() == 1 ? operands[0] : Interner::make(op, operands);
}

Expr min(Expr a, Expr b) {
  return extreme(Op::Min, a, b);
}
Expr max(Expr a, Expr b) {
  return extreme(Op::Max, a, b);
}

static bool holds(Op op, int64_t a, int64_t b) {
  switch (op) {
  case Op::Le:
    return a <= b;
  case Op::Lt:
    return a < b;
  case Op::Eq:
    return a == b;
  default:
    return a != b;
  }
}

static Expr compared(Op op, Expr a, Expr b) {
  if (a == b)
    return holds(op, 0, 0);
  if (a.isConstant() && b.isConstant())
    return holds(op, a.value(), b.value());
  bool commutes = op == Op::Eq || op == Op::Ne;
  if (commutes && Expr::compare(a, b) > 0)
    std::swap(a, b);
  return Interner::make(op, {a, b});
}

Expr le(Expr a, Expr b) {
  return compared(Op::Le, a, b);
}
Expr lt(Expr a, Expr b) {
  return compared(Op::Lt, a, b);
}
Expr ge(Expr a, Expr b) {
  return compared(Op::Le, b, a);
}
Expr gt(Expr a, Expr b) {
  return compared(Op::Lt, b, a);
}
Expr eq(Expr a, Expr b) {
  return compared(Op::Eq, a, b);
}
Expr ne(Expr a, Expr b) {
  return compared(Op::Ne, a, b);
}

static bool isComparison(Op op) {
  return op == Op::Le || op == Op::Lt || op == Op::Eq || op == Op::Ne;
}

Expr select(Expr condition, Expr then, Expr otherwise) {
  const Expr zero, one = 1;
  if (condition.isConstant())
    return condition == zero ? otherwise : then;
  if (then == otherwise)
    return then;
  bool againstZero = isComparison(condition.op()) && condition.operands()[1] == zero;
  if (againstZero && condition.op() == Op::Ne)
    return select(condition.operands()[0], then, otherwise);
  if (againstZero && condition.op() == Op::Eq)
    return select(condition.operands()[0], otherwise, then);
  if (isComparison(condition.op()) && then == one && otherwise == zero)
    return condition;
  return Interner::make(Op::Select, {condition, then, otherwise});
}

} // namespace tilewright::symbolic
