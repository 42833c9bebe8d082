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
}

#endif
