// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random expression trees that are never simplified, with an evaluator of their own in 128-bit
// integers.
#pragma once

#include "tilewright/Symbolic/Expr.h"
#include <memory>
#include <optional>
#include <random>

namespace tilewright::test {

using symbolic::Environment;
using symbolic::Expr;
using Wide = __int128;

/// What an expression is written as, before any rule sees it.
enum class Kind {
  Number,
  Name,
  Add,
  Sub,
  Mul,
  FloorDiv,
  CeilDiv,
  Mod,
  Min,
  Max,
  Le,
  Lt,
  Ge,
  Gt,
  Eq,
  Ne,
  Select
};

struct Tree {
  Kind kind = Kind::Number;
  int64_t number = 0;
  std::string name;
  std::vector<Tree> kids;
};

class RandomTrees {
public:
  RandomTrees(unsigned seed, std::vector<std::string> n, int64_t largest = 9)
      : generator(seed), names(std::move(n)), limit(largest) {}
  int64_t pick(int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(generator);
  }

  Tree tree(int depth) {
    if (depth == 0 || pick(0, 9) == 0)
      return leaf();
    Tree t;
    t.kind = Kind(pick(2, int(Kind::Select)));
    if (pick(0, 2) == 0) // sums and products are where most rules are
      t.kind = Kind(pick(2, 4));
    for (int i = 0; i < (t.kind == Kind::Select ? 3 : 2); ++i)
      t.kids.push_back(tree(depth - 1));
    return t;
  }

private:
  Tree leaf() {
    Tree t;
    if (pick(0, 2) == 0) {
      t.number = pick(-limit, limit);
    } else {
      t.kind = Kind::Name;
      t.name = names[pick(0, names.size() - 1)];
    }
    return t;
  }
  std::mt19937 generator;
  std::vector<std::string> names;
  int64_t limit;
};

/// The exact value, or nothing where a division by zero or a 128-bit overflow happens on the way.
/// `largest` grows to the largest magnitude met.
struct TreeEvaluator {
  const Environment &environment;
  Wide largest = 0;

  std::optional<Wide> value(const Tree &t) {
    std::optional<Wide> v = compute(t);
    if (v)
      largest = std::max(largest, *v < 0 ? -*v : *v);
    return v;
  }

private:
  static Wide floorQuotient(Wide a, Wide b) {
    Wide q = a / b;
    return q * b > a == (b > 0) && q * b != a ? q - 1 : q;
  }
  std::optional<Wide> compute(const Tree &t) {
    if (t.kind == Kind::Number)
      return t.number;
    if (t.kind == Kind::Name)
      return environment.find(t.name)->second;
    std::optional<Wide> a = value(t.kids[0]);
    if (t.kind == Kind::Select)
      return a ? value(t.kids[*a != 0 ? 1 : 2]) : a;
    std::optional<Wide> b = value(t.kids[1]);
    if (!a || !b)
      return std::nullopt;
    return binary(t.kind, *a, *b);
  }
  static std::optional<Wide> binary(Kind kind, Wide a, Wide b) {
    Wide r = 0;
    bool division = kind == Kind::FloorDiv || kind == Kind::CeilDiv || kind == Kind::Mod;
    if (division && b == 0)
      return std::nullopt;
    switch (kind) {
    case Kind::Add:
      return __builtin_add_overflow(a, b, &r) ? std::nullopt : std::optional(r);
    case Kind::Sub:
      return __builtin_sub_overflow(a, b, &r) ? std::nullopt : std::optional(r);
    case Kind::Mul:
      return __builtin_mul_overflow(a, b, &r) ? std::nullopt : std::optional(r);
    case Kind::FloorDiv:
      return floorQuotient(a, b);
    case Kind::CeilDiv:
      return -floorQuotient(-a, b);
    case Kind::Mod:
      return a - b * floorQuotient(a, b);
    case Kind::Min:
      return a < b ? a : b;
    case Kind::Max:
      return a < b ? b : a;
    case Kind::Le:
      return a <= b;
    case Kind::Lt:
      return a < b;
    case Kind::Ge:
      return a >= b;
    case Kind::Gt:
      return a > b;
    case Kind::Eq:
      return a == b;
    default:
      return a != b;
    }
  }
};

/// The same tree through the library's builders.
inline Expr build(const Tree &t) {
  if (t.kind == Kind::Number)
    return t.number;
  if (t.kind == Kind::Name)
    return Expr::symbol(t.name);
  Expr a = build(t.kids[0]), b = build(t.kids[1]);
  switch (t.kind) {
  case Kind::Add:
    return a + b;
  case Kind::Sub:
    return a - b;
  case Kind::Mul:
    return a * b;
  case Kind::FloorDiv:
    return floordiv(a, b);
  case Kind::CeilDiv:
    return ceildiv(a, b);
  case Kind::Mod:
    return mod(a, b);
  case Kind::Min:
    return min(a, b);
  case Kind::Max:
    return max(a, b);
  case Kind::Le:
    return le(a, b);
  case Kind::Lt:
    return lt(a, b);
  case Kind::Ge:
    return ge(a, b);
  case Kind::Gt:
    return gt(a, b);
  case Kind::Eq:
    return eq(a, b);
  case Kind::Ne:
    return ne(a, b);
  default:
    return select(a, b, build(t.kids[2]));
  }
}

/// Fully parenthesised text of the tree.
inline std::string text(const Tree &t) {
  if (t.kind == Kind::Number)
    return std::to_string(t.number);
  if (t.kind == Kind::Name)
    return t.name;
  std::string a = text(t.kids[0]), b = text(t.kids[1]);
  static const char *const infix[] = {"", "", "+",  "-", "*",  "//", "",   "%",
                                      "", "", "<=", "<", ">=", ">",  "==", "!="};
  switch (t.kind) {
  case Kind::CeilDiv:
    return "ceildiv(" + a + "," + b + ")";
  case Kind::Min:
    return "min(" + a + "," + b + ")";
  case Kind::Max:
    return "max(" + a + "," + b + ")";
  case Kind::Select:
    return "select(" + a + "," + b + "," + text(t.kids[2]) + ")";
  default:
    return "((" + a + ")" + infix[int(t.kind)] + "(" + b + "))";
  }
}

} // namespace tilewright::test
