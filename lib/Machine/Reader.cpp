// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checked access to YAML nodes.
#include "Reader.h"
#include <algorithm>
#include <cctype>
#include <charconv>

namespace tilewright::machine {

Location Document::at(std::string path) const {
  for (;;) {
    if (auto found = where.find(path); found != where.end())
      return found->second;
    size_t dot = path.rfind('.');
    if (dot == std::string::npos)
      return {machine.file, 1, 1};
    path.resize(dot);
  }
}

void Document::report(Location location, std::string id, std::string message, std::string hint) {
  findings.push_back(
      {Kind::User, std::move(id), std::move(location), std::move(message), std::move(hint), {}});
}

Location Reader::at(const YAML::Node &node) const {
  YAML::Mark mark = node.Mark();
  if (mark.is_null())
    return {document.machine.file, 1, 1};
  return {document.machine.file, unsigned(mark.line + 1), unsigned(mark.column + 1)};
}

void Reader::report(const YAML::Node &node, std::string id, std::string message, std::string hint) {
  document.report(at(node), std::move(id), std::move(message), std::move(hint));
}

static bool isName(const std::string &key) {
  return !key.empty() && key.size() <= 64 && std::all_of(key.begin(), key.end(), [](char c) {
    return std::isalnum((unsigned char)c) || c == '_';
  });
}

std::vector<Entry> Reader::entries(const YAML::Node &node, const std::string &what) {
  std::vector<Entry> result;
  if (!node.IsMap()) {
    report(node, "machine.type", what + " must be a map", "write 'key: value' lines below it");
    return result;
  }
  for (const auto &pair : node) {
    if (!pair.first.IsScalar() || !isName(pair.first.Scalar())) {
      report(pair.first, "machine.type", "a key of " + what + " is not a name",
             "use letters, digits and underscores; quote formulas with commas inside { }");
      continue;
    }
    const std::string &key = pair.first.Scalar();
    if (findEntry(result, key))
      report(pair.first, "machine.duplicate-key", "'" + key + "' occurs twice in " + what,
             "keep one of them");
    else
      result.push_back({key, pair.first, pair.second});
  }
  return result;
}

void Reader::checkKeys(const YAML::Node &node, const std::vector<Entry> &entries,
                       const std::string &what, const std::vector<std::string> &known,
                       const std::vector<std::string> &required) {
  for (const Entry &entry : entries)
    if (std::find(known.begin(), known.end(), entry.key) == known.end())
      report(entry.keyNode, "machine.unknown-key", "unknown key '" + entry.key + "' in " + what,
             nearestHint(entry.key, known));
  if (!node.IsMap())
    return;
  for (const std::string &key : required)
    if (!findEntry(entries, key))
      report(node, "machine.missing-key", what + " has no '" + key + "'", "add it");
}

bool Reader::isPlain(const YAML::Node &node) const {
  return node.IsScalar() && node.Tag() != "!";
}

std::optional<int64_t> Reader::integer(const YAML::Node &node, const std::string &what) {
  int64_t value = 0;
  if (isPlain(node)) {
    const std::string &s = node.Scalar();
    auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
    if (error == std::errc() && end == s.data() + s.size())
      return value;
    if (error == std::errc::result_out_of_range) {
      report(node, "machine.integer", what + " is " + s + ", which does not fit in 64 bits",
             "use a larger unit");
      return std::nullopt;
    }
  }
  report(node, "machine.integer",
         what + " must be a decimal integer" +
             (node.IsScalar() ? ", not '" + node.Scalar() + "'" : ""),
         "write digits without quotes, point or exponent; scale the unit where it is a fraction");
  return std::nullopt;
}

std::optional<std::string> Reader::text(const YAML::Node &node, const std::string &what) {
  if (node.IsScalar() && !node.Scalar().empty())
    return node.Scalar();
  report(node, "machine.type", what + " must be a text", "write it in quotes");
  return std::nullopt;
}

std::optional<bool> Reader::boolean(const YAML::Node &node, const std::string &what) {
  if (isPlain(node) && (node.Scalar() == "true" || node.Scalar() == "false"))
    return node.Scalar() == "true";
  report(node, "machine.type", what + " must be true or false", "write one of these");
  return std::nullopt;
}

std::vector<std::string> Reader::texts(const YAML::Node &node, const std::string &what) {
  std::vector<std::string> result;
  if (!node.IsSequence()) {
    report(node, "machine.type", what + " must be a list of names", "write [a, b]");
    return result;
  }
  for (const YAML::Node &item : node)
    if (auto value = text(item, "an item of " + what)) {
      if (std::find(result.begin(), result.end(), *value) != result.end())
        report(item, "machine.duplicate-key", "'" + *value + "' occurs twice in " + what,
               "keep one of them");
      else
        result.push_back(*value);
    }
  return result;
}

std::optional<symbolic::Interval> Reader::interval(const YAML::Node &node,
                                                   const std::string &what) {
  if (!node.IsSequence() || node.size() != 2) {
    report(node, "machine.type", what + " must be a list of two integers",
           "write [lowest, highest]");
    return std::nullopt;
  }
  auto lo = integer(node[0], what), hi = integer(node[1], what);
  if (!lo || !hi)
    return std::nullopt;
  if (*lo > *hi) {
    report(node, "machine.value",
           what + " runs from " + std::to_string(*lo) + " to " + std::to_string(*hi),
           "write the lower end first");
    return std::nullopt;
  }
  return symbolic::Interval{*lo, *hi};
}

/// Walks the raw text from the scalar's start, matching the value's characters and skipping white
/// space, an opening quote and a block scalar's header line.
Location Reader::inside(const YAML::Node &node, const std::string &value, size_t offset) const {
  Location location = at(node);
  size_t at = node.Mark().pos;
  auto space = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
  auto step = [&] {
    location.column = raw[at] == '\n' ? 1 : location.column + 1;
    location.line += raw[at++] == '\n';
  };
  if (at < raw.size() && (raw[at] == '>' || raw[at] == '|'))
    while (at < raw.size() && raw[at] != '\n')
      step();
  else if (at < raw.size() && (raw[at] == '"' || raw[at] == '\''))
    step();
  for (size_t i = 0; i <= offset && i <= value.size(); ++i) {
    if (i < value.size() && space(value[i]))
      continue;
    while (at < raw.size() && space(raw[at]) && i < value.size())
      step();
    if (at >= raw.size() || i == value.size() || i == offset)
      break;
    step();
  }
  return location;
}

const Entry *findEntry(const std::vector<Entry> &entries, std::string_view key) {
  for (const Entry &entry : entries)
    if (entry.key == key)
      return &entry;
  return nullptr;
}

/// Edit distance (insert, delete, replace).
static size_t distance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j)
      diagonal = std::exchange(
          row[j], std::min({row[j] + 1, row[j - 1] + 1, diagonal + size_t(a[i - 1] != b[j - 1])}));
  }
  return row.back();
}

std::string quotedList(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "'" : ", '") + name + "'";
  return text.empty() ? "none" : text;
}

std::string nearestHint(const std::string &name, const std::vector<std::string> &known) {
  const std::string *best = nullptr;
  size_t least = std::max<size_t>(1, name.size() / 3) + 1;
  for (const std::string &candidate : known)
    if (size_t d = distance(name, candidate); d < least)
      least = d, best = &candidate;
  return best ? "did you mean '" + *best + "'?" : "known: " + quotedList(known);
}

} // namespace tilewright::machine
