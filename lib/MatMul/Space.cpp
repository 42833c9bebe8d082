// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Space.h"
#include <algorithm>

namespace tilewright::matmul {

/// Rows below which copying them one by one can pay (CATLASS: M < 8).
static constexpr int64_t smallRows = 8;

static std::vector<Pad> padsOf(const Target &t, const Operand &o) {
  bool helps = o.alignment < t.alignment || o.rowwise || o.hazard;
  return helps ? std::vector{Pad::None, Pad::Nd, Pad::Nz} : std::vector{Pad::None, Pad::Nz};
}

/// A whole panel of the narrowest tile, with one fractal of the other operand beside it, fits L1.
static bool panelFits(const Target &t, int64_t k) {
  return (roundUp(k, t.fractal) + t.fractal) * t.fractal * t.elementBytes <= t.l1;
}

static void addCommon(const Target &t, const Shape &shape, bool small, Modules modules,
                      std::vector<Structure> &all) {
  all.push_back({Template::Common, modules});
  if (modules.padA == Pad::None && modules.padB == Pad::None && modules.padC == Pad::None) {
    Modules lean = modules;
    lean.eliminateScalar = true;
    all.push_back({Template::Common, lean});
  }
  if (small || !panelFits(t, shape.k))
    return;
  modules.resident = Resident::A;
  all.push_back({Template::Common, modules});
  modules.resident = Resident::B; // rows of one product only
  if (shape.batch == 1 && shape.groups.empty())
    all.push_back({Template::Common, modules});
}

static void addSplits(const Shape &shape, Modules modules, std::vector<Structure> &all) {
  for (Template kind :
       {Template::MultiCoreSplitK, Template::SingleCoreSplitK, Template::HybridSplitK}) {
    all.push_back({kind, modules});
    if (!splitsOverCores(kind) || shape.deterministic)
      continue;
    Modules atomic = modules;
    atomic.atomic = true;
    all.push_back({kind, atomic});
  }
}

std::vector<Structure> structures(const Target &t, const Shape &shape) {
  Setting plain(t, shape, Template::Common, {});
  int64_t rows =
      shape.groups.empty() ? shape.m : *std::max_element(shape.groups.begin(), shape.groups.end());
  bool smallApplies = shape.layoutA == Layout::Row && rows < smallRows && !plain.a.rowwise;
  std::vector<Structure> all;
  for (Pad a : padsOf(t, plain.a))
    for (Pad b : padsOf(t, plain.b))
      for (bool small : {false, true}) {
        if (small && (!smallApplies || a != Pad::None))
          continue;
        Modules modules;
        modules.padA = a, modules.padB = b, modules.smallM = small;
        addSplits(shape, modules, all);
        for (Pad c : {Pad::None, Pad::Nd}) {
          if (c != Pad::None && plain.cAligned)
            continue;
          modules.padC = c;
          addCommon(t, shape, small, modules, all);
          all.push_back({Template::StreamK, modules});
        }
      }
  std::vector<Structure> sorted; // by template; the order within one stays
  for (int kind = 0; kind <= int(Template::StreamK); ++kind)
    std::copy_if(all.begin(), all.end(), std::back_inserter(sorted),
                 [&](const Structure &s) { return int(s.kind) == kind; });
  return sorted;
}

bool shuffleApplies(const Target &t, const Shape &shape) {
  return t.cores > 1 && shape.k > t.fractal;
}

/// The values of `all` up to the first that covers `size`.
static std::vector<int64_t> upTo(std::vector<int64_t> all, int64_t size) {
  size_t count = 0;
  while (count < all.size() && (count == 0 || all[count - 1] < size))
    ++count;
  all.resize(count);
  return all;
}

static std::vector<int64_t> scaled(std::vector<int64_t> values, int64_t by) {
  for (int64_t &v : values)
    v *= by;
  return values;
}

/// Up to 16 fractals every multiple, then every second up to 32.
static std::vector<int64_t> chipTiles(int64_t fractal) {
  std::vector<int64_t> values;
  for (int64_t i = 1; i <= 32; i += i < 16 ? 1 : 2)
    values.push_back(i * fractal);
  return values;
}

static std::vector<int64_t> splitValues(int64_t cores) {
  std::vector<int64_t> values;
  for (int64_t v : {2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 48, 64})
    if (v < cores)
      values.push_back(v);
  if (cores > 1)
    values.push_back(cores);
  return values;
}

Domains domains(const Setting &s) {
  int64_t f = s.t.fractal;
  int64_t rows = s.groups.empty() ? s.m : *std::max_element(s.groups.begin(), s.groups.end());
  Domains d;
  bool chip = onChip(s.kind);
  d.m1 = upTo(chip ? chipTiles(f) : scaled({8, 16, 24, 32, 48, 64}, f), rows);
  d.n1 = upTo(chip ? chipTiles(f) : scaled({8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512}, f),
              s.n);
  std::vector<int64_t> depths = upTo(
      chip ? scaled({1, 2, 4, 8, 16, 24, 32, 64, 128}, f) : scaled({4, 8, 16, 24, 32, 64}, f), s.k);
  std::vector<int64_t> panel = {roundUp(max(s.k, int64_t(1)), f)};
  d.kA = s.modules.resident == Resident::A ? panel : depths;
  d.kB = s.modules.resident == Resident::B ? panel : depths;
  d.k0 = upTo(scaled({1, 2, 4, 8, 16}, f), s.k);
  if (!chip)
    d.m0 = d.n0 = scaled({4, 8, 16}, f);
  d.split = splitsOverCores(s.kind) ? splitValues(s.t.cores) : std::vector<int64_t>{1};
  d.swizzle = {1};
  if (!s.fitsL2)
    for (int64_t v : {2, 3, 4, 6, 8, 12, 16})
      if (v <= s.t.cores)
        d.swizzle.push_back(v);
  return d;
}

} // namespace tilewright::matmul
