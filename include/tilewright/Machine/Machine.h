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

/// A number from a machine file: its value, where it comes from, and a range where sources disagree.
struct Quantity {
  int64_t value = 0;
  std::string unit;
  std::string source;
  std::optional<symbolic::Interval> range;
};

/// One arm of a cost: applies when `when` is not 0 (a parsed guard over the parameters).
struct CostCase {
  Expr when;
  Expr cycles;
  std::string source;
};

/// A primitive's cost in core clock cycles as a function of named integer parameters. The guards of the
/// cases neither overlap nor leave holes within `domain` (checked by lint).
struct Cost {
  std::string name;
  std::string resource; ///< what is busy: "fpu", "noc0", "noc1", "dram", "packer", ...
  std::vector<std::string> parameters;
  symbolic::Box domain; ///< validity range of each parameter
  std::vector<CostCase> cases;
  /// The cost with `arguments` put in for the parameters: a select over the cases. Errors:
  /// "machine.cost-arguments" when a parameter is missing or unknown.
  Expr cycles(const std::map<std::string, Expr, std::less<>> &arguments) const;
};

struct Grid {
  int64_t x = 0, y = 0; ///< cores usable by kernels, logical
};

struct Machine {
  std::string name;    ///< file stem, "wormhole"
  std::string family;  ///< "tenstorrent" or "ascend": which target the compiler uses
  std::string arch;    ///< the vendor's architecture name, "wormhole"
  std::string file;    ///< where it was read from
  Grid grid;
  /// All numbers by dotted path ("l1.capacity", "dram.banks", "noc.alignment.dram_read", "tile.rows", ...).
  std::map<std::string, Quantity, std::less<>> numbers;
  std::map<std::string, std::string, std::less<>> texts; ///< e.g. "compute.math_fidelity.bf16"
  std::map<std::string, Cost, std::less<>> costs;

  int64_t number(std::string_view path) const;           ///< Error "machine.missing-number"
  const std::string &text(std::string_view path) const;  ///< Error "machine.missing-text"
  const Cost &cost(std::string_view name) const;         ///< Error "machine.missing-cost"
};

/// Reads and checks one YAML file. Errors carry line and column ("machine.*").
Machine load(const std::string &path);
/// All findings of lint: unit slips, guards with holes or overlaps, unreachable levels, missing sources.
std::vector<Diagnostic> lint(const std::string &path);
/// `nameOrFile`: a path that ends in .yaml, or a name looked up in the machine folder.
Machine find(const std::string &nameOrFile);
/// Names of all machines in the machine folder, sorted.
std::vector<std::string> list();
/// Human-readable dump with sources, for `tilewright arch show`.
std::string show(const Machine &machine);

} // namespace tilewright::machine
