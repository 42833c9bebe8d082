// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compute kernel before its configuration is known: statements that say which state of the
// engines they need. Configuring puts the shortest sequence of inits and reconfigurations between
// them.
#pragma once

#include "CodeWriter.h"
#include <map>
#include <string>
#include <vector>

namespace tilewright::ttmetal {

/// Fields of the engines' state. Where several are set at once they are set in this (alphabetical)
/// order: formats before the inits that depend on them.
namespace fields {
inline constexpr const char *srcA = "a source A format";
inline constexpr const char *srcB = "b source B format";
inline constexpr const char *pack = "c pack format";
inline constexpr const char *relu = "d packer ReLU";
inline constexpr const char *sfpu = "e vector engine";
inline constexpr const char *fpu = "f matrix engine";
} // namespace fields

/// One piece of engine state that a statement needs: `field` must hold `value`; `lines` set it.
struct Need {
  std::string field, value;
  std::vector<std::string> lines;
  std::string leave;   ///< a line that must run before the field takes another value
  bool replay = false; ///< an init that may use the math thread's replay buffer
};

struct Step {
  enum Kind { Line, Block } kind = Line;
  std::string text; ///< a statement, or the head of a block
  std::vector<Need> needs;
  std::vector<Step> body;
  bool conditional = false; ///< a block that may be skipped; otherwise it is a loop

  static Step line(std::string text, std::vector<Need> needs = {}) {
    return {Line, std::move(text), std::move(needs), {}, false};
  }
  static Step loop(std::string head, std::vector<Step> body) {
    return {Block, std::move(head), {}, std::move(body), false};
  }
  static Step when(std::string head, std::vector<Step> body) {
    return {Block, std::move(head), {}, std::move(body), true};
  }
};

struct Known {
  std::string value, leave;
  bool replay = false;
  bool operator==(const Known &) const = default;
};
/// Engine state as far as it is known, by field.
using EngineState = std::map<std::string, Known>;

/// The steps with all configuration in place, given what is known on entry; `state` is updated.
std::vector<Step> configure(const std::vector<Step> &steps, EngineState &state);
void print(const std::vector<Step> &steps, CodeWriter &out);

} // namespace tilewright::ttmetal
