// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers Python text in tests.
#pragma once

#include "tilewright/Frontend/Frontend.h"
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>

namespace tilewright::frontend::test {

/// The result of lowering a text: a program or a diagnostic, never both.
struct Lowered {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<Diagnostic> error;

  mlir::func::FuncOp function();
  /// The program as text; the diagnostic's text when there is none.
  std::string text();
  /// The operations of type `Op`, in program order.
  template <typename Op> std::vector<Op> all() {
    std::vector<Op> found;
    if (module)
      module->walk([&](Op op) { found.push_back(op); });
    return found;
  }
  template <typename Op> Op only() {
    auto found = all<Op>();
    EXPECT_EQ(found.size(), 1u) << text();
    return found.empty() ? Op() : found[0];
  }
  /// "unary relu", "binary add", "load x", ...: names, kinds and tensors of the body, one per line.
  std::string summary();
};

/// A folder of this test process for source files; removed at its end.
std::string folder();
std::string writeFile(const std::string &name, const std::string &text);

/// Lowers `source` as "kernel.py" in `folder()`. Exceptions other than Error fail the test.
Lowered lowerText(const std::string &source, const std::vector<std::string> &arguments,
                  const std::string &kernel = "");
Lowered lowerFile(const std::string &path, const std::string &kernel,
                  const std::vector<std::string> &arguments);

/// Imports and a decorated kernel with the parameters; `body` is indented by the caller. The body
/// begins at line 7 of the file.
std::string kernelText(const std::string &parameters, const std::string &body);

/// A kernel over x[tile_m, tile_n] that stores `expression` to an output of x's shape and dtype;
/// further parameters may be given. The expression is at line 10.
std::string pointwiseText(const std::string &expression, const std::string &parameters = "x");

} // namespace tilewright::frontend::test
