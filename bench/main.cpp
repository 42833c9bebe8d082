// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// usage: tilewright-bench [NAME...]: runs the named benchmarks, or all of them.
#include "bench.h"
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

int main(int argc, char **argv) {
  const std::pair<const char *, int (*)(const BenchPaths &)> benches[] = {
      {"solver", benchSolver},
      {"compile", benchCompile},
      {"dispatch", benchDispatch},
      {"planner", benchPlanner},
      {"ascend", benchAscend}};
  std::string scratch =
      (std::filesystem::temp_directory_path() / "tilewright-bench-XXXXXX").string();
  if (!mkdtemp(scratch.data()))
    return 2;
  BenchPaths paths{TILEWRIGHT_BINARY_DIR "/bin/tilewright", TILEWRIGHT_SOURCE_DIR "/kernels",
                   scratch};
  std::vector<std::string> wanted(argv + 1, argv + argc);
  int status = 0, found = 0;
  for (auto [name, bench] : benches) {
    bool run = wanted.empty();
    for (const std::string &word : wanted)
      run |= word == name;
    if (run && ++found && bench(paths))
      status = 1;
  }
  std::filesystem::remove_all(scratch);
  if (!found)
    std::fprintf(stderr,
                 "no such benchmark; there are: solver, compile, dispatch, planner, ascend\n");
  return found ? status : 2;
}
