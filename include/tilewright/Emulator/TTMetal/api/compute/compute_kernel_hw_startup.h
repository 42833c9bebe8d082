// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Start-up of the three compute threads: once, before anything else.
#pragma once

#include "common_globals.h"
#include "src_order.h"

namespace ckernel {

template <SrcOrder order = SrcOrder::Regular>
ALWI void compute_kernel_hw_startup(uint32_t icb0, uint32_t icb1, uint32_t ocb) {
  constexpr bool reverse = order == SrcOrder::Reverse;
  tilewright_kernel::bridge().configure(tilewright_bridge::Configure::Startup,
                                        reverse ? icb1 : icb0, reverse ? icb0 : icb1, ocb);
}
template <SrcOrder order = SrcOrder::Regular>
ALWI void compute_kernel_hw_startup(uint32_t icb0, uint32_t ocb) {
  compute_kernel_hw_startup<order>(icb0, icb0, ocb);
}

} // namespace ckernel
