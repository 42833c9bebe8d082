// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A deterministic discrete-event engine: stackful threads, one clock, one event queue.
#pragma once

#include "tilewright/Support/Diagnostic.h"
#include <boost/context/fiber.hpp>
#include <cstdint>
#include <exception>
#include <functional>
#include <queue>
#include <string>
#include <vector>

namespace tilewright::emulator {

using Cycle = uint64_t;

class Engine {
public:
  /// What a blocked thread waits for, in words, and the threads that could satisfy it.
  struct Wait {
    std::string what;
    std::vector<int> by;
    std::string hint; ///< said instead of `by` when that is empty
  };
  struct Thread {
    std::string name;
    int group = 0;
    boost::context::fiber fiber;
    std::function<void()> body;
    std::function<bool()> ready; ///< set while blocked
    std::function<Wait()> why;
    bool finished = false;
    Cycle busy = 0, stalled = 0, finishedAt = 0;
    uint64_t stalls = 0;
  };

  explicit Engine(int groups, uint64_t workLimit) : workLimit(workLimit), blocked(size_t(groups)) {}
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;
  ~Engine();

  /// Adds a thread that becomes runnable at cycle 0, in order of creation.
  int spawn(std::string name, int group, std::function<void()> body);
  /// Runs until every thread has returned and no event is left. Throws the first Error of a thread
  /// or an event, "emulator.deadlock" or "emulator.work-limit".
  void run();

  Cycle now() const { return clock; }
  void at(Cycle when, std::function<void()> action);
  /// From inside a thread: lets `cycles` pass.
  void spend(Cycle cycles);
  /// From inside a thread: returns when ready() holds. It is asked again whenever its group is
  /// woken.
  void block(std::function<bool()> ready, std::function<Wait()> why);
  /// State that threads of this group may wait for has changed.
  void wake(int group);
  /// Counts work that takes no time; throws when the limit is passed.
  void work(uint64_t amount = 1);
  /// Index of the running thread, -1 inside an event.
  int current() const { return running; }
  const Thread &thread(int index) const { return threads[size_t(index)]; }
  size_t threadCount() const { return threads.size(); }
  uint64_t eventCount() const { return events; }

private:
  struct Event {
    Cycle when;
    uint64_t sequence;
    int thread; ///< -1: run `action`
    std::function<void()> action;
    bool operator>(const Event &o) const {
      return when != o.when ? when > o.when : sequence > o.sequence;
    }
  };
  void post(Cycle when, int thread, std::function<void()> action);
  void resume(int thread);
  void suspend();
  [[noreturn]] void deadlock();

  Cycle clock = 0;
  uint64_t sequence = 0, events = 0, workDone = 0, workLimit;
  int running = -1;
  size_t unfinished = 0;
  std::vector<Thread> threads;
  std::vector<std::vector<int>> blocked; ///< by group, in order of blocking
  std::priority_queue<Event, std::vector<Event>, std::greater<>> queue;
  boost::context::fiber scheduler;
  std::exception_ptr failure;
};

} // namespace tilewright::emulator
