// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is to be multiplied: C[m, n] = A[m, k] * B[k, n], 16-bit inputs, fp32 accumulation.
#pragma once

#include "tilewright/Support/Diagnostic.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::matmul {

/// Row: element (i, j) of the logical matrix lies at i * ld + j. Column: at j * ld + i (the matrix
/// is stored transposed).
enum class Layout : uint8_t { Row, Column };
enum class Dtype : uint8_t { Fp16, Bf16 };

struct Shape {
  int64_t m = 0, n = 0, k = 0;
  Layout layoutA = Layout::Row, layoutB = Layout::Row; ///< C is always Row
  Dtype dtype = Dtype::Fp16;
  int64_t lda = 0, ldb = 0, ldc = 0; ///< elements; 0: dense
  int64_t batch = 1;                 ///< independent products of this shape
  /// Grouped form (mixture of experts): rows of each group; every group has a B of its own. Then
  /// `m` is the sum of the rows and `batch` is 1.
  std::vector<int64_t> groups = {};
  bool deterministic = false; ///< bits must not depend on the order in which cores arrive

  bool operator==(const Shape &) const = default;
  /// Nothing to compute: m, n or batch is 0 (C is empty).
  bool empty() const { return m == 0 || n == 0 || batch == 0; }
  int64_t pitchA() const { return lda ? lda : (layoutA == Layout::Row ? k : m); }
  int64_t pitchB() const { return ldb ? ldb : (layoutB == Layout::Row ? n : k); }
  int64_t pitchC() const { return ldc ? ldc : n; }
  /// "12288x688x16991 fp16 A row B column".
  std::string str() const;
};

/// Largest dimension; with the limit on memory it keeps all products of the model in 64 bits.
constexpr int64_t maxDimension = (int64_t(1) << 31) - 1;

/// Errors (User): "matmul.dimension" for negative or too large sizes, "matmul.pitch" for a leading
/// dimension smaller than the row, "matmul.groups" for groups that do not sum up to m.
void check(const Shape &shape);

const char *name(Layout layout); ///< "row", "column"
const char *name(Dtype dtype);   ///< "fp16", "bf16"
/// Errors (User): "matmul.layout", "matmul.dtype" with the known names. "col" is "column".
Layout parseLayout(const std::string &text);
Dtype parseDtype(const std::string &text);

} // namespace tilewright::matmul
