// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How natural operands map to the source registers.
#pragma once

#include <cstdint>

namespace ckernel {
/// Regular: operand 0 to SrcA, operand 1 to SrcB. Reverse (matmul): operand 0 to SrcB, operand 1 to
/// SrcA.
enum class SrcOrder : uint8_t { Regular = 0, Reverse = 1 };
} // namespace ckernel
