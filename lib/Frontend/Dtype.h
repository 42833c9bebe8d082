// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types as torch names them.
#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include "tilewright/Support/Diagnostic.h"
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::frontend {

/// A dtype by torch's canonical name ("bfloat16"); any that torch knows may be named and compared,
/// but only bfloat16 and float32 can be element types of a kernel.
struct Dtype {
  std::string name;
  bool operator==(const Dtype &) const = default;
  bool isElement() const { return name == "bfloat16" || name == "float32"; }
};

inline constexpr std::string_view takenDtypes = "bf16 (bfloat16) and f32 (float32) are supported";

/// A dtype by one of torch's own names ("half" is float16).
std::optional<Dtype> torchDtype(std::string_view name);
/// The same, and short spellings ("bf16", "f32", "i32").
std::optional<Dtype> spelledDtype(std::string_view name);
/// torch.promote_types for element types.
Dtype promote(const Dtype &a, const Dtype &b);
mlir::Type elementType(mlir::MLIRContext *context, const Dtype &dtype);
Dtype dtypeOf(mlir::Type element);

} // namespace tilewright::frontend
