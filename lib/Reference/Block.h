// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of a tile with the error that a correct device may have made in it (room-internal).
#pragma once

#include "tilewright/Reference/Precision.h"
#include <memory>
#include <vector>

namespace tilewright::reference {

/// A sum in f32 that may go on: its rounding errors depend on the total magnitude of its terms and
/// on how many there are, not on the order (docs/numerics.md, "sums"). Empty for any other block.
struct Sum {
  std::vector<float> settled;   // error of the terms themselves
  std::vector<float> magnitude; // at least the sum of the terms' absolute values, on the device too
  int64_t terms = 0;            // additions so far
};

struct Block {
  std::vector<int64_t> dims;
  /// Elements per dim that lie within the loops' extents; the rest never enters a sum or a store.
  std::vector<int64_t> valid;
  bool bf16 = false;
  bool neverNegative = false; ///< whatever the operands: the result of abs, exp, ...
  std::vector<float> value; // row-major, the whole block
  std::vector<float> error; // |device - value| <= error, finite or infinite, never NaN
  Sum sum;
};
using BlockPtr = std::shared_ptr<const Block>;

inline int64_t elementCount(const std::vector<int64_t> &dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  return count;
}

/// A block of this shape, with room for its values and zero errors.
Block makeBlock(std::vector<int64_t> dims, std::vector<int64_t> valid, bool bf16);

BlockPtr unary(tw::UnaryKind kind, const Block &operand, bool toBf16, const Precision &precision);
BlockPtr binary(tw::BinaryKind kind, const Block &lhs, const Block &rhs, bool toBf16,
                const Precision &precision);
BlockPtr cast(const Block &operand, bool toBf16, const Precision &precision);
BlockPtr matmul(const Block &lhs, const Block &rhs, const Block &accumulator, bool toBf16,
                const Precision &precision);

} // namespace tilewright::reference
