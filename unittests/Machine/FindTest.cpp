// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machines by name, the folder from the environment, and the dump.
#include "Edited.h"
#include <algorithm>
#include <cstdlib>

using namespace tilewright;
using namespace tilewright::machine;
using namespace tilewright::machine::test;

namespace {

class MachineFind : public testing::Test {
protected:
  void TearDown() override { unsetenv("TILEWRIGHT_MACHINES"); }
};

TEST_F(MachineFind, ListsTheSourceFolder) {
  unsetenv("TILEWRIGHT_MACHINES");
  auto names = list();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::count(names.begin(), names.end(), "wormhole"), 1);
  EXPECT_EQ(find("wormhole").arch, "wormhole");
}

TEST_F(MachineFind, TakesAFile) {
  EXPECT_EQ(find(machineFile("toy2x2")).name, "toy2x2");
}

TEST_F(MachineFind, UnknownNameListsTheKnown) {
  try {
    find("wormhol");
    FAIL();
  } catch (const Error &error) {
    EXPECT_EQ(error.diagnostic().id, "machine.unknown");
    for (const std::string &name : list())
      EXPECT_NE(error.diagnostic().message.find("'" + name + "'"), std::string::npos) << name;
    EXPECT_EQ(error.diagnostic().hint, "did you mean 'wormhole'?");
  }
}

TEST_F(MachineFind, FolderFromTheEnvironment) {
  Edited file("value: 81920", "value: 98304");
  setenv("TILEWRIGHT_MACHINES", std::filesystem::path(file.path()).parent_path().c_str(), 1);
  EXPECT_EQ(list(), std::vector<std::string>{"toy2x2"});
  EXPECT_EQ(find("toy2x2").number("l1.capacity"), 98304);
  setenv("TILEWRIGHT_MACHINES", "/nowhere/at/all", 1);
  EXPECT_THROW(list(), Error);
}

TEST_F(MachineFind, ShowNamesEveryNumberAndSource) {
  Machine m = load(machineFile("wormhole"));
  std::string text = show(m);
  for (const auto &[path, quantity] : m.numbers) {
    EXPECT_NE(text.find("  " + path + " = " + std::to_string(quantity.value) + " " + quantity.unit),
              std::string::npos)
        << path;
    EXPECT_NE(text.find(quantity.source), std::string::npos) << path;
  }
  for (const auto &[name, cost] : m.costs)
    EXPECT_NE(text.find("  " + name + "("), std::string::npos) << name;
  EXPECT_NE(text.find("bytes 32..4194304"), std::string::npos);
}

} // namespace
