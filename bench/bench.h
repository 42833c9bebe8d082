// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The benchmarks behind `./dev bench`: each prints its figures beside an anchor and returns 0 when
// its limits hold.
#pragma once

#include <string>

struct BenchPaths {
  std::string tool;    ///< the release build's tilewright
  std::string kernels; ///< the source folder's kernels
  std::string scratch; ///< a folder of its own
};

int benchSolver(const BenchPaths &paths);
int benchDispatch(const BenchPaths &paths);
int benchCompile(const BenchPaths &paths);
int benchPlanner(const BenchPaths &paths);
int benchAscend(const BenchPaths &paths);
