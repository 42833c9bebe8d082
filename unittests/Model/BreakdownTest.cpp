// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluated breakdowns, texts, footprint.
#include "tilewright/Model/Model.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::model;
using symbolic::Expr;

namespace {

Graph example() {
  Expr t = Expr::symbol("tile"), n = Expr::symbol("n");
  return Graph::pipe("loop", n, {{"load x", "noc0", t * 3, "x"}, {"load w", "noc0", t, "w"}},
                     Graph::compute("work", {{"matmul", "fpu", t * 5, "line 7"}}),
                     {{"store o", "noc1", t * 2, "o"}}, 1, Expr::symbol("knob"));
}

TEST(Breakdown, SortedByCyclesThenOrder) {
  auto terms =
      evaluate({{"a", "r", 3, ""}, {"b", "r", 9, ""}, {"c", "q", 3, "src"}, {"d", "q", 0, ""}}, {});
  ASSERT_EQ(terms.size(), 4u);
  EXPECT_EQ(terms[0].name, "b");
  EXPECT_EQ(terms[1].name, "a");
  EXPECT_EQ(terms[2].name, "c");
  EXPECT_EQ(terms[2].source, "src");
  EXPECT_EQ(terms[3].cycles, 0);
}

TEST(Breakdown, ExplainIsReadable) {
  Latency latency = assemble(example());
  // tile 10, 4 rounds, both overlapped: l 40, m 50, s 20 -> 40 + 3 * 50 + 50 + 20.
  EXPECT_EQ(explain(latency, {{"tile", 10}, {"n", 4}, {"knob", 1}}),
            "total 260 cycles\n"
            "           200  76.9 %  matmul (fpu, line 7)\n"
            "            30  11.5 %  load x (noc0, x)\n"
            "            20   7.7 %  store o (noc1, o)\n"
            "            10   3.8 %  load w (noc0, w)\n"
            "busy\n"
            "           200  76.9 %  fpu\n"
            "           160  61.5 %  noc0\n"
            "            80  30.8 %  noc1\n"
            "bound by fpu\n");
}

TEST(Breakdown, BindingResource) {
  Latency latency = assemble(example());
  EXPECT_EQ(bindingResource(latency, {{"tile", 10}, {"n", 4}, {"knob", 0}}), "fpu");
  EXPECT_EQ(bindingResource(assemble(Graph::compute("none", {})), {}), "");
  // Equal: the first by name.
  EXPECT_EQ(bindingResource(
                assemble(Graph::compute("c", {{"x", "noc1", 5, ""}, {"y", "fpu", 5, ""}})), {}),
            "fpu");
}

TEST(Breakdown, UnboundSymbolIsAnError) {
  EXPECT_THROW(explain(assemble(example()), {{"tile", 10}}), Error);
}

TEST(Breakdown, GraphText) {
  Graph graph = Graph::sequence("all", {Graph::loop("outer", 3, example()),
                                        Graph::compute("tail", {{"map", "sfpu", 8, ""}})});
  EXPECT_EQ(str(graph), "sequence all\n"
                        "  for outer, 3 times\n"
                        "    pipe loop, n times, overlap load 1, store knob\n"
                        "      load: load x on noc0: " +
                            (Expr::symbol("tile") * 3).str() +
                            "\n"
                            "      load: load w on noc0: tile\n"
                            "      compute work\n"
                            "        matmul on fpu: " +
                            (Expr::symbol("tile") * 5).str() +
                            "\n"
                            "      store: store o on noc1: " +
                            (Expr::symbol("tile") * 2).str() +
                            "\n"
                            "  compute tail\n"
                            "    map on sfpu: 8\n");
}

TEST(Breakdown, Footprint) {
  Expr knob = Expr::symbol("knob");
  Footprint f = footprint({{"x", 4096, Expr(1) + knob}, {"w", 2048, 2}, {"acc", 8192}});
  EXPECT_EQ(symbolic::evaluate(f.total, {{"knob", 0}}), 4096 + 4096 + 8192);
  EXPECT_EQ(symbolic::evaluate(f.total, {{"knob", 1}}), 8192 + 4096 + 8192);
  EXPECT_EQ(f.buffers.size(), 3u);
  EXPECT_EQ(footprint({}).total, Expr(0));
}

} // namespace
