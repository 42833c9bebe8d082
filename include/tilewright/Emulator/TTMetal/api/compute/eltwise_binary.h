// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise operations of the matrix engine: operand 0 in SrcA, operand 1 in SrcB.
#pragma once

#include "common.h"

namespace ckernel {

namespace detail {
inline FpuOp binaryOp(EltwiseBinaryType type, uint32_t icb0, uint32_t icb1, bool accumulate) {
  FpuOp op;
  op.kind = FpuKind::Binary, op.cb0 = icb0, op.cb1 = icb1, op.arith = arith(type),
  op.accumulate = accumulate;
  return op;
}
/// Operations do not repeat the accumulate flag of their init (2: as initialised).
inline void binaryTiles(EltwiseBinaryType type, uint32_t icb0, uint32_t icb1, uint32_t i0,
                        uint32_t i1, uint32_t dst) {
  FpuOp op = binaryOp(type, icb0, icb1, false);
  op.accumulate = 2, op.tile0 = i0, op.tile1 = i1, op.dst = dst;
  issue(op);
}
inline FpuOp reuseOp(EltwiseBinaryType type, EltwiseBinaryReuseDestType reuse, uint32_t cb) {
  FpuOp op;
  op.kind = FpuKind::ReuseDest, op.cb0 = op.cb1 = cb, op.arith = arith(type);
  op.reuse = tilewright_bridge::Reuse(uint32_t(reuse));
  return op;
}
} // namespace detail

template <bool full_init, EltwiseBinaryType type>
ALWI void binary_tiles_init(uint32_t icb0, uint32_t icb1, bool acc_to_dest = false) {
  static_assert(full_init, "only full inits are emulated");
  detail::init(
      detail::binaryOp(type, icb0, icb1, acc_to_dest || type == EltwiseBinaryType::ELWMUL));
}

ALWI void add_init(uint32_t icb0, uint32_t icb1, bool acc_to_dest = false) {
  binary_tiles_init<true, EltwiseBinaryType::ELWADD>(icb0, icb1, acc_to_dest);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void add_tiles(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1, uint32_t idst) {
  detail::binaryTiles(EltwiseBinaryType::ELWADD, icb0, icb1, itile0, itile1, idst);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void add_block(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1, uint32_t idst,
                    uint32_t ntiles) {
  for (uint32_t i = 0; i < ntiles; ++i)
    add_tiles<is_fp32_dest_acc_en>(icb0, icb1, itile0 + i, itile1 + i, idst + i);
}
template <EltwiseBinaryReuseDestType reuse_dest> ALWI void add_reuse_dest_init(uint32_t icb) {
  static_assert(reuse_dest != EltwiseBinaryReuseDestType::NONE, "one operand must come from DST");
  detail::init(detail::reuseOp(EltwiseBinaryType::ELWADD, reuse_dest, icb));
}
template <EltwiseBinaryReuseDestType reuse_dest, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void add_reuse_dest_tiles(uint32_t in_cb_id, uint32_t in_tile_index, uint32_t dst_tile_index) {
  auto op = detail::reuseOp(EltwiseBinaryType::ELWADD, reuse_dest, in_cb_id);
  op.tile0 = in_tile_index, op.dst = dst_tile_index;
  detail::issue(op);
}

ALWI void sub_init(uint32_t icb0, uint32_t icb1, bool acc_to_dest = false) {
  binary_tiles_init<true, EltwiseBinaryType::ELWSUB>(icb0, icb1, acc_to_dest);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void sub_tiles(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1, uint32_t idst) {
  detail::binaryTiles(EltwiseBinaryType::ELWSUB, icb0, icb1, itile0, itile1, idst);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void sub_block(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1, uint32_t idst,
                    uint32_t ntiles) {
  for (uint32_t i = 0; i < ntiles; ++i)
    sub_tiles<is_fp32_dest_acc_en>(icb0, icb1, itile0 + i, itile1 + i, idst + i);
}
template <EltwiseBinaryReuseDestType reuse_dest> ALWI void sub_reuse_dest_init(uint32_t icb) {
  static_assert(reuse_dest != EltwiseBinaryReuseDestType::NONE, "one operand must come from DST");
  detail::init(detail::reuseOp(EltwiseBinaryType::ELWSUB, reuse_dest, icb));
}
template <EltwiseBinaryReuseDestType reuse_dest, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void sub_reuse_dest_tiles(uint32_t in_cb_id, uint32_t in_tile_index, uint32_t dst_tile_index) {
  auto op = detail::reuseOp(EltwiseBinaryType::ELWSUB, reuse_dest, in_cb_id);
  op.tile0 = in_tile_index, op.dst = dst_tile_index;
  detail::issue(op);
}

ALWI void mul_init(uint32_t icb0, uint32_t icb1, bool acc_to_dest = true) {
  binary_tiles_init<true, EltwiseBinaryType::ELWMUL>(icb0, icb1, acc_to_dest);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void mul_tiles(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1, uint32_t idst) {
  detail::binaryTiles(EltwiseBinaryType::ELWMUL, icb0, icb1, itile0, itile1, idst);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void mul_block(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1, uint32_t idst,
                    uint32_t ntiles) {
  for (uint32_t i = 0; i < ntiles; ++i)
    mul_tiles<is_fp32_dest_acc_en>(icb0, icb1, itile0 + i, itile1 + i, idst + i);
}
template <EltwiseBinaryReuseDestType reuse_dest> ALWI void mul_reuse_dest_init(uint32_t icb) {
  static_assert(reuse_dest != EltwiseBinaryReuseDestType::NONE, "one operand must come from DST");
  detail::init(detail::reuseOp(EltwiseBinaryType::ELWMUL, reuse_dest, icb));
}
template <EltwiseBinaryReuseDestType reuse_dest, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void mul_reuse_dest_tiles(uint32_t in_cb_id, uint32_t in_tile_index, uint32_t dst_tile_index) {
  auto op = detail::reuseOp(EltwiseBinaryType::ELWMUL, reuse_dest, in_cb_id);
  op.tile0 = in_tile_index, op.dst = dst_tile_index;
  detail::issue(op);
}

} // namespace ckernel
