// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When each virtual buffer of a grid holds a block, and which buffers may share memory.
#pragma once

#include "tilewright/IR/Tw.h"
#include <vector>

namespace tilewright::transforms {

/// Life of one buffer in positions of program order (a loop spans the positions of its body). It
/// covers everything from the first reserve to the last release; a buffer used on both sides of a
/// loop's edge lives throughout the loop.
struct Lifetime {
  mlir::Value buffer;
  int birth = 0, death = 0; ///< inclusive; equal and 0 for a buffer without uses
  bool meetsGlobal = false; ///< a copy reads or writes it: data movement works on it at any time
  int color = -1;           ///< index of the memory; buffers of one color share it

  int duration() const { return death - birth; }
  /// Whether the two need memory of their own: other types, global memory, or lives that overlap.
  bool interferes(const Lifetime &other) const;
};

/// Lifetimes in the order in which the buffers are created, not colored yet.
std::vector<Lifetime> computeLifetimes(tw::GridOp grid);

/// First-fit coloring of the interference graph: by birth, then the longer life first (Loom
/// section 2.4 and its published order). Returns the number of colors; the same input gives the
/// same colors.
int colorLifetimes(std::vector<Lifetime> &lifetimes);

} // namespace tilewright::transforms
