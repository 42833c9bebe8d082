// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Closed forms of a software pipeline, over any number type (symbolic::Expr, int64_t). The
// execution graph (Assemble.cpp) and the MatMul room's model are built from the same ones.
#pragma once

namespace tilewright::model {

/// `rounds` >= 1 rounds of overlapped stages, all alike: what nothing hides (`exposed`: the stages
/// of one round, one after the other), and one period of the slowest stage for each further round
/// (Loom paper section 2.6; AdaptCore paper equation 13).
template <class V> V pipelined(V rounds, V period, V exposed) {
  return exposed + (rounds - V(1)) * period;
}

/// The same for rounds of different length: `periods` is the sum over all rounds, `last` the period
/// of the last one, which `exposed` stands for.
template <class V> V pipelinedSum(V periods, V last, V exposed) {
  return periods - last + exposed;
}

} // namespace tilewright::model
