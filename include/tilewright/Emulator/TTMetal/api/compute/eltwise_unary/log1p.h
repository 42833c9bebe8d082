// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine function on one DST tile, in place; it needs its init.
#pragma once

#include "../common_globals.h"

namespace ckernel {

template <bool fast_and_approx = false, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void log1p_tile_init() {
  detail::sfpuInit(detail::Sfpu::Log1p);
}
template <bool fast_and_approx = false, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void log1p_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Log1p, detail::Sfpu::Log1p, idst);
}

} // namespace ckernel
