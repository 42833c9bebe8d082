// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes emitted directories of a set of programs, for launchers that live outside the unit tests.
#include "Cases.h"
#include "tilewright/Target/TTMetal/Emit.h"
#include <filesystem>
#include <fstream>
#include <iostream>

using namespace tilewright;

int main(int argc, char **argv) {
  if (argc < 2) {
    std::cerr << "usage: TTMetalDump DIR [CASE...]\n";
    return 2;
  }
  for (const test::Case &c : test::cases()) {
    if (argc > 2 && std::find(argv + 2, argv + argc, c.name) == argv + argc)
      continue;
    test::Parsed parsed = test::parse(c.text);
    ttmetal::Emitted emitted = ttmetal::emit(parsed.func, test::wormhole(), {"tilewright (test)", {c.name}});
    std::filesystem::path dir = std::filesystem::path(argv[1]) / c.name;
    std::filesystem::create_directories(dir);
    for (const auto &[name, contents] : emitted.files)
      std::ofstream(dir / name) << contents;
  }
}
