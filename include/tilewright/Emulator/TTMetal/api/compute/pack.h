// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The packer: DST to circular buffers, with optional ReLU and accumulation in L1.
#pragma once

#include "common_globals.h"

namespace ckernel {

enum class ReluType : uint32_t {
  NO_RELU = 0,
  ZERO_RELU = 1,
  MIN_THRESHOLD_RELU = 2,
  MAX_THRESHOLD_RELU = 3
};

/// Packer ReLU: none, max(x, 0), x below the threshold becomes 0, or x clamped to [0, threshold].
/// The threshold is 16 bits (bf16).
struct ReluConfig {
  static constexpr ReluConfig none() { return ReluConfig(ReluType::NO_RELU, 0); }
  static constexpr ReluConfig zero() { return ReluConfig(ReluType::ZERO_RELU, 0); }
  static constexpr ReluConfig min_threshold(uint32_t t) {
    return ReluConfig(ReluType::MIN_THRESHOLD_RELU, t);
  }
  static constexpr ReluConfig max_threshold(uint32_t t) {
    return ReluConfig(ReluType::MAX_THRESHOLD_RELU, t);
  }
  constexpr ReluType get_mode() const { return mode; }
  constexpr uint32_t get_threshold() const { return threshold; }

private:
  constexpr ReluConfig(ReluType m, uint32_t t) : mode(m), threshold(t) {}
  ReluType mode;
  uint32_t threshold;
};

ALWI void pack_init(uint32_t ocb) {
  PACK((tilewright_kernel::bridge().configure(tilewright_bridge::Configure::PackInit, ocb, 0, 0)));
}
template <bool out_of_order_output = false, bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void pack_tile(uint32_t ifrom_dst, uint32_t icb, uint32_t output_tile_index = 0) {
  PACK((tilewright_kernel::bridge().packTile(ifrom_dst, icb, out_of_order_output,
                                             output_tile_index)));
}
template <bool is_fp32_dest_acc_en = DST_ACCUM_MODE>
ALWI void pack_block(uint32_t ifrom_dst, uint32_t icb, uint32_t ntiles) {
  for (uint32_t i = 0; i < ntiles; ++i)
    pack_tile(ifrom_dst + i, icb);
}
ALWI void pack_reconfig_l1_acc(const uint32_t enable) {
  PACK((tilewright_kernel::bridge().configure(tilewright_bridge::Configure::L1Accumulate, enable, 0,
                                              0)));
}
ALWI void pack_relu_config(const ReluConfig &config) {
  PACK((tilewright_kernel::bridge().configure(
      tilewright_bridge::Configure::Relu, uint32_t(config.get_mode()), config.get_threshold(), 0)));
}

} // namespace ckernel
