// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer expressions over named symbols: build, simplify, print, parse, evaluate, bound.
//
// Expressions are immutable and hash-consed for the life of the process: two handles are equal
// exactly when the simplified expressions are the same. Arithmetic is exact: 64-bit values, an
// overflow is an Error (id "symbolic.overflow"), a division by zero too
// ("symbolic.division-by-zero"). Sums and products are formed in 128 bits, so only their final
// value has to fit. Constants that simplification combines must fit as well, or building the
// expression is the overflow error. A simplified expression has the value of the written one
// wherever that one is defined; it may be defined at more points (0 * (1 // x) is 0).
#pragma once

#include "tilewright/Support/Diagnostic.h"
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::symbolic {

enum class Op : uint8_t {
  Constant,
  Symbol,
  Add,
  Mul,
  FloorDiv,
  CeilDiv,
  Mod,
  Min,
  Max,
  Le,
  Lt,
  Eq,
  Ne,
  Select
};

struct Node;

/// A handle to an expression; cheap to copy. Default-constructed handles are the constant 0.
class Expr {
public:
  Expr();
  Expr(int64_t value);
  /// Letters, digits and "_.#$@", not starting with a digit, "." or "#" (Error
  /// "symbolic.symbol-name").
  static Expr symbol(std::string_view name);

  Op op() const;
  int64_t value() const;           ///< of a Constant
  const std::string &name() const; ///< of a Symbol
  std::span<const Expr> operands() const;
  bool isConstant() const { return op() == Op::Constant; }
  bool operator==(const Expr &other) const { return node == other.node; }
  /// A total order that depends only on structure and names, never on addresses.
  static int compare(const Expr &a, const Expr &b);
  /// Source-like text, e.g. "ceildiv(4096, tile_m * 8)"; parses back to the same expression.
  std::string str() const;
  const Node *identity() const { return node; }

private:
  struct Unset {};
  explicit Expr(Unset) : node(nullptr) {}
  static Expr wrap(const Node *n); // not a constructor: Expr(0) would be ambiguous
  friend class Interner;
  const Node *node;
};

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr sum(std::span<const Expr> operands);     ///< 0 when empty
Expr product(std::span<const Expr> operands); ///< 1 when empty
Expr floordiv(Expr a, Expr b);
Expr ceildiv(Expr a, Expr b);
Expr mod(Expr a, Expr b); ///< sign of the divisor, as in Python
Expr min(Expr a, Expr b);
Expr max(Expr a, Expr b);
Expr le(Expr a, Expr b); ///< comparisons are 0 or 1
Expr lt(Expr a, Expr b);
Expr ge(Expr a, Expr b);
Expr gt(Expr a, Expr b);
Expr eq(Expr a, Expr b);
Expr ne(Expr a, Expr b);
/// `then` where `condition` is not 0, else `otherwise`; only the chosen arm is evaluated.
Expr select(Expr condition, Expr then, Expr otherwise);

/// Parses the text that `str` writes. Also takes +, -, *, //, %, <=, <, >=, >, ==, !=, parentheses,
/// min, max, floordiv, ceildiv, mod, select(c, a, b). Errors: "symbolic.parse" with the column.
Expr parse(std::string_view text);

using Environment = std::map<std::string, int64_t, std::less<>>;
/// Value under `environment`; an unbound symbol is an Error ("symbolic.unbound").
int64_t evaluate(Expr e, const Environment &environment);
Expr substitute(Expr e, const std::map<std::string, Expr, std::less<>> &replacements);
/// Names of the symbols in `e`, sorted.
std::vector<std::string> symbols(Expr e);

/// A closed interval of integers, lo <= hi.
struct Interval {
  int64_t lo = 0;
  int64_t hi = 0;
  bool operator==(const Interval &) const = default;
};
using Box = std::map<std::string, Interval, std::less<>>;
/// An interval that contains every value of `e` over the box (admissible, not always tight).
Interval bounds(Expr e, const Box &box);

} // namespace tilewright::symbolic
