// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tw dialect: C++ declarations and small helpers on its types.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tilewright/Symbolic/Expr.h"

#include "tilewright/IR/TwDialect.h.inc"
#include "tilewright/IR/TwEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "tilewright/IR/TwAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tilewright/IR/TwTypes.h.inc"
#define GET_OP_CLASSES
#include "tilewright/IR/TwOps.h.inc"

namespace tilewright::tw {

/// Names of function-argument attributes: the tensor's source name (string) and its role ("input"
/// or "output"; "inout" is not supported).
inline constexpr llvm::StringLiteral nameAttr = "tw.name";
inline constexpr llvm::StringLiteral roleAttr = "tw.role";
/// Optional string attributes of the function: "file.py:function" and the host prologue's remarks.
inline constexpr llvm::StringLiteral sourceAttr = "tw.source";

/// A dim as an expression: a symbol named like the label, or a constant.
symbolic::Expr dimExpr(mlir::Attribute dim);
/// Element count of a shape as an expression.
symbolic::Expr sizeExpr(llvm::ArrayRef<mlir::Attribute> dims);
/// "[tile_m, 64]".
std::string dimsText(llvm::ArrayRef<mlir::Attribute> dims);
/// torch's broadcasting of two shapes (aligned at the last dim); failure when a pair of dims
/// differs and neither is 1.
mlir::FailureOr<llvm::SmallVector<mlir::Attribute>>
broadcastDims(llvm::ArrayRef<mlir::Attribute> a, llvm::ArrayRef<mlir::Attribute> b);
/// The tw.sym with this label in the function, or null.
SymOp findSymbol(mlir::func::FuncOp func, llvm::StringRef label);
/// Source name of a function argument ("tw.name"), or "argN".
std::string argumentName(mlir::Value argument);

} // namespace tilewright::tw
