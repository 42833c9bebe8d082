// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tw.map as a sequence of operations on slots of the destination registers (DST).
#pragma once

#include "Plan.h"
#include <functional>

namespace tilewright::ttmetal {

/// How an input's tile is spread over the target's: not at all, its row 0, its column 0, its
/// element 0.
enum class Spread { None, Row, Column, Scalar };

struct DstOp {
  enum Kind {
    Copy,       ///< slot = tile of `input`
    Broadcast,  ///< slot = tile of `input`, spread
    FpuBinary,  ///< slot = input op other (other spread)
    FpuReuse,   ///< slot = slot op input; SrcA keeps the format of `other`
    SfpuUnary,  ///< slot = f(slot)
    SfpuBinary, ///< slot = left op right (slots)
    SfpuScalar, ///< slot = slot op scalar, or scalar - slot when `reversed`
    Fill,       ///< slot = scalar
    Round,      ///< slot = slot rounded to bf16
    Duplicate   ///< slot = left (slot)
  } kind;
  int slot = 0, left = 0, right = 0; ///< slots
  int input = 0, other = 0;          ///< positions of map inputs
  Spread spread = Spread::None;
  tw::UnaryKind unary = tw::UnaryKind::Neg;
  tw::BinaryKind binary = tw::BinaryKind::Add;
  double scalar = 0;
  bool reversed = false;
};

struct MapPlan {
  std::vector<DstOp> ops;
  int result = 0;          ///< slot that is packed
  int slots = 1;           ///< slots per tile
  bool packerRelu = false; ///< the packer clamps negative values
};

/// `fpuAllowed(input)`: whether the matrix engine may read this input (it keeps 10 mantissa bits of
/// f32). Errors: "ttmetal.live-values" (Unsupported) when more tiles are alive than DST holds.
MapPlan planMap(const Plan &plan, tw::MapOp map, const std::function<bool(int)> &fpuAllowed);
Spread spreadOf(const Plan &plan, tw::MapOp map, int input);
/// Whether the map's value is 0 where the inputs of `zero` are 0 (other inputs are unknown).
bool mapsZeroToZero(tw::MapOp map, const std::function<bool(int)> &zero);

} // namespace tilewright::ttmetal
