// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule-based reconstructions of what others choose, from the published descriptions of their rules,
// for comparison in the same model. They say nothing about those libraries on silicon.
#pragma once

#include "tilewright/MatMul/Planner.h"

namespace tilewright::matmul {

/// The basic template of CATLASS: tile 128 x 256, depth 256, two buffers, nothing else.
Choice basicCatlass(const Target &target, const Shape &shape);
/// CATLASS example 102: small, multi-core split-K, stream-K, padding and common kernels, first
/// match; tiles by layout, balanced over the cores.
Choice rule102(const Target &target, const Shape &shape);
/// The vendor library's MatMulV3: base tile 128 x 256 x 64, NZ pre-pass for unaligned rows,
/// single-core split-K before deterministic multi-core split-K.
Choice aclnnLike(const Target &target, const Shape &shape);

} // namespace tilewright::matmul
