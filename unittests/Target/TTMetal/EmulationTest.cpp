// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emitted kernels, run in emulation, against sums in double that are written out here.
#include "Run.h"
#include <cmath>
#include <functional>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::test;

namespace {

using Inputs = std::map<std::string, emulator::HostTensor>;

double at(const Inputs &inputs, const char *name, int64_t row, int64_t column) {
  const emulator::HostTensor &t = inputs.at(name);
  int64_t width = t.shape.size() == 2 ? t.shape[1] : 0;
  return t.values[t.shape.size() == 2 ? row * width + column : column];
}

struct Product {
  double sum = 0, size = 0; ///< of a * b and of |a * b|
};
Product product(const Inputs &inputs, int64_t row, int64_t column) {
  Product p;
  for (int64_t k = 0; k < inputs.at("x").shape[1]; ++k) {
    double term = at(inputs, "x", row, k) * at(inputs, "y", k, column);
    p.sum += term;
    p.size += std::abs(term);
  }
  return p;
}

/// Runs a case; `expected` gives value and tolerance of an element.
void check(
    const std::string &name,
    const std::function<std::pair<double, double>(const Inputs &, int64_t, int64_t)> &expected) {
  for (const Case &c : cases()) {
    if (c.name != name)
      continue;
    std::filesystem::path dir = std::filesystem::path(testing::TempDir()) / ("ttmetal_" + name);
    writeCase(c, dir);
    EmulatedCase run = emulateCase(dir);
    std::filesystem::remove_all(dir);
    Inputs inputs;
    for (const emulator::HostTensor &t : run.inputs)
      inputs[t.name] = t;
    const emulator::HostTensor &out = run.outputs.at(0);
    for (int64_t i = 0; i < out.shape[0]; ++i)
      for (int64_t j = 0; j < out.shape[1]; ++j) {
        auto [value, tolerance] = expected(inputs, i, j);
        ASSERT_NEAR(out.values[i * out.shape[1] + j], value, tolerance)
            << name << " at " << i << ", " << j;
      }
    return;
  }
  FAIL() << "no case " << name;
}

/// HiFi3 loses at most 2^-11 |ab|; a bf16 result is rounded by 2^-8 of itself; TF32 adds 2^-10.
std::pair<double, double> near(double value, double size) {
  return {value, 0x1p-11 * size + 0x1p-8 * std::abs(value) + 0x1p-10 * size};
}

} // namespace

TEST(TTMetalEmulation, RaggedMatmul) {
  check("ragged", [](const Inputs &in, int64_t i, int64_t j) {
    Product p = product(in, i, j);
    return near(p.sum, p.size);
  });
}

TEST(TTMetalEmulation, MulticastInWaves) {
  check("waves", [](const Inputs &in, int64_t i, int64_t j) {
    Product p = product(in, i, j);
    return near(p.sum, p.size);
  });
}

TEST(TTMetalEmulation, NonzeroStart) {
  check("nonzero_start", [](const Inputs &in, int64_t i, int64_t j) {
    Product p = product(in, i, j);
    return near(1.5 + p.sum, p.size);
  });
}

TEST(TTMetalEmulation, BiasResidualRelu) {
  check("bias_residual", [](const Inputs &in, int64_t i, int64_t j) {
    Product p = product(in, i, j);
    return near(std::max(0.0, p.sum + at(in, "bias", i, j) + at(in, "residual", i, j)), p.size + 8);
  });
}

TEST(TTMetalEmulation, VectorAsColumn) {
  check("scale_vector", [](const Inputs &in, int64_t i, int64_t j) {
    Product p = product(in, i, j);
    double scale = at(in, "scale", 0, i);
    return near(p.sum * scale, p.size * std::abs(scale));
  });
}

TEST(TTMetalEmulation, StoredF32KeepsItsBits) {
  check("bias_f32", [](const Inputs &in, int64_t i, int64_t j) {
    Product p = product(in, i, j);
    return std::pair(p.sum + at(in, "bias", i, j), 0x1p-11 * p.size + 0x1p-18 * p.size);
  });
}

TEST(TTMetalEmulation, PointwiseChain) {
  check("chain", [](const Inputs &in, int64_t i, int64_t j) {
    double product = at(in, "x", i, j) * at(in, "y", i, j),
           difference = at(in, "r", i, j) - product;
    double larger = std::max(difference * difference, at(in, "c", i, 0));
    return std::pair(larger + difference, 0x1p-8 * larger + 0x1p-18);
  });
}

TEST(TTMetalEmulation, TwoAccumulatorsWithDifferentSubblocks) {
  check("gated", [](const Inputs &in, int64_t i, int64_t j) {
    Product p = product(in, i, j);
    double gate = 0, size = 0;
    for (int64_t k = 0; k < in.at("x").shape[1]; ++k) {
      gate += at(in, "x", i, k) * at(in, "z", k, j);
      size += std::abs(at(in, "x", i, k) * at(in, "z", k, j));
    }
    double silu = p.sum / (1 + std::exp(-p.sum));
    double slack =
        0x1p-10 * (std::abs(gate) * p.size * 1.1 + std::abs(silu) * size) + 0x1p-20 * p.size * size;
    return std::pair(silu * gate, slack + 0x1p-7 * std::abs(silu * gate) + 0x1p-8);
  });
}

TEST(TTMetalEmulation, InPlaceUpdate) {
  check("in_place_sum", [](const Inputs &in, int64_t i, int64_t j) {
    double sum = 0, size = 0;
    for (int64_t k = 0; k < 4; ++k) {
      sum += at(in, "x", i, 32 * k + j);
      size += std::abs(at(in, "x", i, 32 * k + j));
    }
    return std::pair(-sum, 0x1p-21 * size);
  });
}
