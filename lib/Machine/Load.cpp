// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a YAML file to a Document: everything but the costs (LoadCosts.cpp).
#include "Reader.h"
#include "Schema.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tilewright::machine {

namespace {
constexpr unsigned maxNesting = 6;
constexpr uintmax_t maxFileBytes = 1 << 20;

class Loader {
public:
  Loader(Document &document, std::string text)
      : document(document), machine(document.machine), reader(document, std::move(text)) {}

  void run(const YAML::Node &root) {
    auto top = reader.entries(root, "a machine file");
    static const std::vector<std::string> known = {
        "format",   "version",   "name",    "family", "arch", "description",
        "memories", "resources", "numbers", "texts",  "costs"};
    reader.checkKeys(root, top, "a machine file", known, known);
    readHead(top);
    for (const Entry &entry : top)
      document.where[entry.key] = reader.at(entry.keyNode);
    if (auto *memories = findEntry(top, "memories"))
      machine.memories = reader.texts(memories->value, "'memories'");
    if (auto *resources = findEntry(top, "resources"))
      readResources(resources->value);
    if (auto *numbers = findEntry(top, "numbers"))
      readGroup(numbers->value, "", "numbers", 0);
    if (auto *texts = findEntry(top, "texts"))
      readGroup(texts->value, "", "texts", 0);
    std::set<std::string> used;
    if (auto *costs = findEntry(top, "costs"))
      readCosts(reader, document, costs->value, used);
    if (schema)
      checkSchema(used);
  }

private:
  void expect(const std::vector<Entry> &top, const char *key, const std::string &wanted) {
    auto *entry = findEntry(top, key);
    if (!entry)
      return;
    if (auto value = reader.text(entry->value, std::string("'") + key + "'");
        value && *value != wanted)
      reader.report(entry->value, "machine.value",
                    std::string("'") + key + "' is '" + *value + "', expected '" + wanted + "'",
                    std::string("write '") + key + ": " + wanted + "'");
  }
  void copy(const std::vector<Entry> &top, const char *key, std::string &target) {
    if (auto *entry = findEntry(top, key))
      target = reader.text(entry->value, std::string("'") + key + "'").value_or("");
  }

  void readHead(const std::vector<Entry> &top) {
    expect(top, "format", "tilewright-machine");
    expect(top, "version", "1");
    expect(top, "name", machine.name);
    copy(top, "family", machine.family);
    copy(top, "arch", machine.arch);
    copy(top, "description", machine.description);
    schema = schemaOf(machine.family);
    if (auto *entry = findEntry(top, "family"); entry && !schema && !machine.family.empty())
      reader.report(entry->value, "machine.value", "unknown family '" + machine.family + "'",
                    nearestHint(machine.family, families()));
  }

  void readResources(const YAML::Node &node) {
    for (const Entry &entry : reader.entries(node, "'resources'")) {
      std::string what = "resource '" + entry.key + "'";
      document.where["resources." + entry.key] = reader.at(entry.keyNode);
      auto parts = reader.entries(entry.value, what);
      reader.checkKeys(entry.value, parts, what, {"from", "to", "source"}, {"from", "to"});
      Resource &resource = machine.resources[entry.key];
      resource.from = memoriesOf(parts, "from", what);
      resource.to = memoriesOf(parts, "to", what);
      if (auto *source = findEntry(parts, "source"))
        resource.source = reader.text(source->value, "the source of " + what).value_or("");
    }
  }
  std::vector<std::string> memoriesOf(const std::vector<Entry> &parts, const char *key,
                                      const std::string &what) {
    auto *entry = findEntry(parts, key);
    if (!entry)
      return {};
    auto names = reader.texts(entry->value, std::string("'") + key + "' of " + what);
    for (const std::string &name : names)
      if (std::find(machine.memories.begin(), machine.memories.end(), name) ==
          machine.memories.end())
        reader.report(entry->value, "machine.unknown-name",
                      what + " names an unknown memory '" + name + "'",
                      nearestHint(name, machine.memories));
    return names;
  }

  /// A map with a key "value" is a leaf; any other map is a group. `section` is "numbers" or
  /// "texts".
  void readGroup(const YAML::Node &node, const std::string &path, const std::string &section,
                 unsigned depth) {
    std::string what = path.empty() ? "'" + section + "'" : "group '" + path + "'";
    if (depth > maxNesting)
      return reader.report(node, "machine.type",
                           what + " is nested more than " + std::to_string(maxNesting) + " deep",
                           "use fewer groups");
    for (const Entry &entry : reader.entries(node, what)) {
      std::string inner = path.empty() ? entry.key : path + "." + entry.key;
      document.where[section + "." + inner] = reader.at(entry.keyNode);
      bool leaf = !entry.value.IsMap() || entry.value["value"];
      if (!leaf)
        readGroup(entry.value, inner, section, depth + 1);
      else if (section == "numbers")
        readNumber(entry.value, inner);
      else
        readText(entry.value, inner);
    }
  }

  void readNumber(const YAML::Node &node, const std::string &path) {
    std::string what = "number '" + path + "'";
    auto parts = reader.entries(node, what);
    reader.checkKeys(node, parts, what, {"value", "unit", "source", "range"}, {"value", "unit"});
    Quantity quantity;
    auto *value = findEntry(parts, "value"), *unit = findEntry(parts, "unit");
    if (value)
      if (auto number = reader.integer(value->value, what)) {
        quantity.value = *number;
        checkMinimum(value->value, path, *number);
      }
    if (unit)
      if (auto text = reader.text(unit->value, "the unit of " + what)) {
        quantity.unit = *text;
        checkUnit(unit->value, path, *text);
      }
    if (auto *source = findEntry(parts, "source"))
      quantity.source = reader.text(source->value, "the source of " + what).value_or("");
    if (auto *range = findEntry(parts, "range"))
      quantity.range = reader.interval(range->value, "the range of " + what);
    machine.numbers[path] = std::move(quantity);
  }

  void checkMinimum(const YAML::Node &node, const std::string &path, int64_t value) {
    const NumberRule *rule = schema ? ruleFor(*schema, path) : nullptr;
    int64_t minimum = rule ? rule->minimum : 0;
    if (value < minimum)
      reader.report(node, "machine.value",
                    "number '" + path + "' is " + std::to_string(value) + ", at least " +
                        std::to_string(minimum) + " is needed",
                    "correct the value");
  }

  void checkUnit(const YAML::Node &node, const std::string &path, const std::string &unit) {
    const NumberRule *rule = schema ? ruleFor(*schema, path) : nullptr;
    std::string wanted = rule ? rule->unit : unitOfName(path);
    const auto &known = knownUnits();
    if (!wanted.empty() && unit != wanted)
      reader.report(node, "machine.unit",
                    "number '" + path + "' is in '" + unit + "', expected '" + wanted + "'",
                    "convert the value and write 'unit: " + wanted + "'");
    else if (std::find(known.begin(), known.end(), unit) == known.end())
      reader.report(node, "machine.unit",
                    "number '" + path + "' has an unknown unit '" + unit + "'",
                    nearestHint(unit, known));
  }

  void readText(const YAML::Node &node, const std::string &path) {
    std::string what = "text '" + path + "'";
    auto parts = reader.entries(node, what);
    reader.checkKeys(node, parts, what, {"value", "source"}, {"value"});
    auto *value = findEntry(parts, "value"), *source = findEntry(parts, "source");
    if (value)
      machine.texts[path] = reader.text(value->value, what).value_or("");
    if (source)
      machine.textSources[path] = reader.text(source->value, "the source of " + what).value_or("");
  }

  //===--- Against the family's schema
  //---------------------------------------------------------------===//

  void missing(const std::string &section, const std::string &what) {
    document.report(document.at(section), "machine.missing-key", "the machine has no " + what,
                    "add it under '" + section + "'");
  }

  void checkSchema(const std::set<std::string> &used) {
    for (const NumberRule &rule : schema->numbers)
      if (rule.required && !present(rule))
        missing("numbers", "number '" + rule.path + "' (" + rule.unit + ")");
    for (const std::string &path : schema->texts)
      if (!machine.texts.contains(path))
        missing("texts", "text '" + path + "'");
    for (const CostRule &rule : schema->costs)
      checkCost(rule);
    checkUnused(used);
    checkChoices();
    machine.grid = {valueOf("grid.x"), valueOf("grid.y")};
    if (int64_t cores = valueOf("cores.cube"))
      machine.grid = {cores, 1};
  }

  bool present(const NumberRule &rule) const {
    return std::any_of(machine.numbers.begin(), machine.numbers.end(),
                       [&](const auto &n) { return ruleFor(*schema, n.first) == &rule; });
  }
  int64_t valueOf(const char *path) const {
    auto found = machine.numbers.find(path);
    return found == machine.numbers.end() ? 0 : found->second.value;
  }

  void checkCost(const CostRule &rule) {
    auto found = machine.costs.find(rule.name);
    if (found == machine.costs.end())
      return missing("costs", "cost '" + rule.name + "'");
    auto sorted = [](std::vector<std::string> names) {
      std::sort(names.begin(), names.end());
      return names;
    };
    if (sorted(found->second.parameters) != sorted(rule.parameters))
      document.report(document.at("costs." + rule.name), "machine.cost-parameters",
                      "cost '" + rule.name + "' has the parameters " +
                          quotedList(found->second.parameters) + ", expected " +
                          quotedList(rule.parameters),
                      "the compiler supplies exactly these");
  }

  /// A number that neither code nor a formula reads is a misspelling.
  void checkUnused(const std::set<std::string> &used) {
    std::vector<std::string> known;
    for (const NumberRule &rule : schema->numbers)
      known.push_back(rule.path);
    for (const auto &[path, quantity] : machine.numbers)
      if (!ruleFor(*schema, path) && !used.contains(path))
        document.report(document.at("numbers." + path), "machine.unknown-key",
                        "nothing reads the number '" + path + "'", nearestHint(path, known));
  }

  /// Texts that name something else in the file.
  void checkChoices() {
    for (const auto &[path, value] : machine.texts) {
      if (!schema->costChoice.empty() && path.starts_with(schema->costChoice)) {
        auto cost = machine.costs.find(value);
        if (cost == machine.costs.end() ||
            cost->second.parameters != std::vector<std::string>{"tiles"})
          choice(path, value, "a cost with the single parameter 'tiles'");
      } else if (path.starts_with("compute.math_fidelity.") &&
                 !machine.numbers.contains("compute.fidelity_phases." + value)) {
        choice(path, value, "below 'compute.fidelity_phases'");
      }
    }
  }
  void choice(const std::string &path, const std::string &value, const std::string &wanted) {
    document.report(document.at("texts." + path), "machine.unknown-name",
                    "text '" + path + "' is '" + value + "', which is not " + wanted,
                    "name one that the file defines");
  }

  Document &document;
  Machine &machine;
  Reader reader;
  const FamilySchema *schema = nullptr;
};
} // namespace

static std::string readFile(const std::string &path) {
  auto fail = [&](const std::string &why) {
    return Error(Kind::User, "machine.open", "cannot read the machine file '" + path + "': " + why,
                 "give a YAML file or a name that 'tilewright arch list' prints", {path, 0, 0});
  };
  std::error_code error;
  auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status))
    throw fail("it is a folder");
  if (!std::filesystem::is_regular_file(status))
    throw fail(std::filesystem::exists(status) ? "it is no regular file" : "there is no such file");
  if (uintmax_t size = std::filesystem::file_size(path, error); error || size > maxFileBytes)
    throw fail("it has " + std::to_string(size) + " bytes, the limit is " +
               std::to_string(maxFileBytes));
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  if (!stream || !(text << stream.rdbuf()))
    if (!stream || std::filesystem::file_size(path, error) != 0)
      throw fail(std::strerror(errno));
  return text.str();
}

Document readDocument(const std::string &path) {
  Document document;
  document.machine.file = path;
  document.machine.name = std::filesystem::path(path).stem().string();
  std::string text = readFile(path);
  try {
    auto documents = YAML::LoadAll(text);
    if (documents.size() == 1 && !documents[0].IsNull())
      Loader(document, text).run(documents[0]);
    else
      document.report({path, 1, 1}, "machine.yaml",
                      documents.size() > 1 ? "the file holds more than one YAML document"
                                           : "the file is empty",
                      "docs/machine-files.md describes the format");
  } catch (const YAML::Exception &e) {
    Location location{path, 1, 1};
    if (!e.mark.is_null())
      location = {path, unsigned(e.mark.line + 1), unsigned(e.mark.column + 1)};
    document.report(location, "machine.yaml", "not YAML: " + e.msg,
                    "indent with spaces, and quote texts that hold ': ' or ' #'");
  }
  return document;
}

Machine load(const std::string &path) {
  Document document = readDocument(path);
  if (!document.findings.empty())
    throw Error(document.findings.front());
  return std::move(document.machine);
}

} // namespace tilewright::machine
