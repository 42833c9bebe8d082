// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine files made from the toy machine by replacing text, for tests of diagnostics.
#pragma once

#include "tilewright/Machine/Machine.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

namespace tilewright::machine::test {

inline std::string machineFile(const std::string &name) {
  return std::string(TILEWRIGHT_SOURCE_DIR) + "/machines/" + name + ".yaml";
}

inline std::string toyText() {
  std::ifstream stream(machineFile("toy2x2"));
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// A file of its own that goes away with the object; its stem is "toy2x2", as the format demands.
class Edited {
public:
  explicit Edited(const std::string &text) {
    static int count = 0;
    folder = std::filesystem::temp_directory_path() /
             ("tilewright-machine-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(folder);
    std::ofstream(path(), std::ios::binary) << text;
  }
  /// The toy machine with one occurrence of `from` replaced; the test fails if there is none.
  Edited(const std::string &from, const std::string &to) : Edited(replaced(from, to)) {}
  Edited(const Edited &) = delete;
  ~Edited() { std::filesystem::remove_all(folder); }
  std::string path() const { return (folder / "toy2x2.yaml").string(); }

  static std::string replaced(const std::string &from, const std::string &to) {
    std::string text = toyText();
    size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << "the toy machine has no '" << from << "'";
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
  }

private:
  std::filesystem::path folder;
};

/// Line and column (from 1) of the first `needle` in the file, which may span lines, plus `offset`
/// columns.
inline Location placeOf(const Edited &file, const std::string &needle, size_t offset = 0) {
  std::ifstream stream(file.path());
  std::stringstream buffer;
  buffer << stream.rdbuf();
  std::string text = buffer.str();
  size_t at = text.find(needle);
  EXPECT_NE(at, std::string::npos) << "no '" << needle << "'";
  if (at == std::string::npos)
    return {};
  unsigned line = 1, column = 1;
  for (size_t i = 0; i < at; ++i) {
    column = text[i] == '\n' ? 1 : column + 1;
    line += text[i] == '\n';
  }
  return {file.path(), line, unsigned(column + offset)};
}

inline std::string idsOf(const std::vector<Diagnostic> &findings) {
  std::string text;
  for (const Diagnostic &d : findings)
    text += (text.empty() ? "" : " ") + d.id;
  return text;
}

} // namespace tilewright::machine::test
