// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A latency under an assignment: numbers for reports.
#include "tilewright/Model/Model.h"
#include <algorithm>
#include <fmt/format.h>

namespace tilewright::model {

std::vector<EvaluatedTerm> evaluate(const std::vector<Term> &terms,
                                    const symbolic::Environment &environment) {
  std::vector<std::pair<int64_t, size_t>> order; // largest first, then in the terms' order
  for (size_t i = 0; i < terms.size(); ++i)
    order.push_back({symbolic::evaluate(terms[i].cycles, environment), i});
  std::sort(order.begin(), order.end(), [](const auto &a, const auto &b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<EvaluatedTerm> result;
  for (auto [cycles, i] : order)
    result.push_back({terms[i].name, terms[i].resource, terms[i].source, cycles});
  return result;
}

std::string bindingResource(const Latency &latency, const symbolic::Environment &environment) {
  auto busy = evaluate(latency.busy, environment);
  return busy.empty() ? "" : busy.front().resource;
}

static std::string share(int64_t cycles, int64_t total) {
  return fmt::format("{:5.1f} %", total ? 100.0 * double(cycles) / double(total) : 0.0);
}

std::string explain(const Latency &latency, const symbolic::Environment &environment) {
  int64_t total = symbolic::evaluate(latency.total, environment);
  std::string text = fmt::format("total {} cycles\n", total);
  for (const EvaluatedTerm &term : evaluate(latency.parts, environment))
    text += fmt::format("  {:>12} {}  {} ({}{}{})\n", term.cycles, share(term.cycles, total),
                        term.name, term.resource, term.source.empty() ? "" : ", ", term.source);
  text += "busy\n";
  for (const EvaluatedTerm &term : evaluate(latency.busy, environment))
    text += fmt::format("  {:>12} {}  {}\n", term.cycles, share(term.cycles, total), term.resource);
  std::string binding = bindingResource(latency, environment);
  return binding.empty() ? text : text + "bound by " + binding + "\n";
}

} // namespace tilewright::model
