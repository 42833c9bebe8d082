// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of reserve / commit / acquire / release, as a check on a whole function.
#pragma once

#include "tilewright/IR/Tw.h"
#include <string>
#include <vector>

namespace tilewright::transforms {

/// One broken rule: what `op` does wrong and the other operation that makes it wrong (null when
/// there is none). `id` is a stable diagnostic id ("transforms.protocol-order", ...).
struct ProtocolViolation {
  mlir::Operation *op;
  std::string id, message;
  mlir::Operation *other;
  std::string note;
};

/// Runs the function (or a grid) once, abstractly, as one thread in program order with room for one
/// block in each buffer. A loop's body runs once and must leave every buffer as it found it, which
/// makes one run stand for all. After its first violation a buffer is not looked at again. The
/// result is in program order.
std::vector<ProtocolViolation> checkProtocol(mlir::Operation *root);

/// Label of a virtual buffer.
std::string bufferLabel(mlir::Value buffer);
/// The reserve or acquire that a view comes from, through tw.view.unsqueeze; null when there is
/// none.
mlir::Operation *viewOrigin(mlir::Value view);
/// The buffer that a view belongs to (null when viewOrigin is null).
mlir::Value viewBuffer(mlir::Value view);

} // namespace tilewright::transforms
