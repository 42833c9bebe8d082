// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics: what every room says when something cannot be done.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace tilewright {

/// Who has to act: the user's input is wrong, it does not fit this machine, it is not supported, or
/// it is our bug. The four are never mixed (design, house rule 5).
enum class Kind { User, DoesNotFit, Unsupported, Internal };

/// A place in a text file. Line and column count from 1; 0 means unknown.
struct Location {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  /// "file:line:column", without the parts that are unknown; empty when nothing is known.
  std::string str() const;
};

struct Note {
  Location location;
  std::string message;
};

/// One finding. `id` is stable ("room.name") and listed in docs/diagnostics.md; `message` is lower
/// case without a final period; `hint` is one thing to try.
struct Diagnostic {
  Kind kind = Kind::Internal;
  std::string id;
  Location location;
  std::string message;
  std::string hint;
  std::vector<Note> notes;
  /// Clang-style text: location, kind, message, [id], then notes and the hint, each on its own
  /// line.
  std::string str() const;
};

/// Thrown by all rooms; caught by the tools and by passes (never crosses a frame of libMLIR).
class Error : public std::exception {
public:
  explicit Error(Diagnostic diagnostic);
  Error(Kind kind, std::string id, std::string message, std::string hint = {},
        Location location = {});
  const Diagnostic &diagnostic() const { return diag; }
  const char *what() const noexcept override { return text.c_str(); }
  Error &note(Location location, std::string message);

private:
  Diagnostic diag;
  std::string text;
};

} // namespace tilewright
