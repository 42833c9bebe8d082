// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine function on one DST tile, in place; it needs its init.
#pragma once

#include "../common_globals.h"

namespace ckernel {

enum class RsqrtMode : uint8_t { Default, Exact, Approximate };

ALWI void rsqrt_tile_init() {
  detail::sfpuInit(detail::Sfpu::Rsqrt);
}
template <RsqrtMode mode = RsqrtMode::Default, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void rsqrt_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Rsqrt, detail::Sfpu::Rsqrt, idst);
}

} // namespace ckernel
