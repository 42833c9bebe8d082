// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Best-first search: structures by a bound that needs no tiles, tiles by a bound that needs no
// depths, then every depth, pipelining and order of those tiles that can still win.
#include "tilewright/MatMul/Planner.h"
#include "Bounds.h"
#include "Enumerate.h"
#include <algorithm>

namespace tilewright::matmul {

namespace {
struct Pair {
  int64_t bound;
  uint32_t i, j;
  bool operator<(const Pair &o) const { return std::tie(bound, i, j) < std::tie(o.bound, o.i, o.j); }
};

class PlanSearch {
public:
  PlanSearch(const Target &target, const Shape &shape, const Pins &pins)
      : target(target), shape(shape), pins(pins) {}

  Plan run() {
    for (const Structure &structure : structures(target, shape)) {
      if (pins.kind && *pins.kind != structure.kind)
        continue;
      ++best.statistics.structures;
      searchStructure(structure);
    }
    if (!found)
      noCandidate(target, shape);
    leanOut();
    return best;
  }

private:
  bool allowed(const Modules &modules) const { return !pins.modules || pins.modules(modules); }
  bool canWin(int64_t bound) const { return !found || bound < best.cycles; }

  /// For equal tiles preloading is never slower than plain double buffering, nor shuffling than not
  /// shuffling where no TLB conflict lurks: the better one stands for both.
  void searchStructure(const Structure &structure) {
    std::vector<Modules> all = variants(target, shape, structure);
    std::erase_if(all, [&](const Modules &m) { return !allowed(m); });
    bool preload = std::any_of(all.begin(), all.end(), [](const Modules &m) { return m.pipelining == Pipelining::Preload; });
    Setting plain(target, shape, structure.kind, structure.modules);
    bool hazard = plain.a.hazard || plain.b.hazard;
    for (auto m = all.rbegin(); m != all.rend(); ++m) {
      if (m->pipelining == Pipelining::Double && preload)
        continue;
      Modules shuffled = *m;
      shuffled.shuffleK = true;
      if (!m->shuffleK && !hazard && std::count(all.begin(), all.end(), shuffled))
        continue;
      searchModules({structure.kind, *m});
    }
  }

  void searchModules(const Structure &structure) {
    Setting s(target, shape, structure.kind, structure.modules);
    Domains d = domains(s);
    restrict(d, s, pins);
    Bounds bounds(s, d);
    for (int64_t split : d.split)
      if (canWin(bounds.ofSplit(split)))
        searchTiles(s, d, bounds, split);
  }

  void searchTiles(const Setting &s, const Domains &d, const Bounds &bounds, int64_t split) {
    pairs.clear();
    for (uint32_t i = 0; i < d.m1.size(); ++i)
      for (uint32_t j = 0; j < d.n1.size(); ++j) {
        if (onChip(s.kind) && 4 * d.m1[i] * d.n1[j] > target.l0c)
          break;
        ++best.statistics.bounded;
        if (int64_t bound = bounds.ofTile(i, j, split); canWin(bound))
          pairs.push_back({bound, i, j});
      }
    std::sort(pairs.begin(), pairs.end());
    for (const Pair &pair : pairs) {
      if (!canWin(pair.bound))
        break;
      ++best.statistics.opened;
      tryRest(s, d, d.m1[pair.i], d.n1[pair.j], split);
    }
  }

  void tryRest(const Setting &s, const Domains &d, int64_t m1, int64_t n1, int64_t split) {
    forEachRest(s, d, m1, n1, split, [&](const TilesOf<int64_t> &x) {
      ++best.statistics.estimated;
      int64_t cycles = estimate(s, x).total;
      if (canWin(cycles)) {
        best.choice = {s.kind, s.modules, plain(x)};
        best.cycles = cycles;
        found = true;
      }
    });
  }

  /// Leaves modules off that gain nothing.
  void leanOut() {
    auto attempt = [&](auto change) {
      Choice choice = best.choice;
      change(choice.modules);
      if (choice == best.choice || !allowed(choice.modules))
        return;
      Setting s(target, shape, choice.kind, choice.modules);
      TilesOf<int64_t> x = tilesOf(choice.tiles);
      if (legal(s, x) && estimate(s, x).total <= best.cycles)
        best.choice = choice;
    };
    attempt([](Modules &m) { m.shuffleK = false; });
    attempt([](Modules &m) { m.pipelining = Pipelining::Single; });
    attempt([](Modules &m) { m.pipelining = m.pipelining == Pipelining::Preload ? Pipelining::Double : m.pipelining; });
  }

  const Target &target;
  const Shape &shape;
  const Pins &pins;
  Plan best;
  bool found = false;
  std::vector<Pair> pairs;
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
