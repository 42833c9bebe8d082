// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run.py judges results of the emulation, right ones and spoilt ones.
#include "Run.h"
#include "tilewright/Support/Npy.h"
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::test;

namespace {

const std::string python = TILEWRIGHT_PYTHON;

int judge(const std::filesystem::path &dir, const EmulatedCase &run) {
  std::string command = python + " " + (dir / "run.py").string() + " --compare " + dir.string();
  for (const emulator::HostTensor &t : run.inputs) {
    writeNpy(dir / (t.name + ".npy"), t.shape, t.values);
    command += " --input " + t.name + "=" + (dir / (t.name + ".npy")).string();
  }
  for (const emulator::HostTensor &t : run.outputs)
    writeNpy(dir / (t.name + ".npy"), t.shape, t.values);
  return std::system((command + " > " + (dir / "log").string() + " 2>&1").c_str());
}

} // namespace

TEST(TTMetalScript, PassesWhatIsRightAndOnlyThat) {
  ASSERT_EQ(std::system((python + " -c 'import numpy'").c_str()), 0) << "./dev setup installs it";
  for (const Case &c : cases()) {
    if (c.name != "bias_relu" && c.name != "chain" && c.name != "bf16_accumulator" &&
        c.name != "gated" && c.name != "scale_vector")
      continue;
    std::filesystem::path dir =
        std::filesystem::path(testing::TempDir()) / ("ttmetal_script_" + c.name);
    writeCase(c, dir);
    EmulatedCase run = emulateCase(dir);
    EXPECT_EQ(judge(dir, run), 0) << c.name;
    EmulatedCase wrong = run;
    float &element = wrong.outputs[0].values[37];
    element += 0.25f * (1 + std::abs(element));
    EXPECT_NE(judge(dir, wrong), 0) << c.name;
    element = std::nanf("");
    EXPECT_NE(judge(dir, wrong), 0) << c.name;
    std::filesystem::remove_all(dir);
  }
}
