// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointwise programs: every function against the C library on whole tensors, broadcasting, special
// values, block numbers, several outputs.
#include "Programs.h"
#include <cstring>

using namespace tilewright;
using namespace tilewright::reference;
using namespace tilewright::reference::test;

namespace {

/// One operation on vectors: out[t] = op(a[t] (, b[t])).
std::string vectorText(const std::string &op, const std::string &dtype, int64_t n, bool two) {
  std::string memref = fmt::format("memref<{}x{}>", n, dtype),
              tile = "!tw.tile<[@t], " + dtype + ">";
  std::string text =
      fmt::format("func.func @f(%a: {0} {{tw.name = \"a\", tw.role = \"input\"}}, ", memref);
  if (two)
    text += fmt::format("%b: {0} {{tw.name = \"b\", tw.role = \"input\"}}, ", memref);
  text += fmt::format("%out: {0} {{tw.name = \"out\", tw.role = \"output\"}}) {{\n", memref);
  text += fmt::format(
      "  %s = tw.sym @t extent {0} in [1, {0}]\n  tw.grid (%i) = [@t over {0}] {{\n", n);
  text += fmt::format("    %x = tw.load %a[%i] : {} -> {}\n", memref, tile);
  if (two)
    text += fmt::format("    %y = tw.load %b[%i] : {} -> {}\n", memref, tile);
  text += two ? fmt::format("    %z = tw.binary {} %x, %y : {}, {} -> {}\n", op, tile, tile, tile)
              : fmt::format("    %z = tw.unary {} %x : {} -> {}\n", op, tile, tile);
  return text +
         fmt::format("    tw.store %z, %out[%i] : {}, {}\n  }}\n  return\n}}\n", tile, memref);
}

Tensor vector(const std::string &name, std::vector<float> values,
              const std::string &dtype = "f32") {
  return {name, dtype, {int64_t(values.size())}, values};
}

std::vector<float> evaluate(const std::string &op, const std::vector<float> &a) {
  return Program(vectorText(op, "f32", a.size(), false))
      .run({vector("a", a)}, {{"t", 3}})[0]
      .tensor.values;
}
std::vector<float> evaluate(const std::string &op, const std::vector<float> &a,
                            const std::vector<float> &b) {
  return Program(vectorText(op, "f32", a.size(), true))
      .run({vector("a", a), vector("b", b)}, {{"t", 3}})[0]
      .tensor.values;
}

const float inf = std::numeric_limits<float>::infinity(),
            quiet = std::numeric_limits<float>::quiet_NaN();

/// Equal, with NaN equal to NaN.
void expectSame(const std::vector<float> &got, const std::vector<float> &want) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_TRUE(got[i] == want[i] || (std::isnan(got[i]) && std::isnan(want[i])))
        << i << ": " << got[i] << " instead of " << want[i];
}

} // namespace

TEST(Pointwise, FunctionsMatchLongDouble) {
  using F = long double (*)(long double);
  const long double pi = 3.14159265358979323846264338327950288L;
  static const long double c = std::sqrt(2 / pi);
  std::map<std::string, F> functions = {
      {"neg", [](long double x) { return -x; }},
      {"abs", [](long double x) { return std::fabs(x); }},
      {"exp", [](long double x) { return std::exp(x); }},
      {"exp2", [](long double x) { return std::pow(2.0L, x); }},
      {"log", [](long double x) { return std::log(x); }},
      {"sqrt", [](long double x) { return std::sqrt(x); }},
      {"rsqrt", [](long double x) { return 1 / std::sqrt(x); }},
      {"reciprocal", [](long double x) { return 1 / x; }},
      {"sigmoid", [](long double x) { return std::exp(x) / (1 + std::exp(x)); }},
      {"silu", [](long double x) { return x * std::exp(x) / (1 + std::exp(x)); }},
      {"tanh", [](long double x) { return 1 - 2 / (std::exp(2 * x) + 1); }},
      {"gelu", [](long double x) { return x * std::erfc(-x / std::sqrt(2.0L)) / 2; }},
      {"gelu_tanh",
       [](long double x) { return x / 2 * (1 + std::tanh(c * (x + 0.044715L * x * x * x))); }},
      {"relu", [](long double x) { return std::fmax(x, 0.0L); }},
      {"square", [](long double x) { return x * x; }},
      {"erf", [](long double x) { return std::erf(x); }},
      {"sin", [](long double x) { return std::sin(x); }},
      {"cos", [](long double x) { return std::cos(x); }}};
  EXPECT_EQ(functions.size(), 18u);
  for (const auto &[kind, function] : functions) {
    bool positive = kind == "log" || kind == "sqrt" || kind == "rsqrt";
    std::vector<float> a = normalValues(seedFor(1, kind), 501, false);
    for (float &value : a)
      value = positive ? std::abs(value) + 0.001f : value;
    std::vector<float> got = evaluate(kind, a);
    for (size_t i = 0; i < a.size(); ++i) {
      float want = float(function(a[i]));
      // The test's own formula cancels near 0 for some functions; one ulp covers double rounding.
      EXPECT_NEAR(got[i], want, 0x1p-23f * std::abs(want) + 1e-17f) << kind << "(" << a[i] << ")";
    }
  }
}

TEST(Pointwise, ArithmeticIsTheHostsF32) {
  std::vector<float> a = normalValues(11, 1000, false, 3), b = normalValues(12, 1000, false, 0.01f);
  std::map<std::string, float (*)(float, float)> functions = {
      {"add", [](float x, float y) { return x + y; }},
      {"sub", [](float x, float y) { return x - y; }},
      {"mul", [](float x, float y) { return x * y; }},
      {"div", [](float x, float y) { return x / y; }},
      {"max", [](float x, float y) { return x > y ? x : y; }},
      {"min", [](float x, float y) { return x < y ? x : y; }}};
  for (const auto &[kind, function] : functions) {
    std::vector<float> want;
    for (size_t i = 0; i < a.size(); ++i)
      want.push_back(function(a[i], b[i]));
    expectSame(evaluate(kind, a, b), want);
  }
}

TEST(Pointwise, EachOperationRoundsToItsType) {
  // 1.0078125 squared is 1.01568603515625: 1.015625 in bf16.
  auto out = Program(vectorText("square", "bf16", 1, false))
                 .run({vector("a", {1.0078125f}, "bf16")}, {{"t", 4}});
  EXPECT_EQ(out[0].tensor.values[0], 1.015625f);
  EXPECT_EQ(out[0].tensor.dtype, "bf16");
}

TEST(Pointwise, SpecialValues) {
  expectSame(evaluate("max", {quiet, 1, inf, -inf, quiet}, {1, quiet, 2, 3, quiet}),
             {quiet, quiet, inf, 3, quiet});
  expectSame(evaluate("min", {quiet, 1, inf, -inf, quiet}, {1, quiet, 2, 3, quiet}),
             {quiet, quiet, 2, -inf, quiet});
  expectSame(evaluate("exp2", {-inf, inf, quiet, 0}), {0, inf, quiet, 1});
  expectSame(evaluate("relu", {-inf, inf, quiet, -1}), {0, inf, quiet, 0});
  expectSame(evaluate("sub", {-inf, inf}, {-inf, 1}), {quiet, inf});
  expectSame(evaluate("log", {0, -1, inf}), {-inf, quiet, inf});
  expectSame(evaluate("div", {1, -1, 0}, {0, 0, 0}), {inf, -inf, quiet});
}

TEST(Pointwise, ColumnAndRowVectorsBroadcast) {
  std::string text = R"(
func.func @f(%c: memref<13xbf16> {tw.name = "c", tw.role = "input"}, %r: memref<9xf32> {tw.name = "r", tw.role = "input"},
             %sum: memref<13x9xf32> {tw.name = "sum", tw.role = "output"},
             %scaled: memref<9xbf16> {tw.name = "scaled", tw.role = "output"}) {
  %s0 = tw.sym @a extent 13 in [1, 13]
  %s1 = tw.sym @b extent 9 in [1, 9]
  tw.grid (%i, %j) = [@a over 13, @b over 9] {
    %c0 = tw.load %c[%i] : memref<13xbf16> -> !tw.tile<[@a], bf16>
    %c1 = tw.unsqueeze %c0 at 1 : !tw.tile<[@a], bf16> -> !tw.tile<[@a, 1], bf16>
    %r0 = tw.load %r[%j] : memref<9xf32> -> !tw.tile<[@b], f32>
    %t = tw.binary sub %r0, %c1 : !tw.tile<[@b], f32>, !tw.tile<[@a, 1], bf16> -> !tw.tile<[@a, @b], f32>
    tw.store %t, %sum[%i, %j] : !tw.tile<[@a, @b], f32>, memref<13x9xf32>
  }
  tw.grid (%j) = [@b over 9] {
    %half = tw.fill 0.5 : !tw.tile<[], f32>
    %r0 = tw.load %r[%j] : memref<9xf32> -> !tw.tile<[@b], f32>
    %t = tw.binary mul %half, %r0 : !tw.tile<[], f32>, !tw.tile<[@b], f32> -> !tw.tile<[@b], bf16>
    tw.store %t, %scaled[%j] : !tw.tile<[@b], bf16>, memref<9xbf16>
  }
  return
})";
  Tensor c = makeTensor("c", "bf16", {13}, 1), r = makeTensor("r", "f32", {9}, 1);
  for (int64_t a : {1, 5, 13, 32})
    for (int64_t b : {1, 4, 9, 33}) {
      auto out = Program(text).run({c, r}, {{"a", a}, {"b", b}});
      ASSERT_EQ(out.size(), 2u);
      for (int64_t i = 0; i < 13; ++i)
        for (int64_t j = 0; j < 9; ++j)
          EXPECT_EQ(at(out[0].tensor, i, j), r.values[j] - c.values[i]);
      for (int64_t j = 0; j < 9; ++j)
        EXPECT_EQ(out[1].tensor.values[j], nearestBf16(0.5 * r.values[j]));
    }
}

// A tensor shorter than the loop reads 0 beyond its end, and the longer one goes on.
TEST(Pointwise, LoadsBeyondATensorReadZero) {
  std::string text = vectorText("add", "f32", 10, true);
  for (size_t at; (at = text.find("%b: memref<10x")) != std::string::npos;)
    text.replace(at, 14, "%b: memref<6x");
  text.replace(text.find("%b[%i] : memref<10x"), 19, "%b[%i] : memref<6x");
  Tensor a = makeTensor("a", "f32", {10}, 3), b = makeTensor("b", "f32", {6}, 3);
  for (int64_t t : {1, 3, 4, 16}) {
    auto out = Program(text).run({a, b}, {{"t", t}});
    for (int64_t i = 0; i < 10; ++i)
      EXPECT_EQ(out[0].tensor.values[i], a.values[i] + (i < 6 ? b.values[i] : 0));
  }
}

TEST(Pointwise, ValuesStoredCanBeLoadedBackByTheSameBlock) {
  std::string text = vectorText("add", "bf16", 11, true);
  std::string tile = "!tw.tile<[@t], bf16>", memref = "memref<11xbf16>";
  size_t end = text.find("  }\n  return");
  text.insert(end, fmt::format("    %w = tw.load %out[%i] : {1} -> {0}\n    %v = tw.binary mul %w, "
                               "%w : {0}, {0} -> {0}\n"
                               "    tw.store %v, %out[%i] : {0}, {1}\n",
                               tile, memref));
  Tensor a = makeTensor("a", "bf16", {11}, 4), b = makeTensor("b", "bf16", {11}, 4);
  auto out = Program(text).run({a, b}, {{"t", 4}});
  for (int64_t i = 0; i < 11; ++i) {
    double sum = nearestBf16(double(a.values[i]) + b.values[i]);
    EXPECT_EQ(out[0].tensor.values[i], nearestBf16(sum * sum));
  }
}
