// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building tables: bytes, merging, refusals, failures of the file system, size.
#include "Table.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <numeric>
#include <set>
#include <sys/resource.h>

using namespace tilewright::test;

TEST(Build, SameBytesInAnyOrder) {
  Folder folder;
  Entries entries = randomEntries(2000, 3);
  ASSERT_EQ(build(entries, folder / "first"), TW_OK);
  std::mt19937_64 random(4);
  for (int round = 0; round < 3; ++round) {
    std::vector<size_t> order(entries.shapes.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    Entries shuffled;
    for (size_t i : order)
      for (size_t copies = 0; copies <= random() % 2; ++copies)
        shuffled.add(entries.shapes[i]);
    tw_build_info info;
    ASSERT_EQ(build(shuffled, folder / "other", &info), TW_OK);
    EXPECT_EQ(info.shapes, entries.shapes.size());
    EXPECT_EQ(bytesOf(folder / "first"), bytesOf(folder / "other"));
  }
}

TEST(Build, PaddingOfShapesDoesNotReachTheFile) {
  Folder folder;
  Entries entries = randomEntries(50, 5);
  ASSERT_EQ(build(entries, folder / "first"), TW_OK);
  for (tw_shape &s : entries.shapes) // the bytes after `flags`
    std::memset(&s.flags + 1, 0xee, sizeof s - offsetof(tw_shape, flags) - 1);
  ASSERT_EQ(build(entries, folder / "other"), TW_OK);
  EXPECT_EQ(bytesOf(folder / "first"), bytesOf(folder / "other"));
}

TEST(Build, MergesEqualRecords) {
  Folder folder;
  Entries entries = randomEntries(2000, 6);
  std::set<std::string> records; // the bytes of a plan without what belongs to the shape
  for (tw_plan plan : entries.plans) {
    plan.workspace_bytes = 0, plan.predicted_cycles = 0;
    records.emplace(reinterpret_cast<const char *>(&plan), sizeof plan);
  }
  tw_build_info info;
  ASSERT_EQ(build(entries, folder / "t", &info), TW_OK);
  EXPECT_EQ(info.plans, records.size());
  EXPECT_EQ(info.shapes, 2000u);
  EXPECT_EQ(info.file_bytes, std::filesystem::file_size(folder / "t"));
  EXPECT_EQ(info.bad_index, SIZE_MAX);
}

TEST(Build, EverySmallCount) {
  Folder folder;
  for (size_t count = 0; count < 40; ++count) {
    Entries entries = randomEntries(count, count);
    ASSERT_EQ(build(entries, folder / "t"), TW_OK) << count;
    Open table(folder / "t");
    ASSERT_EQ(table.status, TW_OK);
    for (const tw_shape &shape : entries.shapes) {
      tw_plan plan;
      ASSERT_EQ(tw_lookup(table.dispatcher, &shape, &plan), TW_OK);
      ASSERT_TRUE(samePlan(plan, planFor(shape)));
    }
  }
}

TEST(Build, RefusesContradictions) {
  Folder folder;
  Entries entries = randomEntries(10, 7);
  entries.add(entries.shapes[3]);
  tw_build_info info;
  ASSERT_EQ(build(entries, folder / "t", &info), TW_OK);
  std::filesystem::remove(folder / "t");
  ++entries.plans[10].predicted_cycles;
  EXPECT_EQ(build(entries, folder / "t", &info), TW_CONFLICT);
  EXPECT_EQ(info.bad_index, 10u);
  EXPECT_EQ(folder.files(), 0u);
}

TEST(Build, RefusesBadEntries) {
  Folder folder;
  const Entries good = randomEntries(10, 8);
  auto refused = [&](auto change, tw_status status, size_t index) {
    Entries entries = good;
    change(entries);
    tw_build_info info;
    EXPECT_EQ(build(entries, folder / "t", &info), status);
    EXPECT_EQ(info.bad_index, index);
    EXPECT_EQ(folder.files(), 0u);
  };
  refused([](Entries &e) { e.shapes[4].k = -1; }, TW_BAD_SHAPE, 4);
  refused([](Entries &e) { e.shapes[9].ldc = 0; }, TW_BAD_SHAPE, 9);
  refused([](Entries &e) { e.plans[0].kernel = 4; }, TW_BAD_PLAN, 0);
  refused([](Entries &e) { e.plans[1].reserved[0] = 1; }, TW_BAD_PLAN, 1);
  refused([](Entries &e) { e.plans[2].predicted_cycles = -1; }, TW_BAD_PLAN, 2);
}

TEST(Build, RefusesBadNamesAndArguments) {
  Folder folder;
  std::string path = folder / "t", longName(64, 'x');
  auto status = [&](std::vector<const char *> names, const char *name) {
    return tw_table_build(nullptr, nullptr, 0, names.data(), names.size(), name, 1, path.c_str(),
                          nullptr);
  };
  EXPECT_EQ(status({"b", "a"}, "m"), TW_BAD_NAMES);
  EXPECT_EQ(status({"a", "a"}, "m"), TW_BAD_NAMES);
  EXPECT_EQ(status({"", "a"}, "m"), TW_BAD_NAMES);
  EXPECT_EQ(status({std::string(256, 'k').c_str()}, "m"), TW_BAD_NAMES);
  EXPECT_EQ(status({"a", nullptr}, "m"), TW_BAD_ARGUMENT);
  EXPECT_EQ(status({"a"}, ""), TW_BAD_NAMES);
  EXPECT_EQ(status({"a"}, longName.c_str()), TW_BAD_NAMES);
  EXPECT_EQ(status({"a"}, nullptr), TW_BAD_ARGUMENT);
  tw_shape shape{};
  EXPECT_EQ(tw_table_build(&shape, nullptr, 1, nullptr, 0, "m", 1, path.c_str(), nullptr),
            TW_BAD_ARGUMENT);
  EXPECT_EQ(folder.files(), 0u);
  EXPECT_EQ(status({"a", "b"}, longName.c_str() + 1), TW_OK);
  EXPECT_EQ(folder.files(), 1u);
}

TEST(Build, FailuresOfTheFileSystemLeaveNothingBehind) {
  Folder folder;
  Entries entries = randomEntries(2000, 9);
  tw_build_info info;
  EXPECT_EQ(build(entries, folder / "absent/t", &info), TW_SYSTEM_ERROR);
  EXPECT_EQ(info.system_error, ENOENT);
  std::filesystem::create_directory(folder / "taken");
  EXPECT_EQ(build(entries, folder / "taken", &info), TW_SYSTEM_ERROR);
  EXPECT_EQ(info.system_error, EISDIR);
  EXPECT_EQ(folder.files(), 1u); // the folder "taken"
  EXPECT_EQ(build(entries, "/proc/tw-table", &info), TW_SYSTEM_ERROR);
  EXPECT_NE(info.system_error, 0);
}

TEST(Build, AFullDiskKeepsTheOldTable) {
  Folder folder;
  Entries old = randomEntries(20, 10);
  ASSERT_EQ(build(old, folder / "t"), TW_OK);
  std::string before = bytesOf(folder / "t");
  rlimit saved;
  getrlimit(RLIMIT_FSIZE, &saved);
  rlimit small = saved;
  small.rlim_cur = 65536;
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  tw_build_info info;
  tw_status status = build(randomEntries(2000, 11), folder / "t", &info);
  setrlimit(RLIMIT_FSIZE, &saved);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(status, TW_SYSTEM_ERROR);
  EXPECT_EQ(info.system_error, EFBIG);
  EXPECT_EQ(folder.files(), 1u);
  EXPECT_EQ(bytesOf(folder / "t"), before);
}

TEST(Build, ReplacesUnderOpenReaders) {
  Folder folder;
  Entries old = randomEntries(300, 12), next = randomEntries(300, 13);
  ASSERT_EQ(build(old, folder / "t"), TW_OK);
  Open first(folder / "t");
  ASSERT_EQ(build(next, folder / "t"), TW_OK);
  Open second(folder / "t");
  for (size_t i = 0; i < 300; ++i) {
    tw_plan plan;
    ASSERT_EQ(tw_lookup(first.dispatcher, &old.shapes[i], &plan), TW_OK);
    ASSERT_TRUE(samePlan(plan, old.plans[i]));
    ASSERT_EQ(tw_lookup(second.dispatcher, &next.shapes[i], &plan), TW_OK);
    ASSERT_TRUE(samePlan(plan, next.plans[i]));
  }
}

TEST(Build, AMillionRegularShapes) {
  Folder folder;
  Entries entries; // a grid: shapes that differ in few low bits, the hard case for a weak hash
  for (int64_t m = 1; m <= 100; ++m)
    for (int64_t n = 1; n <= 100; ++n)
      for (int64_t k = 1; k <= 100; ++k)
        entries.add(tw_shape_dense(16 * m, 16 * n, 16 * k, TW_ROW, TW_ROW, TW_FP16));
  tw_build_info info;
  std::clock_t begin = std::clock();
  ASSERT_EQ(build(entries, folder / "t", &info), TW_OK); // looks every shape up itself
  double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_EQ(info.shapes, 1'000'000u);
  EXPECT_LT(info.file_bytes, 80'000'000u);
  EXPECT_LT(seconds, 30.0); // about 1 s optimised; the limit leaves room for sanitizers
  RecordProperty("seconds", std::to_string(seconds));
}
