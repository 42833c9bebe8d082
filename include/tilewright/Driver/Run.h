// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compile, execute the emitted sources, compare with the reference.
#pragma once

#include "tilewright/Driver/Compile.h"
#include "tilewright/Emulator/TTMetal.h"
#include "tilewright/Reference/Reference.h"

namespace tilewright::driver {

struct RunOptions {
  CompileOptions compile;
  std::map<std::string, std::string> inputFiles; ///< --input NAME=file.npy
  uint64_t seed = 0;
  std::string saveFolder; ///< --save; empty: keep nothing
};

struct RunResult {
  bool pass = false;
  std::string text; ///< the compile report, one comparison per output, the verdict
};

/// Runs in our emulator.
RunResult run(const RunOptions &options);
/// The same on the vendor's runtime with a simulated chip (simulate/); errors "driver.simulator".
RunResult runOnSimulator(const RunOptions &options);

/// Runs an emitted folder from its manifest alone; with `--save` its outputs are written as .npy
/// files. Returns a summary (cycles and per-output checksums: there is no reference in a folder).
std::string emulateFolder(const std::string &folder, uint64_t seed,
                          const std::map<std::string, std::string> &inputFiles,
                          const std::string &saveFolder);

} // namespace tilewright::driver
