// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// torch functions and methods on tiles, except those of one operand (CallsUnary.cpp).
#include "Calls.h"
#include <fmt/format.h>

namespace tilewright::frontend {

//===--- Arithmetic
//----------------------------------------------------------------------------------===//

template <tw::BinaryKind kind>
static Value binary(Evaluator &ev, const Node &node, const Arguments &arguments) {
  return ev.pointwise(node, kind, *arguments[0], *arguments[1]);
}

static Value power(Evaluator &ev, const Node &node, const Arguments &arguments) {
  return ev.power(node, *arguments[0], *arguments[1]);
}

/// torch.maximum takes two tiles; a number is clamp's business.
template <tw::BinaryKind kind>
static Value extremum(Evaluator &ev, const Node &node, const Arguments &arguments) {
  for (size_t i = 0; i < 2; ++i)
    if (!arguments.given(i))
      ev.unsupported(node, "a reduction over a tile",
                     "two operands of torch.maximum and torch.minimum are supported");
  Block lhs = ev.block(node, *arguments[0], "the first operand");
  if (arguments[1]->isNumber())
    ev.unsupported(node, "a maximum or minimum with a number, or over a dim",
                   "use torch.clamp for a limit");
  return ev.pointwise(node, kind, lhs, ev.block(node, *arguments[1], "the second operand"));
}

/// min(max(x, low), high), as torch defines it; the result keeps x's dtype.
static Value clampBetween(Evaluator &ev, const Node &node, const Value &operand, const Value *low,
                          const Value *high) {
  Value value = ev.block(node, operand, "the operand of clamp");
  if (!low && !high)
    ev.userError(node, "frontend.call", "clamp without a limit", "give min or max");
  if (low)
    value = ev.pointwise(node, tw::BinaryKind::Max, value, *low);
  return high ? ev.pointwise(node, tw::BinaryKind::Min, value, *high) : value;
}
static Value clamp(Evaluator &ev, const Node &node, const Arguments &arguments) {
  return clampBetween(ev, node, *arguments[0], arguments.given(1), arguments.given(2));
}
static Value clampMin(Evaluator &ev, const Node &node, const Arguments &arguments) {
  return clampBetween(ev, node, *arguments[0], arguments.given(1), nullptr);
}
static Value clampMax(Evaluator &ev, const Node &node, const Arguments &arguments) {
  return clampBetween(ev, node, *arguments[0], nullptr, arguments.given(1));
}

//===--- Matrix products
//-----------------------------------------------------------------------------===//

static bool isOne(Evaluator &ev, const Node &node, const Value *factor) {
  return !factor || ev.number(node, *factor, "a factor") == 1;
}

static Value addmm(Evaluator &ev, const Node &node, const Arguments &arguments) {
  if (!isOne(ev, node, arguments.given(3)) || !isOne(ev, node, arguments.given(4)))
    ev.unsupported(node, "torch.addmm with beta or alpha", "multiply the tiles instead");
  return ev.accumulate(node, ev.block(node, *arguments[0], "the accumulator"), *arguments[1],
                       *arguments[2]);
}

static Value matmul(Evaluator &ev, const Node &node, const Arguments &arguments) {
  const Value *out = arguments.given(2);
  if (!out)
    return ev.matmul(node, *arguments[0], *arguments[1]);
  return ev.matmul(node, *arguments[0], *arguments[1], ev.elementDtype(node, *out, "out_dtype"));
}

static Value batched(Evaluator &ev, const Node &node, const Arguments &) {
  ev.unsupported(node, "a batched matrix product",
                 "use torch.addmm or torch.matmul on tiles with two dims");
}

static Value reduction(Evaluator &ev, const Node &node, const Arguments &) {
  ev.unsupported(node, "a reduction over a tile",
                 "matrix products and pointwise functions are supported");
}

static Value transposed(Evaluator &ev, const Node &node, const Arguments &) {
  ev.unsupported(node, "transposing a tile", "pass the tensor in the other layout");
}

static Value selection(Evaluator &ev, const Node &node, const Arguments &) {
  ev.unsupported(node, "torch.where", "use torch.maximum, torch.minimum or torch.clamp");
}

//===--- Conversions
//---------------------------------------------------------------------------------===//

static Value to(Evaluator &ev, const Node &node, const Arguments &arguments) {
  Block operand = ev.block(node, *arguments[0], "the operand of 'to'");
  return ev.device().cast(operand, ev.elementDtype(node, *arguments[1], "dtype"), ev.at(node));
}

static Value typeAs(Evaluator &ev, const Node &node, const Arguments &arguments) {
  Block operand = ev.block(node, *arguments[0], "the operand");
  auto tensor = arguments[1]->as<TensorRef>();
  Dtype dtype = tensor ? (*tensor)->dtype : ev.block(node, *arguments[1], "the other tile").dtype();
  return ev.device().cast(operand, dtype, ev.at(node));
}

static Value asDtype(Evaluator &ev, const Node &node, const Arguments &arguments,
                     const char *name) {
  Block operand = ev.block(node, *arguments[0], "the operand");
  return ev.device().cast(operand, ev.elementDtype(node, Dtype{name}, "dtype"), ev.at(node));
}
static Value toFloat(Evaluator &ev, const Node &node, const Arguments &arguments) {
  return asDtype(ev, node, arguments, "float32");
}
static Value toBfloat16(Evaluator &ev, const Node &node, const Arguments &arguments) {
  return asDtype(ev, node, arguments, "bfloat16");
}
static Value toHalf(Evaluator &ev, const Node &node, const Arguments &arguments) {
  return asDtype(ev, node, arguments, "float16");
}

//===--- Shapes
//--------------------------------------------------------------------------------------===//

Value blockShape(Evaluator &evaluator, const Node &, Block block) {
  ValueList items;
  for (mlir::Attribute dim : block.dims()) {
    if (auto size = mlir::dyn_cast<mlir::IntegerAttr>(dim)) {
      items.push_back(size.getInt());
      continue;
    }
    auto named = std::make_shared<BlockSize>();
    named->label = mlir::cast<mlir::FlatSymbolRefAttr>(dim);
    named->symbol = evaluator.device().symbol(named->label.getValue());
    named->bound = true;
    items.push_back(named);
  }
  return makeSequence(std::move(items));
}

static Value size(Evaluator &ev, const Node &node, const Arguments &arguments) {
  Block operand = ev.block(node, *arguments[0], "the operand");
  Value shape = blockShape(ev, node, operand);
  if (!arguments.given(1))
    return shape;
  int64_t rank = int64_t(operand.dims().size()), dim = ev.integer(node, *arguments[1], "a dim");
  if (dim < -rank || dim >= rank)
    ev.userError(node, "frontend.index", fmt::format("dim {} of a tile with {} dims", dim, rank),
                 "count from 0");
  return (*shape.items())[size_t(dim < 0 ? dim + rank : dim)];
}

static Value rank(Evaluator &ev, const Node &node, const Arguments &arguments) {
  return int64_t(ev.block(node, *arguments[0], "the operand").dims().size());
}

static Value unsqueeze(Evaluator &ev, const Node &node, const Arguments &arguments) {
  Block operand = ev.block(node, *arguments[0], "the operand of unsqueeze");
  int64_t rank = int64_t(operand.dims().size()), axis = ev.integer(node, *arguments[1], "a dim");
  if (axis < -rank - 1 || axis > rank)
    ev.userError(node, "frontend.index", fmt::format("dim {} for a tile with {} dims", axis, rank),
                 "count from 0");
  if (rank >= 2)
    ev.unsupported(node, "a tile with 3 dims", "tiles with one or two dims are supported");
  return ev.device().unsqueeze(operand, axis < 0 ? axis + rank + 1 : axis, ev.at(node));
}

template <int value>
static Value filledLike(Evaluator &ev, const Node &node, const Arguments &arguments) {
  double number = value < 0 ? ev.number(node, *arguments[1], "the value") : value;
  const Value *given = arguments.given(value < 0 ? 2 : 1);
  if (auto tensor = arguments[0]->as<TensorRef>(); tensor && value == 0 && !ev.onDevice())
    return ev.newTensor(node, (*tensor)->dims,
                        given ? ev.elementDtype(node, *given, "dtype") : (*tensor)->dtype, true);
  Block like = ev.block(node, *arguments[0], "the operand");
  Dtype dtype = given ? ev.elementDtype(node, *given, "dtype") : like.dtype();
  return ev.device().fill(number, llvm::SmallVector<mlir::Attribute>(like.dims()), dtype,
                          ev.at(node));
}

llvm::ArrayRef<Callee> torchCallees() {
  using Kind = tw::BinaryKind;
  static const Callee table[] = {
      {"torch.add", "input other", binary<Kind::Add>},
      {"torch.sub", "input other", binary<Kind::Sub>},
      {"torch.subtract", "input other", binary<Kind::Sub>},
      {"torch.mul", "input other", binary<Kind::Mul>},
      {"torch.multiply", "input other", binary<Kind::Mul>},
      {"torch.div", "input other", binary<Kind::Div>},
      {"torch.divide", "input other", binary<Kind::Div>},
      {"torch.true_divide", "input other", binary<Kind::Div>},
      {"torch.maximum", "input other", extremum<Kind::Max>},
      {"torch.minimum", "input other", extremum<Kind::Min>},
      {"torch.max", "input ? other", extremum<Kind::Max>},
      {"torch.min", "input ? other", extremum<Kind::Min>},
      {"torch.clamp", "input ? min max", clamp},
      {"torch.clip", "input ? min max", clamp},
      {"torch.clamp_min", "input min", clampMin},
      {"torch.clamp_max", "input max", clampMax},
      {"torch.pow", "input exponent", power},
      {"torch.addmm", "input mat1 mat2 * beta alpha", addmm},
      {"torch.matmul", "input other", matmul},
      {"torch.mm", "input mat2 ? out_dtype", matmul},
      {"torch.bmm", "arguments...", batched},
      {"torch.baddbmm", "arguments...", batched},
      {"torch.sum", "arguments... * dim keepdim dtype", reduction},
      {"torch.mean", "arguments... * dim keepdim dtype", reduction},
      {"torch.amax", "arguments... * dim keepdim", reduction},
      {"torch.amin", "arguments... * dim keepdim", reduction},
      {"torch.softmax", "arguments... * dim dtype", reduction},
      {"torch.nn.functional.softmax", "arguments... * dim dtype", reduction},
      {"torch.transpose", "arguments...", transposed},
      {"torch.t", "arguments...", transposed},
      {"Tile.permute", "arguments...", transposed},
      {"torch.where", "arguments...", selection},
      {"Tile.to", "self dtype", to},
      {"Tile.type", "self dtype", to},
      {"Tile.type_as", "self other", typeAs},
      {"Tile.float", "self", toFloat},
      {"Tile.bfloat16", "self", toBfloat16},
      {"Tile.half", "self", toHalf},
      {"Tile.size", "self ? dim", size},
      {"Tile.dim", "self", rank},
      {"torch.unsqueeze", "input dim", unsqueeze},
      {"torch.zeros_like", "input * dtype device", filledLike<0>},
      {"torch.ones_like", "input * dtype device", filledLike<1>},
      {"torch.full_like", "input fill_value * dtype device", filledLike<-1>},
  };
  return table;
}

} // namespace tilewright::frontend
