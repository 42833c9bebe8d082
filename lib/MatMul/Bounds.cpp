// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bounds.h"

namespace tilewright::matmul {

/// All cores share the Cube work evenly, and memory is read at least once; with one buffer one
/// waits for the other.
int64_t Bounds::mainOfSplit() const {
  const Target &t = s.t;
  int64_t rows = s.groups.empty() ? ceildiv(s.m, t.cubeM) * s.batch : s.m / t.cubeM;
  int64_t cube = rows * ceildiv(s.n, t.cubeN) * ceildiv(s.k, t.cubeK) / t.cores;
  int64_t bytes = (s.a.inL2 ? 0 : s.a.bytes) + (s.b.inL2 ? 0 : s.b.bytes);
  int64_t memory = bytes * 1000 / t.hbmPer1000;
  return s.modules.pipelining == Pipelining::Single ? cube + memory : max(cube, memory);
}

int64_t Bounds::fixedOfSplit(int64_t parts) const {
  const Target &t = s.t;
  int64_t least = s.padCCycles;
  if (s.kind == Template::StreamK)
    least += t.sync + t.launchPass;
  else if (s.kind != Template::Common)
    least = t.sync + vectorPass(t, s.modules.atomic ? s.partialBytes : s.partialBytes * parts,
                                s.partialBytes / 2);
  return launch<int64_t>(s, 1) + s.a.padCycles + s.b.padCycles + least;
}

int64_t Bounds::loadRate(const Operand &o, int64_t x, int64_t most) const {
  const Target &t = s.t;
  int64_t hot = (x * t.cubeK * t.elementBytes << 10) / t.mte2Hot;
  if (o.nz || o.rowwise)
    return hot;
  if (o.kInner)
    return max(hot, (x * t.cubeK * t.leastRow(most, o.alignment) / 1000) >> 10);
  return max(hot, (t.cubeK * rows1000(t, x, o.alignment) << 10) / 1000);
}

/// The largest of `depths` that L1 can hold for a tile of this extent.
static int64_t mostDepth(const Setting &s, const std::vector<int64_t> &depths, int64_t tile) {
  int64_t limit = s.t.l1 / (s.stages() * s.t.elementBytes * tile);
  int64_t most = depths.front();
  for (int64_t depth : depths)
    if (depth <= limit)
      most = depth;
  return most;
}

std::pair<int64_t, int64_t> Bounds::deepest(int64_t m1, int64_t n1) const {
  if (onChip(s.kind))
    return {mostDepth(s, d.kA, m1), mostDepth(s, d.kB, n1)};
  int64_t both = mostDepth(s, d.kA, m1 + d.n0.front());
  return {both, both};
}

/// Loads of an x by depth piece in buffers of at most `most`: engine or memory.
int64_t Bounds::loadBound(const Operand &o, int64_t x, int64_t depth, int64_t most, int64_t reads,
                          int64_t coldPer1000) const {
  const Target &t = s.t;
  int64_t bytes = x * depth * t.elementBytes, pieces = ceildiv(depth, most);
  int64_t memory = bytes / t.mte2Hot;
  if (!o.inL2)
    memory = max(memory, bytes * 1000 / (coldPer1000 * reads));
  int64_t rows = o.kInner ? x : depth, engine = pieces * t.mte2Issue;
  if (o.nz)
    engine += bytes / t.mte2Hot;
  else if (o.rowwise)
    engine = (o.kInner ? x * pieces : depth) * t.mte2Issue + bytes / t.mte2Hot;
  else if (o.kInner)
    engine += (rows * t.leastRow(min(most, depth), o.alignment) >> 20) * depth / 1000;
  else
    engine += rows * rows1000(t, x, o.alignment) / 1000;
  return max(memory, engine);
}

/// Off chip B arrives in pieces of at most n0 columns, each a transfer of its own.
int64_t Bounds::piecesBound(int64_t n, int64_t most, const Context<int64_t> &c) const {
  const Target &t = s.t;
  int64_t widest = min(d.n0.back(), n), extra = ceildiv(n, widest) - 1;
  int64_t issues = extra * ceildiv(c.depth, most) * t.mte2Issue;
  if (s.b.kInner || s.b.nz || s.b.rowwise)
    return loadBound(s.b, n, c.depth, most, c.readsB, c.coldPer1000);
  int64_t memory = n * c.depth * t.elementBytes / t.mte2Hot;
  if (!s.b.inL2)
    memory = max(memory, n * c.depth * t.elementBytes * 1000 / (c.coldPer1000 * c.readsB));
  int64_t rows = c.depth * ((n * t.leastRow(widest, s.b.alignment)) >> 20) / 1000;
  return max(memory, rows + issues + ceildiv(c.depth, most) * t.mte2Issue);
}

int64_t Bounds::tileBound(int64_t m, int64_t n, int64_t mostA, int64_t mostB,
                          const Context<int64_t> &c) const {
  const Target &t = s.t;
  int64_t loads = 0;
  if (s.modules.resident != Resident::A)
    loads += loadBound(s.a, m, c.depth, mostA, c.readsA, c.coldPer1000);
  if (s.modules.resident != Resident::B) {
    loads += onChip(s.kind) ? loadBound(s.b, n, c.depth, mostB, c.readsB, c.coldPer1000)
                            : piecesBound(n, mostB, c);
  }
  int64_t mb = ceildiv(m, t.cubeM), nb = ceildiv(n, t.cubeN), kb = ceildiv(c.depth, t.cubeK);
  bool chip = onChip(s.kind);
  int64_t leastM = chip ? c.x.m1 : d.m0.front(), leastN = chip ? c.x.n1 : d.n0.front();
  int64_t k0 = min(d.k0.back(), min(t.l0a / (2 * t.elementBytes * leastM),
                                    t.l0b / (2 * t.elementBytes * leastN)));
  int64_t subM = chip ? 1 : ceildiv(m, d.m0.back()), subN = chip ? 1 : ceildiv(n, d.n0.back());
  int64_t blocks = chip ? 1 : max(subM * subN, 8 * m * n / t.l0c);
  int64_t steps = ceildiv(c.depth, max(k0, t.cubeK)) * blocks,
          fractals = kb * t.cubeK * t.elementBytes;
  int64_t cube = mb * nb * kb + t.cubeHead * steps;
  int64_t mte1 = 2 * t.mte1Issue * steps + mb * t.cubeM * fractals / t.mte1A * subN +
                 nb * t.cubeN * fractals / t.mte1B * subM;
  int64_t fix = 0;
  if (!chip) {
    int64_t each = 4 * m * n / t.fixRate * (s.modules.atomic ? t.sameAddressPermille : 1000) / 1000;
    if (!s.partialInL2)
      each = max(each, m * n * 8000 / c.coldPer1000);
    fix = ceildiv(c.depth, mostA) * each;
  }
  int64_t work = max(fix, max(cube, mte1));
  return s.modules.pipelining == Pipelining::Single ? loads + work : max(loads, work);
}

TileShare Bounds::share(int64_t m1, int64_t n1, int64_t split) const {
  TilesOf<int64_t> x{m1, n1,           d.kA.front(), d.kB.front(),    m1,
                     n1, d.k0.front(), split,        d.swizzle.back()};
  TileShare r;
  r.layout = layOut(s, x);
  constraintsOfTasks(s, r.layout, [&](const char *, int64_t lhs, int64_t rhs, bool, const char *) {
    r.legal = r.legal && lhs <= rhs;
  });
  r.context = contextOf(s, r.layout, x, depthOf(s, split));
  if (!s.fitsL2)
    r.context.readsA = min(r.layout.columns.count(), max(r.layout.active / split, int64_t(1)));
  r.tiles = tilesOfCore(s, r.layout);
  return r;
}

/// Panels loaded ahead of runs, without the penalties that some order of tiles avoids.
int64_t Bounds::panelsBound(const Layout2<int64_t> &l, const Context<int64_t> &c) const {
  const Dealt<int64_t> &runs = l.dealt;
  auto one = [&](const Operand &o, int64_t x, int64_t reads, int64_t deepest) {
    return loadBound(o, x, c.depth, deepest, reads, c.coldPer1000);
  };
  if (s.modules.resident == Resident::A)
    return (runs.interior + runs.right) * one(s.a, c.x.m1, c.readsA, c.x.kA) +
           (runs.bottom + runs.corner) * one(s.a, l.rows.extent, c.readsA, c.x.kA);
  if (s.modules.resident == Resident::B)
    return (runs.interior + runs.bottom) * one(s.b, c.x.n1, c.readsB, c.x.kB) +
           (runs.right + runs.corner) * one(s.b, l.columns.extent, c.readsB, c.x.kB);
  return 0;
}

TileTasks Bounds::tasks(const TileShare &share) const {
  const Layout2<int64_t> &l = share.layout;
  const TilesOf<int64_t> &x = share.context.x;
  TileTasks r{share};
  r.fixed = launch(s, l.active) + s.a.padCycles + s.b.padCycles + epilogue(s, l, x) +
            panelsBound(l, share.context);
  auto drain = [&](int64_t times, int64_t m, int64_t n) {
    if (times && onChip(s.kind))
      r.drains += times * store<int64_t>(s, m, n, splitsOverCores(s.kind), int64_t(1) << 40);
  };
  drain(share.tiles.interior, x.m1, x.n1);
  drain(share.tiles.right, x.m1, l.columns.extent);
  drain(share.tiles.bottom, l.rows.extent, x.n1);
  drain(share.tiles.corner, l.rows.extent, l.columns.extent);
  return r;
}

int64_t Bounds::ofDepths(const TileTasks &r, int64_t kA, int64_t kB) const {
  const Context<int64_t> &c = r.share.context;
  const Layout2<int64_t> &l = r.share.layout;
  int64_t main = 0;
  auto kind = [&](int64_t times, int64_t m, int64_t n) {
    if (times)
      main += times * tileBound(m, n, kA, kB, c);
  };
  kind(r.share.tiles.interior, c.x.m1, c.x.n1);
  kind(r.share.tiles.right, c.x.m1, l.columns.extent);
  kind(r.share.tiles.bottom, l.rows.extent, c.x.n1);
  kind(r.share.tiles.corner, l.rows.extent, l.columns.extent);
  if (s.kind == Template::StreamK) { // the parts of the last wave
    Context<int64_t> tail = c;
    tail.depth = depthOf(s, l.parts);
    int64_t m = l.rows.full ? c.x.m1 : l.rows.extent,
            n = l.columns.full ? c.x.n1 : l.columns.extent;
    main += tileBound(m, n, kA, kB, tail) + store<int64_t>(s, m, n, true, int64_t(1) << 40);
  }
  bool overlaps = s.modules.pipelining == Pipelining::Preload && storeOverlaps(s, c.x);
  return r.fixed + (overlaps ? max(main, r.drains) : main + r.drains);
}

} // namespace tilewright::matmul
