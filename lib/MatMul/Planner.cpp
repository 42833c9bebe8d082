// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Best-first search: structures by a bound that needs no tiles, tiles by a bound that needs no
// depths, depths by a bound that needs no steps. What can still win is computed.
#include "tilewright/MatMul/Planner.h"
#include "Bounds.h"
#include "Enumerate.h"
#include "Pairs.h"
#include <algorithm>
#include <deque>

namespace tilewright::matmul {

namespace {
struct Pair {
  int64_t bound;
  const TileShare *share;
  bool operator<(const Pair &o) const {
    const TilesOf<int64_t> &a = share->context.x, &b = o.share->context.x;
    return std::tie(bound, a.m1, a.n1) < std::tie(o.bound, b.m1, b.n1);
  }
};

class PlanSearch {
public:
  PlanSearch(const Target &target, const Shape &shape, const Pins &pins)
      : target(target), shape(shape), pins(pins), pairBound(target) {}

  Plan run() {
    std::vector<Structure> all = structures(target, shape);
    if (pins.kind)
      std::erase_if(all, [&](const Structure &s) { return s.kind != *pins.kind; });
    best.statistics.structures = int64_t(all.size());
    dive = true; // a good plan first makes every later bound count
    for (const Structure &structure : all)
      if (worthDiving(structure))
        searchStructure(structure);
    dive = false;
    for (const Structure &structure : all)
      searchStructure(structure);
    if (!found)
      noCandidate(target, shape);
    leanOut();
    return best;
  }

private:
  bool allowed(Template kind, const Modules &modules) const {
    return (!pins.modules || pins.modules(modules)) &&
           (!pins.structure || pins.structure(kind, modules));
  }
  bool accepted(const Choice &choice) const { return !pins.choice || pins.choice(choice); }
  bool canWin(int64_t bound) const { return !found || bound < best.cycles; }

  /// Without padding, or with what helps most: fractals wherever rows are not aligned.
  bool worthDiving(const Structure &s) const {
    const Modules &m = s.modules;
    if (s.kind == Template::StreamK || m.smallM || m.padC != Pad::None || m.padA == Pad::Nd ||
        m.padB == Pad::Nd || (splitsOverCores(s.kind) && !m.atomic && !shape.deterministic))
      return false;
    Setting plain(target, shape, s.kind, {});
    bool a = plain.a.alignment < target.alignment, b = plain.b.alignment < target.alignment;
    return (m.padA == Pad::None || a) && (m.padB == Pad::None || b);
  }

  /// For equal tiles preloading is never slower than plain double buffering, nor shuffling than not
  /// shuffling where no TLB conflict lurks: the better one stands for both.
  void searchStructure(const Structure &structure) {
    Setting s(target, shape, structure.kind, structure.modules);
    bool hazard = s.a.hazard || s.b.hazard, shuffles = shuffleApplies(target, shape);
    bool preloads = false;
    for (Pipelining p : {Pipelining::Preload, Pipelining::Double, Pipelining::Single}) {
      if (p == Pipelining::Double && preloads && !pins.choice)
        continue;
      bool shuffled = false;
      for (bool shuffle : {true, false}) {
        s.modules.pipelining = p;
        s.modules.shuffleK = shuffle;
        if ((shuffle && !shuffles) || (!shuffle && shuffled && !hazard && !pins.choice) ||
            !allowed(s.kind, s.modules))
          continue;
        shuffled = shuffled || shuffle;
        preloads = preloads || p == Pipelining::Preload;
        searchModules(s);
      }
      if (dive && preloads)
        return;
    }
  }

  void searchModules(const Setting &s) {
    const Domains &d = domainsOf(s);
    Bounds bounds(s, d);
    int64_t least = bounds.mainOfSplit();
    for (size_t i = 0; i < d.split.size(); ++i) {
      int64_t split = d.split[i], fixed = bounds.fixedOfSplit(split);
      if (!canWin(fixed + least)) // more parts only cost more
        break;
      const Quick &quick = quickOf(s, d, i);
      if (!quick.best || !canWin(fixed + quick.least))
        continue;
      if (dive)
        searchDepths(s, d, bounds, bounds.tasks(shareOf(bounds, *quick.best, split)), split);
      else
        searchTiles(s, d, bounds, split, fixed);
    }
  }

  /// Domains depend on four bits of a setting only.
  const Domains &domainsOf(const Setting &s) {
    size_t index =
        size_t(s.modules.resident) + (onChip(s.kind) ? 0 : 3) + (splitsOverCores(s.kind) ? 4 : 0);
    if (!known[index]) {
      known[index] = domains(s);
      restrict(*known[index], s, pins);
    }
    return *known[index];
  }

  /// Pairs whose numbers of tiles suit the template.
  bool suits(const Setting &s, const PairWork &w) const {
    int64_t tail = w.tiles % target.cores;
    if (s.kind == Template::StreamK)
      return w.tiles > target.cores && tail && 2 * tail <= target.cores;
    if (splitsOverCores(s.kind))
      return w.tiles < target.cores;
    if (s.modules.resident !=
        Resident::None) // one panel and one fractal's depth of the other operand
      return w.panel * target.elementBytes +
                 target.fractal * target.elementBytes *
                     (s.modules.resident == Resident::A ? w.n1 : w.m1) <=
             target.l1;
    return !s.modules.eliminateScalar || w.tiles <= target.cores;
  }

  const std::vector<PairWork> &pairsOf(const Setting &s, const Domains &d) {
    size_t group = s.modules.eliminateScalar              ? 5
                   : s.modules.resident != Resident::None ? 5 + size_t(s.modules.resident)
                                                          : size_t(s.kind);
    std::vector<PairWork> &work = pairsByGroup[group];
    if (listed[group])
      return work;
    listed[group] = true;
    for (PairWork w : allPairs(s, d)) {
      if (s.modules.resident != Resident::None)
        addRuns(s, w);
      if (suits(s, w))
        work.push_back(w);
    }
    return work;
  }

  const std::vector<PairWork> &allPairs(const Setting &s, const Domains &d) {
    std::vector<PairWork> &work = everyPair[onChip(s.kind)];
    if (work.empty())
      for (uint32_t i = 0; i < d.m1.size(); ++i)
        for (uint32_t j = 0; j < d.n1.size(); ++j)
          if ((4 * d.m1[i] * d.n1[j] <= target.l0c) == onChip(s.kind))
            work.push_back(pairWork(s, d, i, j));
    return work;
  }

  /// Load rates of each m1 or n1 for one way of reading an operand.
  struct Rates {
    Operand operand;
    int64_t stages, most;
    bool chip, isA;
    std::vector<int64_t> values;
  };

  const std::vector<int64_t> &ratesOf(const Setting &s, const Domains &d, bool isA) {
    const Operand &o = isA ? s.a : s.b;
    bool chip = onChip(s.kind);
    for (const Rates &r : rates)
      if (r.isA == isA && r.chip == chip && r.stages == s.stages() &&
          r.most == (isA ? d.kA.back() : d.kB.back()) && r.operand.nz == o.nz &&
          r.operand.rowwise == o.rowwise && r.operand.alignment == o.alignment)
        return r.values;
    Bounds bounds(s, d);
    Rates r{o, s.stages(), isA ? d.kA.back() : d.kB.back(), chip, isA, {}};
    for (int64_t tile : isA ? d.m1 : d.n1) {
      int64_t x = isA && !s.groups.empty() ? tile : min(tile, isA ? s.m : s.n);
      auto [kA, kB] = bounds.deepest(isA ? tile : d.m1.front(), isA ? d.n1.front() : tile);
      bool pieces =
          !chip && !isA && !o.kInner; // B in pieces of n0 columns: only its bytes are known
      Operand plain = o;
      plain.nz = o.nz || pieces;
      r.values.push_back(bounds.loadRate(plain, x, isA ? kA : kB));
    }
    rates.push_back(std::move(r));
    return rates.back().values;
  }

  /// The least of pairBound over the pairs, which does not depend on the padding of A and B.
  struct Quick {
    bool known = false;
    int64_t least = 0;
    const PairWork *best = nullptr;
  };

  const Quick &quickOf(const Setting &s, const Domains &d, size_t index) {
    const Modules &m = s.modules;
    size_t key = size_t(s.kind) * 32 + size_t(m.resident) * 8 + s.cAligned * 4 +
                 (m.pipelining == Pipelining::Single) * 2 + m.eliminateScalar;
    quicks[key].resize(d.split.size());
    Quick &quick = quicks[key][index];
    if (quick.known)
      return quick;
    quick.known = true;
    int64_t split = d.split[index], depth = depthOf(s, split) / target.cubeK;
    for (const PairWork &work : pairsOf(s, d)) {
      if (work.tiles * split > maxPartWaves * target.cores && split > 1)
        continue;
      int64_t bound = pairBound(s, work, split, depth, work.loadA, work.loadB);
      if (!quick.best || bound < quick.least)
        quick.best = &work, quick.least = bound;
    }
    return quick;
  }

  /// Padding and pipelining share it; a pair remembers the one of the last split.
  const TileShare &shareOf(const Bounds &bounds, const PairWork &work, int64_t split) {
    if (work.share == nullptr || work.share->context.x.split != split)
      work.share = &shares.emplace_back(bounds.share(work.m1, work.n1, split));
    return *work.share;
  }

  void searchTiles(const Setting &s, const Domains &d, const Bounds &bounds, int64_t split,
                   int64_t fixed) {
    std::vector<Pair> &pairs = scratch;
    pairs.clear();
    int64_t depth = depthOf(s, split) / target.cubeK;
    bool coldA = s.fitsL2 && !s.a.inL2, coldB = s.fitsL2 && !s.b.inL2;
    const std::vector<int64_t> &ratesA = ratesOf(s, d, true), &ratesB = ratesOf(s, d, false);
    for (const PairWork &work : pairsOf(s, d)) {
      int64_t loadA = max(ratesA[work.i], coldA ? work.coldA : 0);
      int64_t loadB = max(ratesB[work.j], coldB ? work.coldB : 0);
      if ((split > 1 && work.tiles * split > maxPartWaves * target.cores) ||
          !canWin(fixed + pairBound(s, work, split, depth, loadA, loadB)))
        continue;
      ++best.statistics.bounded;
      const TileShare &share = shareOf(bounds, work, split);
      if (!share.legal)
        continue;
      auto [kA, kB] = bounds.deepest(work.m1, work.n1);
      if (int64_t bound = bounds.ofDepths(bounds.tasks(share), kA, kB); canWin(bound))
        pairs.push_back({bound, &share});
    }
    std::sort(pairs.begin(), pairs.end());
    for (const Pair &pair : pairs) {
      if (!canWin(pair.bound))
        break;
      ++best.statistics.opened;
      searchDepths(s, d, bounds, bounds.tasks(*pair.share), split);
    }
  }

  bool fitsL1(const Setting &s, const Domains &d, int64_t m1, int64_t n1, int64_t kA,
              int64_t kB) const {
    int64_t stagesA = s.modules.resident == Resident::A ? 1 : s.stages();
    int64_t stagesB = s.modules.resident == Resident::B ? 1 : s.stages();
    int64_t columns = onChip(s.kind) ? n1 : d.n0.front();
    return target.elementBytes * (stagesA * kA * m1 + stagesB * kB * columns) <= target.l1;
  }

  /// Deep buffers first. The bound never falls with a shallower one, so that the first that cannot
  /// win ends its loop.
  void searchDepths(const Setting &s, const Domains &d, const Bounds &bounds,
                    const TileTasks &tasks, int64_t split) {
    int64_t m1 = tasks.share.context.x.m1, n1 = tasks.share.context.x.n1;
    int64_t mostB = bounds.deepest(m1, n1).second;
    for (auto kA = d.kA.rbegin(); kA != d.kA.rend(); ++kA) {
      if (!fitsL1(s, d, m1, n1, *kA, d.kB.front()))
        continue;
      if (!canWin(bounds.ofDepths(tasks, *kA, mostB)))
        return;
      searchDepthsOfB(s, d, bounds, tasks, {m1, n1, *kA, 0, m1, n1, 0, split, 1});
    }
  }

  void searchDepthsOfB(const Setting &s, const Domains &d, const Bounds &bounds,
                       const TileTasks &tasks, TilesOf<int64_t> x) {
    for (auto kB = d.kB.rbegin(); kB != d.kB.rend(); ++kB) {
      if (!onChip(s.kind) && x.kA != *kB)
        continue;
      if (s.modules.resident == Resident::None && max(x.kA, *kB) % min(x.kA, *kB))
        continue;
      if (!fitsL1(s, d, x.m1, x.n1, x.kA, *kB))
        continue;
      if (!canWin(bounds.ofDepths(tasks, x.kA, *kB)))
        return;
      x.kB = *kB;
      searchSteps(s, d, tasks, x);
    }
  }

  void searchSteps(const Setting &s, const Domains &d, const TileTasks &tasks, TilesOf<int64_t> x) {
    static const std::vector<int64_t> one = {0};
    bool chip = onChip(s.kind);
    for (int64_t m0 : chip ? one : d.m0)
      for (int64_t n0 : chip ? one : d.n0) {
        if (!chip)
          x.m0 = m0, x.n0 = n0;
        searchDepthOfStep(s, d, tasks.share.layout, x);
      }
  }

  /// Deep steps first: shallow ones can only shorten the first load into L0.
  void searchDepthOfStep(const Setting &s, const Domains &d, const Layout2<int64_t> &layout,
                         TilesOf<int64_t> x) {
    for (auto k0 = d.k0.rbegin(); k0 != d.k0.rend(); ++k0) {
      x.k0 = *k0;
      x.swizzle = d.swizzle.front();
      if (!legal(s, x, layout))
        continue;
      int64_t least = INT64_MAX;
      for (int64_t swizzle : d.swizzle) {
        x.swizzle = swizzle;
        least = min(least, attempt(s, layout, x));
        if (d.swizzle.size() > 1 && memoryKeepsUp(s, layout, x))
          break; // no other order is faster
      }
      if (!canWin(least))
        return;
    }
  }

  /// Memory delivers what cores do not share at least as fast as L2 delivers the rest.
  bool memoryKeepsUp(const Setting &s, const Layout2<int64_t> &layout,
                     const TilesOf<int64_t> &x) const {
    Context<int64_t> c = contextOf(s, layout, x, int64_t(1));
    int64_t least = target.mte2Hot * 1000;
    return c.coldPer1000 * c.readsA >= least && c.coldPer1000 * c.readsB >= least;
  }

  /// Returns a bound for the same tiles with shallower steps.
  int64_t attempt(const Setting &s, const Layout2<int64_t> &layout, const TilesOf<int64_t> &x) {
    ++best.statistics.estimated;
    Estimate<int64_t> e = estimate(s, layout, x);
    if (canWin(e.total) && accepted({s.kind, s.modules, plain(x)})) {
      best.choice = {s.kind, s.modules, plain(x)};
      best.cycles = e.total;
      found = true;
    }
    int64_t step = x.k0 * target.elementBytes;
    int64_t first = ceildiv(x.m0 * step, target.mte1A) + ceildiv(x.n0 * step, target.mte1B);
    bool once = s.modules.pipelining == Pipelining::Preload && s.modules.resident == Resident::None;
    return e.total - first * (once ? 2 : e.core.tiles + 1);
  }

  /// Leaves modules off that gain nothing.
  void leanOut() {
    auto without = [&](auto change) {
      Choice choice = best.choice;
      change(choice.modules);
      if (choice == best.choice || !allowed(choice.kind, choice.modules) || !accepted(choice))
        return;
      Setting s(target, shape, choice.kind, choice.modules);
      TilesOf<int64_t> x = tilesOf(choice.tiles);
      if (legal(s, x) && estimate(s, x).total <= best.cycles)
        best.choice = choice;
    };
    without([](Modules &m) { m.shuffleK = false; });
    without([](Modules &m) { m.pipelining = Pipelining::Single; });
    without([](Modules &m) { m.pipelining = std::min(m.pipelining, Pipelining::Double); });
  }

  const Target &target;
  const Shape &shape;
  const Pins &pins;
  PairBound pairBound;
  Plan best;
  bool found = false, dive = false;
  std::optional<Domains> known[8];
  std::vector<PairWork> everyPair[2], pairsByGroup[8];
  bool listed[8] = {};
  std::vector<Quick> quicks[160];
  std::deque<Rates> rates;
  std::deque<TileShare> shares;
  std::vector<Pair> scratch;
};
} // namespace

Plan plan(const Target &target, const Shape &shape, const Pins &pins) {
  check(shape);
  checkMemory(target, shape);
  if (std::optional<Plan> trivial = trivialPlan(target, shape))
    return *trivial;
  return PlanSearch(target, shape, pins).run();
}

} // namespace tilewright::matmul
