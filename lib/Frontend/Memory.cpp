// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors: allocation, loads, stores and the indices of both.
#include "Evaluator.h"
#include "tilewright/Support/Checked.h"
#include <fmt/format.h>

namespace tilewright::frontend {

/// What an index says: the block's place, where new dims go, and which tiles it names.
struct Evaluator::Plan {
  Access access;
  llvm::SmallVector<int64_t> newAxes; ///< positions in the result, ascending
  std::vector<TileRef> tiles;
  size_t entries = 0; ///< dims of the result so far, with new ones
};

//===--- Shapes
//--------------------------------------------------------------------------------------===//

std::vector<int64_t> Evaluator::hostShape(const Node &node, const ValueList &sizes) {
  if (sizes.size() == 1 && sizes[0].items())
    return hostShape(node, *sizes[0].items());
  if (sizes.empty() || sizes.size() > 2)
    unsupported(node, fmt::format("a tensor with {} dims", sizes.size()),
                "tensors with one or two dims are supported");
  std::vector<int64_t> dims;
  std::optional<int64_t> bytes = 8;
  for (const Value &size : sizes) {
    dims.push_back(integer(node, size, "a dim"));
    if (dims.back() < 1)
      userError(node, "frontend.dim", fmt::format("dim '{}' is below 1 element", dims.back()),
                "a dim is at least 1 element");
    bytes = bytes ? checkedMul(*bytes, dims.back()) : bytes;
  }
  if (!bytes)
    userError(node, "frontend.dim", "the tensor's size in bytes does not fit in 64 bits",
              "use smaller dims");
  return dims;
}

mlir::Attribute Evaluator::deviceDim(const Node &node, const Value &value) {
  if (auto tile = value.as<TileRef>())
    return (*tile)->size->label;
  if (auto size = value.as<BlockSizeRef>()) {
    program.name(**size, (*size)->name.empty() ? "block" : (*size)->name, at(node));
    return (*size)->label;
  }
  int64_t dim = integer(node, value, "a dim");
  if (dim < 1)
    userError(node, "frontend.dim", fmt::format("dim '{}' is below 1 element", dim),
              "a dim is at least 1 element");
  return program.constantDim(dim);
}

llvm::SmallVector<mlir::Attribute> Evaluator::deviceShape(const Node &node, const Value &shape) {
  llvm::SmallVector<mlir::Attribute> dims;
  if (!shape.items())
    return {deviceDim(node, shape)};
  for (const Value &item : *shape.items())
    dims.push_back(deviceDim(node, item));
  if (dims.empty() || dims.size() > 2)
    unsupported(node, fmt::format("a tile with {} dims", dims.size()),
                "tiles with one or two dims are supported");
  return dims;
}

Value Evaluator::newTensor(const Node &node, std::vector<int64_t> dims, const Dtype &dtype,
                           bool zeros) {
  if (onDevice())
    unsupported(node, "allocating a tensor inside a tile loop",
                "use hl.zeros or hl.full for a tile");
  auto tensor = std::make_shared<Tensor>();
  tensor->origin = Tensor::Allocated;
  tensor->zeros = zeros;
  tensor->dtype = dtype;
  tensor->dims = std::move(dims);
  tensor->declared = at(node);
  tensors.push_back(tensor);
  return tensor;
}

Value Evaluator::newBlockSize(const Node &node, int64_t lower, int64_t upper) {
  auto size = std::make_shared<BlockSize>();
  size->lower = lower;
  size->upper = upper;
  size->declared = at(node);
  registered.push_back(size);
  return size;
}

//===--- Indices
//-------------------------------------------------------------------------------------===//

void Evaluator::addWhole(const Node &node, const Tensor &tensor, Plan &plan) {
  size_t dim = plan.access.dims.size();
  plan.access.dims.push_back(program.constantDim(tensor.dims[dim]));
  plan.access.numbers.push_back(program.blockNumberZero(at(node)));
  ++plan.entries;
}

static bool isWhole(const Value &value) {
  auto slice = value.as<SliceValue>();
  return slice && llvm::all_of(*slice->bounds, [](const Value &bound) { return bound.isNone(); });
}

void Evaluator::addEntry(const Node &node, const Tensor &tensor, const Value &entry, Plan &plan) {
  if (entry.isNone()) {
    plan.newAxes.push_back(int64_t(plan.entries++));
    return;
  }
  size_t dim = plan.access.dims.size();
  if (dim == tensor.dims.size())
    userError(node, "frontend.index",
              fmt::format("too many indices for '{}', which has {} dims", tensor.name,
                          tensor.dims.size()),
              "use one tile per dim");
  if (isWhole(entry))
    return addWhole(node, tensor, plan);
  auto tile = entry.as<TileRef>();
  if (!tile)
    unsupported(node, fmt::format("{} as an index of '{}'", kindText(entry), tensor.name),
                "tiles, ':' and None are supported as indices");
  if ((*tile)->extent != tensor.dims[dim])
    throw Error((*tile)->extent > tensor.dims[dim] ? Kind::User : Kind::Unsupported,
                "frontend.tile-extent",
                fmt::format("tile '{}' covers {} elements, dim {} of '{}' has {} elements",
                            (*tile)->name, (*tile)->extent, dim, tensor.name, tensor.dims[dim]),
                "index a dim with a tile over exactly that dim", at(node));
  plan.access.dims.push_back((*tile)->size->label);
  plan.access.numbers.push_back((*tile)->number);
  plan.tiles.push_back(*tile);
  ++plan.entries;
}

/// Missing trailing indices mean whole dims, and so does "..." in between.
Evaluator::Plan Evaluator::plan(const Node &node, const Tensor &tensor, const ValueList &index) {
  if (!onDevice())
    unsupported(node, "reading or writing '" + tensor.name + "' outside of a tile loop",
                "access tensors inside a loop over hl.tile(...)");
  Plan plan;
  ValueList flat;
  for (const Value &entry : index) { // a tuple of tiles stands for its tiles
    if (auto items = entry.items())
      flat.insert(flat.end(), items->begin(), items->end());
    else
      flat.push_back(entry);
  }
  size_t given = size_t(
      llvm::count_if(flat, [](const Value &v) { return !v.isNone() && !v.is<EllipsisValue>(); }));
  bool ellipsis = false;
  for (const Value &entry : flat) {
    if (!entry.is<EllipsisValue>()) {
      addEntry(node, tensor, entry, plan);
      continue;
    }
    if (ellipsis)
      userError(node, "frontend.index", "two '...' in one index", "use one");
    ellipsis = true;
    for (size_t missing = given; missing < tensor.dims.size(); ++missing)
      addWhole(node, tensor, plan);
  }
  while (plan.access.dims.size() < tensor.dims.size())
    addWhole(node, tensor, plan);
  if (plan.entries > 2)
    unsupported(node, fmt::format("a tile with {} dims", plan.entries),
                "tiles with one or two dims are supported");
  return plan;
}

//===--- Loads
//---------------------------------------------------------------------------------------===//

Value Evaluator::load(const Node &node, const TensorRef &tensor, const ValueList &index) {
  Plan where = plan(node, *tensor, index);
  if (tensor->firstStore)
    throw Error(Kind::Unsupported, "frontend.unsupported",
                "reading '" + tensor->name + "' after it was stored",
                "keep the stored value in a variable", at(node))
        .note(*tensor->firstStore, "stored here");
  Block value;
  if (tensor->origin != Tensor::Allocated) {
    value = program.load(*tensor, where.access, at(node));
    if (!tensor->firstLoad)
      tensor->firstLoad = at(node);
  } else if (!tensor->zeros) {
    throw Error(Kind::User, "frontend.uninitialized",
                "'" + tensor->name + "' is read before anything is stored to it",
                "allocate it with torch.zeros, or read another tensor", at(node))
        .note(tensor->declared, "allocated here without values");
  } else if (inInnerLoop()) {
    unsupported(node, "accumulating into '" + tensor->name + "' inside an inner tile loop",
                "accumulate into a tile made with hl.zeros and store it after the loop");
  } else {
    value = program.fill(0, where.access.dims, tensor->dtype, at(node));
  }
  for (int64_t axis : where.newAxes)
    value = program.unsqueeze(value, axis, at(node));
  return value;
}

/// `value[:, None]` and `value[None, :]`.
Value Evaluator::reshapeByIndex(const Node &node, Block operand, const ValueList &index) {
  size_t kept = 0, position = 0, rank = operand.dims().size();
  Block value = operand;
  for (const Value &entry : index) {
    if (entry.isNone()) {
      value = program.unsqueeze(value, int64_t(position), at(node));
    } else if (isWhole(entry) && kept < rank) {
      ++kept;
    } else if (isWhole(entry)) {
      userError(node, "frontend.index",
                fmt::format("too many indices for a tile with {} dims", rank),
                "use one ':' per dim");
    } else {
      unsupported(node, kindText(entry) + " as an index of a tile",
                  "':' and None are supported, as in v[:, None]");
    }
    ++position;
  }
  if (value.dims().size() > 2)
    unsupported(node, fmt::format("a tile with {} dims", value.dims().size()),
                "tiles with one or two dims are supported");
  return value;
}

//===--- Stores
//--------------------------------------------------------------------------------------===//

/// Blocks along a grid axis that the index does not name would overwrite one another in no fixed
/// order.
void Evaluator::checkRace(const Node &node, const Tensor &tensor, const Plan &plan) {
  for (const TileRef &tile : gridTiles)
    if (tile->extent > 1 && !llvm::is_contained(plan.tiles, tile))
      unsupported(
          node,
          fmt::format(
              "storing to '{}' without the outer tile '{}': its blocks would overwrite one another",
              tensor.name, tile->name),
          "index the stored tensor with every tile of the outermost loop");
}

void Evaluator::store(const Node &node, const TensorRef &tensor, const ValueList &index,
                      const Value &value) {
  step(node);
  Plan where = plan(node, *tensor, index);
  if (!where.newAxes.empty())
    userError(node, "frontend.index", "None in the index of a store",
              "index the value instead, as in value[:, None]");
  checkRace(node, *tensor, where);
  if (tensor->firstLoad)
    throw Error(Kind::Unsupported, "frontend.unsupported",
                "storing to '" + tensor->name + "', which is also read",
                "store to a tensor of its own, made with torch.empty_like", at(node))
        .note(*tensor->firstLoad, "read here");
  Block stored = value.isNumber()
                     ? program.fill(value.real(), where.access.dims, tensor->dtype, at(node))
                     : block(node, value, "the stored value");
  llvm::SmallVector<mlir::Attribute> dims(where.access.dims);
  auto joined = tw::broadcastDims(stored.dims(), dims);
  if (mlir::failed(joined) || *joined != dims)
    userError(node, "frontend.shape",
              fmt::format("a value of shape {} is stored to a block of '{}' of shape {}",
                          tw::dimsText(stored.dims()), tensor->name, tw::dimsText(dims)),
              "index the tensor with the tiles of the value");
  stored = program.broadcast(program.cast(stored, tensor->dtype, at(node)), dims, at(node));
  program.store(stored, *tensor, where.access, at(node));
  if (!tensor->firstStore)
    tensor->firstStore = at(node);
}

} // namespace tilewright::frontend
