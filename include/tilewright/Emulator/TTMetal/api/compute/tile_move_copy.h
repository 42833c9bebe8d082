// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Circular buffer to DST.
#pragma once

#include "common_globals.h"
#include "reconfig_data_format.h"

namespace ckernel {

ALWI void copy_init(uint32_t cbid, uint32_t transpose = 0,
                    uint32_t transpose_within_16x16_face = false) {
  detail::FpuOp op;
  op.kind = detail::FpuKind::Copy, op.cb0 = op.cb1 = cbid, op.transpose = transpose;
  detail::init(op);
}
ALWI void copy_tile(uint32_t in_cb_id, uint32_t in_tile_index, uint32_t dst_tile_index) {
  detail::FpuOp op;
  op.kind = detail::FpuKind::Copy, op.cb0 = op.cb1 = in_cb_id, op.transpose = 2;
  op.tile0 = in_tile_index, op.dst = dst_tile_index;
  detail::issue(op);
}
ALWI void copy_block(uint32_t in_cb_id, uint32_t start_in_tile_index, uint32_t start_dst_tile_index,
                     uint32_t ntiles) {
  for (uint32_t i = 0; i < ntiles; ++i)
    copy_tile(in_cb_id, start_in_tile_index + i, start_dst_tile_index + i);
}

} // namespace ckernel
