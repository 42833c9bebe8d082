// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points of one kernel's shared object; included after the kernel, so that a kernel that
// forgets an API header does not compile. Also the callbacks of -fsanitize-coverage, which make
// endless loops and direct accesses to device addresses visible to the emulator.
#pragma once

#include "bridge.h"

void kernel_main();

#define TILEWRIGHT_PLAIN __attribute__((no_sanitize("coverage")))
#define TILEWRIGHT_EXPORT extern "C" __attribute__((visibility("default"), no_sanitize("coverage")))

const tilewright_bridge::Bridge *tilewright_bridge_table = nullptr;
static uint32_t tilewright_edges = 0;

TILEWRIGHT_EXPORT void tilewright_bind(const tilewright_bridge::Bridge *table) {
  tilewright_bridge_table = table;
}
/// Instrumented itself: the kernel may be inlined here.
extern "C" __attribute__((visibility("default"))) void tilewright_run() {
  kernel_main();
}

/// Called on every edge of the kernel's control flow.
extern "C" TILEWRIGHT_PLAIN void __sanitizer_cov_trace_pc() {
  if ((++tilewright_edges & 1023u) == 0)
    tilewright_bridge_table->spin();
}

/// Addresses below 4 GiB are addresses of the device: nothing of the host lies there.
static inline TILEWRIGHT_PLAIN void tilewright_touch(const void *address) {
  const uint64_t value = reinterpret_cast<uint64_t>(address);
  if (value < (uint64_t(1) << 32))
    tilewright_bridge_table->rawAccess(value);
}
#define TILEWRIGHT_TOUCH(name, type)                                                               \
  extern "C" TILEWRIGHT_PLAIN void name(type *address) {                                           \
    tilewright_touch(address);                                                                     \
  }
TILEWRIGHT_TOUCH(__sanitizer_cov_load1, uint8_t)
TILEWRIGHT_TOUCH(__sanitizer_cov_load2, uint16_t)
TILEWRIGHT_TOUCH(__sanitizer_cov_load4, uint32_t)
TILEWRIGHT_TOUCH(__sanitizer_cov_load8, uint64_t)
TILEWRIGHT_TOUCH(__sanitizer_cov_load16, void)
TILEWRIGHT_TOUCH(__sanitizer_cov_store1, uint8_t)
TILEWRIGHT_TOUCH(__sanitizer_cov_store2, uint16_t)
TILEWRIGHT_TOUCH(__sanitizer_cov_store4, uint32_t)
TILEWRIGHT_TOUCH(__sanitizer_cov_store8, uint64_t)
TILEWRIGHT_TOUCH(__sanitizer_cov_store16, void)
