// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine function on one DST tile, in place; it needs its init.
#pragma once

#include "../common_globals.h"

namespace ckernel {

ALWI void fill_tile_init() {
  detail::sfpuInit(detail::Sfpu::Fill);
}
ALWI void fill_tile(uint32_t idst, float param0) {
  detail::unary(detail::Sfpu::Fill, detail::Sfpu::Fill, idst, detail::bits(param0));
}
ALWI void fill_tile_bitcast(uint32_t idst, uint32_t param0) {
  detail::unary(detail::Sfpu::Fill, detail::Sfpu::Fill, idst, param0);
}

} // namespace ckernel
