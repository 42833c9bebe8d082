// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-engine operations on two DST tiles.
#pragma once

#include "common_globals.h"

namespace ckernel {

ALWI void add_binary_tile_init() {
  detail::sfpuInit(detail::Sfpu::AddBinary);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void add_binary_tile(uint32_t idst0, uint32_t idst1, uint32_t odst) {
  detail::binary(detail::Sfpu::AddBinary, idst0, idst1, odst);
}
ALWI void sub_binary_tile_init() {
  detail::sfpuInit(detail::Sfpu::SubBinary);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void sub_binary_tile(uint32_t idst0, uint32_t idst1, uint32_t odst) {
  detail::binary(detail::Sfpu::SubBinary, idst0, idst1, odst);
}
ALWI void mul_binary_tile_init() {
  detail::sfpuInit(detail::Sfpu::MulBinary);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void mul_binary_tile(uint32_t idst0, uint32_t idst1, uint32_t odst) {
  detail::binary(detail::Sfpu::MulBinary, idst0, idst1, odst);
}
ALWI void div_binary_tile_init() {
  detail::sfpuInit(detail::Sfpu::DivBinary);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void div_binary_tile(uint32_t idst0, uint32_t idst1, uint32_t odst) {
  detail::binary(detail::Sfpu::DivBinary, idst0, idst1, odst);
}
ALWI void rsub_binary_tile_init() {
  detail::sfpuInit(detail::Sfpu::RsubBinary);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void rsub_binary_tile(uint32_t idst0, uint32_t idst1, uint32_t odst) {
  detail::binary(detail::Sfpu::RsubBinary, idst0, idst1, odst);
}
ALWI void power_binary_tile_init() {
  detail::sfpuInit(detail::Sfpu::PowerBinary);
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void power_binary_tile(uint32_t idst0, uint32_t idst1, uint32_t odst) {
  detail::binary(detail::Sfpu::PowerBinary, idst0, idst1, odst);
}

} // namespace ckernel
