// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DST tile to DST tile.
#pragma once

#include "common_globals.h"

namespace ckernel {

ALWI void copy_dest_values_init() {
  detail::sfpuInit(detail::Sfpu::CopyDest);
}
template <DataFormat DATA_FORMAT> ALWI void copy_dest_values(uint32_t idst_in, uint32_t idst_out) {
  detail::SfpuOp op;
  op.code = detail::Sfpu::CopyDest, op.init = uint32_t(detail::Sfpu::CopyDest), op.in0 = idst_in,
  op.out = idst_out;
  detail::sfpu(op);
}

} // namespace ckernel
