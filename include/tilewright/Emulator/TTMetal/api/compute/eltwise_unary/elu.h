// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine function on one DST tile, in place; it needs its init.
#pragma once

#include "../common_globals.h"

namespace ckernel {

ALWI void elu_tile_init() {
  detail::sfpuInit(detail::Sfpu::Elu);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void elu_tile(uint32_t idst, uint32_t param0) {
  detail::unary(detail::Sfpu::Elu, detail::Sfpu::Elu, idst, param0);
}

} // namespace ckernel
