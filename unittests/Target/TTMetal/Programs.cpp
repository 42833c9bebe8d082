// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Programs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include <fmt/format.h>
#include <stdexcept>

namespace tilewright::test {

namespace {

/// Text of a program in the making: one line at a time, with buffers and copies spelled out.
struct Text {
  std::string out;
  template <typename... A> void line(fmt::format_string<A...> f, A &&...a) {
    out += fmt::format(f, std::forward<A>(a)...) + "\n";
  }
  void bind(const std::string &name, const std::string &dims, const std::string &type,
            int64_t depth, const std::string &label = {}) {
    line("%m_{} = tw.mem.alloc {{depth = {} : i64}} : !tw.mem<[{}], {}>", name, depth, dims, type);
    line("%s_{} = tw.sem.alloc", name);
    line("%v_{0} = tw.vb.bind \"{3}[{4}]\" to %m_{0}, %s_{0} : !tw.mem<[{1}], {2}> -> "
         "!tw.vb<[{1}], {2}>",
         name, dims, type, name, label.empty() ? "block" : label);
  }
  void op(const char *what, const std::string &name, const std::string &dims,
          const std::string &type) {
    line("tw.vb.{} %v_{} : !tw.vb<[{}], {}>", what, name, dims, type);
  }
  void view(const char *what, const std::string &result, const std::string &name,
            const std::string &dims, const std::string &type) {
    line("%{} = tw.vb.{} %v_{} : !tw.vb<[{}], {}> -> !tw.view<[{}], {}>", result, what, name, dims,
         type, dims, type);
  }
  void copyIn(const std::string &name, const std::string &index, const std::string &via,
              const std::string &memref, const std::string &dims, const std::string &type) {
    view("reserve", "w_" + name, name, dims, type);
    line("tw.copy in %g_{0}[{1}], %w_{0} via <{2}> : {3}, !tw.view<[{4}], {5}>", name, index, via,
         memref, dims, type);
    op("commit", name, dims, type);
  }
  void copyOut(const std::string &index, const std::string &memref, const std::string &dims,
               const std::string &type) {
    view("acquire", "r_out", "out", dims, type);
    line("tw.copy out %g_out[{}], %r_out : {}, !tw.view<[{}], {}>", index, memref, dims, type);
    op("release", "out", dims, type);
  }
};

struct Shaped {
  std::string memref, dims, index;
};

Shaped shaped(const Side &side, int64_t m, int64_t n) {
  if (side.shape == Side::Row)
    return {fmt::format("memref<{}x{}>", n, side.type), "@tile_n", "%n"};
  if (side.shape == Side::Vector)
    return {fmt::format("memref<{}x{}>", m, side.type), "@tile_m, 1", "%m"};
  if (side.shape == Side::Column)
    return {fmt::format("memref<{}x1x{}>", m, side.type), "@tile_m, 1", "%m, %zero"};
  return {fmt::format("memref<{}x{}x{}>", m, n, side.type), "@tile_m, @tile_n", "%m, %n"};
}

std::string argument(const std::string &name, const std::string &memref, const char *role) {
  return fmt::format("%g_{0}: {1} {{tw.name = \"{0}\", tw.role = \"{2}\"}}", name, memref, role);
}

std::string placement(int64_t x, int64_t y, const std::string &order) {
  return fmt::format("#tw.placement<x [1] by [{}] y [0] by [{}] order [{}]>", x, y, order);
}

void mapInputs(Text &t, const std::vector<Side> &sides, int64_t m, int64_t n) {
  for (const Side &side : sides) {
    Shaped s = shaped(side, m, n);
    t.copyIn(side.name, s.index, "1 by 1", s.memref, s.dims, side.type);
    t.view("acquire", "r_" + side.name, side.name, s.dims, side.type);
  }
}

void releaseInputs(Text &t, const std::vector<Side> &sides, int64_t m, int64_t n) {
  for (const Side &side : sides)
    t.op("release", side.name, shaped(side, m, n).dims, side.type);
}

std::string mapHead(const std::vector<Side> &sides, int64_t m, int64_t n, std::string first) {
  for (const Side &side : sides)
    first += fmt::format("{}%{} = %r_{} : !tw.view<[{}], {}>", first.empty() ? "" : ", ", side.name,
                         side.name, shaped(side, m, n).dims, side.type);
  return first;
}

} // namespace

std::string Gemm::text() const {
  Text t;
  std::string mk = "@tile_m, @tile_k", kn = "@tile_k, @tile_n", mn = "@tile_m, @tile_n";
  std::string xRef = fmt::format("memref<{}x{}x{}>", m, k, xType),
              yRef = fmt::format("memref<{}x{}x{}>", k, n, yType);
  std::string outRef = fmt::format("memref<{}x{}x{}>", m, n, outType);
  std::string arguments = argument("x", xRef, "input") + ", " + argument("y", yRef, "input");
  for (const Side &side : sides)
    arguments += ", " + argument(side.name, shaped(side, m, n).memref, "input");
  arguments += ", " + argument("out", outRef, "output");
  t.line("func.func @gemm({}) attributes {{tw.source = \"gemm.py:gemm\"}} {{", arguments);
  t.line("%tm = tw.sym @tile_m extent {0} in [1, {0}] = {1}", m, tileM);
  t.line("%tn = tw.sym @tile_n extent {0} in [1, {0}] = {1}", n, tileN);
  t.line("%tk = tw.sym @tile_k extent {0} in [1, {0}] = {1}", k, tileK);
  t.line("%zero = arith.constant 0 : index");
  t.line("tw.grid (%m, %n) = [@tile_m over {}, @tile_n over {}] placed {} {{", m, n,
         placement(coresX, coresY, order));
  t.bind("x", mk, xType, depth, "tile_m, tile_k");
  t.bind("y", kn, yType, depth, "tile_k, tile_n");
  if (!prologue.empty())
    t.bind("p", mk, xType, 1);
  t.bind("acc", mn, accType, 1, "tile_m, tile_n");
  for (const Side &side : sides)
    t.bind(side.name, shaped(side, m, n).dims, side.type, 1);
  t.bind("out", mn, outType, depth, "tile_m, tile_n");
  t.view("reserve", "w0", "acc", mn, accType);
  t.line("tw.set {:.6e}, %w0 : !tw.view<[{}], {}>", init, mn, accType);
  t.op("commit", "acc", mn, accType);
  std::string kIndex = loop ? "%k" : "%zero";
  if (loop)
    t.line("tw.loop %k = @tile_k over {} {{", k);
  std::string viaX = multicast ? fmt::format("{} by 1", coresX) : "1 by 1";
  std::string viaY = multicast ? fmt::format("1 by {}", coresY) : "1 by 1";
  t.copyIn("x", "%m, " + kIndex, viaX, xRef, mk, xType);
  t.copyIn("y", kIndex + ", %n", viaY, yRef, kn, yType);
  t.view("acquire", "r_x", "x", mk, xType);
  std::string lhs = "x";
  if (!prologue.empty()) {
    lhs = "p";
    t.view("reserve", "w_p", "p", mk, xType);
    t.line("tw.map (%v = %r_x : !tw.view<[{0}], {1}>) into %w_p : !tw.view<[{0}], {1}> "
           "{{\n{2}\ntw.yield %p : {1}\n}}",
           mk, xType, prologue);
    t.op("commit", "p", mk, xType);
    t.op("release", "x", mk, xType);
    t.view("acquire", "r_p", "p", mk, xType);
  }
  t.view("acquire", "r_y", "y", kn, yType);
  t.view("acquire", "ra", "acc", mn, accType);
  t.op("release", "acc", mn, accType);
  t.view("reserve", "wa", "acc", mn, accType);
  t.line("tw.contract %r_{8}, %r_y, %ra into %wa by [{0}, {1}] : !tw.view<[{2}], {3}>, "
         "!tw.view<[{4}], {5}>, "
         "!tw.view<[{6}], {7}> into !tw.view<[{6}], {7}>",
         subRows, subColumns, mk, xType, kn, yType, mn, accType, lhs);
  t.op("commit", "acc", mn, accType);
  t.op("release", lhs, mk, xType);
  t.op("release", "y", kn, yType);
  if (loop)
    t.line("tw.yield\n}}");
  mapInputs(t, sides, m, n);
  t.view("acquire", "rf", "acc", mn, accType);
  t.view("reserve", "wo", "out", mn, outType);
  t.line("tw.map ({}) into %wo : !tw.view<[{}], {}> {{\n{}\ntw.yield %o : {}\n}}",
         mapHead(sides, m, n, fmt::format("%a = %rf : !tw.view<[{}], {}>", mn, accType)), mn,
         outType, epilogue, outType);
  t.op("commit", "out", mn, outType);
  t.op("release", "acc", mn, accType);
  releaseInputs(t, sides, m, n);
  t.copyOut("%m, %n", outRef, mn, outType);
  t.line("}}\nreturn\n}}");
  return t.out;
}

std::string Pointwise::text() const {
  Text t;
  std::string mn = "@tile_m, @tile_n", outRef = fmt::format("memref<{}x{}x{}>", m, n, outType),
              arguments;
  for (const Side &side : inputs)
    arguments += argument(side.name, shaped(side, m, n).memref, "input") + ", ";
  t.line("func.func @pointwise({}) {{", arguments + argument("out", outRef, "output"));
  t.line("%tm = tw.sym @tile_m extent {0} in [1, {0}] = {1}", m, tileM);
  t.line("%tn = tw.sym @tile_n extent {0} in [1, {0}] = {1}", n, tileN);
  t.line("%zero = arith.constant 0 : index");
  t.line("tw.grid (%m, %n) = [@tile_m over {}, @tile_n over {}] placed {} {{", m, n,
         placement(coresX, coresY, "0, 1"));
  for (const Side &side : inputs)
    t.bind(side.name, shaped(side, m, n).dims, side.type, 1);
  t.bind("out", mn, outType, 1);
  mapInputs(t, inputs, m, n);
  t.view("reserve", "wo", "out", mn, outType);
  t.line("tw.map ({}) into %wo : !tw.view<[{}], {}> {{\n{}\ntw.yield %o : {}\n}}",
         mapHead(inputs, m, n, ""), mn, outType, body, outType);
  t.op("commit", "out", mn, outType);
  releaseInputs(t, inputs, m, n);
  t.copyOut("%m, %n", outRef, mn, outType);
  t.line("}}\nreturn\n}}");
  return t.out;
}

Parsed parse(const std::string &text) {
  Parsed parsed;

  parsed.context = std::make_unique<mlir::MLIRContext>();
  parsed.context->loadDialect<tw::TwDialect, mlir::func::FuncDialect>();
  parsed.context->loadDialect<mlir::arith::ArithDialect>();
  parsed.module = mlir::parseSourceString<mlir::ModuleOp>(text, parsed.context.get());
  if (!parsed.module)
    throw std::runtime_error("does not parse:\n" + text);
  parsed.func = *parsed.module->getOps<mlir::func::FuncOp>().begin();
  return parsed;
}

const machine::Machine &wormhole() {
  static const machine::Machine machine =
      machine::load(std::string(TILEWRIGHT_SOURCE_DIR) + "/machines/wormhole.yaml");
  return machine;
}

} // namespace tilewright::test
