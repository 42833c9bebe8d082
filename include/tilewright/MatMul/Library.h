// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The optimisation library (AdaptCore paper, section 5.3 and table 2): what a module is for, when
// it applies, what it needs, and what it gains on a given plan.
#pragma once

#include "tilewright/MatMul/Planner.h"

namespace tilewright::matmul {

struct Optimisation {
  enum class Dimension { Bandwidth, Pipeline, Compute };
  const char *name;
  Dimension dimension;
  const char *benefit, *cost;
  /// Adds the module to what is there, in the form that suits the shape.
  void (*add)(const Target &target, const Shape &shape, Modules &modules);
  void (*remove)(Modules &modules);
};

/// Padding of A, B and C, L1 Resident, ShuffleK, Small-M Copy, Multi-Buffer, Preloading, Eliminate
/// Scalar, in this order. They compose: each changes its own fields of Modules.
const std::vector<Optimisation> &library();

bool uses(const Optimisation &optimisation, const Modules &modules);
/// The module suits the shape with this template, whatever the tiles.
bool applies(const Optimisation &optimisation, const Target &target, const Shape &shape,
             Template kind);

/// What one module does to a choice with everything else, tiles included, as it is.
struct Effect {
  const Optimisation *optimisation = nullptr;
  std::optional<int64_t> without, with; ///< cycles; unset: not legal
  int64_t l1Bytes = 0;                  ///< more L1 with it than without
};
/// Of every module in use, and of those that apply but are not in use.
std::vector<Effect> effects(const Target &target, const Shape &shape, const Choice &choice);

} // namespace tilewright::matmul
