// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything of one (machine, shape, template, modules) that does not depend on the tiles.
#pragma once

#include "Number.h"
#include "tilewright/MatMul/Choice.h"
#include "tilewright/MatMul/Shape.h"
#include "tilewright/MatMul/Target.h"
#include <span>

namespace tilewright::matmul {

/// How an input reaches L1.
struct Operand {
  bool kInner = true;    ///< consecutive elements run along K
  bool nz = false;       ///< fractals in L1's own order: one contiguous run
  bool rowwise = false;  ///< every row is a transfer of its own
  bool hazard = false;   ///< pitch and extent provoke TLB conflicts
  bool inL2 = false;     ///< a padding pass has just written it, and L2 holds it
  int64_t alignment = 1; ///< of the row pitch, bytes
  int64_t bytes = 0;     ///< of the whole matrix, without gaps
  int64_t padCycles = 0; ///< of the pass that rewrites it; 0: none
};

struct Setting {
  const Target &t;
  Template kind;
  Modules modules;
  int64_t m, n, k, batch;
  std::span<const int64_t> groups; ///< the shape's own; empty unless grouped
  Operand a, b;
  bool fitsL2 = false;     ///< A, B and C together
  bool cAligned = true;    ///< rows of C start at aligned addresses, as the main loop writes them
  bool partialInL2 = true; ///< fp32 partial sums fit L2
  int64_t padCCycles = 0;
  int64_t partialBytes = 0; ///< fp32 copy of C

  /// `shape` must outlive the setting.
  Setting(const Target &target, const Shape &shape, Template kind, const Modules &modules);
  bool usesVector() const {
    return a.padCycles || b.padCycles || padCCycles || kind != Template::Common;
  }
  int64_t stages() const { return modules.pipelining == Pipelining::Single ? 1 : 2; }
};

/// Matrices and their padded copies.
int64_t memoryBytes(const Setting &setting);

} // namespace tilewright::matmul
