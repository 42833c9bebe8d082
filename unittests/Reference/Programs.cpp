// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of tile programs in the form of docs/ir.md.
#include "Programs.h"

namespace tilewright::reference::test {

Program::Program(const std::string &text) : context(std::make_unique<mlir::MLIRContext>()) {
  context->loadDialect<tw::TwDialect, mlir::func::FuncDialect, mlir::arith::ArithDialect>();
  module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  if (!module)
    throw std::runtime_error("the test's program does not parse:\n" + text);
  function = *module->getOps<mlir::func::FuncOp>().begin();
}

std::vector<Output> Program::run(const std::vector<Tensor> &inputs, const Sizes &sizes,
                                 const Precision &precision) {
  return reference::run(function, inputs, sizes, precision);
}

static std::string argument(const std::string &name, const std::string &type,
                            const std::string &role) {
  return fmt::format("%{0}: memref<{1}> {{tw.name = \"{0}\", tw.role = \"{2}\"}}", name, type,
                     role);
}

static std::string tile(const std::string &dims, const std::string &dtype) {
  return "!tw.tile<[" + dims + "], " + dtype + ">";
}

std::string GemmText::str() const {
  std::string mn = fmt::format("{}x{}x", m, n), mnTile = tile("@tile_m, @tile_n", acc);
  std::string head = "func.func @gemm(" + argument("x", fmt::format("{}x{}x{}", m, k, x), "input") +
                     ", " + argument("y", fmt::format("{}x{}x{}", k, n, y), "input");
  if (!bias.empty())
    head += ", " + argument("bias", fmt::format("{}xbf16", bias == "row" ? n : m), "input");
  if (residual)
    head += ", " + argument("res", mn + "bf16", "input");
  head += ", " + argument("out", mn + out, "output") + ") {\n";
  for (auto [label, extent] : {std::pair("tile_m", m), {"tile_n", n}, {"tile_k", k}})
    head += fmt::format("  %s_{0} = tw.sym @{0} extent {1} in [1, {1}]\n", label, extent);
  std::string xt = tile("@tile_m, @tile_k", x), yt = tile("@tile_k, @tile_n", y);
  std::string body =
      fmt::format("  tw.grid (%m, %n) = [@tile_m over {}, @tile_n over {}] {{\n", m, n);
  body += "    %zero = tw.fill 0.0 : " + mnTile + "\n";
  body += fmt::format("    %acc = tw.loop %k = @tile_k over {} carry (%a = %zero : {}) {{\n", k,
                      mnTile);
  body += fmt::format("      %x0 = tw.load %x[%m, %k] : memref<{}x{}x{}> -> {}\n", m, k, x, xt);
  std::string lhs = "%x0";
  if (!prologue.empty()) {
    body += fmt::format("      %x1 = tw.unary {} %x0 : {} -> {}\n", prologue, xt, xt);
    lhs = "%x1";
  }
  body += fmt::format("      %y0 = tw.load %y[%k, %n] : memref<{}x{}x{}> -> {}\n", k, n, y, yt);
  body += fmt::format("      %c = tw.matmul {}, %y0, %a : {}, {}, {} -> {}\n", lhs, xt, yt, mnTile,
                      mnTile);
  body += "      tw.yield %c : " + mnTile + "\n    }\n";
  std::string value = "%acc";
  if (bias == "row") {
    body += fmt::format("    %b = tw.load %bias[%n] : memref<{}xbf16> -> {}\n", n,
                        tile("@tile_n", "bf16"));
    body += fmt::format("    %s = tw.binary add %acc, %b : {}, {} -> {}\n", mnTile,
                        tile("@tile_n", "bf16"), mnTile);
    value = "%s";
  } else if (bias == "column") {
    body += fmt::format("    %b0 = tw.load %bias[%m] : memref<{}xbf16> -> {}\n", m,
                        tile("@tile_m", "bf16"));
    body += fmt::format("    %b = tw.unsqueeze %b0 at 1 : {} -> {}\n", tile("@tile_m", "bf16"),
                        tile("@tile_m, 1", "bf16"));
    body += fmt::format("    %s = tw.binary add %acc, %b : {}, {} -> {}\n", mnTile,
                        tile("@tile_m, 1", "bf16"), mnTile);
    value = "%s";
  }
  if (residual) {
    std::string resTile = tile("@tile_m, @tile_n", "bf16");
    body += fmt::format("    %r0 = tw.load %res[%m, %n] : memref<{}bf16> -> {}\n", mn, resTile);
    body += fmt::format("    %r = tw.binary add {}, %r0 : {}, {} -> {}\n", value, mnTile, resTile,
                        mnTile);
    value = "%r";
  }
  if (!activation.empty()) {
    body +=
        fmt::format("    %act = tw.unary {} {} : {} -> {}\n", activation, value, mnTile, mnTile);
    value = "%act";
  }
  std::string outTile = tile("@tile_m, @tile_n", out);
  body += fmt::format("    %o = tw.cast {} : {} -> {}\n", value, mnTile, outTile);
  body += fmt::format("    tw.store %o, %out[%m, %n] : {}, memref<{}{}>\n  }}\n", outTile, mn, out);
  return head + body + "  return\n}\n";
}

Tensor makeTensor(const std::string &name, const std::string &dtype, std::vector<int64_t> shape,
                  uint64_t seed, float scale) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return {name, dtype, shape, normalValues(seedFor(seed, name), count, dtype == "bf16", scale)};
}

float nearestBf16(double value) {
  if (value == 0 || !std::isfinite(value))
    return float(value);
  int exponent;
  std::frexp(value, &exponent); // |value| in [2^(exponent-1), 2^exponent): 8 bits from there
  int ulp = std::max(exponent - 8, -133);
  return float(std::ldexp(std::nearbyint(std::ldexp(value, -ulp)), ulp));
}

} // namespace tilewright::reference::test
