// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks CPython's `_ast` objects by attribute name, one small function per group of nodes.
#include "PythonTree.h"
#include <map>

namespace tilewright::frontend {

std::string textOf(PyObject *object) {
  if (!object || !PyUnicode_Check(object))
    return {};
  Ref bytes(PyUnicode_AsEncodedString(object, "utf-8", "replace"));
  if (!bytes) {
    PyErr_Clear();
    return {};
  }
  return {PyBytes_AS_STRING(bytes.get()), size_t(PyBytes_GET_SIZE(bytes.get()))};
}

namespace {

/// Levels of nesting that are converted; deeper code is never part of a kernel that is readable.
constexpr unsigned maxDepth = 200;

const char *operatorText(const std::string &name) {
  static const std::map<std::string, const char *> table = {
      {"Add", "+"},       {"Sub", "-"},   {"Mult", "*"},       {"Div", "/"},
      {"FloorDiv", "//"}, {"Mod", "%"},   {"Pow", "**"},       {"MatMult", "@"},
      {"BitAnd", "&"},    {"BitOr", "|"}, {"BitXor", "^"},     {"LShift", "<<"},
      {"RShift", ">>"},   {"UAdd", "+"},  {"USub", "-"},       {"Not", "not"},
      {"Invert", "~"},    {"And", "and"}, {"Or", "or"},        {"Eq", "=="},
      {"NotEq", "!="},    {"Lt", "<"},    {"LtE", "<="},       {"Gt", ">"},
      {"GtE", ">="},      {"Is", "is"},   {"IsNot", "is not"}, {"In", "in"},
      {"NotIn", "not in"}};
  auto found = table.find(name);
  return found == table.end() ? "?" : found->second;
}

class Converter {
public:
  explicit Converter(SourceTree &tree) : tree(tree) {}

  std::vector<const Node *> list(PyObject *object, const char *field) {
    std::vector<const Node *> nodes;
    Ref items = attribute(object, field);
    if (items && PyList_Check(items.get()))
      for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items.get()); ++i)
        nodes.push_back(convert(PyList_GET_ITEM(items.get(), i)));
    return nodes;
  }

private:
  using Fill = void (Converter::*)(PyObject *, Node &);
  struct Rule {
    Syntax kind;
    Fill fill;
  };
  static const std::map<std::string, Rule> &rules();

  static Ref attribute(PyObject *object, const char *field) {
    Ref value(PyObject_GetAttrString(object, field));
    if (!value)
      PyErr_Clear();
    return value;
  }
  static std::string text(PyObject *object, const char *field) {
    return textOf(attribute(object, field).get());
  }
  static long number(PyObject *object, const char *field) {
    Ref value = attribute(object, field);
    return value && PyLong_Check(value.get()) ? PyLong_AsLong(value.get()) : 0;
  }
  static std::string className(PyObject *object) {
    std::string name = Py_TYPE(object)->tp_name;
    return name.substr(name.rfind('.') + 1);
  }
  static std::string operatorOf(PyObject *object) {
    return operatorText(className(attribute(object, "op").get()));
  }

  /// Null for None (an absent optional child).
  const Node *convert(PyObject *object) {
    if (!object || object == Py_None)
      return nullptr;
    Node &node = tree.nodes.emplace_back();
    node.line = unsigned(number(object, "lineno"));
    node.column = unsigned(number(object, "col_offset")) + 1;
    std::string name = className(object);
    auto rule = rules().find(name);
    bool tooDeep = depth >= maxDepth;
    if (rule == rules().end() || tooDeep) {
      node.kind = isStatement(object) ? Syntax::OtherStatement : Syntax::OtherExpression;
      node.text = tooDeep ? "deep nesting" : name;
      return &node;
    }
    node.kind = rule->second.kind;
    ++depth;
    (this->*rule->second.fill)(object, node);
    --depth;
    return &node;
  }
  const Node *child(PyObject *object, const char *field) {
    return convert(attribute(object, field).get());
  }
  void operand(PyObject *object, const char *field, Node &node) {
    if (const Node *converted = child(object, field))
      node.operands.push_back(converted);
  }
  void append(std::vector<const Node *> &to, std::vector<const Node *> from) {
    to.insert(to.end(), from.begin(), from.end());
  }
  static bool isStatement(PyObject *object) {
    PyTypeObject *base = Py_TYPE(object)->tp_base;
    return base && std::string(base->tp_name).find("stmt") != std::string::npos;
  }

  //===--- Statements
  //--------------------------------------------------------------------------------===//

  void nothing(PyObject *, Node &) {}
  void function(PyObject *object, Node &node) {
    node.text = text(object, "name");
    parameters(attribute(object, "args").get(), node);
    node.body = list(object, "body");
    node.decorators = list(object, "decorator_list");
  }
  void value(PyObject *object, Node &node) { operand(object, "value", node); }
  void assign(PyObject *object, Node &node) {
    operand(object, "value", node);
    append(node.operands, list(object, "targets"));
  }
  void augmented(PyObject *object, Node &node) {
    node.text = operatorOf(object);
    operand(object, "value", node);
    operand(object, "target", node);
  }
  void annotated(PyObject *object, Node &node) {
    operand(object, "value", node);
    node.bare = node.operands.empty();
    operand(object, "target", node);
  }
  void forLoop(PyObject *object, Node &node) {
    operand(object, "iter", node);
    operand(object, "target", node);
    bodies(object, node);
  }
  void conditional(PyObject *object, Node &node) {
    operand(object, "test", node);
    bodies(object, node);
  }
  void bodies(PyObject *object, Node &node) {
    node.body = list(object, "body");
    node.orelse = list(object, "orelse");
  }
  void block(PyObject *object, Node &node) {
    node.text = className(object);
    bodies(object, node);
  }
  void classDef(PyObject *object, Node &node) {
    node.text = "class " + text(object, "name");
    node.bare = true;
  }
  void assertion(PyObject *object, Node &node) {
    operand(object, "test", node);
    operand(object, "msg", node);
  }
  void raise(PyObject *object, Node &node) { operand(object, "exc", node); }
  void import(PyObject *object, Node &node) {
    node.text = std::string(size_t(number(object, "level")), '.') + text(object, "module");
    Ref names = attribute(object, "names");
    for (Py_ssize_t i = 0; names && i < PyList_GET_SIZE(names.get()); ++i) {
      PyObject *alias = PyList_GET_ITEM(names.get(), i);
      node.aliases.push_back({text(alias, "name"), text(alias, "asname")});
    }
  }

  //===--- Expressions
  //-------------------------------------------------------------------------------===//

  void name(PyObject *object, Node &node) { node.text = text(object, "id"); }
  void member(PyObject *object, Node &node) {
    node.text = text(object, "attr");
    operand(object, "value", node);
  }
  void constant(PyObject *object, Node &node) {
    Ref value = attribute(object, "value");
    node.literal = literal(value.get());
  }
  static Literal literal(PyObject *value) {
    if (!value || value == Py_None)
      return NoLiteral{};
    if (PyBool_Check(value))
      return value == Py_True;
    if (PyFloat_Check(value))
      return PyFloat_AS_DOUBLE(value);
    if (PyUnicode_Check(value))
      return textOf(value);
    if (value == Py_Ellipsis)
      return EllipsisLiteral{};
    if (!PyLong_Check(value))
      return Unusable{std::string(Py_TYPE(value)->tp_name) + " literal"};
    int overflow = 0;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow)
      return Unusable{"integer beyond 64 bits"};
    return int64_t(number);
  }
  void call(PyObject *object, Node &node) {
    operand(object, "func", node);
    append(node.operands, list(object, "args"));
    Ref keywords = attribute(object, "keywords");
    for (Py_ssize_t i = 0; keywords && i < PyList_GET_SIZE(keywords.get()); ++i) {
      PyObject *keyword = PyList_GET_ITEM(keywords.get(), i);
      node.keywords.push_back({text(keyword, "arg"), child(keyword, "value")});
    }
  }
  void binary(PyObject *object, Node &node) {
    node.text = operatorOf(object);
    operand(object, "left", node);
    operand(object, "right", node);
  }
  void unary(PyObject *object, Node &node) {
    node.text = operatorOf(object);
    operand(object, "operand", node);
  }
  void compare(PyObject *object, Node &node) {
    operand(object, "left", node);
    append(node.operands, list(object, "comparators"));
    Ref operators = attribute(object, "ops");
    for (Py_ssize_t i = 0; operators && i < PyList_GET_SIZE(operators.get()); ++i)
      node.operators.push_back(operatorText(className(PyList_GET_ITEM(operators.get(), i))));
  }
  void logical(PyObject *object, Node &node) {
    node.text = operatorOf(object);
    node.operands = list(object, "values");
  }
  void choice(PyObject *object, Node &node) {
    operand(object, "test", node);
    operand(object, "body", node);
    operand(object, "orelse", node);
  }
  void subscript(PyObject *object, Node &node) {
    operand(object, "value", node);
    operand(object, "slice", node);
  }
  void slice(PyObject *object, Node &node) {
    node.operands = {child(object, "lower"), child(object, "upper"), child(object, "step")};
  }
  void elements(PyObject *object, Node &node) { node.operands = list(object, "elts"); }
  void pieces(PyObject *object, Node &node) { node.operands = list(object, "values"); }
  void lambda(PyObject *object, Node &node) {
    parameters(attribute(object, "args").get(), node);
    operand(object, "body", node);
  }

  //===--- Parameters
  //--------------------------------------------------------------------------------===//

  void group(PyObject *args, const char *field, Parameter::Kind kind, Node &node) {
    Ref items = attribute(args, field);
    for (Py_ssize_t i = 0; items && i < PyList_GET_SIZE(items.get()); ++i)
      node.parameters.push_back({text(PyList_GET_ITEM(items.get(), i), "arg"), kind, nullptr});
  }
  void rest(PyObject *args, const char *field, Parameter::Kind kind, Node &node) {
    Ref item = attribute(args, field);
    if (item && item.get() != Py_None)
      node.parameters.push_back({text(item.get(), "arg"), kind, nullptr});
  }
  /// Defaults belong to the last of the parameters so far.
  void defaults(PyObject *args, const char *field, Node &node) {
    std::vector<const Node *> values = list(args, field);
    size_t first = node.parameters.size() - std::min(values.size(), node.parameters.size());
    for (size_t i = first; i < node.parameters.size(); ++i)
      node.parameters[i].fallback = values[i - first];
  }
  void parameters(PyObject *args, Node &node) {
    group(args, "posonlyargs", Parameter::Positional, node);
    group(args, "args", Parameter::Positional, node);
    defaults(args, "defaults", node);
    rest(args, "vararg", Parameter::VarPositional, node);
    group(args, "kwonlyargs", Parameter::KeywordOnly, node);
    defaults(args, "kw_defaults", node);
    rest(args, "kwarg", Parameter::VarKeyword, node);
  }

  SourceTree &tree;
  unsigned depth = 0;
};

const std::map<std::string, Converter::Rule> &Converter::rules() {
  using C = Converter;
  static const std::map<std::string, Rule> table = {
      {"FunctionDef", {Syntax::FunctionDef, &C::function}},
      {"Return", {Syntax::Return, &C::value}},
      {"Assign", {Syntax::Assign, &C::assign}},
      {"AugAssign", {Syntax::AugAssign, &C::augmented}},
      {"AnnAssign", {Syntax::AnnAssign, &C::annotated}},
      {"For", {Syntax::For, &C::forLoop}},
      {"If", {Syntax::If, &C::conditional}},
      {"Expr", {Syntax::ExprStatement, &C::value}},
      {"Assert", {Syntax::Assert, &C::assertion}},
      {"Raise", {Syntax::Raise, &C::raise}},
      {"Pass", {Syntax::Pass, &C::nothing}},
      {"Import", {Syntax::Import, &C::import}},
      {"ImportFrom", {Syntax::ImportFrom, &C::import}},
      {"Try", {Syntax::Block, &C::block}},
      {"TryStar", {Syntax::Block, &C::block}},
      {"With", {Syntax::Block, &C::block}},
      {"ClassDef", {Syntax::Block, &C::classDef}},
      {"Name", {Syntax::Name, &C::name}},
      {"Attribute", {Syntax::Attribute, &C::member}},
      {"Constant", {Syntax::Constant, &C::constant}},
      {"Call", {Syntax::Call, &C::call}},
      {"BinOp", {Syntax::BinOp, &C::binary}},
      {"UnaryOp", {Syntax::UnaryOp, &C::unary}},
      {"Compare", {Syntax::Compare, &C::compare}},
      {"BoolOp", {Syntax::BoolOp, &C::logical}},
      {"IfExp", {Syntax::IfExp, &C::choice}},
      {"Subscript", {Syntax::Subscript, &C::subscript}},
      {"Slice", {Syntax::Slice, &C::slice}},
      {"Tuple", {Syntax::Tuple, &C::elements}},
      {"List", {Syntax::List, &C::elements}},
      {"Lambda", {Syntax::Lambda, &C::lambda}},
      {"JoinedStr", {Syntax::JoinedStr, &C::pieces}},
      {"FormattedValue", {Syntax::FormattedValue, &C::value}},
      {"Starred", {Syntax::Starred, &C::value}}};
  return table;
}

} // namespace

void convertTree(PyObject *module, SourceTree &tree) {
  tree.body = Converter(tree).list(module, "body");
}

} // namespace tilewright::frontend
