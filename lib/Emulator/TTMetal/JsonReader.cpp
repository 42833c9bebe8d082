// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small scanner finds the place of each value; nlohmann-json does the parsing.
#include "JsonReader.h"
#include "tilewright/Support/File.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tilewright::emulator {

constexpr size_t largestFile = size_t(64) << 20;
constexpr int deepestNesting = 64;

static std::string readAll(const std::string &path) {
  std::string why;
  auto text = readFile(path, why);
  if (!text)
    throw Error(Kind::User, "emulator.file", fmt::format("cannot read \"{}\": {}", path, why),
                "the folder must hold the files that \"tilewright compile\" wrote", {path, 0, 0});
  return *text;
}

static int nesting(const std::string &text) {
  int depth = 0, deepest = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\')
      ++i;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{'))
      deepest = std::max(deepest, ++depth);
    else if (!quoted && (c == ']' || c == '}'))
      --depth;
  }
  return deepest;
}

Location JsonDocument::place(const std::string &text, size_t at) const {
  at = std::min(at, text.size());
  const auto begin = text.begin(), end = begin + ptrdiff_t(at);
  const size_t lineStart = at ? text.rfind('\n', at - 1) : std::string::npos;
  return {file, unsigned(1 + std::count(begin, end, '\n')),
          unsigned(lineStart == std::string::npos ? at + 1 : at - lineStart)};
}

JsonDocument::JsonDocument(const std::string &path) : file(path) {
  const std::string text = readAll(path);
  if (text.size() > largestFile || nesting(text) > deepestNesting)
    throw Error(Kind::User, "emulator.manifest",
                fmt::format("not a manifest: more than {} bytes or nested deeper than {}",
                            largestFile, deepestNesting),
                "write it again with \"tilewright compile\"", {path, 1, 1});
  try {
    json = nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error &e) {
    throw Error(Kind::User, "emulator.manifest", "the text is not valid JSON",
                "write it again with \"tilewright compile\"", place(text, e.byte ? e.byte - 1 : 0));
  } catch (const nlohmann::json::exception &) {
    throw Error(Kind::User, "emulator.manifest", "a number is out of range",
                "write it again with \"tilewright compile\"", {path, 0, 0});
  }
  size_t at = 0;
  scanValue(text, at, "");
}

static void skipSpace(const std::string &text, size_t &at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
    ++at;
}

/// `at` is on the opening quote; the raw text between the quotes is returned.
static std::string scanString(const std::string &text, size_t &at) {
  const size_t begin = ++at;
  while (at < text.size() && text[at] != '"')
    at += text[at] == '\\' ? 2 : 1;
  std::string raw = text.substr(begin, at - begin);
  ++at;
  return raw;
}

void JsonDocument::scanObject(const std::string &text, size_t &at, const std::string &pointer) {
  ++at;
  for (skipSpace(text, at); at < text.size() && text[at] != '}'; skipSpace(text, at)) {
    if (text[at] == ',') {
      ++at;
      continue;
    }
    const std::string key = scanString(text, at);
    skipSpace(text, at);
    ++at; // the colon
    scanValue(text, at, pointer + "/" + key);
  }
  ++at;
}

void JsonDocument::scanArray(const std::string &text, size_t &at, const std::string &pointer) {
  ++at;
  size_t index = 0;
  for (skipSpace(text, at); at < text.size() && text[at] != ']'; skipSpace(text, at)) {
    if (text[at] == ',')
      ++at;
    else
      scanValue(text, at, fmt::format("{}/{}", pointer, index++));
  }
  ++at;
}

void JsonDocument::scanValue(const std::string &text, size_t &at, const std::string &pointer) {
  skipSpace(text, at);
  if (at >= text.size())
    return;
  // Runtime arguments are many and repetitive: their lists are located, their items are not.
  if (pointer.find("/args/") == std::string::npos)
    places[pointer] = place(text, at);
  if (text[at] == '{')
    return scanObject(text, at, pointer);
  if (text[at] == '[')
    return scanArray(text, at, pointer);
  if (text[at] == '"') {
    scanString(text, at);
    return;
  }
  while (at < text.size() && !std::strchr(",]} \t\r\n", text[at]))
    ++at;
}

Location JsonDocument::locate(const std::string &pointer) const {
  for (std::string p = pointer;; p.resize(p.rfind('/'))) {
    auto found = places.find(p);
    if (found != places.end())
      return found->second;
    if (p.rfind('/') == std::string::npos)
      return {file, 1, 1};
  }
}

void JsonValue::fail(const std::string &message, const std::string &hint, const char *id) const {
  throw Error(Kind::User, id, fmt::format("\"{}\": {}", pointer.empty() ? "/" : pointer, message),
              hint.empty() ? "see docs/manifest.md" : hint, doc->locate(pointer));
}

bool JsonValue::has(const char *key) const {
  return value->is_object() && value->contains(key);
}

JsonValue JsonValue::operator[](const char *key) const {
  if (!value->is_object())
    fail(fmt::format("is {}, not an object", value->type_name()));
  auto found = value->find(key);
  if (found == value->end())
    fail(fmt::format("the key \"{}\" is missing", key));
  return JsonValue(doc, &*found, pointer + "/" + key);
}

JsonValue JsonValue::item(size_t index) const {
  return JsonValue(doc, &(*value)[index], fmt::format("{}/{}", pointer, index));
}

size_t JsonValue::size() const {
  if (!value->is_array())
    fail(fmt::format("is {}, not a list", value->type_name()));
  return value->size();
}

int64_t JsonValue::integer(int64_t least, int64_t most) const {
  if (!value->is_number_integer())
    fail(fmt::format("is {}, not an integer", value->type_name()));
  if (value->is_number_unsigned() && value->get<uint64_t>() > uint64_t(INT64_MAX))
    fail(fmt::format("{} is larger than {}", value->get<uint64_t>(), most));
  const int64_t number = value->get<int64_t>();
  if (number < least || number > most)
    fail(fmt::format("{} is outside [{}, {}]", number, least, most));
  return number;
}

bool JsonValue::boolean() const {
  if (!value->is_boolean())
    fail(fmt::format("is {}, not true or false", value->type_name()));
  return value->get<bool>();
}

std::string JsonValue::text() const {
  if (!value->is_string())
    fail(fmt::format("is {}, not a string", value->type_name()));
  return value->get<std::string>();
}

std::string JsonValue::oneOf(const std::vector<std::string> &allowed) const {
  std::string word = text();
  if (std::find(allowed.begin(), allowed.end(), word) == allowed.end())
    fail(fmt::format("\"{}\" is not one of {}", word, fmt::join(allowed, ", ")));
  return word;
}

} // namespace tilewright::emulator
