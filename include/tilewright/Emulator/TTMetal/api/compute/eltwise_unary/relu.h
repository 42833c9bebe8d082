// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine function on one DST tile, in place; it needs its init.
#pragma once

#include "../common_globals.h"

namespace ckernel {

ALWI void relu_tile_init() {
  detail::sfpuInit(detail::Sfpu::Relu);
}
ALWI void relu_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Relu, detail::Sfpu::Relu, idst);
}
ALWI void relu_max_tile_init() {
  detail::sfpuInit(detail::Sfpu::ReluMax);
}
ALWI void relu_max_tile(uint32_t idst, uint32_t param0) {
  detail::unary(detail::Sfpu::ReluMax, detail::Sfpu::ReluMax, idst, param0);
}
ALWI void relu_min_tile_init() {
  detail::sfpuInit(detail::Sfpu::ReluMin);
}
ALWI void relu_min_tile(uint32_t idst, uint32_t param0) {
  detail::unary(detail::Sfpu::ReluMin, detail::Sfpu::ReluMin, idst, param0);
}
ALWI void leaky_relu_tile_init() {
  detail::sfpuInit(detail::Sfpu::LeakyRelu);
}
ALWI void leaky_relu_tile(uint32_t idst, uint32_t slope) {
  detail::unary(detail::Sfpu::LeakyRelu, detail::Sfpu::LeakyRelu, idst, slope);
}

} // namespace ckernel
