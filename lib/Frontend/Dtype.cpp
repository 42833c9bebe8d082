// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of dtype names.
#include "Dtype.h"
#include <map>

namespace tilewright::frontend {

using Table = std::map<std::string_view, std::string_view>;

std::optional<Dtype> torchDtype(std::string_view name) {
  static const Table table = {{"bfloat16", "bfloat16"},
                              {"float32", "float32"},
                              {"float", "float32"},
                              {"float16", "float16"},
                              {"half", "float16"},
                              {"float64", "float64"},
                              {"double", "float64"},
                              {"int8", "int8"},
                              {"int16", "int16"},
                              {"short", "int16"},
                              {"int32", "int32"},
                              {"int", "int32"},
                              {"int64", "int64"},
                              {"long", "int64"},
                              {"uint8", "uint8"},
                              {"uint16", "uint16"},
                              {"uint32", "uint32"},
                              {"uint64", "uint64"},
                              {"bool", "bool"},
                              {"float8_e4m3fn", "float8_e4m3fn"},
                              {"float8_e5m2", "float8_e5m2"},
                              {"complex64", "complex64"},
                              {"complex128", "complex128"}};
  auto found = table.find(name);
  return found == table.end() ? std::nullopt : std::optional(Dtype{std::string(found->second)});
}

std::optional<Dtype> spelledDtype(std::string_view name) {
  static const Table table = {{"bf16", "bfloat16"},    {"f32", "float32"},  {"fp32", "float32"},
                              {"f16", "float16"},      {"fp16", "float16"}, {"f64", "float64"},
                              {"fp64", "float64"},     {"i8", "int8"},      {"i16", "int16"},
                              {"i32", "int32"},        {"i64", "int64"},    {"u8", "uint8"},
                              {"fp8", "float8_e4m3fn"}};
  auto found = table.find(name);
  return torchDtype(found == table.end() ? name : found->second);
}

Dtype promote(const Dtype &a, const Dtype &b) {
  return a == b ? a : Dtype{"float32"};
}

mlir::Type elementType(mlir::MLIRContext *context, const Dtype &dtype) {
  if (dtype.name == "bfloat16")
    return mlir::BFloat16Type::get(context);
  return mlir::Float32Type::get(context);
}

Dtype dtypeOf(mlir::Type element) {
  return {element.isBF16() ? "bfloat16" : "float32"};
}

} // namespace tilewright::frontend
