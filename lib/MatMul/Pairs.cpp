// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Pairs.h"

namespace tilewright::matmul {

static int64_t deepestOffChip(const Setting &s, const Domains &d, int64_t m1, int64_t stages) {
  int64_t limit = s.t.l1 / (stages * s.t.elementBytes * (m1 + d.n0.front())), most = d.kA.front();
  for (int64_t depth : d.kA)
    if (depth <= limit)
      most = depth;
  return most;
}

/// Rates out of memory when so many tasks share it.
static void addCold(const Target &t, PairWork &w, int64_t tasks) {
  int64_t cold = min(t.mte2Cold * 1000, t.hbmPer1000 / min(t.cores, tasks));
  w.coldA = (w.slabA * 1000 << 10) / cold, w.coldB = (w.slabB * 1000 << 10) / cold;
}

void addRuns(const Setting &s, PairWork &w) {
  Layout2<int64_t> l = layOut<int64_t>(s, {w.m1, w.n1, 0, 0, w.m1, w.n1, 0, 1, 1});
  w.panel = (s.modules.resident == Resident::A ? w.m1 : w.n1) * roundUp(s.k, s.t.fractal);
  w.coreTiles = tilesOfCore(s, l).interior, w.coreRuns = l.dealt.interior, w.runs = l.tasks;
  addCold(s.t, w, w.runs);
}

PairWork pairWork(const Setting &s, const Domains &d, uint32_t i, uint32_t j) {
  const Target &t = s.t;
  PairWork w;
  w.m1 = d.m1[i], w.n1 = d.n1[j], w.i = i, w.j = j;
  Blocks<int64_t> rows = rowBlocks(s, w.m1), columns = blocksOf(s.n, w.n1);
  w.tiles = rows.count() * columns.count();
  // Tiles of the largest kind: where none is whole, the edges.
  w.whole = (rows.full ? rows.full : rows.edges) * (columns.full ? columns.full : columns.edges);
  int64_t m = rows.full          ? w.m1
              : s.groups.empty() ? rows.extent
                                 : 1,
          n = columns.full ? w.n1 : columns.extent;
  w.drain = t.fixIssue + 4 * m * n / t.fixRate;
  for (int64_t stages : {1, 2})
    if (!onChip(s.kind))
      w.most[stages - 1] = deepestOffChip(s, d, w.m1, stages);
  int64_t slab = t.cubeK * t.elementBytes; // bytes of one row, cubeK deep
  w.each = max(ceildiv(m, t.cubeM) * ceildiv(n, t.cubeN), m * slab / t.mte1A + n * slab / t.mte1B);
  int64_t products = s.groups.empty() ? s.batch : int64_t(s.groups.size());
  int64_t readsA = columns.count(), readsB = max(int64_t(1), rows.count() / products);
  w.loadA = (m * slab << 10) / t.mte2Hot, w.loadB = (n * slab << 10) / t.mte2Hot;
  w.slabA = m * slab / readsA, w.slabB = n * slab / readsB;
  addCold(t, w, w.tiles);
  int64_t a = s.m * s.batch * readsA, b = s.n * readsB * products, rowBytes = s.k * t.elementBytes;
  w.allA = a * rowBytes / t.mte2Hot / t.cores;
  w.allB = b * rowBytes / t.mte2Hot / t.cores;
  w.all1 = onChip(s.kind) ? (a * rowBytes / t.mte1A + b * rowBytes / t.mte1B) / t.cores : 0;
  return w;
}

PairBound::PairBound(const Target &target) {
  for (int64_t active = 0; active <= target.cores; ++active) {
    int64_t more =
        target.launchCores * active / target.cores - ceildiv(target.launchCores, target.cores);
    launchMore[0].push_back(max(int64_t(0), more));
    launchMore[1].push_back(max(int64_t(0), more - target.launchConstantTiling));
  }
}

/// The busiest core has its share of everything, and its share of whole tiles rounded up.
int64_t PairBound::operator()(const Setting &s, const PairWork &w, int64_t split, int64_t depth,
                              int64_t loadA, int64_t loadB) const {
  const Target &target = s.t;
  bool a = s.modules.resident != Resident::A, b = s.modules.resident != Resident::B;
  int64_t allLoads = (a ? w.allA : 0) + (b ? w.allB : 0), loads = (a ? loadA : 0) + (b ? loadB : 0);
  bool single = s.modules.pipelining == Pipelining::Single;
  int64_t work = w.each * depth, moved = loads * depth >> 10;
  int64_t share = single ? allLoads + w.all1 : max(allLoads, w.all1);
  int64_t drain = s.cAligned || splitsOverCores(s.kind)
                      ? w.drain
                      : w.drain * target.fixUnalignedPermille / 1000;
  bool chip = onChip(s.kind), overlaps = !single && (!chip || 8 * w.m1 * w.n1 <= target.l0c);
  if (!chip) // every slice leaves the chip
    work = max(work, ceildiv(depth * target.cubeK, w.most[s.stages() - 1]) * w.drain), drain = 0;
  auto tile = [&](int64_t work, int64_t moved) {
    int64_t period = single ? work + moved : max(work, moved);
    return overlaps ? max(period, drain) : period + drain;
  };
  if (s.kind == Template::StreamK) {
    int64_t waves = w.tiles / target.cores, parts = target.cores / (w.tiles % target.cores);
    int64_t part = depth / parts, sums = 4 * (w.tiles % target.cores) * parts * w.m1 * w.n1;
    return max(share,
               ceildiv(min(w.whole, waves * target.cores), target.cores) * tile(work, moved) +
                   max(w.each * part, loads * part >> 10) + w.drain) +
           sums / (target.vectorRead * target.vectorCores) +
           launchMore[s.modules.eliminateScalar][target.cores];
  }
  if (!a || !b)
    return max(w.coreTiles * tile(work, moved), share) +
           w.coreRuns * ((a ? loadB : loadA) * depth >> 10) +
           launchMore[s.modules.eliminateScalar][min(target.cores, w.runs)];
  return max(ceildiv(w.whole * split, target.cores) * tile(work, moved), share) +
         launchMore[s.modules.eliminateScalar][min(target.cores, w.tiles * split)];
}

} // namespace tilewright::matmul
