// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small texts in generated code.
#pragma once

#include "Plan.h"

namespace tilewright::ttmetal {

/// `value` rounded to f32, as a C++ literal of type float.
std::string floatLiteral(double value);
/// The bits of `value` rounded to f32, as the vector engine's calls take them: "0x3f000000u".
std::string floatBits(double value);
/// The acquire whose block a release gives back: the last one before it in its block.
mlir::Value matchingView(tw::VBReleaseOp release);

} // namespace tilewright::ttmetal
