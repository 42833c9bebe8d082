// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules as JSON, and their replay.
#include "tilewright/Mapping/Schedule.h"
#include "tilewright/Solver/Verify.h"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

using nlohmann::ordered_json;

namespace tilewright::mapping {

static constexpr const char *formatName = "tilewright-schedule";
static constexpr int formatVersion = 1;

int64_t Schedule::value(std::string_view name) const {
  for (const auto &[known, value] : values)
    if (known == name)
      return value;
  throw Error(Kind::Internal, "schedule.value",
              "the schedule has no value for '" + std::string(name) + "'");
}

Schedule makeSchedule(const Program &program, const Formulation &formulation,
                      const Selection &selection, const machine::Machine &machine,
                      std::vector<std::string> arguments) {
  Schedule schedule{program.name,
                    program.source,
                    machine.name,
                    std::move(arguments),
                    selection.candidate,
                    {},
                    selection.solution.objective,
                    0};
  symbolic::Environment environment;
  for (size_t i = 0; i < selection.problem.variables.size(); ++i) {
    const std::string &name = selection.problem.variables[i].name;
    schedule.values.push_back({name, selection.solution.values[i]});
    environment[name] = selection.solution.values[i];
  }
  schedule.l1Bytes = symbolic::evaluate(formulation.footprint.total, environment);
  return schedule;
}

//===--- Writing
//-------------------------------------------------------------------------------------===//

static ordered_json factorsJson(const std::vector<Factor> &factors, const Program &program) {
  ordered_json list = ordered_json::array();
  for (const Factor &factor : factors)
    list.push_back({{"axis", program.axes[factor.axis].symbol}, {"cores", factor.extent}});
  return list;
}

std::string toJson(const Schedule &schedule, const Program &program) {
  ordered_json json;
  json["format"] = formatName;
  json["version"] = formatVersion;
  json["kernel"] = schedule.kernel;
  json["source"] = schedule.source;
  json["machine"] = schedule.machine;
  json["arguments"] = schedule.arguments;
  const Placement &placement = schedule.candidate.placement;
  ordered_json order = ordered_json::array();
  for (int axis : placement.order)
    order.push_back(program.axes[axis].symbol);
  json["placement"] = {{"x", factorsJson(placement.x, program)},
                       {"y", factorsJson(placement.y, program)},
                       {"order", order}};
  json["transfers"] = ordered_json::array();
  auto loads = program.allLoads();
  for (size_t i = 0; i < loads.size(); ++i)
    json["transfers"].push_back(
        {{"load", loads[i]->label},
         {"share", {schedule.candidate.sharing[i].x, schedule.candidate.sharing[i].y}}});
  json["symbols"] = ordered_json::object();
  for (const auto &[name, value] : schedule.values)
    json["symbols"][name] = value;
  json["predicted"] = {{"cycles", schedule.cycles}, {"l1_bytes", schedule.l1Bytes}};
  return json.dump(2) + "\n";
}

//===--- Reading
//-------------------------------------------------------------------------------------===//

namespace {
class Reader {
public:
  Reader(std::string file, const Program &program) : file(std::move(file)), program(program) {}

  [[noreturn]] void bad(const std::string &path, const std::string &what) const {
    throw Error(Kind::User, "schedule.field", "schedule field '" + path + "' " + what,
                "write a fresh schedule with --print-schedule", {file});
  }
  const ordered_json &at(const ordered_json &json, const std::string &key,
                         const std::string &path) const {
    if (!json.is_object() || !json.contains(key))
      bad(path + key, "is missing");
    return json.at(key);
  }
  std::string text(const ordered_json &json, const std::string &key,
                   const std::string &path = "") const {
    const auto &value = at(json, key, path);
    if (!value.is_string())
      bad(path + key, "is not a string");
    return value.get<std::string>();
  }
  int64_t integer(const ordered_json &value, const std::string &path) const {
    if (!value.is_number_integer() ||
        (value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX))
      bad(path, "is not a 64-bit integer");
    return value.get<int64_t>();
  }
  const ordered_json &list(const ordered_json &json, const std::string &key,
                           const std::string &path = "") const {
    const auto &value = at(json, key, path);
    if (!value.is_array())
      bad(path + key, "is not a list");
    return value;
  }
  int axis(const std::string &symbol, const std::string &path) const {
    for (size_t i = 0; i < program.axes.size(); ++i)
      if (program.axes[i].symbol == symbol)
        return i;
    bad(path, "names no axis of the grid: '" + symbol + "'");
  }
  std::vector<Factor> factors(const ordered_json &placement, const std::string &key,
                              int64_t limit) const {
    std::vector<Factor> result;
    std::string path = "placement." + key;
    int64_t size = 1;
    for (const auto &entry : list(placement, key, "placement.")) {
      int axis = this->axis(text(entry, "axis", path + "."), path);
      int64_t cores = integer(at(entry, "cores", path + "."), path + ".cores");
      if (cores < 1 || cores > limit / size)
        bad(path, "does not fit in " + std::to_string(limit) + " cores");
      size *= cores;
      if (std::any_of(result.begin(), result.end(),
                      [&](const Factor &f) { return f.axis == axis; }))
        bad(path, "names an axis twice");
      result.push_back({axis, cores});
    }
    return result;
  }

private:
  std::string file;
  const Program &program;
};
} // namespace

static ordered_json parseJson(const std::string &text, const std::string &file) {
  try {
    return ordered_json::parse(text);
  } catch (const nlohmann::json::parse_error &error) {
    size_t end = std::min(error.byte ? error.byte - 1 : 0, text.size());
    unsigned line = 1 + std::count(text.begin(), text.begin() + end, '\n');
    size_t start = text.rfind('\n', end ? end - 1 : 0);
    unsigned column = start == std::string::npos ? end + 1 : end - start;
    throw Error(Kind::User, "schedule.syntax", "the schedule is not valid JSON",
                "write a fresh schedule with --print-schedule", {file, line, column});
  }
}

static void requireSame(const std::string &what, const std::string &got,
                        const std::string &expected, const std::string &file) {
  if (got != expected)
    throw Error(Kind::User, "schedule.mismatch",
                "the schedule is for " + what + " '" + got + "', not '" + expected + "'",
                "solve again without --schedule", {file});
}

static Placement readPlacement(const ordered_json &json, const Reader &reader,
                               const Program &program, const machine::Machine &machine) {
  const auto &node = reader.at(json, "placement", "");
  Placement placement;
  placement.x = reader.factors(node, "x", machine.grid.x);
  placement.y = reader.factors(node, "y", machine.grid.y);
  std::set<int> seen;
  for (const auto &entry : reader.list(node, "order", "placement.")) {
    if (!entry.is_string())
      reader.bad("placement.order", "is not a list of axis names");
    placement.order.push_back(reader.axis(entry.get<std::string>(), "placement.order"));
    seen.insert(placement.order.back());
  }
  if (placement.order.size() != program.axes.size() || seen.size() != program.axes.size())
    reader.bad("placement.order", "does not name every axis of the grid once");
  return placement;
}

static std::vector<Sharing> readSharing(const ordered_json &json, const Reader &reader,
                                        const Program &program, const Placement &placement) {
  auto loads = program.allLoads();
  const auto &list = reader.list(json, "transfers");
  if (list.size() != loads.size())
    reader.bad("transfers", "has " + std::to_string(list.size()) + " entries for " +
                                std::to_string(loads.size()) + " loads");
  std::vector<Sharing> sharing;
  for (size_t i = 0; i < loads.size(); ++i) {
    std::string path = "transfers[" + std::to_string(i) + "].";
    if (reader.text(list[i], "load", path) != loads[i]->label)
      reader.bad(path + "load", "is not '" + loads[i]->label + "'");
    const auto &share = reader.list(list[i], "share", path);
    if (share.size() != 2)
      reader.bad(path + "share", "is not a pair");
    Sharing wanted{reader.integer(share[0], path + "share"),
                   reader.integer(share[1], path + "share")};
    auto legal = legalSharing(placement, loads[i]->axes);
    if (std::none_of(legal.begin(), legal.end(),
                     [&](const Sharing &s) { return s.x == wanted.x && s.y == wanted.y; }))
      reader.bad(path + "share", "is not a rectangle of cores that need the same block");
    sharing.push_back(wanted);
  }
  return sharing;
}

Schedule fromJson(const std::string &text, const std::string &file, const Program &program,
                  const machine::Machine &machine, const std::vector<std::string> &arguments) {
  ordered_json json = parseJson(text, file);
  Reader reader(file, program);
  if (reader.text(json, "format") != formatName)
    reader.bad("format", std::string("is not '") + formatName + "'");
  if (reader.integer(reader.at(json, "version", ""), "version") != formatVersion)
    reader.bad("version", "is not " + std::to_string(formatVersion));
  Schedule schedule;
  schedule.kernel = reader.text(json, "kernel");
  schedule.source = reader.text(json, "source");
  schedule.machine = reader.text(json, "machine");
  requireSame("kernel", schedule.kernel, program.name, file);
  requireSame("machine", schedule.machine, machine.name, file);
  for (const auto &argument : reader.list(json, "arguments")) {
    if (!argument.is_string())
      reader.bad("arguments", "is not a list of strings");
    schedule.arguments.push_back(argument.get<std::string>());
  }
  auto joined = [](const std::vector<std::string> &list) {
    std::string all;
    for (const std::string &item : list)
      all += (all.empty() ? "" : " ") + item;
    return all;
  };
  requireSame("the arguments", joined(schedule.arguments), joined(arguments), file);
  schedule.candidate.placement = readPlacement(json, reader, program, machine);
  schedule.candidate.sharing = readSharing(json, reader, program, schedule.candidate.placement);
  const auto &symbols = reader.at(json, "symbols", "");
  if (!symbols.is_object())
    reader.bad("symbols", "is not an object");
  for (const auto &[name, value] : symbols.items())
    schedule.values.push_back({name, reader.integer(value, "symbols." + name)});
  const auto &predicted = reader.at(json, "predicted", "");
  schedule.cycles =
      reader.integer(reader.at(predicted, "cycles", "predicted."), "predicted.cycles");
  schedule.l1Bytes =
      reader.integer(reader.at(predicted, "l1_bytes", "predicted."), "predicted.l1_bytes");
  return schedule;
}

Selection replay(const Schedule &schedule, const std::string &file, const Program &program,
                 const Formulation &formulation, const machine::Machine &machine,
                 const Request &request) {
  Selection selection;
  selection.candidate = schedule.candidate;
  selection.problem = problemOf(formulation, program, schedule.candidate);
  auto illegal = [&](const std::string &what) {
    return Error(Kind::User, "schedule.illegal",
                 "the schedule is not legal for '" + program.name + "': " + what,
                 "write a fresh schedule with --print-schedule", {file});
  };
  // The candidate's pins replace the domains, so what was asked for is checked against them here.
  const Placement &placement = schedule.candidate.placement;
  if ((request.gridX && placement.sizeX() > request.gridX) ||
      (request.gridY && placement.sizeY() > request.gridY))
    throw illegal("its " + std::to_string(placement.sizeX()) + " x " +
                  std::to_string(placement.sizeY()) + " cores are more than the grid asked for");
  for (auto [variable, value] : pinsOf(formulation, program, schedule.candidate))
    if (const auto &asked = formulation.problem.variables[variable];
        !std::binary_search(asked.domain.begin(), asked.domain.end(), value))
      throw illegal("value " + std::to_string(value) + " of \"" + asked.name +
                    "\" is not in its domain");
  const auto &variables = selection.problem.variables;
  if (schedule.values.size() != variables.size())
    throw illegal(std::to_string(schedule.values.size()) + " symbols instead of " +
                  std::to_string(variables.size()));
  for (size_t i = 0; i < variables.size(); ++i) {
    if (schedule.values[i].first != variables[i].name)
      throw illegal("symbol '" + schedule.values[i].first + "' stands where '" + variables[i].name +
                    "' belongs");
    selection.solution.values.push_back(schedule.values[i].second);
  }
  selection.solution.objective = schedule.cycles;
  auto findings = solver::verify(selection.problem, selection.solution);
  if (!findings.empty())
    throw illegal(findings.front());
  Schedule again = makeSchedule(program, formulation, selection, machine, schedule.arguments);
  if (again.l1Bytes != schedule.l1Bytes)
    throw illegal("it claims " + std::to_string(schedule.l1Bytes) +
                  " bytes of local memory where its buffers take " + std::to_string(again.l1Bytes));
  return selection;
}

} // namespace tilewright::mapping
