// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each construct becomes.
#include "Lower.h"

namespace tilewright::frontend::test {

static const std::string kernels = std::string(TILEWRIGHT_SOURCE_DIR) + "/kernels/";
static const std::vector<std::string> tensorX = {"x=bf16[64,96]"};

/// Lines of the body of a pointwise kernel between the load of x and the store.
static std::string pointwise(const std::string &expression, std::vector<std::string> more = {},
                             const std::string &parameters = "x") {
  more.insert(more.begin(), tensorX[0]);
  std::string summary = lowerText(pointwiseText(expression, parameters), more).summary();
  std::string head = "load x\n", tail = "store out\n";
  EXPECT_EQ(summary.substr(0, head.size()), head) << summary;
  if (summary.size() < head.size() + tail.size())
    return summary;
  return summary.substr(head.size(), summary.size() - head.size() - tail.size());
}

static std::string dims(mlir::Value value) {
  return tw::dimsText(mlir::cast<tw::TileType>(value.getType()).getDims());
}

/// A matmul kernel whose inner loop has this body.
static std::string loopText(const std::string &init, const std::string &step,
                            const std::string &after = "") {
  return kernelText(
      "x, y",
      "    m, k = x.size()\n    n = y.size(1)\n    out = torch.empty([m, n], dtype=x.dtype)\n"
      "    for tile_m, tile_n in hl.tile([m, n]):\n"
      "        acc = " +
          init +
          "\n"
          "        for tile_k in hl.tile(k):\n"
          "            " +
          step + "\n" + after + "        out[tile_m, tile_n] = acc\n    return out\n");
}
static const std::vector<std::string> pair = {"x=bf16[64,32]", "y=bf16[32,96]"};

//===--- Whole kernels
//-------------------------------------------------------------------------------===//

TEST(Lower, StockMatmul) {
  Lowered program =
      lowerFile(kernels + "matmul.py", "matmul", {"x=bf16[512,256]", "y=bf16[256,384]"});
  EXPECT_EQ(program.summary(),
            "fill 0\nloop tile_k\nload x\nload y\nmatmul\nyield 1\ncast bf16\nstore out\n");
  auto symbols = program.all<tw::SymOp>();
  ASSERT_EQ(symbols.size(), 3u);
  std::vector<std::pair<std::string, int64_t>> expected = {
      {"tile_m", 512}, {"tile_n", 384}, {"tile_k", 256}};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(symbols[i].getLabel(), expected[i].first);
    EXPECT_EQ(int64_t(symbols[i].getExtent()), expected[i].second);
    EXPECT_EQ(int64_t(symbols[i].getLower()), 1);
    EXPECT_EQ(int64_t(symbols[i].getUpper()), expected[i].second);
  }
  EXPECT_EQ(program.function()->getAttrOfType<mlir::StringAttr>(tw::sourceAttr).getValue(),
            kernels + "matmul.py:matmul");
}

TEST(Lower, EveryEpilogueOfTheRepository) {
  std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"relu", {}},
      {"gelu", {}},
      {"gelu_tanh", {}},
      {"gelu_erf", {}},
      {"silu", {}},
      {"add_bias", {"bias=bf16[96]"}},
      {"clamped", {}},
      {"scaled", {"alpha=0.5"}},
      {"bias_relu", {"bias=f32[96]"}},
      {"bias_column", {"bias=bf16[64]"}},
      {"add_residual", {"residual=bf16[64,96]"}},
      {"swish_gate", {"gate=bf16[64,96]"}},
      {"bias_residual_gelu", {"bias=bf16[96]", "residual=bf16[64,96]"}}};
  for (auto &[function, more] : cases) {
    std::vector<std::string> arguments = {"x=bf16[64,32]", "y=bf16[32,96]",
                                          "epilogue=" + kernels + "epilogues.py:" + function};
    arguments.insert(arguments.end(), more.begin(), more.end());
    Lowered program = lowerFile(kernels + "matmul.py", "", arguments);
    EXPECT_FALSE(program.error) << function << ": " << program.text();
  }
}

TEST(Lower, CapturedTensorsBecomeInputs) {
  Lowered program = lowerFile(kernels + "matmul.py", "",
                              {"bias=bf16[96]", "x=bf16[64,32]", "y=bf16[32,96]",
                               "epilogue=" + kernels + "epilogues.py:bias_relu"});
  ASSERT_FALSE(program.error) << program.text();
  std::string arguments;
  for (unsigned i = 0; i < program.function().getNumArguments(); ++i)
    arguments += program.function().getArgAttrOfType<mlir::StringAttr>(i, tw::nameAttr).str() +
                 ":" +
                 program.function().getArgAttrOfType<mlir::StringAttr>(i, tw::roleAttr).str() + " ";
  EXPECT_EQ(arguments, "x:input y:input bias:input out:output ");
}

TEST(Lower, EveryOperationHasItsPlace) {
  Lowered program = lowerText(pointwiseText("torch.relu(t + 1.0)"), tensorX);
  auto place = mlir::cast<mlir::FileLineColLoc>(program.only<tw::UnaryOp>().getLoc());
  EXPECT_EQ(place.getFilename(), folder() + "kernel.py");
  EXPECT_EQ(place.getLine(), 10u);
  EXPECT_EQ(place.getColumn(), 31u); // of `torch` in "        out[tile_m, tile_n] = torch.relu"
  program.module->walk([](mlir::Operation *op) {
    if (op->getDialect() && op->getDialect()->getNamespace() == "tw")
      EXPECT_TRUE(mlir::isa<mlir::FileLineColLoc>(op->getLoc()));
  });
}

TEST(Lower, DecoratorsAndImports) {
  const std::string body = "def f(x):\n    out = torch.empty_like(x)\n    for t in T(x.size()):\n  "
                           "      out[t] = x[t]\n    return out\n";
  for (const std::string &head :
       {std::string(
            "import helion as h, torch\nfrom helion.language import tile as T\n@h.kernel\n"),
        std::string("import torch\nfrom helion import kernel as k, language\nT = "
                    "language.tile\n@k(config=lambda: 1 + {}, static_shapes=True)\n"),
        std::string(
            "import torch, helion, helion.language\nT = helion.language.tile\n@helion.jit()\n"),
        std::string("import torch, helion\nimport helion.language as hl\nT = "
                    "hl.tile\n@helion.aot_kernel(batched=[[0]])\n"),
        std::string(
            "try:\n    import torch, helion\nexcept ImportError:\n    raise\nfrom helion.language "
            "import tile as T\nmine = helion.kernel(autotune_effort='none')\n@mine\n")}) {
    Lowered program = lowerText(head + body, tensorX);
    EXPECT_FALSE(program.error) << head << program.text();
  }
}

TEST(Lower, OnlyTheNamedKernelIsRead) {
  std::string source =
      "import helion, torch\nimport helion.language as hl\nfrom nowhere import *\n"
      "class A(torch.autograd.Function):\n    def forward(ctx, x): return [i for i in x]\n"
      "@helion.kernel\ndef broken(x):\n    while True: pass\n"
      "@helion.kernel\ndef good(x):\n    out = torch.empty_like(x)\n    for t in "
      "hl.tile(x.size()):\n"
      "        out[t] = x[t]\n    return out\n"
      "async def other(): await x\n"
      "if __name__ == '__main__':\n    with open('f') as f: print({**f})\n";
  EXPECT_EQ(lowerText(source, tensorX, "good").summary(), "load x\nstore out\n");
}

//===--- Dtypes
//--------------------------------------------------------------------------------------===//

TEST(Lower, PromotionRoundsEachOperation) {
  auto types = [](const std::string &expression, const std::string &yType) {
    Lowered program =
        lowerText(pointwiseText(expression, "x, y"), {tensorX[0], "y=" + yType + "[64,96]"});
    std::string text;
    for (auto op : program.all<tw::BinaryOp>())
      text += mlir::cast<tw::TileType>(op.getResult().getType()).getElementType().isBF16() ? "bf16 "
                                                                                           : "f32 ";
    return text + std::to_string(program.all<tw::CastOp>().size());
  };
  EXPECT_EQ(types("t * y[tile_m, tile_n] + t", "bf16"), "bf16 bf16 0");
  EXPECT_EQ(types("t * y[tile_m, tile_n] + t", "f32"), "f32 f32 1");
  EXPECT_EQ(types("t * 1.5 + 2", "bf16"), "bf16 bf16 0");
  EXPECT_EQ(types("t.float() * 1.5", "bf16"), "f32 2");
  EXPECT_EQ(types("t.to(torch.bfloat16) + t.to(x.dtype)", "bf16"), "bf16 0");
}

TEST(Lower, MatmulDtypes) {
  auto shape = [](const std::string &init, const std::string &step) {
    return lowerText(loopText(init, step), pair).summary();
  };
  const std::string zeros = "hl.zeros([tile_m, tile_n], dtype=torch.float32)",
                    load = "loop tile_k\nload x\nload y\n";
  const std::string end = "yield 1\ncast bf16\nstore out\n";
  EXPECT_EQ(shape(zeros, "acc = hl.dot(x[tile_m, tile_k], y[tile_k, tile_n], acc=acc)"),
            "fill 0\n" + load + "matmul\n" + end);
  // A bf16 product is rounded before it is added; hl.dot's f32 product is not and becomes the
  // accumulator's.
  EXPECT_EQ(shape(zeros, "acc += x[tile_m, tile_k] @ y[tile_k, tile_n]"),
            "fill 0\n" + load + "fill 0\nmatmul\ncast bf16\nbinary add\n" + end);
  EXPECT_EQ(shape(zeros, "acc = acc + torch.matmul(x[tile_m, tile_k], y[tile_k, tile_n])"),
            "fill 0\n" + load + "fill 0\nmatmul\ncast bf16\nbinary add\n" + end);
  EXPECT_EQ(shape(zeros, "acc += hl.dot(x[tile_m, tile_k], y[tile_k, tile_n])"),
            "fill 0\n" + load + "matmul\n" + end);
  EXPECT_EQ(
      shape(zeros, "acc = torch.mm(x[tile_m, tile_k], y[tile_k, tile_n], torch.float32) + acc"),
      "fill 0\n" + load + "matmul\n" + end);
  EXPECT_EQ(shape("hl.zeros([tile_m, tile_n], dtype=x.dtype)",
                  "acc = torch.addmm(acc, x[tile_m, tile_k], y[tile_k, tile_n])"),
            "fill 0\n" + load + "matmul\nyield 1\nstore out\n");
}

//===--- Names and shapes
//----------------------------------------------------------------------------===//

TEST(Lower, UnaryFunctions) {
  for (const char *name : {"neg", "abs", "exp", "exp2", "log", "sqrt", "rsqrt", "reciprocal",
                           "sigmoid", "tanh", "relu", "square", "erf", "sin", "cos"}) {
    std::string line = "unary " + std::string(name) + "\n";
    EXPECT_EQ(pointwise("torch." + std::string(name) + "(t)"), line);
    EXPECT_EQ(pointwise("t." + std::string(name) + "()"), line);
  }
  for (const char *name : {"relu", "sigmoid", "silu", "gelu", "tanh"})
    EXPECT_EQ(pointwise("F." + std::string(name) + "(t)"), "unary " + std::string(name) + "\n");
  EXPECT_EQ(pointwise("torch.nn.functional.gelu(t, approximate='tanh')"), "unary gelu_tanh\n");
  EXPECT_EQ(pointwise("-t"), "unary neg\n");
  EXPECT_EQ(pointwise("t ** 2"), "unary square\n");
  EXPECT_EQ(pointwise("t.pow(3)"), "unary square\nbinary mul\n");
  EXPECT_EQ(pointwise("torch.clamp(t, min=0, max=6.0)"),
            "fill 0\nbinary max\nfill 6\nbinary min\n");
  EXPECT_EQ(pointwise("torch.maximum(t, -t)"), "unary neg\nbinary max\n");
  EXPECT_EQ(pointwise("1.0 * t / 1"), "");
  EXPECT_EQ(pointwise("1 / t"), "fill 1\nbinary div\n");
}

TEST(Lower, HostBranchesAreDecided) {
  std::string parameters = "x, mode='a', n=3, bias=None";
  std::string expression =
      "(t if mode == 'a' else t.nothing()) if n > 2 and bias is None and x.dtype != torch.float32 "
      "and n in (1, 3) and not x.ndim == 3 else undefined";
  EXPECT_EQ(pointwise(expression, {}, parameters), "");
  Lowered other = lowerText(pointwiseText(expression, parameters), {tensorX[0], "mode=b"});
  ASSERT_TRUE(other.error);
  EXPECT_EQ(other.error->location.line, 10u);
}

TEST(Lower, HostArithmetic) {
  for (const char *truth :
       {"7 // 2 == 3 and -7 // 2 == -4 and -7 % 3 == 2 and 7 % -3 == -2",
        "2 ** 10 == 1024 and 2 ** -1 == 0.5", "1 << 4 == 16 and 5 & 3 == 1",
        "helion.cdiv(7, 2) == 4", "helion.next_power_of_2(65) == 128",
        "math.ceil(2.5) == 3 and math.sqrt(16) == 4 and math.log2(8) == 3.0",
        "min(3, 2) == 2 and max([1, 5]) == 5 and abs(-2) == 2 and len(x.shape) == 2",
        "x.size() == (64, 96) and x.shape[-1] == 96 and x.size(0) == 64 and x.numel() == 64 * 96",
        "[*x.shape, 1] == [64, 96, 1] and x.shape[1:] == (96,) and x.shape + (2,) == (64, 96, 2)",
        "1 < 2 < 3 and not 1 < 2 > 3 and True + True == 2",
        "torch.promote_types(x.dtype, torch.float32) == torch.float",
        "x.device == x.device and hl.specialize(x.size(0)) == 64",
        "int(2.9) == 2 and float('inf') > 10 ** 18"}) {
    Lowered program = lowerText(
        kernelText("x",
                   "    assert " + std::string(truth) +
                       "\n    out = torch.empty_like(x)\n"
                       "    for t in hl.tile(x.size()):\n        out[t] = x[t]\n    return out\n"),
        tensorX);
    EXPECT_FALSE(program.error) << truth << "\n" << program.text();
    Lowered negated = lowerText(
        kernelText("x", "    assert not (" + std::string(truth) + ")\n    return x\n"), tensorX);
    ASSERT_TRUE(negated.error);
    EXPECT_EQ(negated.error->id, "frontend.assert") << truth;
  }
}

TEST(Lower, FunctionsAreInlined) {
  std::string source = "SCALE = 2.0 * HALF\nHALF = 0.25\n";
  source = "HALF = 0.25\nSCALE = 2.0 * HALF\ndef scale(v, by=SCALE, *, plus=0.0):\n    if plus:\n  "
           "      return v * by + plus\n    return v * by\n" +
           pointwiseText("scale(t) + scale(t, plus=1.0, by=3.0) + (lambda v: v + HALF)(t)");
  Lowered program = lowerText(source, tensorX);
  EXPECT_EQ(program.summary(), "load x\nfill 0.5\nbinary mul\nfill 3\nbinary mul\nfill 1\nbinary "
                               "add\nbinary add\nfill 0.25\nbinary add\nbinary add\nstore out\n");
}

TEST(Lower, ClosuresSeeTheKernelsVariables) {
  Lowered program =
      lowerText(kernelText("x, b", "    out = torch.empty_like(x)\n    scale = 4.0\n"
                                   "    def add(v, tile):\n        return v * scale + b[tile]\n"
                                   "    for tile_m, tile_n in hl.tile(x.size()):\n        "
                                   "out[tile_m, tile_n] = add(x[tile_m, tile_n], tile_n)\n"
                                   "    return out\n"),
                {tensorX[0], "b=f32[96]"});
  EXPECT_EQ(program.summary(),
            "load x\nfill 4\nbinary mul\nload b\nbinary add\ncast bf16\nstore out\n");
}

TEST(Lower, BroadcastForms) {
  EXPECT_EQ(pointwise("t + b[tile_n]", {"b=bf16[96]"}, "x, b"), "load b\nbinary add\n");
  EXPECT_EQ(pointwise("t + b[tile_m][:, None]", {"b=bf16[64]"}, "x, b"),
            "load b\nunsqueeze 1\nbinary add\n");
  EXPECT_EQ(pointwise("t + b[None, tile_n]", {"b=bf16[96]"}, "x, b"),
            "load b\nunsqueeze 0\nbinary add\n");
  EXPECT_EQ(pointwise("t + b[tile_m].unsqueeze(-1)", {"b=bf16[64]"}, "x, b"),
            "load b\nunsqueeze 1\nbinary add\n");
  // A store of fewer dims repeats the value: times one is exact.
  Lowered repeated = lowerText(pointwiseText("b[tile_n]", "x, b"), {tensorX[0], "b=bf16[96]"});
  EXPECT_EQ(repeated.summary(), "load b\nfill 1\nbinary mul\nstore out\n");
  EXPECT_EQ(lowerText(pointwiseText("0.5"), tensorX).summary(), "fill 0.5\nstore out\n");
}

TEST(Lower, WholeDimsAreConstants) {
  Lowered program =
      lowerText(kernelText("x, w", "    out = torch.empty([x.size(0), w.size(1)], dtype=x.dtype)\n"
                                   "    for tile_m in hl.tile(x.size(0)):\n        out[tile_m, :] "
                                   "= x[tile_m, :] @ w[:, :]\n    return out\n"),
                {"x=bf16[64,32]", "w=bf16[32,16]"});
  ASSERT_FALSE(program.error) << program.text();
  auto product = program.only<tw::MatmulOp>();
  EXPECT_EQ(dims(product.getLhs()), "[tile_m, 32]");
  EXPECT_EQ(dims(product.getRhs()), "[32, 16]");
  EXPECT_EQ(program.all<tw::SymOp>().size(), 1u);
}

//===--- Tiles
//---------------------------------------------------------------------------------------===//

/// "label extent lower upper" of every symbol of a kernel whose grid is over this range.
static std::string symbolsOf(const std::string &before, const std::string &loop,
                             const std::string &index) {
  Lowered program =
      lowerText(kernelText("x", "    m, n = x.size()\n    out = torch.empty_like(x)\n" + before +
                                    "    for " + loop + ":\n        out[" + index + "] = x[" +
                                    index + "]\n    return out\n"),
                tensorX);
  if (program.error)
    return program.text();
  std::string text;
  for (auto symbol : program.all<tw::SymOp>())
    text += symbol.getLabel().str() + " " + std::to_string(symbol.getExtent()) + " " +
            std::to_string(symbol.getLower()) + " " + std::to_string(symbol.getUpper()) + "; ";
  return text;
}

TEST(Lower, TileForms) {
  EXPECT_EQ(symbolsOf("", "a, b in hl.tile([m, n])", "a, b"), "a 64 1 64; b 96 1 96; ");
  EXPECT_EQ(symbolsOf("", "(a, b) in hl.tile(x.shape)", "a, b"), "a 64 1 64; b 96 1 96; ");
  EXPECT_EQ(symbolsOf("", "t in hl.tile(out.size())", "t"), "t_0 64 1 64; t_1 96 1 96; ");
  EXPECT_EQ(symbolsOf("", "t in hl.tile([m])", "t"), "t 64 1 64; ");
  EXPECT_EQ(symbolsOf("", "t in hl.tile(m)", "t"), "t 64 1 64; ");
  EXPECT_EQ(symbolsOf("", "t in hl.tile(0, m)", "t, :"), "t 64 1 64; ");
  EXPECT_EQ(symbolsOf("", "t in hl.tile(m, block_size=32)", "t, ..."), "t 64 32 32; ");
  EXPECT_EQ(symbolsOf("", "t in hl.tile(m, block_size=None)", "t"), "t 64 1 64; ");
  EXPECT_EQ(symbolsOf("", "a, b in hl.tile([m, n], block_size=[32, None])", "a, b"),
            "a 64 32 32; b 96 1 96; ");
  EXPECT_EQ(symbolsOf("    s = hl.register_block_size(32)\n", "t in hl.tile(m, block_size=s)", "t"),
            "t 64 1 32; ");
  EXPECT_EQ(
      symbolsOf("    s = hl.register_block_size(32, 128)\n", "t in hl.tile(m, block_size=s)", "t"),
      "t 64 32 64; ");
  EXPECT_EQ(
      symbolsOf("    s = hl.register_block_size(32, 32)\n", "t in hl.tile(m, block_size=s)", "t"),
      "t 64 32 32; ");
  EXPECT_EQ(symbolsOf("    s = hl.register_block_size(m)\n", "t in hl.tile(m, block_size=s)", "t"),
            "t 64 1 64; ");
}

TEST(Lower, LabelsAreDistinct) {
  const std::string body = "    out = torch.empty([x.size(0), y.size(1)], dtype=x.dtype)\n"
                           "    for tile_m, tile_n in hl.tile(out.size()):\n"
                           "        acc = hl.zeros([tile_m, tile_n])\n"
                           "        for tile_k in hl.tile(x.size(1)):\n            acc = "
                           "torch.addmm(acc, x[tile_m, tile_k], y[tile_k, tile_n])\n"
                           "        for tile_k in hl.tile(x.size(1)):\n            acc = "
                           "torch.addmm(acc, x[tile_m, tile_k], y[tile_k, tile_n])\n"
                           "        out[tile_m, tile_n] = acc\n    return out\n";
  Lowered program = lowerText(kernelText("x, y", body), pair);
  std::string labels;
  for (auto loop : program.all<tw::LoopOp>())
    labels += loop.getLabel().str() + " ";
  EXPECT_EQ(labels, "tile_k tile_k_1 ");
}

TEST(Lower, RegisteredSizesAsDims) {
  const std::string body = "    out = torch.empty([x.size(0), y.size(1)], dtype=x.dtype)\n    "
                           "block_n = hl.register_block_size(y.size(1))\n"
                           "    for tile_m in hl.tile(x.size(0)):\n"
                           "        acc = hl.zeros([tile_m, block_n])\n"
                           "        for tile_n in hl.tile(y.size(1), block_size=block_n):\n"
                           "            acc = x[tile_m, :] @ y[:, tile_n] + acc\n"
                           "            out[tile_m, tile_n] = acc\n    return out\n";
  Lowered program = lowerText(kernelText("x, y", body), pair);
  ASSERT_FALSE(program.error) << program.text();
  EXPECT_EQ(dims(program.only<tw::LoopOp>().getInits()[0]), "[tile_m, block_n]");
  EXPECT_EQ(program.only<tw::LoopOp>().getLabel(), "block_n");
}

TEST(Lower, LoopsCarryOnlyWhatChanges) {
  Lowered program = lowerText(
      loopText("hl.zeros([tile_m, tile_n])",
               "acc, other = torch.addmm(acc, x[tile_m, tile_k], y[tile_k, tile_n]), acc\n"
               "            same = same\n            if x.ndim == 3:\n                same = acc"),
      pair);
  EXPECT_TRUE(program.error); // `same` does not exist yet
  program = lowerText(
      kernelText("x, y",
                 "    out = torch.empty([x.size(0), y.size(1)], dtype=x.dtype)\n"
                 "    for tile_m, tile_n in hl.tile(out.size()):\n"
                 "        acc = hl.zeros([tile_m, tile_n])\n        same = acc + 1\n        unused "
                 "= acc + 2\n"
                 "        for tile_k in hl.tile(x.size(1)):\n"
                 "            acc = torch.addmm(acc, x[tile_m, tile_k], y[tile_k, tile_n])\n"
                 "            same = same\n            unused = acc\n"
                 "        out[tile_m, tile_n] = acc + same\n    return out\n"),
      pair);
  EXPECT_EQ(program.summary(), "fill 0\nfill 1\nbinary add\nloop tile_k\nload x\nload "
                               "y\nmatmul\nyield 1\nbinary add\ncast bf16\nstore out\n");
}

TEST(Lower, InnerLoopsOverSeveralSizesNest) {
  Lowered program = lowerText(
      kernelText("x, y", "    out = torch.empty([x.size(0), y.size(1)], dtype=x.dtype)\n"
                         "    for tile_m in hl.tile(x.size(0)):\n"
                         "        for tile_n, tile_k in hl.tile([y.size(1), x.size(1)]):\n"
                         "            out[tile_m, tile_n] = x[tile_m, tile_k] @ y[tile_k, "
                         "tile_n]\n    return out\n"),
      pair);
  EXPECT_EQ(program.summary(), "loop tile_n\nloop tile_k\nload x\nload y\nfill 0\nmatmul\ncast "
                               "bf16\nstore out\nyield 0\nyield 0\n");
}

TEST(Lower, OutputsAndTheirOrder) {
  Lowered program = lowerText(
      kernelText("x, dest",
                 "    a = torch.zeros_like(x)\n    b = x.new_empty(x.size(), dtype=torch.float32)\n"
                 "    unused = torch.empty(3)\n"
                 "    for t in hl.tile(x.size()):\n        b[t] = x[t]\n        a[t] += x[t]\n     "
                 "   dest[t] = x[t]\n"
                 "    return b, a, None\n"),
      {tensorX[0], "dest=f32[64,96]"});
  ASSERT_FALSE(program.error) << program.text();
  std::string names;
  for (unsigned i = 0; i < program.function().getNumArguments(); ++i)
    names += program.function().getArgAttrOfType<mlir::StringAttr>(i, tw::nameAttr).str() + " ";
  EXPECT_EQ(names, "x b a dest ");
  EXPECT_EQ(program.summary(), "load x\ncast f32\nstore b\nfill 0\nload x\nbinary add\nstore "
                               "a\nload x\ncast f32\nstore dest\n");
}

TEST(Lower, SameInputSameText) {
  std::vector<std::string> arguments = {"x=bf16[64,32]", "y=bf16[32,96]",
                                        "epilogue=" + kernels + "epilogues.py:bias_residual_gelu",
                                        "bias=bf16[96]", "residual=f32[64,96]"};
  std::string first = lowerFile(kernels + "matmul.py", "", arguments).text();
  std::reverse(arguments.begin(), arguments.end());
  EXPECT_EQ(first.substr(0, 6), "module");
  EXPECT_EQ(lowerFile(kernels + "matmul.py", "", arguments).text(), first);
}

} // namespace tilewright::frontend::test
