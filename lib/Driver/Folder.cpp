// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Temporary folders, saved results and the simulator's child process.
#include "tilewright/Driver/Folder.h"
#include "tilewright/Support/Diagnostic.h"
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace tilewright::driver {

static bool writeFile(const fs::path &path, const std::string &content) {
  std::ofstream stream(path, std::ios::binary);
  stream << content;
  stream.close();
  return bool(stream);
}

[[noreturn]] static void cannotWrite(const std::string &folder, const std::string &why) {
  throw Error(Kind::User, "driver.output-folder",
              "cannot write to the folder '" + folder + "': " + why, "choose another folder", {});
}

TemporaryFolder::TemporaryFolder(const std::map<std::string, std::string> &files) {
  std::string pattern = (fs::temp_directory_path() / "tilewright-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    cannotWrite(pattern, std::strerror(errno));
  folder = pattern;
  for (const auto &[name, content] : files)
    if (!writeFile(fs::path(folder) / name, content)) {
      std::error_code code;
      fs::remove_all(folder, code);
      cannotWrite(folder, "the disk may be full");
    }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code code;
  fs::remove_all(folder, code);
}

void saveFiles(const std::string &folder, const std::map<std::string, std::string> &files) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code)
    cannotWrite(folder, code.message());
  for (const auto &[name, content] : files) {
    fs::path path = fs::path(folder) / name, fresh = path;
    fresh += ".new";
    if (!writeFile(fresh, content)) {
      fs::remove(fresh, code);
      cannotWrite(folder, "writing '" + name + "' failed");
    }
    fs::rename(fresh, path, code);
    if (code)
      cannotWrite(folder, code.message());
  }
}

static int runChild(const std::vector<std::string> &words) {
  std::vector<char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = fork();
  if (child == 0) {
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0)
    return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static std::string fromEnvironment(const char *name, const std::string &otherwise) {
  const char *value = std::getenv(name);
  return value && *value ? value : otherwise;
}

int runSimulator(const std::string &folder, const std::vector<std::string> &arguments) {
  std::string scripts = fromEnvironment("TILEWRIGHT_SIMULATE", TILEWRIGHT_SOURCE_DIR "/simulate");
  std::string vendor = fromEnvironment("TILEWRIGHT_VENDOR", TILEWRIGHT_BINARY_DIR "/vendor");
  std::vector<std::string> words{"sh", scripts + "/simulate.sh", "--vendor", vendor, folder, "--"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  int status = runChild(words);
  if (status == 77 || status == 127)
    throw Error(Kind::Unsupported, "driver.simulator",
                "the simulated chip is not available on this computer",
                "run ./dev simulate, which says what is missing");
  return status;
}

} // namespace tilewright::driver
