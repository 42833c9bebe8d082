// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is well formed but suspect: sources, ranges, sizes, levels. LintCosts.cpp has the formulas.
#include "Reader.h"
#include <algorithm>

namespace tilewright::machine {

namespace {
class StructureLint {
public:
  explicit StructureLint(Document &document) : document(document), machine(document.machine) {}

  void run() {
    sources();
    for (const auto &[path, quantity] : machine.numbers)
      number(path, quantity);
    reserve();
    levels();
    for (const auto &[path, quantity] : machine.numbers)
      if (path.starts_with("dtype.") && path.ends_with(".tile_bytes"))
        tileBytes(path, quantity.value);
  }

private:
  void finding(const std::string &place, std::string id, std::string message, std::string hint) {
    document.report(document.at(place), std::move(id), std::move(message), std::move(hint));
  }
  void source(const std::string &source, const std::string &place, const std::string &what) {
    if (source.find_first_not_of(" \t\n") == std::string::npos)
      finding(place, "machine.missing-source", what + " does not say where it comes from",
              "add 'source: \"...\"'");
  }

  void sources() {
    for (const auto &[name, resource] : machine.resources)
      source(resource.source, "resources." + name, "resource '" + name + "'");
    for (const auto &[path, quantity] : machine.numbers)
      source(quantity.source, "numbers." + path, "number '" + path + "'");
    for (const auto &[path, text] : machine.texts) {
      auto found = machine.textSources.find(path);
      source(found == machine.textSources.end() ? "" : found->second, "texts." + path,
             "text '" + path + "'");
    }
    for (const auto &[name, cost] : machine.costs)
      for (size_t i = 0; i < cost.cases.size(); ++i)
        source(cost.cases[i].source, "costs." + name + ".cases." + std::to_string(i),
               "case " + std::to_string(i + 1) + " of cost '" + name + "'");
  }

  void number(const std::string &path, const Quantity &quantity) {
    auto text = [](int64_t value) { return std::to_string(value); };
    if (quantity.range &&
        (quantity.value < quantity.range->lo || quantity.value > quantity.range->hi))
      finding("numbers." + path, "machine.range",
              "number '" + path + "' is " + text(quantity.value) + ", outside its own range of " +
                  text(quantity.range->lo) + " to " + text(quantity.range->hi) + " " +
                  quantity.unit,
              "correct the value or the range");
    if (path.find("alignment") != std::string::npos && (quantity.value & (quantity.value - 1)))
      finding("numbers." + path, "machine.alignment",
              "alignment '" + path + "' is " + text(quantity.value) + " bytes, not a power of two",
              "correct the value");
  }

  std::optional<int64_t> valueOf(const std::string &path) const {
    auto found = machine.numbers.find(path);
    return found == machine.numbers.end() ? std::nullopt : std::optional(found->second.value);
  }

  void reserve() {
    auto capacity = valueOf("l1.capacity"), reserved = valueOf("l1.reserved");
    if (capacity && reserved && *reserved >= *capacity)
      finding("numbers.l1.reserved", "machine.capacity",
              "'l1.reserved' is " + std::to_string(*reserved) + " bytes of a capacity of " +
                  std::to_string(*capacity) + " bytes",
              "nothing is left for buffers; correct one of them");
  }

  /// Data starts and ends in the outermost memory: every other one must lie on a way there and
  /// back.
  void levels() {
    if (machine.memories.empty())
      return finding("memories", "machine.unreachable", "the machine has no memory",
                     "list its memories, outermost first");
    auto forth = closure(&Resource::from, &Resource::to),
         back = closure(&Resource::to, &Resource::from);
    for (const std::string &memory : machine.memories)
      if (!forth.contains(memory) || !back.contains(memory))
        finding("memories", "machine.unreachable",
                "no resource moves data " +
                    std::string(!forth.contains(memory) ? "to memory '" : "on from memory '") +
                    memory + "', from '" + machine.memories.front() + "' on",
                "name it in 'from' and 'to' of the resources that reach it");
  }
  std::set<std::string> closure(std::vector<std::string> Resource::*from,
                                std::vector<std::string> Resource::*to) const {
    std::set<std::string> reached = {machine.memories.front()};
    for (size_t before = 0; before != reached.size();) {
      before = reached.size();
      for (const auto &[name, resource] : machine.resources)
        if (std::any_of((resource.*from).begin(), (resource.*from).end(),
                        [&](const std::string &m) { return reached.contains(m); }))
          reached.insert((resource.*to).begin(), (resource.*to).end());
    }
    return reached;
  }

  void tileBytes(const std::string &path, int64_t value) {
    std::string group = path.substr(0, path.rfind('.'));
    auto rows = valueOf("tile.rows"), columns = valueOf("tile.columns"),
         bytes = valueOf(group + ".bytes");
    if (!rows || !columns || !bytes)
      return;
    auto expected = __int128(*rows) * *columns * *bytes;
    if (expected != value)
      finding("numbers." + path, "machine.inconsistent",
              "number '" + path + "' is " + std::to_string(value) + " bytes, but a tile has " +
                  std::to_string(*rows) + " x " + std::to_string(*columns) + " elements of " +
                  std::to_string(*bytes) + " bytes",
              "correct one of them");
  }

  Document &document;
  const Machine &machine;
};
} // namespace

void lintStructure(Document &document) {
  StructureLint(document).run();
}

std::vector<Diagnostic> lint(const std::string &path) {
  Document document = readDocument(path);
  if (document.findings.empty()) {
    lintStructure(document);
    lintCosts(document);
  }
  return std::move(document.findings);
}

} // namespace tilewright::machine
