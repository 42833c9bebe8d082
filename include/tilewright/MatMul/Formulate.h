// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The planner's question as a Problem of the Solver room, and the re-check of its answers.
#pragma once

#include "tilewright/MatMul/Planner.h"
#include "tilewright/Solver/Problem.h"

namespace tilewright::matmul {

/// Minimise the modelled cycles over the tiles of one template with one set of modules. Variables:
/// m1, n1, kA, kB, k0, split, swizzle, and m0, n0 off chip. Objective and constraints are the
/// planner's own formulas over symbolic::Expr. Requires k > 0 and a C that is not empty.
solver::Problem formulate(const Target &target, const Shape &shape, Template kind,
                          const Modules &modules);

/// All (template, modules) that apply to the shape, pipelining and shuffleK included.
std::vector<std::pair<Template, Modules>> structuresOf(const Target &target, const Shape &shape);

/// Everything that is wrong with `plan`: a template or module that does not apply, a violated
/// constraint (actual against limit), a wrong time. Goes through the Problem's text and the
/// solver's `verify`; shares the formulas, but no evaluation, with the planner. Empty means
/// verified.
std::vector<std::string> verify(const Target &target, const Shape &shape, const Plan &plan);

} // namespace tilewright::matmul
