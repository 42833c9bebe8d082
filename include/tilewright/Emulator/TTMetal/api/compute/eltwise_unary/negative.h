// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine function on one DST tile, in place; it needs its init.
#pragma once

#include "../common_globals.h"

namespace ckernel {

ALWI void negative_tile_init() {
  detail::sfpuInit(detail::Sfpu::Negative);
}
ALWI void negative_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Negative, detail::Sfpu::Negative, idst);
}

} // namespace ckernel
