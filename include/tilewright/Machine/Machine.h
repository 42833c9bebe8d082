// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One machine, described as data. Everything that other rooms know about hardware comes from here.
#pragma once

#include "tilewright/Symbolic/Expr.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::machine {

using symbolic::Expr;

/// A number from a machine file: its value, where it comes from, and a range where sources
/// disagree.
struct Quantity {
  int64_t value = 0;
  std::string unit;
  std::string source;
  std::optional<symbolic::Interval> range;
};

/// One arm of a cost: applies when `when` is not 0 (a parsed guard over the parameters). Numbers
/// that the texts name by their dotted path are constants in the expressions.
struct CostCase {
  Expr when;
  Expr cycles;
  std::string source;
  std::string whenText, cyclesText; ///< as written, white space folded
};

/// A primitive's cost in core clock cycles as a function of named integer parameters. The guards of
/// the cases neither overlap nor leave holes within `domain` (checked by lint).
struct Cost {
  std::string name;
  std::string resource; ///< what is busy: "fpu", "noc0", "noc1", "dram", "packer", ...
  std::vector<std::string> parameters;
  symbolic::Box domain; ///< validity range of each parameter
  std::vector<CostCase> cases;
  bool free = false; ///< may be 0 cycles
  /// The cost with `arguments` put in for the parameters: a select over the cases, the last of
  /// which also stands for points outside `domain` where no guard holds. Errors:
  /// "machine.cost-arguments" when a parameter is missing or unknown.
  Expr cycles(const std::map<std::string, Expr, std::less<>> &arguments) const;
};

struct Grid {
  int64_t x = 0, y = 0; ///< cores usable by kernels, logical
};

/// Something that can be busy: a link or an engine, and the memories it takes data from and puts
/// data in.
struct Resource {
  std::vector<std::string> from, to;
  std::string source;
};

struct Machine {
  std::string name;   ///< file stem, "wormhole"
  std::string family; ///< "tenstorrent" or "ascend": which target the compiler uses
  std::string arch;   ///< the vendor's architecture name, "wormhole"
  std::string file;   ///< where it was read from
  std::string description;
  Grid grid;                         ///< numbers "grid.x" and "grid.y"
  std::vector<std::string> memories; ///< outermost first
  std::map<std::string, Resource, std::less<>> resources;
  /// All numbers by dotted path ("l1.capacity", "dram.banks", "noc.alignment.dram_read",
  /// "tile.rows", ...).
  std::map<std::string, Quantity, std::less<>> numbers;
  std::map<std::string, std::string, std::less<>> texts; ///< e.g. "compute.math_fidelity.bf16"
  std::map<std::string, std::string, std::less<>> textSources;
  std::map<std::string, Cost, std::less<>> costs;

  int64_t number(std::string_view path) const;          ///< Error "machine.missing-number"
  const std::string &text(std::string_view path) const; ///< Error "machine.missing-text"
  const Cost &cost(std::string_view name) const;        ///< Error "machine.missing-cost"
};

/// Reads and checks one YAML file (docs/machine-files.md). Throws the first finding, with line and
/// column: "machine.open", "machine.yaml", "machine.unknown-key", "machine.missing-key",
/// "machine.duplicate-key", "machine.type", "machine.integer", "machine.value", "machine.unit",
/// "machine.formula", "machine.formula-name", "machine.unknown-name", "machine.cost-parameters";
/// all Kind::User.
Machine load(const std::string &path);
/// All findings of `load`; when there are none, what is well formed but suspect:
/// "machine.missing-source", "machine.range", "machine.alignment", "machine.capacity",
/// "machine.unreachable", "machine.inconsistent", "machine.case-hole", "machine.case-overlap",
/// "machine.cost-not-positive", "machine.cost-decreasing", "machine.cost-undefined". The guards and
/// costs are checked at sampled points and on both sides of every guard's boundary between them.
std::vector<Diagnostic> lint(const std::string &path);
/// `nameOrFile`: a path that ends in .yaml, or a name looked up in the machine folder: the
/// environment variable TILEWRIGHT_MACHINES, else the folder of the sources. Error
/// "machine.unknown" lists the known.
Machine find(const std::string &nameOrFile);
/// Names of all machines in the machine folder, sorted.
std::vector<std::string> list();
/// Human-readable dump with sources, for `tilewright arch show`.
std::string show(const Machine &machine);

} // namespace tilewright::machine
