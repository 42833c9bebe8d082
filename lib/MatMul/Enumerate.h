// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks over the variants that share one (structure, m1, n1, split).
#pragma once

#include "Space.h"
#include "tilewright/MatMul/Planner.h"

namespace tilewright::matmul {

/// Pipelining and shuffleK variants of a structure, leanest first.
std::vector<Modules> variants(const Target &target, const Shape &shape, const Structure &structure);

void restrict(Domains &domains, const Setting &setting, const Pins &pins);

/// Calls f(tiles) for every legal rest of the tiles.
template <class F>
void forEachRest(const Setting &s, const Domains &d, int64_t m1, int64_t n1, int64_t split, F f) {
  bool chip = onChip(s.kind);
  static const std::vector<int64_t> one = {0};
  for (int64_t kA : d.kA)
    for (int64_t kB : d.kB)
      for (int64_t k0 : d.k0)
        for (int64_t m0 : chip ? one : d.m0)
          for (int64_t n0 : chip ? one : d.n0)
            for (int64_t swizzle : d.swizzle) {
              TilesOf<int64_t> x{m1, n1,    kA,     kB, chip ? m1 : m0, chip ? n1 : n0,
                                 k0, split, swizzle};
              if (legal(s, x))
                f(x);
            }
}

inline Tiles plain(const TilesOf<int64_t> &x) {
  return {x.m1, x.n1, x.kA, x.kB, x.m0, x.n0, x.k0, x.split, x.swizzle};
}
inline TilesOf<int64_t> tilesOf(const Tiles &x) {
  return {x.m1, x.n1, x.kA, x.kB, x.m0, x.n0, x.k0, x.split, x.swizzle};
}

/// The plan of a shape with a dimension of 0; nothing for others.
std::optional<Plan> trivialPlan(const Target &target, const Shape &shape);

/// Errors of plan() that do not depend on the search.
void checkMemory(const Target &target, const Shape &shape);
[[noreturn]] void noCandidate(const Target &target, const Shape &shape);

} // namespace tilewright::matmul
