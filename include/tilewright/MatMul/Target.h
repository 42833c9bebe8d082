// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A machine of the Ascend family as the planner's inner loop wants it: plain integers read once.
#pragma once

#include "tilewright/Machine/Machine.h"
#include "tilewright/Symbolic/Tape.h"
#include <array>
#include <memory>

namespace tilewright::matmul {

/// Numbers of the machine file (same names); cycles, bytes, bytes per cycle unless the name says
/// otherwise.
struct Target {
  /// Errors: "matmul.family" (Unsupported) unless the machine is of the Ascend family; Machine's
  /// own for missing numbers.
  explicit Target(const machine::Machine &machine);

  machine::Machine machine;
  int64_t clockMhz, cores, vectorCores;
  int64_t l1, l0a, l0b, l0c, ub, l2, hbm;
  int64_t l2Usable; ///< bytes of L2 that panels may fill
  int64_t fractal, alignment, elementBytes;
  int64_t cubeM, cubeN, cubeK, cubeHead;
  int64_t mte1A, mte1B, mte1Issue;
  int64_t mte2Hot, mte2Cold, mte2Issue, maxStride;
  int64_t hbmPer1000;
  int64_t fixRate, fixIssue, fixUnalignedPermille;
  int64_t vectorRead, vectorWrite, padHotPer1000, padColdPer1000, padHotLimit;
  int64_t launchBase, launchCores, launchPass, launchMix, launchConstantTiling, sync;
  int64_t sameAddressPermille, tlbPermille, tlbInner, tlbOuter;

  /// Cost nd2nz_1000_rows of the machine file for rows of `elements` elements; `pitchAlignment` is
  /// the largest power of two that divides the row pitch in bytes, at most alignment.gm.
  int64_t rows1000(int64_t elements, int64_t pitchAlignment) const;
  /// The least of rows1000(e) / e over 1 <= e <= elements, times 2^20, rounded down.
  int64_t leastRow(int64_t elements, int64_t pitchAlignment) const;
  /// A hash of every number and formula: tables built for another machine are foreign.
  uint64_t fingerprint() const;

  double microseconds(int64_t cycles) const { return double(cycles) / double(clockMhz); }

private:
  static constexpr int64_t tabulated = 4096; ///< elements
  using Table = std::vector<std::array<int64_t, 10>>;
  int64_t rowCost(int64_t elements, int64_t pitchAlignment) const;
  std::shared_ptr<const Table> table, leastTable;
  std::shared_ptr<const symbolic::Tape> rowTape;
};

/// The largest power of two that divides `bytes`, at most `limit`.
int64_t pitchAlignment(int64_t bytes, int64_t limit);

} // namespace tilewright::matmul
