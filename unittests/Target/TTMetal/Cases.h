// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that together reach every part of the emitter.
#pragma once

#include "Programs.h"

namespace tilewright::test {

struct Case {
  std::string name, text;
};
std::vector<Case> cases();

} // namespace tilewright::test
