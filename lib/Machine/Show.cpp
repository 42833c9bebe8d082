// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A machine as text for people.
#include "Reader.h"
#include <fmt/ranges.h>
#include <iterator>

namespace tilewright::machine {

static std::string joined(const std::vector<std::string> &names) {
  return names.empty() ? "-" : fmt::format("{}", fmt::join(names, ", "));
}

static std::string sourceText(const std::string &source) {
  return source.empty() ? "(no source)" : source;
}

static std::string numberText(const std::string &path, const Quantity &quantity) {
  std::string range =
      quantity.range ? fmt::format(" ({} to {})", quantity.range->lo, quantity.range->hi) : "";
  return fmt::format("  {} = {} {}{}\n      {}\n", path, quantity.value, quantity.unit, range,
                     sourceText(quantity.source));
}

static std::string costText(const Cost &cost) {
  std::string parameters;
  for (const std::string &name : cost.parameters) {
    symbolic::Interval domain = cost.domain.find(name)->second;
    parameters +=
        fmt::format("{}{} {}..{}", parameters.empty() ? "" : ", ", name, domain.lo, domain.hi);
  }
  std::string text = fmt::format("  {}({}) on {}\n", cost.name, parameters, cost.resource);
  for (const CostCase &arm : cost.cases)
    text += fmt::format("      {}{}\n      {}\n",
                        arm.whenText.empty() ? "" : "when " + arm.whenText + ": ", arm.cyclesText,
                        sourceText(arm.source));
  return text;
}

std::string show(const Machine &machine) {
  std::string text = fmt::format("machine {} ({} {})\n{}\nfile {}\n\nmemories: {}\nresources\n",
                                 machine.name, machine.family, machine.arch, machine.description,
                                 machine.file, joined(machine.memories));
  auto out = std::back_inserter(text);
  for (const auto &[name, resource] : machine.resources)
    fmt::format_to(out, "  {}: {} -> {}\n      {}\n", name, joined(resource.from),
                   joined(resource.to), sourceText(resource.source));
  text += "numbers\n";
  for (const auto &[path, quantity] : machine.numbers)
    text += numberText(path, quantity);
  text += "texts\n";
  for (const auto &[path, value] : machine.texts) {
    auto source = machine.textSources.find(path);
    fmt::format_to(out, "  {} = {}\n      {}\n", path, value,
                   sourceText(source == machine.textSources.end() ? "" : source->second));
  }
  text += "costs (cycles)\n";
  for (const auto &[name, cost] : machine.costs)
    text += costText(cost);
  return text;
}

} // namespace tilewright::machine
