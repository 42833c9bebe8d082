// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine function on one DST tile, in place; it needs its init.
#pragma once

#include "../common_globals.h"

namespace ckernel {

enum class InputClamping : uint8_t { None = 0, ClampToNegative = 1 };

template <bool approx = false, uint32_t scale = 0x3F800000,
          InputClamping input_clamping = InputClamping::ClampToNegative,
          bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void exp_tile_init() {
  detail::sfpuInit(detail::Sfpu::Exp);
}
/// scale (bf16 bits) multiplies the input when scale_en.
template <bool approx = false, bool scale_en = false,
          InputClamping input_clamping = InputClamping::ClampToNegative, int iterations = 8,
          bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void exp_tile(uint32_t idst, VectorMode = VectorMode::RC, uint16_t scale = 0x3F80) {
  detail::unary(detail::Sfpu::Exp, detail::Sfpu::Exp, idst,
                scale_en ? uint32_t(scale) << 16 : 0x3F800000u);
}

} // namespace ckernel
