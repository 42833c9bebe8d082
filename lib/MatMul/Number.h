// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations that the cost formulas are written with, for 64-bit integers. symbolic::Expr has
// the same ones, so that one formula serves the planner's inner loop and the exact solver.
// Operands are never negative and divisors positive. Products stay below 2^63: check(Shape) and the
// limit on memory see to it.
#pragma once

#include "tilewright/MatMul/Target.h"
#include "tilewright/Symbolic/Expr.h"

namespace tilewright::matmul {

inline int64_t ceildiv(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}
inline int64_t floordiv(int64_t a, int64_t b) {
  return a / b;
}
inline int64_t mod(int64_t a, int64_t b) {
  return a % b;
}
inline int64_t min(int64_t a, int64_t b) {
  return a < b ? a : b;
}
inline int64_t max(int64_t a, int64_t b) {
  return a > b ? a : b;
}
inline int64_t gt(int64_t a, int64_t b) {
  return a > b;
}
inline int64_t ge(int64_t a, int64_t b) {
  return a >= b;
}
inline int64_t select(int64_t condition, int64_t then, int64_t otherwise) {
  return condition ? then : otherwise;
}

/// f() where `condition` holds, else 0. Integers do not compute what they do not need.
template <class F> int64_t when(int64_t condition, F f) {
  return condition ? f() : 0;
}
template <class F> symbolic::Expr when(symbolic::Expr condition, F f) {
  return symbolic::select(condition, f(), 0);
}

/// False for an integer 0: what it multiplies need not be computed.
inline bool needed(int64_t count) {
  return count != 0;
}
inline bool needed(symbolic::Expr) {
  return true;
}

using symbolic::ceildiv;
using symbolic::floordiv;
using symbolic::ge;
using symbolic::gt;
using symbolic::max;
using symbolic::min;
using symbolic::mod;
using symbolic::select;

template <class V> V roundUp(V a, int64_t to) {
  return ceildiv(a, V(to)) * V(to);
}

inline int64_t rows1000(const Target &t, int64_t elements, int64_t alignment) {
  return t.rows1000(elements, alignment);
}
inline symbolic::Expr rows1000(const Target &t, symbolic::Expr elements, int64_t alignment) {
  return t.machine.cost("nd2nz_1000_rows")
      .cycles({{"row_bytes", elements * symbolic::Expr(t.elementBytes)}, {"alignment", alignment}});
}

} // namespace tilewright::matmul
