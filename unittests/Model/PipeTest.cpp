// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Latency of pipes against an event-by-event simulation of three threads and their buffers.
#include "tilewright/Model/Model.h"
#include "tilewright/Support/Random.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::model;
using symbolic::Expr;

namespace {

struct Times {
  int64_t load, body, store, rounds;
};

/// Reader, compute and writer are threads of their own; `in` and `out` blocks fit in the buffers
/// between them. A block's room is taken from the start of what fills it to the end of what empties
/// it.
int64_t simulate(const Times &t, int64_t in, int64_t out) {
  std::vector<int64_t> loaded, computed, stored;
  auto at = [](const std::vector<int64_t> &ends, int64_t i) { return i < 0 ? 0 : ends[size_t(i)]; };
  for (int64_t i = 0; i < t.rounds; ++i) {
    loaded.push_back(std::max(at(loaded, i - 1), at(computed, i - in)) + t.load);
    int64_t start = std::max({at(computed, i - 1), loaded.back(), at(stored, i - out)});
    computed.push_back(start + t.body);
    stored.push_back(std::max(at(stored, i - 1), computed.back()) + t.store);
  }
  return at(stored, t.rounds - 1);
}

Latency pipeOf(const Times &t, int64_t loadKnob, int64_t storeKnob) {
  return assemble(Graph::pipe("p", t.rounds, {{"load", "noc0", t.load, "x"}},
                              Graph::compute("body", {{"body", "fpu", t.body, "b"}}),
                              {{"store", "noc1", t.store, "o"}}, loadKnob, storeKnob));
}

int64_t value(Expr e) {
  return symbolic::evaluate(e, {});
}

Times randomTimes(Random &random) {
  auto draw = [&] { return int64_t(random.below(40)); };
  return {draw(), draw(), draw(), 1 + int64_t(random.below(9))};
}

TEST(Pipe, OverlappedCasesAreExact) {
  Random random(1);
  for (int i = 0; i < 5000; ++i) {
    Times t = randomTimes(random);
    for (int knobs = 1; knobs < 4; ++knobs) {
      int64_t load = knobs & 1, store = knobs >> 1;
      ASSERT_EQ(value(pipeOf(t, load, store).total), simulate(t, 1 + load, 1 + store))
          << t.load << " " << t.body << " " << t.store << " x " << t.rounds << ", knobs " << load
          << store;
    }
  }
}

/// Without overlap the formula keeps to the paper and adds the stages; threads of their own would
/// still run the next load beside the last store. The difference is known exactly.
TEST(Pipe, SerialCaseIsAboveTheThreadsByTheLesserEnd) {
  Random random(2);
  for (int i = 0; i < 5000; ++i) {
    Times t = randomTimes(random);
    int64_t formula = value(pipeOf(t, 0, 0).total);
    ASSERT_EQ(formula, t.rounds * (t.load + t.body + t.store));
    ASSERT_EQ(formula - simulate(t, 1, 1), (t.rounds - 1) * std::min(t.load, t.store));
  }
}

TEST(Pipe, PartsSumToTheTotal) {
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    Times t = randomTimes(random);
    for (int knobs = 0; knobs < 4; ++knobs) {
      Latency latency = pipeOf(t, knobs & 1, knobs >> 1);
      int64_t sum = 0;
      for (const Term &part : latency.parts)
        sum += value(part.cycles);
      ASSERT_EQ(sum, value(latency.total));
      EXPECT_EQ(latency.parts.size(), 3u);
    }
  }
}

TEST(Pipe, TheSlowestStageIsChargedForTheSteadyState) {
  Latency latency = pipeOf({10, 50, 20, 5}, 1, 1);
  ASSERT_EQ(latency.parts.size(), 3u);
  EXPECT_EQ(value(latency.parts[0].cycles), 10);  // fill
  EXPECT_EQ(value(latency.parts[1].cycles), 250); // five rounds
  EXPECT_EQ(value(latency.parts[2].cycles), 20);  // drain
  // Ties: compute, then load, then store.
  EXPECT_EQ(value(pipeOf({30, 30, 30, 4}, 1, 1).parts[1].cycles), 120);
  EXPECT_EQ(value(pipeOf({30, 10, 30, 4}, 1, 1).parts[0].cycles), 120);
}

TEST(Pipe, SymbolicKnobsMeanTheFourCases) {
  Expr n = Expr::symbol("n"), l = Expr::symbol("l"), m = Expr::symbol("m"), s = Expr::symbol("s");
  Latency latency = assemble(
      Graph::pipe("p", n, {{"load", "noc0", l, ""}}, Graph::compute("c", {{"c", "fpu", m, ""}}),
                  {{"store", "noc1", s, ""}}, Expr::symbol("a"), Expr::symbol("b")));
  Random random(4);
  for (int i = 0; i < 500; ++i) {
    Times t = randomTimes(random);
    for (int64_t a : {0, 1})
      for (int64_t b : {0, 1}) {
        symbolic::Environment at = {{"n", t.rounds}, {"l", t.load}, {"m", t.body},
                                    {"s", t.store},  {"a", a},      {"b", b}};
        ASSERT_EQ(symbolic::evaluate(latency.total, at), value(pipeOf(t, a, b).total));
        int64_t sum = 0;
        for (const Term &part : latency.parts)
          sum += symbolic::evaluate(part.cycles, at);
        ASSERT_EQ(sum, symbolic::evaluate(latency.total, at));
      }
  }
}

TEST(Pipe, ZeroRoundsCostNothing) {
  Latency latency = pipeOf({10, 20, 30, 0}, 1, 1);
  EXPECT_EQ(latency.total, Expr(0));
  EXPECT_TRUE(latency.parts.empty());
  EXPECT_TRUE(latency.busy.empty());
}

TEST(Pipe, MissingEnds) {
  Graph body = Graph::compute("c", {{"c", "fpu", 7, ""}});
  EXPECT_EQ(value(assemble(Graph::pipe("p", 5, {}, body, {}, 1, 1)).total), 35);
  EXPECT_EQ(value(assemble(Graph::pipe("p", 5, {{"l", "noc0", 9, ""}}, body, {}, 1, 0)).total),
            9 * 5 + 7);
}

//===--- Nesting
//-------------------------------------------------------------------------------------===//

/// A random graph and, beside it, its latency by direct recursion over plain integers.
struct Nested {
  Graph graph;
  int64_t cycles = 0;
  std::map<std::string, int64_t> busy;
};

void addBusy(Nested &to, const Nested &from, int64_t times) {
  for (const auto &[resource, cycles] : from.busy)
    to.busy[resource] += cycles * times;
}

Nested randomGraph(Random &random, int depth) {
  Nested result;
  int kind = depth == 0 ? 0 : int(random.below(4));
  if (kind == 0) {
    int64_t a = int64_t(random.below(20)), b = int64_t(random.below(20));
    result.graph = Graph::compute("c", {{"a", "fpu", a, ""}, {"b", "sfpu", b, ""}});
    result.cycles = a + b;
    result.busy = {{"fpu", a}, {"sfpu", b}};
    return result;
  }
  if (kind == 1) {
    Nested one = randomGraph(random, depth - 1), two = randomGraph(random, depth - 1);
    result.graph = Graph::sequence("s", {one.graph, two.graph});
    result.cycles = one.cycles + two.cycles;
    addBusy(result, one, 1);
    addBusy(result, two, 1);
    return result;
  }
  Nested body = randomGraph(random, depth - 1);
  int64_t trip = 1 + int64_t(random.below(5));
  addBusy(result, body, trip);
  if (kind == 2) {
    result.graph = Graph::loop("f", trip, body.graph);
    result.cycles = trip * body.cycles;
    return result;
  }
  Times t{int64_t(random.below(40)), body.cycles, int64_t(random.below(40)), trip};
  int64_t load = int64_t(random.below(2)), store = int64_t(random.below(2));
  result.graph = Graph::pipe("p", trip, {{"l", "noc0", t.load, ""}}, body.graph,
                             {{"s", "noc1", t.store, ""}}, load, store);
  bool serial = !load && !store;
  result.cycles =
      simulate(t, 1 + load, 1 + store) + (serial ? (trip - 1) * std::min(t.load, t.store) : 0);
  result.busy["noc0"] += trip * t.load;
  result.busy["noc1"] += trip * t.store;
  return result;
}

TEST(Nesting, TotalPartsAndBusyAgree) {
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    Nested nested = randomGraph(random, 4);
    Latency latency = assemble(nested.graph);
    ASSERT_EQ(value(latency.total), nested.cycles) << str(nested.graph);
    int64_t sum = 0;
    for (const Term &part : latency.parts)
      sum += value(part.cycles);
    ASSERT_EQ(sum, nested.cycles) << str(nested.graph);
    ASSERT_EQ(latency.busy.size(), nested.busy.size());
    for (const Term &term : latency.busy)
      ASSERT_EQ(value(term.cycles), nested.busy.at(term.resource)) << str(nested.graph);
  }
}

TEST(Nesting, LoopWithoutOneBodyIsOurBug) {
  Graph graph = Graph::loop("f", 2, Graph::compute("c", {}));
  graph.children.clear();
  try {
    assemble(graph);
    FAIL();
  } catch (const Error &error) {
    EXPECT_EQ(error.diagnostic().id, "model.graph");
    EXPECT_EQ(error.diagnostic().kind, Kind::Internal);
  }
}

} // namespace
