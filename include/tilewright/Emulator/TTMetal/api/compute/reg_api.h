// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hand-over of DST between the matrix engine and the packer.
#pragma once

#include "common_globals.h"

namespace ckernel {

ALWI void tile_regs_acquire() {
  MATH((tilewright_kernel::bridge().dstAcquire()));
}
ALWI void tile_regs_commit() {
  MATH((tilewright_kernel::bridge().dstCommit()));
}
ALWI void tile_regs_wait() {
  PACK((tilewright_kernel::bridge().dstWait()));
}
ALWI void tile_regs_release() {
  PACK((tilewright_kernel::bridge().dstRelease()));
}

} // namespace ckernel
