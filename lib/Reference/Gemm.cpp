// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled with more optimisation than the rest and without contraction: the order and the
// roundings are part of the meaning.
#include "Gemm.h"

namespace tilewright::reference {

void addProducts(float *c, const float *a, const float *b, int64_t m, int64_t n, int64_t k,
                 int64_t rowA, int64_t rowB, int64_t rowC) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t p = 0; p < k; ++p) {
      float factor = a[i * rowA + p];
      const float *row = b + p * rowB;
      float *sums = c + i * rowC;
      for (int64_t j = 0; j < n; ++j)
        sums[j] += factor * row[j];
    }
}

} // namespace tilewright::reference
