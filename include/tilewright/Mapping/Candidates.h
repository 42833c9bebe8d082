// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stage 4: every way to lay a grid over the cores and to share its loads, equivalent ones merged.
#pragma once

#include "tilewright/Mapping/Program.h"

namespace tilewright::mapping {

/// A piece of a mesh dimension given to a grid axis.
struct Factor {
  int axis = 0;
  int64_t extent = 1;
  bool operator==(const Factor &) const = default;
};

/// Which cores run which blocks: see #tw.placement.
struct Placement {
  std::vector<Factor> x, y; ///< inner first; their products are the sub-mesh
  std::vector<int> order;   ///< temporal loops, outermost first
  int64_t sizeX() const;
  int64_t sizeY() const;
  int64_t cores(int axis) const; ///< spatial extent of an axis
};

/// A rectangle of cores that share one read of a block; 1 x 1 is unicast.
struct Sharing {
  int64_t x = 1, y = 1;
  int64_t cores() const { return x * y; }
};

struct Candidate {
  Placement placement;
  std::vector<Sharing> sharing; ///< one per load, in program order
  /// Name in the report, e.g. "8x8 tile_m:y8 tile_n:x8 | x:8x1 y:1x8".
  std::string name(const Program &program) const;
};

struct CandidateSpace {
  std::vector<Candidate> candidates; ///< one per class of equivalent ones, in a deterministic order
  int64_t enumerated = 0;            ///< before merging
  int64_t idle = 0;                  ///< left out: some core could never get a block
};

/// All views of one mesh dimension of `size` cores: ordered factorizations over distinct axes.
std::vector<std::vector<Factor>> viewsOf(int64_t size, int axes);
/// All rectangles that a load independent of the axes outside `axes` may be multicast over: in each
/// mesh dimension a divisor of the run of inner factors whose axes it does not depend on.
std::vector<Sharing> legalSharing(const Placement &placement, const std::set<int> &axes);
/// Two candidates are equivalent when no term of the model can tell them apart: same spatial extent
/// per axis and same number of sharing cores per load, where loads that are alike (of one scope,
/// with blocks of one size on the same axes) may change places unless `mergeAlike` is off. Error:
/// "mapping.candidates" when there are too many.
CandidateSpace enumerate(const Program &program, int64_t gridX, int64_t gridY, int64_t tileRows,
                         int64_t maxReceivers, bool mergeAlike = true);

} // namespace tilewright::mapping
