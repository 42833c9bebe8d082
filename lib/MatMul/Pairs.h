// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The planner's first bound of a tile: a few multiplications, before anything else is known of it.
#pragma once

#include "Bounds.h"

namespace tilewright::matmul {

/// What a bound of one (m1, n1) needs before anything is known of depths. Rates are cycles for
/// `cubeK` of depth; those of MTE2 in 1/1024 cycles.
struct PairWork {
  int64_t m1 = 0, n1 = 0;
  uint32_t i = 0, j = 0;               ///< indices of m1 and n1
  int64_t tiles = 0, whole = 0;        ///< all, and those of the largest kind
  int64_t drain = 0;                   ///< FixPipe for one of these, aligned
  int64_t panel = 0;                   ///< elements of a resident panel
  int64_t coreTiles = 0, coreRuns = 0; ///< then: whole tiles and runs of the busiest core
  int64_t runs = 0;
  int64_t most[2] = {};                 ///< off chip: the deepest slice with one and two buffers
  int64_t each = 0;                     ///< Cube or MTE1 for one tile
  int64_t loadA = 0, loadB = 0;         ///< its loads out of L2
  int64_t slabA = 0, slabB = 0;         ///< bytes that no other core fetches, cubeK deep
  int64_t coldA = 0, coldB = 0;         ///< and out of memory
  int64_t allA = 0, allB = 0, all1 = 0; ///< cycles of MTE2 and MTE1 for everything
  mutable const TileShare *share = nullptr;
};

/// Of domains.m1[i], domains.n1[j].
PairWork pairWork(const Setting &setting, const Domains &domains, uint32_t i, uint32_t j);
/// Adds what a resident panel needs.
void addRuns(const Setting &setting, PairWork &work);

class PairBound {
public:
  explicit PairBound(const Target &target);
  /// A lower bound of main loop and launch beyond that of one core. `depth` is the split's in units
  /// of cubeK; `loadA` and `loadB` are MTE2's rates for the tile.
  int64_t operator()(const Setting &s, const PairWork &w, int64_t split, int64_t depth,
                     int64_t loadA, int64_t loadB) const;

private:
  std::vector<int64_t> launchMore[2]; ///< by cores; [1]: without scalar control
};

} // namespace tilewright::matmul
