// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Access to a loaded machine.
#include "tilewright/Machine/Machine.h"

namespace tilewright::machine {

template <class Map>
static const typename Map::mapped_type &lookup(const Machine &machine, const Map &map,
                                               std::string_view path, const char *what) {
  auto found = map.find(path);
  if (found == map.end())
    throw Error(Kind::User, std::string("machine.missing-") + what,
                "machine '" + machine.name + "' has no " + what + " '" + std::string(path) + "'",
                "add it to the machine file", {machine.file, 0, 0});
  return found->second;
}

int64_t Machine::number(std::string_view path) const {
  return lookup(*this, numbers, path, "number").value;
}

const std::string &Machine::text(std::string_view path) const {
  return lookup(*this, texts, path, "text");
}

const Cost &Machine::cost(std::string_view name) const {
  return lookup(*this, costs, name, "cost");
}

static Error argumentError(const std::string &cost, const std::string &what) {
  return {Kind::Internal, "machine.cost-arguments", "cost '" + cost + "' " + what,
          "call it with its parameters"};
}

Expr Cost::cycles(const std::map<std::string, Expr, std::less<>> &arguments) const {
  for (const std::string &parameter : parameters)
    if (!arguments.contains(parameter))
      throw argumentError(name, "needs a value for its parameter '" + parameter + "'");
  for (const auto &[argument, value] : arguments)
    if (!domain.contains(argument))
      throw argumentError(name, "has no parameter '" + argument + "'");
  if (cases.empty())
    throw argumentError(name, "has no case");
  Expr result = cases.back().cycles;
  for (size_t i = cases.size() - 1; i-- > 0;)
    result = symbolic::select(cases[i].when, cases[i].cycles, result);
  return symbolic::substitute(result, arguments);
}

} // namespace tilewright::machine
