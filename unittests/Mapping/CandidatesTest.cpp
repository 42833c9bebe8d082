// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Candidates against a core-by-core enumeration written without views or factors.
#include "Gemm.h"
#include <gtest/gtest.h>
#include <set>

namespace tilewright::mapping {
namespace {

/// Coordinate of core (x, y) along an axis, straight from the definition of #tw.placement: mixed
/// radix over the axis's factors, those of x first.
int64_t coordinate(const Placement &placement, int axis, int64_t x, int64_t y) {
  int64_t result = 0, radix = 1;
  auto walk = [&](const std::vector<Factor> &factors, int64_t position) {
    for (const Factor &factor : factors) {
      int64_t digit = position % factor.extent;
      position /= factor.extent;
      if (factor.axis == axis) {
        result += digit * radix;
        radix *= factor.extent;
      }
    }
  };
  walk(placement.x, x);
  walk(placement.y, y);
  return result;
}

TEST(Views, AreAllOrderedFactorizations) {
  EXPECT_EQ(viewsOf(1, 2).size(), 1u); // nothing to give away
  EXPECT_EQ(viewsOf(7, 2).size(), 2u); // a prime goes to one axis
  EXPECT_EQ(viewsOf(8, 1).size(), 1u);
  // 8 = 8 (2 owners) or 4*2, 2*4 in 2 orders of owners each.
  EXPECT_EQ(viewsOf(8, 2).size(), 6u);
  for (int64_t size = 1; size <= 12; ++size)
    for (const auto &view : viewsOf(size, 3)) {
      int64_t product = 1;
      std::set<int> owners;
      for (const Factor &factor : view) {
        product *= factor.extent;
        EXPECT_TRUE(owners.insert(factor.axis).second);
        EXPECT_GE(factor.extent, 2);
      }
      EXPECT_EQ(product, size);
    }
}

TEST(Sharing, RectanglesNeedOneBlock) {
  // For every placement of an 8x6 mesh on two axes and every rectangle that tiles it: legal exactly
  // when all cores of each aligned rectangle have the same coordinate along the axes that the load
  // depends on.
  int legalSeen = 0, illegalSeen = 0;
  for (const auto &x : viewsOf(8, 2))
    for (const auto &y : viewsOf(6, 2))
      for (int axis : {0, 1}) {
        Placement placement{x, y, {0, 1}};
        auto legal = legalSharing(placement, {axis});
        for (int64_t sx : {1, 2, 4, 8})
          for (int64_t sy : {1, 2, 3, 6}) {
            bool same = true;
            for (int64_t cx = 0; cx < 8; ++cx)
              for (int64_t cy = 0; cy < 6; ++cy)
                same &= coordinate(placement, axis, cx, cy) ==
                        coordinate(placement, axis, cx / sx * sx, cy / sy * sy);
            bool found = std::any_of(legal.begin(), legal.end(),
                                     [&](const Sharing &s) { return s.x == sx && s.y == sy; });
            EXPECT_EQ(found, same) << "share " << sx << "x" << sy;
            (same ? legalSeen : illegalSeen)++;
          }
      }
  EXPECT_GT(legalSeen, 50);
  EXPECT_GT(illegalSeen, 50);
}

TEST(Enumeration, KeepsOneOfEachClass) {
  Gemm gemm(512, 384, 256, /*bias=*/true);
  auto space = enumerate(gemm.program, 4, 3, 32, 119);
  std::set<std::vector<int64_t>> kept, expected;
  for (const Candidate &candidate : space.candidates) {
    std::vector<int64_t> key{candidate.placement.cores(0), candidate.placement.cores(1)};
    for (const Sharing &sharing : candidate.sharing)
      key.push_back(sharing.cores());
    EXPECT_TRUE(kept.insert(key).second) << "two candidates of one class";
    auto loads = gemm.program.allLoads();
    for (size_t i = 0; i < loads.size(); ++i) {
      auto legal = legalSharing(candidate.placement, loads[i]->axes);
      EXPECT_TRUE(std::any_of(legal.begin(), legal.end(), [&](const Sharing &s) {
        return s.x == candidate.sharing[i].x && s.y == candidate.sharing[i].y;
      }));
    }
  }
  uint64_t count = 0;
  for (int64_t sx = 1; sx <= 4; ++sx)
    for (int64_t sy = 1; sy <= 3; ++sy)
      for (const auto &x : viewsOf(sx, 2))
        for (const auto &y : viewsOf(sy, 2)) {
          Placement placement{x, y, {0, 1}};
          // x depends on axis 0, y and bias on axis 1; two temporal orders.
          auto shareX = legalSharing(placement, {0}), shareY = legalSharing(placement, {1});
          count += 2 * shareX.size() * shareY.size() * shareY.size();
          for (const Sharing &a : shareX)
            for (const Sharing &b : shareY)
              for (const Sharing &c : shareY)
                expected.insert(
                    {placement.cores(0), placement.cores(1), a.cores(), b.cores(), c.cores()});
        }
  EXPECT_EQ(kept, expected);
  EXPECT_EQ(space.enumerated, count);
  EXPECT_EQ(space.idle, 0u);
}

TEST(Enumeration, LoadsThatAreAlikeMayChangePlaces) {
  Gemm gemm(512, 384, 256, 3);
  std::set<std::vector<int64_t>> all, merged;
  auto keys = [&](bool mergeAlike, auto &into, bool sorted) {
    for (const auto &candidate : enumerate(gemm.program, 4, 3, 32, 119, mergeAlike).candidates) {
      std::vector<int64_t> key{candidate.placement.cores(0), candidate.placement.cores(1)};
      for (const Sharing &sharing : candidate.sharing)
        key.push_back(sharing.cores());
      if (sorted)
        std::sort(key.begin() + 4, key.end());
      EXPECT_TRUE(into.insert(key).second || !mergeAlike);
    }
  };
  keys(false, all, true);
  keys(true, merged, true);
  EXPECT_EQ(merged, all);
}

TEST(Enumeration, RefusesWhatWouldTakeForever) {
  Gemm gemm(512, 384, 256, 16);
  EXPECT_NO_THROW(enumerate(gemm.program, 4, 4, 32, 119));
  EXPECT_THROW(enumerate(gemm.program, 4, 4, 32, 119, false), Error);
}

TEST(Enumeration, LeavesOutCoresWithoutWork) {
  Gemm gemm(32, 64, 64);
  auto space = enumerate(gemm.program, 8, 8, 32, 119);
  for (const Candidate &candidate : space.candidates) {
    EXPECT_EQ(candidate.placement.cores(0), 1);
    EXPECT_LE(candidate.placement.cores(1), 2);
  }
  EXPECT_GT(space.idle, 0u);
}

TEST(Program, AccessesInProgramOrder) {
  Gemm gemm(512, 384, 256, /*bias=*/true);
  auto loads = gemm.program.allLoads();
  ASSERT_EQ(loads.size(), 3u);
  EXPECT_EQ(loads[0]->label, "x[tile_m, tile_k]");
  EXPECT_EQ(loads[1]->label, "y[tile_k, tile_n]");
  EXPECT_EQ(loads[2]->label, "bias[tile_n]");
  EXPECT_EQ(loads[0]->axes, std::set<int>({0}));
  EXPECT_EQ(loads[2]->axes, std::set<int>({1}));
  symbolic::Environment sizes{{"tile_m", 64}, {"tile_n", 96}, {"tile_k", 32}};
  EXPECT_EQ(symbolic::evaluate(loads[0]->bytes, sizes), 64 * 32 * 2);
  EXPECT_EQ(symbolic::evaluate(loads[2]->tiles, sizes), 3); // one row of tiles
  EXPECT_EQ(symbolic::evaluate(loads[2]->bytes, sizes), 3 * 2048);
}

} // namespace
} // namespace tilewright::mapping
