// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What simplification yields, in text; and the edges of the 64-bit range.
#include "tilewright/Symbolic/Tape.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::symbolic;

static std::string simplified(const char *text) {
  return parse(text).str();
}
static std::string errorOf(auto &&compute) {
  try {
    compute();
  } catch (const Error &e) {
    return e.diagnostic().id;
  }
  return "";
}

TEST(Rules, Sums) {
  EXPECT_EQ(simplified("a + a"), "a * 2");
  EXPECT_EQ(simplified("x - x"), "0");
  EXPECT_EQ(simplified("3 + b + a - 1"), "a + b + 2");
  EXPECT_EQ(simplified("b - a"), "b - a");
  EXPECT_EQ(simplified("2 * (x + y + 1) - x"), "x + y * 2 + 2");
  EXPECT_EQ(simplified("-(a // b)"), "-(a // b)");
  EXPECT_EQ(simplified("x - a // b"), "x - a // b");
}

TEST(Rules, Products) {
  EXPECT_EQ(simplified("4 * tile_m * 2"), "tile_m * 8");
  EXPECT_EQ(simplified("x * 0 * y"), "0");
  EXPECT_EQ(simplified("(2*a + 2*b) * x"), "x * (a + b) * 2");
  EXPECT_EQ(simplified("(b - a) * (b - a)"), "(a - b) * (a - b)")
      << "one sign for a squared difference";
  EXPECT_TRUE(parse("(a - b) * x") == parse("(b - a) * x * -1"));
  EXPECT_EQ(simplified("(a < b) * (c == 0)"), "(a < b) * (c == 0)");
}

TEST(Rules, Divisions) {
  EXPECT_EQ(simplified("ceildiv(4096, tile_m * 8)"), "ceildiv(4096, tile_m * 8)");
  EXPECT_EQ(simplified("(a * 6) // 3"), "a * 2");
  EXPECT_EQ(simplified("(a * b * 6) // (b * 2)"), "a * 3");
  EXPECT_EQ(simplified("(32 * a + b) // 32"), "a + b // 32");
  EXPECT_EQ(simplified("ceildiv(ceildiv(x, 4), 8)"), "ceildiv(x, 32)");
  EXPECT_EQ(simplified("x // 4 // 8"), "x // 32");
  EXPECT_EQ(simplified("(x + 31) // 32"), "ceildiv(x, 32)");
  EXPECT_EQ(simplified("2 * x // 4"), "x // 2");
  EXPECT_EQ(simplified("ceildiv(x, -1)"), "-x");
  EXPECT_EQ(simplified("ceildiv(-7, 2)"), "-3");
  EXPECT_EQ(simplified("-7 // 2"), "-4");
  EXPECT_EQ(simplified("a // 0"), "a // 0") << "stays, and is an error where it is evaluated";
}

TEST(Rules, Modulo) {
  EXPECT_EQ(simplified("x % 1"), "0");
  EXPECT_EQ(simplified("-7 % 3"), "2");
  EXPECT_EQ(simplified("7 % -3"), "-2");
  EXPECT_EQ(simplified("(64 * a + b + 33) % 32"), "(b + 1) % 32");
  EXPECT_EQ(simplified("(x % 64) % 32"), "x % 32");
  EXPECT_EQ(simplified("(x % 32) % 64"), "x % 32 % 64");
  EXPECT_EQ(simplified("(a * b) % b"), "0");
}

TEST(Rules, MinMaxCompareSelect) {
  EXPECT_EQ(simplified("max(a, 3, max(b, 5), a)"), "max(a, b, 5)");
  EXPECT_EQ(simplified("min(7, a, 3)"), "min(a, 3)");
  EXPECT_EQ(simplified("max(2, min(3, 9))"), "3");
  EXPECT_EQ(simplified("a >= b"), "b <= a");
  EXPECT_EQ(simplified("0 == a"), "a == 0");
  EXPECT_EQ(simplified("a < a"), "0");
  EXPECT_EQ(simplified("3 <= 4"), "1");
  EXPECT_EQ(simplified("select(a != 0, b, c)"), "select(a, b, c)");
  EXPECT_EQ(simplified("select(a == 0, b, c)"), "select(a, c, b)");
  EXPECT_EQ(simplified("select(a < b, 1, 0)"), "a < b");
  EXPECT_EQ(simplified("select(k, x, x)"), "x");
}

TEST(Overflow, IsAnErrorAndNeverWraps) {
  const int64_t most = INT64_MAX, least = INT64_MIN;
  Environment e{{"x", most}, {"y", least}, {"z", 2}, {"n", -1}, {"o", 0}, {"w", int64_t(1) << 43}};
  for (const char *text : {"x + 1", "y - 1", "x * z", "-y", "y // n", "ceildiv(y, n)", "x + x",
                           "x * x * x", "w * w * w"}) {
    EXPECT_EQ(errorOf([&] { evaluate(parse(text), e); }), "symbolic.overflow") << text;
    Expr root = parse(text);
    std::vector<std::string> names = symbols(root);
    std::vector<int64_t> point, scratch;
    for (const std::string &name : names)
      point.push_back(e.at(name));
    int64_t result;
    EXPECT_FALSE(Tape(std::span(&root, 1), names).evaluate(point, std::span(&result, 1), scratch))
        << text;
  }
}

TEST(Overflow, WideIntermediatesGiveExactResults) {
  Environment e{{"x", INT64_MAX}, {"y", INT64_MIN}, {"z", 2}, {"n", -1}, {"o", 0}};
  EXPECT_EQ(evaluate(parse("x + x + y + y"), e), -2);
  EXPECT_EQ(evaluate(parse("x * z - x * 1"), e), INT64_MAX);
  EXPECT_EQ(evaluate(parse("x * x - x * (x - 1)"), e), INT64_MAX);
  EXPECT_EQ(evaluate(parse("x * x * x * o"), e), 0);
  EXPECT_EQ(evaluate(parse("y % n"), e), 0);
  EXPECT_EQ(evaluate(parse("select(o, x * x, 7)"), e), 7);
  EXPECT_EQ(evaluate(parse("select(o, 1 // o, 7)"), e), 7);
}

TEST(Overflow, OfConstantsIsFoundWhenBuilding) {
  EXPECT_EQ(errorOf([] { Expr(INT64_MAX) + Expr(1); }), "symbolic.overflow");
  EXPECT_EQ(errorOf([] { Expr(INT64_MIN) * Expr(-1); }), "symbolic.overflow");
  EXPECT_EQ((Expr(INT64_MAX) + Expr::symbol("a") - Expr(INT64_MAX)).str(), "a");
}

TEST(Evaluate, NamesWhatIsMissing) {
  EXPECT_EQ(errorOf([] { evaluate(parse("a + b"), {{"a", 1}}); }), "symbolic.unbound");
  EXPECT_EQ(errorOf([] { evaluate(parse("a // b"), {{"a", 1}, {"b", 0}}); }),
            "symbolic.division-by-zero");
  EXPECT_EQ(evaluate(parse("select(a, 1, b)"), {{"a", 1}}), 1) << "the other arm is not evaluated";
  Expr root = parse("a + b");
  std::vector<std::string> onlyA{"a"};
  EXPECT_EQ(errorOf([&] { Tape(std::span(&root, 1), onlyA); }), "symbolic.unbound");
}

TEST(Symbols, SortedAndUnique) {
  EXPECT_EQ(symbols(parse("max(c, a) * b + a")), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(errorOf([] { Expr::symbol("1x"); }), "symbolic.symbol-name");
  EXPECT_EQ(errorOf([] { Expr::symbol(""); }), "symbolic.symbol-name");
  EXPECT_EQ(errorOf([] { Expr::symbol("a b"); }), "symbolic.symbol-name");
}

TEST(Depth, IsLimitedAndSharingIsCheap) {
  Expr e = Expr::symbol("a");
  EXPECT_EQ(errorOf([&] {
              for (int i = 0; i < 100000; ++i)
                e = floordiv(e, Expr::symbol("b")) + 1;
            }),
            "symbolic.depth");
  Expr shared = Expr::symbol("a");
  for (int i = 0; i < 100; ++i) // 2^100 paths, 200 nodes
    shared = mod(max(shared, 1), shared + 7);
  EXPECT_NO_THROW(evaluate(shared, {{"a", 5}}));
  EXPECT_NO_THROW(bounds(shared, {{"a", {1, 9}}}));
  EXPECT_EQ(symbols(substitute(shared, {{"a", Expr::symbol("z")}})), std::vector<std::string>{"z"});
}

TEST(Tape, SharesSubexpressions) {
  Expr a = Expr::symbol("a"), b = Expr::symbol("b"), heavy = floordiv(a * a, b);
  std::vector<Expr> roots{heavy + 1, max(heavy, a), heavy};
  std::vector<std::string> names{"a", "b"};
  Tape tape(roots, names);
  EXPECT_EQ(tape.size(), 6u); // a, b, a*a, //, +, max
  std::vector<int64_t> point{7, 2}, results(3), scratch;
  ASSERT_TRUE(tape.evaluate(point, results, scratch));
  EXPECT_EQ(results, (std::vector<int64_t>{25, 24, 24}));
}
