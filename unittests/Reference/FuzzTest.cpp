// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random chains of pointwise operations on a sloppy device: the bound is never exceeded.
#include "Device.h"

using namespace tilewright;
using namespace tilewright::reference;
using namespace tilewright::reference::test;

namespace {

constexpr int64_t length = 40;

struct Step {
  bool isBinary;
  int kind;
  size_t lhs, rhs; // earlier values
  bool bf16;
};

/// Values 0 and 1 are the inputs; each step adds one, and the last one is stored.
struct Chain {
  bool inputBf16[2];
  std::vector<Step> steps;
  bool isBf16(size_t value) const { return value < 2 ? inputBf16[value] : steps[value - 2].bf16; }
};

const char *unaryNames[] = {"neg",       "abs",        "exp",     "exp2", "log",  "sqrt",
                            "rsqrt",     "reciprocal", "sigmoid", "silu", "tanh", "gelu",
                            "gelu_tanh", "relu",       "square",  "erf",  "sin",  "cos"};
const char *binaryNames[] = {"add", "sub", "mul", "div", "max", "min"};

Chain randomChain(Random &random) {
  Chain chain{{random.below(2) == 1, random.below(2) == 1}, {}};
  size_t count = 1 + random.below(5);
  for (size_t i = 0; i < count; ++i) {
    Step step{random.below(2) == 1, 0, 1 + i, random.below(2 + i), random.below(2) == 1};
    step.kind = int(random.below(step.isBinary ? 6 : 18));
    chain.steps.push_back(step);
  }
  return chain;
}

std::string tile(bool bf16) {
  return std::string("!tw.tile<[@t], ") + (bf16 ? "bf16>" : "f32>");
}
std::string memref(bool bf16) {
  return fmt::format("memref<{}x{}>", length, bf16 ? "bf16" : "f32");
}

std::string text(const Chain &chain) {
  bool out = chain.isBf16(chain.steps.size() + 1);
  std::string t = fmt::format(
      "func.func @f(%a: {} {{tw.name = \"a\", tw.role = \"input\"}}, %b: {} {{tw.name = \"b\", "
      "tw.role = \"input\"}}, %out: {} {{tw.name = \"out\", tw.role = \"output\"}}) {{\n",
      memref(chain.isBf16(0)), memref(chain.isBf16(1)), memref(out));
  t += fmt::format("  %s = tw.sym @t extent {0} in [1, {0}]\n  tw.grid (%i) = [@t over {0}] {{\n",
                   length);
  for (int i : {0, 1})
    t += fmt::format("    %v{} = tw.load %{}[%i] : {} -> {}\n", i, i ? "b" : "a",
                     memref(chain.isBf16(i)), tile(chain.isBf16(i)));
  for (size_t i = 0; i < chain.steps.size(); ++i) {
    const Step &s = chain.steps[i];
    if (s.isBinary)
      t += fmt::format("    %v{} = tw.binary {} %v{}, %v{} : {}, {} -> {}\n", i + 2,
                       binaryNames[s.kind], s.lhs, s.rhs, tile(chain.isBf16(s.lhs)),
                       tile(chain.isBf16(s.rhs)), tile(s.bf16));
    else
      t += fmt::format("    %v{} = tw.unary {} %v{} : {} -> {}\n", i + 2, unaryNames[s.kind], s.lhs,
                       tile(chain.isBf16(s.lhs)), tile(s.bf16));
  }
  return t + fmt::format("    tw.store %v{}, %out[%i] : {}, {}\n  }}\n  return\n}}\n",
                         chain.steps.size() + 1, tile(out), memref(out));
}

double function(int kind, double x) {
  double s = 1 / (1 + std::exp(-x));
  double z = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
  double all[] = {-x,
                  std::abs(x),
                  std::exp(x),
                  std::exp2(x),
                  std::log(x),
                  std::sqrt(x),
                  1 / std::sqrt(x),
                  1 / x,
                  s,
                  x * s,
                  std::tanh(x),
                  x * std::erfc(-x / M_SQRT2) / 2,
                  x / (1 + std::exp(-2 * z)),
                  x > 0   ? x
                  : x < 0 ? 0
                          : x,
                  x * x,
                  std::erf(x),
                  std::sin(x),
                  std::cos(x)};
  return all[kind];
}

/// One element on the device. A value of a bf16 step may stay unrounded (steps that are fused),
/// except where the multiplier needs bf16.
float runDevice(const Chain &chain, Device &device, float a, float b) {
  std::vector<float> values{a, b};
  auto operand = [&](size_t i, bool multiplies) {
    float value = device.read(values[i], chain.isBf16(i));
    return multiplies && device.phases < 4 && chain.isBf16(i) ? nearestBf16(value) : value;
  };
  for (const Step &s : chain.steps) {
    double x = operand(s.lhs, s.isBinary && s.kind == 2), result;
    if (!s.isBinary) {
      result =
          s.kind < 2 || s.kind == 13 ? function(s.kind, x) : device.sloppy(function(s.kind, x));
    } else {
      double y = operand(s.rhs, s.kind == 2);
      double all[] = {
          x + y, x - y, 0, device.sloppy(x / y), x != x || x > y ? x : y, x != x || x < y ? x : y};
      result = s.kind == 2 ? (std::isfinite(x * y) ? device.multiply(y, x) : x * y) : all[s.kind];
    }
    bool round = s.bf16 && (&s == &chain.steps.back() || device.random.below(2));
    values.push_back(round ? nearestBf16(float(result)) : float(result));
  }
  return device.read(values.back(), chain.steps.back().bf16);
}

} // namespace

TEST(Fuzz, PointwiseChainsStayWithinTheBound) {
  Random random(99);
  int64_t decided = 0, undecided = 0, close = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    Chain chain = randomChain(random);
    Device device{.phases = int(1 + random.below(4)),
                  .tf32 = random.below(2) == 1,
                  .functionError = random.below(3) ? 0 : 0.01,
                  .random = Random(trial)};
    auto type = [&](int i) { return chain.inputBf16[i] ? "bf16" : "f32"; };
    Tensor a = makeTensor("a", type(0), {length}, trial),
           b = makeTensor("b", type(1), {length}, trial);
    Output reference = Program(text(chain)).run({a, b}, {{"t", 16}}, device.precision())[0];
    Tensor actual = reference.tensor;
    for (int64_t i = 0; i < length; ++i)
      actual.values[i] = runDevice(chain, device, a.values[i], b.values[i]);
    Comparison c = compare(reference, actual);
    EXPECT_EQ(c.mismatches, 0) << text(chain) << "at " << c.worst << " got " << c.got
                               << " expected " << c.expected << " bound " << c.bound << " a "
                               << a.values[c.worst] << " b " << b.values[c.worst];
    undecided += c.undecided; // a pole, overflow or the end of a domain within the error
    for (int64_t i = 0; i < length; ++i) {
      double difference = std::abs(double(actual.values[i]) - reference.tensor.values[i]);
      decided += std::isfinite(reference.bound[i]);
      close += std::isfinite(difference) && difference > 0.5 * reference.bound[i] &&
               std::isfinite(reference.bound[i]);
    }
  }
  EXPECT_GT(decided, 90000);
  EXPECT_LT(undecided, decided / 50);
  EXPECT_GT(close, decided / 500); // devices do come close to it
  RecordProperty("decided", decided);
  RecordProperty("undecided", undecided);
  RecordProperty("close", close);
}
