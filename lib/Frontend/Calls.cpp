// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls: by table for functions and methods of packages, by inlining for functions of the source.
#include "Calls.h"
#include "Evaluator.h"
#include <fmt/format.h>

namespace tilewright::frontend {

/// Inlined calls within one another.
static constexpr unsigned maxCalls = 32;

//===--- Table
//---------------------------------------------------------------------------------------===//

static const std::map<std::string, Callee, std::less<>> &table() {
  static const std::map<std::string, Callee, std::less<>> entries = [] {
    std::map<std::string, Callee, std::less<>> result;
    for (auto group :
         {helionCallees(), torchCallees(), unaryCallees(), memoryCallees(), hostCallees()})
      for (const Callee &callee : group)
        result.emplace(callee.name, callee);
    return result;
  }();
  return entries;
}

const Callee *findCallee(const std::string &path) {
  auto found = table().find(path);
  return found == table().end() ? nullptr : &found->second;
}

std::vector<std::string> calleeNames(const std::string &prefix) {
  std::vector<std::string> names;
  for (const auto &[name, callee] : table())
    if (name.rfind(prefix, 0) == 0)
      names.push_back(name.substr(prefix.size()));
  return names;
}

//===--- Dispatch
//------------------------------------------------------------------------------------===//

using Keywords = std::vector<std::pair<std::string, Value>>;

Value Evaluator::evaluateCall(const Node &node) {
  Value callee = evaluate(*node.operands[0]);
  ValueList positional = evaluateItems({node.operands.begin() + 1, node.operands.end()});
  Keywords keywords;
  for (const Keyword &keyword : node.keywords) {
    if (keyword.name.empty())
      unsupported(*keyword.value, "'**' in a call", "name the arguments");
    keywords.emplace_back(keyword.name, evaluate(*keyword.value));
  }
  return call(node, callee, std::move(positional), std::move(keywords));
}

Value Evaluator::call(const Node &node, const Value &callee, ValueList positional,
                      Keywords keywords) {
  step(node);
  if (auto closure = callee.as<ClosureRef>())
    return inlineCall(node, **closure, std::move(positional), std::move(keywords));
  std::string path;
  if (auto item = callee.as<PackageItem>()) {
    path = item->path;
  } else if (auto method = callee.as<Method>()) {
    path = methodPath(node, *method);
    positional.insert(positional.begin(), *method->object);
  } else {
    userError(node, "frontend.call", kindText(callee) + " cannot be called", "call a function");
  }
  const Callee *entry = findCallee(path);
  if (!entry)
    unknownCallee(node, path);
  return callTable(node, *entry, std::move(positional), std::move(keywords));
}

void Evaluator::unknownCallee(const Node &node, const std::string &path) {
  size_t dot = path.rfind('.');
  std::string prefix = dot == std::string::npos ? "" : path.substr(0, dot + 1);
  std::vector<std::string> known = calleeNames(prefix);
  std::string some =
      known.empty() ? "functions of torch, helion.language and math are listed in docs/helion.md"
                    : "supported here: " + fmt::format("{}", fmt::join(known, ", "));
  unsupported(node, "'" + path + "'", suggestion(path.substr(prefix.size()), known, some));
}

/// Methods of tensors and of tiles are entries of their own; a tile's method is torch's function of
/// that name.
std::string Evaluator::methodPath(const Node &node, const Method &method) {
  if (method.object->is<TensorRef>())
    return "Tensor." + method.name;
  std::string path = "Tile." + method.name;
  return findCallee(path) || !findCallee("torch." + method.name) ? path : "torch." + method.name;
}

//===--- Signatures
//----------------------------------------------------------------------------------===//

namespace {
struct Signature {
  std::vector<std::string> names;
  size_t required = 0;   ///< the first names that must be given
  size_t positional = 0; ///< the first names that may be given by position
  bool rest = false;     ///< the last positional name takes all that follow
};
} // namespace

static Signature parseSignature(std::string_view text) {
  Signature signature;
  bool optional = false, keywordOnly = false;
  llvm::SmallVector<llvm::StringRef> words;
  llvm::StringRef(text).split(words, ' ');
  for (llvm::StringRef word : words) {
    if (word == "?" || word == "*") {
      optional = true;
      keywordOnly |= word == "*";
      continue;
    }
    bool rest = word.consume_back("...");
    signature.names.push_back(word.str());
    signature.rest |= rest;
    signature.required += !optional && !rest;
    signature.positional += !keywordOnly;
  }
  return signature;
}

Value Evaluator::callTable(const Node &node, const Callee &callee, ValueList positional,
                           Keywords keywords) {
  Signature signature = parseSignature(callee.signature);
  std::vector<std::optional<Value>> values(signature.names.size());
  std::string name(callee.name);
  size_t limit = signature.positional;
  if (signature.rest) {
    size_t first = std::min(limit - 1, positional.size());
    ValueList rest(positional.begin() + first, positional.end());
    positional.resize(first);
    const std::string &name = signature.names[limit - 1];
    auto named = llvm::find_if(keywords, [&](const auto &entry) { return entry.first == name; });
    if (named != keywords.end() && rest.empty()) // size=[m, n] is one positional list
      named->second = makeSequence({named->second}, false);
    else if (first == limit - 1)
      positional.push_back(makeSequence(std::move(rest), false));
  }
  if (positional.size() > limit)
    userError(node, "frontend.call",
              fmt::format("'{}' takes at most {} positional arguments, {} are given", name, limit,
                          positional.size()),
              "its parameters are: " + fmt::format("{}", fmt::join(signature.names, ", ")));
  for (size_t i = 0; i < positional.size(); ++i)
    values[i] = std::move(positional[i]);
  for (auto &[keyword, value] : keywords) {
    auto found = llvm::find(signature.names, keyword);
    if (found == signature.names.end())
      unsupported(
          node, "argument '" + keyword + "' of '" + name + "'",
          suggestion(keyword, signature.names,
                     "its parameters are: " + fmt::format("{}", fmt::join(signature.names, ", "))));
    std::optional<Value> &slot = values[size_t(found - signature.names.begin())];
    if (slot)
      userError(node, "frontend.call", "'" + name + "' gets argument '" + keyword + "' twice",
                "give it once");
    slot = std::move(value);
  }
  for (size_t i = 0; i < signature.required; ++i)
    if (!values[i])
      userError(node, "frontend.call",
                "'" + name + "' needs an argument '" + signature.names[i] + "'",
                "its parameters are: " + fmt::format("{}", fmt::join(signature.names, ", ")));
  return callee.handler(*this, node, Arguments(std::move(values)));
}

//===--- Inlining
//------------------------------------------------------------------------------------===//

Value Evaluator::inlineCall(const Node &node, const Closure &closure, ValueList positional,
                            Keywords keywords) {
  if (!closure.code->decorators.empty())
    unsupported(node, "calling the decorated function '" + closure.name + "'",
                "call plain functions; a kernel cannot call another kernel");
  if (calls >= maxCalls)
    unsupported(node, fmt::format("more than {} calls within one another", maxCalls),
                "recursive functions cannot be inlined");
  auto inner = std::make_shared<Frame>();
  inner->module = closure.module;
  inner->outer = closure.outer;
  inner->function = closure.name;
  for (const std::string &name : assignedNames(closure.code->body))
    inner->locals.insert(name);
  bindParameters(node, closure, *inner, std::move(positional), std::move(keywords));
  FrameRef caller = std::exchange(frame, inner);
  ++calls;
  Value result = closure.code->kind == Syntax::Lambda
                     ? evaluate(*closure.code->operands[0])
                     : execute(closure.code->body).value_or(None{});
  --calls;
  frame = caller;
  return result;
}

static std::vector<std::string> parameterNames(const Node &code) {
  std::vector<std::string> names;
  for (const Parameter &parameter : code.parameters)
    names.push_back(parameter.name);
  return names;
}

void Evaluator::bindParameters(const Node &node, const Closure &closure, Frame &callee,
                               ValueList positional, Keywords keywords) {
  std::string name = "'" + closure.name + "'";
  size_t next = 0;
  for (const Parameter &parameter : closure.code->parameters) {
    if (parameter.kind == Parameter::VarPositional || parameter.kind == Parameter::VarKeyword)
      unsupported(node, "a call of " + name + ", which takes '*" + parameter.name + "'",
                  "name all parameters");
    std::optional<Value> value;
    if (parameter.kind == Parameter::Positional && next < positional.size())
      value = positional[next++];
    auto keyword =
        llvm::find_if(keywords, [&](const auto &entry) { return entry.first == parameter.name; });
    if (keyword != keywords.end()) {
      if (value)
        userError(node, "frontend.call", name + " gets argument '" + parameter.name + "' twice",
                  "give it once");
      value = keyword->second;
      keywords.erase(keyword);
    }
    if (!value && parameter.fallback) {
      auto scope = std::make_shared<Frame>();
      scope->module = closure.module;
      scope->outer = closure.outer;
      FrameRef caller = std::exchange(frame, scope);
      value = evaluate(*parameter.fallback);
      frame = caller;
    }
    if (!value)
      userError(node, "frontend.call", name + " needs an argument '" + parameter.name + "'",
                "it takes " + listed(parameterNames(*closure.code)));
    callee.slots[parameter.name] = {*value, closure.module->at(*closure.code), ++version};
  }
  if (next < positional.size())
    userError(node, "frontend.call",
              fmt::format("{} takes {} positional arguments, {} are given", name, next,
                          positional.size()),
              "give it as many arguments as it has parameters");
  if (!keywords.empty())
    userError(node, "frontend.call", name + " has no parameter '" + keywords[0].first + "'",
              suggestion(keywords[0].first, parameterNames(*closure.code), "check its definition"));
}

//===--- Attributes
//----------------------------------------------------------------------------------===//

static Value methodOf(const Value &object, const std::string &name) {
  return Method{std::make_shared<const Value>(object), name};
}

Value Evaluator::packageAttribute(const std::string &path) {
  static const std::map<std::string, double> constants = {{"math.pi", 3.14159265358979323846},
                                                          {"math.e", 2.71828182845904523536},
                                                          {"math.inf", HUGE_VAL},
                                                          {"torch.inf", HUGE_VAL},
                                                          {"math.tau", 6.28318530717958647693},
                                                          {"torch.pi", 3.14159265358979323846}};
  if (auto found = constants.find(path); found != constants.end())
    return found->second;
  if (path.rfind("torch.", 0) == 0)
    if (std::optional<Dtype> dtype = torchDtype(path.substr(6)))
      return *dtype;
  return PackageItem{path};
}

Value Evaluator::attribute(const Node &node, const Value &object, const std::string &name) {
  step(node);
  if (auto item = object.as<PackageItem>())
    return packageAttribute(item->path + "." + name);
  if (auto tensor = object.as<TensorRef>())
    return tensorAttribute(node, *tensor, name, object);
  if (auto block = object.as<Block>())
    return blockAttribute(node, *block, name, object);
  if (auto tile = object.as<TileRef>())
    return tileAttribute(node, *tile, name);
  if (object.is<Sequence>() && name == "numel")
    return methodOf(object, name);
  unsupported(node, "attribute '" + name + "' of " + kindText(object),
              "see docs/helion.md for what a kernel may use");
}

Value Evaluator::tensorAttribute(const Node &node, const TensorRef &tensor, const std::string &name,
                                 const Value &object) {
  if (name == "shape")
    return makeShape(tensor->dims);
  if (name == "dtype")
    return tensor->dtype;
  if (name == "device")
    return Opaque{"a device"};
  if (name == "ndim")
    return int64_t(tensor->dims.size());
  if (name == "is_cuda")
    return true;
  if (findCallee("Tensor." + name))
    return methodOf(object, name);
  unsupported(node, "'" + name + "' of tensor '" + tensor->name + "'",
              suggestion(name, calleeNames("Tensor."),
                         "shape, dtype, device, ndim and these methods are supported: " +
                             fmt::format("{}", fmt::join(calleeNames("Tensor."), ", "))));
}

Value Evaluator::blockAttribute(const Node &node, Block block, const std::string &name,
                                const Value &object) {
  if (name == "dtype")
    return block.dtype();
  if (name == "device")
    return Opaque{"a device"};
  if (name == "ndim")
    return int64_t(block.dims().size());
  if (name == "shape")
    return blockShape(*this, node, block);
  if (findCallee("Tile." + name) || findCallee("torch." + name))
    return methodOf(object, name);
  unsupported(
      node, "'" + name + "' of a tile of shape " + tw::dimsText(block.dims()),
      suggestion(name, calleeNames("Tile."), "see docs/helion.md for the supported methods"));
}

Value Evaluator::tileAttribute(const Node &node, const TileRef &tile, const std::string &name) {
  if (name == "block_size")
    return tile->size;
  unsupported(node, "'" + name + "' of tile '" + tile->name + "'",
              "tiles serve as indices and sizes, and block_size as a size");
}

} // namespace tilewright::frontend
