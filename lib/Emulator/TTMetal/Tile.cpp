// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pages in face order to and from row-major tiles.
#include "Tile.h"
#include <cstring>

namespace tilewright::emulator {

/// Visits the 16-element runs that are contiguous in both orders: (element in page, element in
/// tile).
template <typename Visit> static void eachRun(Visit visit) {
  for (int face = 0; face < 4; ++face)
    for (int row = 0; row < faceSide; ++row)
      visit((face * faceSide + row) * faceSide,
            ((face / 2) * faceSide + row) * tileSide + (face % 2) * faceSide);
}

void decodeTile(const uint8_t *page, Dtype dtype, float *rowMajor) {
  if (dtype == Dtype::F32) {
    eachRun([&](int from, int to) { std::memcpy(rowMajor + to, page + from * 4, faceSide * 4); });
    return;
  }
  eachRun([&](int from, int to) {
    uint16_t half[faceSide];
    std::memcpy(half, page + from * 2, sizeof half);
    for (int i = 0; i < faceSide; ++i)
      rowMajor[to + i] = floatOf(uint32_t(half[i]) << 16);
  });
}

void encodeTile(const float *rowMajor, Dtype dtype, uint8_t *page) {
  if (dtype == Dtype::F32) {
    eachRun([&](int to, int from) { std::memcpy(page + to * 4, rowMajor + from, faceSide * 4); });
    return;
  }
  eachRun([&](int to, int from) {
    uint16_t half[faceSide];
    for (int i = 0; i < faceSide; ++i)
      half[i] = uint16_t(bitsOf(roundBf16(rowMajor[from + i])) >> 16);
    std::memcpy(page + to * 2, half, sizeof half);
  });
}

} // namespace tilewright::emulator
