// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random tile programs: products with carried tiles, pointwise work of many shapes, several stores.
#pragma once

#include <string>

/// Text of one stage-1 function named @kernel; the same seed gives the same text.
std::string randomProgram(unsigned seed);
