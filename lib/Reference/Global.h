// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors in global memory while a program runs, and the two ways to reach them (room-internal).
#pragma once

#include "Block.h"
#include "tilewright/Reference/Reference.h"
#include "tilewright/Support/Diagnostic.h"

namespace tilewright::reference {

/// A grid's block number, or a constant; `extent` is that of the loop which counts it, 0 for a
/// constant.
struct Index {
  int64_t number = 0;
  int64_t extent = 0;
};

struct Global {
  Tensor tensor;
  std::vector<float> error;
  /// For outputs: which grid iteration (from 1 on, over all grids) wrote each element; 0 is none.
  std::vector<int64_t> writer;
  bool isOutput = false;
};

/// Where a block lies in a tensor, dim by dim.
struct Window {
  std::vector<int64_t> start, dims, valid;
};

/// A block that starts at index * size and ends with its loop's extent (a constant index: the
/// tensor's).
Window makeWindow(const std::vector<Index> &indices, const std::vector<int64_t> &dims,
                  const std::vector<int64_t> &shape);

/// Reads a block; lanes beyond the tensor are 0. Throws reference.race, reference.unwritten.
BlockPtr load(const Global &global, const Window &window, int64_t iteration,
              const Location &location);
/// Writes the valid lanes of `value` that lie in the tensor. Throws reference.race.
void store(Global &global, const Block &value, const Window &window, int64_t iteration,
           const Precision &precision, const Location &location);

} // namespace tilewright::reference
