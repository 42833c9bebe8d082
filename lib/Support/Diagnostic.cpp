// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text form of diagnostics.
#include "tilewright/Support/Diagnostic.h"

namespace tilewright {

std::string Location::str() const {
  std::string text = file;
  if (line)
    text += (text.empty() ? "line " : ":") + std::to_string(line);
  if (line && column)
    text += ":" + std::to_string(column);
  return text;
}

static const char *kindText(Kind kind) {
  switch (kind) {
  case Kind::User:
    return "error: ";
  case Kind::DoesNotFit:
    return "error: does not fit: ";
  case Kind::Unsupported:
    return "error: not supported: ";
  case Kind::Internal:
    return "internal error: ";
  }
  return "";
}

static std::string prefix(const Location &location) {
  std::string text = location.str();
  return text.empty() ? text : text + ": ";
}

std::string Diagnostic::str() const {
  std::string text = prefix(location) + kindText(kind) + message + " [" + id + "]\n";
  for (const Note &note : notes)
    text += prefix(note.location) + "note: " + note.message + "\n";
  if (!hint.empty())
    text += "help: " + hint + "\n";
  return text;
}

Error::Error(Diagnostic diagnostic) : diag(std::move(diagnostic)), text(diag.str()) {}

Error::Error(Kind kind, std::string id, std::string message, std::string hint, Location location)
    : Error(Diagnostic{
          kind, std::move(id), std::move(location), std::move(message), std::move(hint), {}}) {}

Error &Error::note(Location location, std::string message) {
  diag.notes.push_back({std::move(location), std::move(message)});
  text = diag.str();
  return *this;
}

} // namespace tilewright
