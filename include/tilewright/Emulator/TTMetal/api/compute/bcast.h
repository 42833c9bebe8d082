// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise operations whose operand 1 is broadcast: its row 0, column 0 or element 0,0.
#pragma once

#include "common.h"

namespace ckernel {

namespace detail {
inline FpuOp bcastOp(EltwiseBinaryType type, BroadcastType bcast, uint32_t icb0, uint32_t icb1) {
  FpuOp op;
  op.kind = FpuKind::Binary, op.cb0 = icb0, op.cb1 = icb1, op.arith = arith(type);
  op.broadcast = broadcast(bcast), op.accumulate = type == EltwiseBinaryType::ELWMUL;
  return op;
}
inline void bcastTiles(EltwiseBinaryType type, BroadcastType bcast, uint32_t icb0, uint32_t icb1,
                       uint32_t i0, uint32_t i1, uint32_t dst, uint32_t row) {
  FpuOp op = bcastOp(type, bcast, icb0, icb1);
  op.tile0 = i0, op.tile1 = i1, op.dst = dst, op.broadcastRow = row;
  issue(op);
}
inline FpuOp unaryBcastOp(BroadcastType bcast, uint32_t icb) {
  FpuOp op;
  op.kind = FpuKind::UnaryBroadcast, op.cb0 = op.cb1 = icb, op.broadcast = broadcast(bcast);
  return op;
}
} // namespace detail

template <EltwiseBinaryType op, BroadcastType dim>
ALWI void bcast_init(uint32_t icb0, uint32_t icb1) {
  detail::init(detail::bcastOp(op, dim, icb0, icb1));
}
template <EltwiseBinaryType op, BroadcastType dim, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void any_tiles_bcast(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1,
                          uint32_t idst, uint32_t bcast_row_idx = 0) {
  detail::bcastTiles(op, dim, icb0, icb1, itile0, itile1, idst, bcast_row_idx);
}
template <BroadcastType dim> ALWI void unary_bcast_init(uint32_t icb) {
  detail::init(detail::unaryBcastOp(dim, icb));
}
template <BroadcastType dim>
ALWI void unary_bcast(uint32_t icb, uint32_t in_tile_index, uint32_t dst_tile_index) {
  auto op = detail::unaryBcastOp(dim, icb);
  op.tile0 = in_tile_index, op.dst = dst_tile_index;
  detail::issue(op);
}
template <BroadcastType dim> ALWI void unary_bcast_uninit(uint32_t) {}

template <BroadcastType dim, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void add_tiles_bcast(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1,
                          uint32_t idst, uint32_t bcast_row_idx = 0) {
  any_tiles_bcast<EltwiseBinaryType::ELWADD, dim>(icb0, icb1, itile0, itile1, idst, bcast_row_idx);
}
ALWI void add_bcast_rows_init(uint32_t icb0, uint32_t icb1) {
  bcast_init<EltwiseBinaryType::ELWADD, BroadcastType::ROW>(icb0, icb1);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void add_tiles_bcast_rows(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1,
                               uint32_t idst, uint32_t bcast_row_idx = 0) {
  any_tiles_bcast<EltwiseBinaryType::ELWADD, BroadcastType::ROW>(icb0, icb1, itile0, itile1, idst,
                                                                 bcast_row_idx);
}
ALWI void add_bcast_cols_init(uint32_t icb0, uint32_t icb1) {
  bcast_init<EltwiseBinaryType::ELWADD, BroadcastType::COL>(icb0, icb1);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void add_tiles_bcast_cols(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1,
                               uint32_t idst) {
  any_tiles_bcast<EltwiseBinaryType::ELWADD, BroadcastType::COL>(icb0, icb1, itile0, itile1, idst);
}
ALWI void add_bcast_scalar_init(uint32_t icb0, uint32_t icb1) {
  bcast_init<EltwiseBinaryType::ELWADD, BroadcastType::SCALAR>(icb0, icb1);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void add_tiles_bcast_scalar(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1,
                                 uint32_t idst) {
  any_tiles_bcast<EltwiseBinaryType::ELWADD, BroadcastType::SCALAR>(icb0, icb1, itile0, itile1,
                                                                    idst);
}

template <BroadcastType dim, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void sub_tiles_bcast(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1,
                          uint32_t idst, uint32_t bcast_row_idx = 0) {
  any_tiles_bcast<EltwiseBinaryType::ELWSUB, dim>(icb0, icb1, itile0, itile1, idst, bcast_row_idx);
}
ALWI void sub_bcast_rows_init(uint32_t icb0, uint32_t icb1) {
  bcast_init<EltwiseBinaryType::ELWSUB, BroadcastType::ROW>(icb0, icb1);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void sub_tiles_bcast_rows(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1,
                               uint32_t idst, uint32_t bcast_row_idx = 0) {
  any_tiles_bcast<EltwiseBinaryType::ELWSUB, BroadcastType::ROW>(icb0, icb1, itile0, itile1, idst,
                                                                 bcast_row_idx);
}
ALWI void sub_bcast_cols_init(uint32_t icb0, uint32_t icb1) {
  bcast_init<EltwiseBinaryType::ELWSUB, BroadcastType::COL>(icb0, icb1);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void sub_tiles_bcast_cols(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1,
                               uint32_t idst) {
  any_tiles_bcast<EltwiseBinaryType::ELWSUB, BroadcastType::COL>(icb0, icb1, itile0, itile1, idst);
}
ALWI void sub_bcast_scalar_init(uint32_t icb0, uint32_t icb1) {
  bcast_init<EltwiseBinaryType::ELWSUB, BroadcastType::SCALAR>(icb0, icb1);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void sub_tiles_bcast_scalar(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1,
                                 uint32_t idst) {
  any_tiles_bcast<EltwiseBinaryType::ELWSUB, BroadcastType::SCALAR>(icb0, icb1, itile0, itile1,
                                                                    idst);
}

template <BroadcastType dim, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void mul_tiles_bcast(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1,
                          uint32_t idst, uint32_t bcast_row_idx = 0) {
  any_tiles_bcast<EltwiseBinaryType::ELWMUL, dim>(icb0, icb1, itile0, itile1, idst, bcast_row_idx);
}
ALWI void mul_bcast_rows_init(uint32_t icb0, uint32_t icb1) {
  bcast_init<EltwiseBinaryType::ELWMUL, BroadcastType::ROW>(icb0, icb1);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void mul_tiles_bcast_rows(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1,
                               uint32_t idst, uint32_t bcast_row_idx = 0) {
  any_tiles_bcast<EltwiseBinaryType::ELWMUL, BroadcastType::ROW>(icb0, icb1, itile0, itile1, idst,
                                                                 bcast_row_idx);
}
ALWI void mul_bcast_cols_init(uint32_t icb0, uint32_t icb1) {
  bcast_init<EltwiseBinaryType::ELWMUL, BroadcastType::COL>(icb0, icb1);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void mul_tiles_bcast_cols(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1,
                               uint32_t idst) {
  any_tiles_bcast<EltwiseBinaryType::ELWMUL, BroadcastType::COL>(icb0, icb1, itile0, itile1, idst);
}
ALWI void mul_bcast_scalar_init(uint32_t icb0, uint32_t icb1) {
  bcast_init<EltwiseBinaryType::ELWMUL, BroadcastType::SCALAR>(icb0, icb1);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void mul_tiles_bcast_scalar(uint32_t icb0, uint32_t icb1, uint32_t itile0, uint32_t itile1,
                                 uint32_t idst) {
  any_tiles_bcast<EltwiseBinaryType::ELWMUL, BroadcastType::SCALAR>(icb0, icb1, itile0, itile1,
                                                                    idst);
}

} // namespace ckernel
