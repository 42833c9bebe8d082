// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tilewright/MatMul/Library.h"
#include "Enumerate.h"
#include <algorithm>

namespace tilewright::matmul {

namespace {
using Dimension = Optimisation::Dimension;

/// Fractals, which every transfer likes best.
void padA(const Target &, const Shape &, Modules &m) {
  m.padA = Pad::Nz;
}
void padB(const Target &, const Shape &, Modules &m) {
  m.padB = Pad::Nz;
}
void padC(const Target &, const Shape &, Modules &m) {
  m.padC = Pad::Nd;
}

/// The operand whose panel is read more often.
void keepPanel(const Target &, const Shape &s, Modules &m) {
  m.resident = s.n >= s.m || s.batch > 1 || !s.groups.empty() ? Resident::A : Resident::B;
}

void doubleBuffer(const Target &, const Shape &, Modules &m) {
  m.pipelining = std::max(m.pipelining, Pipelining::Double);
}
} // namespace

const std::vector<Optimisation> &library() {
  static const std::vector<Optimisation> all = {
      {"padding A", Dimension::Bandwidth, "transfers of A are aligned or contiguous",
       "a pass of the vector cores, a copy in memory", padA,
       [](Modules &m) { m.padA = Pad::None; }},
      {"padding B", Dimension::Bandwidth, "transfers of B are aligned or contiguous",
       "a pass of the vector cores, a copy in memory", padB,
       [](Modules &m) { m.padB = Pad::None; }},
      {"padding C", Dimension::Bandwidth, "stores are aligned",
       "a pass of the vector cores, a copy in memory", padC,
       [](Modules &m) { m.padC = Pad::None; }},
      {"L1 resident", Dimension::Bandwidth, "a panel is read once for a run of tiles",
       "L1 for the whole depth", keepPanel, [](Modules &m) { m.resident = Resident::None; }},
      {"shuffleK", Dimension::Bandwidth, "cores do not meet at one address",
       "more TLB conflicts where pitches provoke them",
       [](const Target &, const Shape &, Modules &m) { m.shuffleK = true; },
       [](Modules &m) { m.shuffleK = false; }},
      {"small-M copy", Dimension::Bandwidth, "no conversion of rows", "one instruction per row",
       [](const Target &, const Shape &, Modules &m) { m.smallM = true; },
       [](Modules &m) { m.smallM = false; }},
      {"multi-buffer", Dimension::Pipeline, "loads run beside computation", "twice the L1",
       doubleBuffer, [](Modules &m) { m.pipelining = Pipelining::Single; }},
      {"preloading", Dimension::Pipeline, "the next tile's first load is not waited for",
       "twice the L1",
       [](const Target &, const Shape &, Modules &m) { m.pipelining = Pipelining::Preload; },
       [](Modules &m) { m.pipelining = std::min(m.pipelining, Pipelining::Double); }},
      {"eliminate scalar", Dimension::Compute, "constant tiling, no loops",
       "a kernel of its own for one slice",
       [](const Target &, const Shape &, Modules &m) { m.eliminateScalar = true; },
       [](Modules &m) { m.eliminateScalar = false; }},
  };
  return all;
}

bool uses(const Optimisation &optimisation, const Modules &modules) {
  Modules less = modules;
  optimisation.remove(less);
  return !(less == modules);
}

bool applies(const Optimisation &optimisation, const Target &target, const Shape &shape,
             Template kind) {
  Modules modules;
  optimisation.add(target, shape, modules);
  if (modules.shuffleK && !shuffleApplies(target, shape))
    return false;
  Modules structure = modules; // structures leave pipelining and shuffling open
  structure.pipelining = Pipelining::Single, structure.shuffleK = false;
  auto all = structures(target, shape);
  return std::any_of(all.begin(), all.end(),
                     [&](const Structure &s) { return s.kind == kind && s.modules == structure; });
}

static int64_t bytesInL1(const Target &target, const Shape &shape, const Choice &choice) {
  Setting s(target, shape, choice.kind, choice.modules);
  TilesOf<int64_t> x = tilesOf(choice.tiles);
  int64_t bytes = 0;
  constraints<int64_t>(s, x, layOut(s, x),
                       [&](const char *name, int64_t lhs, int64_t, bool, const char *) {
                         if (std::string_view(name) == "L1")
                           bytes = lhs;
                       });
  return bytes;
}

/// Cycles of a choice whose modules may be combined.
static std::optional<int64_t> timeOf(const Target &target, const Shape &shape,
                                     const std::vector<Structure> &all, const Choice &choice) {
  Modules structure = choice.modules;
  structure.pipelining = Pipelining::Single, structure.shuffleK = false;
  bool known = std::any_of(all.begin(), all.end(), [&](const Structure &s) {
    return s.kind == choice.kind && s.modules == structure;
  });
  return known ? cycles(target, shape, choice) : std::nullopt;
}

std::vector<Effect> effects(const Target &target, const Shape &shape, const Choice &choice) {
  std::vector<Effect> all;
  if (choice.kind == Template::Fill || choice.kind == Template::Nothing)
    return all;
  std::vector<Structure> structures = matmul::structures(target, shape);
  for (const Optimisation &o : library()) {
    bool inUse = uses(o, choice.modules);
    if (!inUse && !applies(o, target, shape, choice.kind))
      continue;
    Choice with = choice, without = choice;
    if (!inUse)
      o.add(target, shape, with.modules);
    o.remove(without.modules);
    all.push_back({&o, timeOf(target, shape, structures, without),
                   timeOf(target, shape, structures, with),
                   bytesInL1(target, shape, with) - bytesInL1(target, shape, without)});
  }
  return all;
}

} // namespace tilewright::matmul
