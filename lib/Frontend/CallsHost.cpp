// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python's builtins and math, on host values.
#include "Calls.h"
#include <cmath>
#include <fmt/format.h>

namespace tilewright::frontend {

//===--- Builtins
//------------------------------------------------------------------------------------===//

static Value length(Evaluator &ev, const Node &node, const Arguments &arguments) {
  if (auto items = arguments[0]->items())
    return int64_t(items->size());
  if (auto tensor = arguments[0]->as<TensorRef>())
    return (*tensor)->dims[0];
  ev.unsupported(node, "len of " + kindText(*arguments[0]),
                 "tuples, lists and tensors have a length");
}

template <bool greatest>
static Value extremum(Evaluator &ev, const Node &node, const Arguments &arguments) {
  ValueList items = *arguments[0]->items();
  if (items.size() == 1 && items[0].items())
    items = *items[0].items();
  if (items.empty())
    ev.userError(node, "frontend.call", "min or max of nothing", "give at least one number");
  Value best = items[0];
  for (const Value &item : items) {
    if (item.is<Block>())
      ev.unsupported(node, "Python's min or max on tiles", "use torch.minimum or torch.maximum");
    ev.number(node, item, "an operand of min or max");
    if (ev.compare(node, greatest ? ">" : "<", item, best))
      best = item;
  }
  return best;
}

static Value toInt(Evaluator &ev, const Node &node, const Arguments &arguments) {
  double value = ev.number(node, *arguments[0], "the operand of int");
  if (arguments[0]->isInteger())
    return arguments[0]->integer();
  if (!(std::abs(value) < 9.2e18))
    ev.userError(node, "frontend.overflow", fmt::format("int({}) does not fit in 64 bits", value),
                 "use a smaller number");
  return int64_t(value);
}

static Value toFloat(Evaluator &ev, const Node &node, const Arguments &arguments) {
  auto text = arguments[0]->as<std::string>();
  if (!text)
    return ev.number(node, *arguments[0], "the operand of float");
  static const std::map<std::string, double> named = {{"inf", HUGE_VAL},
                                                      {"-inf", -HUGE_VAL},
                                                      {"+inf", HUGE_VAL},
                                                      {"infinity", HUGE_VAL},
                                                      {"nan", NAN}};
  auto found = named.find(*text);
  if (found == named.end())
    ev.unsupported(node, "float('" + *text + "')",
                   "write the number itself; 'inf', '-inf' and 'nan' are supported");
  return found->second;
}

static Value toBool(Evaluator &ev, const Node &node, const Arguments &arguments) {
  return ev.truth(node, *arguments[0]);
}
static Value toText(Evaluator &, const Node &, const Arguments &arguments) {
  return valueText(*arguments[0]);
}

static Value absolute(Evaluator &ev, const Node &node, const Arguments &arguments) {
  if (arguments[0]->is<Block>())
    return ev.unary(node, tw::UnaryKind::Abs, *arguments[0], "abs");
  bool negative = ev.number(node, *arguments[0], "the operand of abs") < 0;
  return negative ? ev.negate(node, *arguments[0]) : *arguments[0];
}

template <bool tuple>
static Value sequence(Evaluator &ev, const Node &node, const Arguments &arguments) {
  if (!arguments[0]->items())
    ev.unsupported(node, "a tuple or list of " + kindText(*arguments[0]),
                   "convert tuples and lists");
  return makeSequence(*arguments[0]->items(), tuple);
}

//===--- math
//----------------------------------------------------------------------------------------===//

template <double (*function)(double)>
static Value real(Evaluator &ev, const Node &node, const Arguments &arguments) {
  double operand = ev.number(node, *arguments[0], "the operand of a math function"),
         result = function(operand);
  if (std::isnan(result) && !std::isnan(operand))
    ev.userError(node, "frontend.host-math",
                 fmt::format("a math function is not defined at {}", operand),
                 "check the values that lead here");
  return result;
}

template <double (*function)(double)>
static Value rounded(Evaluator &ev, const Node &node, const Arguments &arguments) {
  double value = function(ev.number(node, *arguments[0], "the operand of a math function"));
  return toInt(ev, node,
               Arguments({Value(arguments[0]->isInteger() ? *arguments[0] : Value(value))}));
}

static Value logarithm(Evaluator &ev, const Node &node, const Arguments &arguments) {
  double value = ev.number(node, *arguments[0], "the operand of math.log");
  double base = arguments.given(1) ? ev.number(node, *arguments[1], "the base") : std::exp(1.0);
  if (!(value > 0) || !(base > 0) || base == 1)
    ev.userError(node, "frontend.host-math",
                 fmt::format("the logarithm of {} is not defined", value),
                 "check the values that lead here");
  return arguments.given(1) ? std::log(value) / std::log(base) : std::log(value);
}

static Value mathPower(Evaluator &ev, const Node &node, const Arguments &arguments) {
  return ev.hostBinary(node, "**", ev.number(node, *arguments[0], "the base"),
                       ev.number(node, *arguments[1], "the exponent"));
}

static Value product(Evaluator &ev, const Node &node, const Arguments &arguments) {
  Value result = int64_t(1);
  if (!arguments[0]->items())
    ev.userError(node, "frontend.operands", "math.prod of " + kindText(*arguments[0]),
                 "give it a tuple or list");
  for (const Value &item : *arguments[0]->items())
    result = ev.hostBinary(node, "*", result, item);
  return result;
}

llvm::ArrayRef<Callee> hostCallees() {
  static const Callee table[] = {
      {"builtins.len", "value", length},
      {"builtins.min", "values...", extremum<false>},
      {"builtins.max", "values...", extremum<true>},
      {"builtins.int", "value", toInt},
      {"builtins.float", "value", toFloat},
      {"builtins.bool", "value", toBool},
      {"builtins.str", "value", toText},
      {"builtins.abs", "value", absolute},
      {"builtins.tuple", "items", sequence<true>},
      {"builtins.list", "items", sequence<false>},
      {"math.sqrt", "x", real<std::sqrt>},
      {"math.exp", "x", real<std::exp>},
      {"math.log", "x ? base", logarithm},
      {"math.log2", "x", real<std::log2>},
      {"math.log10", "x", real<std::log10>},
      {"math.sin", "x", real<std::sin>},
      {"math.cos", "x", real<std::cos>},
      {"math.tanh", "x", real<std::tanh>},
      {"math.fabs", "x", real<std::fabs>},
      {"math.ceil", "x", rounded<std::ceil>},
      {"math.floor", "x", rounded<std::floor>},
      {"math.pow", "x y", mathPower},
      {"math.prod", "iterable", product},
  };
  return table;
}

} // namespace tilewright::frontend
