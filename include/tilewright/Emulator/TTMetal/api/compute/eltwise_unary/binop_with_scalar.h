// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DST tile and scalar (raw fp32 bits), in place.
#pragma once

#include "../common_globals.h"

namespace ckernel {

ALWI void binop_with_scalar_tile_init() {
  detail::sfpuInit(detail::Sfpu::BinopWithScalar);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void add_unary_tile(uint32_t idst, uint32_t param1) {
  detail::unary(detail::Sfpu::AddScalar, detail::Sfpu::BinopWithScalar, idst, param1);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void sub_unary_tile(uint32_t idst, uint32_t param1) {
  detail::unary(detail::Sfpu::SubScalar, detail::Sfpu::BinopWithScalar, idst, param1);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void mul_unary_tile(uint32_t idst, uint32_t param1) {
  detail::unary(detail::Sfpu::MulScalar, detail::Sfpu::BinopWithScalar, idst, param1);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void div_unary_tile(uint32_t idst, uint32_t param1) {
  detail::unary(detail::Sfpu::DivScalar, detail::Sfpu::BinopWithScalar, idst, param1);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void rsub_unary_tile(uint32_t idst, uint32_t param1) {
  detail::unary(detail::Sfpu::RsubScalar, detail::Sfpu::BinopWithScalar, idst, param1);
}

} // namespace ckernel
