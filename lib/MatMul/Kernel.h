// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// T = launch + prologue + busiest core + epilogue (AdaptCore paper, equation 7).
#pragma once

#include "Estimate.h"

namespace tilewright::matmul {

/// Tiles of both axes, the tasks they make, and how they are dealt.
template <class V> struct Layout2 {
  Blocks<V> rows, columns;
  V run = 1; ///< tiles that share a resident panel
  V fullRuns = 0, lastTiles = 0, runs = 0;
  V tasks = 0, active = 1;
  V waves = 0, tail = 0, parts = 1; ///< Stream-K
  Dealt<V> dealt{0, 0, 0, 0};       ///< to core 0, right edges before bottom ones
  Dealt<V> swapped{0, 0, 0, 0};     ///< bottom edges first
};

/// Runs of tiles that share a panel: as few to a panel as keep the cores busy.
template <class V> void divideIntoRuns(const Setting &s, Layout2<V> &l, const TilesOf<V> &x) {
  bool alongColumns = s.modules.resident == Resident::A;
  Blocks<V> &minor = alongColumns ? l.columns : l.rows;
  V panels = alongColumns ? l.rows.count() : l.columns.count();
  V groups = max(V(1), floordiv(V(s.t.cores), panels));
  // With more than one product in a batch, a panel of A serves the columns of its own product only.
  l.run = ceildiv(minor.count(), groups);
  l.fullRuns = floordiv(minor.full, l.run);
  l.lastTiles = minor.full - l.fullRuns * l.run;
  V hasLast = gt(l.lastTiles + minor.edges, V(0));
  l.runs = l.fullRuns + hasLast;
  V tile = alongColumns ? x.n1 : x.m1;
  Blocks<V> runBlocks{l.fullRuns, hasLast, l.lastTiles * tile + minor.edges * minor.extent};
  const Blocks<V> &rows = alongColumns ? l.rows : runBlocks;
  const Blocks<V> &columns = alongColumns ? runBlocks : l.columns;
  l.tasks = rows.count() * columns.count();
  l.dealt = deal(rows, columns, V(1), V(s.t.cores), l.tasks, true);
  l.swapped = deal(rows, columns, V(1), V(s.t.cores), l.tasks, false);
}

template <class V> Layout2<V> layOut(const Setting &s, const TilesOf<V> &x) {
  Layout2<V> l;
  l.rows = rowBlocks(s, x.m1);
  l.columns = blocksOf(s.n, x.n1);
  V cores = s.t.cores;
  if (s.modules.resident != Resident::None) {
    divideIntoRuns(s, l, x);
  } else {
    V tiles = l.rows.count() * l.columns.count();
    l.tasks = tiles * x.split;
    V limit = l.tasks;
    if (s.kind == Template::StreamK) {
      l.waves = floordiv(tiles, cores);
      l.tail = tiles - l.waves * cores;
      l.parts = max(V(2), floordiv(cores, max(l.tail, V(1))));
      limit = l.waves * cores;
    }
    l.dealt = deal(l.rows, l.columns, x.split, cores, limit, true);
    l.swapped = deal(l.rows, l.columns, x.split, cores, limit, false);
  }
  l.active = min(cores, l.tasks);
  return l;
}

template <class V>
Context<V> contextOf(const Setting &s, const Layout2<V> &l, const TilesOf<V> &x, V depth) {
  Context<V> c;
  c.x = x;
  c.depth = depth;
  c.slice = s.modules.resident == Resident::A   ? x.kB
            : s.modules.resident == Resident::B ? x.kA
                                                : max(x.kA, x.kB);
  V products = s.groups.empty() ? V(s.batch) : V(int64_t(s.groups.size()));
  V rows = max(V(1), floordiv(l.rows.count(), products)), columns = l.columns.count();
  c.readsA = s.modules.resident == Resident::A ? l.runs : columns;
  c.readsB = s.modules.resident == Resident::B ? l.runs : rows;
  if (!s.fitsL2) { // L2 keeps what one wave of tiles shares
    V wave = max(V(1), floordiv(l.active, x.split));
    c.readsA = min(c.readsA, ceildiv(wave, x.swizzle));
    c.readsB = min(c.readsB, x.swizzle);
  }
  c.coldPer1000 = min(V(s.t.mte2Cold * 1000), floordiv(V(s.t.hbmPer1000), l.active));
  return c;
}

template <class V> V depthOf(const Setting &s, V parts) {
  return min(V(max(s.k, int64_t(1))), roundUp(ceildiv(V(s.k), parts), s.t.fractal));
}

/// Panels that are loaded ahead of the runs of core 0.
template <class V>
V residentLoads(const Setting &s, const Layout2<V> &l, const Context<V> &c, const TilesOf<V> &x) {
  const Dealt<V> &d = l.dealt;
  if (s.modules.resident == Resident::A)
    return (d.interior + d.right) * load(s, s.a, x.m1, c.depth, x.kA, c.readsA, c.coldPer1000) +
           (d.bottom + d.corner) *
               load(s, s.a, l.rows.extent, c.depth, x.kA, c.readsA, c.coldPer1000);
  if (s.modules.resident == Resident::B)
    return (d.interior + d.bottom) * load(s, s.b, x.n1, c.depth, x.kB, c.readsB, c.coldPer1000) +
           (d.right + d.corner) *
               load(s, s.b, l.columns.extent, c.depth, x.kB, c.readsB, c.coldPer1000);
  return 0;
}

/// Tiles of core 0 by kind; a run counts as the tiles in it.
template <class V> Dealt<V> tilesOfCore(const Setting &s, const Layout2<V> &l) {
  const Dealt<V> &d = l.dealt;
  if (s.modules.resident == Resident::A)
    return {d.interior * l.run + d.right * l.lastTiles, d.right * l.columns.edges,
            d.bottom * l.run + d.corner * l.lastTiles, d.corner * l.columns.edges};
  if (s.modules.resident == Resident::B)
    return {d.interior * l.run + d.bottom * l.lastTiles, d.right * l.run + d.corner * l.lastTiles,
            d.bottom * l.rows.edges, d.corner * l.rows.edges};
  return d;
}

template <class V>
CoreTime<V> coreTime(const Setting &s, const Layout2<V> &l, const Context<V> &c, bool partial) {
  CoreTime<V> core;
  Dealt<V> d = tilesOfCore(s, l);
  V found = 0;
  auto kind = [&](V times, V m, V n) {
    if (!needed(times))
      return;
    TileTime<V> tile = tileTime(s, c, m, n, partial);
    add(core, tile, times);
    V first = gt(times, V(0)) * (V(1) - found);
    core.last = core.last + first * tile.last;
    core.exposed = core.exposed + first * tile.exposed;
    core.drain = core.drain + first * tile.drain;
    core.first = core.first + first * tile.steady;
    found = max(found, gt(times, V(0)));
  };
  kind(d.interior, c.x.m1, c.x.n1);
  kind(d.right, c.x.m1, l.columns.extent);
  kind(d.bottom, l.rows.extent, c.x.n1);
  kind(d.corner, l.rows.extent, l.columns.extent);
  return core;
}

/// Two output tiles fit L0C: the store of one runs beside the computation of the next.
template <class V> V storeOverlaps(const Setting &s, const TilesOf<V> &x) {
  return onChip(s.kind) ? ge(V(s.t.l0c), V(8) * x.m1 * x.n1) : V(1);
}

/// Main loop of a core whose streams of tiles number `streams`.
template <class V>
V mainTime(const Setting &s, const CoreTime<V> &core, const TilesOf<V> &x, V streams) {
  switch (s.modules.pipelining) {
  case Pipelining::Single:
    return core.serial + core.drains;
  case Pipelining::Double:
    return core.steady + core.exposedEach + core.drains;
  case Pipelining::Preload:
    break;
  }
  // Computation and store of the tiles are a pipeline of their own when they overlap.
  V periods = select(storeOverlaps(s, x), max(core.steady + core.drain, core.first + core.drains),
                     core.steady + core.drains);
  return model::pipelinedSum(periods, core.last * streams, core.exposed * streams);
}

/// Stream-K's last, incomplete wave: each of its tiles is split over idle cores.
template <class V>
V tailTime(const Setting &s, const Layout2<V> &l, const Context<V> &c, CoreTime<V> &core) {
  Context<V> tail = c;
  tail.depth = depthOf(s, l.parts);
  V m = select(gt(l.rows.full, V(0)), c.x.m1, l.rows.extent);
  V n = select(gt(l.columns.full, V(0)), c.x.n1, l.columns.extent);
  TileTime<V> tile = tileTime(s, tail, m, n, true);
  core.busy.mte2 = core.busy.mte2 + tile.busy.mte2;
  core.busy.mte1 = core.busy.mte1 + tile.busy.mte1;
  core.busy.cube = core.busy.cube + tile.busy.cube;
  core.busy.fix = core.busy.fix + tile.busy.fix;
  if (s.modules.pipelining == Pipelining::Single)
    return tile.serial + tile.drain;
  return model::pipelinedSum(tile.steady, tile.last, tile.exposed) + tile.drain;
}

/// A pass of all vector cores over data in L2 or memory.
template <class V> V vectorPass(const Target &t, V read, V written) {
  V rate = max(ceildiv(read, V(t.vectorRead * t.vectorCores)),
               ceildiv(written, V(t.vectorWrite * t.vectorCores)));
  V memory = ceildiv((read + written) * V(1000), V(t.hbmPer1000));
  return V(t.launchPass) + select(gt(read, V(t.l2Usable)), max(rate, memory), rate);
}

/// Bytes of fp32 partial sums that the epilogue reads.
template <class V> V partialSums(const Setting &s, const Layout2<V> &l, const TilesOf<V> &x) {
  if (s.kind == Template::StreamK)
    return V(4) * l.tail * l.parts * x.m1 * x.n1;
  return s.modules.atomic ? V(s.partialBytes) : V(s.partialBytes) * x.split;
}

template <class V> V epilogue(const Setting &s, const Layout2<V> &l, const TilesOf<V> &x) {
  V cycles = s.padCCycles;
  if (s.kind == Template::Common)
    return cycles;
  V written = s.kind == Template::StreamK ? V(2) * l.tail * x.m1 * x.n1 : V(s.partialBytes / 2);
  return cycles + V(s.t.sync) + vectorPass(s.t, partialSums(s, l, x), written);
}

template <class V> V launch(const Setting &s, V active) {
  const Target &t = s.t;
  V cycles = V(t.launchBase) + ceildiv(V(t.launchCores) * active, V(t.cores));
  if (s.usesVector())
    cycles = cycles + V(t.launchMix);
  return s.modules.eliminateScalar ? max(V(t.launchBase), cycles - V(t.launchConstantTiling))
                                   : cycles;
}

/// Core 0's main loop with what `l.dealt` says.
template <class V>
void addMain(const Setting &s, const Layout2<V> &l, const Context<V> &c, const TilesOf<V> &x,
             Estimate<V> &e) {
  e.core = coreTime(s, l, c, s.kind != Template::Common && s.kind != Template::StreamK);
  bool runs = s.modules.resident != Resident::None;
  const Dealt<V> &d = l.dealt;
  e.resident = residentLoads(s, l, c, x);
  e.main =
      e.resident + mainTime(s, e.core, x, runs ? d.interior + d.right + d.bottom + d.corner : V(1));
  if (s.kind == Template::StreamK)
    e.main = e.main + tailTime(s, l, c, e.core);
}

inline bool same(const Dealt<int64_t> &a, const Dealt<int64_t> &b) {
  return a.right == b.right && a.bottom == b.bottom;
}
inline bool same(const Dealt<symbolic::Expr> &, const Dealt<symbolic::Expr> &) {
  return false;
}

inline void takeSlower(Estimate<int64_t> &e, const Estimate<int64_t> &swapped) {
  if (swapped.main > e.main)
    e = swapped, e.rightFirst = false;
}
inline void takeSlower(Estimate<symbolic::Expr> &e, const Estimate<symbolic::Expr> &swapped) {
  e.main = max(e.main, swapped.main);
}

template <class V>
Estimate<V> estimate(const Setting &s, const Layout2<V> &l, const TilesOf<V> &x) {
  Context<V> c = contextOf(s, l, x, depthOf(s, x.split));
  Estimate<V> e;
  addMain(s, l, c, x, e);
  if (!same(l.dealt, l.swapped)) {
    Layout2<V> other = l;
    other.dealt = l.swapped;
    Estimate<V> swapped;
    addMain(s, other, c, x, swapped);
    takeSlower(e, swapped);
  }
  e.launch = launch(s, l.active);
  e.prologue = s.a.padCycles + s.b.padCycles;
  e.epilogue = epilogue(s, l, x);
  e.total = e.launch + e.prologue + e.main + e.epilogue;
  e.tasks = l.tasks;
  e.activeCores = l.active;
  e.rounds = ceildiv(l.tasks, V(s.t.cores));
  return e;
}

template <class V> Estimate<V> estimate(const Setting &s, const TilesOf<V> &x) {
  return estimate(s, layOut(s, x), x);
}

} // namespace tilewright::matmul
