// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine function on one DST tile, in place; it needs its init.
#pragma once

#include "../common_globals.h"

namespace ckernel {

ALWI void sin_tile_init() {
  detail::sfpuInit(detail::Sfpu::Sin);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE> ALWI void sin_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Sin, detail::Sfpu::Sin, idst);
}
ALWI void cos_tile_init() {
  detail::sfpuInit(detail::Sfpu::Cos);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE> ALWI void cos_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Cos, detail::Sfpu::Cos, idst);
}
ALWI void tan_tile_init() {
  detail::sfpuInit(detail::Sfpu::Tan);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE> ALWI void tan_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Tan, detail::Sfpu::Tan, idst);
}

} // namespace ckernel
