// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run.py: the meaning of the mapped program on whole tensors, in NumPy. Dims that the grid cuts are
// taken whole; sequential loops stay loops, so that rounding inside them happens where the program
// says.
#include "Compute.h"
#include "Outputs.h"
#include <cmath>

using namespace mlir;

namespace tilewright::ttmetal {

#include "RunParts.inc"

namespace {

class Evaluator {
public:
  Evaluator(const Plan &plan, CodeWriter &out) : plan(plan), out(out) {}
  void run();

private:
  const Plan &plan;
  CodeWriter &out;
  std::string value(Value view) { return plan.buffers[plan.buffer(view)].name.substr(3); }
  std::string slices(tw::CopyOp copy);
  void block(Block &block);
  void statement(Operation &op);
  void copy(tw::CopyOp op);
  void contract(tw::ContractOp op);
  void map(tw::MapOp op);
  std::string expression(Operation &op, llvm::DenseMap<Value, std::string> &names, bool exact);
};

std::string elementName(Type type) {
  return type.isBF16() ? "bf16" : "f32";
}
std::string viewElement(Value view) {
  return elementName(cast<tw::ViewType>(view.getType()).getElementType());
}

std::string number(double value) {
  if (std::isinf(value))
    return value > 0 ? "math.inf" : "-math.inf";
  return std::isnan(value) ? "math.nan" : fmt::format("{}", value);
}

std::string Evaluator::slices(tw::CopyOp copy) {
  auto type = cast<tw::ViewType>(copy.getView().getType());
  std::string text;
  size_t rank = copy.getIndices().size();
  // A vector that the block holds as one row or one column.
  bool spread = rank == 1 && type.getDims().size() == 2;
  bool column = spread && plan.tensor(copy.getGlobal()).layout == "column";
  for (size_t d = 0; d < rank; ++d) {
    Value index = copy.getIndices()[d];
    auto sides = blockSides(plan, {type.getDims()[spread && !column ? 1 : d]});
    int64_t size = sides[1].elements;
    auto argument = dyn_cast<BlockArgument>(index);
    bool whole =
        argument && argument.getOwner()->getParentOp() == tw::GridOp(plan.grid).getOperation();
    std::string part = ":";
    if (auto constant = constantIndex(index))
      part = fmt::format("{}:{}", *constant * size, (*constant + 1) * size);
    else if (!whole)
      part = fmt::format("{0} * {1} : ({0} + 1) * {1}", plan.indexNames.lookup(index), size);
    text += (d ? ", " : "") + part;
  }
  if (spread)
    text = column ? text + ", None" : "None, " + text;
  return text;
}

void Evaluator::copy(tw::CopyOp op) {
  const std::string &tensor = plan.tensor(op.getGlobal()).name;
  if (op.getDirection() == tw::Direction::In) {
    out.line("{} = inputs[\"{}\"][{}]", value(op.getView()), tensor, slices(op));
    return;
  }
  out.line("outputs[\"{0}\"].v[{1}] = {2}.v", tensor, slices(op), value(op.getView()));
  out.line("outputs[\"{0}\"].e[{1}] = {2}.e", tensor, slices(op), value(op.getView()));
}

void Evaluator::contract(tw::ContractOp op) {
  out.line("{} = matmul({}, {}, {}, \"{}\", \"{}\", \"{}\")", value(op.getTarget()),
           value(op.getLhs()), value(op.getRhs()), value(op.getAccumulator()),
           viewElement(op.getLhs()), viewElement(op.getRhs()), viewElement(op.getTarget()));
}

std::string Evaluator::expression(Operation &op, llvm::DenseMap<Value, std::string> &names,
                                  bool exact) {
  auto name = [&](Value v) { return names.lookup(v); };
  std::string type = elementName(op.getResult(0).getType());
  if (auto constant = dyn_cast<tw::ConstantOp>(op))
    return fmt::format("constant({}, \"{}\")", number(constant.getValue().convertToDouble()), type);
  if (auto unary = dyn_cast<tw::UnaryOp>(op))
    return fmt::format("unary(\"{}\", {}, \"{}\")", tw::stringifyUnaryKind(unary.getKind()).str(),
                       name(unary.getOperand()), type);
  if (auto cast = dyn_cast<tw::CastOp>(op))
    return fmt::format("cast({}, \"{}\")", name(cast.getOperand()), type);
  auto binary = cast<tw::BinaryOp>(op);
  std::string loss;
  if (binary.getKind() == tw::BinaryKind::Mul && !exact)
    loss = fmt::format(", product_loss(\"{}\", \"{}\")", elementName(binary.getLhs().getType()),
                       elementName(binary.getRhs().getType()));
  if (binary.getKind() == tw::BinaryKind::Div)
    loss = ", SFPU_RELATIVE";
  // The matrix engine may take an f32 operand back from DST, cut to TF32.
  auto operand = [&](Value v) {
    bool cut = !exact && v.getType().isF32() && !isa<BlockArgument>(v) &&
               binary.getKind() != tw::BinaryKind::Div;
    return cut ? "truncated(" + name(v) + ")" : name(v);
  };
  return fmt::format("binary(\"{}\", {}, {}, \"{}\"{})",
                     tw::stringifyBinaryKind(binary.getKind()).str(), operand(binary.getLhs()),
                     operand(binary.getRhs()), type, loss);
}

void Evaluator::map(tw::MapOp op) {
  bool exact = cast<tw::ViewType>(op.getTarget().getType()).getElementType().isF32();
  llvm::DenseMap<Value, std::string> names;
  for (auto [argument, view] : llvm::zip(op.getBody().getArguments(), op.getInputs())) {
    const Buffer &buffer = plan.buffers[plan.buffer(view)];
    bool cut = buffer.dtype == Dtype::F32 && (!buffer.unpackToDest || !exact);
    names[argument] = cut ? "truncated(" + value(view) + ")" : value(view);
  }
  int next = 0;
  for (Operation &inner : op.getBody().front().without_terminator()) {
    std::string name = fmt::format("t{}", next++);
    out.line("{} = {}", name, expression(inner, names, exact));
    names[inner.getResult(0)] = name;
  }
  out.line("{} = {}", value(op.getTarget()),
           names.lookup(op.getBody().front().back().getOperand(0)));
}

void Evaluator::statement(Operation &op) {
  if (auto move = dyn_cast<tw::CopyOp>(op))
    copy(move);
  else if (auto set = dyn_cast<tw::SetOp>(op))
    out.line("{} = constant({}, \"{}\")", value(set.getView()),
             number(set.getValue().convertToDouble()), viewElement(set.getView()));
  else if (auto product = dyn_cast<tw::ContractOp>(op))
    contract(product);
  else if (auto pointwise = dyn_cast<tw::MapOp>(op))
    map(pointwise);
  else if (auto loop = dyn_cast<tw::LoopOp>(op)) {
    out.line("for block_{0} in range({1}):", loopName(plan, loop), loopTrips(plan, loop));
    out.indent();
    block(loop.getBody().front());
    out.dedent();
  }
}

void Evaluator::block(Block &block) {
  for (Operation &op : block)
    statement(op);
}

void Evaluator::run() {
  out.line("def reference(inputs):");
  out.indent();
  out.line("\"\"\"The program on whole tensors, with its rounding points.\"\"\"");
  out.line("outputs = {}");
  for (const Tensor &t : plan.tensors)
    if (t.output)
      out.line("outputs[\"{0}\"] = Value(np.full(({1},), np.nan), np.zeros(({1},)))", t.name,
               fmt::join(t.shape, ", "));
  block(tw::GridOp(plan.grid).getBody().front());
  out.line("return outputs");
  out.dedent();
}

void emitConstants(const Plan &plan, const machine::Machine &machine, CodeWriter &out) {
  out.line("HERE = os.path.dirname(os.path.abspath(__file__))");
  out.line("# From the machine file of {}.", machine.name);
  out.line("CIRCULAR_BUFFERS = {}", plan.limits.buffers);
  out.line("FIDELITY_PHASES = {}  # {}", machine.number("compute.fidelity_phases." + plan.fidelity),
           plan.fidelity);
  out.line("SRCA_HIGH_BITS, SRCB_HIGH_BITS = {}, {}", machine.number("compute.srca_high_bits"),
           machine.number("compute.srcb_high_bits"));
  out.line("SFPU_RELATIVE = 2.0**-{}", machine.number("compute.sfpu_accurate_bits"));
}

} // namespace

std::string emitScript(const Plan &plan, const machine::Machine &machine,
                       const std::vector<std::string> &header) {
  CodeWriter out(4);
  out.line("#!/usr/bin/env python3");
  for (const std::string &line : header)
    out.line(std::string_view(line.empty() ? "#" : "# " + line));
  out.line("\"\"\"Runs reader.cpp, compute.cpp and writer.cpp through ttnn.generic_op and checks "
           "the outputs.\"\"\"");
  for (const char *module : {"argparse", "json", "math", "os", "sys"})
    out.line("import {}", module);
  out.line();
  out.line("import numpy as np");
  out.line();
  emitConstants(plan, machine, out);
  std::string text = out.take() + runValues;
  CodeWriter evaluation(4);
  Evaluator(plan, evaluation).run();
  return text + evaluation.take() + runMain;
}

} // namespace tilewright::ttmetal
