// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine function on one DST tile, in place; it needs its init.
#pragma once

#include "../common_globals.h"

namespace ckernel {

ALWI void identity_tile_init() {
  detail::sfpuInit(detail::Sfpu::Identity);
}
ALWI void identity_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Identity, detail::Sfpu::Identity, idst);
}

} // namespace ckernel
