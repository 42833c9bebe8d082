// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine function on one DST tile, in place; it needs its init.
#pragma once

#include "../common_globals.h"

namespace ckernel {

ALWI void sqrt_tile_init() {
  detail::sfpuInit(detail::Sfpu::Sqrt);
}
template <bool FAST_APPROX = false, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void sqrt_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Sqrt, detail::Sfpu::Sqrt, idst);
}

} // namespace ckernel
