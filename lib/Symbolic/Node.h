// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Storage of expressions (private to the room): nodes, the interner and linear forms.
//
// Invariants of a stored node, which every constructor keeps:
//   Add   two or more operands, none an Add; sorted by base, the constant last and not 0
//   Mul   two or more operands, none a Mul; the constant first and neither 0 nor 1; a constant
//   times one
//         Add is distributed, so an Add inside a Mul has company and coefficients without common
//         factor
//   Min, Max   two or more operands, none of the same operation; sorted, the constant last
#pragma once

#include "tilewright/Symbolic/Expr.h"

namespace tilewright::symbolic {

using Wide = __int128;

struct Node {
  Op op = Op::Constant;
  uint32_t depth = 1;
  int64_t value = 0;
  size_t hash = 0;
  std::string name;
  std::vector<Expr> operands;
};

/// Deepest expression that can be built: keeps every recursion in this room far from the stack's
/// end.
inline constexpr uint32_t maxDepth = 400;

class Interner {
public:
  static Expr constant(int64_t value);
  static Expr symbol(std::string_view name);
  static Expr make(Op op, std::span<const Expr> operands);
  static Expr make(Op op, std::initializer_list<Expr> operands) {
    return make(op, std::span<const Expr>(operands.begin(), operands.size()));
  }

private:
  static Expr intern(Node key);
};

[[noreturn]] void throwOverflow(std::string_view what);
/// The value as 64 bits; Error "symbolic.overflow" when it does not fit.
int64_t narrow(Wide value, std::string_view what);
inline bool fits(Wide value) {
  return value == Wide(int64_t(value));
}

/// A product split into its constant and the other factors.
struct Factors {
  int64_t coefficient = 1;
  std::span<const Expr> rest;
};
Factors factorsOf(const Expr &e);

/// constant + sum of coefficient * base, with at most one term per base.
class Linear {
public:
  struct Term {
    Expr base;
    Wide coefficient;
  };
  Linear() = default;
  explicit Linear(Expr e) { add(e, 1), collect(); }
  void add(const Expr &e, Wide factor);
  /// Sorts and merges; call before reading `terms`.
  void collect();
  Expr build() const;
  /// Greatest common divisor of all coefficients and the constant; 0 for an empty form.
  uint64_t content() const;

  std::vector<Term> terms;
  Wide constant = 0;
};

} // namespace tilewright::symbolic
