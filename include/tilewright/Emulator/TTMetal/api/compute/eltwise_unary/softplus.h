// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine function on one DST tile, in place; it needs its init.
#pragma once

#include "../common_globals.h"

namespace ckernel {

ALWI void softplus_tile_init() {
  detail::sfpuInit(detail::Sfpu::Softplus);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void softplus_tile(uint32_t idst, uint32_t beta, uint32_t beta_reciprocal,
                        uint32_t threshold) {
  detail::unary(detail::Sfpu::Softplus, detail::Sfpu::Softplus, idst, beta, beta_reciprocal,
                threshold);
}

} // namespace ckernel
