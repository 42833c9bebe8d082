// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What most operation headers pull in.
#pragma once

#include "cb_api.h"
#include "common_globals.h"
#include "compute_kernel_hw_startup.h"
#include "pack.h"
#include "reconfig_data_format.h"
#include "reg_api.h"
