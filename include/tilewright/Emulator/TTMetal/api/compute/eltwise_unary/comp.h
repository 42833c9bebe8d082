// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine function on one DST tile, in place; it needs its init.
#pragma once

#include "../common_globals.h"

namespace ckernel {

ALWI void eqz_tile_init() {
  detail::sfpuInit(detail::Sfpu::Eqz);
}
ALWI void eqz_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Eqz, detail::Sfpu::Eqz, idst);
}
ALWI void nez_tile_init() {
  detail::sfpuInit(detail::Sfpu::Nez);
}
ALWI void nez_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Nez, detail::Sfpu::Nez, idst);
}
ALWI void ltz_tile_init() {
  detail::sfpuInit(detail::Sfpu::Ltz);
}
ALWI void ltz_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Ltz, detail::Sfpu::Ltz, idst);
}
ALWI void lez_tile_init() {
  detail::sfpuInit(detail::Sfpu::Lez);
}
ALWI void lez_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Lez, detail::Sfpu::Lez, idst);
}
ALWI void gtz_tile_init() {
  detail::sfpuInit(detail::Sfpu::Gtz);
}
ALWI void gtz_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Gtz, detail::Sfpu::Gtz, idst);
}
ALWI void gez_tile_init() {
  detail::sfpuInit(detail::Sfpu::Gez);
}
ALWI void gez_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Gez, detail::Sfpu::Gez, idst);
}

} // namespace ckernel
