// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checked access to a YAML document: every complaint has a place, and reading goes on after one.
#pragma once

#include "tilewright/Machine/Machine.h"
#include <set>
#include <yaml-cpp/yaml.h>

namespace tilewright::machine {

/// A machine with the places of its parts, by "numbers.PATH", "costs.NAME", "costs.NAME.cases.I",
/// ...
struct Document {
  Machine machine;
  std::map<std::string, Location, std::less<>> where;
  std::vector<Diagnostic> findings;
  /// Place of the longest known prefix of `path`, at least the file.
  Location at(std::string path) const;
  void report(Location location, std::string id, std::string message, std::string hint);
};

struct Entry {
  std::string key;
  YAML::Node keyNode, value;
};

class Reader {
public:
  Reader(Document &document, std::string text) : document(document), raw(std::move(text)) {}

  Location at(const YAML::Node &node) const;
  void report(const YAML::Node &node, std::string id, std::string message, std::string hint);
  /// Entries of a map in file order. Reports what is no map, keys that are no names, and
  /// duplicates.
  std::vector<Entry> entries(const YAML::Node &node, const std::string &what);
  /// Reports entries whose key is not in `known`, and keys of `required` that are absent.
  void checkKeys(const YAML::Node &node, const std::vector<Entry> &entries, const std::string &what,
                 const std::vector<std::string> &known, const std::vector<std::string> &required);
  /// A decimal integer of 64 bits, not quoted.
  std::optional<int64_t> integer(const YAML::Node &node, const std::string &what);
  std::optional<std::string> text(const YAML::Node &node, const std::string &what);
  std::optional<bool> boolean(const YAML::Node &node, const std::string &what);
  std::vector<std::string> texts(const YAML::Node &node, const std::string &what);
  std::optional<symbolic::Interval> interval(const YAML::Node &node, const std::string &what);
  /// Place of character `offset` of a scalar's value, through quotes, folding and indentation.
  Location inside(const YAML::Node &node, const std::string &value, size_t offset) const;

private:
  bool isPlain(const YAML::Node &node) const;
  Document &document;
  std::string raw;
};

const Entry *findEntry(const std::vector<Entry> &entries, std::string_view key);
/// " ('B' is close)", or what is possible when nothing is close.
std::string nearestHint(const std::string &name, const std::vector<std::string> &known);
std::string quotedList(const std::vector<std::string> &names);

/// Reads `path`; never throws for the file's contents, findings are in the document.
Document readDocument(const std::string &path);
void readCosts(Reader &reader, Document &document, const YAML::Node &node,
               std::set<std::string> &usedNumbers);
/// Adds the findings of the checks that need a well-formed document.
void lintStructure(Document &document);
void lintCosts(Document &document);

} // namespace tilewright::machine
