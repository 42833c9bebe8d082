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
  column.sides[0].shape = Side::Vector;
  out.push_back({"scale_vector", column.text()});
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

/// Two products of one x whose sub-blocks differ, joined in the epilogue: the second one's
/// operations are the first one's with other names.
static std::string gated() {
  Gemm gemm;
  gemm.m = 128, gemm.n = 128, gemm.k = 192;
  gemm.subRows = 2;
  std::string text = gemm.text();
  auto line = [&](const std::string &start) {
    size_t at = text.find(start);
    return text.substr(at, text.find('\n', at) + 1 - at);
  };
  auto between = [&](const std::string &from, const std::string &to) {
    size_t at = text.find(from);
    return text.substr(at, text.find(to, at) - at);
  };
  auto rename = [](std::string code) {
    for (auto [from, to] : {std::pair("_acc", "_gate"),
                            {"\"acc[", "\"gate["},
                            {"%w0", "%gw0"},
                            {"%ra ", "%gra "},
                            {"%ra,", "%gra,"},
                            {"%ra:", "%gra:"},
                            {"%wa ", "%gwa "},
                            {"%ra into", "%gra into"},
                            {"%rf ", "%grf "},
                            {"_y", "_z"},
                            {"\"y[", "\"z["}})
      for (size_t at = 0; (at = code.find(from, at)) != std::string::npos;
           at += std::string(to).size())
        code.replace(at, std::string(from).size(), to);
    return code;
  };
  auto insert = [&](const std::string &after, const std::string &code) {
    text.insert(text.find(after) + after.size(), code);
  };
  std::string bindY = between("%m_y =", "%m_acc"), bindAcc = between("%m_acc", "%m_out");
  std::string zero = between("%w0", "tw.loop"), copyY = between("%w_y", "%r_x"),
              acquireY = line("%r_y");
  std::string contract = between("%ra =", "tw.vb.release %v_x"),
              releaseY = line("tw.vb.release %v_y");
  std::string acquire = line("%rf");
  std::string second = rename(contract);
  second.replace(second.find("[2, 1]"), 6, "[1, 1]");
  text.replace(text.find("%g_out: "), 8,
               "%g_z: memref<192x128xbf16> {tw.name = \"z\", tw.role = \"input\"}, %g_out: ");
  insert(bindAcc, rename(bindY + bindAcc));
  insert(zero, rename(zero));
  insert(copyY, rename(copyY));
  insert(acquireY, rename(acquireY));
  insert(contract, second);
  insert(releaseY, rename(releaseY));
  insert(acquire, rename(acquire));
  std::string release = "tw.vb.release %v_acc : !tw.vb<[@tile_m, @tile_n], f32>\n";
  text.insert(text.rfind(release), rename(release));
  insert("tw.map (%a = %rf : !tw.view<[@tile_m, @tile_n], f32>",
         ", %b = %grf : !tw.view<[@tile_m, @tile_n], f32>");
  std::string cast = "%o = tw.cast %a : f32 -> bf16";
  text.replace(text.find(cast), cast.size(),
               "%s = tw.unary silu %a : f32 -> f32\n%p = tw.binary mul %s, %b : f32, f32 -> f32\n"
               "%o = tw.cast %p : f32 -> bf16");
  return text;
}

/// A sum over blocks of columns that is updated in place: out[m] = sum_k x[m, k block] + ..., f32.
static std::string inPlaceSum() {
  return R"(func.func @sum(%g_x: memref<64x128xf32> {tw.name = "x", tw.role = "input"},
                 %g_out: memref<64x32xf32> {tw.name = "out", tw.role = "output"}) {
%tm = tw.sym @tile_m extent 64 in [1, 64] = 32
%tk = tw.sym @tile_k extent 128 in [1, 128] = 32
%zero = arith.constant 0 : index
tw.grid (%m) = [@tile_m over 64] placed #tw.placement<x [0] by [2] y [] by [] order [0]> {
%m_x = tw.mem.alloc : !tw.mem<[@tile_m, @tile_k], f32>
%s_x = tw.sem.alloc
%v_x = tw.vb.bind "x" to %m_x, %s_x : !tw.mem<[@tile_m, @tile_k], f32> -> !tw.vb<[@tile_m, @tile_k], f32>
%m_a = tw.mem.alloc : !tw.mem<[@tile_m, @tile_k], f32>
%s_a = tw.sem.alloc
%v_a = tw.vb.bind "sum" to %m_a, %s_a : !tw.mem<[@tile_m, @tile_k], f32> -> !tw.vb<[@tile_m, @tile_k], f32>
%m_o = tw.mem.alloc : !tw.mem<[@tile_m, @tile_k], f32>
%s_o = tw.sem.alloc
%v_o = tw.vb.bind "out" to %m_o, %s_o : !tw.mem<[@tile_m, @tile_k], f32> -> !tw.vb<[@tile_m, @tile_k], f32>
%w0 = tw.vb.reserve %v_a : !tw.vb<[@tile_m, @tile_k], f32> -> !tw.view<[@tile_m, @tile_k], f32>
tw.set 0.0, %w0 : !tw.view<[@tile_m, @tile_k], f32>
tw.vb.commit %v_a : !tw.vb<[@tile_m, @tile_k], f32>
tw.loop %k = @tile_k over 128 {
%w1 = tw.vb.reserve %v_x : !tw.vb<[@tile_m, @tile_k], f32> -> !tw.view<[@tile_m, @tile_k], f32>
tw.copy in %g_x[%m, %k], %w1 via <1 by 1> : memref<64x128xf32>, !tw.view<[@tile_m, @tile_k], f32>
tw.vb.commit %v_x : !tw.vb<[@tile_m, @tile_k], f32>
%rx = tw.vb.acquire %v_x : !tw.vb<[@tile_m, @tile_k], f32> -> !tw.view<[@tile_m, @tile_k], f32>
%ra = tw.vb.acquire %v_a : !tw.vb<[@tile_m, @tile_k], f32> -> !tw.view<[@tile_m, @tile_k], f32>
tw.vb.release %v_a : !tw.vb<[@tile_m, @tile_k], f32>
%wa = tw.vb.reserve %v_a : !tw.vb<[@tile_m, @tile_k], f32> -> !tw.view<[@tile_m, @tile_k], f32>
tw.map (%x = %rx : !tw.view<[@tile_m, @tile_k], f32>, %a = %ra : !tw.view<[@tile_m, @tile_k], f32>) into %wa : !tw.view<[@tile_m, @tile_k], f32> {
%o = tw.binary add %a, %x : f32, f32 -> f32
tw.yield %o : f32
}
tw.vb.commit %v_a : !tw.vb<[@tile_m, @tile_k], f32>
tw.vb.release %v_x : !tw.vb<[@tile_m, @tile_k], f32>
tw.yield
}
%rf = tw.vb.acquire %v_a : !tw.vb<[@tile_m, @tile_k], f32> -> !tw.view<[@tile_m, @tile_k], f32>
%wo = tw.vb.reserve %v_o : !tw.vb<[@tile_m, @tile_k], f32> -> !tw.view<[@tile_m, @tile_k], f32>
tw.map (%a = %rf : !tw.view<[@tile_m, @tile_k], f32>) into %wo : !tw.view<[@tile_m, @tile_k], f32> {
%o = tw.unary neg %a : f32 -> f32
tw.yield %o : f32
}
tw.vb.commit %v_o : !tw.vb<[@tile_m, @tile_k], f32>
tw.vb.release %v_a : !tw.vb<[@tile_m, @tile_k], f32>
%ro = tw.vb.acquire %v_o : !tw.vb<[@tile_m, @tile_k], f32> -> !tw.view<[@tile_m, @tile_k], f32>
tw.copy out %g_out[%m, %zero], %ro : memref<64x32xf32>, !tw.view<[@tile_m, @tile_k], f32>
tw.vb.release %v_o : !tw.vb<[@tile_m, @tile_k], f32>
}
return
})";
}

std::vector<Case> cases() {
  std::vector<Case> out;
  matmuls(out);
  epilogues(out);
  types(out);
  pointwise(out);
  out.push_back({"gated", gated()});
  out.push_back({"in_place_sum", inPlaceSum()});
  return out;
}

} // namespace tilewright::test
