// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vendor's vector language for the SFPU is not in the wheel. The headers that matmul, element-wise
// FPU operations and the packer need only ask that the namespace exists.
#pragma once
namespace sfpi {}
