// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cases.h"

namespace tilewright::test {

static const char *biasRelu = "%s = tw.binary add %a, %bias : f32, bf16 -> f32\n"
                              "%r = tw.unary relu %s : f32 -> f32\n"
                              "%o = tw.cast %r : f32 -> bf16";

static void matmuls(std::vector<Case> &out) {
  Gemm plain;
  out.push_back({"plain", plain.text()});
  Gemm one = plain;
  one.m = one.n = one.k = one.tileM = one.tileN = one.tileK = 64;
  one.subRows = one.subColumns = 2;
  out.push_back({"one_block", one.text()});
  one.loop = false;
  out.push_back({"no_loop", one.text()});
  Gemm cast = plain;
  cast.coresX = cast.coresY = 2;
  cast.multicast = true;
  cast.depth = 2;
  cast.subColumns = 2;
  out.push_back({"multicast", cast.text()});
  Gemm ragged = plain;
  ragged.m = 100, ragged.n = 70, ragged.k = 200;
  ragged.coresX = 2;
  ragged.subRows = 2;
  out.push_back({"ragged", ragged.text()});
  Gemm waves = plain;
  waves.m = 192, waves.n = 160, waves.tileM = 32, waves.tileN = 64;
  waves.coresX = 2, waves.coresY = 1, waves.order = "1, 0";
  waves.subColumns = 2;
  waves.multicast = true;
  out.push_back({"waves", waves.text()});
}

static void epilogues(std::vector<Case> &out) {
  Gemm bias;
  bias.sides = {{"bias", "bf16", Side::Row}};
  bias.epilogue = biasRelu;
  bias.subRows = bias.subColumns = 2;
  bias.coresX = 1, bias.coresY = 2;
  out.push_back({"bias_relu", bias.text()});
  Gemm wide = bias;
  wide.tileN = 128, wide.n = 256, wide.subRows = 1, wide.subColumns = 2;
  out.push_back({"bias_relu_wide", wide.text()});
  Gemm residual = bias;
  residual.sides.push_back({"residual"});
  residual.epilogue = "%s = tw.binary add %a, %bias : f32, bf16 -> f32\n"
                      "%t = tw.binary add %s, %residual : f32, bf16 -> f32\n"
                      "%r = tw.unary relu %t : f32 -> f32\n%o = tw.cast %r : f32 -> bf16";
  out.push_back({"bias_residual", residual.text()});
  Gemm column = bias;
  column.sides = {{"scale", "bf16", Side::Column}};
  column.epilogue =
      "%s = tw.binary mul %a, %scale : f32, bf16 -> f32\n%o = tw.cast %s : f32 -> bf16";
  out.push_back({"scale_rows", column.text()});
  Gemm exact = bias;
  exact.outType = "f32";
  exact.epilogue = "%o = tw.binary add %a, %bias : f32, bf16 -> f32";
  out.push_back({"bias_f32", exact.text()});
  Gemm silu = bias;
  silu.epilogue = "%b = tw.unary silu %a : f32 -> f32\n%c = tw.constant 0.5 : f32\n"
                  "%d = tw.binary mul %b, %c : f32, f32 -> f32\n%e = tw.binary add %d, %bias : "
                  "f32, bf16 -> f32\n"
                  "%o = tw.cast %e : f32 -> bf16";
  out.push_back({"silu_scale_bias", silu.text()});
}

static void types(std::vector<Case> &out) {
  Gemm f32;
  f32.xType = f32.yType = f32.outType = "f32";
  f32.epilogue = "%o = tw.unary relu %a : f32 -> f32";
  out.push_back({"f32", f32.text()});
  Gemm bf16Acc;
  bf16Acc.accType = "bf16";
  bf16Acc.k = 256;
  bf16Acc.epilogue = "%o = tw.unary relu %a : bf16 -> bf16";
  bf16Acc.subRows = 2;
  out.push_back({"bf16_accumulator", bf16Acc.text()});
  Gemm init;
  init.init = 1.5;
  init.subRows = init.subColumns = 2;
  out.push_back({"nonzero_start", init.text()});
  Gemm prologue;
  prologue.prologue = "%p = tw.unary relu %v : bf16 -> bf16";
  prologue.k = 100;
  out.push_back({"prologue", prologue.text()});
}

static void pointwise(std::vector<Case> &out) {
  Pointwise add;
  add.inputs = {{"x"}, {"y"}};
  add.body = "%o = tw.binary add %x, %y : bf16, bf16 -> bf16";
  out.push_back({"add", add.text()});
  Pointwise chain = add;
  chain.m = 70, chain.n = 100;
  chain.coresX = 2;
  chain.inputs = {{"x", "f32"}, {"y", "f32"}, {"r", "f32", Side::Row}, {"c", "bf16", Side::Column}};
  chain.outType = "f32";
  chain.body =
      "%1 = tw.binary mul %x, %y : f32, f32 -> f32\n%2 = tw.binary sub %r, %1 : f32, f32 -> f32\n"
      "%3 = tw.unary square %2 : f32 -> f32\n%4 = tw.binary max %3, %c : f32, bf16 -> f32\n"
      "%5 = tw.cast %4 : f32 -> bf16\n%o = tw.binary add %5, %2 : bf16, f32 -> f32";
  out.push_back({"chain", chain.text()});
  Pointwise scalars = add;
  scalars.inputs = {{"x"}};
  scalars.body =
      "%c = tw.constant 2.0 : bf16\n%1 = tw.binary sub %c, %x : bf16, bf16 -> bf16\n"
      "%2 = tw.binary max %1, %c : bf16, bf16 -> bf16\n%3 = tw.unary exp %x : bf16 -> bf16\n"
      "%4 = tw.binary div %2, %3 : bf16, bf16 -> bf16\n%o = tw.binary div %c, %4 : bf16, bf16 -> "
      "bf16";
  out.push_back({"scalars", scalars.text()});
  for (const char *kind :
       {"neg", "abs", "exp", "exp2", "log", "sqrt", "rsqrt", "reciprocal", "sigmoid", "silu",
        "tanh", "gelu", "gelu_tanh", "relu", "square", "erf", "sin", "cos"}) {
    Pointwise unary = add;
    unary.inputs = {{"x"}};
    unary.m = unary.n = unary.tileM = unary.tileN = 32;
    std::string inner =
        std::string(kind) == "log" || std::string(kind) == "sqrt" || std::string(kind) == "rsqrt"
            ? "%1 = tw.unary abs %x : bf16 -> bf16\n%2 = tw.unary "
            : "%1 = tw.unary neg %x : bf16 -> bf16\n%2 = tw.unary ";
    unary.body = inner + kind +
                 " %1 : bf16 -> bf16\n%c = tw.constant 1.0 : bf16\n"
                 "%o = tw.binary add %2, %c : bf16, bf16 -> bf16";
    out.push_back({std::string("unary_") + kind, unary.text()});
  }
}

std::vector<Case> cases() {
  std::vector<Case> out;
  matmuls(out);
  epilogues(out);
  types(out);
  pointwise(out);
  return out;
}

} // namespace tilewright::test
