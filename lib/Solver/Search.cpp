// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depth-first branch and bound over boxes of domain ranges.
//
// A box is dropped when intervals prove a constraint violated, or when its lower bound (intervals,
// then the monomial relaxation) exceeds the incumbent; at equality it is dropped only if even its
// lexicographically smallest point would not win the tie. Points are judged by the tape alone, so a
// bound can cost time but never change the answer as long as it is a lower bound.
#include "Relaxation.h"
#include "tilewright/Solver/Solve.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace tilewright::solver {

using symbolic::Interval;
using symbolic::Tape;

namespace {

/// Index range into a domain, both ends included.
struct Range {
  uint32_t lo, hi;
  bool fixed() const { return lo == hi; }
};

struct BoxNode {
  std::vector<Range> ranges;
  int64_t bound = INT64_MIN;
};

Tape makeTape(const Problem &problem) {
  std::vector<Expr> roots;
  std::vector<std::string> names;
  for (const Constraint &c : problem.constraints)
    roots.push_back(c.lhs), roots.push_back(c.rhs);
  roots.push_back(problem.objective);
  for (const Variable &v : problem.variables)
    names.push_back(v.name);
  return Tape(roots, names);
}

int64_t divisorOf(const std::vector<int64_t> &values) {
  int64_t d = 0;
  for (int64_t value : values)
    d = value == INT64_MIN ? 1 : std::gcd(d, value);
  return d == 0 ? 1 : d;
}

} // namespace

struct Search::State {
  explicit State(const Problem &p) : problem(p), tape(makeTape(p)) {
    for (const Variable &v : p.variables)
      divisors.push_back(divisorOf(v.domain));
  }
  const Problem problem;
  const Tape tape;
  std::vector<int64_t> divisors; ///< of all values of each domain
};

namespace {

/// The root box: whole domains, single values where pinned.
std::vector<Range> rootRanges(const Problem &problem, const Pins &pins) {
  std::vector<Range> ranges;
  for (const Variable &v : problem.variables)
    ranges.push_back({0, uint32_t(v.domain.size() - 1)});
  for (auto [index, value] : pins) {
    if (index >= ranges.size())
      throw Error(Kind::Internal, "solver.pin",
                  "pin of variable " + std::to_string(index) + " of " +
                      std::to_string(ranges.size()));
    const std::vector<int64_t> &domain = problem.variables[index].domain;
    auto found = std::lower_bound(domain.begin(), domain.end(), value);
    if (found == domain.end() || *found != value)
      throw Error(Kind::Internal, "solver.pin",
                  "pinned value " + std::to_string(value) + " of \"" +
                      problem.variables[index].name + "\" is not in its domain");
    ranges[index].lo = ranges[index].hi = uint32_t(found - domain.begin());
  }
  return ranges;
}

std::vector<int64_t> pinnedDivisors(std::vector<int64_t> divisors, const Pins &pins) {
  for (auto [index, value] : pins)
    if (index < divisors.size())
      divisors[index] = value == 0 || value == INT64_MIN ? 1 : std::abs(value);
  return divisors;
}

class Engine {
public:
  Engine(const Problem &p, const Tape &t, std::span<const int64_t> divisors, std::vector<Range> r,
         const Options &o)
      : problem(p), options(o), tape(t), relaxation(tape, divisors), rootBox(std::move(r)),
        n(p.variables.size()), results(tape.roots().size()), ranges(tape.roots().size()), box(n),
        point(n) {
    if (options.incumbent && *options.incumbent == INT64_MIN)
      nothingWanted = true;
    else
      limit = options.incumbent ? *options.incumbent - 1 : INT64_MAX;
  }

  Result run();
  /// Tightens the root box; false when the problem is infeasible by intervals.
  bool root(BoxNode &node);

private:
  bool feasibleByIntervals();
  bool assess(BoxNode &node);
  bool shave(BoxNode &node, size_t v);
  bool tryRange(size_t v, Range range);
  void fillBox(const BoxNode &node);
  bool pruned(const BoxNode &node) const;
  bool winsTie(const BoxNode &node) const;
  void explore(const BoxNode &node);
  void enumerate(const BoxNode &node);
  void offer();
  void offerMinimiser(const BoxNode &node);
  size_t branchVariable(const BoxNode &node) const;
  uint32_t splitIndex(size_t v, Range range) const;
  uint64_t points(const BoxNode &node) const;
  bool exhausted() const { return statistics.nodes > options.workLimit; }

  const Problem &problem;
  const Options &options;
  const Tape &tape;
  Relaxation relaxation;
  std::vector<Range> rootBox;
  size_t n;
  int64_t limit = INT64_MAX; ///< largest objective of interest
  bool nothingWanted = false, prunedByBound = false;
  std::optional<Solution> best;
  Statistics statistics;
  std::vector<int64_t> results, scratch;
  std::vector<Interval> ranges, box, slots;
  std::vector<int64_t> point;
  std::vector<double> minimiser;
};

void Engine::fillBox(const BoxNode &node) {
  for (size_t v = 0; v < n; ++v) {
    const std::vector<int64_t> &domain = problem.variables[v].domain;
    box[v] = {domain[node.ranges[v].lo], domain[node.ranges[v].hi]};
  }
}

/// Bounds of everything over `box`; false when some constraint cannot hold in it.
bool Engine::feasibleByIntervals() {
  ++statistics.evaluations;
  tape.bounds(box, ranges, slots);
  for (size_t c = 0; c < problem.constraints.size(); ++c) {
    const Interval &lhs = ranges[2 * c], &rhs = ranges[2 * c + 1];
    bool equality = problem.constraints[c].relation == Constraint::Relation::Eq;
    if (lhs.lo > rhs.hi || (equality && lhs.hi < rhs.lo))
      return false;
  }
  return true;
}

/// Whether the smallest point of the box comes before the incumbent.
bool Engine::winsTie(const BoxNode &node) const {
  for (size_t v = 0; v < n; ++v) {
    int64_t value = problem.variables[v].domain[node.ranges[v].lo];
    if (value != best->values[v])
      return value < best->values[v];
  }
  return false;
}

bool Engine::pruned(const BoxNode &node) const {
  return node.bound > limit || (best && node.bound == limit && !winsTie(node));
}

/// Computes the node's bound; false when the node can be dropped.
bool Engine::assess(BoxNode &node) {
  ++statistics.nodes;
  fillBox(node);
  if (!feasibleByIntervals())
    return false;
  node.bound = std::max(node.bound, ranges.back().lo);
  minimiser.clear();
  if (!pruned(node))
    node.bound = std::max(node.bound, relaxation.bound(box, slots, limit, minimiser));
  bool dropped = pruned(node);
  prunedByBound |= dropped;
  if (!dropped && !minimiser.empty())
    offerMinimiser(node);
  return !dropped;
}

/// Judges `point`.
void Engine::offer() {
  ++statistics.evaluations;
  if (!tape.evaluate(point, results, scratch))
    return;
  for (size_t c = 0; c < problem.constraints.size(); ++c) {
    bool equality = problem.constraints[c].relation == Constraint::Relation::Eq;
    int64_t lhs = results[2 * c], rhs = results[2 * c + 1];
    if (equality ? lhs != rhs : lhs > rhs)
      return;
  }
  int64_t objective = results.back();
  bool wins = objective < limit || (objective == limit && (!best || point < best->values));
  if (objective <= limit && wins) {
    best = Solution{point, objective};
    limit = objective;
  } else if (objective > limit) {
    prunedByBound = true;
  }
}

/// The relaxation's minimiser, rounded into the domains, is often a good solution.
void Engine::offerMinimiser(const BoxNode &node) {
  for (size_t v = 0; v < n; ++v) {
    const std::vector<int64_t> &domain = problem.variables[v].domain;
    auto first = domain.begin() + node.ranges[v].lo, last = domain.begin() + node.ranges[v].hi;
    int64_t target = box[v].lo < 1 ? box[v].lo : int64_t(std::exp(minimiser[v]) * (1 + 1e-9));
    auto above = std::upper_bound(first, last + 1, target);
    point[v] = above == first ? *first : *(above - 1);
  }
  offer();
}

uint64_t Engine::points(const BoxNode &node) const {
  uint64_t count = 1;
  for (const Range &range : node.ranges) {
    count *= range.hi - range.lo + 1;
    if (count > 1'000'000)
      break;
  }
  return count;
}

void Engine::enumerate(const BoxNode &node) {
  std::vector<uint32_t> at(n);
  for (size_t v = 0; v < n; ++v)
    at[v] = node.ranges[v].lo;
  while (true) {
    for (size_t v = 0; v < n; ++v)
      point[v] = problem.variables[v].domain[at[v]];
    offer();
    size_t v = n;
    while (v > 0 && at[v - 1] == node.ranges[v - 1].hi)
      --v, at[v] = node.ranges[v].lo;
    if (v == 0)
      return;
    ++at[v - 1];
  }
}

/// The widest range on the relaxation's logarithmic scale comes first; variables with few values
/// (knobs, sub-blocks) wait until the others are narrow, because splitting them early multiplies
/// the work on all others while it hardly moves the bound.
size_t Engine::branchVariable(const BoxNode &node) const {
  constexpr size_t fewValues = 4;
  constexpr double patience = 1.5; // measured on the GEMM problems of bench/compile
  size_t best = n;
  double bestScore = -std::numeric_limits<double>::infinity();
  for (size_t v = 0; v < n; ++v) {
    const std::vector<int64_t> &domain = problem.variables[v].domain;
    Range range = node.ranges[v];
    if (range.fixed())
      continue;
    double lo = double(domain[range.lo]), hi = double(domain[range.hi]);
    double score = lo < 1 ? std::log2(1.0 + range.hi - range.lo) : std::log(hi / lo);
    score -= domain.size() <= fewValues ? patience : 0;
    if (score > bestScore)
      best = v, bestScore = score;
  }
  return best;
}

/// Last index of the lower part: the geometric middle of positive values, else the middle index.
uint32_t Engine::splitIndex(size_t v, Range range) const {
  const std::vector<int64_t> &domain = problem.variables[v].domain;
  if (domain[range.lo] < 1)
    return range.lo + (range.hi - range.lo) / 2;
  double middle = std::sqrt(double(domain[range.lo]) * double(domain[range.hi]));
  uint32_t index = range.lo;
  auto above =
      std::upper_bound(domain.begin() + range.lo, domain.begin() + range.hi, int64_t(middle));
  index = uint32_t(above - domain.begin());
  return std::clamp(index == range.lo ? range.lo : index - 1, range.lo, range.hi - 1);
}

void Engine::explore(const BoxNode &node) {
  constexpr uint64_t few = 4;
  if (exhausted())
    return;
  if (points(node) <= few)
    return enumerate(node);
  size_t v = branchVariable(node);
  uint32_t split = splitIndex(v, node.ranges[v]);
  BoxNode halves[2] = {node, node};
  halves[0].ranges[v].hi = split;
  halves[1].ranges[v].lo = split + 1;
  bool open[2] = {assess(halves[0]), assess(halves[1])};
  bool swap = open[0] && open[1] && halves[1].bound < halves[0].bound;
  for (int i : {swap ? 1 : 0, swap ? 0 : 1})
    if (open[i] && !pruned(halves[i]))
      explore(halves[i]);
    else
      prunedByBound |= open[i];
}

bool Engine::tryRange(size_t v, Range range) {
  const std::vector<int64_t> &domain = problem.variables[v].domain;
  box[v] = {domain[range.lo], domain[range.hi]};
  return feasibleByIntervals();
}

/// Cuts off both ends of a range where intervals prove that no value works.
bool Engine::shave(BoxNode &node, size_t v) {
  Range &range = node.ranges[v];
  auto halve = [&](bool low) {
    // Double the bite while it succeeds, then halve it.
    for (uint32_t bite = std::max(1u, (range.hi - range.lo) / 2); bite && !range.fixed();) {
      uint32_t size = std::min(bite, range.hi - range.lo);
      Range part =
          low ? Range{range.lo, range.lo + size - 1} : Range{range.hi - size + 1, range.hi};
      if (tryRange(v, part))
        bite = size / 2;
      else if (low)
        range.lo += size;
      else
        range.hi -= size;
    }
  };
  if (!range.fixed())
    halve(true), halve(false);
  bool possible = tryRange(v, range);
  return possible;
}

bool Engine::root(BoxNode &node) {
  node.ranges = rootBox;
  fillBox(node);
  if (!feasibleByIntervals())
    return false;
  for (size_t v = 0; v < n; ++v)
    if (!shave(node, v))
      return false;
  fillBox(node);
  if (!feasibleByIntervals())
    return false;
  node.bound = std::max(ranges.back().lo, relaxation.bound(box, slots, limit, minimiser));
  return true;
}

Result Engine::run() {
  Result result;
  BoxNode node;
  bool possible = root(node);
  if (possible && !nothingWanted && assess(node))
    explore(node);
  result.statistics = statistics;
  bool complete = !exhausted();
  if (best)
    result.solution = *best;
  if (!complete)
    result.status = Status::WorkLimit;
  else if (best)
    result.status = Status::Optimal;
  else if (options.incumbent && possible && (prunedByBound || nothingWanted))
    result.status = Status::NotBetter;
  return result;
}

} // namespace

Search::Search(const Problem &problem) {
  problem.check();
  state = std::make_unique<State>(problem);
}
Search::~Search() = default;

std::optional<int64_t> Search::rootBound(const Pins &pins) const {
  Options options;
  BoxNode node;
  Engine engine(state->problem, state->tape, pinnedDivisors(state->divisors, pins),
                rootRanges(state->problem, pins), options);
  return engine.root(node) ? std::optional(node.bound) : std::nullopt;
}

/// The problem with pinned variables replaced by their values: shorter tapes, tighter intervals.
static Problem specialize(const Problem &problem, const std::map<size_t, int64_t> &pinned) {
  std::map<std::string, Expr, std::less<>> values;
  for (auto [index, value] : pinned)
    values.emplace(problem.variables[index].name, Expr(value));
  Problem result;
  result.name = problem.name;
  for (size_t v = 0; v < problem.variables.size(); ++v)
    if (!pinned.count(v))
      result.variables.push_back(problem.variables[v]);
  result.constraints = problem.constraints;
  for (Constraint &c : result.constraints) {
    c.lhs = symbolic::substitute(c.lhs, values);
    c.rhs = symbolic::substitute(c.rhs, values);
  }
  result.objective = symbolic::substitute(problem.objective, values);
  return result;
}

static bool hasValue(const Tape &tape, const Solution &solution) {
  std::vector<int64_t> results(tape.roots().size()), scratch;
  return tape.evaluate(solution.values, results, scratch) && results.back() == solution.objective;
}

Result Search::solve(const Pins &pins, const Options &options) const {
  rootRanges(state->problem, pins); // checks the pins
  Problem problem = state->problem;
  for (auto [index, value] : pins)
    problem.variables[index].domain = {value};
  for (const auto &[index, values] : options.domains)
    problem.variables.at(index).domain = values;
  std::map<size_t, int64_t> pinned;
  for (size_t v = 0; v < problem.variables.size(); ++v)
    if (problem.variables[v].domain.size() == 1)
      pinned.emplace(v, problem.variables[v].domain.front());
  State special(specialize(problem, pinned));
  Result result = Engine(special.problem, special.tape, special.divisors,
                         rootRanges(special.problem, {}), options)
                      .run();
  bool found = result.status == Status::Optimal ||
               (result.status == Status::WorkLimit && !result.solution.values.empty());
  if (!found)
    return result;
  std::vector<int64_t> values;
  for (size_t v = 0, next = 0; v < state->problem.variables.size(); ++v)
    values.push_back(pinned.count(v) ? pinned.at(v) : result.solution.values[next++]);
  result.solution.values = std::move(values);
  // Simplification may give a value to points that have none (an overflow, a division by zero). An
  // answer that has its value in the problem as written is its optimum; else the problem is
  // searched as it is written.
  if (hasValue(state->tape, result.solution))
    return result;
  State plain(problem);
  return Engine(plain.problem, plain.tape, plain.divisors, rootRanges(plain.problem, {}), options)
      .run();
}

std::optional<int64_t> rootBound(const Problem &problem) {
  return Search(problem).rootBound();
}

Result solve(const Problem &problem, const Options &options) {
  return Search(problem).solve({}, options);
}

} // namespace tilewright::solver
