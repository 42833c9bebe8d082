// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's libstdc++ configuration, minus everything a bare RISC-V core lacks.
#pragma GCC system_header
#include_next <bits/c++config.h>
#undef _GLIBCXX_HAS_GTHREADS
#undef _GLIBCXX_HAVE_LINUX_FUTEX
#undef _GLIBCXX_USE_FLOAT128
#undef _GLIBCXX_HAVE_FLOAT128_MATH
#undef _GLIBCXX_USE_C99_MATH_TR1
#undef _GLIBCXX_USE_NLS
#undef _GLIBCXX_USE_WCHAR_T
#undef _GLIBCXX_HAVE_TLS
#undef _GLIBCXX_USE_RANDOM_TR1
#undef _GLIBCXX_VERBOSE
#undef _GLIBCXX_HOSTED
#define _GLIBCXX_HOSTED 1
// The host's `long` is 64 bits wide, the device's 32: size_t must follow the compiler.
