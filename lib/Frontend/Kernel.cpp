// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel from its file to its module: selection, arguments, results.
#include "Evaluator.h"
#include <fmt/format.h>

namespace tilewright::frontend {

//===--- Arguments
//-----------------------------------------------------------------------------------===//

Evaluator::Evaluator(mlir::MLIRContext &context, ModuleScope &module, const Node &kernel,
                     const std::vector<Argument> &arguments)
    : program(context, kernel.text, module.at(kernel)), kernel(kernel) {
  frame = kernelFrame = std::make_shared<Frame>();
  frame->module = &module;
  frame->function = kernel.text;
  for (const std::string &name : assignedNames(kernel.body))
    frame->locals.insert(name);
  bindKernelParameters(arguments);
}

static std::vector<std::string> argumentNames(const std::vector<Argument> &arguments) {
  std::vector<std::string> names;
  for (const Argument &argument : arguments)
    names.push_back(argument.name);
  return names;
}

static Location optionAt(const Argument &argument) {
  return {"argument '" + argument.text + "'", 1, 1};
}

void Evaluator::bindKernelParameters(const std::vector<Argument> &arguments) {
  for (const Argument &argument : arguments)
    if (!extra.emplace(argument.name, argument).second)
      throw Error(Kind::User, "frontend.arguments",
                  "argument '" + argument.name + "' is given twice", "give it once",
                  optionAt(argument));
  std::map<std::string, Value> bound;
  auto given = extra;
  for (const Parameter &parameter :
       kernel.parameters) // first, so that no default sees them as free names
    extra.erase(parameter.name);
  for (const Parameter &parameter : kernel.parameters) {
    if (parameter.kind == Parameter::VarPositional || parameter.kind == Parameter::VarKeyword)
      unsupported(kernel, "the kernel's parameter '*" + parameter.name + "'",
                  "name all parameters");
    auto found = given.find(parameter.name);
    if (found != given.end())
      bound[parameter.name] = argumentValue(found->second, Tensor::Parameter, at(kernel));
    else if (parameter.fallback)
      bound[parameter.name] = evaluate(*parameter.fallback);
    else
      userError(kernel, "frontend.arguments",
                fmt::format("kernel '{}' needs an argument '{}'", kernel.text, parameter.name),
                suggestion(parameter.name, argumentNames(arguments),
                           "describe it with -a " + parameter.name + "=bf16[512,512]"));
  }
  for (auto &[name, value] : bound)
    frame->slots[name] = {value, at(kernel), ++version};
}

Value Evaluator::argumentValue(const Argument &argument, Tensor::Origin origin,
                               const Location &declared) {
  if (argument.kind == Argument::Callable)
    return callableValue(argument);
  if (argument.kind == Argument::Scalar)
    return std::visit(
        [](const auto &value) -> Value {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
            return None{};
          else
            return value;
        },
        argument.value);
  auto tensor = std::make_shared<Tensor>();
  tensor->name = argument.name;
  tensor->origin = origin;
  tensor->dtype = Dtype{argument.dtype};
  tensor->dims = argument.dims;
  tensor->declared = declared;
  tensors.push_back(tensor);
  return tensor;
}

Value Evaluator::callableValue(const Argument &argument) {
  modules.push_back(std::make_unique<ModuleScope>(parseFile(argument.file)));
  ModuleScope &module = *modules.back();
  auto binding = module.find(argument.function);
  Value value;
  if (binding && binding->kind == ModuleScope::Binding::Function)
    value = std::make_shared<const Closure>(
        Closure{binding->node, &module, nullptr, argument.function});
  else if (binding && binding->kind == ModuleScope::Binding::Assigned)
    value = moduleValue(*binding->node, module, argument.function, *binding);
  if (value.is<ClosureRef>())
    return value;
  std::vector<std::string> known;
  for (const std::string &name : module.names())
    if (module.find(name)->kind == ModuleScope::Binding::Function)
      known.push_back(name);
  throw Error(
      Kind::User, "frontend.callable",
      "'" + argument.function + "' is no module-level function or lambda of '" + argument.file +
          "'",
      suggestion(argument.function, known,
                 known.empty() ? "the file defines no function" : "it defines " + listed(known)),
      optionAt(argument));
}

void Evaluator::checkUnused(const std::vector<Argument> &arguments) {
  std::vector<std::string> known;
  for (const Parameter &parameter : kernel.parameters)
    known.push_back(parameter.name);
  for (const Argument &argument : arguments)
    if (extra.count(argument.name) && !captured.count(argument.name))
      throw Error(
          Kind::User, "frontend.arguments",
          fmt::format("kernel '{}' has no parameter and uses no free name '{}'", kernel.text,
                      argument.name),
          suggestion(argument.name, known,
                     known.empty() ? "leave it out" : "its parameters are " + listed(known)),
          optionAt(argument))
          .note(at(kernel), "the kernel is defined here");
}

//===--- Results
//-------------------------------------------------------------------------------------===//

void Evaluator::addReturned(const Value &value, std::vector<TensorRef> &outputs) {
  if (const ValueList *items = value.items()) {
    for (const Value &item : *items)
      addReturned(item, outputs);
    return;
  }
  step(kernel);
  if (value.isNone())
    return;
  auto tensor = value.as<TensorRef>();
  if (!tensor)
    unsupported(kernel, "returning " + kindText(value), "return tensors that the kernel stores to");
  if (!(*tensor)->firstStore) {
    std::string name = (*tensor)->name.empty() ? "a tensor" : "'" + (*tensor)->name + "'";
    throw Error(Kind::User, "frontend.never-stored",
                "the kernel returns " + name + " but never stores to it",
                "store to it inside a tile loop", (*tensor)->declared);
  }
  if (!llvm::is_contained(outputs, *tensor))
    outputs.push_back(*tensor);
}

/// Returned tensors in order, then others that were stored to.
std::vector<TensorRef> Evaluator::findOutputs(const std::optional<Value> &returned) {
  std::vector<TensorRef> outputs;
  addReturned(returned.value_or(None{}), outputs);
  for (const TensorRef &tensor : tensors)
    if (tensor->firstStore && tensor->origin != Tensor::Allocated &&
        !llvm::is_contained(outputs, tensor))
      outputs.push_back(tensor);
  if (outputs.empty())
    userError(kernel, "frontend.no-output", "kernel '" + kernel.text + "' has no result",
              "store to a tensor inside a tile loop and return it");
  for (const TensorRef &tensor : tensors)
    if (tensor->firstStore && !llvm::is_contained(outputs, tensor))
      outputs.push_back(tensor);
  return outputs;
}

/// Names of the function's arguments are distinct and fit for generated code.
void Evaluator::nameTensors(const std::vector<TensorRef> &inputs,
                            const std::vector<TensorRef> &outputs) {
  std::set<std::string> taken;
  for (const auto *group : {&inputs, &outputs})
    for (const TensorRef &tensor : *group) {
      std::string base = plainName(tensor->name.empty() ? "out" : tensor->name), name = base;
      for (int number = 1; !taken.insert(name).second; ++number)
        name = base + "_" + std::to_string(number);
      tensor->name = name;
    }
}

mlir::OwningOpRef<mlir::ModuleOp> Evaluator::run(const std::string &source) {
  std::vector<Argument> given;
  for (const auto &[name, argument] : extra)
    given.push_back(argument);
  std::optional<Value> returned = execute(kernel.body);
  std::vector<TensorRef> outputs = findOutputs(returned), inputs;
  for (const BlockSizeRef &size : registered)
    if (size->symbol && !size->bound)
      throw Error(Kind::Unsupported, "frontend.unsupported",
                  "block size '" + size->name + "', which no hl.tile uses",
                  "give it to an hl.tile as block_size", size->declared);
  checkUnused(given);
  for (const TensorRef &tensor : tensors)
    if (tensor->firstLoad)
      inputs.push_back(tensor);
  nameTensors(inputs, outputs);
  return program.finish(inputs, outputs, source);
}

//===--- Selection
//-----------------------------------------------------------------------------------===//

static const Node &selectKernel(const ModuleScope &module, const std::string &path,
                                const std::string &name) {
  std::vector<const Node *> kernels = module.kernels();
  std::vector<std::string> names;
  for (const Node *kernel : kernels)
    names.push_back(kernel->text);
  if (kernels.empty())
    throw Error(Kind::User, "frontend.kernel", "the file defines no Helion kernel",
                "decorate a module-level function with @helion.kernel and import helion",
                {path, 0, 0});
  std::string known = "it defines " + listed(names);
  if (name.empty() && kernels.size() > 1)
    throw Error(Kind::User, "frontend.kernel",
                fmt::format("the file defines {} kernels: {}", names.size(), listed(names)),
                "name one, as in " + path + ":" + names[0], {path, 0, 0});
  for (const Node *kernel : kernels)
    if (name.empty() || kernel->text == name)
      return *kernel;
  auto binding = module.find(name);
  if (binding && binding->kind == ModuleScope::Binding::Function)
    throw Error(Kind::User, "frontend.kernel", "'" + name + "' is not a Helion kernel",
                "decorate it with @helion.kernel; " + known, module.at(*binding->node));
  throw Error(Kind::User, "frontend.kernel", "there is no kernel '" + name + "'",
              suggestion(name, names, known), {path, 0, 0});
}

mlir::OwningOpRef<mlir::ModuleOp> lower(mlir::MLIRContext &context, const std::string &path,
                                        const std::string &kernelName,
                                        const std::vector<Argument> &arguments) {
  ModuleScope module(parseFile(path));
  const Node &kernel = selectKernel(module, path, kernelName);
  return Evaluator(context, module, kernel, arguments).run(path + ":" + kernel.text);
}

} // namespace tilewright::frontend
