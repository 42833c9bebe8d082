// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructors and registration of the passes of Passes.td.
#pragma once

#include "mlir/Pass/Pass.h"
#include "tilewright/IR/Tw.h"
#include <memory>

namespace tilewright::transforms {

#define GEN_PASS_DECL
#include "tilewright/Transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "tilewright/Transforms/Passes.h.inc"

} // namespace tilewright::transforms
