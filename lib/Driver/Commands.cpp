// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From option texts to calls of the road.
#include "tilewright/Driver/Commands.h"
#include "tilewright/Driver/Run.h"
#include <charconv>
#include <iostream>

namespace tilewright::driver {

//===--- Option texts
//--------------------------------------------------------------------------------===//

static int64_t integer(const std::string &text, const std::string &option) {
  int64_t value = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size())
    throw UsageError("option " + option + ": '" + text + "' is not a 64-bit integer");
  return value;
}

static std::pair<std::string, std::string> pair(const std::string &text,
                                                const std::string &option) {
  size_t equal = text.find('=');
  if (equal == std::string::npos || equal == 0 || equal + 1 == text.size())
    throw UsageError("option " + option + ": '" + text + "' is not NAME=VALUE");
  return {text.substr(0, equal), text.substr(equal + 1)};
}

static void parseGrid(const std::string &text, mapping::Request &request) {
  size_t cross = text.find('x');
  if (cross == std::string::npos)
    throw UsageError("option --grid: '" + text + "' is not COLUMNSxROWS");
  request.gridX = integer(text.substr(0, cross), "--grid");
  request.gridY = integer(text.substr(cross + 1), "--grid");
  if (request.gridX < 1 || request.gridY < 1)
    throw UsageError("option --grid: '" + text + "' has no cores");
}

static CompileOptions compileOptions(const CommandOptions &o) {
  CompileOptions options;
  options.kernel = o.kernel;
  options.arch = o.arch;
  options.arguments = o.arguments;
  options.scheduleFile = o.scheduleFile;
  if (!o.grid.empty())
    parseGrid(o.grid, options.request);
  for (const std::string &text : o.fixed) {
    auto [name, value] = pair(text, "--fix");
    if (!options.request.fixed.emplace(name, integer(value, "--fix")).second)
      throw UsageError("option --fix: '" + name + "' is given twice");
  }
  return options;
}

static std::map<std::string, std::string> inputFiles(const CommandOptions &o) {
  std::map<std::string, std::string> files;
  for (const std::string &text : o.inputs)
    if (!files.insert(pair(text, "--input")).second)
      throw UsageError("option --input: '" + pair(text, "--input").first + "' is given twice");
  return files;
}

//===--- Commands
//------------------------------------------------------------------------------------===//

static Stage lastStage(const CommandOptions &o) {
  if (!o.stopAfter.empty())
    return stageByName(o.stopAfter);
  if (o.emit == "problem" || o.emit == "schedule")
    return Stage::Schedule;
  return o.emit == "ir" ? Stage::Mapped : Stage::Sources;
}

int compileCommand(const CommandOptions &o) {
  CompileOptions options = compileOptions(o);
  options.stopAfter = lastStage(o);
  bool schedule = o.printSchedule || o.emit == "schedule";
  if ((schedule || o.emit == "problem") && options.stopAfter < Stage::Schedule)
    throw UsageError("--stop-after=" + o.stopAfter + " ends before there is a schedule");
  if (!o.output.empty() && options.stopAfter != Stage::Sources)
    throw UsageError("-o needs the road to go to its end: leave --stop-after and --emit out");
  auto compilation = compile(options);
  if (!o.output.empty())
    writeFolder(o.output, compilation->emitted.files);
  if (o.emit == "ir" || (o.emit.empty() && options.stopAfter < Stage::Schedule))
    std::cout << compilation->ir();
  else if (o.emit == "problem")
    std::cout << compilation->selection.problem.toJson() << "\n";
  else if (schedule)
    std::cout << mapping::toJson(compilation->schedule, compilation->facts);
  else
    std::cout << report(*compilation, !o.noTimes);
  return 0;
}

int runCommand(const CommandOptions &o) {
  RunOptions options{compileOptions(o), inputFiles(o), o.seed, o.saveFolder};
  RunResult result = o.device == "simulator" ? runOnSimulator(options) : run(options);
  std::cout << result.text;
  return result.pass ? 0 : 1;
}

int emulateCommand(const CommandOptions &o) {
  std::cout << emulateFolder(o.folder, o.seed, inputFiles(o), o.saveFolder);
  return 0;
}

int archListCommand(const CommandOptions &) {
  for (const std::string &name : machine::list())
    std::cout << name << "\n";
  return 0;
}

int archShowCommand(const CommandOptions &o) {
  std::cout << machine::show(machine::find(o.arch));
  return 0;
}

int archLintCommand(const CommandOptions &o) {
  auto findings = machine::lint(o.arch);
  for (const auto &finding : findings)
    std::cerr << finding.str();
  if (findings.empty())
    std::cout << o.arch << ": no findings\n";
  return findings.empty() ? 0 : 1;
}

} // namespace tilewright::driver
