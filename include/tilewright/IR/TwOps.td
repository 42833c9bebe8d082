// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tw dialect's operations, stage by stage (docs/ir.md).
#ifndef TILEWRIGHT_IR_TWOPS_TD
#define TILEWRIGHT_IR_TWOPS_TD

include "tilewright/IR/TwDialect.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tw_Op<string m, list<Trait> traits = []> : Op<Tw_Dialect, m, traits>;

// A pointwise operation works on tiles (stage 1) or on the scalars inside tw.map (stage 2).
def Tw_Pointwise : AnyTypeOf<[Tw_TileType, AnyFloat]>;
def Tw_Global : MemRefOf<[AnyFloat]>;

//===--- Unknowns and structure (all stages) ---------------------------------------------------------===//

def Tw_SymOp : Tw_Op<"sym", [Pure]> {
  let summary = "a compile-time unknown: block size or other value parameter (Loom section 2.2)";
  let description = [{
    `label` is the source-level name and the solver's variable; its value lies in [lower, upper] (equal when
    the source pins it). `extent` is the length of the dimension that it cuts, in elements. `value` is set
    once it is solved.
  }];
  let arguments = (ins SymbolNameAttr:$label, I64Attr:$extent, I64Attr:$lower, I64Attr:$upper,
                       OptionalAttr<I64Attr>:$value);
  let results = (outs Index:$result);
  let assemblyFormat = "$label `extent` $extent `in` ` ` `[` $lower `,` $upper `]` (`=` $value^)? attr-dict";
}

def Tw_GridOp : Tw_Op<"grid", [SingleBlock, NoTerminator]> {
  let summary = "the SPMD grid: the body runs once per block, in any order, in parallel";
  let description = [{
    Axis i cuts an extent into blocks of `labels[i]`; the body's i-th argument is the block's number along
    that axis. `placement` is present once the program is mapped.
  }];
  let arguments = (ins FlatSymbolRefArrayAttr:$labels, DenseI64ArrayAttr:$extents,
                       OptionalAttr<Tw_PlacementAttr>:$placement);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tw_LoopOp : Tw_Op<"loop", [SingleBlock]> {
  let summary = "a sequential loop over the blocks of one extent, with loop-carried tiles";
  let arguments = (ins FlatSymbolRefAttr:$label, I64Attr:$extent, Variadic<Tw_TileType>:$inits);
  let results = (outs Variadic<Tw_TileType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tw_YieldOp : Tw_Op<"yield", [Pure, Terminator]> {
  let summary = "values carried to the next iteration, or the result of a map's body";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange{}); }]>];
}

//===--- Stage 1: the tile program (values) ----------------------------------------------------------===//

def Tw_LoadOp : Tw_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "a block of a global tensor; elements beyond the tensor read as 0";
  let description = [{Dim d starts at indices[d] * (dim d of the result) and covers that many elements.}];
  let arguments = (ins Tw_Global:$source, Variadic<Index>:$indices);
  let results = (outs Tw_TileType:$result);
  let assemblyFormat = "$source `[` $indices `]` attr-dict `:` type($source) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Tw_StoreOp : Tw_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes a block; elements beyond the tensor are dropped";
  let arguments = (ins Tw_TileType:$value, Tw_Global:$target, Variadic<Index>:$indices);
  let assemblyFormat = [{$value `,` $target `[` $indices `]` attr-dict `:` qualified(type($value)) `,`
                         type($target)}];
  let hasVerifier = 1;
}

def Tw_FillOp : Tw_Op<"fill", [Pure]> {
  let summary = "a tile with one value everywhere; a tile without dims is a scalar";
  let arguments = (ins F64Attr:$value);
  let results = (outs Tw_TileType:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($result))";
}

def Tw_MatmulOp : Tw_Op<"matmul", [Pure]> {
  let summary = "accumulator + lhs * rhs; products and sums in f32, rounded once to the result's type";
  let arguments = (ins Tw_TileType:$lhs, Tw_TileType:$rhs, Tw_TileType:$accumulator);
  let results = (outs Tw_TileType:$result);
  let assemblyFormat = [{$lhs `,` $rhs `,` $accumulator attr-dict `:` qualified(type($lhs)) `,`
                         qualified(type($rhs)) `,` qualified(type($accumulator)) `->` qualified(type($result))}];
  let hasVerifier = 1;
}

def Tw_UnaryOp : Tw_Op<"unary", [Pure]> {
  let summary = "f(operand), computed in f32 and rounded to the result's type";
  let arguments = (ins Tw_UnaryKindAttr:$kind, Tw_Pointwise:$operand);
  let results = (outs Tw_Pointwise:$result);
  let assemblyFormat = [{$kind $operand attr-dict `:` qualified(type($operand)) `->`
                         qualified(type($result))}];
  let hasVerifier = 1;
}

def Tw_BinaryOp : Tw_Op<"binary", [Pure]> {
  let summary = "lhs op rhs with torch's broadcasting, computed in f32 and rounded to the result's type";
  let arguments = (ins Tw_BinaryKindAttr:$kind, Tw_Pointwise:$lhs, Tw_Pointwise:$rhs);
  let results = (outs Tw_Pointwise:$result);
  let assemblyFormat = [{$kind $lhs `,` $rhs attr-dict `:` qualified(type($lhs)) `,`
                         qualified(type($rhs)) `->` qualified(type($result))}];
  let hasVerifier = 1;
}

def Tw_CastOp : Tw_Op<"cast", [Pure]> {
  let summary = "rounding (to nearest, ties to even) or widening to another element type";
  let arguments = (ins Tw_Pointwise:$operand);
  let results = (outs Tw_Pointwise:$result);
  let assemblyFormat = "$operand attr-dict `:` qualified(type($operand)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Tw_ConstantOp : Tw_Op<"constant", [Pure]> {
  let summary = "a scalar inside a map's body";
  let arguments = (ins F64Attr:$value);
  let results = (outs AnyFloat:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

def Tw_UnsqueezeOp : Tw_Op<"unsqueeze", [Pure]> {
  let summary = "the same elements with a dim of size 1 inserted at `axis`";
  let arguments = (ins Tw_TileType:$operand, I64Attr:$axis);
  let results = (outs Tw_TileType:$result);
  let assemblyFormat = [{$operand `at` $axis attr-dict `:` qualified(type($operand)) `->`
                         qualified(type($result))}];
  let hasVerifier = 1;
}

//===--- Stage 2: virtual buffers (Loom section 2.3) -------------------------------------------------===//

def Tw_VBCreateOp : Tw_Op<"vb.create"> {
  let summary = "an abstract buffer; `label` says in source terms what it holds";
  let arguments = (ins StrAttr:$label);
  let results = (outs Tw_VBType:$buffer);
  let assemblyFormat = "$label attr-dict `:` qualified(type($buffer))";
}

class Tw_VBOp<string m> : Tw_Op<"vb." # m> {
  let arguments = (ins Tw_VBType:$buffer);
}
class Tw_VBViewOp<string m> : Tw_VBOp<m> {
  let results = (outs Tw_ViewType:$view);
  let assemblyFormat = "$buffer attr-dict `:` qualified(type($buffer)) `->` qualified(type($view))";
  let hasVerifier = 1;
}
def Tw_VBReserveOp : Tw_VBViewOp<"reserve"> { let summary = "waits for room; yields the write view"; }
def Tw_VBAcquireOp : Tw_VBViewOp<"acquire"> { let summary = "waits for a block; yields the read view"; }
def Tw_VBCommitOp : Tw_VBOp<"commit"> {
  let summary = "makes the written block readable";
  let assemblyFormat = "$buffer attr-dict `:` qualified(type($buffer))";
}
def Tw_VBReleaseOp : Tw_VBOp<"release"> {
  let summary = "gives the read block's room back";
  let assemblyFormat = "$buffer attr-dict `:` qualified(type($buffer))";
}

def Tw_CopyOp : Tw_Op<"copy"> {
  let summary = "moves one block between global memory and a view";
  let description = [{
    `in`: global to view, zeros beyond the tensor; `out`: view to global, nothing beyond the tensor.
    Unit dims of the view beyond the tensor's rank (the first ones) are unsqueezed: they have no index.
    `transfer` is present once the program is mapped.
  }];
  let arguments = (ins Tw_DirectionAttr:$direction, Tw_Global:$global, Variadic<Index>:$indices,
                       Tw_ViewType:$view, OptionalAttr<Tw_TransferAttr>:$transfer);
  let assemblyFormat = [{$direction $global `[` $indices `]` `,` $view (`via` $transfer^)? attr-dict `:`
                         type($global) `,` qualified(type($view))}];
  let hasVerifier = 1;
}

def Tw_SetOp : Tw_Op<"set"> {
  let summary = "writes one value everywhere in a view";
  let arguments = (ins F64Attr:$value, Tw_ViewType:$view);
  let assemblyFormat = "$value `,` $view attr-dict `:` qualified(type($view))";
}

def Tw_ContractOp : Tw_Op<"contract"> {
  let summary = "target = accumulator + lhs * rhs over views; accumulator and target may be one buffer";
  let description = [{
    `subblock` (rows, columns in tiles) is how much of the target is held in accumulation registers at once;
    present once it is solved.
  }];
  let arguments = (ins Tw_ViewType:$lhs, Tw_ViewType:$rhs, Tw_ViewType:$accumulator, Tw_ViewType:$target,
                       OptionalAttr<DenseI64ArrayAttr>:$subblock);
  let assemblyFormat = [{$lhs `,` $rhs `,` $accumulator `into` $target (`by` $subblock^)? attr-dict `:`
                         qualified(type($lhs)) `,` qualified(type($rhs)) `,` qualified(type($accumulator))
                         `into` qualified(type($target))}];
  let hasVerifier = 1;
}

def Tw_MapOp : Tw_Op<"map", [SingleBlock]> {
  let summary = "target = body(inputs) element by element; inputs broadcast as in tw.binary";
  let arguments = (ins Variadic<Tw_ViewType>:$inputs, Tw_ViewType:$target);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tw_ViewUnsqueezeOp : Tw_Op<"view.unsqueeze", [Pure]> {
  let summary = "the same block seen with a dim of size 1 inserted at `axis`; moves nothing";
  let arguments = (ins Tw_ViewType:$operand, I64Attr:$axis);
  let results = (outs Tw_ViewType:$result);
  let assemblyFormat = [{$operand `at` $axis attr-dict `:` qualified(type($operand)) `->`
                         qualified(type($result))}];
  let hasVerifier = 1;
}

//===--- Stage 3: storage (Loom section 2.4) ---------------------------------------------------------===//

def Tw_MemAllocOp : Tw_Op<"mem.alloc"> {
  let summary = "local memory for `depth` blocks (1 until the schedule says otherwise)";
  let arguments = (ins DefaultValuedAttr<I64Attr, "1">:$depth);
  let results = (outs Tw_MemType:$memory);
  let assemblyFormat = "attr-dict `:` qualified(type($memory))";
}
def Tw_SemAllocOp : Tw_Op<"sem.alloc"> {
  let summary = "the synchronization resource of one virtual buffer";
  let results = (outs Tw_SemType:$semaphore);
  let assemblyFormat = "attr-dict";
}
def Tw_VBBindOp : Tw_Op<"vb.bind"> {
  let summary = "a virtual buffer made of storage and a semaphore";
  let arguments = (ins StrAttr:$label, Tw_MemType:$memory, Tw_SemType:$semaphore);
  let results = (outs Tw_VBType:$buffer);
  let assemblyFormat = [{$label `to` $memory `,` $semaphore attr-dict `:` qualified(type($memory)) `->`
                         qualified(type($buffer))}];
  let hasVerifier = 1;
}

#endif
