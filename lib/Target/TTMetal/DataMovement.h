// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reader and writer kernels and their runtime arguments.
#pragma once

#include "CodeWriter.h"
#include "Plan.h"

namespace tilewright::ttmetal {

/// One runtime argument of a data movement kernel; its value differs from core to core.
struct RuntimeArgument {
  enum Kind { Coordinate, Address, Sender, SenderX, SenderY, FirstX, FirstY, LastX, LastY } kind;
  std::string name;
  int axis = 0;                    ///< Coordinate
  const Tensor *tensor = nullptr;  ///< Address
  const Multicast *cast = nullptr; ///< the rest
};

struct DataMovement {
  std::vector<const Tensor *> tensors; ///< in accessor order
  std::vector<RuntimeArgument> arguments;
};

/// What the thread moves: copies in for the reader, copies out for the writer.
/// Errors: "ttmetal.runtime-args" (DoesNotFit), "ttmetal.access" (Unsupported).
DataMovement planDataMovement(const Plan &plan, Role role);
void emitDataMovement(const Plan &plan, Role role, const DataMovement &moves, CodeWriter &out);

} // namespace tilewright::ttmetal
