// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a tile program (stage 1) means: slow, plain execution on the CPU that shares nothing with
// the stages after it, and for every element the largest difference that a correct device may show.
#pragma once

#include "tilewright/Reference/Precision.h"
#include <map>
#include <string>
#include <vector>

namespace tilewright::reference {

struct Tensor {
  std::string name;
  std::string dtype; // "bf16" or "f32"
  std::vector<int64_t> shape;
  std::vector<float> values; // row-major, already rounded to dtype
};

struct Output {
  Tensor tensor;
  /// Per element: |device - reference| of a correct device is at most this. Infinite where nothing
  /// can be said (overflow or a pole within the error).
  std::vector<float> bound;
};

/// Runs `program` (after the verifier, stage `tile`) with the given block sizes, in elements, by
/// label. Any size from 1 on is allowed: they need not divide the extents, nor lie in the symbols'
/// ranges. A label that is absent takes the symbol's solved value. Outputs come in the order of the
/// arguments.
///
/// Semantics (docs/numerics.md): loads beyond a tensor read 0 and stores there are dropped, as are
/// lanes beyond the loop's extent; such lanes never enter a matmul's sum. Every operation is
/// computed in f32 and rounded to its result type; a matmul adds its products in f32 in increasing
/// k, starting from the accumulator, and rounds once. Max and min propagate NaN.
///
/// Throws (User) reference.input for a missing, unknown or ill-formed tensor, reference.block-size,
/// reference.race when two blocks of the grid meet in one element, reference.unwritten;
/// (Unsupported) reference.type, reference.index, reference.op.
std::vector<Output> run(mlir::func::FuncOp program, const std::vector<Tensor> &inputs,
                        const std::map<std::string, int64_t> &blockSizes,
                        const Precision &precision);

/// How `actual` compares with the reference.
struct Comparison {
  double maxAbs = 0; // over elements that are finite in both
  double maxRel = 0; // |actual - expected| / |expected|, over those with expected != 0
  double pcc =
      1; // Pearson's correlation over the same elements; 1 for equal, 0 for constant unequal
  int64_t worst = 0; // the element that is farthest from its expectation in units of its bound
  float got = 0, expected = 0, bound = 0; // of that element
  int64_t mismatches = 0;                 // beyond their bound, or NaN or infinite on one side only
  int64_t undecided = 0;                  // not equal, where the bound is infinite
  bool pass = true;                       // no mismatch and nothing undecided
};

/// Throws reference.compare (User) when name, shape or dtype differ or values are missing.
Comparison compare(const Output &expected, const Tensor &actual);

} // namespace tilewright::reference
