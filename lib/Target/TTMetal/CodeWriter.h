// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes indented source text with balanced blocks.
#pragma once

#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::ttmetal {

class CodeWriter {
public:
  explicit CodeWriter(int indentWidth = 2) : width(indentWidth) {}

  void line(std::string_view text = {}) {
    if (!text.empty())
      out.append(depth * width, ' ').append(text);
    out += '\n';
  }
  template <typename First, typename... Rest>
  void line(fmt::format_string<First, Rest...> format, First &&first, Rest &&...rest) {
    line(std::string_view(
        fmt::format(format, std::forward<First>(first), std::forward<Rest>(rest)...)));
  }
  /// "head {" and one level deeper.
  void open(std::string_view head) {
    line(std::string(head) + " {");
    ++depth;
  }
  /// "} rest {" at the level of the block that is open.
  void next(std::string_view rest) {
    --depth;
    line("} " + std::string(rest) + " {");
    ++depth;
  }
  void close(std::string_view end = "}") {
    --depth;
    line(end);
  }
  /// For languages whose blocks are indentation alone.
  void indent() { ++depth; }
  void dedent() { --depth; }
  std::string take() { return std::move(out); }

private:
  std::string out;
  int width;
  int depth = 0;
};

} // namespace tilewright::ttmetal
