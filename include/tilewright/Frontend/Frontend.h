// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a Helion kernel file and a description of its arguments to a tile program (stage 1 of
// docs/ir.md). What a kernel may contain is in docs/helion.md.
#pragma once

#include "tilewright/IR/Tw.h"
#include "tilewright/Support/Diagnostic.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tilewright::frontend {

/// What one `-a` option says about an argument of the kernel, or about a free name of an epilogue.
struct Argument {
  enum Kind : uint8_t { Tensor, Scalar, Callable };
  std::string name;
  Kind kind = Scalar;
  std::string text;          ///< the whole option, for messages
  std::string dtype;         ///< of a Tensor: torch's name, "bfloat16" or "float32"
  std::vector<int64_t> dims; ///< of a Tensor: one or two positive element counts
  /// Of a Scalar; monostate is None.
  std::variant<std::monostate, bool, int64_t, double, std::string> value;
  std::string file;     ///< of a Callable
  std::string function; ///< of a Callable: a module-level function or lambda of `file`
};

/// Parses "x=bf16[512,512]", "alpha=0.5", "bias=None", "mode=sum" (a string),
/// "epilogue=FILE.py:FUNCTION". Errors point into the option's text: "frontend.argument"
/// (malformed), "frontend.dtype" (unknown, User, or known to torch but not taken, Unsupported),
/// "frontend.dim" (zero, negative, too large; or Unsupported for a rank other than 1 and 2).
Argument parseArgument(std::string_view text);

/// Lowers one kernel of the file at `path` to a module with one function that bears the kernel's
/// name. `kernelName` may be empty when the file has exactly one kernel. The context must have
/// loaded the tw, func and arith dialects. Throws Error: of kind User for a wrong program or wrong
/// arguments, Unsupported for constructs that docs/helion.md does not list; both at their line and
/// column.
mlir::OwningOpRef<mlir::ModuleOp> lower(mlir::MLIRContext &context, const std::string &path,
                                        const std::string &kernelName,
                                        const std::vector<Argument> &arguments);

} // namespace tilewright::frontend
