// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect's helpers on shapes, labels and arguments.
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include "tilewright/IR/Tw.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright;
using Dims = llvm::SmallVector<Attribute>;

namespace {

class Shapes : public testing::Test {
protected:
  Shapes() { context.loadDialect<tw::TwDialect, func::FuncDialect>(); }
  Attribute label(StringRef name) { return FlatSymbolRefAttr::get(&context, name); }
  Attribute size(int64_t value) { return Builder(&context).getI64IntegerAttr(value); }
  std::string joined(Dims a, Dims b) {
    auto result = tw::broadcastDims(a, b);
    return failed(result) ? "none" : tw::dimsText(*result);
  }
  MLIRContext context;
};

TEST_F(Shapes, Expressions) {
  EXPECT_EQ(tw::dimExpr(label("m")).str(), "m");
  EXPECT_EQ(tw::dimExpr(size(64)).value(), 64);
  EXPECT_EQ(tw::dimsText({}), "[]");
  EXPECT_EQ(tw::dimsText(Dims{label("m"), size(3)}), "[m, 3]");
  symbolic::Environment environment{{"m", 5}, {"n", 7}};
  EXPECT_EQ(symbolic::evaluate(tw::sizeExpr(Dims{label("m"), size(3), label("n")}), environment),
            105);
  EXPECT_EQ(symbolic::evaluate(tw::sizeExpr({}), environment), 1);
}

TEST_F(Shapes, BroadcastIsTorchs) {
  Attribute m = label("m"), n = label("n"), one = size(1);
  EXPECT_EQ(joined({m, n}, {n}), "[m, n]");
  EXPECT_EQ(joined({n}, {m, n}), "[m, n]");
  EXPECT_EQ(joined({m, one}, {n}), "[m, n]");
  EXPECT_EQ(joined({m, one}, {one, n}), "[m, n]");
  EXPECT_EQ(joined({}, {m}), "[m]");
  EXPECT_EQ(joined({one}, {one}), "[1]");
  EXPECT_EQ(joined({m, n}, {m}), "none");
  EXPECT_EQ(joined({size(2)}, {size(3)}), "none");
  EXPECT_EQ(joined({m}, {size(64)}), "none") << "a symbol is not known to equal a number";
}

TEST_F(Shapes, NamesInAFunction) {
  auto module = parseSourceString<ModuleOp>(R"(
    func.func @f(%x: memref<4xf32> {tw.name = "weights"}, %y: memref<4xf32>) {
      %m = tw.sym @tile_m extent 4 in [1, 4]
      return
    })",
                                            &context);
  ASSERT_TRUE(module);
  auto func = *module->getOps<func::FuncOp>().begin();
  EXPECT_EQ(tw::argumentName(func.getArgument(0)), "weights");
  EXPECT_EQ(tw::argumentName(func.getArgument(1)), "arg1");
  ASSERT_TRUE(tw::findSymbol(func, "tile_m"));
  EXPECT_EQ(tw::findSymbol(func, "tile_m").getUpper(), 4u);
  EXPECT_FALSE(tw::findSymbol(func, "tile_n"));
}

} // namespace
