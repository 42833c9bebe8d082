// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine function on one DST tile, in place; it needs its init.
#pragma once

#include "../common_globals.h"

namespace ckernel {

template <uint32_t IN_DTYPE, uint32_t OUT_DTYPE> ALWI void typecast_tile_init() {
  detail::sfpuInit(detail::Sfpu::Typecast);
}
/// Between bf16 and fp32 only; to bf16 rounds to nearest even.
template <uint32_t IN_DTYPE, uint32_t OUT_DTYPE> ALWI void typecast_tile(uint32_t idst) {
  constexpr auto known = [](uint32_t t) {
    return t == uint32_t(DataFormat::Float32) || t == uint32_t(DataFormat::Float16_b);
  };
  static_assert(known(IN_DTYPE) && known(OUT_DTYPE), "only bf16 and fp32 are emulated");
  detail::unary(detail::Sfpu::Typecast, detail::Sfpu::Typecast, idst, OUT_DTYPE);
}

} // namespace ckernel
