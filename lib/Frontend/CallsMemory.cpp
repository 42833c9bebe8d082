// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation of tensors and what tensors tell about themselves.
#include "Calls.h"
#include <fmt/format.h>

namespace tilewright::frontend {

static const Tensor &self(const Arguments &arguments) {
  return **arguments[0]->as<TensorRef>();
}

static Dtype dtypeOr(Evaluator &ev, const Node &node, const Value *given, const Dtype &otherwise) {
  return given ? ev.elementDtype(node, *given, "dtype") : otherwise;
}

//===--- Allocation
//----------------------------------------------------------------------------------===//

/// On the host a tensor; inside a tile loop torch.zeros makes a tile, as hl.zeros does.
template <bool zeros>
static Value allocate(Evaluator &ev, const Node &node, const Arguments &arguments) {
  Dtype dtype = dtypeOr(ev, node, arguments.given(1), Dtype{"float32"});
  if (arguments[0]->items()->empty())
    ev.userError(node, "frontend.call", "a tensor without a shape",
                 "write torch.empty([m, n], dtype=...)");
  const ValueList &sizes = *arguments[0]->items();
  if (!zeros || !ev.onDevice())
    return ev.newTensor(node, ev.hostShape(node, sizes), dtype, zeros);
  auto dims = ev.deviceShape(node, sizes.size() == 1 ? sizes[0] : *arguments[0]);
  return ev.device().fill(0, dims, dtype, ev.at(node));
}

static Value emptyLike(Evaluator &ev, const Node &node, const Arguments &arguments) {
  auto like = arguments[0]->as<TensorRef>();
  if (!like)
    ev.unsupported(node, "torch.empty_like of " + kindText(*arguments[0]),
                   "use torch.zeros_like for tiles");
  return ev.newTensor(node, (*like)->dims, dtypeOr(ev, node, arguments.given(1), (*like)->dtype),
                      false);
}

template <bool zeros>
static Value newLike(Evaluator &ev, const Node &node, const Arguments &arguments) {
  if (arguments[1]->items()->empty())
    ev.userError(node, "frontend.call", "a tensor without a shape", "write x.new_empty([m, n])");
  std::vector<int64_t> dims = ev.hostShape(node, *arguments[1]->items());
  return ev.newTensor(node, dims, dtypeOr(ev, node, arguments.given(2), self(arguments).dtype),
                      zeros);
}

//===--- Facts about tensors
//-------------------------------------------------------------------------===//

static Value size(Evaluator &ev, const Node &node, const Arguments &arguments) {
  const Tensor &tensor = self(arguments);
  if (!arguments.given(1))
    return makeShape(tensor.dims);
  int64_t rank = int64_t(tensor.dims.size()), dim = ev.integer(node, *arguments[1], "a dim");
  if (dim < -rank || dim >= rank)
    ev.userError(node, "frontend.index",
                 fmt::format("dim {} of '{}', which has {} dims", dim, tensor.name, rank),
                 "count from 0");
  return tensor.dims[size_t(dim < 0 ? dim + rank : dim)];
}

static Value rank(Evaluator &, const Node &, const Arguments &arguments) {
  return int64_t(self(arguments).dims.size());
}

static Value elementCount(Evaluator &, const Node &, const Arguments &arguments) {
  int64_t count = 1;
  for (int64_t dim : self(arguments).dims)
    count *= dim;
  return count;
}

/// Arguments are dense and in row order, so that this changes nothing.
static Value contiguous(Evaluator &, const Node &, const Arguments &arguments) {
  return *arguments[0];
}
static Value yes(Evaluator &, const Node &, const Arguments &) {
  return true;
}
static Value isFloating(Evaluator &, const Node &, const Arguments &) {
  return true;
}

static Value promoteTypes(Evaluator &ev, const Node &node, const Arguments &arguments) {
  return promote(ev.elementDtype(node, *arguments[0], "type1"),
                 ev.elementDtype(node, *arguments[1], "type2"));
}

static Dtype dtypeOfOperand(Evaluator &ev, const Node &node, const Value &value) {
  if (auto tensor = value.as<TensorRef>())
    return (*tensor)->dtype;
  return ev.block(node, value, "an operand of result_type").dtype();
}
static Value resultType(Evaluator &ev, const Node &node, const Arguments &arguments) {
  return promote(dtypeOfOperand(ev, node, *arguments[0]), dtypeOfOperand(ev, node, *arguments[1]));
}

static Value dtypeWithoutChange(Evaluator &ev, const Node &node, const Arguments &arguments) {
  const Tensor &tensor = self(arguments);
  if (arguments[1]->is<Opaque>() ||
      (arguments[1]->is<Dtype>() && *arguments[1]->as<Dtype>() == tensor.dtype))
    return *arguments[0];
  ev.unsupported(node, "converting the whole tensor '" + tensor.name + "'",
                 "convert its tiles inside the tile loop");
}

llvm::ArrayRef<Callee> memoryCallees() {
  static const Callee table[] = {
      {"torch.empty", "size... * dtype device requires_grad", allocate<false>},
      {"torch.zeros", "size... * dtype device requires_grad", allocate<true>},
      {"torch.empty_like", "input * dtype device requires_grad", emptyLike},
      {"Tensor.new_empty", "self size... * dtype device requires_grad", newLike<false>},
      {"Tensor.new_zeros", "self size... * dtype device requires_grad", newLike<true>},
      {"torch.promote_types", "type1 type2", promoteTypes},
      {"torch.result_type", "tensor1 tensor2", resultType},
      {"Tensor.size", "self ? dim", size},
      {"Tensor.dim", "self", rank},
      {"Tensor.numel", "self", elementCount},
      {"Tensor.nelement", "self", elementCount},
      {"Tensor.contiguous", "self", contiguous},
      {"Tensor.is_contiguous", "self", yes},
      {"Tensor.is_floating_point", "self", isFloating},
      {"Tensor.to", "self dtype", dtypeWithoutChange},
  };
  return table;
}

} // namespace tilewright::frontend
