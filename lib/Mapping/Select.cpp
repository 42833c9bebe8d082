// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search across candidates: most promising first, one incumbent for all, verified at the end.
#include "tilewright/Mapping/Select.h"
#include "tilewright/Solver/Explain.h"
#include "tilewright/Solver/Verify.h"
#include "tilewright/Symbolic/Tape.h"
#include <algorithm>
#include <future>
#include <tuple>

namespace tilewright::mapping {

namespace {
struct Ranked {
  size_t index;
  int64_t bound, guess;
};

/// False when the request fixes a variable to something else than this candidate's value.
bool allowed(const solver::Problem &problem, const solver::Pins &pins) {
  return std::all_of(pins.begin(), pins.end(), [&](const auto &pin) {
    const auto &domain = problem.variables[pin.first].domain;
    return std::binary_search(domain.begin(), domain.end(), pin.second);
  });
}

/// Candidates by the lower end of their floor, best guess first among equals.
std::vector<Ranked> rank(const Formulation &formulation, const Program &program,
                         const std::vector<Candidate> &candidates) {
  std::vector<std::string> names;
  std::vector<symbolic::Interval> whole, box, results(2), slots;
  for (const auto &variable : formulation.problem.variables) {
    names.push_back(variable.name);
    whole.push_back({variable.domain.front(), variable.domain.back()});
  }
  const symbolic::Expr roots[] = {formulation.floor, formulation.guess};
  symbolic::Tape tape(roots, names);
  std::vector<Ranked> ranked;
  for (size_t i = 0; i < candidates.size(); ++i) {
    auto pins = pinsOf(formulation, program, candidates[i]);
    if (!allowed(formulation.problem, pins))
      continue;
    box = whole;
    for (auto [variable, value] : pins)
      box[variable] = {value, value};
    tape.bounds(box, results, slots);
    ranked.push_back({i, results[0].lo, results[1].lo});
  }
  std::sort(ranked.begin(), ranked.end(), [](const Ranked &a, const Ranked &b) {
    return std::tie(a.bound, a.guess, a.index) < std::tie(b.bound, b.guess, b.index);
  });
  return ranked;
}

/// Explains why nothing fits on the candidate with the most cores (they all share the memory
/// limits).
[[noreturn]] void reportInfeasible(const Program &program, const Formulation &formulation,
                                   const std::vector<Candidate> &candidates,
                                   const machine::Machine &machine) {
  if (candidates.empty())
    throw Error(Kind::Internal, "mapping.no-candidate", "the grid has no placement at all");
  auto problem = problemOf(formulation, program, candidates.front());
  auto conflict = solver::explainInfeasible(problem);
  Diagnostic diagnostic{Kind::DoesNotFit, "mapping.no-schedule", {}, "", conflict.suggestion, {}};
  diagnostic.message =
      "no schedule of '" + program.name + "' fits on '" + machine.name + "': " + conflict.text;
  for (size_t constraint : conflict.constraints)
    diagnostic.notes.push_back({{}, problem.constraints[constraint].source});
  throw Error(std::move(diagnostic));
}

void verifyOrThrow(const solver::Problem &problem, const solver::Solution &solution) {
  auto findings = solver::verify(problem, solution);
  if (findings.empty())
    return;
  Error error(Kind::Internal, "mapping.unverified",
              "the solver's answer does not pass verification",
              "please report this with the command line and the kernel");
  for (const std::string &finding : findings)
    error.note({}, finding);
  throw error;
}
} // namespace

Selection select(const Program &program, const Formulation &formulation,
                 const machine::Machine &machine, const Request &request) {
  int64_t gridX = request.gridX ? std::min(request.gridX, machine.grid.x) : machine.grid.x;
  int64_t gridY = request.gridY ? std::min(request.gridY, machine.grid.y) : machine.grid.y;
  CandidateSpace space = enumerate(program, gridX, gridY, machine.number("tile.rows"),
                                   machine.number("noc.multicast_max_destinations"));
  solver::Search search(formulation.problem);
  Selection best;
  best.statistics.enumerated = space.enumerated;
  best.statistics.idle = space.idle;
  best.statistics.merged = space.enumerated - space.idle - space.candidates.size();
  auto ranked = rank(formulation, program, space.candidates);
  std::optional<size_t> winner;
  auto consider = [&](const std::vector<Ranked> &batch) {
    std::vector<std::future<solver::Result>> running;
    for (const Ranked &entry : batch) {
      solver::Options options;
      if (winner) // an equal one that comes earlier in the enumeration wins, whatever the order of
                  // the search
        options.incumbent = best.solution.objective + (entry.index < *winner);
      options.domains = usefulBlocks(formulation, program, machine, space.candidates[entry.index]);
      auto pins = pinsOf(formulation, program, space.candidates[entry.index]);
      running.push_back(std::async(
          std::launch::async, [&search, pins, options] { return search.solve(pins, options); }));
    }
    for (size_t i = 0; i < batch.size(); ++i) {
      auto result = running[i].get();
      ++best.statistics.solved;
      best.statistics.nodes += result.statistics.nodes;
      if (result.status == solver::Status::WorkLimit)
        throw Error(Kind::Internal, "mapping.work-limit",
                    "the exact search exceeded its work limit", "pin a block size with --fix");
      if (result.status != solver::Status::Optimal)
        continue;
      auto key = std::pair(result.solution.objective, batch[i].index);
      if (!winner || key < std::pair(best.solution.objective, *winner)) {
        winner = batch[i].index;
        best.solution = result.solution;
      }
    }
  };
  // A good incumbent first: the candidate that looks best.
  auto first = std::min_element(ranked.begin(), ranked.end(), [](const Ranked &a, const Ranked &b) {
    return std::tie(a.guess, a.index) < std::tie(b.guess, b.index);
  });
  if (first != ranked.end())
    consider({*first});
  // Batches of fixed size with one incumbent each: the same work and the same answer however many
  // run at once.
  constexpr size_t batchSize = 2;
  std::vector<Ranked> batch;
  auto hopeless = [&](const Ranked &entry) {
    return winner &&
           std::pair(entry.bound, entry.index) > std::pair(best.solution.objective, *winner);
  };
  for (auto entry = ranked.begin(); entry != ranked.end(); ++entry) {
    if (winner && entry->bound > best.solution.objective)
      break; // sorted: nothing that follows can be better
    if (entry != first && !hopeless(*entry))
      batch.push_back(*entry);
    if (batch.size() == batchSize || (entry + 1 == ranked.end() && !batch.empty())) {
      consider(batch);
      batch.clear();
    }
  }
  if (!batch.empty())
    consider(batch);
  best.statistics.pruned = space.candidates.size() - best.statistics.solved;
  if (!winner)
    reportInfeasible(program, formulation, space.candidates, machine);
  best.candidate = space.candidates[*winner];
  best.problem = problemOf(formulation, program, best.candidate);
  verifyOrThrow(best.problem, best.solution);
  return best;
}

} // namespace tilewright::mapping
