// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a Python expression of a kernel can be while it is being lowered: host values, known now,
// and device values, which are operations of the tile program.
#pragma once

#include "Dtype.h"
#include "tilewright/Frontend/Ast.h"
#include "tilewright/IR/Tw.h"
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace tilewright::frontend {

class ModuleScope;
struct Frame;
struct Value;
using ValueList = std::vector<Value>;

struct None {};

/// A tuple or list.
struct Sequence {
  bool tuple = true;
  std::shared_ptr<const ValueList> items;
};

/// A tensor in global memory.
struct Tensor {
  enum Origin : uint8_t { Parameter, Captured, Allocated };
  std::string name; ///< an allocation has none until it is assigned to a name
  Origin origin = Parameter;
  bool zeros = false; ///< an allocation that starts as zeros
  Dtype dtype;
  std::vector<int64_t> dims;
  Location declared;
  // Found while lowering:
  mlir::Value argument; ///< of the function, once the device accesses it
  std::optional<Location> firstLoad;
  std::optional<Location> firstStore;
};
using TensorRef = std::shared_ptr<Tensor>;

/// The value of one block on the device (a result of a tw operation of tile type).
struct Block {
  mlir::Value value;
  tw::TileType type() const { return mlir::cast<tw::TileType>(value.getType()); }
  llvm::ArrayRef<mlir::Attribute> dims() const { return type().getDims(); }
  Dtype dtype() const { return dtypeOf(type().getElementType()); }
};

/// A block size: one unknown of the program. Registered sizes get their symbol at their first use.
struct BlockSize {
  int64_t lower = 1;
  int64_t upper = 0; ///< 0: the extent
  std::string name;  ///< source name of a registered size
  tw::SymOp symbol;
  mlir::FlatSymbolRefAttr label;
  bool bound = false; ///< some loop has told the extent
  Location declared;
};
using BlockSizeRef = std::shared_ptr<BlockSize>;

/// A loop variable: which block of an extent is meant.
struct TileVariable {
  mlir::Value number;
  BlockSizeRef size;
  int64_t extent = 0;
  std::string name;
  bool grid = false;
};
using TileRef = std::shared_ptr<TileVariable>;

/// The result of hl.tile(...), before a `for` binds it.
struct TileRange {
  std::vector<int64_t> extents;
  std::vector<BlockSizeRef> sizes; ///< null: a size of its own
  bool tuple = false;              ///< yields tuples of tiles
};

/// A function or lambda of the source with what it sees.
struct Closure {
  const Node *code = nullptr;
  ModuleScope *module = nullptr;
  std::shared_ptr<Frame> outer; ///< enclosing function, if any
  std::string name;
};
using ClosureRef = std::shared_ptr<const Closure>;

/// Something of a package, by its full path ("torch.addmm", "helion.language.tile",
/// "builtins.min").
struct PackageItem {
  std::string path;
};

/// `object.name` where the name is a method.
struct Method {
  std::shared_ptr<const Value> object;
  std::string name;
};

/// `:`, or a slice of a tuple (bounds are host values).
struct SliceValue {
  std::shared_ptr<const ValueList> bounds; ///< lower, upper, step; None when absent
};
struct EllipsisValue {};

/// A value that may be passed along but not looked into, such as a device.
struct Opaque {
  std::string what;
};

/// What a name holds after the loop that gave it its value.
struct Expired {
  Location born;
  std::string loop; ///< the loop's variable
};

struct Value {
  std::variant<None, bool, int64_t, double, std::string, Sequence, Dtype, TensorRef, Block,
               BlockSizeRef, TileRef, TileRange, ClosureRef, PackageItem, Method, SliceValue,
               EllipsisValue, Opaque, Expired>
      data;

  Value() = default;
  template <typename T> Value(T value) : data(std::move(value)) {}

  template <typename T> bool is() const { return std::holds_alternative<T>(data); }
  template <typename T> const T *as() const { return std::get_if<T>(&data); }
  bool isNone() const { return is<None>(); }
  /// bool, int or float: a Python number.
  bool isNumber() const { return is<bool>() || is<int64_t>() || is<double>(); }
  /// bool or int.
  bool isInteger() const { return is<bool>() || is<int64_t>(); }
  double real() const;
  int64_t integer() const;
  /// Items of a sequence, or null.
  const ValueList *items() const;
};

Value makeSequence(ValueList items, bool tuple = true);
Value makeShape(const std::vector<int64_t> &dims);

/// "a tensor", "an integer": for messages.
std::string kindText(const Value &value);
/// How Python would print it, for assert messages and notes; empty when it has no short text.
std::string valueText(const Value &value);
/// "bf16[512, 512]".
std::string tensorText(const Tensor &tensor);

} // namespace tilewright::frontend
