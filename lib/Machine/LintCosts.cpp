// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of cost formulas by evaluation: exactly one guard holds everywhere in the domain, costs
// are positive and do not fall when there is more to do.
#include "Reader.h"
#include "tilewright/Symbolic/Tape.h"
#include <algorithm>
#include <cmath>

namespace tilewright::machine {

using symbolic::Tape;

namespace {
constexpr size_t samplePoints = 4096; ///< aimed at, per cost
constexpr size_t mostSamples = 64;    ///< of one parameter

/// Integers in the guards, where their truth may change.
void collectConstants(Expr e, std::set<int64_t> &constants) {
  if (e.isConstant())
    constants.insert(e.value());
  for (const Expr &operand : e.operands())
    collectConstants(operand, constants);
}

class CostLint {
public:
  CostLint(Document &document, const Cost &cost) : document(document), cost(cost) {
    std::vector<Expr> guards;
    for (const CostCase &arm : cost.cases) {
      guards.push_back(arm.when);
      collectConstants(arm.when, constants);
      formulas.emplace_back(std::span(&arm.cycles, 1), cost.parameters);
    }
    guardTape.emplace(guards, cost.parameters);
    truth.resize(guards.size());
  }

  void run() {
    size_t n = cost.parameters.size();
    double perParameter = n ? std::pow(double(samplePoints), 1.0 / double(n)) : 1;
    size_t count = std::clamp(size_t(perParameter), size_t(3), mostSamples);
    std::vector<std::vector<int64_t>> samples;
    for (const std::string &parameter : cost.parameters)
      samples.push_back(sample(cost.domain.find(parameter)->second, count));
    if (n == 0) {
      check({});
      return;
    }
    for (size_t along = 0; along < n; ++along)
      lines(samples, along);
  }

private:
  using Point = std::vector<int64_t>;

  /// Both ends, a geometric ladder between them, and the guards' constants with their neighbours.
  std::vector<int64_t> sample(symbolic::Interval domain, size_t count) const {
    std::set<int64_t> points = {domain.lo, domain.hi};
    double length = double(domain.hi) - double(domain.lo) + 1;
    for (size_t i = 1; i + 1 < count; ++i)
      points.insert(domain.lo + int64_t(std::pow(length, double(i) / double(count - 1))) - 1);
    for (int64_t constant : constants)
      for (int64_t delta : {-1, 0, 1})
        if (int64_t p;
            !__builtin_add_overflow(constant, delta, &p) && p >= domain.lo && p <= domain.hi)
          points.insert(p);
    return {points.begin(), points.end()};
  }

  /// Walks every line of the grid of samples in the direction of one parameter.
  void lines(const std::vector<std::vector<int64_t>> &samples, size_t along) {
    std::vector<size_t> index(samples.size(), 0);
    while (true) {
      Point point(samples.size());
      for (size_t i = 0; i < samples.size(); ++i)
        point[i] = samples[i][index[i]];
      line(point, samples[along], along);
      size_t i = 0;
      for (; i < samples.size(); ++i) {
        if (i == along)
          continue;
        if (++index[i] < samples[i].size())
          break;
        index[i] = 0;
      }
      if (i == samples.size())
        return;
    }
  }

  void line(Point point, const std::vector<int64_t> &values, size_t along) {
    std::optional<int64_t> before;
    int64_t last = 0;
    auto visit = [&](int64_t value) {
      point[along] = value;
      auto cycles = check(point);
      const std::string &name = cost.parameters[along];
      bool mayFall = name.starts_with("sub_") || name == "alignment";
      if (cycles && before && *cycles < *before && !mayFall)
        decreasing(point, along, last, *before, *cycles);
      if (cycles)
        before = cycles, last = value;
    };
    for (size_t i = 0; i < values.size(); ++i) {
      if (i)
        boundaries(point, along, values[i - 1], values[i], visit);
      visit(values[i]);
    }
  }

  /// Visits both sides of each change of the guards between `lo` and `hi` that bisection finds.
  template <class Visit>
  void boundaries(Point point, size_t along, int64_t lo, int64_t hi, Visit visit) {
    auto guardsAt = [&](int64_t value) {
      point[along] = value;
      return guards(point);
    };
    auto end = guardsAt(hi);
    while (lo < hi) {
      auto start = guardsAt(lo);
      if (start == end)
        return;
      int64_t left = lo, right = hi;
      while (right - left > 1) {
        int64_t middle = left + (right - left) / 2;
        (guardsAt(middle) == start ? left : right) = middle;
      }
      if (left != lo)
        visit(left);
      if (right != hi)
        visit(right);
      lo = right;
    }
  }

  /// Empty when a guard has no value.
  std::vector<bool> guards(const Point &point) {
    if (!guardTape->evaluate(point, truth, scratch))
      return {};
    return {truth.begin(), truth.end()};
  }

  /// The cost at a point where exactly one guard holds and the formula has a value.
  std::optional<int64_t> check(const Point &point) {
    auto holds = guards(point);
    if (holds.empty())
      return undefined(point, 0), std::nullopt;
    auto count = std::count(holds.begin(), holds.end(), true);
    size_t first = std::find(holds.begin(), holds.end(), true) - holds.begin();
    if (count == 0)
      return finding("machine.case-hole",
                     "no case of cost '" + cost.name + "' applies at " + text(point),
                     "widen a guard or narrow the domain", "costs." + cost.name),
             std::nullopt;
    if (count > 1)
      return overlap(point, holds, first), std::nullopt;
    int64_t cycles = 0;
    if (!formulas[first].evaluate(point, std::span(&cycles, 1), scratch))
      return undefined(point, first), std::nullopt;
    if (cycles < (cost.free ? 0 : 1))
      finding("machine.cost-not-positive",
              "cost '" + cost.name + "' is " + std::to_string(cycles) + " cycles at " + text(point),
              cost.free ? "a cost is never negative" : "correct the formula, or write 'free: true'",
              place(first));
    return cycles;
  }

  void overlap(const Point &point, const std::vector<bool> &holds, size_t first) {
    size_t second = std::find(holds.begin() + first + 1, holds.end(), true) - holds.begin();
    finding("machine.case-overlap",
            "cases " + std::to_string(first + 1) + " and " + std::to_string(second + 1) +
                " of cost '" + cost.name + "' both apply at " + text(point),
            "make their guards exclude each other", place(second));
  }
  void undefined(const Point &point, size_t index) {
    finding("machine.cost-undefined",
            "cost '" + cost.name + "' overflows or divides by zero at " + text(point),
            "correct the formula or narrow the domain", place(index));
  }
  void decreasing(const Point &point, size_t along, int64_t from, int64_t before, int64_t cycles) {
    finding(
        "machine.cost-decreasing",
        "cost '" + cost.name + "' falls from " + std::to_string(before) + " to " +
            std::to_string(cycles) + " cycles when '" + cost.parameters[along] + "' grows from " +
            std::to_string(from) + " to " + std::to_string(point[along]) + " at " + text(point),
        "more work cannot take less time; correct the formula or its guards", "costs." + cost.name);
  }

  std::string place(size_t index) const {
    return "costs." + cost.name + ".cases." + std::to_string(index);
  }
  std::string text(const Point &point) const {
    std::string result;
    for (size_t i = 0; i < point.size(); ++i)
      result += (i ? ", " : "") + cost.parameters[i] + " = " + std::to_string(point[i]);
    return result.empty() ? "every point" : result;
  }

  /// One finding of a kind for each cost is enough.
  void finding(const std::string &id, std::string message, std::string hint,
               const std::string &where) {
    if (seen.insert(id).second)
      document.report(document.at(where), id, std::move(message), std::move(hint));
  }

  Document &document;
  const Cost &cost;
  std::set<int64_t> constants;
  std::vector<Tape> formulas;
  std::optional<Tape> guardTape;
  std::vector<int64_t> truth, scratch;
  std::set<std::string> seen;
};
} // namespace

void lintCosts(Document &document) {
  for (const auto &[name, cost] : document.machine.costs)
    CostLint(document, cost).run();
}

} // namespace tilewright::machine
