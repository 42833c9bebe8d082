// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles over cores: the closed form against dealing them one by one.
#include "Kernel.h"
#include "Shapes.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::matmul;

/// Whole tiles first, then the larger edge, the smaller edge, the corners; dealt in turn to cores.
static std::vector<Dealt<int64_t>> dealOneByOne(const Blocks<int64_t> &rows,
                                                const Blocks<int64_t> &columns, int64_t m,
                                                int64_t n, int64_t split, int64_t cores) {
  std::vector<int> kinds(size_t(rows.full * columns.full * split), 0);
  int64_t right = rows.full * columns.edges * split, bottom = rows.edges * columns.full * split;
  bool rightFirst = m * columns.extent >= rows.extent * n;
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

TEST(Deal, ClosedFormIsCoreZeroAndNobodyHasMore) {
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    int64_t m = 1 + int64_t(random.below(9)), n = 1 + int64_t(random.below(9));
    int64_t rowsTotal = 1 + int64_t(random.below(60)), columnsTotal = 1 + int64_t(random.below(60));
    int64_t split = 1 + int64_t(random.below(3)), cores = 1 + int64_t(random.below(25));
    Blocks<int64_t> rows = blocksOf(rowsTotal, m), columns = blocksOf(columnsTotal, n);
    int64_t tasks = rows.count() * columns.count() * split;
    Dealt<int64_t> got = deal(rows, columns, m, n, split, cores, tasks);
    auto all = dealOneByOne(rows, columns, m, n, split, cores);
    EXPECT_EQ(got.interior, all[0].interior);
    EXPECT_EQ(got.right, all[0].right);
    EXPECT_EQ(got.bottom, all[0].bottom);
    EXPECT_EQ(got.corner, all[0].corner);
    auto area = [&](const Dealt<int64_t> &d) {
      return d.interior * m * n + d.right * m * columns.extent + d.bottom * rows.extent * n +
             d.corner * rows.extent * columns.extent;
    };
    for (const auto &other : all)
      EXPECT_LE(area(other), area(all[0]));
  }
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
