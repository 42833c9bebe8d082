// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between the planner and the dispatch library in C (runtime/).
#pragma once

#include "tilewright/MatMul/Planner.h"
#include "tilewright_dispatch.h"
#include <map>
#include <set>

namespace tilewright::matmul {

/// `shape` with resolved leading dimensions. Grouped shapes have no form in the table (Error
/// "matmul.groups").
tw_shape toDispatch(const Shape &shape);
Shape fromDispatch(const tw_shape &shape);
/// `kernel` is the index of the kernel's name.
tw_plan toDispatch(const Target &target, const Shape &shape, const Plan &plan, uint32_t kernel);
/// The choice that a table's entry stands for.
Choice choiceOf(const tw_plan &plan);

/// Device memory besides A, B and C: padded copies and partial sums, in bytes.
int64_t workspaceBytes(const Target &target, const Shape &shape, const Choice &choice);

/// Plans shapes that a table does not hold, with the kernels that it has: nothing else could be
/// launched. Give tw_open `plan` and the object, then `attach` the dispatcher before the first
/// lookup. Lookups may come from several threads.
class OnlinePlanner {
public:
  explicit OnlinePlanner(Target target) : target(std::move(target)) {}
  /// Learns the keys of the table's entries.
  void attach(const tw_dispatcher *dispatcher);
  size_t kernels() const { return kernelOfKey.size(); }
  /// TW_OK, or TW_NO_PLAN when no kernel of the table suits the shape or it does not fit the
  /// machine.
  static tw_status plan(void *onlinePlanner, const tw_shape *shape, tw_plan *plan);

private:
  Target target;
  std::map<uint64_t, uint32_t> kernelOfKey;
  std::set<uint64_t> structures; ///< the same keys without the fields that tiles decide
};

} // namespace tilewright::matmul
