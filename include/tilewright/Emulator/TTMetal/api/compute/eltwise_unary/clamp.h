// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine function on one DST tile, in place; it needs its init.
#pragma once

#include "../common_globals.h"

namespace ckernel {

ALWI void clamp_tile_init() {
  detail::sfpuInit(detail::Sfpu::Clamp);
}
ALWI void clamp_tile(uint32_t idst, uint32_t param0, uint32_t param1) {
  detail::unary(detail::Sfpu::Clamp, detail::Sfpu::Clamp, idst, param0, param1);
}

} // namespace ckernel
