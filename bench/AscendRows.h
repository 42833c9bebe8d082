// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Published times of fp16 products on Ascend 910B and A3, in microseconds on silicon. None of them
// was used to fit a number of a machine file.
#pragma once

#include "tilewright/MatMul/Planner.h"
#include <vector>

namespace tilewright::bench {

/// What is known of the kernel behind a row; what is 0 or unset is chosen by the planner.
struct Known {
  int64_t m1 = 0, n1 = 0, kA = 0, kB = 0;
  bool noPadding = false;                 ///< published as it reads the matrices as they are
  std::optional<matmul::Modules> modules; ///< all of them
};

struct Row {
  const char *name;
  const char *source;
  const char *machine; ///< file stem
  int64_t cores;       ///< cube cores in use; 0: all
  int64_t m, n, k;
  const char *layouts;
  double microseconds;
  Known known;
  const char *missing; ///< what the model lacks, where it is off
  int64_t groups = 0;  ///< equal groups
};

const std::vector<Row> &rows();

/// Two rows of which the second was published as an improvement of the first.
struct Step {
  const char *before, *after;
};
const std::vector<Step> &steps();

matmul::Shape shapeOf(const Row &row);
matmul::Target targetOf(const Row &row);
/// The planner's choice among what is known of the row's kernel.
matmul::Plan predict(const matmul::Target &target, const Row &row);

} // namespace tilewright::bench
