// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A flat program for one or more expressions: the solver's inner loop.
#pragma once

#include "tilewright/Symbolic/Expr.h"

namespace tilewright::symbolic {

/// Compiled form of `roots`, whose symbols are numbered by their place in `symbols`. Shared
/// subexpressions are evaluated once. Immutable; a caller brings its own scratch memory, so threads
/// may share a tape.
class Tape {
public:
  /// Errors: "symbolic.unbound" when a root has a symbol that is not in `symbols`.
  Tape(std::span<const Expr> roots, std::span<const std::string> symbols);

  /// Values of all roots at a point. False when the arithmetic overflows or divides by zero.
  bool evaluate(std::span<const int64_t> point, std::span<int64_t> results,
                std::vector<int64_t> &scratch) const;
  /// Intervals of all roots over a box (one interval per symbol); admissible. Overflow saturates to
  /// the ends of the 64-bit range.
  void bounds(std::span<const Interval> box, std::span<Interval> results,
              std::vector<Interval> &scratch) const;
  size_t size() const { return code.size(); }

  /// Constant: value. Symbol: point[a]. Add: value + sum of terms [a, b). Mul: value times the
  /// slots of terms [a, b). Min, Max: slots of terms [a, b). Others: operand slots a, b, c.
  struct Instruction {
    Op op;
    int32_t a, b, c;
    int64_t value;
  };
  struct Term {
    int64_t coefficient;
    int32_t slot;
  };
  /// The program itself, for analyses of one's own. `scratch` of `bounds` holds one interval for
  /// each instruction afterwards.
  std::span<const Instruction> instructions() const { return code; }
  std::span<const Term> operands() const { return terms; }
  std::span<const int32_t> roots() const { return rootSlots; }

private:
  friend class TapeBuilder;
  bool evaluateWide(std::span<const int64_t> point, std::span<int64_t> results) const;

  std::vector<Instruction> code;
  std::vector<Term> terms;
  std::vector<int32_t> rootSlots;
};

} // namespace tilewright::symbolic
