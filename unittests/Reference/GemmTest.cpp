// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products and their epilogues against loops over whole tensors that know no blocks.
#include "Programs.h"

using namespace tilewright;
using namespace tilewright::reference;
using namespace tilewright::reference::test;

namespace {

/// x @ y in f32, products in increasing k.
std::vector<float> product(const Tensor &x, const Tensor &y) {
  int64_t m = x.shape[0], k = x.shape[1], n = y.shape[1];
  std::vector<float> c(m * n);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < k; ++p) {
        volatile float term = at(x, i, p) * at(y, p, j); // rounded on its own
        sum = sum + term;
      }
      c[i * n + j] = sum;
    }
  return c;
}

Sizes sizes(int64_t m, int64_t n, int64_t k) {
  return {{"tile_m", m}, {"tile_n", n}, {"tile_k", k}};
}

const std::vector<Sizes> &oddSizes() {
  static const std::vector<Sizes> all = {sizes(1, 7, 33),   sizes(33, 1, 7),   sizes(7, 33, 1),
                                         sizes(32, 32, 32), sizes(64, 16, 40), sizes(100, 100, 100),
                                         sizes(5, 11, 13)};
  return all;
}

} // namespace

TEST(Gemm, MatchesWholeTensorsForAnyBlockSizes) {
  GemmText text{.m = 45, .n = 38, .k = 67, .out = "f32"};
  Program program(text.str());
  Tensor x = makeTensor("x", "bf16", {45, 67}, 1), y = makeTensor("y", "bf16", {67, 38}, 1);
  std::vector<float> expected = product(x, y);
  for (const Sizes &size : oddSizes()) {
    std::vector<Output> outputs = program.run({x, y}, size);
    ASSERT_EQ(outputs.size(), 1u);
    EXPECT_EQ(outputs[0].tensor.name, "out");
    EXPECT_EQ(outputs[0].tensor.shape, (std::vector<int64_t>{45, 38}));
    EXPECT_EQ(outputs[0].tensor.values, expected);
  }
}

TEST(Gemm, RandomBlockSizesGiveTheSameBits) {
  Random random(7);
  for (int trial = 0; trial < 60; ++trial) {
    int64_t m = 1 + random.below(40), n = 1 + random.below(40), k = 1 + random.below(60);
    GemmText text{.m = m, .n = n, .k = k, .bias = "row", .residual = true, .activation = "relu"};
    Program program(text.str());
    std::vector<Tensor> inputs = {
        makeTensor("x", "bf16", {m, k}, trial), makeTensor("y", "bf16", {k, n}, trial),
        makeTensor("bias", "bf16", {n}, trial), makeTensor("res", "bf16", {m, n}, trial)};
    auto whole = program.run(inputs, sizes(m, n, k));
    auto cut = program.run(inputs,
                           sizes(1 + random.below(50), 1 + random.below(50), 1 + random.below(70)));
    EXPECT_EQ(whole[0].tensor.values, cut[0].tensor.values);
  }
}

TEST(Gemm, RowBiasAndRelu) {
  GemmText text{.m = 20, .n = 30, .k = 40, .bias = "row", .activation = "relu"};
  Tensor x = makeTensor("x", "bf16", {20, 40}, 2), y = makeTensor("y", "bf16", {40, 30}, 2);
  Tensor bias = makeTensor("bias", "bf16", {30}, 2);
  auto out = Program(text.str()).run({x, y, bias}, sizes(7, 33, 9));
  std::vector<float> sum = product(x, y);
  for (int64_t i = 0; i < 20; ++i)
    for (int64_t j = 0; j < 30; ++j) {
      float value = sum[i * 30 + j] + bias.values[j];
      EXPECT_EQ(at(out[0].tensor, i, j), nearestBf16(value > 0 ? value : 0));
    }
}

TEST(Gemm, ColumnBiasResidualAndPrologue) {
  GemmText text{.m = 21,
                .n = 19,
                .k = 35,
                .out = "f32",
                .prologue = "square",
                .bias = "column",
                .residual = true};
  Tensor x = makeTensor("x", "bf16", {21, 35}, 3), y = makeTensor("y", "bf16", {35, 19}, 3);
  Tensor bias = makeTensor("bias", "bf16", {21}, 3), res = makeTensor("res", "bf16", {21, 19}, 3);
  auto out = Program(text.str()).run({x, y, bias, res}, sizes(8, 8, 8));
  Tensor squared = x;
  for (float &value : squared.values)
    value = nearestBf16(double(value) * value);
  std::vector<float> sum = product(squared, y);
  for (int64_t i = 0; i < 21; ++i)
    for (int64_t j = 0; j < 19; ++j) {
      float expected = (sum[i * 19 + j] + bias.values[i]) + at(res, i, j);
      EXPECT_EQ(at(out[0].tensor, i, j), expected);
    }
}

// exp(0) is 1: the lanes beyond K must not enter the sum even if both operands are not 0 there.
TEST(Gemm, LanesBeyondTheExtentNeverEnterASum) {
  std::string text = GemmText{.m = 9, .n = 8, .k = 10, .out = "f32", .prologue = "exp"}.str();
  size_t at = text.find("%c = tw.matmul");
  text.insert(at, "%y1 = tw.unary exp %y0 : !tw.tile<[@tile_k, @tile_n], bf16> -> "
                  "!tw.tile<[@tile_k, @tile_n], bf16>\n      ");
  size_t use = text.find("%y0, %a");
  text.replace(use, 3, "%y1");
  Tensor x = makeTensor("x", "bf16", {9, 10}, 4), y = makeTensor("y", "bf16", {10, 8}, 4);
  auto out = Program(text).run({x, y}, sizes(4, 3, 7));
  for (Tensor *t : {&x, &y})
    for (float &value : t->values)
      value = nearestBf16(float(std::exp(double(value))));
  EXPECT_EQ(out[0].tensor.values, product(x, y));
}

TEST(Gemm, Bf16AccumulatorRoundsAtEveryStep) {
  int64_t m = 12, n = 14, k = 50, step = 8;
  GemmText text{.m = m, .n = n, .k = k, .acc = "bf16"};
  Tensor x = makeTensor("x", "bf16", {m, k}, 5), y = makeTensor("y", "bf16", {k, n}, 5);
  auto out = Program(text.str()).run({x, y}, sizes(5, 14, step));
  int64_t differs = 0;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0, once = 0;
      for (int64_t p = 0; p < k; ++p) {
        sum += at(x, i, p) * at(y, p, j);
        once += at(x, i, p) * at(y, p, j);
        if (p % step == step - 1 || p == k - 1)
          sum = nearestBf16(sum);
      }
      EXPECT_EQ(at(out[0].tensor, i, j), sum);
      differs += sum != nearestBf16(once);
    }
  EXPECT_GT(differs, 0); // or the test could not tell the two meanings apart
}

// Another k split is another correct device, and each is within the other's bound.
TEST(Gemm, Bf16AccumulatorSplitsAgreeWithinTheBound) {
  GemmText text{.m = 16, .n = 16, .k = 96, .acc = "bf16"};
  Program program(text.str());
  std::vector<Tensor> inputs = {makeTensor("x", "bf16", {16, 96}, 6),
                                makeTensor("y", "bf16", {96, 16}, 6)};
  auto fine = program.run(inputs, sizes(16, 16, 16));
  auto coarse = program.run(inputs, sizes(16, 16, 96));
  EXPECT_NE(fine[0].tensor.values, coarse[0].tensor.values);
  EXPECT_TRUE(
      compare(fine[0], coarse[0].tensor).pass); // the finer one has more roundings to be wrong by
}

TEST(Gemm, F32OperandsAndOutput) {
  GemmText text{.m = 10, .n = 11, .k = 12, .x = "f32", .y = "f32", .out = "f32"};
  Tensor x = makeTensor("x", "f32", {10, 12}, 8, 0.37f),
         y = makeTensor("y", "f32", {12, 11}, 8, 1.9f);
  EXPECT_EQ(Program(text.str()).run({x, y}, sizes(3, 4, 5))[0].tensor.values, product(x, y));
}

TEST(Gemm, LargeShapesAreFast) {
  for (auto [m, n, k] : {std::tuple<int64_t, int64_t, int64_t>{512, 512, 512}, {2048, 2048, 32}}) {
    GemmText text{.m = m, .n = n, .k = k, .bias = "row", .activation = "gelu"};
    std::vector<Tensor> inputs = {makeTensor("x", "bf16", {m, k}, 9),
                                  makeTensor("y", "bf16", {k, n}, 9),
                                  makeTensor("bias", "bf16", {n}, 9)};
    auto out = Program(text.str()).run(inputs, sizes(128, 128, 64));
    EXPECT_EQ(out[0].tensor.values.size(), size_t(m * n));
  }
}
