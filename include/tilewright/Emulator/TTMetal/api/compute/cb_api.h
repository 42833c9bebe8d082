// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Circular buffers in compute kernels: the unpacker consumes, the packer produces.
#pragma once

#include "common_globals.h"

namespace ckernel {

ALWI void cb_wait_front(uint32_t cb, uint32_t tiles) {
  UNPACK((tilewright_kernel::bridge().cbWait(cb, tiles)));
}
ALWI void cb_pop_front(uint32_t cb, uint32_t tiles) {
  UNPACK((tilewright_kernel::bridge().cbPop(cb, tiles)));
}
ALWI void cb_reserve_back(uint32_t cb, uint32_t tiles) {
  PACK((tilewright_kernel::bridge().cbReserve(cb, tiles)));
}
ALWI void cb_push_back(uint32_t cb, uint32_t tiles) {
  PACK((tilewright_kernel::bridge().cbPush(cb, tiles)));
}

} // namespace ckernel
