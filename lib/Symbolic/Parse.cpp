// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursive-descent parser of expression text; its depth is limited, so no input can exhaust the
// stack.
#include "Node.h"
#include <cctype>

namespace tilewright::symbolic {

namespace {

class Parser {
public:
  explicit Parser(std::string_view t) : text(t) {}

  Expr parse() {
    Expr e = comparison();
    skipSpace();
    if (at != text.size())
      fail(at, "unexpected " + here());
    return e;
  }

private:
  [[noreturn]] void fail(size_t where, std::string message) {
    constexpr size_t longest = 120;
    std::string shown(text.substr(0, longest));
    throw Error(
        Kind::User, "symbolic.parse",
        message + " at column " + std::to_string(where + 1) + " of \"" + shown +
            (text.size() > longest ? "..." : "") + "\"",
        "operators are + - * // % <= < >= > == != and functions min, max, floordiv, ceildiv, mod, "
        "select",
        Location{"", 1, unsigned(where + 1)});
  }
  std::string here() const {
    return at < text.size() ? "\"" + std::string(1, text[at]) + "\"" : "end of text";
  }
  void skipSpace() {
    while (at < text.size() && std::isspace((unsigned char)text[at]))
      ++at;
  }
  bool take(std::string_view token) {
    skipSpace();
    if (!text.substr(at).starts_with(token))
      return false;
    at += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token))
      fail(at, "expected \"" + std::string(token) + "\", found " + here());
  }

  Expr comparison();
  Expr sumOfTerms();
  Expr term();
  Expr unary();
  Expr primary();
  Expr number(bool negative);
  Expr nameOrCall();
  Expr call(std::string_view name, size_t where, std::span<const Expr> arguments);
  bool takeComparison(Expr (*&build)(Expr, Expr));

  std::string_view text;
  size_t at = 0;
  unsigned depth = 0;
};

bool Parser::takeComparison(Expr (*&build)(Expr, Expr)) {
  using Builder = Expr (*)(Expr, Expr);
  static constexpr std::pair<std::string_view, Builder> table[] = {
      {"<=", le}, {">=", ge}, {"==", eq}, {"!=", ne}, {"<", lt}, {">", gt}};
  for (const auto &[token, builder] : table)
    if (take(token)) {
      build = builder;
      return true;
    }
  return false;
}

Expr Parser::comparison() {
  if (++depth > maxDepth + 10)
    fail(at, "nested more than " + std::to_string(maxDepth) + " levels deep");
  Expr left = sumOfTerms();
  Expr (*build)(Expr, Expr);
  if (takeComparison(build)) {
    left = build(left, sumOfTerms());
    skipSpace();
    size_t where = at;
    if (takeComparison(build))
      fail(where, "chained comparison");
  }
  --depth;
  return left;
}

Expr Parser::sumOfTerms() {
  std::vector<Expr> terms{term()};
  Linear linear;
  linear.add(terms[0], 1);
  bool single = true;
  while (true) {
    bool minus = take("-");
    if (!minus && !take("+"))
      break;
    linear.add(term(), minus ? -1 : 1);
    single = false;
  }
  if (single)
    return terms[0];
  linear.collect();
  return linear.build();
}

Expr Parser::term() {
  std::vector<Expr> factors{unary()};
  auto soFar = [&] { return factors.size() == 1 ? factors[0] : product(factors); };
  while (true) {
    bool division = take("//");
    bool modulo = !division && take("%");
    if (division || modulo) {
      Expr left = soFar(), right = unary();
      factors = {division ? floordiv(left, right) : mod(left, right)};
    } else if (take("*")) {
      factors.push_back(unary());
    } else {
      return soFar();
    }
  }
}

Expr Parser::unary() {
  bool negative = false;
  while (take("-"))
    negative = !negative;
  skipSpace();
  if (at < text.size() && std::isdigit((unsigned char)text[at]))
    return number(negative);
  Expr e = primary();
  return negative ? Expr(0) - e : e;
}

Expr Parser::number(bool negative) {
  size_t start = at;
  Wide value = 0;
  const Wide limit = Wide(INT64_MAX) + (negative ? 1 : 0);
  for (; at < text.size() && std::isdigit((unsigned char)text[at]); ++at) {
    value = value * 10 + (text[at] - '0');
    if (value > limit)
      fail(start, "number does not fit in 64 bits");
  }
  if (at < text.size() &&
      (std::isalpha((unsigned char)text[at]) || text[at] == '_' || text[at] == '.'))
    fail(at, "unexpected " + here() + " in a number");
  return int64_t(negative ? -value : value);
}

Expr Parser::primary() {
  if (take("(")) {
    Expr e = comparison();
    expect(")");
    return e;
  }
  return nameOrCall();
}

Expr Parser::nameOrCall() {
  size_t start = at;
  auto inName = [&](char c) {
    return std::isalnum((unsigned char)c) ||
           std::string_view("_$@.#").find(c) != std::string_view::npos;
  };
  while (at < text.size() && inName(text[at]))
    ++at;
  std::string_view name = text.substr(start, at - start);
  if (name.empty() || name[0] == '.' || name[0] == '#')
    at = start, fail(start, "expected a number, a name or \"(\", found " + here());
  if (!take("("))
    return Expr::symbol(name);
  std::vector<Expr> arguments;
  do
    arguments.push_back(comparison());
  while (take(","));
  expect(")");
  return call(name, start, arguments);
}

Expr Parser::call(std::string_view name, size_t where, std::span<const Expr> arguments) {
  size_t n = arguments.size();
  auto wants = [&](std::string count) {
    fail(where,
         "\"" + std::string(name) + "\" takes " + count + " arguments, found " + std::to_string(n));
  };
  if (name == "min" || name == "max") {
    if (n < 2)
      wants("two or more");
    Expr result = arguments[0];
    for (const Expr &argument : arguments.subspan(1))
      result = name == "min" ? min(result, argument) : max(result, argument);
    return result;
  }
  if (name == "select")
    return n == 3 ? select(arguments[0], arguments[1], arguments[2]) : (wants("3"), Expr());
  if (name != "floordiv" && name != "ceildiv" && name != "mod")
    fail(where, "unknown function \"" + std::string(name) + "\"");
  if (n != 2)
    wants("2");
  return name == "floordiv"  ? floordiv(arguments[0], arguments[1])
         : name == "ceildiv" ? ceildiv(arguments[0], arguments[1])
                             : mod(arguments[0], arguments[1]);
}

} // namespace

Expr parse(std::string_view text) {
  return Parser(text).parse();
}

} // namespace tilewright::symbolic
