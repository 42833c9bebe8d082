// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interval arithmetic on 64-bit integers. An end at the limit of the 64-bit range stands for "no
// limit": sums and products inside an expression may pass 64 bits and come back, so these ends stay
// put.
#pragma once

#include "tilewright/Symbolic/Expr.h"

namespace tilewright::symbolic {

Interval mulIntervals(Interval a, Interval b);
/// a + coefficient * b.
Interval addScaled(Interval a, int64_t coefficient, Interval b);
/// `op` is FloorDiv, CeilDiv or Mod. Values of the divisor that are 0 are left out; a divisor that
/// is always 0 has no value at all and yields [0, 0].
Interval divideIntervals(Op op, Interval a, Interval b);
/// `op` is Le, Lt, Eq or Ne.
Interval compareIntervals(Op op, Interval a, Interval b);
Interval selectIntervals(Interval condition, Interval then, Interval otherwise);

} // namespace tilewright::symbolic
