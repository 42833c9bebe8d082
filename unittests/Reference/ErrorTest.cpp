// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong with inputs, block sizes and programs is a diagnostic with a stable id.
#include "Programs.h"

using namespace tilewright;
using namespace tilewright::reference;
using namespace tilewright::reference::test;

namespace {

struct Errors : testing::Test {
  Program program{GemmText{.m = 8, .n = 6, .k = 4}.str()};
  std::vector<Tensor> inputs = {makeTensor("x", "bf16", {8, 4}, 1),
                                makeTensor("y", "bf16", {4, 6}, 1)};
  Sizes sizes = {{"tile_m", 4}, {"tile_n", 4}, {"tile_k", 4}};
  std::string id() {
    return errorId([&] { program.run(inputs, sizes); });
  }
};

/// A function with the input a, the output out, two symbols and this body.
std::string copyText(const std::string &body, const std::string &dtype = "f32") {
  return fmt::format(R"(
func.func @f(%a: memref<8x6x{0}> {{tw.name = "a", tw.role = "input"}}, %out: memref<8x{0}> {{tw.name = "out", tw.role = "output"}}) {{
  %s0 = tw.sym @p extent 8 in [1, 8]
  %s1 = tw.sym @q extent 6 in [1, 6]
  %c0 = arith.constant 0 : index
{1}
  return
}})",
                     dtype, body);
}

std::string runCopy(const std::string &body, const std::string &dtype = "f32") {
  Program program(copyText(body, dtype));
  return errorId([&] { program.run({makeTensor("a", dtype, {8, 6}, 1)}, {{"p", 3}, {"q", 3}}); });
}

} // namespace

TEST_F(Errors, NoneForARightCall) {
  EXPECT_EQ(id(), "");
}

TEST_F(Errors, BlockSizes) {
  sizes.erase("tile_k");
  EXPECT_EQ(id(), "reference.block-size");
  sizes["tile_k"] = 0;
  EXPECT_EQ(id(), "reference.block-size");
}

TEST_F(Errors, SolvedSymbolsNeedNoBlockSize) {
  std::string text = GemmText{.m = 8, .n = 6, .k = 4}.str();
  text.insert(text.find("in [1, 4]") + 9, " = 2");
  sizes.erase("tile_k");
  EXPECT_EQ(Program(text).run(inputs, sizes).size(), 1u);
}

TEST_F(Errors, MissingUnknownAndRepeatedInputs) {
  std::vector<Tensor> right = inputs;
  inputs.pop_back();
  EXPECT_EQ(id(), "reference.input");
  inputs = right;
  inputs.push_back(makeTensor("z", "bf16", {1}, 1));
  EXPECT_EQ(id(), "reference.input");
  inputs = right;
  inputs.push_back(right[0]);
  EXPECT_EQ(id(), "reference.input");
}

TEST_F(Errors, ShapeTypeAndValues) {
  std::vector<Tensor> right = inputs;
  inputs[0] = makeTensor("x", "bf16", {4, 8}, 1);
  EXPECT_EQ(id(), "reference.input");
  inputs[0] = makeTensor("x", "f32", {8, 4}, 1);
  EXPECT_EQ(id(), "reference.input");
  inputs[0] = right[0];
  inputs[0].values.pop_back();
  EXPECT_EQ(id(), "reference.input");
  inputs[0] = right[0];
  inputs[0].values[5] = 1.001f;
  EXPECT_EQ(id(), "reference.input");
}

TEST(ProgramErrors, TheMessageNamesTheTensor) {
  Program program(GemmText{.m = 8, .n = 6, .k = 4}.str());
  try {
    program.run({makeTensor("y", "bf16", {4, 6}, 1)},
                {{"tile_m", 4}, {"tile_n", 4}, {"tile_k", 4}});
    FAIL();
  } catch (const Error &error) {
    EXPECT_EQ(error.diagnostic().message, "input 'x' is missing");
    EXPECT_EQ(error.diagnostic().kind, Kind::User);
  }
}

TEST(ProgramErrors, BlocksThatMeetAreARace) {
  EXPECT_EQ(runCopy(R"(
  tw.grid (%i, %j) = [@p over 8, @q over 6] {
    %z = tw.fill 1.0 : !tw.tile<[@p], f32>
    tw.store %z, %out[%i] : !tw.tile<[@p], f32>, memref<8xf32>
  })"),
            "reference.race");
}

TEST(ProgramErrors, ReadingAnotherBlocksResultIsARace) {
  EXPECT_EQ(runCopy(R"(
  tw.grid (%i) = [@p over 8] {
    %z = tw.fill 1.0 : !tw.tile<[@p], f32>
    tw.store %z, %out[%i] : !tw.tile<[@p], f32>, memref<8xf32>
  }
  tw.grid (%i) = [@p over 8] {
    %z = tw.load %out[%i] : memref<8xf32> -> !tw.tile<[@p], f32>
  })"),
            "reference.race");
}

TEST(ProgramErrors, UnwrittenElements) {
  EXPECT_EQ(runCopy(R"(
  tw.grid (%i) = [@p over 8] {
    %z = tw.load %out[%i] : memref<8xf32> -> !tw.tile<[@p], f32>
  })"),
            "reference.unwritten");
  EXPECT_EQ(runCopy(R"(
  tw.grid (%i) = [@p over 7] {
    %z = tw.fill 1.0 : !tw.tile<[@p], f32>
    tw.store %z, %out[%i] : !tw.tile<[@p], f32>, memref<8xf32>
  })"),
            "reference.unwritten");
}

TEST(ProgramErrors, ConstantIndices) {
  EXPECT_EQ(runCopy(R"(
  tw.grid (%i) = [@p over 8] {
    %z = tw.fill 1.0 : !tw.tile<[8], f32>
    tw.store %z, %out[%c0] : !tw.tile<[8], f32>, memref<8xf32>
  })"),
            "reference.race");
  EXPECT_EQ(runCopy(R"(
  tw.grid (%i) = [@p over 1] {
    %z = tw.fill 1.0 : !tw.tile<[8], f32>
    tw.store %z, %out[%c0] : !tw.tile<[8], f32>, memref<8xf32>
  })"),
            "");
  EXPECT_EQ(runCopy(R"(
  tw.grid (%i) = [@p over 1] {
    %z = tw.fill 1.0 : !tw.tile<[8], f32>
    tw.store %z, %out[%s0] : !tw.tile<[8], f32>, memref<8xf32>
  })"),
            "reference.index");
}

TEST(ProgramErrors, UnsupportedTypesAndStages) {
  EXPECT_EQ(runCopy("", "f64"), "reference.type");
  EXPECT_EQ(runCopy("  %b = tw.vb.create \"b\" : !tw.vb<[@p], f32>"), "reference.op");
}
