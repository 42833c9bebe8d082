// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lower bounds that see what intervals cannot: that trip count times tile size is nearly constant.
//
// Over a box of positive values each subexpression f gets a monomial below it (and sometimes one
// above),
//   log f(x) >= low + sum_i g_i * (log x_i - y_i)   for all x in the box,  y = the point of
//   expansion.
// Products and quotients of monomials are monomials; a sum is bounded by the weighted mean of
// arithmetic and geometric means, which is the tangent of log(sum) in log x (Boyd, Kim,
// Vandenberghe, Hassibi, "A tutorial on geometric programming", 2007, section 5); roundings are
// bounded by their exact quotient. Minimising a monomial over a box, also under one capacity
// constraint, is a fractional knapsack.
#pragma once

#include "tilewright/Symbolic/Tape.h"
#include <vector>

namespace tilewright::solver {

class Relaxation {
public:
  /// `divisors`: for each symbol a number that divides all values of its domain (1 if nothing is
  /// known). The last root of the tape is the objective; before it come pairs (lhs, rhs) with lhs
  /// <= rhs or lhs == rhs at every solution.
  Relaxation(const symbolic::Tape &tape, std::span<const int64_t> divisors);

  /// A lower bound of the objective over the box; `slots` are the intervals of all instructions.
  /// Also fills `minimiser` with the values of log x_i at which the bound is attained. Returns
  /// INT64_MIN where it knows nothing. Stops early once the bound reaches `enough`.
  int64_t bound(std::span<const symbolic::Interval> box, std::span<const symbolic::Interval> slots,
                int64_t enough, std::vector<double> &minimiser);

private:
  struct Monomial {
    bool low = false, high = false; ///< which of the two bounds exist
    double lowLog = 0, highLog = 0; ///< their logarithms at the point of expansion
  };
  using Slots = std::span<const symbolic::Interval>;
  using Instruction = symbolic::Tape::Instruction;
  double *lowGradient(size_t slot) { return &gradients[2 * slot * n]; }
  double *highGradient(size_t slot) { return &gradients[(2 * slot + 1) * n]; }

  void visit(size_t k, Slots slots);
  void visitSymbol(size_t k, int32_t symbol);
  void prepare(std::span<const symbolic::Interval> box, Slots slots);
  void visitSum(size_t k, Slots slots);
  void visitProduct(size_t k);
  void visitQuotient(size_t k, Slots slots);
  void visitExtreme(size_t k);
  double lead(size_t a, size_t b);
  void visitEither(size_t k, size_t a, size_t b);
  void copy(size_t k, size_t from);
  void useConstants(size_t k);
  bool dividesExactly(const Instruction &i) const;
  double minimise(Slots slots, std::vector<double> &y);
  double knapsack(size_t lhs, double limit, double value, std::vector<double> &y);
  std::vector<int64_t> slotDivisors(std::span<const int64_t> divisors) const;

  const symbolic::Tape &tape;
  size_t symbolCount;
  size_t n;                       ///< symbols that vary over the box: the length of all gradients
  std::vector<int64_t> divisorOf; ///< of each slot
  std::vector<Monomial> monomials;
  std::vector<double> gradients; ///< low and high gradient of each slot
  std::vector<double> weights;
  struct Ends {
    double low, high;
  };
  std::vector<Ends> ends;     ///< logarithms of the ends of each slot's interval
  std::vector<int32_t> place; ///< of each symbol among those that vary, or -1
  std::vector<double> center, lower, upper, trial, lowest;
};

} // namespace tilewright::solver
