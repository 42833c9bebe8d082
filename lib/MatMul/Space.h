// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The candidates: which templates and modules apply to a shape, the values of each tile size, and
// what makes a combination legal.
#pragma once

#include "Kernel.h"
#include <functional>

namespace tilewright::matmul {

/// A template with its modules. Pipelining and shuffleK are left at their defaults here: every
/// structure can have each of them.
struct Structure {
  Template kind;
  Modules modules;
};

/// All structures that apply to `shape`, in a fixed order.
std::vector<Structure> structures(const Target &target, const Shape &shape);
bool shuffleApplies(const Target &target, const Shape &shape);

/// Values of each unknown, ascending. `m0` and `n0` are empty on chip: they equal m1 and n1.
struct Domains {
  std::vector<int64_t> m1, n1, kA, kB, m0, n0, k0, split, swizzle;
};
Domains domains(const Setting &setting);

/// Parts of K per core, at most.
constexpr int64_t maxPartWaves = 4;

/// The constraints that m1, n1 and split alone decide.
template <class V, class F> void constraintsOfTasks(const Setting &s, const Layout2<V> &l, F f) {
  V cores = s.t.cores;
  if (s.kind == Template::StreamK) {
    f("whole wave", V(1), l.waves, false, "waves");
    f("last wave", V(1), l.tail, false, "tiles");
    f("idle cores", V(2) * l.tail, cores, false, "cores");
    f("part of K", (l.parts - V(1)) * depthOf(s, l.parts), V(s.k - 1), false, "elements");
  }
  if (splitsOverCores(s.kind)) { // only where whole tiles are too few for the cores
    f("idle cores", l.rows.count() * l.columns.count() + V(1), cores, false, "tiles");
    f("waves of parts", l.tasks, V(maxPartWaves) * cores, false, "tasks");
  }
  if (s.modules.eliminateScalar)
    f("one task per core", l.tasks, cores, false, "tasks");
}

/// Calls f(name, lhs, rhs, equal, unit) for each constraint lhs <= rhs (or lhs == rhs).
template <class V, class F>
void constraints(const Setting &s, const TilesOf<V> &x, const Layout2<V> &l, F f) {
  const Target &t = s.t;
  V element = t.elementBytes, stages = s.stages();
  bool chip = onChip(s.kind);
  V panel = roundUp(V(s.k), t.fractal);
  V depthA = s.modules.resident == Resident::A ? panel : stages * x.kA;
  V depthB = s.modules.resident == Resident::B ? panel : stages * x.kB;
  f("L1", element * (depthA * x.m1 + depthB * (chip ? x.n1 : x.n0)), V(t.l1), false, "bytes");
  f("L0A", V(2) * element * x.m0 * x.k0, V(t.l0a), false, "bytes");
  f("L0B", V(2) * element * x.n0 * x.k0, V(t.l0b), false, "bytes");
  if (chip) {
    f("L0C", V(4) * x.m1 * x.n1, V(t.l0c), false, "bytes");
  } else {
    f("L0C", V(8) * x.m0 * x.n0, V(t.l0c), false, "bytes");
    f("L0C in use", V(t.l0c / 2 + 1), V(8) * x.m0 * x.n0, false, "bytes");
    f("tile beyond L0C", V(t.l0c + 1), V(4) * x.m1 * x.n1, false, "bytes");
    f("one depth", x.kA, x.kB, true, "elements");
  }
  if (s.usesVector()) // the least piece of a pass: fp32 in, 16 bits out, both twice
    f("UB", V(2) * (V(4) + element) * V(t.fractal * t.fractal), V(t.ub), false, "bytes");
  if (s.modules.shuffleK)
    f("slices to shuffle", V(t.fractal + 1), V(s.k), false, "elements");
  V small = min(x.kA, x.kB);
  if (s.modules.resident == Resident::A)
    f("panel of A", x.kA, panel, true, "elements");
  else
    f("steps in kA", mod(x.kA, x.k0), V(0), true, "elements");
  if (s.modules.resident == Resident::B)
    f("panel of B", x.kB, panel, true, "elements");
  else
    f("steps in kB", mod(x.kB, x.k0), V(0), true, "elements");
  if (s.modules.resident == Resident::None)
    f("depths", mod(max(x.kA, x.kB), small), V(0), true, "elements");
  if (splitsOverCores(s.kind))
    f("part of K", (x.split - V(1)) * depthOf(s, x.split), V(s.k - 1), false, "elements");
  constraintsOfTasks(s, l, f);
  if (s.modules.eliminateScalar)
    f("one slice", V(s.k), max(x.kA, x.kB), false, "elements");
  V workspace = s.kind == Template::Common ? V(0) : max(V(s.partialBytes), partialSums(s, l, x));
  f("memory", V(memoryBytes(s)) + workspace, V(t.hbm), false, "bytes");
}

inline bool legal(const Setting &s, const TilesOf<int64_t> &x, const Layout2<int64_t> &l) {
  bool good = true;
  constraints<int64_t>(s, x, l,
                       [&](const char *, int64_t lhs, int64_t rhs, bool equal, const char *) {
                         good = good && (equal ? lhs == rhs : lhs <= rhs);
                       });
  return good;
}
inline bool legal(const Setting &s, const TilesOf<int64_t> &x) {
  return legal(s, x, layOut(s, x));
}

} // namespace tilewright::matmul
