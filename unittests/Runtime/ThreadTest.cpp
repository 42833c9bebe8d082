// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many threads on one dispatcher: right plans, exact counters, a cache under pressure.
#include "Table.h"
#include <atomic>
#include <thread>

using namespace tilewright::test;

static tw_status countedPlan(void *user, const tw_shape *shape, tw_plan *plan) {
  static_cast<std::atomic<uint64_t> *>(user)->fetch_add(1);
  if (shape->m % 11 == 0)
    return TW_NO_PLAN;
  *plan = planFor(*shape);
  return TW_OK;
}

static void inThreads(int count, auto work) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t)
    threads.emplace_back(work, t);
  for (std::thread &thread : threads)
    thread.join();
}

static uint64_t answered(const tw_counts &c) {
  return c.table_hits + c.cache_hits + c.planned + c.refused;
}

TEST(Threads, TableCacheAndPlannerTogether) {
  Folder folder;
  Entries known = randomEntries(500, 31);
  ASSERT_EQ(build(known, folder / "t"), TW_OK);
  std::atomic<uint64_t> calls{0}, wrong{0}, hits{0};
  const size_t capacity = 64;
  Open table(folder / "t", countedPlan, &calls, capacity);
  constexpr int threads = 8, lookups = 20000;
  inThreads(threads, [&](int thread) {
    std::mt19937_64 random(uint64_t(thread) + 100);
    for (int i = 0; i < lookups; ++i) {
      bool inTable = random() % 2;
      tw_shape shape =
          inTable ? known.shapes[random() % known.shapes.size()]
                  : tw_shape_dense(int64_t(random() % 100), 70000, 1, TW_ROW, TW_ROW, TW_FP16);
      tw_plan plan;
      tw_status status = tw_lookup(table.dispatcher, &shape, &plan);
      bool refused = !inTable && shape.m % 11 == 0;
      hits += inTable;
      wrong += status != (refused ? TW_NO_PLAN : TW_OK);
      wrong += status == TW_OK && !samePlan(plan, planFor(shape));
    }
  });
  EXPECT_EQ(wrong, 0u);
  tw_counts c = table.counts();
  EXPECT_EQ(answered(c), uint64_t(threads) * lookups);
  EXPECT_EQ(c.table_hits, hits);
  EXPECT_EQ(c.planned + c.refused, calls);
  EXPECT_GT(c.evicted, 0u); // 90 shapes for 64 places
  EXPECT_GT(c.cache_hits, 0u);
  EXPECT_GE(c.planned, c.evicted + 1);
}

TEST(Threads, OneSetUnderEightWriters) {
  Folder folder;
  ASSERT_EQ(build({}, folder / "t"), TW_OK);
  std::atomic<uint64_t> calls{0}, wrong{0};
  Open table(folder / "t", countedPlan, &calls, 8);
  inThreads(8, [&](int thread) {
    std::mt19937_64 random(uint64_t(thread) + 200);
    for (int i = 0; i < 20000; ++i) {
      tw_shape shape = tw_shape_dense(1 + int64_t(random() % 10), 7, 7, TW_ROW, TW_ROW, TW_BF16);
      tw_plan plan;
      wrong += tw_lookup(table.dispatcher, &shape, &plan) != TW_OK;
      wrong += !samePlan(plan, planFor(shape));
    }
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(answered(table.counts()), 160000u);
  EXPECT_GT(table.counts().evicted, 0u);
}

// Every call answers another plan: a torn mixture of two would not be one that was answered.
static tw_status newPlan(void *user, const tw_shape *shape, tw_plan *plan) {
  uint64_t number = static_cast<std::atomic<uint64_t> *>(user)->fetch_add(1);
  *plan = planFor(*shape, number);
  plan->key = number;
  return TW_OK;
}

TEST(Threads, NoTornPlans) {
  Folder folder;
  ASSERT_EQ(build({}, folder / "t"), TW_OK);
  std::atomic<uint64_t> calls{0}, torn{0};
  Open table(folder / "t", newPlan, &calls, 8);
  inThreads(8, [&](int thread) {
    std::mt19937_64 random(uint64_t(thread) + 300);
    for (int i = 0; i < 20000; ++i) {
      tw_shape shape = tw_shape_dense(1 + int64_t(random() % 12), 7, 7, TW_ROW, TW_ROW, TW_BF16);
      tw_plan plan;
      tw_lookup(table.dispatcher, &shape, &plan);
      tw_plan whole = planFor(shape, plan.key);
      whole.key = plan.key;
      torn += !samePlan(plan, whole);
    }
  });
  EXPECT_EQ(torn, 0u);
  EXPECT_GT(table.counts().evicted, 1000u);
}

TEST(Threads, CountersStayExactForManyThreads) {
  Folder folder;
  Entries known = randomEntries(100, 32);
  ASSERT_EQ(build(known, folder / "t"), TW_OK);
  Open table(folder / "t");
  constexpr int threads = 300; // more than have a shard of their own
  for (int batch = 0; batch < threads / 10; ++batch)
    inThreads(10, [&](int) {
      for (const tw_shape &shape : known.shapes) {
        tw_plan plan;
        tw_lookup(table.dispatcher, &shape, &plan);
      }
    });
  EXPECT_EQ(table.counts().table_hits, threads * 100u);
}
