// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Shapes.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::matmul;

static std::string idOf(const std::function<void()> &f) {
  try {
    f();
  } catch (const Error &error) {
    EXPECT_FALSE(error.diagnostic().hint.empty());
    return error.diagnostic().id;
  }
  return "none";
}

static std::string idOf(const Shape &s) {
  return idOf([&] { plan(target(), s); });
}

TEST(Shape, RefusesWhatNoMatrixHas) {
  EXPECT_EQ(idOf(shape(-1, 2, 3)), "matmul.dimension");
  EXPECT_EQ(idOf(shape(1, int64_t(1) << 31, 3)), "matmul.dimension");
  EXPECT_EQ(idOf(shape(1, 2, INT64_MAX)), "matmul.dimension");
  Shape narrow = shape(4, 5, 6);
  narrow.lda = 5;
  EXPECT_EQ(idOf(narrow), "matmul.pitch");
  narrow.lda = 0, narrow.ldc = 4;
  EXPECT_EQ(idOf(narrow), "matmul.pitch");
  Shape grouped = shape(4, 5, 6);
  grouped.groups = {1, 2};
  EXPECT_EQ(idOf(grouped), "matmul.groups");
  EXPECT_EQ(idOf([] { parseLayout("diagonal"); }), "matmul.layout");
  EXPECT_EQ(idOf([] { parseDtype("fp8"); }), "matmul.dtype");
}

TEST(Shape, RefusesWhatMemoryCannotHold) {
  EXPECT_EQ(idOf(shape(100000, 100000, 100000)), "none"); // 60 GB
  EXPECT_EQ(idOf(shape(110000, 110000, 110000)), "matmul.memory");
  EXPECT_EQ(idOf(shape(maxDimension, maxDimension, maxDimension)), "matmul.memory");
  Shape many = shape(1, 1, 1);
  many.batch = maxDimension;
  EXPECT_EQ(idOf(many), "none");
  many.m = many.n = many.k = maxDimension;
  EXPECT_EQ(idOf(many), "matmul.memory");
}

TEST(Shape, ZeroSizesAreDefined) {
  EXPECT_EQ(plan(target(), shape(0, 5, 6)).choice.kind, Template::Nothing);
  EXPECT_EQ(plan(target(), shape(5, 0, 0)).choice.kind, Template::Nothing);
  EXPECT_EQ(plan(target(), shape(0, 5, 6)).cycles, 0);
  Plan fill = plan(target(), shape(512, 1024, 0));
  EXPECT_EQ(fill.choice.kind, Template::Fill);
  EXPECT_GT(fill.cycles, plan(target(), shape(1, 1, 0)).cycles);
}

TEST(Target, NeedsItsFamily) {
  machine::Machine other = machine::load(TILEWRIGHT_SOURCE_DIR "/machines/toy2x2.yaml");
  EXPECT_EQ(idOf([&] { Target t(other); }), "matmul.family");
}

TEST(Target, FingerprintSeesEveryNumber) {
  uint64_t before = target().fingerprint();
  EXPECT_EQ(before, Target(ascend()).fingerprint());
  for (const auto &[path, quantity] : ascend().numbers) {
    machine::Machine changed = ascend();
    changed.numbers[path].value += path == "cores.vector" ? 2 : 1;
    EXPECT_NE(Target(changed).fingerprint(), before) << path;
  }
}

TEST(Target, TableOfRowsIsTheFormula) {
  for (int64_t elements : {1, 7, 16, 255, 256, 4095, 4096, 4097, 9000})
    for (int64_t alignment : {2, 16, 32, 256, 512}) {
      auto cost = ascend()
                      .cost("nd2nz_1000_rows")
                      .cycles({{"row_bytes", 2 * elements}, {"alignment", alignment}});
      EXPECT_EQ(target().rows1000(elements, alignment), cost.value());
    }
}
