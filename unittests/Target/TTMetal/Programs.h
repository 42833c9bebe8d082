// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapped programs (stage 4) for tests, as text, with everything that a schedule decides open.
#pragma once

#include "tilewright/IR/Tw.h"
#include "tilewright/Machine/Machine.h"
#include <string>
#include <vector>

namespace tilewright::test {

/// One more operand of the epilogue. Vector: a 1-D tensor that the block holds as a column.
struct Side {
  std::string name;
  std::string type = "bf16";
  enum Shape { Matrix, Row, Column, Vector } shape = Matrix;
};

/// out = epilogue(x * y, sides): a matmul with blocks, placement, transfers, depths and sub-block.
struct Gemm {
  int64_t m = 128, n = 128, k = 128;
  int64_t tileM = 64, tileN = 64, tileK = 64;
  int64_t coresX = 1, coresY = 1; ///< x along n, y along m
  std::string order = "0, 1";
  bool multicast = false; ///< x along rows of cores, y along columns
  int64_t depth = 1;
  int64_t subRows = 1, subColumns = 1;
  std::string xType = "bf16", yType = "bf16", accType = "f32", outType = "bf16";
  double init = 0;
  bool loop = true; ///< false: one K block, no tw.loop
  /// Body of the epilogue's map over %a (the accumulator) and the sides by name; yields %o.
  std::string epilogue = "%o = tw.cast %a : f32 -> bf16";
  std::vector<Side> sides;
  /// Body of a map on x's block before the product, over %v; yields %p. Empty: none.
  std::string prologue;
  std::string text() const;
};

/// out = body(inputs): pointwise, blocks of tileM x tileN. `body` is over the inputs by name;
/// yields %o.
struct Pointwise {
  int64_t m = 64, n = 64, tileM = 32, tileN = 64, coresX = 1, coresY = 1;
  std::vector<Side> inputs;
  std::string outType = "bf16", body;
  std::string text() const;
};

/// Parses one function; the module and context live as long as the result.
struct Parsed {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp func;
};
Parsed parse(const std::string &text);
/// Wormhole, from the machine folder.
const machine::Machine &wormhole();

} // namespace tilewright::test
