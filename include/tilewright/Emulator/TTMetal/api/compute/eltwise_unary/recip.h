// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine function on one DST tile, in place; it needs its init.
#pragma once

#include "../common_globals.h"

namespace ckernel {

enum class ReciprocalDestAcc : uint8_t { BF16, FP32 };
enum class ReciprocalApproxMode : uint8_t { Default, Exact, Approximate };

template <ReciprocalDestAcc acc = DST_ACCUM_MODE ? ReciprocalDestAcc::FP32
                                                 : ReciprocalDestAcc::BF16,
          ReciprocalApproxMode mode = ReciprocalApproxMode::Default>
ALWI void recip_tile_init() {
  detail::sfpuInit(detail::Sfpu::Recip);
}
template <ReciprocalDestAcc acc = DST_ACCUM_MODE ? ReciprocalDestAcc::FP32
                                                 : ReciprocalDestAcc::BF16,
          ReciprocalApproxMode mode = ReciprocalApproxMode::Default>
ALWI void recip_tile(uint32_t idst, VectorMode = VectorMode::RC) {
  detail::unary(detail::Sfpu::Recip, detail::Sfpu::Recip, idst);
}

} // namespace ckernel
