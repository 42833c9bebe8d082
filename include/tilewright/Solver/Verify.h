// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Re-checks a solution from the Problem's text alone; shares no code with the search.
#pragma once

#include "tilewright/Solver/Problem.h"

namespace tilewright::solver {

/// Everything that is wrong with `solution`: a missing or extra value, a value outside its domain,
/// a violated constraint (actual against limit), a wrong objective. Empty means verified.
std::vector<std::string> verify(const Problem &problem, const Solution &solution);

} // namespace tilewright::solver
