// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tilewright/MatMul/Shape.h"
#include <numeric>

namespace tilewright::matmul {

const char *name(Layout layout) {
  return layout == Layout::Row ? "row" : "column";
}
const char *name(Dtype dtype) {
  return dtype == Dtype::Fp16 ? "fp16" : "bf16";
}

std::string Shape::str() const {
  std::string text = std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) + " " +
                     matmul::name(dtype) + " A " + matmul::name(layoutA) + " B " +
                     matmul::name(layoutB);
  if (batch != 1)
    text += " batch " + std::to_string(batch);
  if (!groups.empty())
    text += " in " + std::to_string(groups.size()) + " groups";
  return text;
}

static void checkDimension(const char *which, int64_t value) {
  if (value < 0 || value > maxDimension)
    throw Error(Kind::User, "matmul.dimension",
                std::string("dimension '") + which + "' is " + std::to_string(value) +
                    ", allowed are 0 to " + std::to_string(maxDimension),
                "give the matrices' sizes in elements");
}

static void checkPitch(const char *which, int64_t given, int64_t least) {
  if (given && (given < least || given > maxDimension))
    throw Error(Kind::User, "matmul.pitch",
                std::string("leading dimension '") + which + "' is " + std::to_string(given) +
                    ", the rows have " + std::to_string(least) + " elements",
                "give the distance between rows in elements, or 0 for dense ones");
}

void check(const Shape &s) {
  checkDimension("m", s.m);
  checkDimension("n", s.n);
  checkDimension("k", s.k);
  checkDimension("batch", s.batch);
  checkPitch("lda", s.lda, s.layoutA == Layout::Row ? s.k : s.m);
  checkPitch("ldb", s.ldb, s.layoutB == Layout::Row ? s.n : s.k);
  checkPitch("ldc", s.ldc, s.n);
  int64_t sum = 0;
  for (int64_t rows : s.groups) {
    checkDimension("group", rows);
    sum += rows;
  }
  if (!s.groups.empty() && (sum != s.m || s.batch != 1))
    throw Error(Kind::User, "matmul.groups",
                "the groups have " + std::to_string(sum) + " rows, 'm' is " + std::to_string(s.m) +
                    " and 'batch' " + std::to_string(s.batch),
                "the groups' rows must sum up to m, and batch must be 1");
}

Layout parseLayout(const std::string &text) {
  if (text == "row")
    return Layout::Row;
  if (text == "col" || text == "column")
    return Layout::Column;
  throw Error(Kind::User, "matmul.layout", "unknown layout '" + text + "'", "write row or col");
}

Dtype parseDtype(const std::string &text) {
  if (text == "fp16" || text == "float16" || text == "half")
    return Dtype::Fp16;
  if (text == "bf16" || text == "bfloat16")
    return Dtype::Bf16;
  throw Error(Kind::User, "matmul.dtype", "unknown dtype '" + text + "'", "write fp16 or bf16");
}

} // namespace tilewright::matmul
