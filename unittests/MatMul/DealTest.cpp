// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles over cores: the closed form against dealing them one by one.
#include "Kernel.h"
#include "Shapes.h"
#include <gtest/gtest.h>
#include <tuple>

using namespace tilewright;
using namespace tilewright::matmul;

/// Whole tiles first, then one kind of edge, then the other, the corners last; dealt in turn to
/// cores.
static std::vector<Dealt<int64_t>> dealOneByOne(const Blocks<int64_t> &rows,
                                                const Blocks<int64_t> &columns, int64_t split,
                                                int64_t cores, bool rightFirst) {
  std::vector<int> kinds(size_t(rows.full * columns.full * split), 0);
  int64_t right = rows.full * columns.edges * split, bottom = rows.edges * columns.full * split;
  kinds.insert(kinds.end(), size_t(rightFirst ? right : bottom), rightFirst ? 1 : 2);
  kinds.insert(kinds.end(), size_t(rightFirst ? bottom : right), rightFirst ? 2 : 1);
  kinds.insert(kinds.end(), size_t(rows.edges * columns.edges * split), 3);
  std::vector<Dealt<int64_t>> dealt(size_t(cores), Dealt<int64_t>{0, 0, 0, 0});
  for (size_t i = 0; i < kinds.size(); ++i) {
    Dealt<int64_t> &d = dealt[i % size_t(cores)];
    (kinds[i] == 0   ? d.interior
     : kinds[i] == 1 ? d.right
     : kinds[i] == 2 ? d.bottom
                     : d.corner) += 1;
  }
  return dealt;
}

/// Times of the kinds are arbitrary, but whole tiles are slowest and corners fastest: the larger of
/// core 0's two lists is the longest list of all cores when the slower edge comes first, or longer
/// by at most one edge in place of the other.
TEST(Deal, ClosedFormIsCoreZeroAndNobodyEndsLater) {
  Random random(3);
  int exact = 0;
  for (int i = 0; i < 3000; ++i) {
    int64_t m = 1 + int64_t(random.below(9)), n = 1 + int64_t(random.below(9));
    Blocks<int64_t> rows = blocksOf(1 + int64_t(random.below(60)), m);
    Blocks<int64_t> columns = blocksOf(1 + int64_t(random.below(60)), n);
    int64_t split = 1 + int64_t(random.below(3)), cores = 1 + int64_t(random.below(25));
    int64_t tasks = rows.count() * columns.count() * split;
    int64_t corner = int64_t(random.below(50)), right = corner + int64_t(random.below(50));
    int64_t bottom = corner + int64_t(random.below(50));
    int64_t whole = std::max(right, bottom) + int64_t(random.below(50));
    auto time = [&](const Dealt<int64_t> &d) {
      return d.interior * whole + d.right * right + d.bottom * bottom + d.corner * corner;
    };
    int64_t larger = 0, longest = 0;
    for (bool rightFirst : {true, false}) {
      Dealt<int64_t> got = deal(rows, columns, split, cores, tasks, rightFirst);
      auto all = dealOneByOne(rows, columns, split, cores, rightFirst);
      EXPECT_EQ(std::tie(got.interior, got.right, got.bottom, got.corner),
                std::tie(all[0].interior, all[0].right, all[0].bottom, all[0].corner));
      larger = std::max(larger, time(got));
      if (rightFirst == (right >= bottom))
        for (const auto &other : all)
          longest = std::max(longest, time(other));
    }
    EXPECT_GE(larger, longest);
    EXPECT_LE(larger - longest, std::abs(right - bottom));
    exact += larger == longest;
  }
  EXPECT_GT(exact, 2700);
}

TEST(Deal, BlocksCoverTheAxis) {
  for (int64_t size = 1; size < 200; ++size)
    for (int64_t tile : {1, 3, 16, 64, 300}) {
      Blocks<int64_t> b = blocksOf(size, tile);
      EXPECT_EQ(b.full * tile + b.edges * b.extent, size);
      EXPECT_EQ(b.count(), (size + tile - 1) / tile);
    }
}

/// Groups of rows make the tiles of each group apart.
TEST(Deal, GroupsAreTiledApart) {
  Shape s = shape(100 + 0 + 16 + 300, 64, 64);
  s.groups = {100, 0, 16, 300};
  Setting setting(target(), s, Template::Common, {});
  Blocks<int64_t> rows = rowBlocks<int64_t>(setting, 64);
  EXPECT_EQ(rows.full, 1 + 0 + 0 + 4);
  EXPECT_EQ(rows.edges, 1 + 0 + 1 + 1);
  EXPECT_EQ(rows.extent, 44);
}
