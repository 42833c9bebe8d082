// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements, except tile loops (TileLoops.cpp).
#include "Evaluator.h"
#include <fmt/format.h>

namespace tilewright::frontend {

/// Evaluation steps of one kernel; a real kernel takes a few hundred. Bounds time
/// and, as values nest no deeper than there are steps, the stack.
static constexpr size_t maxSteps = 20000;

void Evaluator::userError(const Node &node, const char *id, const std::string &message,
                          const std::string &hint) const {
  throw Error(Kind::User, id, message, hint, at(node));
}

void Evaluator::unsupported(const Node &node, const std::string &what,
                            const std::string &hint) const {
  throw Error(Kind::Unsupported, "frontend.unsupported", what, hint, at(node));
}

void Evaluator::step(const Node &node) {
  if (++steps > maxSteps)
    unsupported(node, fmt::format("a kernel that takes more than {} steps to read", maxSteps),
                "shorten the kernel and the functions that it calls");
}

//===--- Dispatch
//------------------------------------------------------------------------------------===//

/// Runs statements in order; a value means that `return` was met.
std::optional<Value> Evaluator::execute(const std::vector<const Node *> &body) {
  for (const Node *node : body)
    if (std::optional<Value> returned = executeOne(*node))
      return returned;
  return std::nullopt;
}

static std::string statementName(const Node &node) {
  if (node.kind == Syntax::Block)
    return "a '" + (node.bare ? "class" : llvm::StringRef(node.text).lower()) + "' statement";
  if (node.text == "Delete")
    return "a 'del' statement";
  return node.text == "deep nesting" ? "deep nesting"
                                     : "a '" + llvm::StringRef(node.text).lower() + "' statement";
}

std::optional<Value> Evaluator::executeOne(const Node &node) {
  step(node);
  switch (node.kind) {
  case Syntax::Assign:
  case Syntax::AnnAssign:
    executeAssign(node);
    return std::nullopt;
  case Syntax::AugAssign:
    executeAugmented(node);
    return std::nullopt;
  case Syntax::For:
    executeFor(node);
    return std::nullopt;
  case Syntax::If:
    return execute(truth(*node.operands[0], evaluate(*node.operands[0])) ? node.body : node.orelse);
  case Syntax::ExprStatement:
    evaluate(*node.operands[0]);
    return std::nullopt;
  case Syntax::Assert:
    executeAssert(node);
    return std::nullopt;
  case Syntax::Raise:
    executeRaise(node);
    return std::nullopt;
  case Syntax::Return:
    return executeReturn(node);
  case Syntax::FunctionDef:
    defineFunction(node);
    return std::nullopt;
  case Syntax::Pass:
    return std::nullopt;
  case Syntax::Import:
  case Syntax::ImportFrom:
    unsupported(node, "an import inside a kernel", "import at the top of the file");
  default:
    unsupported(node, statementName(node),
                "assignments, 'for' over hl.tile, 'if' on host values, assert, raise and return "
                "are supported");
  }
}

//===--- Assignment
//----------------------------------------------------------------------------------===//

void Evaluator::executeAssign(const Node &node) {
  if (node.bare)
    return;
  Value value = evaluate(*node.operands[0]);
  for (size_t i = 1; i < node.operands.size(); ++i)
    assign(*node.operands[i], value);
}

/// `a op= b` is `a = a op b`: Helion rebinds and does not write into the old value.
void Evaluator::executeAugmented(const Node &node) {
  const Node &target = *node.operands[1];
  if (target.kind != Syntax::Subscript)
    return assign(target, binary(node, node.text, evaluate(target), evaluate(*node.operands[0])));
  Value object = evaluate(*target.operands[0]);
  auto tensor = object.as<TensorRef>();
  if (!tensor)
    unsupported(target, "storing into " + kindText(object),
                "only tensors are stored to, as in out[tile] += value");
  ValueList index = evaluateIndex(*target.operands[1]);
  Value old = load(target, *tensor, index);
  store(target, *tensor, index, binary(node, node.text, old, evaluate(*node.operands[0])));
}

void Evaluator::assign(const Node &target, const Value &value) {
  step(target);
  switch (target.kind) {
  case Syntax::Name:
    return assignName(target, target.text, value);
  case Syntax::Tuple:
  case Syntax::List:
    return assignItems(target, value);
  case Syntax::Subscript: {
    Value object = evaluate(*target.operands[0]);
    if (auto tensor = object.as<TensorRef>())
      return store(target, *tensor, evaluateIndex(*target.operands[1]), value);
    unsupported(target, "storing into " + kindText(object),
                "only tensors are stored to, as in out[tile] = value");
  }
  default:
    unsupported(target, "this target of an assignment",
                "names, tuples of names and tensor[tile, ...] are supported");
  }
}

void Evaluator::assignItems(const Node &target, const Value &value) {
  const ValueList *items = value.items();
  if (!items)
    userError(target, "frontend.unpack", kindText(value) + " cannot be unpacked",
              "unpack tuples and lists only");
  for (const Node *operand : target.operands)
    if (operand->kind == Syntax::Starred)
      unsupported(*operand, "a starred target", "name every item");
  if (items->size() != target.operands.size())
    userError(
        target, "frontend.unpack",
        fmt::format("{} values are unpacked into {} names", items->size(), target.operands.size()),
        "use one name per value, '_' for those not needed");
  for (size_t i = 0; i < items->size(); ++i)
    assign(*target.operands[i], (*items)[i]);
}

void Evaluator::assignName(const Node &node, const std::string &name, Value value) {
  if (auto frozen = frame->frozen.find(name); frozen != frame->frozen.end() && frozen->second)
    unsupported(node, "changing the host value '" + name + "' inside an inner tile loop",
                "carry a tile, or use another name for a value of one iteration");
  if (auto tensor = value.as<TensorRef>(); tensor && (*tensor)->name.empty())
    (*tensor)->name = name;
  if (auto size = value.as<BlockSizeRef>(); size && (*size)->name.empty())
    (*size)->name = name;
  frame->slots[name] = {std::move(value), at(node), ++version};
}

void Evaluator::defineFunction(const Node &node) {
  if (!node.decorators.empty())
    unsupported(node, "a decorated function inside a kernel", "remove the decorator");
  assignName(node, node.text,
             std::make_shared<const Closure>(Closure{&node, frame->module, frame, node.text}));
}

//===--- Checks and results
//--------------------------------------------------------------------------===//

/// The text of an assert's or raise's message; text that cannot be computed is left out.
std::string Evaluator::messageText(const Node &node) {
  FrameRef current = frame;
  unsigned nested = calls;
  try {
    return valueText(evaluate(node));
  } catch (const Error &) {
    frame = current;
    calls = nested;
    return {};
  }
}

/// "k is 64, k2 is 32": the names in an expression that have a short value.
std::string Evaluator::namesIn(const Node &node) {
  std::vector<std::string> parts;
  std::set<std::string> seen;
  llvm::SmallVector<const Node *> todo = {&node};
  while (!todo.empty() && parts.size() < 8) {
    const Node *next = todo.pop_back_val();
    for (const Node *operand : llvm::reverse(next->operands))
      if (operand)
        todo.push_back(operand);
    if (next->kind != Syntax::Name || !seen.insert(next->text).second)
      continue;
    auto slot = frame->slots.find(next->text);
    if (slot == frame->slots.end() || slot->second.value.is<ClosureRef>() ||
        slot->second.value.is<Expired>())
      continue;
    parts.push_back("'" + next->text + "' is " + valueText(slot->second.value));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void Evaluator::executeAssert(const Node &node) {
  const Node &condition = *node.operands[0];
  if (truth(condition, evaluate(condition)))
    return;
  std::string message = node.operands.size() > 1 ? messageText(*node.operands[1]) : "";
  std::string names = namesIn(condition);
  userError(node, "frontend.assert",
            "assertion failed" + (message.empty() ? "" : ": " + message) +
                (names.empty() ? "" : " (" + names + ")"),
            "give arguments that the kernel accepts");
}

void Evaluator::executeRaise(const Node &node) {
  std::string text = "the kernel raises an exception";
  if (!node.operands.empty() && node.operands[0]->kind == Syntax::Call) {
    const Node &exception = *node.operands[0];
    text = "the kernel raises " + exception.operands[0]->text;
    if (exception.operands.size() > 1)
      text += ": " + messageText(*exception.operands[1]);
  }
  userError(node, "frontend.raise", text, "give arguments that the kernel accepts");
}

std::optional<Value> Evaluator::executeReturn(const Node &node) {
  if (frame == kernelFrame && deviceDepth > 0)
    userError(node, "frontend.return", "'return' inside a tile loop", "return after the loop");
  return node.operands.empty() ? Value(None{}) : evaluate(*node.operands[0]);
}

} // namespace tilewright::frontend
