// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON round trip, and one diagnostic for each malformed input.
#include "RandomProblem.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::solver;
using namespace tilewright::test;

static void expectEqual(const Problem &a, const Problem &b) {
  ASSERT_EQ(a.name, b.name);
  ASSERT_TRUE(a.objective == b.objective);
  ASSERT_EQ(a.variables.size(), b.variables.size());
  for (size_t i = 0; i < a.variables.size(); ++i) {
    ASSERT_EQ(a.variables[i].name, b.variables[i].name);
    ASSERT_EQ(a.variables[i].domain, b.variables[i].domain);
    ASSERT_EQ(a.variables[i].source, b.variables[i].source);
    ASSERT_EQ(a.variables[i].unpinned, b.variables[i].unpinned);
  }
  ASSERT_EQ(a.constraints.size(), b.constraints.size());
  for (size_t i = 0; i < a.constraints.size(); ++i) {
    const Constraint &x = a.constraints[i], &y = b.constraints[i];
    ASSERT_TRUE(x.name == y.name && x.lhs == y.lhs && x.rhs == y.rhs && x.relation == y.relation &&
                x.unit == y.unit && x.source == y.source);
  }
}

TEST(Problem, JsonRoundTrip) {
  RandomProblems random(61);
  for (int i = 0; i < 300; ++i) {
    Problem p = random.problem();
    p.variables[0].source = "a \"quoted\"\n line";
    p.variables[0].domain = {INT64_MIN, 0, INT64_MAX};
    ASSERT_NO_FATAL_FAILURE(expectEqual(p, Problem::fromJson(p.toJson())));
    ASSERT_EQ(Problem::fromJson(p.toJson()).toJson(), p.toJson());
  }
}

static std::string valid() {
  return R"({"name": "p", "variables": [{"name": "x", "domain": [1, 2], "source": "s"}],
    "constraints": [{"name": "c", "lhs": "x", "relation": "<=", "rhs": "5", "unit": "u", "source": "s"}],
    "objective": "x + 1"})";
}

TEST(Problem, EachMalformedInputHasADiagnostic) {
  EXPECT_NO_THROW(Problem::fromJson(valid()));
  const std::tuple<const char *, const char *, const char *> changes[] = {
      {"[1, 2]", "[2, 1]", "not sorted"},
      {"[1, 2]", "[1, 1]", "duplicates"},
      {"[1, 2]", "[]", "is empty"},
      {"[1, 2]", "[1, 2.5]", "variables[0].domain[1]: expected a 64-bit integer"},
      {"[1, 2]", "[1, 9223372036854775808]", "64-bit"},
      {"[1, 2]", "[1, true]", "64-bit"},
      {"[1, 2]", "7", "list of integers"},
      {"[1, 2]", "[1, 2], \"unpinned\": [1]", "more than one value"},
      {"\"x + 1\"", "\"x +\"", "problem.objective: "},
      {"\"x + 1\"", "\"y\"", "unknown symbol \"y\" in the objective"},
      {"\"x + 1\"", "3", "expected a string"},
      {"\"lhs\": \"x\"", "\"lhs\": \"z\"", "in constraint \"c\""},
      {"\"lhs\": \"x\", ", "", "missing key \"lhs\""},
      {"\"<=\"", "\"<\"", "expected \"<=\" or \"==\""},
      {"\"unit\"", "\"units\"", "unknown key \"units\""},
      {"\"name\": \"p\", ", "", "missing key \"name\""},
      {"{\"name\": \"c\"", "5, {\"name\": \"c\"", "constraints[0]: expected an object"},
      {"\"name\": \"x\"", "\"name\": null", "expected a string"},
      {"\"5\"", "\"9999999999999999999\"", "64 bits"},
      {"}]", "}", "malformed JSON at byte"},
  };
  for (auto [from, to, part] : changes) {
    std::string text = valid();
    text.replace(text.find(from), std::string(from).size(), to);
    try {
      Problem::fromJson(text);
      ADD_FAILURE() << to;
    } catch (const Error &e) {
      EXPECT_EQ(e.diagnostic().id, "solver.problem-json");
      EXPECT_NE(e.diagnostic().message.find(part), std::string::npos) << e.what();
    }
  }
}

TEST(Problem, TruncatedAndGarbledTextNeverCrashes) {
  std::string text = valid();
  std::mt19937 random(62);
  for (size_t i = 0; i < text.size(); ++i)
    EXPECT_THROW(Problem::fromJson(text.substr(0, i)), Error);
  for (int i = 0; i < 5000; ++i) {
    std::string garbled = text;
    garbled[random() % garbled.size()] = char(random());
    try {
      Problem::fromJson(garbled);
    } catch (const Error &e) {
      ASSERT_EQ(e.diagnostic().id, "solver.problem-json");
    }
  }
  EXPECT_THROW(Problem::fromJson(std::string(100000, '[')), Error);
  EXPECT_THROW(Problem::fromJson("[]"), Error);
}

TEST(Problem, CheckFindsDuplicateNames) {
  Problem p;
  p.variables = {{"x", {1}, "", {}}, {"x", {1}, "", {}}};
  EXPECT_THROW(p.check(), Error);
}
