// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products: DST += operand 0 (SrcB) * operand 1 (SrcA).
#pragma once

#include "common.h"

namespace ckernel {

namespace detail {
inline FpuOp matmul(uint32_t in0, uint32_t in1, uint32_t transpose, uint32_t ct, uint32_t rt,
                    uint32_t kt) {
  FpuOp op;
  op.kind = FpuKind::Matmul, op.cb0 = in0, op.cb1 = in1, op.transpose = transpose;
  op.ct = ct, op.rt = rt, op.kt = kt;
  return op;
}
/// matmul_tiles has no transpose argument: the init's applies.
constexpr uint32_t transposeOfInit = 2;
} // namespace detail

ALWI void matmul_init(uint32_t in0_cb_id, uint32_t in1_cb_id, const uint32_t transpose = 0) {
  detail::init(detail::matmul(in0_cb_id, in1_cb_id, transpose, 1, 1, 1));
}
ALWI void matmul_tiles(uint32_t in0_cb_id, uint32_t in1_cb_id, uint32_t in0_tile_index,
                       uint32_t in1_tile_index, uint32_t idst) {
  auto op = detail::matmul(in0_cb_id, in1_cb_id, detail::transposeOfInit, 1, 1, 1);
  op.tile0 = in0_tile_index, op.tile1 = in1_tile_index, op.dst = idst;
  detail::issue(op);
}
ALWI void matmul_block_init(uint32_t in0_cb_id, uint32_t in1_cb_id, const uint32_t transpose = 0,
                            uint32_t ct_dim = 1, uint32_t rt_dim = 1, uint32_t kt_dim = 1) {
  detail::init(detail::matmul(in0_cb_id, in1_cb_id, transpose, ct_dim, rt_dim, kt_dim));
}
/// One step along k: rt tiles of operand 0 (stride kt) by ct tiles of operand 1.
ALWI void matmul_block(uint32_t in0_cb_id, uint32_t in1_cb_id, uint32_t in0_tile_index,
                       uint32_t in1_tile_index, uint32_t idst, const uint32_t transpose,
                       uint32_t ct_dim, uint32_t rt_dim, uint32_t kt_dim) {
  auto op = detail::matmul(in0_cb_id, in1_cb_id, transpose, ct_dim, rt_dim, kt_dim);
  op.tile0 = in0_tile_index, op.tile1 = in1_tile_index, op.dst = idst;
  detail::issue(op);
}

} // namespace ckernel
