// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many shapes on several threads.
#pragma once

#include "tilewright/MatMul/Planner.h"
#include <optional>
#include <vector>

namespace tilewright::driver {

struct Planned {
  std::optional<matmul::Plan> plan;
  std::optional<Diagnostic> failure; ///< instead of a plan
};

/// One result for each shape, in order, whatever the number of threads (at least 1). With
/// `progress`, a bar on standard error when that is a terminal.
std::vector<Planned> planAll(const matmul::Target &target, const std::vector<matmul::Shape> &shapes,
                             unsigned jobs, bool progress);

} // namespace tilewright::driver
