// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The groups of the table of callees, one file each.
#pragma once

#include "Evaluator.h"

namespace tilewright::frontend {

llvm::ArrayRef<Callee> helionCallees(); ///< helion.language and helion
llvm::ArrayRef<Callee>
torchCallees(); ///< arithmetic with two or more operands, products, conversions
llvm::ArrayRef<Callee> unaryCallees();  ///< functions of one tile
llvm::ArrayRef<Callee> memoryCallees(); ///< allocation and what tensors tell about themselves
llvm::ArrayRef<Callee> hostCallees();   ///< builtins and math

/// `tile.shape`: block sizes and integers.
Value blockShape(Evaluator &evaluator, const Node &node, Block block);

} // namespace tilewright::frontend
