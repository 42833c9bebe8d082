// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search across candidates: most promising first, one incumbent for all, verified at the end.
#include "tilewright/Mapping/Select.h"
#include "tilewright/Solver/Explain.h"
#include "tilewright/Solver/Verify.h"
#include "tilewright/Symbolic/Tape.h"
#include <algorithm>
#include <future>
#include <map>
#include <set>
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

/// True when a load's number of sharing cores is asked for: then it is no longer like another one.
bool pinsSharers(const Program &program, const Request &request) {
  for (size_t load = 0; load < program.allLoads().size(); ++load)
    if (request.fixed.contains(sharersName(program, load)))
      return true;
  return false;
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

/// The ranked candidate that comes first in the enumeration.
size_t firstOf(const std::vector<Ranked> &ranked) {
  auto earlier = [](const Ranked &a, const Ranked &b) { return a.index < b.index; };
  return std::min_element(ranked.begin(), ranked.end(), earlier)->index;
}

using Pinned = std::map<size_t, int64_t>;

/// Values of a variable among the candidates that agree with all other pins, as text.
std::string valuesBeside(size_t variable, const Pinned &wanted, const std::vector<Pinned> &all) {
  std::set<int64_t> values;
  for (const Pinned &candidate : all)
    if (std::all_of(wanted.begin(), wanted.end(), [&](const auto &pin) {
          return pin.first == variable || candidate.at(pin.first) == pin.second;
        }))
      values.insert(candidate.at(variable));
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}

/// Names the pins that no candidate has together, and what one of them could be beside the others.
[[noreturn]] void reportNoPlacement(const Program &program, const Formulation &formulation,
                                    const std::vector<Candidate> &candidates,
                                    const machine::Machine &machine) {
  std::vector<Pinned> all;
  for (const Candidate &candidate : candidates) {
    auto pins = pinsOf(formulation, program, candidate);
    all.emplace_back(pins.begin(), pins.end());
  }
  Pinned wanted;
  for (auto [variable, value] : all.front())
    if (const auto &domain = formulation.problem.variables[variable].domain; domain.size() == 1)
      wanted[variable] = domain.front();
  std::string pinned, hint = "pin fewer of them";
  for (auto [variable, value] : wanted) {
    const std::string &name = formulation.problem.variables[variable].name;
    pinned += (pinned.empty() ? "" : ", ") + name + " = " + std::to_string(value);
    if (auto values = valuesBeside(variable, wanted, all); !values.empty())
      hint = "'" + name + "' can be " + values;
  }
  throw Error(Kind::DoesNotFit, "mapping.no-placement",
              "no placement of '" + program.name + "' on '" + machine.name + "' has " + pinned,
              hint);
}

/// Explains why nothing fits on the first candidate that was searched (they all share the memory
/// limits).
[[noreturn]] void reportInfeasible(const Program &program, const Formulation &formulation,
                                   const Candidate &candidate, const machine::Machine &machine) {
  auto problem = problemOf(formulation, program, candidate);
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
  CandidateSpace space =
      enumerate(program, gridX, gridY, machine.number("tile.rows"),
                machine.number("noc.multicast_max_destinations"), !pinsSharers(program, request));
  solver::Search search(formulation.problem);
  Selection best;
  best.statistics.enumerated = space.enumerated;
  best.statistics.idle = space.idle;
  best.statistics.merged = space.enumerated - space.idle - space.candidates.size();
  if (space.candidates.empty())
    throw Error(Kind::Internal, "mapping.no-candidate", "the grid has no placement at all");
  auto ranked = rank(formulation, program, space.candidates);
  if (ranked.empty())
    reportNoPlacement(program, formulation, space.candidates, machine);
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
    reportInfeasible(program, formulation, space.candidates[firstOf(ranked)], machine);
  best.candidate = space.candidates[*winner];
  best.problem = problemOf(formulation, program, best.candidate);
  verifyOrThrow(best.problem, best.solution);
  return best;
}

} // namespace tilewright::mapping
