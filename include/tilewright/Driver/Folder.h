// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders that commands work in.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace tilewright::driver {

/// A folder of its own under the system's temporary folder, removed at the end.
class TemporaryFolder {
public:
  explicit TemporaryFolder(const std::map<std::string, std::string> &files);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  const std::string &path() const { return folder; }

private:
  std::string folder;
};

/// Writes each file into `folder` (made when missing) under a temporary name first. Error
/// "driver.output-folder".
void saveFiles(const std::string &folder, const std::map<std::string, std::string> &files);

/// Runs an emitted folder's run.py through simulate/ and passes its output on; the child's exit
/// status. Error "driver.simulator" when the environment cannot be set up on this computer.
int runSimulator(const std::string &folder, const std::vector<std::string> &arguments);

} // namespace tilewright::driver
