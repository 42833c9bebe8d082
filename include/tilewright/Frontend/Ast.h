// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The project's own syntax tree of a Python file, and the parser that fills it.
//
// The parser is CPython's (PyCF_ONLY_AST: nothing is compiled or executed); it sits behind
// `parsePython` so that another one can replace it.
#pragma once

#include "tilewright/Support/Diagnostic.h"
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tilewright::frontend {

/// Kinds of nodes. `Other*` are constructs that no kernel may contain; `text` is Python's name for
/// them.
enum class Syntax : uint8_t {
  // statements
  FunctionDef,
  Return,
  Assign,
  AugAssign,
  AnnAssign,
  For,
  If,
  ExprStatement,
  Assert,
  Raise,
  Pass,
  Import,
  ImportFrom,
  Block,
  OtherStatement,
  // expressions
  Name,
  Attribute,
  Constant,
  Call,
  BinOp,
  UnaryOp,
  Compare,
  BoolOp,
  IfExp,
  Subscript,
  Slice,
  Tuple,
  List,
  Lambda,
  JoinedStr,
  FormattedValue,
  Starred,
  OtherExpression,
};

/// A literal; an integer beyond 64 bits or a complex or bytes literal is kept as `Unusable` with
/// its text.
struct NoLiteral {};
struct EllipsisLiteral {};
struct Unusable {
  std::string text;
};
using Literal =
    std::variant<NoLiteral, bool, int64_t, double, std::string, EllipsisLiteral, Unusable>;

struct Node;

/// A formal parameter; `fallback` is its default value or null.
struct Parameter {
  enum Kind : uint8_t { Positional, KeywordOnly, VarPositional, VarKeyword };
  std::string name;
  Kind kind = Positional;
  const Node *fallback = nullptr;
};

/// An imported name: `import path as name` or `from module import path as name`.
struct Alias {
  std::string path;
  std::string name;
};

/// A keyword argument; an empty name is `**value`.
struct Keyword {
  std::string name;
  const Node *value = nullptr;
};

/// One node. Which fields are set, by kind:
///   FunctionDef  text = name, parameters, body, decorators
///   Return       operands = [value] or []
///   Assign       operands = [value, target...]
///   AugAssign    operands = [value, target], text = operator
///   AnnAssign    operands = [value, target] or [target] when nothing is assigned (`bare`)
///   For          operands = [iterable, target], body, orelse
///   If           operands = [condition], body, orelse
///   Assert       operands = [condition] or [condition, message]
///   Raise        operands = [exception] or []
///   Import       aliases;  ImportFrom: text = module (with leading dots), aliases
///   Block        `try`, `with` or a class: text = Python's name, body (only module level looks
///   inside) Name         text;  Attribute: operands = [object], text = attribute Constant literal
///   Call         operands = [callee, positional...], keywords
///   BinOp        operands = [left, right], text = operator;  UnaryOp: operands = [operand], text
///   Compare      operands = [first, next...], operators;  BoolOp: operands, text = "and" or "or"
///   IfExp        operands = [condition, then, otherwise]
///   Subscript    operands = [object, index];  Slice: operands = [lower, upper, step], any may be
///   null Tuple, List, JoinedStr: operands;  FormattedValue, Starred: operands = [value] Lambda
///   parameters, operands = [result]
/// Operators are spelled as in the source ("+", "@", "is not", "not in").
struct Node {
  Syntax kind = Syntax::OtherStatement;
  unsigned line = 0;   ///< counts from 1
  unsigned column = 0; ///< counts from 1, in bytes of UTF-8
  bool bare = false;
  std::string text;
  Literal literal;
  std::vector<const Node *> operands;
  std::vector<const Node *> body;
  std::vector<const Node *> orelse;
  std::vector<const Node *> decorators;
  std::vector<std::string> operators;
  std::vector<Parameter> parameters;
  std::vector<Keyword> keywords;
  std::vector<Alias> aliases;
};

/// A parsed file; owns its nodes, which refer to one another.
struct SourceTree {
  std::string file; ///< as the user named it
  std::deque<Node> nodes;
  std::vector<const Node *> body;
  Location at(const Node &node) const { return {file, node.line, node.column}; }
};

/// Parses `text`; `file` is only for messages. Errors (User): "frontend.encoding" (a NUL byte or
/// bytes that are not UTF-8), "frontend.syntax" (Python's own message), "frontend.too-large".
std::shared_ptr<const SourceTree> parsePython(const std::string &file, std::string_view text);

/// Reads and parses a file. Errors besides those of parsePython: "frontend.file".
std::shared_ptr<const SourceTree> parseFile(const std::string &path);

} // namespace tilewright::frontend
