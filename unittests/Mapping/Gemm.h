// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stage-3 GEMM programs for the tests of the mapping room.
#pragma once

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tilewright/Machine/Machine.h"
#include "tilewright/Mapping/Schedule.h"
#include "tilewright/Transforms/Passes.h"
#include <fmt/format.h>
#include <memory>

namespace tilewright::mapping {

struct Gemm {
  /// With `biases` vectors %bias, %bias1, ... added to the product.
  Gemm(int64_t m, int64_t n, int64_t k, int biases = 0) {
    context.loadDialect<tw::TwDialect, mlir::func::FuncDialect>();
    std::string biasArgument, epilogue, sum = "%acc";
    for (int i = 0; i < biases; ++i) {
      std::string name = "bias" + (i ? std::to_string(i) : "");
      biasArgument += fmt::format(
          ", %{0}: memref<{1}xbf16> {{tw.name = \"{0}\", tw.role = \"input\"}}", name, n);
      epilogue += fmt::format("%b{0} = tw.load %{1}[%j] : memref<{2}xbf16> -> !tw.tile<[@tile_n], "
                              "bf16>\n%s{0} = tw.binary add {3}, %b{0} : !tw.tile<[@tile_m, "
                              "@tile_n], f32>, !tw.tile<[@tile_n], bf16> -> "
                              "!tw.tile<[@tile_m, @tile_n], f32>\n",
                              i, name, n, sum);
      sum = fmt::format("%s{}", i);
    }
    std::string text = fmt::format(R"(
func.func @gemm(%x: memref<{0}x{2}xbf16> {{tw.name = "x", tw.role = "input"}},
                %y: memref<{2}x{1}xbf16> {{tw.name = "y", tw.role = "input"}}{3},
                %out: memref<{0}x{1}xbf16> {{tw.name = "out", tw.role = "output"}}) {{
  %tm = tw.sym @tile_m extent {0} in [1, {0}]
  %tn = tw.sym @tile_n extent {1} in [1, {1}]
  %tk = tw.sym @tile_k extent {2} in [1, {2}]
  tw.grid (%i, %j) = [@tile_m over {0}, @tile_n over {1}] {{
    %zero = tw.fill 0.0 : !tw.tile<[@tile_m, @tile_n], f32>
    %acc = tw.loop %k = @tile_k over {2} carry (%a = %zero : !tw.tile<[@tile_m, @tile_n], f32>) {{
      %xt = tw.load %x[%i, %k] : memref<{0}x{2}xbf16> -> !tw.tile<[@tile_m, @tile_k], bf16>
      %yt = tw.load %y[%k, %j] : memref<{2}x{1}xbf16> -> !tw.tile<[@tile_k, @tile_n], bf16>
      %c = tw.matmul %xt, %yt, %a : !tw.tile<[@tile_m, @tile_k], bf16>,
        !tw.tile<[@tile_k, @tile_n], bf16>, !tw.tile<[@tile_m, @tile_n], f32>
        -> !tw.tile<[@tile_m, @tile_n], f32>
      tw.yield %c : !tw.tile<[@tile_m, @tile_n], f32>
    }}
    {4}
    %o = tw.cast {5} : !tw.tile<[@tile_m, @tile_n], f32> -> !tw.tile<[@tile_m, @tile_n], bf16>
    tw.store %o, %out[%i, %j] : !tw.tile<[@tile_m, @tile_n], bf16>, memref<{0}x{1}xbf16>
  }}
  return
}})",
                                   m, n, k, biasArgument, epilogue, sum);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    mlir::PassManager manager(&context);
    manager.addNestedPass<mlir::func::FuncOp>(transforms::createReifyDataflow());
    manager.addNestedPass<mlir::func::FuncOp>(transforms::createMergeHandoffs());
    manager.addNestedPass<mlir::func::FuncOp>(transforms::createConcretizeBuffers());
    if (!module || mlir::failed(manager.run(*module)))
      throw std::runtime_error("the test program does not compile");
    program = analyze(*module->getOps<mlir::func::FuncOp>().begin(), 32, 32);
  }
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Program program;
};

inline machine::Machine wormhole() {
  return machine::load(TILEWRIGHT_SOURCE_DIR "/machines/wormhole.yaml");
}

} // namespace tilewright::mapping
