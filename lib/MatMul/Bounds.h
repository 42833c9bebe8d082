// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lower bounds of the modelled time that need no loop over the rest of the tiles; tests compare them
// with every candidate.
#pragma once

#include "Space.h"

namespace tilewright::matmul {

class Bounds {
public:
  Bounds(const Setting &setting, const Domains &domains) : s(setting), d(domains) {}
  /// For all tiles with this split.
  int64_t ofSplit(int64_t split) const;
  /// For all depths, steps and orders of the tiles domains.m1[i], domains.n1[j].
  int64_t ofTile(size_t i, size_t j, int64_t split) const;

private:
  int64_t tileBound(int64_t m, int64_t n, int64_t mostA, int64_t mostB, const Context<int64_t> &c) const;
  int64_t loadBound(const Operand &o, int64_t x, int64_t depth, int64_t most, int64_t reads,
                    int64_t coldPer1000) const;
  int64_t mostDepth(const std::vector<int64_t> &depths, int64_t tile) const;
  int64_t panels(const Layout2<int64_t> &l, const Context<int64_t> &c, int64_t m1, int64_t n1) const;

  const Setting &s;
  const Domains &d;
};

} // namespace tilewright::matmul
