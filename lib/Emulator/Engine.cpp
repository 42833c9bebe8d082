// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Event loop, thread switching and the deadlock report.
#include "Engine.h"
#include <boost/context/protected_fixedsize_stack.hpp>
#include <fmt/format.h>

namespace tilewright::emulator {

namespace ctx = boost::context;
constexpr size_t stackBytes = 256 * 1024;

Engine::~Engine() {
  // Suspended threads are unwound here, while the engine still exists.
  for (Thread &t : threads)
    t.fiber = ctx::fiber();
}

int Engine::spawn(std::string name, int group, std::function<void()> body) {
  int index = int(threads.size());
  Thread &t = threads.emplace_back();
  t.name = std::move(name);
  t.group = group;
  t.body = std::move(body);
  ++unfinished;
  post(0, index, {});
  return index;
}

void Engine::post(Cycle when, int thread, std::function<void()> action) {
  queue.push(Event{when, sequence++, thread, std::move(action)});
}

void Engine::at(Cycle when, std::function<void()> action) {
  post(when, -1, std::move(action));
}

void Engine::work(uint64_t amount) {
  workDone += amount;
  if (workLimit && workDone > workLimit)
    throw Error(
        Kind::User, "emulator.work-limit",
        fmt::format("the kernels did more than {} steps of work by cycle {}{}", workLimit, clock,
                    running < 0 ? "" : fmt::format(" ({})", threads[size_t(running)].name)),
        "a thread may spin for ever; raise the work limit if the shape is really that large");
}

void Engine::spend(Cycle cycles) {
  Thread &t = threads[size_t(running)];
  t.busy += cycles;
  post(clock + cycles, running, {});
  suspend();
}

void Engine::block(std::function<bool()> ready, std::function<Wait()> why) {
  if (ready())
    return;
  Thread &t = threads[size_t(running)];
  const Cycle since = clock;
  ++t.stalls;
  // A wake only says that the condition held for a moment; another thread may have run since.
  do {
    t.ready = ready;
    t.why = why;
    blocked[size_t(t.group)].push_back(running);
    suspend();
  } while (!ready());
  t.stalled += clock - since;
}

void Engine::wake(int group) {
  std::vector<int> &waiting = blocked[size_t(group)];
  std::vector<int> still;
  for (int index : waiting) {
    Thread &t = threads[size_t(index)];
    if (!t.ready()) {
      still.push_back(index);
      continue;
    }
    t.ready = nullptr;
    t.why = nullptr;
    post(clock, index, {});
  }
  waiting = std::move(still);
}

void Engine::suspend() {
  scheduler = std::move(scheduler).resume();
}

void Engine::resume(int index) {
  Thread &t = threads[size_t(index)];
  if (!t.fiber)
    t.fiber = ctx::fiber(std::allocator_arg, ctx::protected_fixedsize_stack(stackBytes),
                         [this, index](ctx::fiber &&from) {
                           scheduler = std::move(from);
                           try {
                             threads[size_t(index)].body();
                           } catch (const std::exception &) {
                             failure = std::current_exception();
                           }
                           Thread &self = threads[size_t(index)];
                           self.finished = true;
                           self.finishedAt = clock;
                           --unfinished;
                           return std::move(scheduler);
                         });
  running = index;
  ctx::fiber rest = std::move(t.fiber).resume();
  threads[size_t(index)].fiber = std::move(rest);
  running = -1;
}

void Engine::run() {
  while (!queue.empty()) {
    Event event = queue.top();
    queue.pop();
    clock = event.when;
    ++events;
    work();
    if (event.thread >= 0)
      resume(event.thread);
    else
      event.action();
    if (failure)
      std::rethrow_exception(failure);
  }
  if (unfinished)
    deadlock();
}

void Engine::deadlock() {
  Error error(Kind::User, "emulator.deadlock",
              fmt::format("deadlock at cycle {}: {} of {} threads wait and nothing is in flight",
                          clock, unfinished, threads.size()),
              "follow the notes from thread to thread: one of them waits for something that nobody "
              "will do");
  for (const Thread &t : threads) {
    if (t.finished || !t.why)
      continue;
    Wait wait = t.why();
    std::string text = fmt::format("{} waits for {}", t.name, wait.what);
    for (int other : wait.by) {
      const Thread &o = threads[size_t(other)];
      text += fmt::format("; {} could do it but {}", o.name,
                          o.finished ? "has returned" : "waits itself");
    }
    if (wait.by.empty() && !wait.hint.empty())
      text += "; " + wait.hint;
    error.note({}, text);
  }
  throw error;
}

} // namespace tilewright::emulator
