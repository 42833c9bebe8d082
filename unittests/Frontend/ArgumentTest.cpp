// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of `-a` options, good and bad.
#include "Lower.h"

namespace tilewright::frontend::test {

TEST(Argument, Tensors) {
  Argument x = parseArgument("x=bf16[512, 256]");
  EXPECT_EQ(x.kind, Argument::Tensor);
  EXPECT_EQ(x.name, "x");
  EXPECT_EQ(x.dtype, "bfloat16");
  EXPECT_EQ(x.dims, (std::vector<int64_t>{512, 256}));
  for (const char *spelling : {"f32", "fp32", "float32", "float"})
    EXPECT_EQ(parseArgument(std::string("v=") + spelling + "[7]").dtype, "float32");
  EXPECT_EQ(parseArgument("v=bfloat16[7]").dims, (std::vector<int64_t>{7}));
}

TEST(Argument, Scalars) {
  EXPECT_EQ(std::get<double>(parseArgument("a=0.5").value), 0.5);
  EXPECT_EQ(std::get<double>(parseArgument("a=-1e-3").value), -1e-3);
  EXPECT_EQ(std::get<int64_t>(parseArgument("a=-3").value), -3);
  EXPECT_EQ(std::get<bool>(parseArgument("a=True").value), true);
  EXPECT_EQ(parseArgument("a=None").value.index(), 0u);
  EXPECT_EQ(std::get<std::string>(parseArgument("a=sum").value), "sum");
  EXPECT_EQ(std::get<std::string>(parseArgument("a='x=[1:2]'").value), "x=[1:2]");
}

TEST(Argument, Callables) {
  Argument epilogue = parseArgument("epilogue=some/dir.d/file.py:bias_relu");
  EXPECT_EQ(epilogue.kind, Argument::Callable);
  EXPECT_EQ(epilogue.file, "some/dir.d/file.py");
  EXPECT_EQ(epilogue.function, "bias_relu");
}

struct Bad {
  const char *text;
  const char *id;
  unsigned column;
  const char *message;
};

std::ostream &operator<<(std::ostream &stream, const Bad &bad) {
  return stream << bad.text;
}

class BadArgument : public ::testing::TestWithParam<Bad> {};

TEST_P(BadArgument, IsLocated) {
  Bad bad = GetParam();
  try {
    parseArgument(bad.text);
    FAIL() << bad.text << " parses";
  } catch (const Error &error) {
    EXPECT_EQ(error.diagnostic().id, bad.id) << error.what();
    EXPECT_EQ(error.diagnostic().location.column, bad.column) << error.what();
    EXPECT_NE(error.diagnostic().message.find(bad.message), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Options, BadArgument,
    ::testing::Values(Bad{"x", "frontend.argument", 1, "'x' has no value"},
                      Bad{"", "frontend.argument", 1, "no value"},
                      Bad{"=bf16[4]", "frontend.argument", 1, "no name"},
                      Bad{"3x=1", "frontend.argument", 1, "'3x' is not a name"},
                      Bad{"x=", "frontend.argument", 3, "empty value"},
                      Bad{"x=bf17[4]", "frontend.dtype", 3, "unknown dtype 'bf17'"},
                      Bad{"x=fp16[4]", "frontend.dtype", 3, "'fp16'"},
                      Bad{"x=int32[4]", "frontend.dtype", 3, "'int32'"},
                      Bad{"x=[4]", "frontend.dtype", 3, "unknown dtype ''"},
                      Bad{"x=bf16", "frontend.argument", 7, "no dims"},
                      Bad{"x=bf16[4", "frontend.argument", 9, "']' is missing"},
                      Bad{"x=bf16[0,4]", "frontend.dim", 8, "'0'"},
                      Bad{"x=bf16[4,-4]", "frontend.dim", 10, "'-4'"},
                      Bad{"x=bf16[4,]", "frontend.dim", 10, "''"},
                      Bad{"x=bf16[4,a]", "frontend.dim", 10, "'a'"},
                      Bad{"x=bf16[99999999999999999999]", "frontend.dim", 8, "64 bits"},
                      Bad{"x=bf16[4294967296,4294967296]", "frontend.dim", 8, "64 bits"},
                      Bad{"x=bf16[]", "frontend.dim", 8, "0 dims"},
                      Bad{"x=bf16[2,2,2]", "frontend.dim", 8, "3 dims"},
                      Bad{"e=f.py:", "frontend.argument", 3, "no function"},
                      Bad{"e=:f", "frontend.argument", 3, "no function"},
                      Bad{"s='abc", "frontend.argument", 3, "closing quote"},
                      Bad{"a=99999999999999999999", "frontend.argument", 3, "64 bits"},
                      Bad{"a=1..2", "frontend.argument", 3, "'1..2'"}));

TEST(Argument, KnownDtypesAreUnsupportedAndUnknownOnesWrong) {
  auto kindOf = [](const char *text) {
    try {
      parseArgument(text);
    } catch (const Error &error) {
      return error.diagnostic().kind;
    }
    return Kind::Internal;
  };
  EXPECT_EQ(kindOf("x=float16[4]"), Kind::Unsupported);
  EXPECT_EQ(kindOf("x=float17[4]"), Kind::User);
  EXPECT_EQ(kindOf("x=bf16[2,2,2]"), Kind::Unsupported);
}

} // namespace tilewright::frontend::test
