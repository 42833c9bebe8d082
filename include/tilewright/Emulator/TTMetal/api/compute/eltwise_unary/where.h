// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selection between two DST tiles.
#pragma once

#include "../common_globals.h"

namespace ckernel {

ALWI void where_tile_init() {
  detail::sfpuInit(detail::Sfpu::Where);
}
template <DataFormat data_format>
ALWI void where_tile(uint32_t cond, uint32_t a, uint32_t b, uint32_t odst) {
  detail::SfpuOp op;
  op.code = detail::Sfpu::Where, op.init = uint32_t(detail::Sfpu::Where);
  op.in0 = cond, op.in1 = a, op.in2 = b, op.out = odst, op.inputs = 3;
  detail::sfpu(op);
}

} // namespace ckernel
