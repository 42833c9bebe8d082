// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of one tile: the result has the operand's dtype.
#include "Calls.h"

namespace tilewright::frontend {

template <tw::UnaryKind kind>
static Value unary(Evaluator &ev, const Node &node, const Arguments &arguments) {
  return ev.unary(node, kind, *arguments[0], std::string(tw::stringifyUnaryKind(kind)));
}

static Value gelu(Evaluator &ev, const Node &node, const Arguments &arguments) {
  const Value *form = arguments.given(1);
  auto text = form ? form->as<std::string>() : nullptr;
  bool tanh = text && *text == "tanh";
  if (form && !tanh && !(text && *text == "none"))
    ev.userError(node, "frontend.call", "gelu's argument 'approximate' is " + valueText(*form),
                 "use 'none' or 'tanh'");
  return ev.unary(node, tanh ? tw::UnaryKind::GeluTanh : tw::UnaryKind::Gelu, *arguments[0],
                  "gelu");
}

llvm::ArrayRef<Callee> unaryCallees() {
  using Kind = tw::UnaryKind;
  static const Callee table[] = {
      {"torch.neg", "input", unary<Kind::Neg>},
      {"torch.negative", "input", unary<Kind::Neg>},
      {"torch.abs", "input", unary<Kind::Abs>},
      {"torch.absolute", "input", unary<Kind::Abs>},
      {"torch.exp", "input", unary<Kind::Exp>},
      {"torch.exp2", "input", unary<Kind::Exp2>},
      {"torch.log", "input", unary<Kind::Log>},
      {"torch.sqrt", "input", unary<Kind::Sqrt>},
      {"torch.rsqrt", "input", unary<Kind::Rsqrt>},
      {"torch.reciprocal", "input", unary<Kind::Reciprocal>},
      {"torch.sigmoid", "input", unary<Kind::Sigmoid>},
      {"torch.tanh", "input", unary<Kind::Tanh>},
      {"torch.relu", "input", unary<Kind::Relu>},
      {"torch.square", "input", unary<Kind::Square>},
      {"torch.erf", "input", unary<Kind::Erf>},
      {"torch.sin", "input", unary<Kind::Sin>},
      {"torch.cos", "input", unary<Kind::Cos>},
      {"torch.special.erf", "input", unary<Kind::Erf>},
      {"torch.special.expit", "input", unary<Kind::Sigmoid>},
      {"torch.special.exp2", "input", unary<Kind::Exp2>},
      {"torch.nn.functional.relu", "input", unary<Kind::Relu>},
      {"torch.nn.functional.sigmoid", "input", unary<Kind::Sigmoid>},
      {"torch.nn.functional.silu", "input", unary<Kind::Silu>},
      {"torch.nn.functional.tanh", "input", unary<Kind::Tanh>},
      {"torch.nn.functional.gelu", "input ? approximate", gelu},
  };
  return table;
}

} // namespace tilewright::frontend
