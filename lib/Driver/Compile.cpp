// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The road, stage by stage.
#include "tilewright/Driver/Compile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"
#include "tilewright/Frontend/Frontend.h"
#include "tilewright/Support/File.h"
#include "tilewright/Transforms/Materialize.h"
#include "tilewright/Transforms/Passes.h"
#include <chrono>

using namespace mlir;

namespace tilewright::driver {

Compilation::Compilation() = default;
Compilation::~Compilation() = default;

Stage stageByName(const std::string &name) {
  static const std::pair<const char *, Stage> stages[] = {
      {"tile", Stage::Tile},         {"dataflow", Stage::Dataflow}, {"merged", Stage::Merged},
      {"concrete", Stage::Concrete}, {"schedule", Stage::Schedule}, {"mapped", Stage::Mapped},
      {"sources", Stage::Sources}};
  std::string known;
  for (const auto &[text, stage] : stages) {
    if (name == text)
      return stage;
    known += (known.empty() ? "" : ", ") + std::string(text);
  }
  throw Error(Kind::User, "driver.unknown-stage", "there is no stage '" + name + "'",
              "choose one of " + known);
}

func::FuncOp Compilation::function(ModuleOp module) const {
  return *module.getOps<func::FuncOp>().begin();
}

std::string Compilation::ir() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  program.get()->print(stream);
  return text + "\n";
}

static std::string readSchedule(const std::string &path) {
  std::string why;
  auto text = readFile(path, why);
  if (!text)
    throw Error(Kind::User, "driver.unreadable-file", "cannot read '" + path + "': " + why,
                "check the path", {path});
  return *text;
}

/// Kernels are generated for one family only.
static machine::Machine targetMachine(const std::string &arch) {
  machine::Machine machine = machine::find(arch);
  if (machine.family != "tenstorrent")
    throw Error(Kind::Unsupported, "driver.machine-family",
                "machine '" + machine.name + "' is of the family '" + machine.family +
                    "', kernels are generated for 'tenstorrent'",
                "products of matrices on Ascend are planned by 'tilewright matmul plan'",
                {machine.file, 0, 0});
  return machine;
}

namespace {
/// Turns MLIR's diagnostics into one of ours.
class DiagnosticCatcher {
public:
  explicit DiagnosticCatcher(MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return success();
          if (message.empty()) {
            message = diagnostic.str();
            location = locationOf(diagnostic.getLocation());
            for (auto &note : diagnostic.getNotes())
              notes.push_back({locationOf(note.getLocation()), note.str()});
          }
          return success();
        }) {}
  [[noreturn]] void fail(Kind kind, const std::string &id) {
    tilewright::Diagnostic diagnostic{
        kind, id, location, message.empty() ? "a pass failed" : message, "", notes};
    diagnostic.hint = kind == Kind::Internal
                          ? "please report this with the command line and the kernel"
                          : "see docs/helion.md for what a kernel may contain";
    throw Error(std::move(diagnostic));
  }

private:
  static Location locationOf(mlir::Location loc) {
    Location location;
    if (auto file = loc->findInstanceOf<FileLineColLoc>())
      location = {file.getFilename().str(), file.getLine(), file.getColumn()};
    return location;
  }
  std::string message;
  Location location;
  std::vector<Note> notes;
  ScopedDiagnosticHandler handler;
};

class Road {
public:
  explicit Road(const CompileOptions &options)
      : options(options), result(std::make_unique<Compilation>()) {}

  std::unique_ptr<Compilation> run() {
    timed("machine", [&] { result->machine = targetMachine(options.arch); });
    timed("frontend", [&] { lower(); });
    if (options.stopAfter != Stage::Tile)
      transform();
    return std::move(result);
  }

private:
  template <typename Body> void timed(const char *stage, Body body) {
    auto start = std::chrono::steady_clock::now();
    body();
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    result->times.push_back({stage, seconds.count()});
  }

  void lower() {
    result->context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    result->context->loadDialect<tw::TwDialect, func::FuncDialect, arith::ArithDialect>();
    auto [file, function] = splitKernel(options.kernel);
    std::vector<frontend::Argument> arguments;
    for (const std::string &text : options.arguments)
      arguments.push_back(frontend::parseArgument(text));
    result->tile = frontend::lower(*result->context, file, function, arguments);
    checkMemory(arguments);
    result->program = result->tile->clone();
  }

  static std::pair<std::string, std::string> splitKernel(const std::string &text) {
    size_t colon = text.rfind(':');
    if (colon == std::string::npos || colon + 1 == text.size() ||
        text.find('/', colon) != std::string::npos)
      return {text, ""};
    return {text.substr(0, colon), text.substr(colon + 1)};
  }

  /// All tensors must fit in the machine's memory at once; found here, where a tensor still has its
  /// name.
  void checkMemory(const std::vector<frontend::Argument> &) {
    int64_t rows = result->machine.number("tile.rows"),
            columns = result->machine.number("tile.columns");
    Expr total = 0;
    func::FuncOp function = result->function(*result->tile);
    std::string largest;
    int64_t largestBytes = 0;
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
      auto tensor = cast<MemRefType>(type);
      Expr bytes = tensor.getElementTypeBitWidth() / 8;
      for (int64_t d = 0; d < std::max<int64_t>(tensor.getRank(), 2); ++d) {
        int64_t unit = d + 1 == std::max<int64_t>(tensor.getRank(), 2) ? columns : rows;
        int64_t size = d < 2 - tensor.getRank()
                           ? 1
                           : tensor.getDimSize(d - std::max<int64_t>(0, 2 - tensor.getRank()));
        bytes = bytes * ceildiv(Expr(size), Expr(unit)) * unit;
      }
      total = total + bytes;
      if (bytes.value() > largestBytes) {
        largestBytes = bytes.value();
        largest = tw::argumentName(function.getArgument(i));
      }
    }
    int64_t available =
        result->machine.number("dram.banks") * result->machine.number("dram.bytes_per_bank");
    if (total.value() > available)
      throw Error(Kind::DoesNotFit, "driver.dram",
                  "the tensors of '" + function.getName().str() + "' take " + total.str() +
                      " bytes of " + std::to_string(available) +
                      " bytes of device memory; the largest is '" + largest + "' with " +
                      std::to_string(largestBytes) + " bytes",
                  "use smaller tensors or split the kernel");
  }
  using Expr = symbolic::Expr;

  //===--- Stages 2 and 3
  //----------------------------------------------------------------------------===//

  void runPass(const char *stage, std::unique_ptr<Pass> pass) {
    timed(stage, [&] {
      DiagnosticCatcher catcher(result->context.get());
      PassManager manager(result->context.get(), ModuleOp::getOperationName());
      manager.enableVerifier(true);
      manager.addNestedPass<func::FuncOp>(std::move(pass));
      if (failed(manager.run(*result->program)))
        catcher.fail(Kind::Unsupported, "transforms.program");
    });
    timed("verify", [&] {
      DiagnosticCatcher catcher(result->context.get());
      PassManager manager(result->context.get(), ModuleOp::getOperationName());
      manager.addNestedPass<func::FuncOp>(transforms::createVerifyProtocol());
      if (failed(manager.run(*result->program)))
        catcher.fail(Kind::Internal, "transforms.protocol");
    });
  }

  void transform() {
    runPass("reify", transforms::createReifyDataflow());
    if (options.stopAfter == Stage::Dataflow)
      return;
    runPass("merge", transforms::createMergeHandoffs());
    if (options.stopAfter == Stage::Merged)
      return;
    runPass("concretize", transforms::createConcretizeBuffers());
    if (options.stopAfter != Stage::Concrete)
      schedule();
  }

  //===--- Stages 4 to 6
  //-----------------------------------------------------------------------------===//

  void schedule() {
    timed("model", [&] {
      result->facts =
          mapping::analyze(result->function(*result->program), result->machine.number("tile.rows"),
                           result->machine.number("tile.columns"));
      result->formulation = mapping::formulate(result->facts, result->machine, options.request);
    });
    timed("solve", [&] {
      if (options.scheduleFile.empty())
        result->selection =
            mapping::select(result->facts, result->formulation, result->machine, options.request);
      else
        replay();
      result->schedule =
          mapping::makeSchedule(result->facts, result->formulation, result->selection,
                                result->machine, options.arguments);
    });
    if (options.stopAfter == Stage::Schedule)
      return;
    timed("materialize", [&] { materialize(); });
    if (options.stopAfter == Stage::Sources)
      timed("emit", [&] { emit(); });
  }

  void replay() {
    auto schedule = mapping::fromJson(readSchedule(options.scheduleFile), options.scheduleFile,
                                      result->facts, result->machine, options.arguments);
    result->selection = mapping::replay(schedule, options.scheduleFile, result->facts,
                                        result->formulation, result->machine, options.request);
  }

  void materialize() {
    transforms::MaterializeSpec spec;
    const mapping::Schedule &schedule = result->schedule;
    for (const auto &symbol : result->facts.symbols)
      spec.symbols[symbol.name] = schedule.value(symbol.name);
    const mapping::Placement &placement = schedule.candidate.placement;
    for (const auto &factor : placement.x) {
      spec.xAxes.push_back(factor.axis);
      spec.xExtents.push_back(factor.extent);
    }
    for (const auto &factor : placement.y) {
      spec.yAxes.push_back(factor.axis);
      spec.yExtents.push_back(factor.extent);
    }
    spec.order.assign(placement.order.begin(), placement.order.end());
    for (const auto &sharing : schedule.candidate.sharing)
      spec.transfers.push_back({sharing.x, sharing.y});
    symbolic::Environment environment(schedule.values.begin(), schedule.values.end());
    for (const auto &buffer : result->formulation.footprint.buffers)
      spec.depths[buffer.name] = symbolic::evaluate(buffer.copies, environment);
    for (size_t i = 0; environment.count(mapping::subblockName(i, true)); ++i)
      spec.subblocks.push_back({schedule.value(mapping::subblockName(i, true)),
                                schedule.value(mapping::subblockName(i, false))});
    DiagnosticCatcher catcher(result->context.get());
    if (failed(transforms::materialize(result->function(*result->program), spec)) ||
        failed(mlir::verify(*result->program)))
      catcher.fail(Kind::Internal, "driver.materialize");
  }

  void emit() {
    ttmetal::EmitInfo info;
    for (const auto &[name, value] : result->schedule.values)
      info.schedule.push_back(name + " = " + std::to_string(value));
    info.schedule.insert(info.schedule.begin(), result->schedule.candidate.name(result->facts));
    result->emitted = ttmetal::emit(result->function(*result->program), result->machine, info);
    result->emitted.files["schedule.json"] = mapping::toJson(result->schedule, result->facts);
    if (result->emitted.l1Bytes != result->schedule.l1Bytes)
      throw Error(Kind::Internal, "driver.l1-mismatch",
                  "the emitted buffers take " + std::to_string(result->emitted.l1Bytes) +
                      " bytes of local memory where the model counted " +
                      std::to_string(result->schedule.l1Bytes),
                  "please report this with the command line and the kernel");
  }

  const CompileOptions &options;
  std::unique_ptr<Compilation> result;
};
} // namespace

std::unique_ptr<Compilation> compile(const CompileOptions &options) {
  return Road(options).run();
}

} // namespace tilewright::driver
