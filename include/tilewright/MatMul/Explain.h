// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a plan's time goes, in terms with names and units.
#pragma once

#include "tilewright/MatMul/Planner.h"

namespace tilewright::matmul {

struct Amount {
  std::string name, unit; ///< unit: "cycles", "bytes", "tiles", "cores"
  int64_t value = 0;
};

/// Cores that do the same work.
struct CoreClass {
  int64_t cores = 0;
  /// Tiles of each kind: whole, right edge, bottom edge, corner (of runs of tiles, their tiles).
  int64_t whole = 0, right = 0, bottom = 0, corner = 0;
  int64_t cycles = 0; ///< main loop
};

struct Explanation {
  int64_t total = 0;           ///< cycles; the sum of `phases`
  std::vector<Amount> phases;  ///< launch, padding A, padding B, main loop, epilogue
  std::vector<Amount> busy;    ///< MTE2, MTE1, Cube and FixPipe of the busiest core
  std::string binding;         ///< the stage with the largest of `busy`, or "overhead" when that is
                               ///< less than half of the total
  std::vector<Amount> traffic; ///< bytes read to L1, of these from memory at least, bytes written
  std::vector<Amount> buffers; ///< bytes in use of L1, L0A, L0B, L0C, workspace
  std::vector<CoreClass> classes;
  int64_t tasks = 0, waves = 0;
  double teraflops = 0; ///< 2 m n k / total
};

Explanation explain(const Target &target, const Shape &shape, const Choice &choice);

/// The fastest plan of any other template.
struct RunnerUp {
  Choice choice;
  int64_t cycles = 0;
};
std::optional<RunnerUp> runnerUp(const Target &target, const Shape &shape, const Plan &plan);

} // namespace tilewright::matmul
