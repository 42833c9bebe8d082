// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine alone: order of events, blocking, deadlock, unwinding.
#include "../../lib/Emulator/Engine.h"
#include <gtest/gtest.h>

namespace tilewright::emulator {
namespace {

TEST(Engine, EventsInTimeOrderTiesInPostingOrder) {
  Engine e(1, 0);
  std::string log;
  e.at(5, [&] { log += 'c'; });
  e.at(3, [&] { log += 'a'; });
  e.at(5, [&] { log += 'd'; });
  e.at(3, [&] { log += 'b'; });
  e.run();
  EXPECT_EQ(log, "abcd");
  EXPECT_EQ(e.now(), 5u);
}

TEST(Engine, ThreadsInterleaveByTime) {
  Engine e(1, 0);
  std::string log;
  for (int step : {3, 5})
    e.spawn("t", 0, [&, step] {
      for (int i = 0; i < 3; ++i) {
        e.spend(Cycle(step));
        log += std::to_string(e.now()) + " ";
      }
    });
  e.run();
  EXPECT_EQ(log, "3 5 6 9 10 15 ");
}

TEST(Engine, BlockWaitsForTheConditionAndCountsTheStall) {
  Engine e(1, 0);
  int value = 0;
  Cycle seen = 0;
  const int waiter = e.spawn("waiter", 0, [&] {
    e.block([&] { return value >= 2; }, [] { return Engine::Wait{"two", {}, {}}; });
    seen = e.now();
  });
  for (Cycle t : {10, 20})
    e.at(t, [&] {
      ++value;
      e.wake(0);
    });
  e.run();
  EXPECT_EQ(seen, 20u);
  EXPECT_EQ(e.thread(waiter).stalled, 20u);
  EXPECT_EQ(e.thread(waiter).stalls, 1u);
}

TEST(Engine, DeadlockUnwindsThreads) {
  bool unwound = false;
  struct Mark {
    bool &flag;
    ~Mark() { flag = true; }
  };
  try {
    Engine e(1, 0);
    e.spawn("stuck", 0, [&] {
      Mark mark{unwound};
      e.block([] { return false; }, [] { return Engine::Wait{"godot", {}, "he never comes"}; });
    });
    e.run();
    FAIL();
  } catch (const Error &error) {
    EXPECT_EQ(error.diagnostic().id, "emulator.deadlock");
    ASSERT_EQ(error.diagnostic().notes.size(), 1u);
    EXPECT_EQ(error.diagnostic().notes[0].message, "stuck waits for godot; he never comes");
  }
  EXPECT_TRUE(unwound);
}

TEST(Engine, ErrorsOfThreadsComeOut) {
  Engine e(1, 0);
  e.spawn("bad", 0, [] { throw Error(Kind::User, "emulator.test", "no"); });
  EXPECT_THROW(e.run(), Error);
}

TEST(Engine, WorkLimit) {
  Engine e(1, 1000);
  e.spawn("busy", 0, [&] {
    for (;;)
      e.spend(1);
  });
  EXPECT_THROW(e.run(), Error);
}

} // namespace
} // namespace tilewright::emulator
