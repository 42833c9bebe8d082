// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tw dialect: its types and attributes. Operations are in TwOps.td.
#ifndef TILEWRIGHT_IR_TWDIALECT_TD
#define TILEWRIGHT_IR_TWDIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Tw_Dialect : Dialect {
  let name = "tw";
  let cppNamespace = "::tilewright::tw";
  let summary = "tile programs whose block sizes and schedule are unknowns";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

class Tw_Type<string name, string typeMnemonic> : TypeDef<Tw_Dialect, name> {
  let mnemonic = typeMnemonic;
}

// Shapes are lists of dims; a dim is a label (@tile_m: the value of that symbol) or an integer.
class Tw_ShapedType<string name, string typeMnemonic> : Tw_Type<name, typeMnemonic> {
  let parameters = (ins ArrayRefParameter<"::mlir::Attribute">:$dims, "::mlir::Type":$elementType);
  let assemblyFormat = "`<` custom<Dims>($dims) `,` $elementType `>`";
}

def Tw_TileType : Tw_ShapedType<"Tile", "tile"> {
  let summary = "the value of one block: dims in elements, each a symbol or a constant";
}
def Tw_VBType : Tw_ShapedType<"VirtualBuffer", "vb"> {
  let summary = "a queue of blocks between one producer and one consumer (Loom section 2.3)";
}
def Tw_ViewType : Tw_ShapedType<"View", "view"> {
  let summary = "the block at a virtual buffer's read or write position";
}
def Tw_MemType : Tw_ShapedType<"Mem", "mem"> {
  let summary = "local memory for blocks, shared by virtual buffers that do not interfere";
}
def Tw_SemType : Tw_Type<"Sem", "sem"> {
  let summary = "a counting semaphore: readable blocks and writable room of one virtual buffer";
}

class Tw_Enum<string name, list<I32EnumAttrCase> cases> : I32EnumAttr<name, "", cases> {
  let cppNamespace = "::tilewright::tw";
  let genSpecializedAttr = 0;
}
class Tw_EnumAttr<I32EnumAttr e, string m> : EnumAttr<Tw_Dialect, e, m> {
  let assemblyFormat = "`` $value"; // the empty literal keeps "tw.copy in" from printing two spaces
}

def Tw_UnaryKind : Tw_Enum<"UnaryKind", [
  I32EnumAttrCase<"Neg", 0, "neg">, I32EnumAttrCase<"Abs", 1, "abs">,
  I32EnumAttrCase<"Exp", 2, "exp">, I32EnumAttrCase<"Exp2", 3, "exp2">,
  I32EnumAttrCase<"Log", 4, "log">, I32EnumAttrCase<"Sqrt", 5, "sqrt">,
  I32EnumAttrCase<"Rsqrt", 6, "rsqrt">, I32EnumAttrCase<"Reciprocal", 7, "reciprocal">,
  I32EnumAttrCase<"Sigmoid", 8, "sigmoid">, I32EnumAttrCase<"Silu", 9, "silu">,
  I32EnumAttrCase<"Tanh", 10, "tanh">, I32EnumAttrCase<"Gelu", 11, "gelu">,
  I32EnumAttrCase<"GeluTanh", 12, "gelu_tanh">, I32EnumAttrCase<"Relu", 13, "relu">,
  I32EnumAttrCase<"Square", 14, "square">, I32EnumAttrCase<"Erf", 15, "erf">,
  I32EnumAttrCase<"Sin", 16, "sin">, I32EnumAttrCase<"Cos", 17, "cos">]>;
def Tw_UnaryKindAttr : Tw_EnumAttr<Tw_UnaryKind, "unary_kind">;

def Tw_BinaryKind : Tw_Enum<"BinaryKind", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Sub", 1, "sub">,
  I32EnumAttrCase<"Mul", 2, "mul">, I32EnumAttrCase<"Div", 3, "div">,
  I32EnumAttrCase<"Max", 4, "max">, I32EnumAttrCase<"Min", 5, "min">]>;
def Tw_BinaryKindAttr : Tw_EnumAttr<Tw_BinaryKind, "binary_kind">;

def Tw_Direction : Tw_Enum<"Direction", [I32EnumAttrCase<"In", 0, "in">,
                                         I32EnumAttrCase<"Out", 1, "out">]>;
def Tw_DirectionAttr : Tw_EnumAttr<Tw_Direction, "direction">;

def Tw_TransferAttr : AttrDef<Tw_Dialect, "Transfer"> {
  let mnemonic = "transfer";
  let summary = "how a block reaches its cores: rectangles of x by y cores share one read; 1 x 1 is unicast";
  let parameters = (ins "int64_t":$x, "int64_t":$y);
  let assemblyFormat = "`<` $x `by` $y `>`";
}

def Tw_PlacementAttr : AttrDef<Tw_Dialect, "Placement"> {
  let mnemonic = "placement";
  let summary = "which cores run which blocks";
  let description = [{
    The sub-mesh is the product of the factors: dimension x is cut into `xExtents` (inner first), factor i
    belongs to grid axis `xAxes[i]`; y alike. A grid axis's spatial coordinate is mixed-radix over its
    factors, those of x inner first, then those of y. `order` lists the grid axes from the outermost
    temporal loop to the innermost one.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$xAxes, ArrayRefParameter<"int64_t">:$xExtents,
                        ArrayRefParameter<"int64_t">:$yAxes, ArrayRefParameter<"int64_t">:$yExtents,
                        ArrayRefParameter<"int64_t">:$order);
  let assemblyFormat = [{`<` `x` custom<Integers>($xAxes) `by` custom<Integers>($xExtents)
                         `y` custom<Integers>($yAxes) `by` custom<Integers>($yExtents)
                         `order` custom<Integers>($order) `>`}];
}

#endif
