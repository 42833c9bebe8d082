// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C++ interface of materialize: attributes that it sets, and that a refused schedule changes
// nothing.
#include "tilewright/Transforms/Materialize.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright;

namespace {

const char *program = R"(
func.func @f(%x: memref<512x512xbf16>, %out: memref<512x512xbf16>) {
  %m = tw.sym @m extent 512 in [32, 256]
  tw.grid (%i, %j) = [@m over 512, @m over 512] {
    %a = tw.mem.alloc : !tw.mem<[@m, @m], bf16>
    %s = tw.sem.alloc
    %v = tw.vb.bind "x[m, m]" to %a, %s : !tw.mem<[@m, @m], bf16> -> !tw.vb<[@m, @m], bf16>
    %w = tw.vb.reserve %v : !tw.vb<[@m, @m], bf16> -> !tw.view<[@m, @m], bf16>
    tw.copy in %x[%i, %j], %w : memref<512x512xbf16>, !tw.view<[@m, @m], bf16>
    tw.vb.commit %v : !tw.vb<[@m, @m], bf16>
    %r = tw.vb.acquire %v : !tw.vb<[@m, @m], bf16> -> !tw.view<[@m, @m], bf16>
    tw.copy out %out[%i, %j], %r : memref<512x512xbf16>, !tw.view<[@m, @m], bf16>
    tw.vb.release %v : !tw.vb<[@m, @m], bf16>
  }
  return
})";

class Materialize : public testing::Test {
protected:
  Materialize() {
    context.loadDialect<tw::TwDialect, func::FuncDialect>();
    module = parseSourceString<ModuleOp>(program, &context);
    func = *module->getOps<func::FuncOp>().begin();
    spec.symbols = {{"m", 64}};
    spec.xAxes = {1}, spec.xExtents = {8}, spec.yAxes = {0}, spec.yExtents = {4},
    spec.order = {1, 0};
    spec.transfers = {{8, 1}};
    spec.depths = {{"x[m, m]", 2}};
  }
  std::string print() {
    std::string text;
    llvm::raw_string_ostream(text) << *module;
    return text;
  }
  void expectRefused(const std::string &id) {
    std::string before = print(), message;
    ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &d) { message = d.str(); });
    EXPECT_TRUE(failed(transforms::materialize(func, spec)));
    EXPECT_NE(message.find("[transforms.schedule-" + id + "]"), std::string::npos) << message;
    EXPECT_EQ(print(), before);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp func;
  transforms::MaterializeSpec spec;
};

TEST_F(Materialize, SetsEveryAttribute) {
  ASSERT_TRUE(succeeded(transforms::materialize(func, spec)));
  std::string text = print();
  for (const char *expected :
       {"in [32, 256] = 64", "placed #tw.placement<x [1] by [8] y [0] by [4] order [1, 0]>",
        "via <8 by 1>", "tw.mem.alloc {depth = 2 : i64}"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << " in\n" << text;
}

TEST_F(Materialize, RefusesSymbols) {
  spec.symbols = {};
  expectRefused("symbol");
  spec.symbols = {{"m", 257}};
  expectRefused("symbol");
  spec.symbols = {{"m", 31}};
  expectRefused("symbol");
  spec.symbols = {{"m", 64}, {"n", 64}};
  expectRefused("symbol");
}

TEST_F(Materialize, RefusesCounts) {
  spec.transfers.push_back({1, 1});
  expectRefused("count");
  spec.transfers.resize(1);
  spec.subblocks = {{1, 1}};
  expectRefused("count");
}

TEST_F(Materialize, RefusesPlacementTransferAndDepth) {
  spec.order = {0, 0};
  expectRefused("placement");
  spec.order = {0, 1};
  spec.xAxes = {2};
  expectRefused("placement");
  spec.xAxes = {1};
  spec.transfers = {{0, 1}};
  expectRefused("transfer");
  spec.transfers = {{1, 1}};
  spec.depths = {{"y[m, m]", 2}};
  expectRefused("depth");
  spec.depths = {{"x[m, m]", 0}};
  expectRefused("depth");
}

} // namespace
