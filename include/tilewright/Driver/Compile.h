// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole road from a Helion file to emitted sources as one function.
#pragma once

#include "tilewright/Machine/Machine.h"
#include "tilewright/Mapping/Schedule.h"
#include "tilewright/Target/TTMetal/Emit.h"
#include <memory>
#include <string>
#include <vector>

namespace tilewright::driver {

/// Where the road may end. Later stages contain the earlier ones.
enum class Stage { Tile, Dataflow, Merged, Concrete, Schedule, Mapped, Sources };
/// Stage by its name on the command line ("tile", "dataflow", ...); Error "driver.unknown-stage".
Stage stageByName(const std::string &name);

struct CompileOptions {
  std::string kernel;                 ///< "FILE.py" or "FILE.py:FUNCTION"
  std::string arch;                   ///< machine name or file
  std::vector<std::string> arguments; ///< -a texts
  mapping::Request request;           ///< --fix, --grid
  std::string scheduleFile;           ///< --schedule; empty: solve
  Stage stopAfter = Stage::Sources;
};

struct StageTime {
  std::string stage;
  double seconds = 0;
};

/// Everything that was decided on the way. Members beyond the stage that was asked for are empty.
struct Compilation {
  Compilation();
  ~Compilation();
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> tile;    ///< stage 1
  mlir::OwningOpRef<mlir::ModuleOp> program; ///< the latest stage reached
  machine::Machine machine;
  mapping::Program facts;
  mapping::Formulation formulation;
  mapping::Selection selection;
  mapping::Schedule schedule;
  ttmetal::Emitted emitted;
  std::vector<StageTime> times;
  mlir::func::FuncOp function(mlir::ModuleOp module) const;
  std::string ir() const; ///< text of `program`
};

std::unique_ptr<Compilation> compile(const CompileOptions &options);

/// The report of `tilewright compile`. Times are left out when `withTimes` is false (stable
/// output).
std::string report(const Compilation &compilation, bool withTimes);

/// Writes the emitted files to `folder` as a whole: on failure the folder is as it was before.
/// Errors: "driver.output-folder".
void writeFolder(const std::string &folder, const std::map<std::string, std::string> &files);

} // namespace tilewright::driver
