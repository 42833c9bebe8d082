// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one inner loop that has to be fast (room-internal).
#pragma once

#include <cstdint>

namespace tilewright::reference {

/// c[i, j] += a[i, p] * b[p, j] for p = 0, 1, ... k - 1 in this order, each product and each sum
/// rounded to f32. Row-major with the given row lengths.
void addProducts(float *c, const float *a, const float *b, int64_t m, int64_t n, int64_t k,
                 int64_t rowA, int64_t rowB, int64_t rowC);

} // namespace tilewright::reference
