// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading of whole files.
#include "tilewright/Support/File.h"
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;

namespace tilewright {

static std::string reason(const fs::file_status &status, const std::error_code &error) {
  if (!fs::exists(status))
    return error && status.type() == fs::file_type::none ? error.message()
                                                         : "there is no such file";
  return fs::is_directory(status) ? "it is a folder" : "it is no regular file";
}

std::optional<std::string> readFile(const std::string &path, std::string &why) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (!fs::is_regular_file(status)) {
    why = reason(status, error);
    return std::nullopt;
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  bool empty = stream && stream.peek() == std::ifstream::traits_type::eof();
  if (empty && !stream.bad())
    return std::string();
  if (stream && text << stream.rdbuf())
    return std::move(text).str();
  why = errno ? std::strerror(errno) : "reading failed";
  return std::nullopt;
}

} // namespace tilewright
