// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vendor's vector language for the SFPU is not in the wheel. The headers that matmul,
// element-wise FPU operations and the packer need only ask that the namespace exists.
#pragma once
namespace sfpi {

// Immediate formats of the SFPLOADI instruction (its mod0 field); Blackhole's set-up code uses one.
constexpr unsigned SFPLOADI_MOD0_FLOATB = 0;
constexpr unsigned SFPLOADI_MOD0_FLOATA = 1;
constexpr unsigned SFPLOADI_MOD0_USHORT = 2;
constexpr unsigned SFPLOADI_MOD0_SHORT = 4;
constexpr unsigned SFPLOADI_MOD0_UPPER = 8;
constexpr unsigned SFPLOADI_MOD0_LOWER = 10;

} // namespace sfpi
