// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a mapped program (stage 4 of docs/ir.md) to TT-Metal kernels, a manifest and a launcher.
#pragma once

#include "tilewright/IR/Tw.h"
#include "tilewright/Machine/Machine.h"
#include <map>
#include <string>
#include <vector>

namespace tilewright::ttmetal {

/// What the comment headers of the emitted files say beside the program itself.
struct EmitInfo {
  std::string version;               ///< of the compiler, free text without line breaks
  std::vector<std::string> schedule; ///< the schedule as text, one line each
};

struct Emitted {
  /// File name to contents: reader.cpp, compute.cpp, writer.cpp, run.py, manifest.json.
  std::map<std::string, std::string> files;
  int64_t l1Bytes = 0; ///< bytes of all circular buffers on one core
};

/// Emits the kernels of `mapped`, a function with one tw.grid whose schedule is complete. The
/// output depends on the arguments alone. Execution model: every core of the placement's sub-mesh
/// runs every wave; along a grid axis with s spatial coordinates, the core at coordinate c runs
/// block w * s + c in wave w. Blocks beyond the grid are computed from clamped reads and never
/// written. Errors ("ttmetal.*"): Unsupported for programs outside the target's reach, DoesNotFit
/// for buffers, semaphores and arguments beyond the machine's limits, Internal for an incomplete or
/// contradictory schedule.
Emitted emit(mlir::func::FuncOp mapped, const machine::Machine &machine, const EmitInfo &info);

} // namespace tilewright::ttmetal
