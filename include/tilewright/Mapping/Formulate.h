// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stage 5: one optimisation problem for all candidates of a program. A candidate pins the variables
// that describe it (cores per axis, sharers per load); everything else stays open.
#pragma once

#include "tilewright/Machine/Machine.h"
#include "tilewright/Mapping/Candidates.h"
#include "tilewright/Model/Model.h"
#include "tilewright/Solver/Solve.h"

namespace tilewright::mapping {

/// What the user asked for on the command line.
struct Request {
  int64_t gridX = 0, gridY = 0;                      ///< largest sub-mesh; 0 is the machine's grid
  std::map<std::string, int64_t, std::less<>> fixed; ///< --fix NAME=VALUE
};

struct Formulation {
  model::Graph graph;
  model::Latency latency;
  model::Footprint footprint;
  solver::Problem problem; ///< open in all variables, also in those that a candidate pins
  /// Lower bound of the latency in the candidate's variables alone; part of the objective, where it
  /// changes nothing, so that the solver's root bound is tight.
  Expr floor;
  /// All loads, computation and stores of one core one after the other, without repeated latencies:
  /// a guess at how good a candidate is, in the candidate's variables (and sub-blocks) alone.
  Expr guess;
};

/// Names of the variables that a candidate pins.
std::string coresName(const Axis &axis);
std::string sharersName(const Program &program, size_t load);
/// Knob of the double buffering of the loads (or stores) of a scope, e.g. "pipe_tile_k_load".
std::string knobName(const std::string &scopeSymbol, const char *end);
/// Sub-block of the n-th contraction in accumulation registers, in tiles: "sub_m", "sub_n"
/// ("sub_m_1" ...).
std::string subblockName(size_t contraction, bool rows);

/// Errors: "mapping.unknown-symbol" and "mapping.fixed-value" for requests,
/// "mapping.misaligned-symbol" for a block size that the source pins to something the machine's
/// tile does not divide.
Formulation formulate(const Program &program, const machine::Machine &machine,
                      const Request &request);
/// The candidate's description as pins of the formulation's variables.
solver::Pins pinsOf(const Formulation &formulation, const Program &program,
                    const Candidate &candidate);
/// Block sizes that can be part of a candidate's optimum. Among blocks with the same number of
/// waves (or iterations) and the same legal sub-blocks the smallest is best: every cost and every
/// buffer grows with it. In the form of solver::Options::domains.
std::vector<std::pair<size_t, std::vector<int64_t>>> usefulBlocks(const Formulation &formulation,
                                                                  const Program &program,
                                                                  const machine::Machine &machine,
                                                                  const Candidate &candidate);
/// The formulation's problem with the candidate's variables pinned.
solver::Problem problemOf(const Formulation &formulation, const Program &program,
                          const Candidate &candidate);

} // namespace tilewright::mapping
