// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PlanAll.h"
#include <atomic>
#include <cstdio>
#include <thread>
#include <unistd.h>

namespace tilewright::driver {

namespace {
constexpr size_t chunk = 64;

class Bar {
public:
  Bar(size_t total, bool wanted) : total(total), shown(wanted && isatty(STDERR_FILENO)) {}
  void at(size_t done) {
    if (shown)
      std::fprintf(stderr, "\r[%-40.*s] %3zu %%", int(40 * done / total),
                   "########################################", 100 * done / total);
  }
  ~Bar() {
    if (shown)
      std::fputs("\r                                                 \r", stderr);
  }

private:
  size_t total;
  bool shown;
};

Planned planOne(const matmul::Target &target, const matmul::Shape &shape) {
  try {
    return {matmul::plan(target, shape), std::nullopt};
  } catch (const Error &error) {
    return {std::nullopt, error.diagnostic()};
  }
}
} // namespace

std::vector<Planned> planAll(const matmul::Target &target, const std::vector<matmul::Shape> &shapes,
                             unsigned jobs, bool progress) {
  std::vector<Planned> results(shapes.size());
  std::atomic<size_t> next = 0;
  Bar bar(std::max<size_t>(shapes.size(), 1), progress);
  auto work = [&](bool shows) {
    for (size_t begin; (begin = next.fetch_add(chunk)) < shapes.size();) {
      for (size_t i = begin; i < std::min(begin + chunk, shapes.size()); ++i)
        results[i] = planOne(target, shapes[i]);
      if (shows)
        bar.at(begin);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < jobs; ++i)
    threads.emplace_back(work, false);
  work(true);
  for (std::thread &thread : threads)
    thread.join();
  return results;
}

} // namespace tilewright::driver
