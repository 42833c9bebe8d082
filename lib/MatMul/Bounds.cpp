// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bounds.h"

namespace tilewright::matmul {

/// All cores share the Cube work evenly, and memory is read at least once.
int64_t Bounds::ofSplit(int64_t parts) const {
  const Target &t = s.t;
  int64_t rows = s.groups.empty() ? ceildiv(s.m, t.cubeM) * s.batch : s.m / t.cubeM;
  int64_t cube = rows * ceildiv(s.n, t.cubeN) * ceildiv(s.k, t.cubeK) / t.cores;
  int64_t bytes = (s.a.inL2 ? 0 : s.a.bytes) + (s.b.inL2 ? 0 : s.b.bytes);
  int64_t memory = bytes * 1000 / t.hbmPer1000;
  int64_t epilogueLeast = s.padCCycles;
  if (s.kind != Template::Common && s.kind != Template::StreamK)
    epilogueLeast = t.sync + vectorPass(t, s.modules.atomic ? s.partialBytes : s.partialBytes * parts,
                                        s.partialBytes / 2);
  else if (s.kind == Template::StreamK)
    epilogueLeast += t.sync + t.launchPass;
  return launch<int64_t>(s, 1) + s.a.padCycles + s.b.padCycles + max(cube, memory) + epilogueLeast;
}

/// The deepest buffer that L1 can hold for a tile of this extent.
int64_t Bounds::mostDepth(const std::vector<int64_t> &depths, int64_t tile) const {
  int64_t limit = s.t.l1 / (s.stages() * s.t.elementBytes * tile);
  int64_t most = depths.front();
  for (int64_t depth : depths)
    if (depth <= limit)
      most = depth;
  return most;
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
  if (o.rowwise)
    engine = (o.kInner ? x * pieces : depth) * t.mte2Issue + bytes / t.mte2Hot;
  else if (!o.nz && o.kInner)
    engine += (rows * t.leastRow(min(most, depth), o.alignment) >> 20) * depth / 1000;
  else if (!o.nz)
    engine += rows * rows1000(t, x, o.alignment) / 1000;
  return max(memory, engine);
}

int64_t Bounds::tileBound(int64_t m, int64_t n, int64_t mostA, int64_t mostB, const Context<int64_t> &c) const {
  const Target &t = s.t;
  int64_t loads = 0;
  if (s.modules.resident != Resident::A)
    loads += loadBound(s.a, m, c.depth, mostA, c.readsA, c.coldPer1000);
  if (s.modules.resident != Resident::B) {
    if (onChip(s.kind) || s.b.kInner || s.b.nz)
      loads += loadBound(s.b, n, c.depth, mostB, c.readsB, c.coldPer1000);
    else // pieces of n0 columns: rows are shorter than n
      loads += n * c.depth * t.elementBytes / t.mte2Hot;
  }
  int64_t mb = ceildiv(m, t.cubeM), nb = ceildiv(n, t.cubeN), kb = ceildiv(c.depth, t.cubeK);
  bool chip = onChip(s.kind);
  int64_t k0 = min(d.k0.back(), min(t.l0a / (2 * t.elementBytes * (chip ? c.x.m1 : t.cubeM)),
                                    t.l0b / (2 * t.elementBytes * (chip ? c.x.n1 : t.cubeN))));
  int64_t steps = ceildiv(c.depth, max(k0, t.cubeK)), fractals = kb * t.cubeK * t.elementBytes;
  int64_t cube = mb * nb * kb + t.cubeHead * steps;
  int64_t mte1 = 2 * t.mte1Issue * steps + mb * t.cubeM * fractals / t.mte1A + nb * t.cubeN * fractals / t.mte1B;
  int64_t fix = chip ? 0 : ceildiv(c.depth, d.kA.back()) * (4 * m * n / t.fixRate);
  int64_t work = max(fix, max(cube, mte1));
  return s.modules.pipelining == Pipelining::Single ? loads + work : max(loads, work);
}

/// Panels that runs of tiles keep: their depth is not a choice.
int64_t Bounds::panels(const Layout2<int64_t> &l, const Context<int64_t> &c, int64_t m1, int64_t n1) const {
  TilesOf<int64_t> x{m1, n1, d.kA.front(), d.kB.front(), m1, n1, d.k0.front(), 1, 1};
  return residentLoads(s, l, c, x);
}

int64_t Bounds::ofTile(size_t i, size_t j, int64_t split) const {
  int64_t m1 = d.m1[i], n1 = d.n1[j];
  TilesOf<int64_t> x{m1, n1, d.kA.back(), d.kB.back(), m1, n1, d.k0.front(), split, d.swizzle.back()};
  Layout2<int64_t> l = layOut(s, x);
  Context<int64_t> c = contextOf(s, l, x, depthOf(s, split));
  if (!s.fitsL2) // the best swizzle for each operand
    c.readsA = max(l.active / split, int64_t(1)), c.readsB = d.swizzle.back();
  Dealt<int64_t> tiles = tilesOfCore(s, l);
  int64_t mostA = mostDepth(d.kA, m1), mostB = mostDepth(d.kB, onChip(s.kind) ? n1 : s.t.fractal);
  int64_t main = 0, drains = 0;
  auto kind = [&](int64_t times, int64_t m, int64_t n) {
    if (!times)
      return;
    main += times * tileBound(m, n, mostA, mostB, c);
    if (onChip(s.kind))
      drains += times * store<int64_t>(s, m, n, splitsOverCores(s.kind), int64_t(1) << 40);
  };
  kind(tiles.interior, m1, n1);
  kind(tiles.right, m1, l.columns.extent);
  kind(tiles.bottom, l.rows.extent, n1);
  kind(tiles.corner, l.rows.extent, l.columns.extent);
  bool overlaps = s.modules.pipelining == Pipelining::Preload && storeOverlaps(s, x);
  main = (overlaps ? max(main, drains) : main + drains) + panels(l, c, m1, n1);
  return launch(s, l.active) + s.a.padCycles + s.b.padCycles + main + epilogue(s, l, x);
}

} // namespace tilewright::matmul
