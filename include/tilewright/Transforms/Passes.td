// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes, in the order in which they run.
#ifndef TILEWRIGHT_TRANSFORMS_PASSES_TD
#define TILEWRIGHT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ReifyDataflow : Pass<"tw-reify-dataflow", "::mlir::func::FuncOp"> {
  let summary = "turn tile values into virtual buffers with reserve, commit, acquire and release";
  let dependentDialects = ["::tilewright::tw::TwDialect"];
}

def MergeHandoffs : Pass<"tw-merge-handoffs", "::mlir::func::FuncOp"> {
  let summary = "merge virtual buffers that form an exclusive hand-off";
  let dependentDialects = ["::tilewright::tw::TwDialect"];
}

def ConcretizeBuffers : Pass<"tw-concretize-buffers", "::mlir::func::FuncOp"> {
  let summary = "bind virtual buffers to memory by interference colouring, one semaphore each";
  let dependentDialects = ["::tilewright::tw::TwDialect"];
}

def VerifyProtocol : Pass<"tw-verify-protocol", "::mlir::func::FuncOp"> {
  let summary = "reject unbalanced or impossible reserve/commit/acquire/release protocols";
  let description = [{See Protocol.h for the rules.}];
}

def Materialize : Pass<"tw-materialize", "::mlir::func::FuncOp"> {
  let summary = "put a schedule into a program whose buffers have memory";
  let dependentDialects = ["::tilewright::tw::TwDialect"];
  let options = [
    Option<"symbols", "symbols", "std::string", "", "tile_m=128;tile_n=64">,
    Option<"placement", "placement", "std::string", "", "x 1:8 y 0:4 order 0 1 (axis:cores, inner first)">,
    Option<"transfers", "transfers", "std::string", "", "8x1;1x1, one for each tw.copy in">,
    Option<"depths", "depths", "std::string", "", "x[tile_m, tile_k]=2;..., by label">,
    Option<"subblocks", "subblocks", "std::string", "", "2x2;..., rows and columns in tiles of each tw.contract">
  ];
}

#endif
