// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line. Exit status: 0 done, 1 a diagnostic was printed, 2 wrong usage.
#include "tilewright/Driver/Commands.h"
#include "tilewright/Support/Diagnostic.h"
#include <CLI/CLI.hpp>
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

void addDataOptions(CLI::App *app, CommandOptions &o) {
  app->add_option("--seed", o.seed, "seed of the random inputs")->default_val(0);
  app->add_option("--input", o.inputs, "input from a file: NAME=FILE.npy")
      ->take_all()
      ->allow_extra_args(false);
  app->add_option("--save", o.saveFolder, "keep the outputs in this folder, one .npy each");
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

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  int status = guarded([&] { return command(o); });
  std::cout.flush();
  return std::cout ? status : 1;
}
