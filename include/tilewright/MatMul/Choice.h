// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the planner decides: template, modules and tiles (AdaptCore paper, sections 4 and 5.3).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::matmul {

/// Two axes tell the first four apart: does one output tile fit L0C (otherwise partial sums leave
/// the chip after every slice of K), and is K split over cores. Stream-K splits K only for the
/// tiles of the last, incomplete wave. Fill: k is 0 and C becomes zero. Nothing: C is empty.
enum class Template : uint8_t {
  Common,
  SingleCoreSplitK,
  MultiCoreSplitK,
  HybridSplitK,
  StreamK,
  Fill,
  Nothing
};
constexpr bool onChip(Template t) {
  return t == Template::Common || t == Template::MultiCoreSplitK || t == Template::StreamK;
}
constexpr bool splitsOverCores(Template t) {
  return t == Template::MultiCoreSplitK || t == Template::HybridSplitK;
}

/// How vector cores rewrite a matrix before (A, B) or after (C) the main loop: rows moved to an
/// aligned pitch, or fractals laid out as L1 wants them.
enum class Pad : uint8_t { None, Nd, Nz };
enum class Resident : uint8_t { None, A, B };
/// L1 buffering: one buffer (load and compute alternate), two, or two with the first load of the
/// next tile issued before the present one ends.
enum class Pipelining : uint8_t { Single, Double, Preload };

/// The optimisation library. Default: nothing is applied.
struct Modules {
  Pad padA = Pad::None, padB = Pad::None, padC = Pad::None; ///< C: None or Nd
  Resident resident = Resident::None;                       ///< L1 Resident
  Pipelining pipelining = Pipelining::Single;               ///< Multi-Buffer, Preloading
  bool shuffleK = false;        ///< cores start at different slices of K
  bool smallM = false;          ///< rows of A are copied one by one
  bool eliminateScalar = false; ///< one task per core, one slice: no loops, constant tiling
  bool atomic = false;          ///< split parts are added by atomic writes, in any order
  bool operator==(const Modules &) const = default;
};

/// Sizes in elements. On chip m0 = m1 and n0 = n1. Off chip the m1 x n1 tile is worked through in
/// sub-blocks of m0 x n0, B arriving in pieces of n0 columns.
struct Tiles {
  int64_t m1 = 0, n1 = 0; ///< L1 tile = output tile of one task
  int64_t kA = 0, kB = 0; ///< depth of one L1 buffer of A, of B; the smaller divides the larger
  int64_t m0 = 0, n0 = 0, k0 = 0;
  int64_t split = 1;   ///< parts of K
  int64_t swizzle = 1; ///< rows of tiles that are worked on together
  bool operator==(const Tiles &) const = default;
};

struct Choice {
  Template kind = Template::Common;
  Modules modules;
  Tiles tiles;
  bool operator==(const Choice &) const = default;
  /// "MultiCoreSplitK m1=64 n1=64 k1=512/256 k0=128 split=8, padding B nz, preload".
  std::string str() const;
};

const char *name(Template t); ///< "Common", ...
const char *name(Pad pad);
const char *name(Pipelining pipelining);
/// Names of the modules in use: "padding B nz", "preload", "shuffleK", ...
std::vector<std::string> moduleNames(const Modules &modules);

} // namespace tilewright::matmul
