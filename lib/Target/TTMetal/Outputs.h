// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files beside the kernels.
#pragma once

#include "DataMovement.h"
#include "MapPlan.h"
#include "Plan.h"

namespace tilewright::ttmetal {

/// manifest.json (docs/manifest.md).
std::string emitManifest(const Plan &plan, const DataMovement &reader, const DataMovement &writer,
                         int64_t l1Bytes);
/// run.py: launches the kernels and checks them against a NumPy evaluation of the same program.
std::string emitScript(const Plan &plan, const machine::Machine &machine,
                       const std::vector<std::string> &header);

} // namespace tilewright::ttmetal
