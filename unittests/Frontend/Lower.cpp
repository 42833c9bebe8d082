// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lower.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace tilewright::frontend::test {

mlir::func::FuncOp Lowered::function() {
  return *module->getOps<mlir::func::FuncOp>().begin();
}

std::string Lowered::text() {
  if (error)
    return error->str();
  std::string result;
  llvm::raw_string_ostream stream(result);
  module->print(stream);
  return result;
}

static std::string lineOf(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, std::string>(op)
      .Case([](tw::LoadOp op) { return "load " + tw::argumentName(op.getSource()); })
      .Case([](tw::StoreOp op) { return "store " + tw::argumentName(op.getTarget()); })
      .Case([](tw::UnaryOp op) { return "unary " + tw::stringifyUnaryKind(op.getKind()).str(); })
      .Case([](tw::BinaryOp op) { return "binary " + tw::stringifyBinaryKind(op.getKind()).str(); })
      .Case([](tw::FillOp op) {
        llvm::SmallString<16> digits;
        op.getValue().toString(digits);
        return "fill " + digits.str().str();
      })
      .Case([](tw::CastOp op) {
        auto type = mlir::cast<tw::TileType>(op.getResult().getType());
        return std::string("cast ") + (type.getElementType().isBF16() ? "bf16" : "f32");
      })
      .Case([](tw::LoopOp op) { return "loop " + op.getLabel().str(); })
      .Case([](tw::YieldOp op) { return "yield " + std::to_string(op.getNumOperands()); })
      .Case([](tw::MatmulOp) { return std::string("matmul"); })
      .Case([](tw::UnsqueezeOp op) { return "unsqueeze " + std::to_string(op.getAxis()); })
      .Default([](mlir::Operation *) { return std::string(); });
}

std::string Lowered::summary() {
  if (error)
    return error->str();
  std::string result;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    std::string line = lineOf(op);
    result += line.empty() ? "" : line + "\n";
  });
  return result;
}

std::string folder() {
  struct Folder {
    std::string path = ::testing::TempDir() + "frontend-" + std::to_string(getpid()) + "/";
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static Folder folder;
  return folder.path;
}

std::string writeFile(const std::string &name, const std::string &text) {
  std::string path = folder() + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

Lowered lowerFile(const std::string &path, const std::string &kernel,
                  const std::vector<std::string> &arguments) {
  Lowered result;
  result.context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
  result.context->loadDialect<tw::TwDialect, mlir::func::FuncDialect, mlir::arith::ArithDialect>();
  try {
    std::vector<Argument> parsed;
    for (const std::string &argument : arguments)
      parsed.push_back(parseArgument(argument));
    result.module = lower(*result.context, path, kernel, parsed);
  } catch (const Error &error) {
    result.error = error.diagnostic();
  }
  return result;
}

Lowered lowerText(const std::string &source, const std::vector<std::string> &arguments,
                  const std::string &kernel) {
  return lowerFile(writeFile("kernel.py", source), kernel, arguments);
}

std::string kernelText(const std::string &parameters, const std::string &body) {
  return "import helion\nimport helion.language as hl\nimport torch, math\nimport "
         "torch.nn.functional as F\n"
         "@helion.kernel\ndef kernel(" +
         parameters + "):\n" + body;
}

std::string pointwiseText(const std::string &expression, const std::string &parameters) {
  return kernelText(parameters, "    out = torch.empty_like(x)\n"
                                "    for tile_m, tile_n in hl.tile(x.size()):\n"
                                "        t = x[tile_m, tile_n]\n"
                                "        out[tile_m, tile_n] = " +
                                    expression +
                                    "\n"
                                    "    return out\n");
}

} // namespace tilewright::frontend::test
