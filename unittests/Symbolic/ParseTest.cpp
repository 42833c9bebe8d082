// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parser's errors, and that no input makes it crash.
#include "tilewright/Symbolic/Expr.h"
#include <gtest/gtest.h>
#include <random>

using namespace tilewright;
using namespace tilewright::symbolic;

static void expectError(std::string text, unsigned column, std::string part) {
  try {
    parse(text);
    ADD_FAILURE() << "parsed: " << text;
  } catch (const Error &e) {
    EXPECT_EQ(e.diagnostic().id, "symbolic.parse") << text;
    EXPECT_EQ(e.diagnostic().location.column, column) << e.what();
    EXPECT_NE(e.diagnostic().message.find(part), std::string::npos) << e.what();
  }
}

TEST(Parse, ErrorsHaveTheColumn) {
  expectError("", 1, "end of text");
  expectError("a +", 4, "end of text");
  expectError("a + * b", 5, "found \"*\"");
  expectError("(a", 3, "expected \")\"");
  expectError("a b", 3, "unexpected \"b\"");
  expectError("foo(a)", 1, "unknown function \"foo\"");
  expectError("2 + mod(a)", 5, "\"mod\" takes 2 arguments, found 1");
  expectError("max(a)", 1, "two or more");
  expectError("select(a, b)", 1, "takes 3");
  expectError("a < b < c", 7, "chained");
  expectError("12ab", 3, "in a number");
  expectError("1.5", 2, "in a number");
  expectError("a / b", 3, "unexpected \"/\"");
  expectError("9223372036854775808", 1, "64 bits");
  expectError("a - -9223372036854775809", 6, "64 bits");
  expectError("a @ ", 3, "unexpected");
}

TEST(Parse, Precedence) {
  Environment e{{"a", 7}, {"b", 3}, {"c", 2}};
  EXPECT_EQ(evaluate(parse("a + b * c"), e), 13);
  EXPECT_EQ(evaluate(parse("a // b * c"), e), 4);
  EXPECT_EQ(evaluate(parse("a * c // b"), e), 4);
  EXPECT_EQ(evaluate(parse("-a // c"), e), -4) << "the sign binds tighter than the division";
  EXPECT_EQ(evaluate(parse("c - a // c"), e), -1);
  EXPECT_EQ(evaluate(parse("a - b - c"), e), 2);
  EXPECT_EQ(evaluate(parse("a - b < c + 3"), e), 1);
  EXPECT_EQ(evaluate(parse(" - - a % ( b + 1 )\n"), e), 3);
  EXPECT_EQ(evaluate(parse("max(a,b,c) + min(a,b,c) + floordiv(a, b) + mod(a, b)"), e), 12);
  EXPECT_EQ(parse("-9223372036854775808").value(), INT64_MIN);
  EXPECT_EQ(parse("max").name(), "max") << "a symbol where no parenthesis follows";
}

TEST(Parse, DeepTextIsAnErrorNotACrash) {
  for (const char *open : {"(", "max(1,", "select(a,", "a//(b+", "-(", "a<(b<"}) {
    std::string text;
    for (int i = 0; i < 100000; ++i)
      text += open;
    EXPECT_THROW(parse(text), Error) << open;
  }
  EXPECT_EQ(parse(std::string(100000, '-') + "a").str(), "a");
  std::string chain = "a";
  for (int i = 0; i < 20000; ++i)
    chain += "+a";
  EXPECT_EQ(parse(chain).str(), "a * 20001");
}

TEST(Parse, AnyTextParsesOrIsAnError) {
  static const char *const tokens[] = {
      "a",  "b", "1",    "32", "(",  ")",    ",",       "+",        "-", "*",
      "//", "%", "<=",   "<",  "==", "max(", "select(", "ceildiv(", " ", "9223372036854775807",
      "!",  "=", "\xff", "#"};
  std::mt19937 random(11);
  unsigned parsed = 0;
  for (int i = 0; i < 60000; ++i) {
    std::string text;
    for (unsigned n = random() % 9 + 1; n; --n)
      text += tokens[random() % std::size(tokens)];
    try {
      Expr e = parse(text);
      ++parsed;
      ASSERT_TRUE(parse(e.str()) == e) << text;
    } catch (const Error &) {
    }
  }
  EXPECT_GT(parsed, 500u);
}

TEST(Parse, RandomBytes) {
  std::mt19937 random(12);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (unsigned n = random() % 40; n; --n)
      text += char(random());
    try {
      parse(text);
    } catch (const Error &) {
    }
  }
}
