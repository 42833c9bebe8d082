// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The answer as plain data: printed by --print-schedule, replayed by --schedule.
#pragma once

#include "tilewright/Mapping/Select.h"

namespace tilewright::mapping {

struct Schedule {
  std::string kernel, source, machine;
  std::vector<std::string> arguments; ///< the -a descriptions it was solved for
  Candidate candidate;
  std::vector<std::pair<std::string, int64_t>> values; ///< every variable, in the problem's order
  int64_t cycles = 0;                                  ///< predicted
  int64_t l1Bytes = 0;                                 ///< per core
  int64_t value(std::string_view name) const;
};

Schedule makeSchedule(const Program &program, const Formulation &formulation,
                      const Selection &selection, const machine::Machine &machine,
                      std::vector<std::string> arguments);

/// JSON text, stable byte for byte.
std::string toJson(const Schedule &schedule, const Program &program);
/// Errors: "schedule.syntax" with line and column, "schedule.field" naming the field, and
/// "schedule.mismatch" when it belongs to another kernel, machine or argument list.
Schedule fromJson(const std::string &text, const std::string &file, const Program &program,
                  const machine::Machine &machine, const std::vector<std::string> &arguments);
/// Checks a schedule read from a file against the problem it claims to solve; the result is as if
/// it had been solved under `request`. Errors: "schedule.illegal" with what is violated.
Selection replay(const Schedule &schedule, const std::string &file, const Program &program,
                 const Formulation &formulation, const machine::Machine &machine,
                 const Request &request);

} // namespace tilewright::mapping
