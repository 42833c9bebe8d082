// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine function on one DST tile, in place; it needs its init.
#pragma once

#include "../common_globals.h"

namespace ckernel {

template <bool fast_and_approx = true> ALWI void erf_tile_init() {
  detail::sfpuInit(detail::Sfpu::Erf);
}
template <bool fast_and_approx = true> ALWI void erf_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Erf, detail::Sfpu::Erf, idst);
}
ALWI void erfc_tile_init() {
  detail::sfpuInit(detail::Sfpu::Erfc);
}
ALWI void erfc_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Erfc, detail::Sfpu::Erfc, idst);
}

} // namespace ckernel
