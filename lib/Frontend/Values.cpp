// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text and access of values.
#include "Values.h"
#include <fmt/format.h>

namespace tilewright::frontend {

template <typename... F> struct Overload : F... {
  using F::operator()...;
};
template <typename... F> Overload(F...) -> Overload<F...>;

double Value::real() const {
  if (auto number = as<double>())
    return *number;
  return double(integer());
}

int64_t Value::integer() const {
  if (auto number = as<int64_t>())
    return *number;
  auto truth = as<bool>();
  return truth && *truth;
}

const ValueList *Value::items() const {
  auto sequence = as<Sequence>();
  return sequence ? sequence->items.get() : nullptr;
}

Value makeSequence(ValueList items, bool tuple) {
  return Sequence{tuple, std::make_shared<const ValueList>(std::move(items))};
}

Value makeShape(const std::vector<int64_t> &dims) {
  return makeSequence(ValueList(dims.begin(), dims.end()));
}

std::string kindText(const Value &value) {
  return std::visit(
      Overload{[](const None &) -> std::string { return "None"; },
               [](bool) -> std::string { return "a bool"; },
               [](int64_t) -> std::string { return "an integer"; },
               [](double) -> std::string { return "a float"; },
               [](const std::string &) -> std::string { return "a string"; },
               [](const Sequence &sequence) -> std::string {
                 return sequence.tuple ? "a tuple" : "a list";
               },
               [](const Dtype &dtype) { return "dtype torch." + dtype.name; },
               [](const TensorRef &tensor) { return "tensor " + tensorText(*tensor); },
               [](const Block &block) { return "a tile of shape " + tw::dimsText(block.dims()); },
               [](const BlockSizeRef &) -> std::string { return "a block size"; },
               [](const TileRef &tile) { return "tile '" + tile->name + "'"; },
               [](const TileRange &) -> std::string { return "an hl.tile range"; },
               [](const ClosureRef &closure) { return "function '" + closure->name + "'"; },
               [](const PackageItem &item) { return "'" + item.path + "'"; },
               [](const Method &method) { return "method '" + method.name + "'"; },
               [](const SliceValue &) -> std::string { return "a slice"; },
               [](const EllipsisValue &) -> std::string { return "'...'"; },
               [](const Opaque &opaque) { return opaque.what; },
               [](const Expired &) -> std::string { return "a value of a finished loop"; }},
      value.data);
}

static std::string listText(const Sequence &sequence) {
  std::string text;
  for (const Value &item : *sequence.items) {
    text += (text.empty() ? "" : ", ") + valueText(item);
    if (text.size() > 200) { // nested pairs could double forever
      text += ", ...";
      break;
    }
  }
  if (sequence.tuple && sequence.items->size() == 1)
    text += ",";
  return sequence.tuple ? "(" + text + ")" : "[" + text + "]";
}

std::string valueText(const Value &value) {
  if (auto truth = value.as<bool>())
    return *truth ? "True" : "False";
  if (auto integer = value.as<int64_t>())
    return std::to_string(*integer);
  if (auto real = value.as<double>())
    return fmt::format("{}", *real);
  if (auto text = value.as<std::string>())
    return *text;
  if (auto sequence = value.as<Sequence>())
    return listText(*sequence);
  if (auto dtype = value.as<Dtype>())
    return "torch." + dtype->name;
  if (value.isNone())
    return "None";
  return kindText(value);
}

std::string tensorText(const Tensor &tensor) {
  return fmt::format("{}[{}]", tensor.dtype.name == "bfloat16" ? "bf16" : "f32",
                     fmt::join(tensor.dims, ", "));
}

} // namespace tilewright::frontend
