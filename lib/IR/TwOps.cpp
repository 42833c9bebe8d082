// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generated op definitions and the custom assembly of the structured ones.
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "tilewright/IR/Tw.h"

using namespace mlir;
using namespace tilewright::tw;

#define GET_OP_CLASSES
#include "tilewright/IR/TwOps.cpp.inc"

static ParseResult parseBody(OpAsmParser &parser, OperationState &state,
                             ArrayRef<OpAsmParser::Argument> arguments) {
  return parser.parseRegion(*state.addRegion(), arguments);
}

//===--- tw.grid (%i, %j) = [@tile_m over 512, ...] placed #tw.placement<...> { ... }
//-----------------===//

ParseResult GridOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren) || parser.parseEqual())
    return failure();
  SmallVector<Attribute> labels;
  SmallVector<int64_t> extents;
  auto axis = [&]() -> ParseResult {
    StringAttr label;
    if (parser.parseSymbolName(label) || parser.parseKeyword("over") ||
        parser.parseInteger(extents.emplace_back()))
      return failure();
    labels.push_back(FlatSymbolRefAttr::get(label));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, axis))
    return failure();
  Builder &builder = parser.getBuilder();
  state.addAttribute("labels", builder.getArrayAttr(labels));
  state.addAttribute("extents", builder.getDenseI64ArrayAttr(extents));
  if (succeeded(parser.parseOptionalKeyword("placed"))) {
    PlacementAttr placement;
    if (parser.parseAttribute(placement, "placement", state.attributes))
      return failure();
  }
  for (auto &argument : arguments)
    argument.type = builder.getIndexType();
  return failure(parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
                 parseBody(parser, state, arguments));
}

void GridOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(getBody().getArguments(), printer);
  printer << ") = [";
  for (auto [i, label] : llvm::enumerate(getLabels().getAsRange<FlatSymbolRefAttr>())) {
    printer << (i ? ", " : "");
    printer.printSymbolName(label.getValue());
    printer << " over " << getExtents()[i];
  }
  printer << "]";
  if (auto placement = getPlacementAttr())
    printer << " placed " << placement;
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"labels", "extents", "placement"});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===--- tw.loop %k = @tile_k over 256 carry (%a = %init : type) { ... }
//------------------------------===//

ParseResult LoopOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> arguments(1);
  StringAttr label;
  int64_t extent;
  if (parser.parseArgument(arguments[0]) || parser.parseEqual() || parser.parseSymbolName(label) ||
      parser.parseKeyword("over") || parser.parseInteger(extent))
    return failure();
  Builder &builder = parser.getBuilder();
  arguments[0].type = builder.getIndexType();
  state.addAttribute("label", FlatSymbolRefAttr::get(label));
  state.addAttribute("extent", builder.getI64IntegerAttr(extent));
  auto carried = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    OpAsmParser::UnresolvedOperand init;
    if (parser.parseArgument(argument) || parser.parseEqual() || parser.parseOperand(init) ||
        parser.parseColonType(argument.type) ||
        parser.resolveOperand(init, argument.type, state.operands))
      return failure();
    state.addTypes(argument.type);
    return success();
  };
  if (succeeded(parser.parseOptionalKeyword("carry")) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, carried))
    return failure();
  return failure(parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
                 parseBody(parser, state, arguments));
}

void LoopOp::print(OpAsmPrinter &printer) {
  printer << " " << getBody().getArgument(0) << " = ";
  printer.printSymbolName(getLabel());
  printer << " over " << getExtent();
  if (!getInits().empty()) {
    printer << " carry (";
    for (auto [i, init] : llvm::enumerate(getInits()))
      printer << (i ? ", " : "") << getBody().getArgument(i + 1) << " = " << init << " : "
              << init.getType();
    printer << ")";
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"label", "extent"});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===--- tw.map (%a = %x : view, ...) into %target : view { ... }
//-------------------------------------===//

ParseResult MapOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> arguments;
  auto input = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    OpAsmParser::UnresolvedOperand view;
    ViewType type;
    if (parser.parseArgument(argument) || parser.parseEqual() || parser.parseOperand(view) ||
        parser.parseColon() || parser.parseType(type) ||
        parser.resolveOperand(view, type, state.operands))
      return failure();
    argument.type = type.getElementType();
    return success();
  };
  OpAsmParser::UnresolvedOperand target;
  ViewType targetType;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, input) ||
      parser.parseKeyword("into") || parser.parseOperand(target) || parser.parseColon() ||
      parser.parseType(targetType) || parser.resolveOperand(target, targetType, state.operands))
    return failure();
  return failure(parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
                 parseBody(parser, state, arguments));
}

void MapOp::print(OpAsmPrinter &printer) {
  printer << " (";
  for (auto [i, view] : llvm::enumerate(getInputs()))
    printer << (i ? ", " : "") << getBody().getArgument(i) << " = " << view << " : "
            << view.getType();
  printer << ") into " << getTarget() << " : " << getTarget().getType();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}
