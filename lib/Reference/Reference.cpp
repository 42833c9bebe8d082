// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The room's entry: checks the tensors against the program's arguments, runs it, collects the
// outputs.
#include "tilewright/Reference/Reference.h"
#include "Interpreter.h"
#include "tilewright/Support/Random.h"
#include <bit>
#include <limits>

using namespace mlir;

namespace tilewright::reference {

static std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return "[" + text + "]";
}

[[noreturn]] static void badInput(const std::string &message, const std::string &hint,
                                  const Location &location) {
  throw Error(Kind::User, "reference.input", message, hint, location);
}

static void checkInput(const Tensor &given, const Tensor &wanted, const Location &location) {
  std::string name = "input '" + given.name + "' has ";
  if (given.dtype != wanted.dtype)
    badInput(name + "elements of type '" + given.dtype + "', the program wants '" + wanted.dtype +
                 "'",
             "convert the tensor", location);
  if (given.shape != wanted.shape)
    badInput(name + "shape " + shapeText(given.shape) + ", the program wants " +
                 shapeText(wanted.shape),
             "compile the program for this shape", location);
  if (given.values.size() != size_t(elementCount(wanted.shape)))
    badInput(name + std::to_string(given.values.size()) + " values for " +
                 std::to_string(elementCount(wanted.shape)) + " elements",
             "give one value per element", location);
  if (given.dtype == "bf16")
    for (float value : given.values)
      if (value == value && roundToBf16(value) != value)
        badInput(name + "a value that is not a bf16: " + std::to_string(value),
                 "round the values to bf16 first", location);
}

/// The argument as a tensor without values.
static Tensor describe(BlockArgument argument, const Location &location) {
  auto type = dyn_cast<MemRefType>(argument.getType());
  if (!type || !type.hasStaticShape())
    throw Error(Kind::Unsupported, "reference.type",
                "argument '" + tw::argumentName(argument) + "' is not a tensor with a static shape",
                "specialise the program for its shapes", location);
  Tensor tensor{tw::argumentName(argument), {}, {}, {}};
  tensor.dtype = isBf16(type.getElementType(), location) ? "bf16" : "f32";
  tensor.shape.assign(type.getShape().begin(), type.getShape().end());
  return tensor;
}

static bool isOutput(func::FuncOp program, unsigned argument) {
  auto role = program.getArgAttrOfType<StringAttr>(argument, tw::roleAttr);
  return role && role.getValue() == "output";
}

static const Tensor *find(const std::vector<Tensor> &inputs, const std::string &name) {
  for (const Tensor &tensor : inputs)
    if (tensor.name == name)
      return &tensor;
  return nullptr;
}

static Global makeGlobal(BlockArgument argument, bool output, const std::vector<Tensor> &inputs,
                         const Location &location) {
  Global global{describe(argument, location), {}, {}, output};
  int64_t count = elementCount(global.tensor.shape);
  global.error.assign(count, 0);
  if (output) {
    global.tensor.values.assign(count, std::numeric_limits<float>::quiet_NaN());
    global.writer.assign(count, 0);
    return global;
  }
  const Tensor *given = find(inputs, global.tensor.name);
  if (!given)
    badInput("input '" + global.tensor.name + "' is missing", "pass a tensor of this name",
             location);
  checkInput(*given, global.tensor, location);
  global.tensor.values = given->values;
  return global;
}

static Output takeOutput(Global &global, const Location &location) {
  int64_t unwritten = llvm::count(global.writer, 0);
  if (unwritten)
    throw Error(Kind::User, "reference.unwritten",
                "output '" + global.tensor.name + "' has " + std::to_string(unwritten) + " of " +
                    std::to_string(global.writer.size()) + " elements that no block writes",
                "let the grid cover the whole tensor", location);
  return {std::move(global.tensor), std::move(global.error)};
}

static void checkNames(func::FuncOp program, const std::vector<Tensor> &inputs,
                       const Location &location) {
  for (const Tensor &tensor : inputs) {
    int64_t matches = 0;
    for (BlockArgument argument : program.getArguments())
      matches +=
          !isOutput(program, argument.getArgNumber()) && tw::argumentName(argument) == tensor.name;
    int64_t given = llvm::count_if(inputs, [&](const Tensor &t) { return t.name == tensor.name; });
    if (matches != 1 || given != 1)
      badInput("tensor '" + tensor.name + "' is given " + std::to_string(given) + " times for " +
                   std::to_string(matches) + " inputs of this name",
               "pass each input once, by its name", location);
  }
}

std::vector<Output> run(func::FuncOp program, const std::vector<Tensor> &inputs,
                        const std::map<std::string, int64_t> &blockSizes,
                        const Precision &precision) {
  Location location = locationOf(program);
  checkNames(program, inputs, location);
  Interpreter interpreter(program, blockSizes, precision);
  for (BlockArgument argument : program.getArguments())
    interpreter.globals[argument] =
        makeGlobal(argument, isOutput(program, argument.getArgNumber()), inputs, location);
  interpreter.run();
  std::vector<Output> outputs;
  for (BlockArgument argument : program.getArguments())
    if (isOutput(program, argument.getArgNumber()))
      outputs.push_back(takeOutput(interpreter.globals[argument], location));
  return outputs;
}

} // namespace tilewright::reference
