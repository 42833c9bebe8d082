// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tool's commands behind the argument parser.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace tilewright::driver {

/// Wrong usage of the command line: exit status 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// All options as text; what is malformed is a UsageError.
struct CommandOptions {
  std::string kernel, arch, grid, scheduleFile, output, emit, stopAfter, saveFolder, folder;
  std::string device = "emulator";
  std::vector<std::string> arguments, fixed, inputs;
  uint64_t seed = 0;
  bool printSchedule = false, noTimes = false;
};

int compileCommand(const CommandOptions &options);
int runCommand(const CommandOptions &options);
int emulateCommand(const CommandOptions &options);
int archListCommand(const CommandOptions &options);
int archShowCommand(const CommandOptions &options);
int archLintCommand(const CommandOptions &options);

} // namespace tilewright::driver
