// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machines by name.
#include "Reader.h"
#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace tilewright::machine {

static std::string folder() {
  const char *set = std::getenv("TILEWRIGHT_MACHINES");
  return set && *set ? set : TILEWRIGHT_MACHINE_DIR;
}

std::vector<std::string> list() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto &entry : std::filesystem::directory_iterator(folder(), error))
    if (entry.path().extension() == ".yaml")
      names.push_back(entry.path().stem().string());
  if (error)
    throw Error(Kind::User, "machine.open",
                "cannot read the machine folder '" + folder() + "': " + error.message(),
                "set TILEWRIGHT_MACHINES to a folder of machine files");
  std::sort(names.begin(), names.end());
  return names;
}

Machine find(const std::string &nameOrFile) {
  if (nameOrFile.ends_with(".yaml"))
    return load(nameOrFile);
  auto names = list();
  if (std::find(names.begin(), names.end(), nameOrFile) == names.end())
    throw Error(Kind::User, "machine.unknown",
                "there is no machine '" + nameOrFile + "'; known: " + quotedList(names),
                nearestHint(nameOrFile, names));
  return load((std::filesystem::path(folder()) / (nameOrFile + ".yaml")).string());
}

} // namespace tilewright::machine
