// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks a kernel as Python would, with the arguments' descriptions for values: host code is
// computed, the bodies of tile loops become operations.
#pragma once

#include "Device.h"
#include "Names.h"
#include "tilewright/Frontend/Frontend.h"
#include <optional>

namespace tilewright::frontend {

/// The variables of one call of a function.
struct Frame {
  struct Slot {
    Value value;
    Location at;          ///< of the assignment
    unsigned version = 0; ///< differs after every assignment
  };
  ModuleScope *module = nullptr;
  std::shared_ptr<Frame> outer; ///< of the enclosing function
  std::string function;
  std::set<std::string> locals; ///< names that the function assigns anywhere
  std::map<std::string, Slot> slots;
  std::map<std::string, unsigned>
      frozen; ///< host values that the device loops around may not change
};
using FrameRef = std::shared_ptr<Frame>;

/// Arguments of a call, in the order of the callee's signature; absent ones are null.
class Arguments {
public:
  explicit Arguments(std::vector<std::optional<Value>> values) : values(std::move(values)) {}
  /// Null, too, for a parameter that this callee's signature does not have.
  const Value *operator[](size_t i) const {
    return i < values.size() && values[i] ? &*values[i] : nullptr;
  }
  /// The value, with None taken as absent.
  const Value *given(size_t i) const {
    const Value *value = (*this)[i];
    return value && !value->isNone() ? value : nullptr;
  }

private:
  std::vector<std::optional<Value>> values;
};

class Evaluator;
using Handler = Value (*)(Evaluator &, const Node &, const Arguments &);

/// A function or method that kernels may call. The signature lists parameters: those after "?" may
/// be absent, those after "*" are keywords only, one that ends in "..." takes all further
/// positional arguments as a list. Methods have the object as their first parameter.
struct Callee {
  std::string_view name;
  std::string_view signature;
  Handler handler;
};

/// The callee with this path, or null. Paths of methods begin with "Tensor." or "Tile.".
const Callee *findCallee(const std::string &path);
/// Names of the callees that begin with `prefix`, for messages.
std::vector<std::string> calleeNames(const std::string &prefix);

class Evaluator {
public:
  Evaluator(mlir::MLIRContext &context, ModuleScope &module, const Node &kernel,
            const std::vector<Argument> &arguments);

  mlir::OwningOpRef<mlir::ModuleOp> run(const std::string &source);

  //===--- For handlers of calls
  //---------------------------------------------------------------------===//

  Device &device() { return program; }
  /// Inside a tile loop?
  bool onDevice() const { return deviceDepth > 0; }
  bool inInnerLoop() const { return deviceDepth > 1; }
  Location at(const Node &node) const { return frame->module->at(node); }
  [[noreturn]] void userError(const Node &node, const char *id, const std::string &message,
                              const std::string &hint = {}) const;
  [[noreturn]] void unsupported(const Node &node, const std::string &what,
                                const std::string &hint) const;

  // Operands of a known kind, or an error that names `what`.
  Block block(const Node &node, const Value &value, const std::string &what) const;
  int64_t integer(const Node &node, const Value &value, const std::string &what) const;
  double number(const Node &node, const Value &value, const std::string &what) const;
  Dtype elementDtype(const Node &node, const Value &value, const std::string &what) const;
  /// Dims of a host tensor from one list or from separate integers.
  std::vector<int64_t> hostShape(const Node &node, const ValueList &sizes);
  /// Dims of a device value: tiles, block sizes and integers.
  llvm::SmallVector<mlir::Attribute> deviceShape(const Node &node, const Value &shape);
  mlir::Attribute deviceDim(const Node &node, const Value &value);
  Value newTensor(const Node &node, std::vector<int64_t> dims, const Dtype &dtype, bool zeros);
  Value newBlockSize(const Node &node, int64_t lower, int64_t upper);

  // Arithmetic.
  Value binary(const Node &node, const std::string &op, const Value &lhs, const Value &rhs);
  Value negate(const Node &node, const Value &operand);
  Value hostBinary(const Node &node, const std::string &op, const Value &lhs, const Value &rhs);
  bool compare(const Node &node, const std::string &op, const Value &lhs, const Value &rhs);
  bool truth(const Node &node, const Value &value);
  Value pointwise(const Node &node, tw::BinaryKind kind, const Value &lhs, const Value &rhs);
  Value unary(const Node &node, tw::UnaryKind kind, const Value &operand, const std::string &name);
  Value power(const Node &node, const Value &base, const Value &exponent);
  /// lhs @ rhs with torch's result dtype, or in `out` when it is given.
  Value matmul(const Node &node, const Value &lhs, const Value &rhs, std::optional<Dtype> out = {});
  /// accumulator + lhs @ rhs in the accumulator's dtype.
  Value accumulate(const Node &node, Block accumulator, const Value &lhs, const Value &rhs);

  // Memory.
  Value load(const Node &node, const TensorRef &tensor, const ValueList &index);
  void store(const Node &node, const TensorRef &tensor, const ValueList &index, const Value &value);
  Value reshapeByIndex(const Node &node, Block operand, const ValueList &index);

  Value call(const Node &node, const Value &callee, ValueList positional,
             std::vector<std::pair<std::string, Value>> keywords);
  Value attribute(const Node &node, const Value &object, const std::string &name);
  /// Counts a step of evaluation; too many are an error, so that no input can keep us busy for
  /// long.
  void step(const Node &node);

private:
  struct Plan;
  class Depth;

  //===--- Statements
  //--------------------------------------------------------------------------------===//
  std::optional<Value> execute(const std::vector<const Node *> &body);
  std::optional<Value> executeOne(const Node &node);
  void executeAssign(const Node &node);
  void executeAugmented(const Node &node);
  void executeAssert(const Node &node);
  void executeRaise(const Node &node);
  std::optional<Value> executeReturn(const Node &node);
  void defineFunction(const Node &node);
  void assign(const Node &target, const Value &value);
  void assignName(const Node &node, const std::string &name, Value value);
  void assignItems(const Node &target, const Value &value);
  std::string messageText(const Node &node);
  std::string namesIn(const Node &node);

  //===--- Tile loops
  //--------------------------------------------------------------------------------===//
  void executeFor(const Node &node);
  std::vector<TileRef> makeTiles(const Node &node, const TileRange &range);
  std::vector<std::string> tileNames(const Node &node, const TileRange &range);
  BlockSizeRef blockSize(const Node &node, const TileRange &range, size_t i,
                         const std::string &name);
  void bindTarget(const Node &node, const TileRange &range, const std::vector<TileRef> &tiles);
  void runGrid(const Node &node, const TileRange &range, const std::vector<TileRef> &tiles);
  void runLoops(const Node &node, const TileRange &range, const std::vector<TileRef> &tiles,
                size_t i);
  void runBody(const Node &node, const TileRange &range, const std::vector<TileRef> &tiles);
  std::vector<std::string> carriedNames(const Node &node);
  mlir::Value carriedValue(const Node &node, const std::string &name, mlir::Type type,
                           const Location &before);
  void expire(const Node &node, const std::map<std::string, unsigned> &versions,
              const std::vector<std::string> &carried, const std::string &loop);
  std::map<std::string, unsigned> versions(const std::vector<std::string> &names) const;

  //===--- Expressions
  //-------------------------------------------------------------------------------===//
  Value evaluate(const Node &node);
  Value evaluateName(const Node &node);
  Value evaluateConstant(const Node &node);
  Value evaluateCall(const Node &node);
  Value evaluateCompare(const Node &node);
  Value evaluateLogical(const Node &node);
  Value evaluateSubscript(const Node &node);
  Value evaluateUnary(const Node &node);
  Value evaluateString(const Node &node);
  ValueList evaluateItems(const std::vector<const Node *> &nodes);
  ValueList evaluateIndex(const Node &node);
  Value pickItem(const Node &node, const Value &object, const ValueList &index);
  Value sliceItems(const Node &node, const Sequence &sequence, const SliceValue &slice);
  Value moduleValue(const Node &node, ModuleScope &module, const std::string &name,
                    const ModuleScope::Binding &binding);
  std::optional<Value> capturedValue(const std::string &name);
  [[noreturn]] void undefinedName(const Node &node);

  //===--- Calls
  //-------------------------------------------------------------------------------------===//
  Value callTable(const Node &node, const Callee &callee, ValueList positional,
                  std::vector<std::pair<std::string, Value>> keywords);
  Value inlineCall(const Node &node, const Closure &closure, ValueList positional,
                   std::vector<std::pair<std::string, Value>> keywords);
  void bindParameters(const Node &node, const Closure &closure, Frame &callee, ValueList positional,
                      std::vector<std::pair<std::string, Value>> keywords);
  [[noreturn]] void unknownCallee(const Node &node, const std::string &path);
  std::string methodPath(const Node &node, const Method &method);
  Value packageAttribute(const std::string &path);
  Value tensorAttribute(const Node &node, const TensorRef &tensor, const std::string &name,
                        const Value &object);
  Value blockAttribute(const Node &node, Block block, const std::string &name, const Value &object);
  Value tileAttribute(const Node &node, const TileRef &tile, const std::string &name);

  //===--- Host arithmetic
  //---------------------------------------------------------------------------===//
  Value integerBinary(const Node &node, const std::string &op, int64_t lhs, int64_t rhs);
  Value realBinary(const Node &node, const std::string &op, double lhs, double rhs);
  bool equal(const Node &node, const Value &lhs, const Value &rhs);
  bool identical(const Node &node, const Value &lhs, const Value &rhs);

  //===--- Memory
  //------------------------------------------------------------------------------------===//
  Plan plan(const Node &node, const Tensor &tensor, const ValueList &index);
  void addEntry(const Node &node, const Tensor &tensor, const Value &entry, Plan &plan);
  void addWhole(const Node &node, const Tensor &tensor, Plan &plan);
  void checkRace(const Node &node, const Tensor &tensor, const Plan &plan);

  //===--- The kernel
  //--------------------------------------------------------------------------------===//
  void bindKernelParameters(const std::vector<Argument> &arguments);
  Value argumentValue(const Argument &argument, Tensor::Origin origin, const Location &declared);
  Value callableValue(const Argument &argument);
  void checkUnused(const std::vector<Argument> &arguments);
  void addReturned(const Value &value, std::vector<TensorRef> &outputs);
  std::vector<TensorRef> findOutputs(const std::optional<Value> &returned);
  void nameTensors(const std::vector<TensorRef> &inputs, const std::vector<TensorRef> &outputs);

  Device program;
  const Node &kernel;
  FrameRef frame;
  FrameRef kernelFrame;
  std::vector<std::unique_ptr<ModuleScope>> modules; ///< of callable arguments' files
  std::vector<TensorRef> tensors;                    ///< parameters, captured ones and allocations
  std::vector<BlockSizeRef> registered;
  std::vector<TileRef> gridTiles;
  std::map<std::string, Argument> extra; ///< arguments that are no parameters, for free names
  std::map<std::string, Value> captured; ///< those that were used
  std::vector<std::string> missing;      ///< free names that were not found
  unsigned deviceDepth = 0;
  unsigned depth = 0;
  unsigned calls = 0;
  unsigned version = 0;
  size_t steps = 0;
  bool gridDone = false;
};

} // namespace tilewright::frontend
