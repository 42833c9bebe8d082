// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans through a table file and back; shapes that the table does not hold.
#include "tilewright/MatMul/Dispatch.h"
#include "Shapes.h"
#include "tilewright/MatMul/Formulate.h"
#include "tilewright/MatMul/TilingKey.h"
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::matmul;

namespace {
/// A table of planned shapes in a file of its own.
struct Table {
  explicit Table(const std::vector<Shape> &shapes) {
    std::set<std::string> names;
    for (const Shape &s : shapes)
      plans.push_back(matmul::plan(target(), s)), names.insert(kernelName(keyOf(s, plans.back())));
    std::vector<const char *> texts;
    for (const std::string &name : names)
      texts.push_back(name.c_str());
    std::vector<tw_shape> keys;
    std::vector<tw_plan> entries;
    for (size_t i = 0; i < shapes.size(); ++i) {
      auto index = std::distance(names.begin(), names.find(kernelName(keyOf(shapes[i], plans[i]))));
      keys.push_back(toDispatch(shapes[i]));
      entries.push_back(toDispatch(target(), shapes[i], plans[i], uint32_t(index)));
    }
    path = std::filesystem::temp_directory_path() / ("matmul-table-" + std::to_string(getpid()));
    EXPECT_EQ(tw_table_build(keys.data(), entries.data(), keys.size(), texts.data(), texts.size(),
                             "ascend910b1", target().fingerprint(), path.c_str(), nullptr),
              TW_OK);
  }
  ~Table() { std::filesystem::remove(path); }
  static uint64_t keyOf(const Shape &s, const Plan &p) { return tilingKey(target(), s, p.choice); }
  std::vector<Plan> plans;
  std::filesystem::path path;
};

struct Dispatcher {
  Dispatcher(const Table &table, size_t cache) : online(target()) {
    EXPECT_EQ(tw_open(table.path.c_str(), "ascend910b1", target().fingerprint(),
                      OnlinePlanner::plan, &online, cache, &handle),
              TW_OK);
    online.attach(handle);
  }
  ~Dispatcher() { tw_close(handle); }
  OnlinePlanner online;
  tw_dispatcher *handle = nullptr;
};

std::vector<Shape> someShapes(uint64_t seed, size_t count) {
  Random random(seed);
  std::vector<Shape> shapes;
  while (shapes.size() < count)
    if (Shape s = randomShape(random, 5000); s.groups.empty() && !s.empty())
      shapes.push_back(s);
  return shapes;
}
} // namespace

TEST(Dispatch, EveryPlanComesBack) {
  std::vector<Shape> shapes = someShapes(31, 150);
  Table table(shapes);
  Dispatcher d(table, 0);
  for (size_t i = 0; i < shapes.size(); ++i) {
    tw_shape key = toDispatch(shapes[i]);
    EXPECT_EQ(toDispatch(fromDispatch(key)).lda, key.lda);
    tw_plan found;
    ASSERT_EQ(tw_lookup(d.handle, &key, &found), TW_OK);
    EXPECT_EQ(choiceOf(found), table.plans[i].choice) << shapes[i].str();
    EXPECT_EQ(found.predicted_cycles, table.plans[i].cycles);
    EXPECT_EQ(tw_kernel_name(d.handle, found.kernel), kernelName(found.key));
  }
}

TEST(Dispatch, UnseenShapesUseTheTablesKernels) {
  Table table(someShapes(32, 200));
  Dispatcher d(table, 256);
  int planned = 0;
  for (const Shape &s : someShapes(33, 150)) {
    tw_shape key = toDispatch(s);
    tw_plan found, again;
    tw_status status = tw_lookup(d.handle, &key, &found);
    if (status == TW_NO_PLAN)
      continue;
    ASSERT_EQ(status, TW_OK);
    ++planned;
    Plan plan{choiceOf(found), found.predicted_cycles, {}};
    EXPECT_TRUE(cycles(target(), s, plan.choice) == plan.cycles)
        << s.str() << ": " << plan.choice.str();
    EXPECT_GE(plan.cycles, matmul::plan(target(), s).cycles); // the best of all kernels
    EXPECT_STREQ(tw_kernel_name(d.handle, found.kernel), kernelName(found.key).c_str());
    EXPECT_EQ(tw_lookup(d.handle, &key, &again), TW_OK);
    EXPECT_EQ(std::memcmp(&found, &again, sizeof found), 0);
  }
  tw_counts counts;
  tw_counters(d.handle, &counts);
  EXPECT_GT(planned, 100);
  EXPECT_GE(counts.planned, uint64_t(planned));
}

TEST(Dispatch, ForeignMachinesAreRefused) {
  Table table(someShapes(34, 10));
  machine::Machine other = ascend();
  other.numbers["mte2.hot_bytes_per_cycle"].value += 1;
  tw_dispatcher *handle = nullptr;
  EXPECT_EQ(tw_open(table.path.c_str(), "ascend910b1", Target(other).fingerprint(), nullptr,
                    nullptr, 0, &handle),
            TW_OTHER_FINGERPRINT);
  EXPECT_EQ(tw_open(table.path.c_str(), "ascend910b3", 0, nullptr, nullptr, 0, &handle),
            TW_OTHER_MACHINE);
}

TEST(Dispatch, EightThreadsWhileTheCacheEvicts) {
  Table table(someShapes(35, 100));
  Dispatcher d(table, 16);
  std::vector<Shape> shapes = someShapes(36, 60);
  std::vector<tw_plan> expected(shapes.size());
  std::vector<tw_status> statuses(shapes.size());
  for (size_t i = 0; i < shapes.size(); ++i) {
    tw_shape key = toDispatch(shapes[i]);
    statuses[i] = tw_lookup(d.handle, &key, &expected[i]);
  }
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (size_t n = 0; n < 2 * shapes.size(); ++n) {
        size_t i = (n * 7 + t * 11) % shapes.size();
        tw_shape key = toDispatch(shapes[i]);
        tw_plan found;
        tw_status status = tw_lookup(d.handle, &key, &found);
        wrong += status != statuses[i] ||
                 (status == TW_OK && std::memcmp(&found, &expected[i], sizeof found));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  tw_counts counts;
  tw_counters(d.handle, &counts);
  EXPECT_GT(counts.evicted, 0u);
}

TEST(Dispatch, WorkspaceHoldsCopiesAndPartialSums) {
  Shape s = shape(1024, 512, 4096);
  EXPECT_EQ(
      workspaceBytes(target(), s, {Template::Common, {}, {128, 256, 256, 256, 128, 256, 64, 1, 1}}),
      0);
  Modules padded;
  padded.padA = Pad::Nz;
  EXPECT_EQ(workspaceBytes(target(), s,
                           {Template::Common, padded, {128, 256, 256, 256, 128, 256, 64, 1, 1}}),
            2 * 1024 * 4096);
  EXPECT_EQ(
      workspaceBytes(target(), s,
                     {Template::MultiCoreSplitK, {}, {128, 256, 256, 256, 128, 256, 64, 4, 1}}),
      4 * 4 * 1024 * 512);
}
