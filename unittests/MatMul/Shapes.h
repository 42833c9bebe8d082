// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machines and random shapes for the tests of this room.
#pragma once

#include "tilewright/MatMul/Planner.h"
#include "tilewright/Support/Random.h"
#include <cmath>

namespace tilewright::matmul {

inline const machine::Machine &ascend() {
  static const machine::Machine machine =
      machine::load(TILEWRIGHT_SOURCE_DIR "/machines/ascend910b1.yaml");
  return machine;
}
inline const Target &target() {
  static const Target target(ascend());
  return target;
}
/// The same machine with other numbers of cores.
inline Target withCores(int64_t cube) {
  machine::Machine machine = ascend();
  machine.numbers["cores.cube"].value = cube;
  machine.numbers["cores.vector"].value = 2 * cube;
  return Target(machine);
}

inline Shape shape(int64_t m, int64_t n, int64_t k, const char *layouts = "rr") {
  Shape s;
  s.m = m, s.n = n, s.k = k;
  s.layoutA = layouts[0] == 'c' ? Layout::Column : Layout::Row;
  s.layoutB = layouts[1] == 'c' ? Layout::Column : Layout::Row;
  return s;
}

/// Sizes log-uniform up to `limit`, all layouts, now and then a batch, groups, gaps between rows.
inline Shape randomShape(Random &random, double limit) {
  auto size = [&] { return int64_t(std::exp(random.uniform() * std::log(limit))); };
  const char *layouts[] = {"rr", "rc", "cr", "cc"};
  Shape s = shape(size(), size(), size(), layouts[random.below(4)]);
  s.deterministic = random.below(6) == 0;
  if (random.below(8) == 0)
    s.batch = 1 + int64_t(random.below(5));
  else if (random.below(8) == 0) {
    for (int64_t &rows : s.groups = std::vector<int64_t>(1 + random.below(4)))
      rows = size() - 1;
    s.m = 0;
    for (int64_t rows : s.groups)
      s.m += rows;
  }
  if (random.below(8) == 0) {
    s.lda = s.pitchA() + int64_t(random.below(70000));
    s.ldc = s.pitchC() + int64_t(random.below(500));
  }
  return s;
}

} // namespace tilewright::matmul
