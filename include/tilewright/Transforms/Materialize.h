// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stage 4: a schedule, as plain data, put into the program.
#pragma once

#include "tilewright/IR/Tw.h"
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::transforms {

/// What a schedule says about one function. Lists follow program order.
struct MaterializeSpec {
  /// A value for every tw.sym, by label, in elements: inside its bounds, except that a block which
  /// may cover its whole extent may reach beyond it, to the end of the machine's last tile.
  std::map<std::string, int64_t> symbols;
  /// The grid's placement, field by field as in #tw.placement: which axis owns each factor of x
  /// (inner first) and its size in cores, y alike, and the temporal order of the axes.
  std::vector<int64_t> xAxes, xExtents, yAxes, yExtents, order;
  std::vector<std::pair<int64_t, int64_t>> transfers; ///< x and y of each tw.copy in, in cores
  /// Blocks in the memory of a buffer, by the buffer's label; 1 where it is not listed. Only a
  /// buffer that has its memory to itself can have more.
  std::map<std::string, int64_t> depths;
  std::vector<std::pair<int64_t, int64_t>>
      subblocks; ///< rows and columns of each tw.contract, in tiles
};

/// Sets the attributes of stage 4. Everything is checked first; on an error, which is reported at
/// the operation it is about ("transforms.schedule-..."), the function is left as it was. The
/// function must be at stage 3 and have one grid.
mlir::LogicalResult materialize(mlir::func::FuncOp func, const MaterializeSpec &spec);

} // namespace tilewright::transforms
