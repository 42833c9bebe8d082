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
  std::string source;   ///< source symbol or location it belongs to
};

/// g ::= pipe(load, g, store) | for(trip, g) | compute | g ; g
struct Graph {
  enum class Kind { Compute, Sequence, For, Pipe };
  Kind kind = Kind::Compute;
  std::string name;
  std::vector<Term> terms;       ///< Compute: executed one after the other
  std::vector<Graph> children;   ///< Sequence: all; For and Pipe: exactly one
  Expr trip = 1;                 ///< For (and the loop that repeats a Pipe)
  std::vector<Term> load, store; ///< Pipe: may be empty
  Expr loadKnob = 0, storeKnob = 0; ///< Pipe: 0 or 1 (a symbol), 1 = overlapped by double buffering

  static Graph compute(std::string name, std::vector<Term> terms);
  static Graph sequence(std::string name, std::vector<Graph> children);
  static Graph loop(std::string name, Expr trip, Graph body);
  /// A pipe repeated `trip` times; fill and drain are charged once (AdaptCore's prologue and epilogue).
  static Graph pipe(std::string name, Expr trip, std::vector<Term> load, Graph body,
                    std::vector<Term> store, Expr loadKnob, Expr storeKnob);
};

/// Total latency and its parts. `parts` sum to `total` for every assignment of the symbols.
struct Latency {
  Expr total;
  std::vector<Term> parts;
  /// Busy cycles per resource over the whole run, overlapped or not: the largest names the binding one.
  std::vector<Term> busy;
};

/// Four-case pipe formula with fill and drain:
///   (load,store) = (0,0): n*(l+m+s)            (0,1): (l+m) + (n-1)*max(l+m, s) + s
///                  (1,0): l + (n-1)*max(l, m+s) + (m+s)   (1,1): l + (n-1)*max(l,m,s) + m + s
Latency assemble(const Graph &graph);

/// One buffer in local memory.
struct Buffer {
  std::string name;  ///< "x[tile_m, tile_k]"
  Expr blockBytes;   ///< one copy, padded to whole tiles
  Expr copies = 1;   ///< 1, or 1 + knob
};
struct Footprint {
  Expr total; ///< bytes
  std::vector<Buffer> buffers;
};
Footprint footprint(std::vector<Buffer> buffers);

} // namespace tilewright::model
