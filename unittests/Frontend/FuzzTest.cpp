// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thousands of damaged kernels: each one lowers to a valid program or is refused with one Error.
#include "Lower.h"
#include <fstream>
#include <random>
#include <sstream>

namespace tilewright::frontend::test {

static std::string readFile(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

struct Seed {
  std::string text;
  std::vector<std::string> arguments;
  std::string kernel;
};

static std::vector<Seed> seeds() {
  std::string kernels = std::string(TILEWRIGHT_SOURCE_DIR) + "/kernels/";
  std::string epilogue = "epilogue=" + kernels + "epilogues.py:bias_relu";
  return {{readFile(kernels + "matmul.py"),
           {"x=bf16[64,32]", "y=bf16[32,96]", epilogue, "bias=bf16[96]"},
           ""},
          {readFile(kernels + "matmul_scaled.py"),
           {"x=bf16[64,32]", "y=f32[32,96]", "c=bf16[64,96]", "alpha=0.5"},
           ""},
          {readFile(kernels + "matmul_bias_relu.py"),
           {"x=f32[64,32]", "y=bf16[32,96]", "bias=bf16[96]"},
           ""},
          {readFile(kernels + "pointwise.py"), {"gate=bf16[64,32]", "up=bf16[64,32]"}, "swiglu"}};
}

/// Half of all results must be neither all errors nor all programs, or the mutations say nothing.
struct Tally {
  int lowered = 0, refused = 0;
  void run(const std::string &text, const Seed &seed) {
    Lowered program = lowerText(text, seed.arguments, seed.kernel);
    EXPECT_FALSE(program.error && program.error->kind == Kind::Internal) << program.text() << text;
    ++(program.error ? refused : lowered);
  }
};

TEST(Fuzz, BytesOfKernels) {
  std::mt19937 random(1);
  Tally tally;
  for (const Seed &seed : seeds())
    for (int i = 0; i < 700; ++i) {
      std::string text = seed.text;
      for (unsigned edits = random() % 3 + 1; edits--;) {
        size_t at = random() % text.size();
        switch (random() % 4) {
        case 0:
          text[at] = char(random());
          break;
        case 1:
          text.erase(at, random() % 8 + 1);
          break;
        case 2:
          text.insert(at, 1, "()[]:,.=+-*/@\n '0129abtx_"[random() % 25]);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 40));
        }
      }
      tally.run(text, seed);
    }
  EXPECT_GT(tally.lowered, 100);
  EXPECT_GT(tally.refused, 500);
}

static std::vector<std::string> tokens(const std::string &text) {
  std::vector<std::string> found;
  for (char c : text) {
    bool word = std::isalnum((unsigned char)c) || c == '_';
    bool joins = word && !found.empty() &&
                 (std::isalnum((unsigned char)found.back().back()) || found.back().back() == '_');
    if (joins)
      found.back() += c;
    else
      found.emplace_back(1, c);
  }
  return found;
}

TEST(Fuzz, TokensOfKernels) {
  std::mt19937 random(2);
  Tally tally;
  for (const Seed &seed : seeds()) {
    std::vector<std::string> original = tokens(seed.text);
    size_t body = original.size() / 4; // the header comment is less interesting
    for (int i = 0; i < 900; ++i) {
      std::vector<std::string> changed = original;
      for (unsigned edits = random() % 2 + 1; edits--;) {
        size_t at = body + random() % (changed.size() - body),
               from = body + random() % (changed.size() - body);
        if (random() % 3 == 0)
          changed.erase(changed.begin() + long(at));
        else if (random() % 2)
          changed[at] = changed[from];
        else
          std::swap(changed[at], changed[from]);
      }
      std::string text;
      for (const std::string &token : changed)
        text += token;
      tally.run(text, seed);
    }
  }
  EXPECT_GT(tally.lowered, 100);
  EXPECT_GT(tally.refused, 500);
}

TEST(Fuzz, OptionTexts) {
  std::mt19937 random(3);
  int good = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text =
        std::vector<std::string>{"x=bf16[512,512]", "a=0.5", "e=dir/f.py:g", "s='t'"}[random() % 4];
    for (unsigned edits = random() % 3; edits--;) {
      size_t at = random() % (text.size() + 1);
      if (random() % 2 && at < text.size())
        text.erase(at, 1);
      else
        text.insert(at, 1, "=[],:'.-019exNabf\xff "[random() % 19]);
    }
    try {
      parseArgument(text);
      ++good;
    } catch (const Error &error) {
      EXPECT_NE(error.diagnostic().kind, Kind::Internal) << text;
    }
  }
  EXPECT_GT(good, 2000);
  EXPECT_LT(good, 18000);
}

/// Small files that would be large or slow if nothing bounded the evaluation.
TEST(Fuzz, BoundedWork) {
  auto doubling = [](const std::string &line, int count) {
    std::string body;
    while (count--)
      body += "    " + line + "\n";
    return lowerText(
        kernelText("x", "    t = (1, 1)\n    s = 'ab'\n" + body + "    assert t == (1,), f'{t}'\n"),
        {"x=bf16[4,4]"});
  };
  EXPECT_TRUE(doubling("t = (t, t)", 200).error);
  EXPECT_TRUE(doubling("t = [*t, *t]", 60).error);
  EXPECT_TRUE(doubling("t = t + t", 60).error);
  EXPECT_TRUE(doubling("s = f'{s}{s}'", 60).error);
  std::string calls = "def f0(a): return a\n";
  for (int i = 1; i < 30; ++i)
    calls += "def f" + std::to_string(i) + "(a): return f" + std::to_string(i - 1) + "(a) + f" +
             std::to_string(i - 1) + "(a)\n";
  Lowered exponential = lowerText(calls + pointwiseText("f29(t)"), {"x=bf16[64,96]"});
  ASSERT_TRUE(exponential.error);
  EXPECT_NE(exponential.error->message.find("steps"), std::string::npos) << exponential.text();
  auto sum = [](int terms) {
    std::string text = "t";
    while (terms--)
      text += " + 1";
    return lowerText(pointwiseText(text), {"x=bf16[64,96]"});
  };
  EXPECT_FALSE(sum(150).error);
  Lowered deep = sum(250);
  ASSERT_TRUE(deep.error);
  EXPECT_NE(deep.error->message.find("deep nesting"), std::string::npos) << deep.text();
  std::string defaults = "def f(a, b=None): return a\n";
  for (int i = 0; i < 30; ++i) // inlined calls nest as deep as expressions do
    defaults += "def g" + std::to_string(i) + "(a): return " + std::string(60, '-') +
                (i ? "g" + std::to_string(i - 1) : "f") + "(a)\n";
  EXPECT_TRUE(lowerText(defaults + pointwiseText("g29(t)"), {"x=bf16[64,96]"}).error);
}

} // namespace tilewright::frontend::test
