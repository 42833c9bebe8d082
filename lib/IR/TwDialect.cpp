// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dialect registration, types, attributes and the helpers on shapes.
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "tilewright/IR/Tw.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright::tw;

#include "tilewright/IR/TwDialect.cpp.inc"
#include "tilewright/IR/TwEnums.cpp.inc"

static ParseResult parseDims(AsmParser &parser, SmallVector<Attribute> &dims) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    StringAttr label;
    if (succeeded(parser.parseOptionalSymbolName(label))) {
      dims.push_back(FlatSymbolRefAttr::get(label));
      return success();
    }
    int64_t size;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseInteger(size))
      return failure();
    if (size < 1)
      return parser.emitError(loc, "a dim must be positive, got ") << size;
    dims.push_back(parser.getBuilder().getI64IntegerAttr(size));
    return success();
  });
}

static void printDims(AsmPrinter &printer, ArrayRef<Attribute> dims) {
  printer << '[';
  llvm::interleaveComma(dims, printer, [&](Attribute dim) {
    if (auto label = dyn_cast<FlatSymbolRefAttr>(dim))
      printer.printSymbolName(label.getValue());
    else
      printer << cast<IntegerAttr>(dim).getInt();
  });
  printer << ']';
}

static ParseResult parseIntegers(AsmParser &parser, SmallVector<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(values.emplace_back()); });
}

static void printIntegers(AsmPrinter &printer, ArrayRef<int64_t> values) {
  printer << '[' << values << ']';
}

#define GET_ATTRDEF_CLASSES
#include "tilewright/IR/TwAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tilewright/IR/TwTypes.cpp.inc"

void TwDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tilewright/IR/TwAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "tilewright/IR/TwTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tilewright/IR/TwOps.cpp.inc"
      >();
}

namespace tilewright::tw {

symbolic::Expr dimExpr(Attribute dim) {
  if (auto label = dyn_cast<FlatSymbolRefAttr>(dim))
    return symbolic::Expr::symbol(std::string_view(label.getValue()));
  return symbolic::Expr(cast<IntegerAttr>(dim).getInt());
}

symbolic::Expr sizeExpr(ArrayRef<Attribute> dims) {
  symbolic::Expr size = 1;
  for (Attribute dim : dims)
    size = size * dimExpr(dim);
  return size;
}

std::string dimsText(ArrayRef<Attribute> dims) {
  std::string text = "[";
  for (Attribute dim : dims)
    text += (text.size() > 1 ? ", " : "") + dimExpr(dim).str();
  return text + "]";
}

static bool isOne(Attribute dim) {
  auto size = dyn_cast<IntegerAttr>(dim);
  return size && size.getInt() == 1;
}

FailureOr<SmallVector<Attribute>> broadcastDims(ArrayRef<Attribute> a, ArrayRef<Attribute> b) {
  if (a.size() < b.size())
    std::swap(a, b);
  SmallVector<Attribute> result(a.begin(), a.end());
  size_t shift = a.size() - b.size();
  for (size_t i = 0; i < b.size(); ++i) {
    Attribute &dim = result[shift + i];
    if (isOne(dim))
      dim = b[i];
    else if (dim != b[i] && !isOne(b[i]))
      return failure();
  }
  return result;
}

SymOp findSymbol(func::FuncOp func, StringRef label) {
  SymOp found;
  func.walk([&](SymOp op) {
    if (op.getLabel() == label)
      found = op;
  });
  return found;
}

std::string argumentName(Value argument) {
  auto arg = cast<BlockArgument>(argument);
  auto func = dyn_cast<func::FuncOp>(arg.getOwner()->getParentOp());
  if (func)
    if (auto name = func.getArgAttrOfType<StringAttr>(arg.getArgNumber(), nameAttr))
      return name.str();
  return "arg" + std::to_string(arg.getArgNumber());
}

} // namespace tilewright::tw
