// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine functions on one DST tile, in place; each needs its init.
#pragma once

#include "common_globals.h"

namespace ckernel {

template <bool fast_and_approx = false> ALWI void sigmoid_tile_init() {
  detail::sfpuInit(detail::Sfpu::Sigmoid);
}
template <VectorMode vec_mode = VectorMode::RC, bool fast_and_approx = false,
          bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void sigmoid_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Sigmoid, detail::Sfpu::Sigmoid, idst);
}
ALWI void silu_tile_init() {
  detail::sfpuInit(detail::Sfpu::Silu);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE> ALWI void silu_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Silu, detail::Sfpu::Silu, idst);
}
template <bool fast_and_approx = false, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void tanh_tile_init() {
  detail::sfpuInit(detail::Sfpu::Tanh);
}
template <bool fast_and_approx = false, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void tanh_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Tanh, detail::Sfpu::Tanh, idst);
}
ALWI void square_tile_init() {
  detail::sfpuInit(detail::Sfpu::Square);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE> ALWI void square_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Square, detail::Sfpu::Square, idst);
}
template <bool fast_and_approx = false, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void log_tile_init() {
  detail::sfpuInit(detail::Sfpu::Log);
}
template <bool fast_and_approx = false, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void log_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Log, detail::Sfpu::Log, idst);
}
template <bool fast_and_approx = false, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void log_with_base_tile_init() {
  detail::sfpuInit(detail::Sfpu::LogBase);
}
template <bool fast_and_approx = false, bool base_is_two = false,
          bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void log_with_base_tile(uint32_t idst, uint32_t base_scale) {
  detail::unary(detail::Sfpu::LogBase, detail::Sfpu::LogBase, idst, base_scale);
}
ALWI void abs_tile_init() {
  detail::sfpuInit(detail::Sfpu::Abs);
}
ALWI void abs_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Abs, detail::Sfpu::Abs, idst);
}
ALWI void sign_tile_init() {
  detail::sfpuInit(detail::Sfpu::Sign);
}
ALWI void sign_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Sign, detail::Sfpu::Sign, idst);
}
ALWI void power_tile_init() {
  detail::sfpuInit(detail::Sfpu::Power);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void power_tile(uint32_t idst, uint32_t param0) {
  detail::unary(detail::Sfpu::Power, detail::Sfpu::Power, idst, param0);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE> ALWI void exp2_tile_init() {
  detail::sfpuInit(detail::Sfpu::Exp2);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE> ALWI void exp2_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Exp2, detail::Sfpu::Exp2, idst);
}
template <bool approx = false, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void expm1_tile_init() {
  detail::sfpuInit(detail::Sfpu::Expm1);
}
template <bool approx = false, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void expm1_tile(uint32_t idst) {
  detail::unary(detail::Sfpu::Expm1, detail::Sfpu::Expm1, idst);
}
ALWI void unary_max_tile_init() {
  detail::sfpuInit(detail::Sfpu::UnaryMax);
}
ALWI void unary_max_tile(uint32_t idst, uint32_t param0) {
  detail::unary(detail::Sfpu::UnaryMax, detail::Sfpu::UnaryMax, idst, param0);
}
ALWI void unary_min_tile_init() {
  detail::sfpuInit(detail::Sfpu::UnaryMin);
}
ALWI void unary_min_tile(uint32_t idst, uint32_t param0) {
  detail::unary(detail::Sfpu::UnaryMin, detail::Sfpu::UnaryMin, idst, param0);
}

} // namespace ckernel
