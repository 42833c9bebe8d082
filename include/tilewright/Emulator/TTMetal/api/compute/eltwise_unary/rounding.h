// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine function on one DST tile, in place; it needs its init.
#pragma once

#include "../common_globals.h"

namespace ckernel {

ALWI void rounding_op_tile_init() {
  detail::sfpuInit(detail::Sfpu::Rounding);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE> ALWI void floor_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Floor, detail::Sfpu::Rounding, idst);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE> ALWI void ceil_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Ceil, detail::Sfpu::Rounding, idst);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE> ALWI void trunc_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Trunc, detail::Sfpu::Rounding, idst);
}

} // namespace ckernel
