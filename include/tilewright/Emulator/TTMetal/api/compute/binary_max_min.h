// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Larger and smaller of two DST tiles.
#pragma once

#include "common_globals.h"

namespace ckernel {

ALWI void binary_max_tile_init() {
  detail::sfpuInit(detail::Sfpu::MaxBinary);
}
ALWI void binary_max_tile(uint32_t idst0, uint32_t idst1, uint32_t odst,
                          VectorMode = VectorMode::RC) {
  detail::binary(detail::Sfpu::MaxBinary, idst0, idst1, odst);
}
ALWI void binary_min_tile_init() {
  detail::sfpuInit(detail::Sfpu::MinBinary);
}
ALWI void binary_min_tile(uint32_t idst0, uint32_t idst1, uint32_t odst,
                          VectorMode = VectorMode::RC) {
  detail::binary(detail::Sfpu::MinBinary, idst0, idst1, odst);
}

} // namespace ckernel
