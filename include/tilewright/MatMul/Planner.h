// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a shape to the fastest legal template, tiles and modules (AdaptCore paper, section 5.1).
#pragma once

#include "tilewright/MatMul/Choice.h"
#include "tilewright/MatMul/Shape.h"
#include "tilewright/MatMul/Target.h"
#include <functional>
#include <optional>

namespace tilewright::matmul {

/// Restricts the candidates; what is unset is free.
struct Pins {
  std::optional<Template> kind;
  std::optional<int64_t> m1, n1, kA, kB, k0, split;
  std::function<bool(const Modules &)> modules;             ///< unset: all
  std::function<bool(Template, const Modules &)> structure; ///< unset: all
  std::function<bool(const Choice &)> choice; ///< asked for candidates that would win; unset: all
};

struct Statistics {
  int64_t structures = 0; ///< templates with modules that apply
  int64_t bounded = 0;    ///< tile pairs whose lower bound was computed
  int64_t opened = 0;     ///< tile pairs whose rest was tried
  int64_t estimated = 0;  ///< candidates whose time was computed
};

struct Plan {
  Choice choice;
  int64_t cycles = 0; ///< modelled time of the whole kernel
  Statistics statistics;
};

/// The fastest candidate of the whole space; of equal ones the first in the order of templates,
/// modules and tiles, without modules that gain nothing. Depends on the arguments alone.
/// Errors: check(Shape)'s; "matmul.memory" (DoesNotFit) when the matrices exceed the machine's
/// memory; "matmul.no-candidate" (DoesNotFit) when pins or limits leave nothing.
Plan plan(const Target &target, const Shape &shape, const Pins &pins = {});

/// The same by trying every candidate: slow, for tests and benchmarks.
Plan planByEnumeration(const Target &target, const Shape &shape, const Pins &pins = {});

/// Modelled cycles of one candidate; nothing when it is not legal.
std::optional<int64_t> cycles(const Target &target, const Shape &shape, const Choice &choice);

/// Calls `f` for every legal candidate.
void forEachCandidate(const Target &target, const Shape &shape, const Pins &pins,
                      const std::function<void(const Choice &, int64_t cycles)> &f);

/// Calls `f` with pins for every (template, m1, n1, split) of the space, legal or not.
void forEachTile(const Target &target, const Shape &shape,
                 const std::function<void(const Pins &)> &f);

} // namespace tilewright::matmul
