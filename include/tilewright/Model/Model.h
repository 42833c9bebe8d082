// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The execution graph (Loom paper section 2.6) and what is computed from it: latency and footprint.
// Every function returns terms with names, never a bare number.
#pragma once

#include "tilewright/Symbolic/Expr.h"
#include <memory>
#include <string>
#include <vector>

namespace tilewright::model {

using symbolic::Expr;

/// One primitive's cost inside a stage.
struct Term {
  std::string name;     ///< "load x[tile_m, tile_k]"
  std::string resource; ///< the machine resource that is busy
  Expr cycles;
  std::string source; ///< source symbol or location it belongs to
};

/// g ::= pipe(load, g, store) | for(trip, g) | compute | g ; g
struct Graph {
  enum class Kind { Compute, Sequence, For, Pipe };
  Kind kind = Kind::Compute;
  std::string name;
  std::vector<Term> terms;          ///< Compute: executed one after the other
  std::vector<Graph> children;      ///< Sequence: all; For and Pipe: exactly one
  Expr trip = 1;                    ///< For (and the loop that repeats a Pipe)
  std::vector<Term> load, store;    ///< Pipe: may be empty
  Expr loadKnob = 0, storeKnob = 0; ///< Pipe: 0 or 1 (a symbol), 1 = overlapped by double buffering

  static Graph compute(std::string name, std::vector<Term> terms);
  static Graph sequence(std::string name, std::vector<Graph> children);
  static Graph loop(std::string name, Expr trip, Graph body);
  /// A pipe repeated `trip` times; fill and drain are charged once (AdaptCore's prologue and
  /// epilogue).
  static Graph pipe(std::string name, Expr trip, std::vector<Term> load, Graph body,
                    std::vector<Term> store, Expr loadKnob, Expr storeKnob);
};

/// Total latency and its parts. `parts` sum to `total` for every assignment of the symbols under
/// which each trip count is at least 1.
struct Latency {
  Expr total;
  /// Where the time goes: each term with the cycles that it adds. Of stages that overlap, the
  /// slowest is charged for the steady state (ties: compute, then load, then store), the others
  /// once, for fill and drain.
  std::vector<Term> parts;
  /// Busy cycles per resource over the whole run, overlapped or not, by name: the largest names the
  /// binding one.
  std::vector<Term> busy;
};

/// Latency of a graph. With l, m, s the cycles of load stage, body and store stage and n >= 1 the
/// trip count, a pipe takes (Loom paper section 2.6, with AdaptCore's prologue and epilogue added):
///   (load,store) = (0,0): n*(l+m+s)            (0,1): (l+m) + (n-1)*max(l+m, s) + s
///                  (1,0): l + (n-1)*max(l, m+s) + (m+s)   (1,1): l + (n-1)*max(l,m,s) + m + s
/// The last three are exact for constant stage times and one buffer (knob 0) or two (knob 1) at
/// each end. (0,0) charges the stages one after the other; with one buffer at each end and three
/// independent threads the next load may run beside the last store, which hides (n-1)*min(l, s)
/// cycles of it. A loop or pipe whose trip count is the constant 0 costs nothing. Errors:
/// "model.graph" (Internal) for a loop or pipe without exactly one child.
Latency assemble(const Graph &graph);

/// A term's value under an assignment.
struct EvaluatedTerm {
  std::string name, resource, source;
  int64_t cycles = 0;
};
/// Values of `terms`, largest first; equal ones stay in order. Errors of symbolic::evaluate.
std::vector<EvaluatedTerm> evaluate(const std::vector<Term> &terms,
                                    const symbolic::Environment &environment);
/// The busiest resource (the first by name among equals); nothing when no term is busy.
std::string bindingResource(const Latency &latency, const symbolic::Environment &environment);

/// The graph as indented text, one node or term on a line.
std::string str(const Graph &graph);
/// Total, parts with their share, busy time of each resource, and the binding one, as text.
std::string explain(const Latency &latency, const symbolic::Environment &environment);

/// One buffer in local memory.
struct Buffer {
  std::string name; ///< "x[tile_m, tile_k]"
  Expr blockBytes;  ///< one copy, padded to whole tiles
  Expr copies = 1;  ///< 1, or 1 + knob
};
struct Footprint {
  Expr total; ///< bytes
  std::vector<Buffer> buffers;
};
/// The sum of blockBytes * copies.
Footprint footprint(std::vector<Buffer> buffers);

} // namespace tilewright::model
