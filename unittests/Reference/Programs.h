// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tile programs as text, and small helpers that the tests of the reference share.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "tilewright/Reference/Reference.h"
#include "tilewright/Support/Diagnostic.h"
#include "tilewright/Support/Random.h"
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tilewright::reference::test {

using Sizes = std::map<std::string, int64_t>;

/// A parsed module and its only function.
struct Program {
  explicit Program(const std::string &text);
  std::vector<Output> run(const std::vector<Tensor> &inputs, const Sizes &sizes,
                          const Precision &precision = Precision::exact());
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
};

/// A kernel out = act(prologue(x) @ y + acc0 (+ bias) (+ residual)).
struct GemmText {
  int64_t m = 1, n = 1, k = 1;
  std::string x = "bf16", y = "bf16", acc = "f32", out = "bf16";
  std::string prologue = "";   // a unary kind, applied to x in f32 and rounded to x's type
  std::string bias = "";       // "", "row" ([n]) or "column" ([m], unsqueezed); bf16
  bool residual = false;       // [m, n] bf16
  std::string activation = ""; // a unary kind
  std::string str() const;
};

/// Standard-normal data from the seed and the name.
Tensor makeTensor(const std::string &name, const std::string &dtype, std::vector<int64_t> shape,
                  uint64_t seed, float scale = 1.0f);

/// Rounding to bf16 written another way than the library's: through frexp and nearbyint.
float nearestBf16(double value);

/// The id of the diagnostic that `body` throws, or "".
template <typename Body> std::string errorId(Body body) {
  try {
    body();
  } catch (const Error &error) {
    return error.diagnostic().id;
  }
  return "";
}

/// Element [i, j] of a matrix.
inline float at(const Tensor &t, int64_t i, int64_t j) {
  return t.values[i * t.shape[1] + j];
}

} // namespace tilewright::reference::test
