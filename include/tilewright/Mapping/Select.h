// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stage 6: the best candidate, proved by exact search with one incumbent for all.
#pragma once

#include "tilewright/Mapping/Formulate.h"
#include "tilewright/Solver/Solve.h"

namespace tilewright::mapping {

struct SelectionStatistics {
  uint64_t enumerated = 0; ///< placements times transfers times temporal orders
  uint64_t idle = 0;       ///< left out because cores would never get work
  uint64_t merged = 0;     ///< equivalent to another one
  uint64_t pruned = 0;     ///< lower bound not below the best solution
  uint64_t solved = 0;     ///< searched
  uint64_t nodes = 0;      ///< search nodes in all
};

struct Selection {
  Candidate candidate;
  solver::Problem problem;   ///< the candidate's
  solver::Solution solution; ///< verified
  SelectionStatistics statistics;
};

/// Errors: "mapping.no-schedule" (DoesNotFit) with the smallest conflicting set of constraints when
/// no candidate has a solution; "mapping.unverified" (Internal) when the verifier objects.
Selection select(const Program &program, const Formulation &formulation,
                 const machine::Machine &machine, const Request &request);

} // namespace tilewright::mapping
