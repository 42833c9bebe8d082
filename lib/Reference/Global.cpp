// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores, with the check that grid iterations do not depend on each other.
#include "Global.h"
#include "Rounding.h"

namespace tilewright::reference {

Window makeWindow(const std::vector<Index> &indices, const std::vector<int64_t> &dims,
                  const std::vector<int64_t> &shape) {
  Window window{{}, dims, {}};
  for (size_t d = 0; d < dims.size(); ++d) {
    int64_t start = indices[d].number * dims[d];
    int64_t end = indices[d].extent ? indices[d].extent : shape[d];
    window.start.push_back(start);
    window.valid.push_back(std::clamp<int64_t>(end - start, 0, dims[d]));
  }
  return window;
}

/// Calls visit(element of the block, element of the tensor) for lanes below `limit` inside the
/// tensor.
template <typename Visit>
static void forLanes(const Window &window, const std::vector<int64_t> &limit,
                     const std::vector<int64_t> &shape, Visit visit, size_t dim = 0,
                     int64_t inBlock = 0, int64_t inTensor = 0) {
  if (dim == shape.size())
    return visit(inBlock, inTensor);
  int64_t lanes = std::min(limit[dim], shape[dim] - window.start[dim]);
  for (int64_t i = 0; i < lanes; ++i)
    forLanes(window, limit, shape, visit, dim + 1, inBlock * window.dims[dim] + i,
             inTensor * shape[dim] + window.start[dim] + i);
}

static std::string elementText(const Global &global, int64_t element) {
  std::string text;
  for (size_t d = global.tensor.shape.size(); d-- > 0;) {
    int64_t size = global.tensor.shape[d];
    text = std::to_string(element % size) + (text.empty() ? "" : ", ") + text;
    element /= size;
  }
  return "'" + global.tensor.name + "[" + text + "]'";
}

BlockPtr load(const Global &global, const Window &window, int64_t iteration,
              const Location &location) {
  auto block =
      std::make_shared<Block>(makeBlock(window.dims, window.valid, global.tensor.dtype == "bf16"));
  auto read = [&](int64_t lane, int64_t element) {
    if (global.isOutput && global.writer[element] == 0)
      throw Error(Kind::User, "reference.unwritten",
                  elementText(global, element) + " is read before it is written",
                  "store to it first", location);
    if (global.isOutput && global.writer[element] != iteration)
      throw Error(Kind::User, "reference.race",
                  elementText(global, element) +
                      " is read by one block of the grid and written by another",
                  "blocks of a grid run in any order: use separate tensors", location);
    float value = global.tensor.values[element];
    block->value[lane] = value;
    block->error[lane] = global.error[element];
    if (value != 0 && std::abs(value) < smallestNormal)
      block->error[lane] =
          roundUp(double(global.error[element]) + std::abs(value)); // may be flushed
  };
  forLanes(window, window.dims, global.tensor.shape, read);
  return block;
}

/// f32 values may pass the unit that cuts them on their way out.
static float storedError(const Block &block, int64_t lane, const Precision &precision) {
  float value = block.value[lane], error = block.error[lane];
  if (!std::isfinite(value) || block.bf16)
    return error;
  return roundUp(readOperand(value, error, false, precision).error);
}

void store(Global &global, const Block &value, const Window &window, int64_t iteration,
           const Precision &precision, const Location &location) {
  std::vector<int64_t> limit = value.valid;
  for (size_t d = 0; d < limit.size(); ++d)
    limit[d] = std::min(limit[d], window.valid[d]);
  auto write = [&](int64_t lane, int64_t element) {
    int64_t &writer = global.writer[element];
    if (writer != 0 && writer != iteration)
      throw Error(Kind::User, "reference.race",
                  elementText(global, element) + " is written by two blocks of the grid",
                  "index the target with every axis of the grid", location);
    writer = iteration;
    global.tensor.values[element] = value.value[lane];
    global.error[element] = storedError(value, lane, precision);
  };
  forLanes(window, limit, global.tensor.shape, write);
}

} // namespace tilewright::reference
