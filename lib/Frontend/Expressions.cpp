// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions: names, literals, operators and subscripts.
#include "Evaluator.h"
#include <fmt/format.h>

namespace tilewright::frontend {

/// Levels of nested evaluation, over all inlined functions together.
static constexpr unsigned maxDepth = 400;
/// Longest text and sequence that host code may build.
static constexpr size_t maxText = 4096, maxItems = 1024;

class Evaluator::Depth {
public:
  Depth(Evaluator &evaluator, const Node &node) : depth(evaluator.depth) {
    if (depth >= maxDepth)
      evaluator.unsupported(node, fmt::format("code nested more than {} levels deep", maxDepth),
                            "split the expression");
    ++depth;
  }
  ~Depth() { --depth; }

private:
  unsigned &depth;
};

static std::string expressionName(const Node &node) {
  static const std::map<std::string, std::string> names = {
      {"ListComp", "a list comprehension"},
      {"GeneratorExp", "a generator expression"},
      {"DictComp", "a dict comprehension"},
      {"SetComp", "a set comprehension"},
      {"Dict", "a dict"},
      {"Set", "a set"},
      {"NamedExpr", "':='"},
      {"Await", "'await'"},
      {"Yield", "'yield'"},
      {"YieldFrom", "'yield from'"}};
  auto found = names.find(node.text);
  return found == names.end() ? "'" + node.text + "'" : found->second;
}

Value Evaluator::evaluate(const Node &node) {
  Depth guard(*this, node);
  step(node);
  switch (node.kind) {
  case Syntax::Name:
    return evaluateName(node);
  case Syntax::Constant:
    return evaluateConstant(node);
  case Syntax::Attribute:
    return attribute(node, evaluate(*node.operands[0]), node.text);
  case Syntax::Call:
    return evaluateCall(node);
  case Syntax::BinOp: {
    Value lhs = evaluate(*node.operands[0]);
    return binary(node, node.text, lhs, evaluate(*node.operands[1]));
  }
  case Syntax::UnaryOp:
    return evaluateUnary(node);
  case Syntax::Compare:
    return evaluateCompare(node);
  case Syntax::BoolOp:
    return evaluateLogical(node);
  case Syntax::IfExp:
    return evaluate(*node.operands[truth(*node.operands[0], evaluate(*node.operands[0])) ? 1 : 2]);
  case Syntax::Subscript:
    return evaluateSubscript(node);
  case Syntax::Tuple:
  case Syntax::List:
    return makeSequence(evaluateItems(node.operands), node.kind == Syntax::Tuple);
  case Syntax::Lambda:
    return ClosureRef(
        std::make_shared<const Closure>(Closure{&node, frame->module, frame, "lambda"}));
  case Syntax::JoinedStr:
  case Syntax::FormattedValue:
    return evaluateString(node);
  default:
    unsupported(node, expressionName(node), "write it with names, calls, operators and tuples");
  }
}

//===--- Names
//---------------------------------------------------------------------------------------===//

/// Python's own functions that kernels may not call: known, so that the message is about support.
static bool isOtherBuiltin(const std::string &name) {
  static const std::set<std::string> names = {
      "all",        "any",   "dict",   "enumerate", "getattr",  "hasattr",
      "isinstance", "map",   "print",  "range",     "reversed", "round",
      "set",        "slice", "sorted", "sum",       "type",     "zip"};
  return names.count(name) != 0;
}

Value Evaluator::evaluateName(const Node &node) {
  for (FrameRef scope = frame; scope; scope = scope->outer) {
    auto slot = scope->slots.find(node.text);
    if (slot == scope->slots.end() && scope->locals.count(node.text))
      userError(node, "frontend.unbound", "'" + node.text + "' is used before it is assigned",
                "assign it on every path that leads here");
    if (slot == scope->slots.end())
      continue;
    if (auto expired = slot->second.value.as<Expired>())
      throw Error(Kind::User, "frontend.loop-local",
                  "'" + node.text + "' got its value inside the loop over '" + expired->loop +
                      "' and is used after it",
                  "assign it before the loop, so that the loop carries it", at(node))
          .note(expired->born, "assigned here");
    return slot->second.value;
  }
  if (std::optional<Value> value = capturedValue(node.text))
    return *value;
  if (auto binding = frame->module->find(node.text))
    return moduleValue(node, *frame->module, node.text, *binding);
  if (findCallee("builtins." + node.text) || isOtherBuiltin(node.text))
    return PackageItem{"builtins." + node.text};
  undefinedName(node);
}

std::optional<Value> Evaluator::capturedValue(const std::string &name) {
  auto given = extra.find(name);
  if (given == extra.end())
    return std::nullopt;
  auto found = captured.find(name);
  if (found == captured.end())
    found = captured
                .emplace(name, argumentValue(given->second, Tensor::Captured,
                                             {"-a " + given->second.text, 0, 0}))
                .first;
  return found->second;
}

void Evaluator::undefinedName(const Node &node) {
  std::vector<std::string> known = frame->module->names();
  for (FrameRef scope = frame; scope; scope = scope->outer)
    for (const auto &[name, slot] : scope->slots)
      known.push_back(name);
  for (const auto &[name, argument] : extra)
    known.push_back(name);
  userError(node, "frontend.undefined", "name '" + node.text + "' is not defined",
            suggestion(node.text, known,
                       "if it is a captured value, describe it with -a " + node.text + "=..."));
}

Value Evaluator::moduleValue(const Node &node, ModuleScope &module, const std::string &name,
                             const ModuleScope::Binding &binding) {
  using Binding = ModuleScope::Binding;
  if (binding.kind == Binding::Package)
    return packageAttribute(binding.path);
  if (binding.kind == Binding::Function)
    return std::make_shared<const Closure>(Closure{binding.node, &module, nullptr, name});
  if (binding.kind == Binding::Unknown)
    unsupported(node, "'" + name + "', which is bound by " + binding.unknown,
                "pass it as an argument of the kernel, or describe it with -a " + name + "=...");
  if (auto known = module.values.find(name); known != module.values.end())
    return known->second;
  if (!module.evaluating.insert(name).second)
    userError(node, "frontend.circular", "module-level '" + name + "' depends on itself",
              "give it a plain value");
  FrameRef saved = frame;
  unsigned savedDepth = deviceDepth;
  auto top = std::make_shared<Frame>();
  top->module = &module;
  top->function = "the module";
  frame = top;
  deviceDepth = 0;
  Value value = evaluate(*binding.node);
  frame = saved;
  deviceDepth = savedDepth;
  module.evaluating.erase(name);
  return module.values[name] = value;
}

//===--- Literals
//------------------------------------------------------------------------------------===//

Value Evaluator::evaluateConstant(const Node &node) {
  return std::visit(
      [&](const auto &literal) -> Value {
        using T = std::decay_t<decltype(literal)>;
        if constexpr (std::is_same_v<T, NoLiteral>)
          return None{};
        else if constexpr (std::is_same_v<T, EllipsisLiteral>)
          return EllipsisValue{};
        else if constexpr (std::is_same_v<T, Unusable>)
          unsupported(node, "this literal (" + literal.text + ")",
                      "use 64-bit integers, floats or strings");
        else
          return literal;
      },
      node.literal);
}

/// f-strings occur in messages only, so format specifications do not matter.
Value Evaluator::evaluateString(const Node &node) {
  if (node.kind == Syntax::FormattedValue)
    return valueText(evaluate(*node.operands[0]));
  std::string text;
  for (const Node *piece : node.operands)
    text += valueText(evaluate(*piece));
  if (text.size() > maxText)
    unsupported(node, fmt::format("a text of more than {} bytes", maxText), "shorten it");
  return text;
}

ValueList Evaluator::evaluateItems(const std::vector<const Node *> &nodes) {
  ValueList items;
  for (const Node *node : nodes) {
    if (node->kind != Syntax::Starred) {
      items.push_back(evaluate(*node));
    } else {
      Value value = evaluate(*node->operands[0]);
      if (!value.items())
        userError(*node, "frontend.unpack", kindText(value) + " cannot be unpacked",
                  "unpack tuples and lists only");
      items.insert(items.end(), value.items()->begin(), value.items()->end());
    }
    if (items.size() > maxItems)
      unsupported(*node, fmt::format("a sequence of more than {} items", maxItems), "shorten it");
  }
  return items;
}

//===--- Operators
//-----------------------------------------------------------------------------------===//

Value Evaluator::evaluateUnary(const Node &node) {
  Value operand = evaluate(*node.operands[0]);
  if (node.text == "not")
    return !truth(node, operand);
  if (node.text == "-")
    return negate(node, operand);
  if (node.text == "+" && (operand.isNumber() || operand.is<Block>()))
    return operand.is<bool>() ? Value(operand.integer()) : operand;
  if (node.text == "~" && operand.isInteger())
    return ~operand.integer();
  unsupported(node, "'" + node.text + "' on " + kindText(operand),
              "use - on numbers and tiles, not on host values");
}

Value Evaluator::evaluateCompare(const Node &node) {
  Value lhs = evaluate(*node.operands[0]);
  for (size_t i = 1; i < node.operands.size(); ++i) {
    Value rhs = evaluate(*node.operands[i]);
    if (!compare(node, node.operators[i - 1], lhs, rhs))
      return false;
    lhs = rhs;
  }
  return true;
}

Value Evaluator::evaluateLogical(const Node &node) {
  Value value;
  for (const Node *operand : node.operands) {
    value = evaluate(*operand);
    if (truth(*operand, value) == (node.text == "or"))
      break;
  }
  return value;
}

//===--- Subscripts
//----------------------------------------------------------------------------------===//

ValueList Evaluator::evaluateIndex(const Node &node) {
  auto entry = [&](const Node &item) -> Value {
    if (item.kind != Syntax::Slice)
      return evaluate(item);
    ValueList bounds;
    for (const Node *bound : item.operands)
      bounds.push_back(bound ? evaluate(*bound) : Value(None{}));
    return SliceValue{std::make_shared<const ValueList>(std::move(bounds))};
  };
  if (node.kind != Syntax::Tuple) {
    Value single = entry(node);
    return single.items() ? *single.items() : ValueList{single};
  }
  ValueList index;
  for (const Node *item : node.operands) {
    if (item->kind == Syntax::Starred) {
      ValueList items = evaluateItems({item});
      index.insert(index.end(), items.begin(), items.end());
    } else {
      index.push_back(entry(*item));
    }
  }
  return index;
}

Value Evaluator::evaluateSubscript(const Node &node) {
  Value object = evaluate(*node.operands[0]);
  ValueList index = evaluateIndex(*node.operands[1]);
  if (auto tensor = object.as<TensorRef>())
    return load(node, *tensor, index);
  if (auto operand = object.as<Block>())
    return reshapeByIndex(node, *operand, index);
  return pickItem(node, object, index);
}

Value Evaluator::pickItem(const Node &node, const Value &object, const ValueList &index) {
  auto sequence = object.as<Sequence>();
  if (!sequence || index.size() != 1)
    unsupported(node, "indexing " + kindText(object),
                "tensors, tiles, tuples and lists can be indexed");
  if (auto slice = index[0].as<SliceValue>())
    return sliceItems(node, *sequence, *slice);
  int64_t position = integer(node, index[0], "an index"), size = int64_t(sequence->items->size());
  if (position < -size || position >= size)
    userError(node, "frontend.index",
              fmt::format("index {} is out of range: there are {} items", position, size),
              "count from 0");
  return (*sequence->items)[size_t(position < 0 ? position + size : position)];
}

Value Evaluator::sliceItems(const Node &node, const Sequence &sequence, const SliceValue &slice) {
  const ValueList &bounds = *slice.bounds;
  if (!bounds[2].isNone())
    unsupported(node, "a slice with a step", "use start and end only");
  int64_t size = int64_t(sequence.items->size());
  auto bound = [&](const Value &value, int64_t otherwise) {
    int64_t position = value.isNone() ? otherwise : integer(node, value, "a slice bound");
    return std::clamp<int64_t>(position < 0 ? position + size : position, 0, size);
  };
  int64_t first = bound(bounds[0], 0), last = std::max(first, bound(bounds[1], size));
  return makeSequence(ValueList(sequence.items->begin() + first, sequence.items->begin() + last),
                      sequence.tuple);
}

} // namespace tilewright::frontend
