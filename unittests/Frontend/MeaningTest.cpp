// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lowered kernels compute, run at block sizes that do not divide, against plain loops in
// double.
#include "Lower.h"
#include "tilewright/Reference/Reference.h"
#include "tilewright/Support/Random.h"
#include <cmath>
#include <functional>

namespace tilewright::frontend::test {

static const std::string kernels = std::string(TILEWRIGHT_SOURCE_DIR) + "/kernels/";

static reference::Tensor tensor(const std::string &name, const std::string &dtype,
                                std::vector<int64_t> shape) {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  return {name, dtype, shape, normalValues(seedFor(5, name), count, dtype == "bf16", 1)};
}

static std::string option(const reference::Tensor &t) {
  std::string dims;
  for (int64_t dim : t.shape)
    dims += (dims.empty() ? "" : ",") + std::to_string(dim);
  return t.name + "=" + t.dtype + "[" + dims + "]";
}

/// Result of a kernel of `path`, of its first output.
static std::vector<float> run(const std::string &path, const std::string &kernel,
                              const std::vector<reference::Tensor> &inputs,
                              std::vector<std::string> more,
                              const std::map<std::string, int64_t> &sizes) {
  for (const reference::Tensor &input : inputs)
    more.push_back(option(input));
  Lowered program = lowerFile(path, kernel, more);
  EXPECT_FALSE(program.error) << program.text();
  if (program.error)
    return {};
  return reference::run(program.function(), inputs, sizes, reference::Precision::exact())[0]
      .tensor.values;
}

using Epilogue = std::function<double(double, int64_t, int64_t)>;

/// epilogue(x @ y) in double, where x is m by k and y is k by n.
static std::vector<double> product(const reference::Tensor &x, const reference::Tensor &y,
                                   const Epilogue &epilogue) {
  int64_t m = x.shape[0], k = x.shape[1], n = y.shape[1];
  std::vector<double> out(m * n);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < k; ++l)
        sum += double(x.values[i * k + l]) * double(y.values[l * n + j]);
      out[i * n + j] = epilogue(sum, i, j);
    }
  return out;
}

static void expectNear(const std::vector<float> &actual, const std::vector<double> &expected,
                       double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    ASSERT_NEAR(actual[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << "element " << i;
}

class Epilogues : public ::testing::Test {
protected:
  reference::Tensor x = tensor("x", "f32", {33, 45}), y = tensor("y", "f32", {45, 29});
  std::map<std::string, int64_t> sizes = {{"tile_m", 16}, {"tile_n", 8}, {"tile_k", 7}};

  void check(const std::string &function, std::vector<reference::Tensor> captured,
             const Epilogue &epilogue, std::vector<std::string> more = {}) {
    std::vector<reference::Tensor> inputs = {x, y};
    inputs.insert(inputs.end(), captured.begin(), captured.end());
    more.push_back("epilogue=" + kernels + "epilogues.py:" + function);
    expectNear(run(kernels + "matmul.py", "matmul", inputs, more, sizes), product(x, y, epilogue),
               2e-5);
  }
};

static double gelu(double v) {
  return 0.5 * v * (1 + std::erf(v / std::sqrt(2.0)));
}

TEST_F(Epilogues, Pointwise) {
  check("relu", {}, [](double v, int64_t, int64_t) { return std::max(v, 0.0); });
  check("gelu", {}, [](double v, int64_t, int64_t) { return gelu(v); });
  check("gelu_erf", {}, [](double v, int64_t, int64_t) { return gelu(v); });
  check("silu", {}, [](double v, int64_t, int64_t) { return v / (1 + std::exp(-v)); });
  check("clamped", {}, [](double v, int64_t, int64_t) { return std::min(std::max(v, -1.0), 1.0); });
  check("scaled", {}, [](double v, int64_t, int64_t) { return 0.25 * v; }, {"alpha=0.25"});
  check("gelu_tanh", {}, [](double v, int64_t, int64_t) {
    return 0.5 * v * (1 + std::tanh(std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v)));
  });
}

TEST_F(Epilogues, Captured) {
  reference::Tensor bias = tensor("bias", "f32", {29}), column = tensor("bias", "f32", {33});
  reference::Tensor residual = tensor("residual", "f32", {33, 29}),
                    gate = tensor("gate", "bf16", {33, 29});
  auto at = [](const reference::Tensor &t, int64_t i, int64_t j) {
    return double(t.values[i * 29 + j]);
  };
  check("add_bias", {bias}, [&](double v, int64_t, int64_t j) { return v + bias.values[j]; });
  check("bias_relu", {bias},
        [&](double v, int64_t, int64_t j) { return std::max(v + bias.values[j], 0.0); });
  check("bias_column", {column},
        [&](double v, int64_t i, int64_t) { return v + column.values[i]; });
  check("add_residual", {residual},
        [&](double v, int64_t i, int64_t j) { return v + at(residual, i, j); });
  check("bias_residual_gelu", {bias, residual}, [&](double v, int64_t i, int64_t j) {
    return gelu(v + bias.values[j]) + at(residual, i, j);
  });
  check("swish_gate", {gate},
        [&](double v, int64_t i, int64_t j) { return v / (1 + std::exp(-at(gate, i, j))); });
}

TEST(Meaning, ScaledProduct) {
  reference::Tensor x = tensor("x", "f32", {20, 70}), y = tensor("y", "f32", {70, 9}),
                    c = tensor("c", "f32", {20, 9});
  auto actual = run(kernels + "matmul_scaled.py", "", {x, y, c}, {"alpha=0.5", "beta=-2"},
                    {{"tile_m", 6}, {"tile_n", 4}, {"tile_k", 32}});
  expectNear(
      actual,
      product(x, y,
              [&](double v, int64_t i, int64_t j) { return 0.5 * v - 2.0 * c.values[i * 9 + j]; }),
      2e-5);
}

TEST(Meaning, OptionalBias) {
  reference::Tensor x = tensor("x", "f32", {20, 33}), y = tensor("y", "f32", {33, 9}),
                    bias = tensor("bias", "f32", {9});
  std::map<std::string, int64_t> sizes = {{"tile_m", 6}, {"tile_n", 4}, {"tile_k", 10}};
  expectNear(run(kernels + "matmul_bias_relu.py", "", {x, y}, {}, sizes),
             product(x, y, [](double v, int64_t, int64_t) { return std::max(v, 0.0); }), 2e-5);
  expectNear(
      run(kernels + "matmul_bias_relu.py", "", {x, y, bias}, {}, sizes),
      product(x, y,
              [&](double v, int64_t, int64_t j) { return std::max(v + bias.values[j], 0.0); }),
      2e-5);
}

/// In bf16 each operation rounds: bit-equal to torch's eager rules, and different from one rounding
/// at the end.
TEST(Meaning, Bf16RoundsAfterEachOperation) {
  reference::Tensor x = tensor("x", "bf16", {40, 50});
  std::string path = writeFile("rounds.py", pointwiseText("t * 1.7 + t"));
  std::vector<float> actual = run(path, "", {x}, {}, {{"tile_m", 32}, {"tile_n", 32}});
  ASSERT_EQ(actual.size(), x.values.size());
  int differs = 0;
  for (size_t i = 0; i < actual.size(); ++i) {
    float value = x.values[i];
    EXPECT_EQ(actual[i], roundToBf16(roundToBf16(value * 1.7f) + value));
    differs += actual[i] != roundToBf16(value * 1.7f + value);
  }
  EXPECT_GT(differs, 100);
}

/// facts: a bf16 product is rounded before it is added to f32; with a bf16 accumulator each step
/// rounds.
TEST(Meaning, Bf16Products) {
  reference::Tensor x = tensor("x", "bf16", {8, 12}), y = tensor("y", "bf16", {12, 8});
  auto source = [](const std::string &dtype, const std::string &step) {
    return kernelText("x, y", "    out = torch.empty([8, 8], dtype=torch.float32)\n    for tile_m, "
                              "tile_n in hl.tile([8, 8]):\n"
                              "        acc = hl.zeros([tile_m, tile_n], dtype=" +
                                  dtype +
                                  ")\n        for tile_k in hl.tile(12):\n"
                                  "            " +
                                  step + "\n        out[tile_m, tile_n] = acc\n    return out\n");
  };
  std::map<std::string, int64_t> sizes = {{"tile_m", 8}, {"tile_n", 8}, {"tile_k", 4}};
  auto block = [&](int64_t i, int64_t j, int64_t first) {
    float sum = 0;
    for (int64_t l = first; l < first + 4; ++l)
      sum += x.values[i * 12 + l] * y.values[l * 8 + j];
    return sum;
  };
  std::vector<float> rounded =
      run(writeFile("a.py",
                    source("torch.float32", "acc = acc + x[tile_m, tile_k] @ y[tile_k, tile_n]")),
          "", {x, y}, {}, sizes);
  std::vector<float> narrow =
      run(writeFile("b.py", source("torch.bfloat16",
                                   "acc = torch.addmm(acc, x[tile_m, tile_k], y[tile_k, tile_n])")),
          "", {x, y}, {}, sizes);
  ASSERT_EQ(rounded.size(), 64u);
  ASSERT_EQ(narrow.size(), 64u);
  for (int64_t i = 0; i < 8; ++i)
    for (int64_t j = 0; j < 8; ++j) {
      EXPECT_EQ(rounded[i * 8 + j], roundToBf16(block(i, j, 0)) + roundToBf16(block(i, j, 4)) +
                                        roundToBf16(block(i, j, 8)));
      float acc = 0;
      for (int64_t first : {0, 4, 8}) {
        float sum = acc;
        for (int64_t l = first; l < first + 4; ++l)
          sum += x.values[i * 12 + l] * y.values[l * 8 + j];
        acc = roundToBf16(sum);
      }
      EXPECT_EQ(narrow[i * 8 + j], acc);
    }
}

/// exp is 1 in the padding of a partial tile; the sum over k must not see it.
TEST(Meaning, PaddingStaysOutOfProducts) {
  reference::Tensor x = tensor("x", "f32", {5, 11}), y = tensor("y", "f32", {11, 6});
  std::string path = writeFile(
      "exp.py",
      kernelText("x, y",
                 "    out = torch.empty([5, 6])\n    for tile_m, tile_n in hl.tile([5, 6]):\n"
                 "        acc = hl.zeros([tile_m, tile_n])\n        for tile_k in hl.tile(11):\n"
                 "            acc = torch.addmm(acc, torch.exp(x[tile_m, tile_k]), y[tile_k, "
                 "tile_n] + 1)\n"
                 "        out[tile_m, tile_n] = acc\n    return out\n"));
  reference::Tensor ex = x, y1 = y;
  for (float &v : ex.values)
    v = std::exp(v);
  for (float &v : y1.values)
    v += 1;
  expectNear(run(path, "", {x, y}, {}, {{"tile_m", 4}, {"tile_n", 4}, {"tile_k", 8}}),
             product(ex, y1, [](double v, int64_t, int64_t) { return v; }), 1e-5);
}

} // namespace tilewright::frontend::test
