// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lower bounds of the modelled time that need no loop over the rest of the tiles; tests compare
// them with every candidate.
#pragma once

#include "Space.h"

namespace tilewright::matmul {

/// How the tiles of one (m1, n1, split) are dealt; padding does not change it.
struct TileShare {
  Layout2<int64_t> layout;
  Context<int64_t> context; ///< with the best swizzle for each operand
  Dealt<int64_t> tiles;     ///< of the busiest core
  bool legal = true;
};

/// What all depths, steps and orders of one (m1, n1, split) share.
struct TileTasks {
  const TileShare &share;
  int64_t fixed = 0; ///< launch, prologue, epilogue, panels
  int64_t drains = 0;
};

class Bounds {
public:
  Bounds(const Setting &setting, const Domains &domains) : s(setting), d(domains) {}
  /// For all tiles with this split: what does not depend on them, and the least main loop.
  int64_t fixedOfSplit(int64_t split) const;
  int64_t mainOfSplit() const;
  /// MTE2's cycles for x elements, `cubeK` deep, in 1/1024; buffers are no deeper than `most`.
  int64_t loadRate(const Operand &o, int64_t x, int64_t most) const;
  TileShare share(int64_t m1, int64_t n1, int64_t split) const;
  TileTasks tasks(const TileShare &share) const;
  /// For buffers no deeper than these. `deepest` are the ones that L1 allows.
  int64_t ofDepths(const TileTasks &tasks, int64_t kA, int64_t kB) const;
  std::pair<int64_t, int64_t> deepest(int64_t m1, int64_t n1) const;

private:
  int64_t tileBound(int64_t m, int64_t n, int64_t kA, int64_t kB, const Context<int64_t> &c) const;
  int64_t loadBound(const Operand &o, int64_t x, int64_t depth, int64_t most, int64_t reads,
                    int64_t coldPer1000) const;

  int64_t panelsBound(const Layout2<int64_t> &l, const Context<int64_t> &c) const;
  int64_t piecesBound(int64_t n, int64_t most, const Context<int64_t> &c) const;

  const Setting &s;
  const Domains &d;
};

} // namespace tilewright::matmul
