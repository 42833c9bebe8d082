// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Typed, bounded access to a JSON text whose every complaint carries line and column.
#pragma once

#include "tilewright/Support/Diagnostic.h"
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tilewright::emulator {

/// A parsed file with the place of every value, by JSON pointer.
class JsonDocument {
public:
  /// Errors: "emulator.file", "emulator.manifest" (syntax, nesting too deep, too large).
  explicit JsonDocument(const std::string &path);
  Location locate(const std::string &pointer) const;
  const nlohmann::json &root() const { return json; }
  const std::string &path() const { return file; }

private:
  void scanValue(const std::string &text, size_t &at, const std::string &pointer);
  void scanObject(const std::string &text, size_t &at, const std::string &pointer);
  void scanArray(const std::string &text, size_t &at, const std::string &pointer);
  Location place(const std::string &text, size_t at) const;
  std::string file;
  nlohmann::json json;
  std::map<std::string, Location> places;
};

/// One value inside a document. All getters throw "emulator.manifest" with the value's place.
class JsonValue {
public:
  explicit JsonValue(const JsonDocument &document) : doc(&document), value(&document.root()) {}

  bool has(const char *key) const;
  JsonValue operator[](const char *key) const; ///< required member of an object
  JsonValue item(size_t index) const;
  size_t size() const; ///< of an array
  int64_t integer(int64_t least, int64_t most) const;
  bool boolean() const;
  std::string text() const;
  std::string oneOf(const std::vector<std::string> &allowed) const;
  bool isInteger() const { return value->is_number_integer(); }
  bool isNull() const { return value->is_null(); }
  [[noreturn]] void fail(const std::string &message, const std::string &hint = {},
                         const char *id = "emulator.manifest") const;

private:
  JsonValue(const JsonDocument *d, const nlohmann::json *v, std::string p)
      : doc(d), value(v), pointer(std::move(p)) {}
  const JsonDocument *doc;
  const nlohmann::json *value;
  std::string pointer;
};

} // namespace tilewright::emulator
