// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Output folders appear as a whole or not at all.
#include "tilewright/Driver/Compile.h"
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace fs = std::filesystem;

namespace tilewright::driver {

[[noreturn]] static void cannotWrite(const std::string &folder, const std::string &why) {
  throw Error(Kind::User, "driver.output-folder",
              "cannot write the output folder '" + folder + "': " + why,
              "choose another folder with -o", {});
}

/// A folder may be replaced when it is empty or holds an earlier result.
static bool replaceable(const fs::path &folder) {
  std::error_code code;
  if (!fs::is_directory(folder, code))
    return false;
  return fs::is_empty(folder, code) || fs::exists(folder / "manifest.json", code);
}

static void writeFiles(const fs::path &folder, const std::map<std::string, std::string> &files) {
  fs::create_directory(folder);
  for (const auto &[name, content] : files) {
    errno = 0;
    std::ofstream stream(folder / name, std::ios::binary);
    stream << content;
    stream.close();
    if (!stream)
      throw fs::filesystem_error("write failed", folder / name,
                                 std::error_code(errno ? errno : EIO, std::generic_category()));
  }
}

void writeFolder(const std::string &name, const std::map<std::string, std::string> &files) {
  fs::path folder = fs::path(name).lexically_normal();
  if (!folder.has_filename())
    folder = folder.parent_path();
  if (folder.empty())
    cannotWrite(name, "it has no name");
  std::error_code code;
  bool exists = fs::exists(fs::symlink_status(folder, code));
  if (exists && !replaceable(folder))
    cannotWrite(name, "it exists and holds something else");
  fs::path fresh = folder, old = folder;
  fresh += ".new-" + std::to_string(getpid());
  old += ".old-" + std::to_string(getpid());
  try {
    if (folder.has_parent_path())
      fs::create_directories(folder.parent_path());
    writeFiles(fresh, files);
    if (exists)
      fs::rename(folder, old);
    fs::rename(fresh, folder);
  } catch (const fs::filesystem_error &error) {
    if (fs::exists(old, code) && !fs::exists(folder, code))
      fs::rename(old, folder, code);
    fs::remove_all(fresh, code);
    cannotWrite(name, error.code().message());
  }
  fs::remove_all(old, code);
}

} // namespace tilewright::driver
