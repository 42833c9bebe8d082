// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parser: places of nodes, and every way in which a file can be bad.
#include "tilewright/Frontend/Ast.h"
#include "Lower.h"

namespace tilewright::frontend::test {

/// The diagnostic of parsing `text`; fails when it parses.
static Diagnostic parseError(const std::string &text) {
  try {
    parsePython("f.py", text);
  } catch (const Error &error) {
    return error.diagnostic();
  }
  ADD_FAILURE() << "parses: " << text.substr(0, 80);
  return {};
}

static void expectError(const std::string &text, const std::string &id, unsigned line,
                        unsigned column) {
  Diagnostic error = parseError(text);
  EXPECT_EQ(error.id, id);
  EXPECT_EQ(error.kind, Kind::User);
  EXPECT_EQ(error.location.line, line) << error.str();
  EXPECT_EQ(error.location.column, column) << error.str();
}

TEST(Ast, PlacesCountFromOne) {
  auto tree = parsePython("f.py", "a = 1\nif b:\n    return f(x, k=2)\n");
  ASSERT_EQ(tree->body.size(), 2u);
  const Node &choice = *tree->body[1];
  EXPECT_EQ(choice.kind, Syntax::If);
  EXPECT_EQ(choice.operands[0]->text, "b");
  const Node &call = *choice.body[0]->operands[0];
  EXPECT_EQ(call.kind, Syntax::Call);
  EXPECT_EQ(tree->at(call).str(), "f.py:3:12");
  EXPECT_EQ(call.keywords[0].name, "k");
  EXPECT_EQ(std::get<int64_t>(call.keywords[0].value->literal), 2);
}

TEST(Ast, Parameters) {
  auto tree = parsePython("f.py", "def f(a, /, b, c=1, *rest, d, e=2, **more): pass\n");
  const auto &parameters = tree->body[0]->parameters;
  std::string kinds;
  for (const Parameter &parameter : parameters)
    kinds +=
        parameter.name + std::to_string(parameter.kind) + (parameter.fallback ? "=" : "") + " ";
  EXPECT_EQ(kinds, "a0 b0 c0= rest2 d1 e1= more3 ");
}

TEST(Ast, Literals) {
  auto tree = parsePython(
      "f.py", "(None, True, 7, 0.5, 'é', ..., 99999999999999999999, 2j, b'x', '\\ud800')\n");
  std::string kinds;
  for (const Node *item : tree->body[0]->operands[0]->operands)
    kinds += std::to_string(item->literal.index()) + " ";
  EXPECT_EQ(kinds, "0 1 2 3 4 5 6 6 6 4 ");
}

TEST(Ast, UnknownConstructsKeepTheirName) {
  auto tree = parsePython("f.py", "while x: pass\n[a for a in b]\n");
  EXPECT_EQ(tree->body[0]->kind, Syntax::OtherStatement);
  EXPECT_EQ(tree->body[0]->text, "While");
  EXPECT_EQ(tree->body[1]->operands[0]->text, "ListComp");
}

TEST(Ast, SyntaxErrorsAreLocated) {
  expectError("x = 1\ndef f(:\n    pass\n", "frontend.syntax", 2, 7);
  expectError("def f():\npass\n", "frontend.syntax", 2, 1);
  expectError("x = (1,\n", "frontend.syntax", 1, 5);
}

TEST(Ast, BadBytesAreLocated) {
  expectError(std::string("x = 1\ny = '\0'\n", 14), "frontend.encoding", 2, 6);
  expectError("x = 1\ny = '\xff'\n", "frontend.encoding", 2, 6);
  expectError("x = '\xed\xa0\x80'\n", "frontend.encoding", 1, 6);
  expectError("x = '\xc3", "frontend.encoding", 1, 6);
}

TEST(Ast, CodingCookieAndByteOrderMarkAreHarmless) {
  EXPECT_EQ(parsePython("f.py", "# -*- coding: latin-1 -*-\nx = 'é'\n")->body.size(), 1u);
  EXPECT_EQ(parsePython("f.py", "\xef\xbb\xbfx = 1\n")->body.size(), 1u);
  EXPECT_EQ(parsePython("f.py", "")->body.size(), 0u);
}

TEST(Ast, DeepNestingIsAnErrorOrAMarker) {
  auto repeated = [](const std::string &text, int count) {
    std::string result;
    while (count--)
      result += text;
    return result;
  };
  EXPECT_EQ(parseError("x = " + repeated("(", 5000) + "1" + repeated(")", 5000)).id,
            "frontend.syntax");
  EXPECT_EQ(parseError("x = 1" + repeated("+1", 200000)).id, "frontend.syntax");
  EXPECT_EQ(parseError("x = " + repeated("-", 100000) + "1").id, "frontend.syntax");
  EXPECT_EQ(parseError("x = a" + repeated(".b", 100000)).id, "frontend.syntax");
  auto tree = parsePython("f.py", "x = 1" + repeated("+1", 900) + "\n");
  const Node *node = tree->body[0]->operands[0];
  while (node->kind == Syntax::BinOp)
    node = node->operands[0];
  EXPECT_EQ(node->text, "deep nesting");
}

TEST(Ast, Files) {
  auto errorOf = [](const std::string &path) {
    try {
      parseFile(path);
    } catch (const Error &error) {
      return error.diagnostic().id + " " + error.diagnostic().message;
    }
    return std::string("parses");
  };
  EXPECT_EQ(errorOf(folder() + "none.py"),
            "frontend.file kernel file '" + folder() + "none.py' does not exist");
  EXPECT_EQ(errorOf(folder()), "frontend.file kernel file '" + folder() + "' is a directory");
  EXPECT_EQ(errorOf("/dev/zero"), "frontend.file kernel file '/dev/zero' is not a regular file");
  EXPECT_EQ(errorOf(writeFile("empty.py", "")), "parses");
  std::string big = writeFile("big.py", std::string(5 << 20, '\n'));
  EXPECT_EQ(errorOf(big).substr(0, 44), "frontend.too-large the file has 5242880 byte");
}

} // namespace tilewright::frontend::test
