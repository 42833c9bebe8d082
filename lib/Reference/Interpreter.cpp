// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interpreter of stage 1: grids and loops in order, every operation on whole blocks.
#include "Interpreter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tilewright/Support/Checked.h"
#include "tilewright/Support/Random.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilewright::reference {

tilewright::Location locationOf(Operation *op) {
  if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
    return {place.getFilename().str(), place.getLine(), place.getColumn()};
  return {};
}

bool isBf16(Type type, const Location &location) {
  if (!type.isBF16() && !type.isF32()) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    throw Error(Kind::Unsupported, "reference.type",
                "element type '" + text + "' is neither bf16 nor f32", "use bf16 or f32 tensors",
                location);
  }
  return type.isBF16();
}

//===--- Sizes and positions
//-------------------------------------------------------------------------===//

int64_t Interpreter::blockSize(StringRef label, const Location &location) const {
  auto given = blockSizes.find(label.str());
  int64_t size = 0;
  if (given != blockSizes.end())
    size = given->second;
  else if (tw::SymOp symbol = tw::findSymbol(program, label); symbol && symbol.getValue())
    size = *symbol.getValue();
  else
    throw Error(Kind::User, "reference.block-size",
                "no block size is given for '" + label.str() + "'",
                "pass a size of at least 1 element", location);
  if (size < 1)
    throw Error(Kind::User, "reference.block-size",
                "block size of '" + label.str() + "' is " + std::to_string(size) +
                    " elements, below 1",
                "pass a size of at least 1 element", location);
  return size;
}

int64_t Interpreter::blockCount(StringRef label, int64_t extent, const Location &location) const {
  return ceilDiv(extent, blockSize(label, location));
}

std::vector<int64_t> Interpreter::sizes(ArrayRef<Attribute> dims, const Location &location) const {
  std::vector<int64_t> sizes;
  for (Attribute dim : dims) {
    auto label = dyn_cast<FlatSymbolRefAttr>(dim);
    sizes.push_back(label ? blockSize(label.getValue(), location)
                          : cast<IntegerAttr>(dim).getInt());
  }
  return sizes;
}

Index Interpreter::index(Value value, const Location &location) const {
  if (auto counted = indices.find(value); counted != indices.end())
    return counted->second;
  if (auto constant = value.getDefiningOp<arith::ConstantIndexOp>();
      constant && constant.value() >= 0)
    return {constant.value(), 0};
  throw Error(Kind::Unsupported, "reference.index",
              "an index is neither a grid or loop's block number nor a constant of at least 0",
              "index with the grid's and loops' variables", location);
}

Window Interpreter::window(ValueRange operands, tw::TileType type, const Global &global,
                           const Location &location) const {
  std::vector<Index> where;
  for (Value operand : operands)
    where.push_back(index(operand, location));
  return makeWindow(where, sizes(type.getDims(), location), global.tensor.shape);
}

Global &Interpreter::global(Value value, const Location &location) {
  auto found = globals.find(value);
  if (found == globals.end())
    throw Error(Kind::Unsupported, "reference.op", "a tensor is not an argument of the function",
                "pass every tensor as an argument", location);
  return found->second;
}

//===--- Structure
//-----------------------------------------------------------------------------------===//

void Interpreter::run() {
  for (Operation &op : program.getBody().front())
    if (!isa<func::ReturnOp>(op))
      runOp(op);
}

void Interpreter::runBody(mlir::Block &body) {
  for (Operation &op : body)
    if (!isa<tw::YieldOp>(op))
      runOp(op);
}

/// Axes count like an odometer, the last one fastest; the order has no meaning (races are errors).
void Interpreter::runGrid(tw::GridOp op) {
  Location location = locationOf(op);
  std::vector<int64_t> counts, number(op.getExtents().size(), 0);
  for (auto [label, extent] :
       llvm::zip(op.getLabels().getAsRange<FlatSymbolRefAttr>(), op.getExtents()))
    counts.push_back(blockCount(label.getValue(), extent, location));
  while (true) {
    ++iteration;
    for (auto [argument, at, extent] :
         llvm::zip(op.getBody().getArguments(), number, op.getExtents()))
      indices[argument] = {at, extent};
    runBody(op.getBody().front());
    size_t axis = number.size();
    while (axis > 0 && ++number[axis - 1] == counts[axis - 1])
      number[--axis] = 0;
    if (axis == 0)
      return;
  }
}

void Interpreter::runLoop(tw::LoopOp op) {
  mlir::Block &body = op.getBody().front();
  int64_t count = blockCount(op.getLabel(), op.getExtent(), locationOf(op));
  std::vector<BlockPtr> carried;
  for (Value init : op.getInits())
    carried.push_back(blocks.at(init));
  for (int64_t k = 0; k < count; ++k) {
    indices[body.getArgument(0)] = {k, int64_t(op.getExtent())};
    for (auto [argument, value] : llvm::zip(body.getArguments().drop_front(), carried))
      blocks[argument] = value;
    runBody(body);
    for (auto [value, yielded] : llvm::zip(carried, body.back().getOperands()))
      value = blocks.at(yielded);
  }
  for (auto [result, value] : llvm::zip(op.getResults(), carried))
    blocks[result] = value;
}

//===--- Operations
//----------------------------------------------------------------------------------===//

void Interpreter::runLoad(tw::LoadOp op) {
  Location location = locationOf(op);
  const Global &source = global(op.getSource(), location);
  auto type = cast<tw::TileType>(op.getResult().getType());
  blocks[op.getResult()] =
      load(source, window(op.getIndices(), type, source, location), iteration, location);
}

void Interpreter::runStore(tw::StoreOp op) {
  Location location = locationOf(op);
  Global &target = global(op.getTarget(), location);
  if (!target.isOutput)
    throw Error(Kind::User, "reference.input", "input '" + target.tensor.name + "' is stored to",
                "give the argument the role \"output\"", location);
  auto type = cast<tw::TileType>(op.getValue().getType());
  store(target, block(op.getValue()), window(op.getIndices(), type, target, location), iteration,
        precision, location);
}

void Interpreter::runFill(tw::FillOp op) {
  auto type = cast<tw::TileType>(op.getResult().getType());
  Location location = locationOf(op);
  bool bf16 = isBf16(type.getElementType(), location);
  std::vector<int64_t> dims = sizes(type.getDims(), location);
  auto result = std::make_shared<Block>(makeBlock(dims, dims, bf16));
  float value = float(op.getValue().convertToDouble());
  result->value.assign(result->value.size(), bf16 ? roundToBf16(value) : value);
  blocks[op.getResult()] = result;
}

void Interpreter::runUnsqueeze(tw::UnsqueezeOp op) {
  auto result = std::make_shared<Block>(block(op.getOperand()));
  result->sum = {}; // only a matmul's accumulator goes on with a sum
  result->dims.insert(result->dims.begin() + op.getAxis(), 1);
  result->valid.insert(result->valid.begin() + op.getAxis(), 1);
  blocks[op.getResult()] = result;
}

void Interpreter::runValueOp(Operation &op) {
  auto type = op.getNumResults() == 1 ? dyn_cast<tw::TileType>(op.getResult(0).getType()) : nullptr;
  if (!type)
    throw Error(Kind::Unsupported, "reference.op",
                "operation '" + op.getName().getStringRef().str() +
                    "' is not one of a tile program",
                "run the reference on the program of stage 'tile'", locationOf(&op));
  bool bf16 = isBf16(type.getElementType(), locationOf(&op));
  BlockPtr &result = blocks[op.getResult(0)];
  auto operand = [&](unsigned i) -> const Block & { return block(op.getOperand(i)); };
  TypeSwitch<Operation *>(&op)
      .Case([&](tw::UnaryOp unaryOp) {
        result = unary(unaryOp.getKind(), operand(0), bf16, precision);
      })
      .Case([&](tw::BinaryOp binaryOp) {
        result = binary(binaryOp.getKind(), operand(0), operand(1), bf16, precision);
      })
      .Case([&](tw::CastOp) { result = reference::cast(operand(0), bf16, precision); })
      .Case([&](tw::MatmulOp) {
        result = matmul(operand(0), operand(1), operand(2), bf16, precision);
      });
}

void Interpreter::runOp(Operation &op) {
  if (isa<tw::SymOp, arith::ConstantIndexOp>(op))
    return;
  if (auto grid = dyn_cast<tw::GridOp>(op))
    return runGrid(grid);
  if (auto loop = dyn_cast<tw::LoopOp>(op))
    return runLoop(loop);
  if (auto load = dyn_cast<tw::LoadOp>(op))
    return runLoad(load);
  if (auto store = dyn_cast<tw::StoreOp>(op))
    return runStore(store);
  if (auto fill = dyn_cast<tw::FillOp>(op))
    return runFill(fill);
  if (auto unsqueeze = dyn_cast<tw::UnsqueezeOp>(op))
    return runUnsqueeze(unsqueeze);
  runValueOp(op);
}

} // namespace tilewright::reference
