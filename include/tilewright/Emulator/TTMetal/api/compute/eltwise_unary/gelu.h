// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine function on one DST tile, in place; it needs its init.
#pragma once

#include "../common_globals.h"

namespace ckernel {

template <bool fast_and_approx = true, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void gelu_tile_init() {
  detail::sfpuInit(detail::Sfpu::Gelu);
}
template <bool fast_and_approx = true, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void gelu_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Gelu, detail::Sfpu::Gelu, idst);
}
template <bool fast = false> ALWI void gelu_tanh_tile_init() {
  detail::sfpuInit(detail::Sfpu::GeluTanh);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE, bool fast = false>
ALWI void gelu_tanh_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::GeluTanh, detail::Sfpu::GeluTanh, idst);
}

} // namespace ckernel
