// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From tiles to the whole kernel: tiles over cores, prologue, epilogue, launch.
#pragma once

#include "Cost.h"

namespace tilewright::matmul {

/// Tiles along one axis: `full` of the nominal extent, `edges` (0 or 1 per batch or group) of
/// `extent`, which is the largest one when groups differ.
template <class V> struct Blocks {
  V full, edges, extent;
  V count() const { return full + edges; }
};

template <class V> Blocks<V> blocksOf(int64_t size, V tile) {
  V rest = mod(V(size), tile);
  return {floordiv(V(size), tile), gt(rest, V(0)), max(rest, V(1))};
}

template <class V> Blocks<V> rowBlocks(const Setting &s, V tile) {
  if (s.groups.empty()) {
    Blocks<V> b = blocksOf(s.m, tile);
    return {b.full * V(s.batch), b.edges * V(s.batch), b.extent};
  }
  Blocks<V> all{0, 0, 1};
  for (int64_t rows : s.groups) {
    Blocks<V> b = blocksOf(rows, tile);
    all = {all.full + b.full, all.edges + b.edges, max(all.extent, b.extent)};
  }
  return all;
}

/// The tasks of one core. Tasks are numbered with the whole tiles first, then the slower of the two
/// kinds of edge, then the other, then the corners, and dealt to the cores in turn: core 0 has the
/// most of every prefix, so it is the one that ends last. Which edge is slower is not asked: the
/// larger of core 0's two times is taken, which is at most one edge tile in place of another too
/// much.
template <class V> struct Dealt {
  V interior, right, bottom, corner;
};

template <class V> V dealtIn(V begin, V end, V cores) {
  return ceildiv(end, cores) - ceildiv(begin, cores);
}

template <class V>
Dealt<V> deal(const Blocks<V> &rows, const Blocks<V> &columns, V split, V cores, V limit,
              bool rightFirst) {
  V interior = rows.full * columns.full * split, right = rows.full * columns.edges * split,
    bottom = rows.edges * columns.full * split, corner = rows.edges * columns.edges * split;
  V beginRight = rightFirst ? interior : interior + bottom;
  V beginBottom = rightFirst ? interior + right : interior;
  V beginCorner = interior + right + bottom;
  auto part = [&](V begin, V size) {
    return dealtIn(min(begin, limit), min(begin + size, limit), cores);
  };
  return {dealtIn(V(0), min(interior, limit), cores), part(beginRight, right),
          part(beginBottom, bottom), part(beginCorner, corner)};
}

/// One core's main loop: `times` tiles of each kind.
template <class V> struct CoreTime {
  V serial = 0, steady = 0, exposedEach = 0, drains = 0, tiles = 0;
  V first = 0, last = 0, exposed = 0, drain = 0; ///< steady and others of the largest kind
  Busy<V> busy;
};

template <class V> void add(CoreTime<V> &core, const TileTime<V> &tile, V times) {
  core.serial = core.serial + tile.serial * times;
  core.steady = core.steady + tile.steady * times;
  core.exposedEach = core.exposedEach + (tile.exposed - tile.last) * times;
  core.drains = core.drains + tile.drain * times;
  core.tiles = core.tiles + times;
  core.busy.mte2 = core.busy.mte2 + tile.busy.mte2 * times;
  core.busy.mte1 = core.busy.mte1 + tile.busy.mte1 * times;
  core.busy.cube = core.busy.cube + tile.busy.cube * times;
  core.busy.fix = core.busy.fix + tile.busy.fix * times;
}

/// The whole kernel in cycles, with the figures that `--explain` shows.
template <class V> struct Estimate {
  V total = 0;
  V launch = 0, prologue = 0, main = 0, epilogue = 0;
  CoreTime<V> core;         ///< the busiest core
  V fill = 0, resident = 0; ///< cycles of `main` that nothing hides; panels loaded ahead
  V tasks = 0, activeCores = 0, rounds = 0;
  bool rightFirst = true; ///< the right edge's tiles are the slower ones (integers only)
  V readBytes = 0, writtenBytes = 0, memoryBytes = 0;
};

} // namespace tilewright::matmul
