// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of helion and helion.language.
#include "Calls.h"
#include "tilewright/Support/Checked.h"
#include <bit>
#include <fmt/format.h>

namespace tilewright::frontend {

//===--- hl.tile
//-------------------------------------------------------------------------------------===//

static int64_t extent(Evaluator &ev, const Node &node, const Value &value) {
  if (value.is<TileRef>() || value.is<BlockSizeRef>())
    ev.unsupported(node, "hl.tile over " + kindText(value), "loop over host sizes");
  int64_t size = ev.integer(node, value, "the size given to hl.tile");
  if (size < 1)
    ev.userError(node, "frontend.dim", fmt::format("hl.tile over '{}' elements", size),
                 "loop over at least 1 element");
  return size;
}

static ValueList asList(const Value &value) {
  return value.items() ? *value.items() : ValueList{value};
}

static void requireZero(Evaluator &ev, const Node &node, const Value &begin) {
  for (const Value &item : asList(begin))
    if (!item.isInteger() || item.integer() != 0)
      ev.unsupported(node, "hl.tile that begins at " + valueText(item), "begin at 0");
}

static BlockSizeRef fixedSize(Evaluator &ev, const Node &node, const Value &value) {
  if (value.isNone())
    return nullptr;
  if (auto size = value.as<BlockSizeRef>())
    return *size;
  int64_t fixed = ev.integer(node, value, "a block size");
  if (fixed < 1)
    ev.userError(node, "frontend.block-size",
                 fmt::format("block size '{}' is below 1 element", fixed),
                 "use at least 1 element");
  auto size = std::make_shared<BlockSize>();
  size->lower = size->upper = fixed;
  return size;
}

static Value tile(Evaluator &ev, const Node &node, const Arguments &arguments) {
  const Value *begin = arguments.given(1) ? arguments[0] : nullptr;
  const Value &sizes = begin ? *arguments[1] : *arguments[0];
  if (begin)
    requireZero(ev, node, *begin);
  TileRange range;
  range.tuple = sizes.items() != nullptr;
  for (const Value &size : asList(sizes))
    range.extents.push_back(extent(ev, node, size));
  if (range.extents.empty())
    ev.userError(node, "frontend.dim", "hl.tile over no sizes", "give it at least one size");
  range.sizes.resize(range.extents.size());
  const Value *blocks = arguments.given(2);
  if (!blocks)
    return range;
  ValueList given = asList(*blocks);
  if (given.size() != range.sizes.size())
    ev.userError(node, "frontend.block-size",
                 fmt::format("{} block sizes for {} sizes", given.size(), range.sizes.size()),
                 "give one block size per size, or None");
  for (size_t i = 0; i < given.size(); ++i)
    range.sizes[i] = fixedSize(ev, node, given[i]);
  return range;
}

//===--- Sizes
//---------------------------------------------------------------------------------------===//

static Value registerBlockSize(Evaluator &ev, const Node &node, const Arguments &arguments) {
  int64_t first = ev.integer(node, *arguments[0], "a block size");
  const Value *second = arguments.given(1);
  int64_t lower = second ? first : 1,
          upper = second ? ev.integer(node, *second, "a block size") : first;
  if (lower < 1 || upper < lower)
    ev.userError(node, "frontend.block-size",
                 fmt::format("block sizes from '{}' to '{}'", lower, upper),
                 "give a positive upper limit, or a lower and an upper limit");
  if (ev.onDevice())
    ev.unsupported(node, "hl.register_block_size inside a tile loop", "call it before the loop");
  return ev.newBlockSize(node, lower, upper);
}

static Value specialize(Evaluator &, const Node &, const Arguments &arguments) {
  return *arguments[0];
}

static Value cdiv(Evaluator &ev, const Node &node, const Arguments &arguments) {
  int64_t a = ev.integer(node, *arguments[0], "an operand of cdiv"),
          b = ev.integer(node, *arguments[1], "an operand of cdiv");
  if (b < 1 || a < 0)
    ev.userError(node, "frontend.host-math", fmt::format("cdiv({}, {})", a, b),
                 "divide by a positive integer");
  return ceilDiv(a, b);
}

static Value nextPowerOf2(Evaluator &ev, const Node &node, const Arguments &arguments) {
  int64_t value = ev.integer(node, *arguments[0], "the operand of next_power_of_2");
  if (value > (int64_t(1) << 62))
    ev.userError(node, "frontend.overflow",
                 fmt::format("next_power_of_2({}) does not fit in 64 bits", value),
                 "use smaller sizes");
  return int64_t(std::bit_ceil(uint64_t(std::max<int64_t>(value, 1))));
}

//===--- Tiles
//---------------------------------------------------------------------------------------===//

static Value filled(Evaluator &ev, const Node &node, const Value &shape, double value,
                    const Value *dtype) {
  if (!ev.onDevice())
    ev.unsupported(node, "a tile outside of a tile loop",
                   "use torch.empty or torch.zeros for a tensor");
  Dtype element = dtype ? ev.elementDtype(node, *dtype, "dtype") : Dtype{"float32"};
  auto dims = ev.deviceShape(node, shape);
  return ev.device().fill(value, dims, element, ev.at(node));
}

static Value zeros(Evaluator &ev, const Node &node, const Arguments &arguments) {
  return filled(ev, node, *arguments[0], 0, arguments.given(1));
}

static Value full(Evaluator &ev, const Node &node, const Arguments &arguments) {
  return filled(ev, node, *arguments[0], ev.number(node, *arguments[1], "the value"),
                arguments.given(2));
}

static Value dot(Evaluator &ev, const Node &node, const Arguments &arguments) {
  const Value *accumulator = arguments.given(2), *out = arguments.given(3);
  Dtype dtype = out ? ev.elementDtype(node, *out, "out_dtype") : Dtype{"float32"};
  if (!accumulator)
    return ev.matmul(node, *arguments[0], *arguments[1], dtype);
  Block acc = ev.block(node, *accumulator, "acc");
  if (out && acc.dtype() != dtype)
    ev.unsupported(node, "hl.dot with an out_dtype other than the accumulator's dtype",
                   "leave out_dtype out");
  return ev.accumulate(node, acc, *arguments[0], *arguments[1]);
}

//===--- Memory
//--------------------------------------------------------------------------------------===//

static TensorRef tensorOperand(Evaluator &ev, const Node &node, const Value &value) {
  auto tensor = value.as<TensorRef>();
  if (!tensor)
    ev.userError(node, "frontend.operands",
                 "the first operand must be a tensor, not " + kindText(value), "name a tensor");
  return *tensor;
}

static Value load(Evaluator &ev, const Node &node, const Arguments &arguments) {
  return ev.load(node, tensorOperand(ev, node, *arguments[0]), asList(*arguments[1]));
}

static Value store(Evaluator &ev, const Node &node, const Arguments &arguments) {
  ev.store(node, tensorOperand(ev, node, *arguments[0]), asList(*arguments[1]), *arguments[2]);
  return None{};
}

llvm::ArrayRef<Callee> helionCallees() {
  static const Callee table[] = {
      {"helion.language.tile", "begin_or_end ? end_or_none block_size", tile},
      {"helion.language.register_block_size", "min_or_max ? max_or_none", registerBlockSize},
      {"helion.language.specialize", "value", specialize},
      {"helion.language.zeros", "shape ? dtype device", zeros},
      {"helion.language.full", "shape value ? dtype device", full},
      {"helion.language.dot", "mat1 mat2 ? acc out_dtype", dot},
      {"helion.language.load", "tensor index", load},
      {"helion.language.store", "tensor index value", store},
      {"helion.cdiv", "a b", cdiv},
      {"triton.cdiv", "a b", cdiv},
      {"helion.next_power_of_2", "n", nextPowerOf2},
      {"triton.next_power_of_2", "n", nextPowerOf2},
  };
  return table;
}

} // namespace tilewright::frontend
