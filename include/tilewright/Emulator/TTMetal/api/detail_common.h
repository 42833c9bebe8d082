// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What data-movement and compute kernels share: arguments, data formats, attribute macros. Not a
// header of the vendor: kernels never name it.
#pragma once

#include "../bridge.h"

#define tt_l1_ptr
#define tt_reg_ptr
#define FORCE_INLINE inline __attribute__((always_inline))
#define ALWI inline __attribute__((always_inline))

enum class DataFormat : uint8_t {
  Float32 = 0,
  Float16_b = 5,
  Int32 = 8,
  UInt32 = 24,
  Invalid = 255
};

namespace tilewright_kernel {
inline const tilewright_bridge::Bridge &bridge() {
  return *tilewright_bridge_table;
}
#ifdef KERNEL_COMPILE_TIME_ARGS
constexpr uint32_t compileTimeArgs[] = {KERNEL_COMPILE_TIME_ARGS};
constexpr uint32_t compileTimeArgCount = sizeof(compileTimeArgs) / sizeof(uint32_t);
#else
constexpr uint32_t compileTimeArgs[] = {0};
constexpr uint32_t compileTimeArgCount = 0;
#endif
} // namespace tilewright_kernel

template <uint32_t index> constexpr uint32_t get_ct_arg() {
  static_assert(index < tilewright_kernel::compileTimeArgCount,
                "compile-time argument index out of range");
  return tilewright_kernel::compileTimeArgs[index];
}
#define get_compile_time_arg_val(index) get_ct_arg<index>()

template <typename T> inline T get_arg_val(int index) {
  static_assert(sizeof(T) == 4, "runtime arguments are 4 bytes wide");
  union {
    uint32_t word;
    T value;
  } bits = {tilewright_kernel::bridge().runtimeArg(index)};
  return bits.value;
}

inline uint8_t get_absolute_logical_x() {
  return uint8_t(tilewright_kernel::bridge().logicalX());
}
inline uint8_t get_absolute_logical_y() {
  return uint8_t(tilewright_kernel::bridge().logicalY());
}
/// Programs start at logical core 0,0 (docs/manifest.md), so relative and absolute agree.
inline uint8_t get_relative_logical_x() {
  return get_absolute_logical_x();
}
inline uint8_t get_relative_logical_y() {
  return get_absolute_logical_y();
}

inline uint32_t get_tile_size(uint32_t cb) {
  return tilewright_kernel::bridge().cbPageBytes(cb);
}
inline DataFormat get_dataformat(uint32_t cb) {
  return DataFormat(tilewright_kernel::bridge().cbFormat(cb));
}
constexpr uint32_t get_tile_hw(int32_t) {
  return 32 * 32;
}
constexpr uint32_t get_tile_num_faces(int32_t) {
  return 4;
}
