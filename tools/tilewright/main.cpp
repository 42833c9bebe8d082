// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line. Exit status: 0 done, 1 a diagnostic was printed, 2 wrong usage.
#include "tilewright/Driver/Commands.h"
#include "tilewright/Driver/MatMulCommands.h"
#include "tilewright/Support/Diagnostic.h"
#include <CLI/CLI.hpp>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::driver;

namespace {
std::string commandLine; // for reproducers

void rememberCommandLine(int argc, char **argv) {
  for (int i = 0; i < argc; ++i) {
    std::string word = argv[i];
    bool plain = word.find_first_of(" '\"[]*?$&|;<>()") == std::string::npos && !word.empty();
    commandLine += (i ? " " : "") + (plain ? word : "'" + word + "'");
  }
}

/// Last words of a crash: only async-signal-safe calls.
void onCrash(int signal) {
  const char head[] = "internal error: the compiler crashed [driver.crash]\nreproducer: ";
  const char tail[] = "\nhelp: please report this command line together with the kernel file\n";
  (void)!write(2, head, sizeof head - 1);
  (void)!write(2, commandLine.data(), commandLine.size());
  (void)!write(2, tail, sizeof tail - 1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

int report(const Error &error) {
  std::cerr << error.diagnostic().str();
  if (error.diagnostic().kind == Kind::Internal)
    std::cerr << "reproducer: " << commandLine << "\n";
  return 1;
}

int guarded(const std::function<int()> &body) {
  try {
    return body();
  } catch (const UsageError &error) {
    std::cerr << "usage error: " << error.what() << "\n";
    return 2;
  } catch (const Error &error) {
    return report(error);
  } catch (const std::bad_alloc &) {
    return report(Error(Kind::DoesNotFit, "driver.memory", "this computer's memory is exhausted",
                        "use smaller tensors"));
  } catch (const std::exception &error) {
    return report(Error(Kind::Internal, "driver.exception", error.what(),
                        "please report this command line together with the kernel file"));
  }
}

void addCompileOptions(CLI::App *app, CommandOptions &o) {
  app->add_option("kernel", o.kernel, "Helion file, FILE.py or FILE.py:FUNCTION")->required();
  app->add_option("--arch", o.arch, "machine: a name of `tilewright arch list` or a YAML file")
      ->required();
  app->add_option("-a,--arg", o.arguments,
                  "argument: NAME=DTYPE[DIMS], NAME=VALUE or NAME=FILE.py:FUNCTION")
      ->take_all()
      ->allow_extra_args(false);
  app->add_option("--fix", o.fixed, "pin a symbol: NAME=VALUE")
      ->take_all()
      ->allow_extra_args(false);
  app->add_option("--grid", o.grid, "largest sub-mesh, e.g. 2x2 (columns x rows)");
  app->add_option("--schedule", o.scheduleFile, "replay a schedule instead of solving");
}

/// The parser alone would take -1 and cut what is too large.
std::string seed(const std::string &text) {
  uint64_t value = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool good = code == std::errc() && end == text.data() + text.size();
  return good ? "" : "'" + text + "' is not an integer from 0 to 18446744073709551615";
}

void addDataOptions(CLI::App *app, CommandOptions &o) {
  app->add_option("--seed", o.seed, "seed of the random inputs")->check(seed)->default_val(0);
  app->add_option("--input", o.inputs, "input from a file: NAME=FILE.npy")
      ->take_all()
      ->allow_extra_args(false);
  app->add_option("--save", o.saveFolder, "keep the outputs in this folder, one .npy each");
}

void addMatMulShape(CLI::App *app, MatMulOptions &o) {
  for (auto [flag, value, help] :
       {std::tuple("-m", &o.m, "rows of A and C"), std::tuple("-n", &o.n, "columns of B and C"),
        std::tuple("-k", &o.k, "columns of A, rows of B")})
    app->add_option(flag, *value, help)->required();
  app->add_option("--layout-a", o.layoutA, "row or col");
  app->add_option("--layout-b", o.layoutB, "row or col");
  app->add_option("--dtype", o.dtype, "fp16 or bf16");
  app->add_option("--lda", o.lda, "distance between rows of A in elements; 0: dense");
  app->add_option("--ldb", o.ldb, "the same for B");
  app->add_option("--ldc", o.ldc, "the same for C");
  app->add_option("--batch", o.batch, "independent products");
  app->add_option("--groups", o.groups, "rows of each group, e.g. 100,20,0,7; they sum up to m");
  app->add_flag("--deterministic", o.deterministic, "no reduction whose bits depend on timing");
  app->add_option("--template", o.templateName, "only this template");
  app->add_option("--fix", o.fixed, "pin an unknown: m1, n1, kA, kB, k0 or split, NAME=VALUE")
      ->take_all()
      ->allow_extra_args(false);
  app->add_flag("--explain", o.explain, "where the time goes, and the runner-up");
  app->add_flag("--json", o.json, "print JSON");
}

/// `command` is set by the subcommand that is given.
void addMatMul(CLI::App &app, MatMulOptions &o, std::function<int()> &command) {
  auto *matmul = app.add_subcommand(
      "matmul", "matrix products of any shape on Ascend: plan, tables, evaluation");
  matmul->require_subcommand(1);
  auto add = [&](const char *name, const char *help, int (*run)(const MatMulOptions &)) {
    auto *sub = matmul->add_subcommand(name, help);
    sub->add_option("--arch", o.arch, "machine of the Ascend family")->required();
    sub->callback([&o, &command, run] { command = [&o, run] { return run(o); }; });
    return sub;
  };
  addMatMulShape(add("plan", "plan one product", matmulPlanCommand), o);
  auto *build = add("build", "plan a file of shapes into a dispatch table", matmulBuildCommand);
  build->add_option("--shapes", o.shapes, "CSV file with the columns m, n, k, ...")->required();
  auto *rank = add("rank", "rank given tilings among all legal ones", matmulRankCommand);
  rank->add_option("--tilings", o.tilings, "CSV file of tilings")->required();
  auto *sweep = add("sweep", "plan a seeded mixture of shapes", matmulSweepCommand);
  sweep->add_option("--count", o.count, "number of shapes")->check(CLI::Range(1, 10000000));
  sweep->add_option("--seed", o.seed, "seed of the mixture")->check(seed);
  for (auto *sub : {build, sweep}) {
    sub->add_option("-o,--output", o.output, "folder to write")->required();
    sub->add_option("--jobs", o.jobs, "threads")->check(CLI::Range(1, 256));
  }
}
} // namespace

int main(int argc, char **argv) {
  rememberCommandLine(argc, argv);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(signal, onCrash);
  CLI::App app{"tilewright: schedules by solving"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "tilewright " TILEWRIGHT_VERSION);
  CommandOptions o;
  std::function<int(const CommandOptions &)> command;

  auto *compile = app.add_subcommand("compile", "solve a schedule and write sources");
  addCompileOptions(compile, o);
  compile->add_option("-o,--output", o.output, "folder for the sources");
  compile->add_option("--emit", o.emit, "print instead of writing: ir, problem or schedule")
      ->check(CLI::IsMember({"ir", "problem", "schedule"}));
  compile->add_option("--stop-after", o.stopAfter,
                      "last stage: tile, dataflow, merged, concrete, schedule, mapped");
  compile->add_flag("--print-schedule", o.printSchedule, "print the schedule as JSON");
  compile->add_flag("--no-times", o.noTimes, "leave times out of the report");
  compile->callback([&] { command = compileCommand; });

  auto *run =
      app.add_subcommand("run", "compile, execute the sources and compare with the reference");
  addCompileOptions(run, o);
  addDataOptions(run, o);
  run->add_option("--device", o.device,
                  "emulator, or simulator (the vendor's runtime on a simulated chip)")
      ->check(CLI::IsMember({"emulator", "simulator"}))
      ->default_val("emulator");
  run->callback([&] { command = runCommand; });

  auto *emulate = app.add_subcommand("emulate", "execute an emitted folder from its manifest");
  emulate->add_option("folder", o.folder, "folder written by `tilewright compile`")->required();
  addDataOptions(emulate, o);
  emulate->callback([&] { command = emulateCommand; });

  auto *arch = app.add_subcommand("arch", "machines: list, show, lint");
  arch->require_subcommand(1);
  arch->add_subcommand("list", "names of the machines")->callback([&] {
    command = archListCommand;
  });
  auto *show = arch->add_subcommand("show", "a machine's numbers with their sources");
  show->add_option("machine", o.arch)->required();
  show->callback([&] { command = archShowCommand; });
  auto *lint = arch->add_subcommand("lint", "check a machine file");
  lint->add_option("file", o.arch)->required();
  lint->callback([&] { command = archLintCommand; });

  MatMulOptions matmulOptions;
  std::function<int()> matmulCommand;
  addMatMul(app, matmulOptions, matmulCommand);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  int status = guarded([&] { return matmulCommand ? matmulCommand() : command(o); });
  errno = 0;
  std::cout.flush();
  if (std::cout || status != 0)
    return status;
  std::string why = errno ? std::string(": ") + std::strerror(errno) : "";
  return report(Error(Kind::User, "driver.standard-output", "cannot write the output" + why,
                      "free space where the output goes"));
}
