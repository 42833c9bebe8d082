// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The section "costs": parameters with domains, guarded formulas.
#include "Reader.h"
#include <cctype>

namespace tilewright::machine {

namespace {
class CostLoader {
public:
  CostLoader(Reader &reader, Document &document, std::set<std::string> &used)
      : reader(reader), document(document), used(used) {}

  void read(const Entry &entry) {
    what = "cost '" + entry.key + "'";
    place = "costs." + entry.key;
    document.where[place] = reader.at(entry.keyNode);
    cost = Cost();
    cost.name = entry.key;
    auto parts = reader.entries(entry.value, what);
    reader.checkKeys(entry.value, parts, what, {"resource", "parameters", "cases", "free"},
                     {"resource", "parameters", "cases"});
    if (auto *resource = findEntry(parts, "resource"))
      readResource(resource->value);
    if (auto *parameters = findEntry(parts, "parameters"))
      readParameters(parameters->value);
    if (auto *free = findEntry(parts, "free"))
      cost.free = reader.boolean(free->value, "'free' of " + what).value_or(false);
    if (auto *cases = findEntry(parts, "cases"))
      readCases(cases->value);
    document.machine.costs[entry.key] = std::move(cost);
  }

private:
  void readResource(const YAML::Node &node) {
    cost.resource = reader.text(node, "the resource of " + what).value_or("");
    std::vector<std::string> known;
    for (const auto &[name, resource] : document.machine.resources)
      known.push_back(name);
    if (!cost.resource.empty() && !document.machine.resources.contains(cost.resource))
      reader.report(node, "machine.unknown-name",
                    what + " keeps an unknown resource '" + cost.resource + "' busy",
                    nearestHint(cost.resource, known));
  }

  void readParameters(const YAML::Node &node) {
    for (const Entry &entry : reader.entries(node, "'parameters' of " + what)) {
      cost.parameters.push_back(entry.key);
      auto domain = reader.interval(entry.value, "the domain of '" + entry.key + "'");
      if (domain && domain->lo < 0)
        reader.report(entry.value, "machine.value",
                      "the domain of '" + entry.key + "' of " + what + " starts below 0",
                      "parameters are counts");
      cost.domain[entry.key] = domain.value_or(symbolic::Interval{1, 1});
    }
  }

  void readCases(const YAML::Node &node) {
    if (!node.IsSequence() || node.size() == 0)
      return reader.report(node, "machine.type",
                           "'cases' of " + what + " must be a list with a case",
                           "write '- cycles: FORMULA'");
    for (const YAML::Node &item : node)
      readCase(item);
  }

  void readCase(const YAML::Node &node) {
    std::string name = "case " + std::to_string(cost.cases.size() + 1) + " of " + what;
    document.where[place + ".cases." + std::to_string(cost.cases.size())] = reader.at(node);
    auto parts = reader.entries(node, name);
    reader.checkKeys(node, parts, name, {"when", "cycles", "source"}, {"cycles"});
    CostCase result;
    result.when = 1;
    if (auto *when = findEntry(parts, "when"))
      result.when = formula(when->value, "the guard of " + name, result.whenText);
    if (auto *cycles = findEntry(parts, "cycles"))
      result.cycles = formula(cycles->value, "the formula of " + name, result.cyclesText);
    if (auto *source = findEntry(parts, "source"))
      result.source = reader.text(source->value, "the source of " + name).value_or("");
    cost.cases.push_back(std::move(result));
  }

  Expr formula(const YAML::Node &node, const std::string &name, std::string &folded) {
    auto text = reader.text(node, name);
    if (!text)
      return 0;
    bool space = false;
    for (char c : *text) {
      bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
      if (!blank && space && !folded.empty())
        folded += ' ';
      if (!blank)
        folded += c;
      space = blank;
    }
    try {
      return resolve(node, *text, name, symbolic::parse(*text));
    } catch (const Error &error) {
      const Diagnostic &d = error.diagnostic();
      Location location = reader.inside(node, *text, d.location.column ? d.location.column - 1 : 0);
      document.report(location, "machine.formula", name + ": " + d.message, d.hint);
    }
    return 0;
  }

  /// Puts the file's numbers in for their paths; what is left are parameters.
  Expr resolve(const YAML::Node &node, const std::string &text, const std::string &name, Expr e) {
    std::map<std::string, Expr, std::less<>> constants;
    for (const std::string &symbol : symbolic::symbols(e)) {
      if (cost.domain.contains(symbol))
        continue;
      auto number = document.machine.numbers.find(symbol);
      if (number == document.machine.numbers.end()) {
        document.report(reader.inside(node, text, find(text, symbol)), "machine.formula-name",
                        name + " names '" + symbol + "', which is neither a parameter nor a number",
                        nearestHint(symbol, names(symbol)));
        continue;
      }
      used.insert(symbol);
      constants.emplace(symbol, number->second.value);
    }
    return symbolic::substitute(e, constants);
  }

  /// First place of `symbol` in `text` as a whole name.
  static size_t find(const std::string &text, const std::string &symbol) {
    auto part = [&](size_t i) {
      return i < text.size() && (std::isalnum((unsigned char)text[i]) ||
                                 std::string_view("_$@.#").find(text[i]) != std::string_view::npos);
    };
    size_t at = text.find(symbol);
    while (at != std::string::npos && ((at && part(at - 1)) || part(at + symbol.size())))
      at = text.find(symbol, at + 1);
    return at == std::string::npos ? 0 : at;
  }

  /// What a formula may name: the parameters; for a dotted name also the numbers.
  std::vector<std::string> names(const std::string &symbol) const {
    std::vector<std::string> result = cost.parameters;
    if (symbol.find('.') != std::string::npos)
      for (const auto &[path, quantity] : document.machine.numbers)
        result.push_back(path);
    return result;
  }

  Reader &reader;
  Document &document;
  std::set<std::string> &used;
  Cost cost;
  std::string what, place;
};
} // namespace

void readCosts(Reader &reader, Document &document, const YAML::Node &node,
               std::set<std::string> &usedNumbers) {
  CostLoader loader(reader, document, usedNumbers);
  for (const Entry &entry : reader.entries(node, "'costs'"))
    loader.read(entry);
}

} // namespace tilewright::machine
