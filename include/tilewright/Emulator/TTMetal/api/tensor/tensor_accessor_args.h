// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorAccessorArgs: compile-time words of an interleaved tensor (configuration bits, page bytes).
#pragma once

#include "../detail_common.h"

template <uint32_t offset, uint32_t commonOffset = 0> struct TensorAccessorArgs {
  static constexpr uint32_t config = get_ct_arg<offset>();
  static constexpr bool is_sharded = config & 1;
  static constexpr bool is_dram = config & 2;
  static_assert(!is_sharded, "the emulator's tensors are interleaved, not sharded");
  static_assert(config == 2,
                "the emulator's tensors lie in DRAM with compile-time page size (config word 2)");
  static constexpr uint32_t AlignedPageSize = get_ct_arg<offset + 1>();
  static constexpr uint32_t num_compile_time_args() { return 2; }
  static constexpr uint32_t next_compile_time_args_offset() { return offset + 2; }
  static constexpr uint32_t num_common_runtime_args() { return 0; }
  static constexpr uint32_t next_common_runtime_args_offset() { return commonOffset; }
};
