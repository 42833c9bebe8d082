// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program of any stage on hashes instead of numbers: what is stored, and which buffers were
// alive together. It knows nothing of the passes and shares no code with them.
#pragma once

#include "tilewright/IR/Tw.h"
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

struct Trace {
  /// Everything that reached global memory, in order: a hash of the tensor, the indices and the
  /// value.
  std::vector<uint64_t> stores;
  /// Pairs of buffer labels that held a block at the same time.
  std::set<std::pair<std::string, std::string>> together;
  /// Memory behind each buffer (the buffer itself before stage 3).
  std::map<std::string, mlir::Value> memory;
  std::map<std::string, mlir::Type> types;
  std::set<std::string> global;    ///< labels of buffers that a copy touched
  std::vector<std::string> faults; ///< a wait that would never end, a read of memory never written
};

/// Loops run `trips` times, the grid runs two blocks.
Trace runTrace(mlir::func::FuncOp func, int trips);
