// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Circular-buffer calls of data-movement kernels. Not a header of the vendor: dataflow_api.h
// includes it.
#pragma once

#include "../detail_common.h"

inline void cb_reserve_back(int32_t cb, int32_t pages) {
  tilewright_kernel::bridge().cbReserve(uint32_t(cb), uint32_t(pages));
}
inline void cb_push_back(int32_t cb, int32_t pages) {
  tilewright_kernel::bridge().cbPush(uint32_t(cb), uint32_t(pages));
}
inline void cb_wait_front(int32_t cb, int32_t pages) {
  tilewright_kernel::bridge().cbWait(uint32_t(cb), uint32_t(pages));
}
inline void cb_pop_front(int32_t cb, int32_t pages) {
  tilewright_kernel::bridge().cbPop(uint32_t(cb), uint32_t(pages));
}
inline bool cb_pages_reservable_at_back(int32_t cb, int32_t pages) {
  return tilewright_kernel::bridge().cbFree(uint32_t(cb), uint32_t(pages));
}
inline bool cb_pages_available_at_front(int32_t cb, int32_t pages) {
  return tilewright_kernel::bridge().cbAvailable(uint32_t(cb), uint32_t(pages));
}
inline uint32_t get_write_ptr(uint32_t cb) {
  return tilewright_kernel::bridge().cbWritePointer(cb);
}
inline uint32_t get_read_ptr(uint32_t cb) {
  return tilewright_kernel::bridge().cbReadPointer(cb);
}
