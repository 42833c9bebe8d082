// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of the tile program.
#include "Device.h"
#include "Names.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace tilewright::frontend {

Device::Device(MLIRContext &context, const std::string &name, const tilewright::Location &location)
    : builder(&context) {
  mlir::Location loc = at(location);
  module = ModuleOp::create(loc);
  function = func::FuncOp::create(loc, name, builder.getFunctionType({}, {}));
  module->push_back(function);
  function.addEntryBlock();
  builder.setInsertionPointToEnd(&function.getBody().front());
}

mlir::Location Device::at(const tilewright::Location &location) {
  return FileLineColLoc::get(builder.getContext(), location.file, location.line, location.column);
}

tw::TileType Device::tileType(ArrayRef<Attribute> dims, const Dtype &dtype) {
  return tw::TileType::get(builder.getContext(), dims, elementType(builder.getContext(), dtype));
}

Attribute Device::constantDim(int64_t size) {
  return builder.getI64IntegerAttr(size);
}

//===--- Values
//--------------------------------------------------------------------------------------===//

Block Device::fill(double value, ArrayRef<Attribute> dims, const Dtype &dtype,
                   const tilewright::Location &loc) {
  return {
      tw::FillOp::create(builder, at(loc), tileType(dims, dtype), builder.getF64FloatAttr(value))};
}

Block Device::cast(Block operand, const Dtype &dtype, const tilewright::Location &loc) {
  if (operand.dtype() == dtype)
    return operand;
  return {tw::CastOp::create(builder, at(loc), tileType(operand.dims(), dtype), operand.value)};
}

Block Device::unary(tw::UnaryKind kind, Block operand, const tilewright::Location &loc) {
  return {tw::UnaryOp::create(builder, at(loc), operand.type(), kind, operand.value)};
}

Block Device::binary(tw::BinaryKind kind, Block lhs, Block rhs, const Dtype &dtype,
                     const tilewright::Location &loc) {
  auto dims = tw::broadcastDims(lhs.dims(), rhs.dims());
  return {
      tw::BinaryOp::create(builder, at(loc), tileType(*dims, dtype), kind, lhs.value, rhs.value)};
}

Block Device::matmul(Block lhs, Block rhs, Block accumulator, const tilewright::Location &loc) {
  return {tw::MatmulOp::create(builder, at(loc), accumulator.type(), lhs.value, rhs.value,
                               accumulator.value)};
}

Block Device::unsqueeze(Block operand, int64_t axis, const tilewright::Location &loc) {
  SmallVector<Attribute> dims(operand.dims());
  dims.insert(dims.begin() + axis, constantDim(1));
  return {tw::UnsqueezeOp::create(builder, at(loc), tileType(dims, operand.dtype()), operand.value,
                                  builder.getI64IntegerAttr(axis))};
}

/// One times the operand is the operand, bit for bit, whatever its sign or size.
Block Device::broadcast(Block operand, ArrayRef<Attribute> dims, const tilewright::Location &loc) {
  if (operand.dims() == dims)
    return operand;
  Block one = fill(1.0, dims, operand.dtype(), loc);
  return binary(tw::BinaryKind::Mul, one, operand, operand.dtype(), loc);
}

mlir::Value Device::blockNumberZero(const tilewright::Location &loc) {
  return arith::ConstantIndexOp::create(builder, at(loc), 0);
}

/// Arguments appear in the order of first access; `finish` sorts them.
mlir::Value Device::argument(Tensor &tensor, const tilewright::Location &loc) {
  if (!tensor.argument) {
    auto type = MemRefType::get(tensor.dims, elementType(builder.getContext(), tensor.dtype));
    tensor.argument = function.getBody().front().addArgument(type, at(tensor.declared));
  }
  return tensor.argument;
}

Block Device::load(Tensor &tensor, const Access &access, const tilewright::Location &loc) {
  mlir::Value source = argument(tensor, loc);
  return {tw::LoadOp::create(builder, at(loc), tileType(access.dims, tensor.dtype), source,
                             access.numbers)};
}

void Device::store(Block value, Tensor &tensor, const Access &access,
                   const tilewright::Location &loc) {
  mlir::Value target = argument(tensor, loc);
  tw::StoreOp::create(builder, at(loc), value.value, target, access.numbers);
}

//===--- Symbols
//-------------------------------------------------------------------------------------===//

void Device::name(BlockSize &size, const std::string &name, const tilewright::Location &loc) {
  if (size.symbol)
    return;
  std::string base = plainName(name), label = base;
  for (int number = 1; !labels.insert(label).second; ++number)
    label = base + "_" + std::to_string(number);
  OpBuilder top(builder.getContext());
  if (grid)
    top.setInsertionPoint(grid);
  else
    top.setInsertionPointToEnd(&function.getBody().front());
  int64_t upper = std::max(size.lower, size.upper);
  size.symbol =
      tw::SymOp::create(top, at(loc), builder.getIndexType(), builder.getStringAttr(label),
                        builder.getI64IntegerAttr(upper), builder.getI64IntegerAttr(size.lower),
                        builder.getI64IntegerAttr(upper), IntegerAttr());
  size.label = FlatSymbolRefAttr::get(builder.getContext(), label);
}

void Device::setExtent(BlockSize &size, int64_t extent) {
  bool pinned = size.lower == size.upper;
  int64_t upper = pinned ? size.upper : size.upper == 0 ? extent : std::min(size.upper, extent);
  size.symbol.setExtent(extent);
  size.symbol.setUpper(std::max(size.lower, upper));
  size.bound = true;
}

//===--- Structure
//-----------------------------------------------------------------------------------===//

SmallVector<mlir::Value> Device::openGrid(ArrayRef<TileRef> tiles,
                                          const tilewright::Location &loc) {
  SmallVector<Attribute> axes;
  SmallVector<int64_t> extents;
  for (const TileRef &tile : tiles) {
    axes.push_back(tile->size->label);
    extents.push_back(tile->extent);
  }
  grid = tw::GridOp::create(builder, at(loc), builder.getArrayAttr(axes),
                            builder.getDenseI64ArrayAttr(extents), tw::PlacementAttr());
  mlir::Block &body = grid.getBody().emplaceBlock();
  for (size_t i = 0; i < tiles.size(); ++i)
    body.addArgument(builder.getIndexType(), at(loc));
  builder.setInsertionPointToEnd(&body);
  return SmallVector<mlir::Value>(body.getArguments());
}

void Device::closeGrid() {
  builder.setInsertionPointAfter(grid);
}

tw::LoopOp Device::openLoop(const TileVariable &tile, ArrayRef<mlir::Value> inits,
                            const tilewright::Location &loc) {
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto loop = tw::LoopOp::create(builder, at(loc), types, tile.size->label,
                                 builder.getI64IntegerAttr(tile.extent), inits);
  mlir::Block &body = loop.getBody().emplaceBlock();
  body.addArgument(builder.getIndexType(), at(loc));
  for (Type type : types)
    body.addArgument(type, at(loc));
  builder.setInsertionPointToEnd(&body);
  return loop;
}

/// The loop again without the carried tiles in `drop`; uses of their results must be gone.
static tw::LoopOp withoutCarried(tw::LoopOp loop, const llvm::BitVector &drop) {
  OpBuilder builder(loop);
  mlir::Block &body = loop.getBody().front();
  SmallVector<mlir::Value> inits, yields;
  for (unsigned i = 0; i < drop.size(); ++i)
    if (!drop[i]) {
      inits.push_back(loop.getInits()[i]);
      yields.push_back(body.back().getOperand(i));
    }
  body.back().setOperands(yields);
  auto kept =
      tw::LoopOp::create(builder, loop.getLoc(), SmallVector<Type>(ValueRange(inits).getTypes()),
                         loop.getLabelAttr(), loop.getExtentAttr(), inits);
  kept.getBody().takeBody(loop.getBody());
  llvm::BitVector arguments(drop.size() + 1);
  for (unsigned i : drop.set_bits())
    arguments.set(i + 1);
  kept.getBody().front().eraseArguments(arguments);
  for (unsigned i = 0, next = 0; i < drop.size(); ++i)
    if (!drop[i])
      loop.getResult(i).replaceAllUsesWith(kept.getResult(next++));
  loop.erase();
  return kept;
}

SmallVector<mlir::Value> Device::closeLoop(tw::LoopOp loop, ArrayRef<mlir::Value> values) {
  tw::YieldOp::create(builder, loop.getLoc(), values);
  SmallVector<mlir::Value> inits(loop.getInits());
  mlir::Block &body = loop.getBody().front();
  llvm::BitVector unchanged(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i] == body.getArgument(i + 1)) {
      unchanged.set(i);
      body.getArgument(i + 1).replaceAllUsesWith(inits[i]);
    }
  if (unchanged.any())
    loop = withoutCarried(loop, unchanged);
  builder.setInsertionPointAfter(loop);
  SmallVector<mlir::Value> results;
  for (unsigned i = 0, next = 0; i < unchanged.size(); ++i)
    results.push_back(unchanged[i] ? inits[i] : loop.getResult(next++));
  return results;
}

//===--- The end
//-------------------------------------------------------------------------------------===//

/// The f32 product with a zero accumulator that `value` is, when nothing else uses it; or null.
static tw::MatmulOp plainProduct(mlir::Value value, tw::BinaryOp user) {
  auto product = value.getDefiningOp<tw::MatmulOp>();
  if (!product || product->getBlock() != user->getBlock() || !value.hasOneUse())
    return nullptr;
  auto zero = product.getAccumulator().getDefiningOp<tw::FillOp>();
  bool f32 = cast<tw::TileType>(value.getType()).getElementType().isF32();
  return zero && zero.getValue().isPosZero() && f32 ? product : nullptr;
}

/// `acc + a @ b` in f32 is one product with an accumulator: the same sum in another order of
/// additions.
void Device::fuseAccumulators() {
  SmallVector<tw::BinaryOp> sums;
  function.walk([&](tw::BinaryOp op) {
    if (op.getKind() == tw::BinaryKind::Add)
      sums.push_back(op);
  });
  for (tw::BinaryOp sum : sums)
    for (auto [value, other] :
         {std::pair(sum.getRhs(), sum.getLhs()), std::pair(sum.getLhs(), sum.getRhs())}) {
      tw::MatmulOp product = plainProduct(value, sum);
      if (!product || other.getType() != value.getType() || sum.getType() != value.getType())
        continue;
      OpBuilder here(sum);
      auto fused = tw::MatmulOp::create(here, product.getLoc(), product.getType(), product.getLhs(),
                                        product.getRhs(), other);
      sum.getResult().replaceAllUsesWith(fused);
      sum.erase();
      product.erase();
      break;
    }
}

/// Carried tiles that neither the body nor anything after the loop reads.
static llvm::BitVector unreadCarried(tw::LoopOp loop) {
  llvm::BitVector unread(loop.getNumResults());
  for (unsigned i = 0; i < unread.size(); ++i)
    if (loop.getResult(i).use_empty() && loop.getBody().front().getArgument(i + 1).use_empty())
      unread.set(i);
  return unread;
}

static bool isDead(Operation *op) {
  bool removable = isa<tw::FillOp, tw::LoadOp, tw::CastOp, tw::UnaryOp, tw::BinaryOp, tw::MatmulOp,
                       tw::UnsqueezeOp, arith::ConstantIndexOp>(op);
  if (auto loop = dyn_cast<tw::LoopOp>(op)) {
    bool stores = false;
    loop.walk([&](tw::StoreOp) { stores = true; });
    removable = !stores;
  }
  return removable && op->use_empty();
}

void Device::removeDeadCode() {
  for (bool changed = true; changed;) {
    SmallVector<Operation *> all;
    function.walk([&](Operation *op) { all.push_back(op); });
    changed = false;
    for (Operation *op : llvm::reverse(all)) {
      if (isDead(op) && !isa<tw::LoopOp>(op)) {
        op->erase();
        changed = true;
        continue;
      }
      auto loop = dyn_cast<tw::LoopOp>(op);
      llvm::BitVector unread = loop ? unreadCarried(loop) : llvm::BitVector();
      if (!loop || (!isDead(op) && unread.none()))
        continue;
      if (isDead(op))
        op->erase();
      else
        withoutCarried(loop, unread);
      changed = true;
      break; // the list of operations is stale now
    }
  }
}

void Device::bindArguments(const std::vector<TensorRef> &tensors, StringRef role,
                           SmallVectorImpl<DictionaryAttr> &attributes) {
  mlir::Block &entry = function.getBody().front();
  for (const TensorRef &tensor : tensors) {
    if (!tensor->argument || tensor->argument.use_empty())
      continue;
    mlir::Value sorted = entry.addArgument(tensor->argument.getType(), tensor->argument.getLoc());
    tensor->argument.replaceAllUsesWith(sorted);
    attributes.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr(tw::nameAttr, builder.getStringAttr(tensor->name)),
         builder.getNamedAttr(tw::roleAttr, builder.getStringAttr(role))}));
  }
}

void Device::verify() {
  std::string message;
  ScopedDiagnosticHandler handler(builder.getContext(), [&](mlir::Diagnostic &diagnostic) {
    message += (message.empty() ? "" : "; ") + diagnostic.str();
    return success();
  });
  if (failed(mlir::verify(*module)))
    throw Error(Kind::Internal, "frontend.verify", "the tile program is invalid: " + message,
                "please report this with the kernel and the command line");
}

OwningOpRef<ModuleOp> Device::finish(const std::vector<TensorRef> &inputs,
                                     const std::vector<TensorRef> &outputs,
                                     const std::string &source) {
  func::ReturnOp::create(builder, function.getLoc());
  fuseAccumulators();
  removeDeadCode();
  mlir::Block &entry = function.getBody().front();
  unsigned unsorted = entry.getNumArguments();
  SmallVector<DictionaryAttr> attributes;
  bindArguments(inputs, "input", attributes);
  bindArguments(outputs, "output", attributes);
  entry.eraseArguments(0, unsorted);
  function.setFunctionType(builder.getFunctionType(entry.getArgumentTypes(), {}));
  function.setAllArgAttrs(attributes);
  function->setAttr(tw::sourceAttr, builder.getStringAttr(source));
  verify();
  return std::move(module);
}

} // namespace tilewright::frontend
