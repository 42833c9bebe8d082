// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs single passes on textual tw programs. Exit status: 0 when all went well, 1 on any error.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tilewright/IR/Tw.h"
#include "tilewright/Transforms/Passes.h"

int main(int argc, char **argv) {
  tilewright::transforms::registerTilewrightPasses();
  mlir::DialectRegistry registry;
  registry.insert<tilewright::tw::TwDialect, mlir::func::FuncDialect, mlir::arith::ArithDialect>();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "tilewright's pass driver\n", registry));
}
