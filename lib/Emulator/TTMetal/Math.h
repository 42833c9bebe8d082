// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the matrix and vector engines compute, on 32x32 row-major tiles. Pure functions.
#pragma once

#include "tilewright/Emulator/TTMetal/bridge.h"

namespace tilewright::emulator {

/// How products and DST are formed.
struct Precision {
  int phases = 4;    ///< fidelity phases, 1 (LoFi) to 4 (HiFi4)
  bool dst32 = true; ///< DST holds fp32; else values rounded to bf16
};

/// dst += srcB * srcA, where srcB is operand 0 (left) and srcA operand 1 (right). The order of
/// additions is k = 0..31 for every element. Phase 1 multiplies the upper 5 significand bits of
/// SrcA with the upper 7 of SrcB; phases 2, 3 and 4 add lowA*highB, highA*lowB and lowA*lowB.
void tileProduct(float *dst, const float *srcB, const float *srcA, Precision precision);

/// dst = a op b, or dst += a op b. Products use the fidelity phases (a in SrcA, b in SrcB).
void eltwiseTile(float *dst, const float *a, const float *b, tilewright_bridge::Arith arith,
                 bool accumulate, Precision precision);

/// Column: column 0 along the width; Row: row `row` along the height; Scalar: element 0,0.
void broadcastTile(float *out, const float *in, tilewright_bridge::Broadcast kind, uint32_t row);

void transposeTile(float *out, const float *in);

/// One vector-engine operation over a tile: out = f(in0, in1, in2). Evaluated in double, rounded to
/// fp32, then to bf16 when DST is 16 bits wide.
void sfpuTile(const tilewright_bridge::SfpuOp &op, float *out, const float *in0, const float *in1,
              const float *in2, bool dst32);

/// Packer ReLU on one tile. `mode` 0 none, 1 zero, 2 below threshold to zero, 3 clamp to [0,
/// threshold].
void packerRelu(float *tile, uint32_t mode, float threshold);

} // namespace tilewright::emulator
