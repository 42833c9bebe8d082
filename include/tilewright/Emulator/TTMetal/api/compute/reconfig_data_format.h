// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes of the data formats that unpacker, matrix engine and packer are set to.
#pragma once

#include "common_globals.h"
#include "src_order.h"

namespace ckernel {

namespace detail {
inline void source(tilewright_bridge::Configure which, uint32_t cb) {
  UNPACK((tilewright_kernel::bridge().configure(which, cb, 0, 0)));
  MATH((tilewright_kernel::bridge().configure(which, cb, 0, 0)));
}
} // namespace detail

ALWI void reconfig_data_format_srca(const uint32_t next) {
  detail::source(tilewright_bridge::Configure::SourceA, next);
}
ALWI void reconfig_data_format_srca(const uint32_t, const uint32_t next) {
  reconfig_data_format_srca(next);
}
ALWI void reconfig_data_format_srcb(const uint32_t next) {
  detail::source(tilewright_bridge::Configure::SourceB, next);
}
ALWI void reconfig_data_format_srcb(const uint32_t, const uint32_t next) {
  reconfig_data_format_srcb(next);
}
template <SrcOrder order = SrcOrder::Regular>
ALWI void reconfig_data_format(const uint32_t icb0, const uint32_t icb1) {
  reconfig_data_format_srca(order == SrcOrder::Reverse ? icb1 : icb0);
  reconfig_data_format_srcb(order == SrcOrder::Reverse ? icb0 : icb1);
}
template <SrcOrder order = SrcOrder::Regular>
ALWI void reconfig_data_format(const uint32_t, const uint32_t icb0, const uint32_t,
                               const uint32_t icb1) {
  reconfig_data_format<order>(icb0, icb1);
}
ALWI void pack_reconfig_data_format(const uint32_t next) {
  PACK((tilewright_kernel::bridge().configure(tilewright_bridge::Configure::Pack, next, 0, 0)));
}
ALWI void pack_reconfig_data_format(const uint32_t, const uint32_t next) {
  pack_reconfig_data_format(next);
}

} // namespace ckernel
