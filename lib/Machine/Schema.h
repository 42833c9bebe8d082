// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a machine file of a family must and may contain: the paths that the compiler and the
// emulator read, with their units.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::machine {

/// A number that code reads. A last component "*" stands for any name.
struct NumberRule {
  std::string path;
  std::string unit;
  int64_t minimum = 1;
  bool required = true;
};
struct CostRule {
  std::string name;
  std::vector<std::string> parameters;
};
struct FamilySchema {
  std::string family;
  std::vector<NumberRule> numbers;
  std::vector<std::string> texts; ///< required
  std::vector<CostRule> costs;    ///< required, with exactly these parameters
  /// Texts below this path name costs with the single parameter "tiles"; empty: there are none.
  std::string costChoice;
};

FamilySchema ascendSchema();

/// nullptr for an unknown family.
const FamilySchema *schemaOf(const std::string &family);
std::vector<std::string> families();
/// Rule for a number's path, or nullptr: then it is a constant of the file's own formulas.
const NumberRule *ruleFor(const FamilySchema &schema, const std::string &path);
const std::vector<std::string> &knownUnits();
/// The unit that a path's last component asks for ("read_cycles": "cycles"); empty when it asks for
/// none.
std::string unitOfName(const std::string &path);

} // namespace tilewright::machine
