// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits a case into a directory and runs that directory in emulation.
#pragma once

#include "Cases.h"
#include "tilewright/Emulator/TTMetal.h"
#include <filesystem>

namespace tilewright::test {

/// Emits for Wormhole and writes all files.
void writeCase(const Case &c, const std::filesystem::path &dir);

struct EmulatedCase {
  std::vector<emulator::HostTensor> inputs, outputs;
};
/// Runs a directory on nearly normal inputs that depend on the tensors' names alone.
EmulatedCase emulateCase(const std::filesystem::path &dir);

} // namespace tilewright::test
