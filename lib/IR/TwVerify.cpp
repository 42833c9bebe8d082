// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local verifiers: shapes, types and structure of single operations.
#include "tilewright/IR/Tw.h"

using namespace mlir;
using namespace tilewright::tw;

//===--- Structure
//-----------------------------------------------------------------------------------===//

static LogicalResult verifyPlacement(GridOp op) {
  PlacementAttr placement = op.getPlacementAttr();
  if (!placement)
    return success();
  int64_t axes = op.getExtents().size();
  auto check = [&](ArrayRef<int64_t> owners, ArrayRef<int64_t> extents) {
    return owners.size() == extents.size() &&
           llvm::all_of(owners, [&](int64_t a) { return a >= 0 && a < axes; }) &&
           llvm::all_of(extents, [](int64_t e) { return e >= 1; });
  };
  SmallVector<int64_t> order(placement.getOrder());
  llvm::sort(order);
  bool permutation = (int64_t)order.size() == axes;
  for (int64_t i = 0; permutation && i < axes; ++i)
    permutation = order[i] == i;
  if (!permutation || !check(placement.getXAxes(), placement.getXExtents()) ||
      !check(placement.getYAxes(), placement.getYExtents()))
    return op.emitOpError("has a placement that does not match its ") << axes << " axes";
  return success();
}

LogicalResult GridOp::verify() {
  if (getLabels().size() != getExtents().size() || getLabels().empty())
    return emitOpError("needs one extent per label and at least one axis");
  if (getBody().getNumArguments() != getLabels().size())
    return emitOpError("needs one block number per axis in its body");
  for (int64_t extent : getExtents())
    if (extent < 1)
      return emitOpError("has an extent below 1: ") << extent;
  return verifyPlacement(*this);
}

LogicalResult LoopOp::verify() {
  if (getExtent() < 1)
    return emitOpError("has an extent below 1: ") << getExtent();
  if (getBody().getNumArguments() != getInits().size() + 1 || getNumResults() != getInits().size())
    return emitOpError("needs a block number and one argument and result per carried tile");
  auto yield = dyn_cast<YieldOp>(getBody().front().back());
  if (!yield)
    return emitOpError("needs a tw.yield at the end of its body");
  if (yield.getValues().getTypes() != getResultTypes() || getInits().getTypes() != getResultTypes())
    return emitOpError("carries tiles whose types change from one iteration to the next");
  return success();
}

//===--- Global accesses
//-----------------------------------------------------------------------------===//

static LogicalResult verifyAccess(Operation *op, MemRefType global, size_t indices,
                                  ArrayRef<Attribute> dims, Type element) {
  if (!global.hasStaticShape())
    return op->emitOpError("needs a tensor with a static shape");
  if (global.getRank() != (int64_t)indices || global.getRank() != (int64_t)dims.size())
    return op->emitOpError("accesses a tensor of rank ")
           << global.getRank() << " with " << indices << " indices and a block of rank "
           << dims.size();
  if (global.getElementType() != element)
    return op->emitOpError("changes the element type from ")
           << global.getElementType() << " to " << element;
  return success();
}

LogicalResult LoadOp::verify() {
  auto type = cast<TileType>(getResult().getType());
  return verifyAccess(*this, cast<MemRefType>(getSource().getType()), getIndices().size(),
                      type.getDims(), type.getElementType());
}

LogicalResult StoreOp::verify() {
  auto type = cast<TileType>(getValue().getType());
  return verifyAccess(*this, cast<MemRefType>(getTarget().getType()), getIndices().size(),
                      type.getDims(), type.getElementType());
}

/// A copy may unsqueeze: unit dims that the view has beyond the tensor's rank hold no index of
/// their own.
LogicalResult CopyOp::verify() {
  auto type = cast<ViewType>(getView().getType());
  SmallVector<Attribute> dims(type.getDims());
  for (size_t i = 0; i < dims.size() && dims.size() > getIndices().size();) {
    auto size = dyn_cast<IntegerAttr>(dims[i]);
    size &&size.getInt() == 1 ? (void)dims.erase(dims.begin() + i) : (void)++i;
  }
  return verifyAccess(*this, cast<MemRefType>(getGlobal().getType()), getIndices().size(), dims,
                      type.getElementType());
}

//===--- Arithmetic
//----------------------------------------------------------------------------------===//

template <typename Shaped>
static LogicalResult verifyMatmul(Operation *op, Shaped lhs, Shaped rhs, Shaped acc,
                                  Shaped result) {
  if (lhs.getDims().size() != 2 || rhs.getDims().size() != 2 || acc.getDims().size() != 2)
    return op->emitOpError("needs operands with two dims");
  if (lhs.getDims()[1] != rhs.getDims()[0])
    return op->emitOpError("has inner dims that differ: ")
           << dimsText(lhs.getDims()) << " and " << dimsText(rhs.getDims());
  if (acc.getDims()[0] != lhs.getDims()[0] || acc.getDims()[1] != rhs.getDims()[1])
    return op->emitOpError("has an accumulator that is not ")
           << dimsText({lhs.getDims()[0], rhs.getDims()[1]}) << ": " << dimsText(acc.getDims());
  if (result.getDims() != acc.getDims())
    return op->emitOpError("has a result and an accumulator of different shapes");
  return success();
}

LogicalResult MatmulOp::verify() {
  return verifyMatmul<TileType>(
      *this, cast<TileType>(getLhs().getType()), cast<TileType>(getRhs().getType()),
      cast<TileType>(getAccumulator().getType()), cast<TileType>(getType()));
}

LogicalResult ContractOp::verify() {
  return verifyMatmul<ViewType>(
      *this, cast<ViewType>(getLhs().getType()), cast<ViewType>(getRhs().getType()),
      cast<ViewType>(getAccumulator().getType()), cast<ViewType>(getTarget().getType()));
}

/// A pointwise op works on tiles throughout or on scalars throughout.
static LogicalResult verifyPointwise(Operation *op) {
  auto result = dyn_cast<TileType>(op->getResult(0).getType());
  SmallVector<Attribute> dims;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<TileType>(operand.getType());
    if ((bool)type != (bool)result)
      return op->emitOpError("mixes tiles and scalars");
    if (!type)
      continue;
    auto joined = broadcastDims(dims, type.getDims());
    if (failed(joined))
      return op->emitOpError("cannot broadcast ")
             << dimsText(dims) << " with " << dimsText(type.getDims());
    dims = *joined;
  }
  if (result && ArrayRef<Attribute>(dims) != result.getDims())
    return op->emitOpError("has a result of shape ")
           << dimsText(result.getDims()) << " where its operands give " << dimsText(dims);
  return success();
}

LogicalResult UnaryOp::verify() {
  return verifyPointwise(*this);
}
LogicalResult BinaryOp::verify() {
  return verifyPointwise(*this);
}
LogicalResult CastOp::verify() {
  return verifyPointwise(*this);
}

template <typename Shaped, typename Op> static LogicalResult verifyUnsqueeze(Op op) {
  auto from = cast<Shaped>(op.getOperand().getType()), to = cast<Shaped>(op.getResult().getType());
  int64_t axis = op.getAxis();
  if (axis < 0 || axis > (int64_t)from.getDims().size())
    return op.emitOpError("has no position ") << axis << " in " << dimsText(from.getDims());
  SmallVector<Attribute> dims(from.getDims());
  dims.insert(dims.begin() + axis, IntegerAttr::get(IntegerType::get(op.getContext(), 64), 1));
  if (ArrayRef<Attribute>(dims) != to.getDims() || from.getElementType() != to.getElementType())
    return op.emitOpError("has a result type that does not follow from its operand");
  return success();
}

LogicalResult UnsqueezeOp::verify() {
  return verifyUnsqueeze<TileType>(*this);
}
LogicalResult ViewUnsqueezeOp::verify() {
  return verifyUnsqueeze<ViewType>(*this);
}

//===--- Virtual buffers
//-----------------------------------------------------------------------------===//

template <typename Op> static LogicalResult verifyView(Op op) {
  auto buffer = cast<VirtualBufferType>(op.getBuffer().getType());
  auto view = cast<ViewType>(op.getView().getType());
  if (buffer.getDims() != view.getDims() || buffer.getElementType() != view.getElementType())
    return op.emitOpError("yields a view whose type differs from its buffer's");
  return success();
}

LogicalResult VBReserveOp::verify() {
  return verifyView(*this);
}
LogicalResult VBAcquireOp::verify() {
  return verifyView(*this);
}

LogicalResult VBBindOp::verify() {
  auto memory = cast<MemType>(getMemory().getType());
  auto buffer = cast<VirtualBufferType>(getBuffer().getType());
  if (memory.getDims() != buffer.getDims() || memory.getElementType() != buffer.getElementType())
    return emitOpError("binds a buffer to memory of another type");
  return success();
}

LogicalResult MapOp::verify() {
  Block &body = getBody().front();
  if (body.getNumArguments() != getInputs().size())
    return emitOpError("needs one body argument per input");
  auto target = cast<ViewType>(getTarget().getType());
  SmallVector<Attribute> dims(target.getDims());
  for (auto [argument, view] : llvm::zip(body.getArguments(), getInputs())) {
    auto type = cast<ViewType>(view.getType());
    if (argument.getType() != type.getElementType())
      return emitOpError("has a body argument that differs from its input's element type");
    auto joined = broadcastDims(dims, type.getDims());
    if (failed(joined) || ArrayRef<Attribute>(*joined) != target.getDims())
      return emitOpError("cannot broadcast ")
             << dimsText(type.getDims()) << " to " << dimsText(dims);
  }
  auto yield = dyn_cast<YieldOp>(body.back());
  if (!yield || yield.getValues().size() != 1 ||
      yield.getValues()[0].getType() != target.getElementType())
    return emitOpError("needs a body that yields one ") << target.getElementType();
  return success();
}
