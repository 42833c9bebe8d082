// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No operating system: takes the place of the host's file of this name, which asks for glibc.
#pragma once
#define _GLIBCXX_NO_OBSOLETE_ISINF_ISNAN_DYNAMIC 1
