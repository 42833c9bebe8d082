// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bound of matrix products holds for every sloppy but correct device, is not far from what such
// devices show, and rejects devices that are wrong.
#include "Device.h"

using namespace tilewright;
using namespace tilewright::reference;
using namespace tilewright::reference::test;

namespace {

Sizes sizes(int64_t m, int64_t n, int64_t k) {
  return {{"tile_m", m}, {"tile_n", n}, {"tile_k", k}};
}

struct Case {
  GemmText text;
  std::vector<Tensor> inputs;
  Case(GemmText t, uint64_t seed, float scale = 1) : text(t) {
    inputs = {makeTensor("x", t.x, {t.m, t.k}, seed, scale),
              makeTensor("y", t.y, {t.k, t.n}, seed)};
    if (!t.bias.empty())
      inputs.push_back(makeTensor("bias", "bf16", {t.n}, seed));
  }
  Output reference(const Precision &precision, int64_t tile = 64) const {
    return Program(text.str()).run(inputs, sizes(tile, tile, tile), precision)[0];
  }
  Tensor device(Device &device) const {
    return device.gemm(text, inputs[0], inputs[1], inputs.size() > 2 ? &inputs[2] : nullptr);
  }
};

/// Largest |device - reference| / bound.
double usedPart(const Output &reference, const Tensor &device) {
  double used = 0;
  for (size_t i = 0; i < device.values.size(); ++i) {
    double difference = std::abs(double(device.values[i]) - reference.tensor.values[i]);
    used = std::max(used, difference == 0 ? 0 : difference / reference.bound[i]);
  }
  return used;
}

/// A typical problem: bf16 in and out, f32 accumulator, bias and relu.
Case typical(int64_t k) {
  return Case({.m = 48, .n = 64, .k = k, .bias = "row", .activation = "relu"}, 21);
}

/// The reference's own program with one input changed stands for a device that is wrong in one
/// place.
Comparison wrong(const Case &right, const std::vector<Tensor> &inputs, const Precision &precision) {
  Case changed = right;
  changed.inputs = inputs;
  return compare(right.reference(precision), changed.reference(precision).tensor);
}

} // namespace

TEST(Fidelity, LossesAreThoseOfTheWorstOperands) {
  EXPECT_EQ(fidelityLoss(4, 8, 5, 7), 0);
  for (int phases = 1; phases < 4; ++phases) {
    Device device{.phases = phases};
    double worst = 0;
    for (int a = 128; a < 256; ++a)
      for (int b = 128; b < 256; ++b)
        worst = std::max(worst, 1 - device.multiply(b, a) / (double(a) * b));
    EXPECT_NEAR(fidelityLoss(phases, 8, 5, 7), worst, 1e-14) << phases;
  }
  EXPECT_DOUBLE_EQ(fidelityLoss(2, 8, 5, 7), 1.0 / 129);
  EXPECT_DOUBLE_EQ(fidelityLoss(3, 8, 5, 7), 7.0 / 135 / 129);
  EXPECT_EQ(errorId([] { fidelityLoss(5, 8, 5, 7); }), "reference.phases");
}

TEST(Bound, HoldsForSloppyDevices) {
  Random random(5);
  double largest = 0;
  int64_t elements = 0;
  for (int trial = 0; trial < 300; ++trial) {
    GemmText text{.m = int64_t(1 + random.below(12)),
                  .n = int64_t(1 + random.below(12)),
                  .k = int64_t(1 + random.below(trial % 10 ? 80 : 700))};
    text.x = random.below(2) ? "bf16" : "f32";
    text.y = random.below(2) ? "bf16" : "f32";
    text.out = random.below(2) ? "bf16" : "f32";
    text.bias = random.below(2) ? "row" : "";
    text.activation = random.below(2) ? "relu" : "";
    Device device{.phases = int(1 + random.below(4)),
                  .tf32 = random.below(2) == 1,
                  .exactSums = random.below(3) == 0,
                  .random = Random(trial)};
    Case c(text, trial, random.below(5) ? 1 : 1e-20f);
    Output reference = c.reference(device.precision(), 1 + random.below(40));
    Tensor actual = c.device(device);
    EXPECT_TRUE(compare(reference, actual).pass) << trial;
    largest = std::max(largest, usedPart(reference, actual));
    elements += actual.values.size();
  }
  EXPECT_GT(elements, 9000);
  EXPECT_GT(largest, 0.5); // some device comes within a factor of two
}

// f32 results: the bound on the sum alone, against a sum in long double.
TEST(Bound, CoversTheReferencesOwnError) {
  for (int64_t k : {1, 2, 17, 256, 2000}) {
    Case c({.m = 6, .n = 5, .k = k, .x = "f32", .y = "f32", .out = "f32"}, k);
    Output reference = c.reference(Precision::exact(), 33);
    double worst = 0;
    for (int64_t i = 0; i < 6; ++i)
      for (int64_t j = 0; j < 5; ++j) {
        long double sum = 0, magnitude = 0;
        for (int64_t p = 0; p < k; ++p) {
          long double term = (long double)at(c.inputs[0], i, p) * at(c.inputs[1], p, j);
          sum += term;
          magnitude += std::abs(term);
        }
        float bound = reference.bound[i * 5 + j];
        EXPECT_LE(std::abs(at(reference.tensor, i, j) - sum), bound);
        // K + number of blocks + 2 roundings of 2^-24 each for the device and for the reference;
        // the last operations (the cast) add two more.
        double blocks = (k + 32) / 33;
        EXPECT_LE(bound, 2.01 * (k + blocks + 2) * 0x1p-24 * double(magnitude) + 1e-30);
        worst = std::max(worst, double(bound / magnitude));
      }
    EXPECT_GE(worst, 2 * k * 0x1p-24);
  }
}

// For bf16 results the bound is about one ulp: half for each side.
TEST(Bound, IsAboutOneUlpOfBf16) {
  Case c = typical(512);
  Output reference = c.reference(Precision::exact());
  Device device{.tf32 = true, .random = Random(3)};
  EXPECT_GT(usedPart(c.reference(device.precision()), c.device(device)), 0.3);
  for (size_t i = 0; i < reference.bound.size(); ++i) {
    double value = std::abs(reference.tensor.values[i]);
    double ulp = value > 0 ? std::ldexp(1.0, std::ilogb(value) - 7) : 0;
    EXPECT_LE(reference.bound[i], 2 * ulp + 0.06) << value; // 0.06: the sum of 512 products in f32
  }
}

TEST(Rejects, OneMissingProduct) {
  for (Precision precision : {Precision::exact(), Precision::ofMultiplier(4, 5, 7, 11)})
    for (int64_t k : {32, 128, 512}) {
      Case c = typical(k);
      std::vector<Tensor> inputs = c.inputs;
      for (int64_t i = 0; i < c.text.m; ++i)
        inputs[0].values[i * k + k / 3] = 0;
      EXPECT_GT(wrong(c, inputs, precision).mismatches, c.text.m) << k;
    }
}

TEST(Rejects, AWrongBiasElement) {
  for (Precision precision : {Precision::exact(), Precision::ofMultiplier(4, 5, 7, 11)}) {
    Case c = typical(256);
    std::vector<Tensor> inputs = c.inputs;
    inputs[2].values[10] +=
        1.5f - std::abs(inputs[2].values[10]); // as if another element had been read
    inputs[2].values[10] = nearestBf16(inputs[2].values[10]);
    Comparison comparison = wrong(c, inputs, precision);
    EXPECT_FALSE(comparison.pass);
    EXPECT_GT(comparison.mismatches, 20);
    EXPECT_EQ(comparison.worst % 64, 10);
  }
}

// Even where the multiplier may lose 1/129 of every product.
TEST(Rejects, ADroppedTailOfK) {
  for (int phases : {4, 3, 2}) {
    Case c = typical(512);
    std::vector<Tensor> inputs = c.inputs;
    for (int64_t i = 0; i < c.text.m; ++i)
      for (int64_t p = 480; p < 512; ++p)
        inputs[0].values[i * 512 + p] = 0;
    EXPECT_GT(wrong(c, inputs, Precision::ofMultiplier(phases, 5, 7, 11)).mismatches, 500)
        << phases;
  }
}

TEST(Rejects, EightUlpsInOneElement) {
  for (Precision precision : {Precision::exact(), Precision::ofMultiplier(4, 5, 7, 11)}) {
    Case c({.m = 48, .n = 64, .k = 256, .bias = "row"}, 22);
    Output reference = c.reference(precision);
    int64_t tried = 0;
    for (size_t i = 0; i < reference.bound.size(); i += 7) {
      float value = reference.tensor.values[i];
      if (std::abs(value) < 1)
        continue; // small results of large sums: the products' own error counts, not the ulp
      Tensor actual = reference.tensor;
      actual.values[i] += std::ldexp(8.0f, std::ilogb(value) - 7);
      Comparison comparison = compare(reference, actual);
      EXPECT_EQ(comparison.mismatches, 1);
      EXPECT_EQ(comparison.worst, int64_t(i));
      ++tried;
    }
    EXPECT_GT(tried, 300);
  }
}

TEST(Rejects, AnAccumulatorThatForgetsABlock) {
  GemmText text{.m = 32, .n = 32, .k = 128, .acc = "bf16"};
  Case c(text, 23);
  std::vector<Tensor> inputs = c.inputs;
  for (int64_t i = 0; i < 32; ++i)
    for (int64_t p = 32; p < 64; ++p)
      inputs[0].values[i * 128 + p] = 0;
  Case changed = c;
  changed.inputs = inputs;
  EXPECT_GT(
      compare(c.reference(Precision::exact(), 32), changed.reference(Precision::exact(), 32).tensor)
          .mismatches,
      700);
}

TEST(Compare, Figures) {
  Output expected{{"o", "f32", {4}, {1, 2, 3, 0}}, {0.1f, 0.1f, 0.1f, 0}};
  Comparison c = compare(expected, {"o", "f32", {4}, {1, 2.05f, 2.5f, 0}});
  EXPECT_FLOAT_EQ(c.maxAbs, 0.5);
  EXPECT_FLOAT_EQ(c.maxRel, 0.5 / 3);
  EXPECT_EQ(c.worst, 2);
  EXPECT_EQ(c.got, 2.5f);
  EXPECT_EQ(c.expected, 3);
  EXPECT_EQ(c.bound, 0.1f);
  EXPECT_EQ(c.mismatches, 1);
  EXPECT_FALSE(c.pass);
  // numpy.corrcoef([1, 2, 3, 0], [1, 2.05, 2.5, 0])[0, 1] by hand from the definition
  double mx = 1.5, my = 1.3875, xy = 0, xx = 0, yy = 0;
  for (auto [x, y] : {std::pair(1.0, 1.0), {2.0, double(2.05f)}, {3.0, 2.5}, {0.0, 0.0}}) {
    xy += (x - mx) * (y - my);
    xx += (x - mx) * (x - mx);
    yy += (y - my) * (y - my);
  }
  EXPECT_NEAR(c.pcc, xy / std::sqrt(xx * yy), 1e-7);
}

TEST(Compare, SpecialValues) {
  const float inf = std::numeric_limits<float>::infinity(),
              nan = std::numeric_limits<float>::quiet_NaN();
  auto with = [&](float want, float bound, float got) {
    return compare({{"o", "f32", {1}, {want}}, {bound}}, {"o", "f32", {1}, {got}});
  };
  EXPECT_TRUE(with(nan, 0, nan).pass);
  EXPECT_TRUE(with(inf, 0, inf).pass);
  EXPECT_EQ(with(inf, 0, -inf).mismatches, 1);
  EXPECT_EQ(with(nan, 0, 1).mismatches, 1);
  EXPECT_EQ(with(1, 100, nan).mismatches, 1);
  EXPECT_EQ(with(1, 100, inf).mismatches, 1);
  EXPECT_EQ(with(inf, inf, 7).undecided, 1);
  EXPECT_FALSE(with(inf, inf, 7).pass);
  EXPECT_TRUE(with(1, 0, 1).pass);
  EXPECT_EQ(errorId([&] { compare({{"o", "f32", {1}, {1}}, {0}}, {"o", "bf16", {1}, {1}}); }),
            "reference.compare");
  EXPECT_EQ(errorId([&] { compare({{"o", "f32", {1}, {1}}, {0}}, {"p", "f32", {1}, {1}}); }),
            "reference.compare");
}
