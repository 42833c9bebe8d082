// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lookups against the formula that made the plans; planner, cache, counters, limits of shapes.
#include "Table.h"

using namespace tilewright::test;

TEST(Lookup, GivesBackEveryShapeAndMissesItsNeighbours) {
  Folder folder;
  Entries entries = randomEntries(3000, 1);
  std::map<decltype(fields(tw_shape{})), tw_plan> known;
  for (size_t i = 0; i < entries.shapes.size(); ++i)
    known[fields(entries.shapes[i])] = entries.plans[i];
  ASSERT_EQ(build(entries, folder / "t"), TW_OK);
  Open table(folder / "t");
  uint64_t hits = 0, misses = 0;
  for (const tw_shape &shape : entries.shapes)
    for (int change = 0; change < 12; ++change) {
      tw_shape s = shape;
      int64_t *extents[] = {&s.m, &s.n, &s.k, &s.lda, &s.ldb, &s.ldc, &s.batch};
      uint8_t *bits[] = {&s.layout_a, &s.layout_b, &s.dtype, &s.flags};
      if (change >= 1 && change <= 7)
        ++*extents[change - 1];
      if (change >= 8)
        *bits[change - 8] ^= 1;
      auto found = known.find(fields(s));
      tw_plan plan;
      tw_status status = tw_lookup(table.dispatcher, &s, &plan);
      if (found == known.end()) {
        ASSERT_TRUE(status == TW_NOT_FOUND || status == TW_BAD_SHAPE);
        ++misses;
      } else {
        ASSERT_EQ(status, TW_OK);
        ASSERT_TRUE(samePlan(plan, found->second));
        ++hits;
      }
    }
  EXPECT_GE(hits, 3000u);
  EXPECT_GE(misses, 30000u);
  EXPECT_EQ(table.counts().table_hits, hits);
  EXPECT_EQ(table.counts().refused, misses);
}

TEST(Lookup, RefusesImpossibleShapes) {
  Folder folder;
  ASSERT_EQ(build({}, folder / "t"), TW_OK);
  Open table(folder / "t");
  tw_plan plan, untouched;
  std::memset(&plan, 0xa5, sizeof plan);
  untouched = plan;
  const tw_shape good = tw_shape_dense(64, 32, 16, TW_ROW, TW_COLUMN, TW_FP16);
  auto status = [&](auto change) {
    tw_shape shape = good;
    change(shape);
    return tw_lookup(table.dispatcher, &shape, &plan);
  };
  EXPECT_EQ(status([](tw_shape &) {}), TW_NOT_FOUND);
  EXPECT_EQ(status([](tw_shape &s) { s.m = -1; }), TW_BAD_SHAPE);
  EXPECT_EQ(status([](tw_shape &s) { s.batch = INT64_MIN; }), TW_BAD_SHAPE);
  EXPECT_EQ(status([](tw_shape &s) { s.ldc = TW_MAX_EXTENT; }), TW_NOT_FOUND);
  EXPECT_EQ(status([](tw_shape &s) { s.ldc = TW_MAX_EXTENT + 1; }), TW_BAD_SHAPE);
  EXPECT_EQ(status([](tw_shape &s) { s.lda = 15; }), TW_BAD_SHAPE); // row of A: k = 16
  EXPECT_EQ(status([](tw_shape &s) { s.lda = 0; }), TW_BAD_SHAPE);
  EXPECT_EQ(status([](tw_shape &s) { s.layout_a = TW_COLUMN; }), TW_BAD_SHAPE); // lda < m
  EXPECT_EQ(status([](tw_shape &s) { s.ldb = 15; }), TW_BAD_SHAPE); // column of B: k = 16
  EXPECT_EQ(status([](tw_shape &s) { s.ldc = 31; }), TW_BAD_SHAPE);
  EXPECT_EQ(status([](tw_shape &s) { s.layout_b = 2; }), TW_BAD_SHAPE);
  EXPECT_EQ(status([](tw_shape &s) { s.dtype = 2; }), TW_BAD_SHAPE);
  EXPECT_EQ(status([](tw_shape &s) { s.flags = 2; }), TW_BAD_SHAPE);
  // What an empty slot looks like.
  EXPECT_EQ(status([](tw_shape &s) {
              s.m = s.n = s.k = s.lda = s.ldb = s.ldc = s.batch = TW_MAX_EXTENT;
              s.layout_a = s.layout_b = s.dtype = s.flags = 255;
            }),
            TW_BAD_SHAPE);
  EXPECT_TRUE(samePlan(plan, untouched));
  EXPECT_EQ(table.counts().refused, 14u);
}

TEST(Lookup, DenseShapes) {
  tw_shape s = tw_shape_dense(3, 5, 7, TW_ROW, TW_ROW, TW_BF16);
  EXPECT_EQ(fields(s), std::make_tuple(3, 5, 7, 7, 5, 5, 1, 0, 0, 1, 0));
  s = tw_shape_dense(3, 5, 7, TW_COLUMN, TW_COLUMN, TW_FP16);
  EXPECT_EQ(fields(s), std::make_tuple(3, 5, 7, 3, 7, 5, 1, 1, 1, 0, 0));
  s = tw_shape_dense(3, 0, 0, TW_ROW, TW_COLUMN, TW_FP16);
  EXPECT_EQ(fields(s), std::make_tuple(3, 0, 0, 1, 1, 1, 1, 0, 1, 0, 0));
}

static tw_status planOrRefuse(void *user, const tw_shape *shape, tw_plan *plan) {
  ++*static_cast<int *>(user);
  *plan = planFor(*shape);
  if (shape->m == 13)
    return TW_NO_PLAN;
  if (shape->m == 14)
    plan->kernel = uint32_t(kernelNames.size());
  if (shape->m == 15)
    plan->reserved[2] = 1;
  if (shape->m == 16)
    plan->predicted_cycles = -1;
  return TW_OK;
}

TEST(Lookup, PlansOnceAndRemembers) {
  Folder folder;
  ASSERT_EQ(build({}, folder / "t"), TW_OK);
  int calls = 0;
  Open table(folder / "t", planOrRefuse, &calls, 64);
  for (int round = 0; round < 3; ++round)
    for (int64_t m = 100; m < 108; ++m) {
      tw_shape shape = tw_shape_dense(m, 5, 7, TW_ROW, TW_ROW, TW_FP16);
      tw_plan plan;
      ASSERT_EQ(tw_lookup(table.dispatcher, &shape, &plan), TW_OK);
      ASSERT_TRUE(samePlan(plan, planFor(shape)));
    }
  EXPECT_EQ(calls, 8);
  tw_counts c = table.counts();
  EXPECT_EQ(std::make_tuple(c.table_hits, c.cache_hits, c.planned, c.refused, c.evicted),
            std::make_tuple(0u, 16u, 8u, 0u, 0u));
}

TEST(Lookup, PassesOnWhatThePlannerRefuses) {
  Folder folder;
  ASSERT_EQ(build({}, folder / "t"), TW_OK);
  int calls = 0;
  Open table(folder / "t", planOrRefuse, &calls, 64);
  for (int round = 0; round < 2; ++round) // refusals are not remembered
    for (auto [m, status] : {std::pair(13, TW_NO_PLAN), std::pair(14, TW_BAD_PLAN),
                             std::pair(15, TW_BAD_PLAN), std::pair(16, TW_BAD_PLAN)}) {
      tw_shape shape = tw_shape_dense(m, 5, 7, TW_ROW, TW_ROW, TW_FP16);
      tw_plan plan;
      EXPECT_EQ(tw_lookup(table.dispatcher, &shape, &plan), status);
    }
  EXPECT_EQ(calls, 8);
  EXPECT_EQ(table.counts().refused, 8u);
}

TEST(Lookup, WithoutCachePlansEveryTime) {
  Folder folder;
  ASSERT_EQ(build({}, folder / "t"), TW_OK);
  int calls = 0;
  Open table(folder / "t", planOrRefuse, &calls, 0);
  tw_shape shape = tw_shape_dense(1, 5, 7, TW_ROW, TW_ROW, TW_FP16);
  tw_plan plan;
  for (int i = 0; i < 5; ++i)
    ASSERT_EQ(tw_lookup(table.dispatcher, &shape, &plan), TW_OK);
  EXPECT_EQ(calls, 5);
}

TEST(Lookup, CacheStaysBoundedAndKeepsWhatIsUsed) {
  Folder folder;
  ASSERT_EQ(build({}, folder / "t"), TW_OK);
  int calls = 0;
  Open table(folder / "t", planOrRefuse, &calls, 1); // one set of eight
  tw_table_info info;
  tw_info(table.dispatcher, &info);
  ASSERT_EQ(info.cache_capacity, 8u);
  tw_plan plan;
  auto look = [&](int64_t n) {
    tw_shape shape = tw_shape_dense(100, n, 7, TW_ROW, TW_ROW, TW_FP16);
    EXPECT_EQ(tw_lookup(table.dispatcher, &shape, &plan), TW_OK);
    EXPECT_TRUE(samePlan(plan, planFor(shape)));
  };
  for (int64_t n = 0; n < 1000; ++n)
    look(5000), look(n); // 5000 is used again and again, the others once
  EXPECT_EQ(calls, 1001);
  tw_counts c = table.counts();
  EXPECT_EQ(c.evicted, 1001u - 8u);
  EXPECT_EQ(c.cache_hits, 999u);
}

TEST(Lookup, NamesAndEntries) {
  Folder folder;
  Entries entries = randomEntries(500, 2);
  tw_build_info built;
  ASSERT_EQ(build(entries, folder / "t", &built), TW_OK);
  Open table(folder / "t");
  tw_table_info info;
  tw_info(table.dispatcher, &info);
  EXPECT_STREQ(info.machine, machine);
  EXPECT_EQ(info.fingerprint, fingerprint);
  EXPECT_EQ(info.shapes, 500u);
  EXPECT_EQ(info.plans, built.plans);
  EXPECT_EQ(info.file_bytes, std::filesystem::file_size(folder / "t"));
  for (uint32_t i = 0; i < kernelNames.size(); ++i) {
    EXPECT_STREQ(tw_kernel_name(table.dispatcher, i), kernelNames[i]);
    EXPECT_EQ(tw_find_kernel(table.dispatcher, kernelNames[i]), i);
  }
  EXPECT_EQ(tw_kernel_name(table.dispatcher, uint32_t(kernelNames.size())), nullptr);
  for (const char *absent : {"", "a", "d", "stream", "zz"})
    EXPECT_EQ(tw_find_kernel(table.dispatcher, absent), UINT32_MAX);
  std::map<decltype(fields(tw_shape{})), tw_plan> walked;
  for (size_t slot = 0; slot < info.slots; ++slot) {
    tw_shape shape;
    tw_plan plan;
    if (tw_table_entry(table.dispatcher, slot, &shape, &plan) == TW_OK)
      walked[fields(shape)] = plan;
  }
  EXPECT_EQ(walked.size(), 500u);
  for (size_t i = 0; i < 500; ++i)
    EXPECT_TRUE(samePlan(walked[fields(entries.shapes[i])], entries.plans[i]));
  tw_shape shape;
  tw_plan plan;
  EXPECT_EQ(tw_table_entry(table.dispatcher, info.slots, &shape, &plan), TW_BAD_ARGUMENT);
}

TEST(Lookup, FromPlainC) {
  Folder folder;
  std::string command = std::string(DISPATCH_IN_C) + " '" + (folder / "t") + "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

namespace {
struct Nested {
  tw_dispatcher *dispatcher = nullptr;
  uint64_t calls = 0;
  tw_plan inner{};
};
} // namespace

// The first call looks the same shape up before it answers, as another thread might.
static tw_status planNested(void *user, const tw_shape *shape, tw_plan *plan) {
  auto *nested = static_cast<Nested *>(user);
  uint64_t call = ++nested->calls;
  if (call == 1) {
    EXPECT_EQ(tw_lookup(nested->dispatcher, shape, &nested->inner), TW_OK);
  }
  *plan = planFor(*shape, call);
  return TW_OK;
}

TEST(Lookup, OfTwoPlansTheFirstStoredStays) {
  Folder folder;
  ASSERT_EQ(build({}, folder / "t"), TW_OK);
  Nested nested;
  Open table(folder / "t", planNested, &nested, 8);
  nested.dispatcher = table.dispatcher;
  tw_shape shape = tw_shape_dense(3, 5, 7, TW_ROW, TW_ROW, TW_FP16);
  tw_plan outer, later;
  ASSERT_EQ(tw_lookup(table.dispatcher, &shape, &outer), TW_OK);
  ASSERT_EQ(tw_lookup(table.dispatcher, &shape, &later), TW_OK);
  EXPECT_EQ(nested.calls, 2u);
  EXPECT_TRUE(samePlan(nested.inner, planFor(shape, 2)));
  EXPECT_TRUE(samePlan(outer, nested.inner));
  EXPECT_TRUE(samePlan(later, nested.inner));
}
