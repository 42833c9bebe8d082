// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Mixture.h"
#include <array>
#include <cmath>

namespace tilewright::driver {

using matmul::Layout;
using matmul::Shape;

namespace {
struct Layer {
  int64_t in, out;
};
constexpr Layer recommendation[] = {
    {13, 512},  {512, 256},   {256, 128},   {479, 1024},  {1024, 1024}, {1024, 512},
    {256, 1},   {3456, 512},  {512, 3456},  {3456, 1024}, {272, 64},    {64, 272},
    {272, 256}, {336, 128},   {128, 96},    {96, 64},     {64, 32},     {32, 16},
    {16, 1},    {256, 512},   {256, 3},     {128, 256},   {160, 128},   {96, 256},
    {48, 128},  {1536, 6144}, {6144, 1536}, {768, 3072},  {3072, 768},  {367, 512}};
constexpr Layer language[] = {{4096, 14336}, {14336, 4096}, {4096, 4096}, {4096, 1024},
                              {7168, 2112},  {1536, 24576}, {512, 32768}, {16384, 7168},
                              {7168, 18432}, {18432, 7168}, {5120, 5120}, {5120, 17408},
                              {17408, 5120}, {7168, 129280}};
constexpr Layer experts[] = {{4096, 14336}, {14336, 4096}, {7168, 4096},
                             {2048, 7168},  {7168, 2048},  {1536, 4096}};

/// log2-uniform without a math library's rounding in the result's last bits mattering: the size is
/// an integer, and drawn again nowhere depends on it.
int64_t logUniform(Random &random, int64_t most) {
  double exponent = double(random.uniform()) * std::log2(double(most));
  int64_t size = int64_t(std::exp2(exponent));
  return size < 1 ? 1 : size > most ? most : size;
}

/// Median 2048, sigma 1.2 in natural logarithms.
int64_t batchSize(Random &random) {
  int64_t size = int64_t(2048 * std::exp(1.2 * double(random.normal())));
  return size < 1 ? 1 : size > 100000 ? 100000 : size;
}

int64_t boundarySize(Random &random) {
  constexpr int64_t around[] = {16, 32, 128, 256, 512, 4096, 8192, 16384, 65535};
  return around[random.below(std::size(around))] + int64_t(random.below(3)) - 1;
}

template <size_t n> Layer pick(const Layer (&layers)[n], Random &random) {
  return layers[random.below(n)];
}

MixedShape draw(Random &random) {
  uint64_t dice = random.below(100);
  Shape s;
  auto set = [&](int64_t m, int64_t n, int64_t k) { s.m = m, s.n = n, s.k = k; };
  auto forward = [&](Layer layer, int64_t rows) {
    set(rows, layer.out, layer.in), s.layoutB = Layout::Column;
  };
  s.layoutA = random.below(4) ? Layout::Row : Layout::Column;
  s.layoutB = random.below(2) ? Layout::Row : Layout::Column;
  s.dtype = random.below(2) ? matmul::Dtype::Bf16 : matmul::Dtype::Fp16;
  if (dice < 25)
    return set(logUniform(random, 100000), logUniform(random, 100000), logUniform(random, 100000)),
           MixedShape{"log-uniform", s};
  if (dice < 45) {
    Layer layer = pick(recommendation, random);
    layer.in += random.below(4) == 0 ? int64_t(random.below(16)) : 0; // concatenated features
    return forward(layer, batchSize(random)), MixedShape{"recommendation", s};
  }
  if (dice < 60) {
    Layer layer = pick(recommendation, random);
    s.layoutA = Layout::Column, s.layoutB = Layout::Row;
    return set(layer.in, layer.out, batchSize(random)), MixedShape{"weight gradient", s};
  }
  if (dice < 80)
    return forward(pick(language, random), logUniform(random, 16384)),
           MixedShape{"language model", s};
  if (dice < 90)
    return forward(pick(experts, random), logUniform(random, 512)), MixedShape{"experts", s};
  set(boundarySize(random), boundarySize(random), boundarySize(random));
  if (dice < 95)
    return {"boundary", s};
  s.lda = s.pitchA() + 1 + int64_t(random.below(300));
  s.ldb = s.pitchB() + 1 + int64_t(random.below(300));
  return {"strided", s};
}
} // namespace

MixedShape drawShape(Random &random) {
  while (true) {
    MixedShape drawn = draw(random);
    const Shape &s = drawn.shape;
    double products = double(s.m) * double(s.n) * double(s.k);
    double elements =
        double(s.m) * double(s.k) + double(s.k) * double(s.n) + double(s.m) * double(s.n);
    if (products <= double(int64_t(1) << 42) && elements <= double(int64_t(1) << 34))
      return drawn;
  }
}

} // namespace tilewright::driver
