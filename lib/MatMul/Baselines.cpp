// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tilewright/MatMul/Baselines.h"
#include "Space.h"

namespace tilewright::matmul {

namespace {
/// Rows and columns of the output tile.
struct Tile {
  int64_t m = 128, n = 256;
};

int64_t blocks(const Shape &s, Tile t) {
  return ceildiv(s.m, t.m) * s.batch * ceildiv(s.n, t.n);
}

/// The deepest of `depths` with two buffers in L1, and the deepest step with two in L0.
Tiles tilesOf(const Target &t, Tile tile, std::initializer_list<int64_t> depths) {
  Tiles x;
  x.m1 = x.m0 = tile.m, x.n1 = x.n0 = tile.n;
  x.kA = x.kB = t.fractal;
  for (int64_t depth : depths)
    if (2 * t.elementBytes * depth * (tile.m + tile.n) <= t.l1) {
      x.kA = x.kB = depth;
      break;
    }
  x.k0 = t.fractal;
  while (2 * x.k0 <= x.kA && 4 * t.elementBytes * x.k0 * tile.m <= t.l0a &&
         4 * t.elementBytes * x.k0 * tile.n <= t.l0b)
    x.k0 *= 2;
  x.swizzle = 3;
  return x;
}

bool isLegal(const Target &t, const Shape &s, const Choice &c) {
  return cycles(t, s, c).has_value();
}

/// The choice itself, else without what does not fit: padding, order, depth.
Choice legalised(const Target &t, const Shape &s, Choice c) {
  if (isLegal(t, s, c))
    return c;
  c.kind = Template::Common;
  c.tiles.split = 1;
  c.modules.padA = c.modules.padB = c.modules.padC = Pad::None;
  c.modules.eliminateScalar = c.modules.atomic = false;
  if (!isLegal(t, s, c))
    c.tiles = tilesOf(t, {t.fractal, t.fractal}, {t.fractal});
  return c;
}

/// Shrinks m while the number of rounds stays (BalanceWorkload).
void balance(const Target &t, const Shape &s, Tile &tile, int64_t least) {
  int64_t limit = roundUp(blocks(s, tile), t.cores);
  while (tile.m > least && blocks(s, {tile.m - t.fractal, tile.n}) <= limit)
    tile.m -= t.fractal;
}

double ratio(const Shape &s) {
  return (double(s.m) * double(s.k) + double(s.k) * double(s.n)) / (double(s.m) * double(s.n));
}

/// n below 256: as wide as n, then taller as long as that saves a round.
Tile narrowTile(const Target &t, const Shape &s) {
  Tile tile{128, roundUp(s.n, t.fractal)};
  auto rounds = [&](int64_t m) { return ceildiv(blocks(s, {m, tile.n}), t.cores); };
  while (4 * (tile.m + t.fractal) * tile.n <= t.l0c && tile.m < 512 &&
         rounds(tile.m + t.fractal) < rounds(tile.m))
    tile.m += t.fractal;
  return tile;
}

Tile tile102(const Target &t, const Shape &s) {
  bool rowA = s.layoutA == Layout::Row, rowB = s.layoutB == Layout::Row;
  Tile tile;
  if (rowA && rowB) {
    if (s.n < 256)
      return narrowTile(t, s);
    if (s.k <= 128 && s.n >= 512)
      tile = {64, 512};
    balance(t, s, tile, 32);
  } else if (rowA) {
    if (s.m > s.n && (ratio(s) > 0.1 || s.n < 256))
      tile = {256, 128};
    balance(t, s, tile, 64);
  } else if (rowB) {
    if (blocks(s, tile) <= t.cores / 4)
      tile = {64, 128};
    else if (blocks(s, tile) <= t.cores / 2)
      tile = {64, 256};
  } else if (!(ratio(s) < 0.1 && s.n >= 256)) {
    tile = {256, 128};
    balance(t, s, tile, 64);
  }
  return tile;
}

int64_t largestSplit(int64_t k, int64_t cores) {
  return k >= 12288 ? cores : k > 4096 ? 16 : k > 2048 ? 8 : k > 1024 ? 4 : 2;
}

bool splits102(const Target &t, const Shape &s, Tile tile) {
  int64_t tasks = blocks(s, tile);
  return (tasks <= t.cores / 2 && s.k > 5120) || (tasks <= 2 && s.k > 1024);
}

/// Cycles of one core for reading both operands with these paddings, and the passes before.
int64_t readTime(const Target &t, const Shape &s, const Choice &c) {
  Setting setting(t, s, c.kind, c.modules);
  TilesOf<int64_t> x{c.tiles.m1, c.tiles.n1, c.tiles.kA, c.tiles.kB, c.tiles.m0,
                     c.tiles.n0, c.tiles.k0, 1,          1};
  Estimate<int64_t> e = estimate(setting, x);
  return e.core.busy.mte2 + setting.a.padCycles + setting.b.padCycles;
}

/// The fastest of four: pad neither, A, B or both, by reading alone.
void choosePadding(const Target &t, const Shape &s, Choice &c) {
  Choice best = c;
  for (Pad a : {Pad::None, Pad::Nz})
    for (Pad b : {Pad::None, Pad::Nz}) {
      Choice other = c;
      other.modules.padA = a, other.modules.padB = b;
      if (readTime(t, s, other) < readTime(t, s, best))
        best = other;
    }
  c = best;
}
} // namespace

Choice basicCatlass(const Target &t, const Shape &s) {
  Choice c{Template::Common, {}, tilesOf(t, {}, {256})};
  c.modules.pipelining = Pipelining::Double;
  return legalised(t, s, c);
}

Choice rule102(const Target &t, const Shape &s) {
  bool mirrored = s.layoutA == Layout::Column && (s.layoutB == Layout::Column || s.m > s.n);
  Tile trial = mirrored ? Tile{256, 128} : Tile{};
  Choice c{Template::Common, {}, tilesOf(t, tile102(t, s), {1024, 512, 256, 128})};
  c.modules.pipelining = Pipelining::Preload;
  Tile tile{c.tiles.m1, c.tiles.n1};
  int64_t tasks = blocks(s, tile);
  if (tasks <= t.cores && s.k <= c.tiles.kA) {
    c.modules.pipelining = Pipelining::Double;
    c.modules.eliminateScalar = true;
    return legalised(t, s, c);
  }
  c.modules.shuffleK = shuffleApplies(t, s);
  if (splits102(t, s, trial)) {
    c.kind = Template::MultiCoreSplitK;
    c.tiles = tilesOf(t, trial, {256});
    c.tiles.split = min(t.cores / blocks(s, trial), largestSplit(s.k, t.cores));
    c.tiles.swizzle = 1;
  } else if (tasks > t.cores && tasks < 8 * t.cores && tasks % t.cores && s.k > 3072 &&
             10 * (tasks % t.cores) < 8 * t.cores) {
    c.kind = Template::StreamK;
  }
  choosePadding(t, s, c);
  if (c.kind == Template::Common && s.m * s.n > 2048 * 2048 && s.n > 256 && s.n % 128)
    c.modules.padC = Pad::Nd;
  return legalised(t, s, c);
}

/// Rows that the vendor's library reads as they are.
static bool readable(int64_t pitch, int64_t bytes) {
  for (int64_t known : {32, 64, 96, 128, 160, 192, 224, 256, 384})
    if (pitch * bytes == known)
      return true;
  return pitch * bytes % 256 == 0 && pitch <= 65535;
}

Choice aclnnLike(const Target &t, const Shape &s) {
  Tile tile{min(int64_t(128), roundUp(s.m, t.fractal)), min(int64_t(256), roundUp(s.n, t.fractal))};
  if (s.m > s.n && s.n <= 128)
    tile = {min(int64_t(256), roundUp(s.m, t.fractal)), roundUp(s.n, t.fractal)};
  Choice c{Template::Common, {}, tilesOf(t, tile, {256, 128, 64, 32})};
  c.modules.pipelining = Pipelining::Double;
  if (!readable(s.pitchA(), t.elementBytes))
    c.modules.padA = Pad::Nz;
  if (!readable(s.pitchB(), t.elementBytes))
    c.modules.padB = Pad::Nz;
  int64_t tasks = ceildiv(s.m, int64_t(128)) * ceildiv(s.n, int64_t(128));
  bool rowByColumn = s.layoutA == Layout::Row && s.layoutB == Layout::Column;
  if (s.k >= 27392 && s.n >= 512 && s.m >= 384) {
    c.kind = Template::SingleCoreSplitK;
    c.tiles = {
        384, max(int64_t(512), min(roundUp(s.n, 128), int64_t(2048))), 256, 256, 128, 128, 128, 1,
        3};
  } else if (2 * tasks < t.cores && ((s.k >= 384 * t.cores && !rowByColumn) || s.k >= 27392)) {
    c.kind = Template::MultiCoreSplitK;
    c.tiles.split = max(int64_t(2), t.cores / max(blocks(s, tile), int64_t(1)));
    c.tiles.swizzle = 1;
  }
  return legalised(t, s, c);
}

} // namespace tilewright::matmul
