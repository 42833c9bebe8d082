// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes emitted directories of a set of programs, for launchers that live outside the unit tests.
// With
// --emulate it also runs them in emulation and stores inputs and outputs as DIR/CASE/NAME.npy.
#include "Cases.h"
#include "Run.h"
#include "tilewright/Support/Npy.h"
#include <algorithm>
#include <filesystem>
#include <iostream>

using namespace tilewright;

static void store(const std::filesystem::path &dir,
                  const std::vector<emulator::HostTensor> &tensors) {
  for (const emulator::HostTensor &t : tensors)
    writeNpy(dir / (t.name + ".npy"), t.shape, t.values);
}

int main(int argc, char **argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  bool emulate = std::erase(arguments, "--emulate") > 0;
  if (arguments.empty()) {
    std::cerr << "usage: TTMetalDump [--emulate] DIR [CASE...]\n";
    return 2;
  }
  int failures = 0;
  for (const test::Case &c : test::cases()) {
    if (arguments.size() > 1 &&
        std::find(arguments.begin() + 1, arguments.end(), c.name) == arguments.end())
      continue;
    try {
      std::filesystem::path dir = std::filesystem::path(arguments[0]) / c.name;
      test::writeCase(c, dir);
      if (!emulate)
        continue;
      test::EmulatedCase run = test::emulateCase(dir);
      store(dir, run.inputs);
      store(dir, run.outputs);
    } catch (const std::exception &error) {
      std::cout << c.name << ": " << error.what() << "\n";
      ++failures;
    }
  }
  return failures ? 1 : 0;
}
