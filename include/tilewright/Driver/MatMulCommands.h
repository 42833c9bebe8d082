// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of `tilewright matmul` behind the argument parser (docs/matmul.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::driver {

/// All options as text; malformed values are diagnostics.
struct MatMulOptions {
  std::string arch, m, n, k, layoutA = "row", layoutB = "row", dtype = "fp16";
  std::string lda = "0", ldb = "0", ldc = "0", batch = "1", groups, templateName;
  std::vector<std::string> fixed; ///< m1=128
  std::string shapes, tilings, output;
  uint64_t count = 80000, seed = 1;
  unsigned jobs = 2;
  bool deterministic = false, explain = false, json = false;
};

int matmulPlanCommand(const MatMulOptions &options);
int matmulBuildCommand(const MatMulOptions &options);
int matmulRankCommand(const MatMulOptions &options);
int matmulSweepCommand(const MatMulOptions &options);

} // namespace tilewright::driver
