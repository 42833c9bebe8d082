// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long planning takes: one shape, 80,000 shapes on two threads, an unseen shape through the
// dispatcher; beside brute force on the same shapes.
#include "bench.h"
#include "tilewright/MatMul/Dispatch.h"
#include "tilewright/Support/Random.h"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <thread>
#include <time.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::matmul;

namespace {
double seconds(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

/// Half log-uniform, half layers of language and recommendation models.
Shape draw(Random &random, double limit) {
  static const int64_t layers[] = {4096, 14336, 5120, 7168, 2048, 1536, 512,
                                   256,  128,   1024, 479,  3456, 17408};
  while (true) {
    auto size = [&](double most) {
      return std::max<int64_t>(1, int64_t(std::exp2(double(random.uniform()) * std::log2(most))));
    };
    Shape s;
    s.m = size(limit), s.n = size(limit), s.k = size(limit);
    if (limit > 20000 && random.below(2))
      s.m = size(20000), s.n = layers[random.below(13)], s.k = layers[random.below(13)];
    s.layoutA = random.below(2) ? Layout::Column : Layout::Row;
    s.layoutB = random.below(2) ? Layout::Column : Layout::Row;
    double elements =
        double(s.m) * double(s.k) + double(s.k) * double(s.n) + double(s.m) * double(s.n);
    if (double(s.m) * double(s.n) * double(s.k) < 4.4e12 && elements < 3e10)
      return s;
  }
}

double oneShape(const Target &target) {
  Random random(7);
  std::vector<double> times;
  for (int i = 0; i < 5000; ++i) {
    Shape s = draw(random, 100000);
    double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
    plan(target, s);
    times.push_back((seconds(CLOCK_THREAD_CPUTIME_ID) - begin) * 1e6);
  }
  std::sort(times.begin(), times.end());
  std::printf("planner: one shape, one core: median %.0f us (limit 200), 90 %% %.0f us, 99 %% %.0f "
              "us, most %.0f us\n",
              times[2500], times[4500], times[4950], times.back());
  return times[2500];
}

double residentMegabytes() {
  long total = 0, resident = 0;
  if (FILE *file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &total, &resident) != 2)
      resident = 0;
    std::fclose(file);
  }
  return double(resident) * double(sysconf(_SC_PAGESIZE)) / 1e6;
}

double manyShapes(const Target &target) {
  double before = residentMegabytes();
  Random random(8);
  std::vector<Shape> shapes;
  for (int i = 0; i < 80000; ++i)
    shapes.push_back(draw(random, 100000));
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t begin; (begin = next.fetch_add(64)) < shapes.size();)
      for (size_t i = begin; i < std::min(begin + 64, shapes.size()); ++i)
        plan(target, shapes[i]);
  };
  double begin = seconds(CLOCK_MONOTONIC);
  std::thread other(work);
  work();
  other.join();
  double took = seconds(CLOCK_MONOTONIC) - begin;
  std::printf(
      "planner: 80000 shapes on two threads: %.1f s (limit 30), memory grew by %.0f MB, shapes "
      "included\n",
      took, residentMegabytes() - before);
  return took;
}

/// Small products, and flat or thin ones of any size: few enough candidates to try them all.
Shape drawSmall(Random &random, int index) {
  if (index % 2)
    return draw(random, index % 9 ? 400 : 1500);
  Shape s = draw(random, 60);
  for (int64_t *size : {&s.m, &s.n, &s.k})
    if (random.below(2))
      *size = int64_t(std::exp2(double(random.uniform()) * std::log2(100000.0)));
  if (double(s.m) * double(s.n) * double(s.k) > 1e9)
    return drawSmall(random, index);
  s.deterministic = random.below(6) == 0;
  return s;
}

/// Exactness and the price of it: every candidate tried.
int bruteForce(const Target &target) {
  Random random(9);
  double fast = 0, slow = 0;
  int wrong = 0, shapes = 500;
  for (int i = 0; i < shapes; ++i) {
    Shape s = drawSmall(random, i);
    double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
    int64_t planned = plan(target, s).cycles;
    double middle = seconds(CLOCK_THREAD_CPUTIME_ID);
    wrong += planByEnumeration(target, s).cycles != planned;
    fast += middle - begin, slow += seconds(CLOCK_THREAD_CPUTIME_ID) - middle;
  }
  std::printf(
      "planner: %d random shapes, %d differ from brute force; %.1f ms against %.1f s: %.0fx\n",
      shapes, wrong, fast * 1e3, slow, slow / fast);
  return wrong;
}

/// The planner as the dispatcher calls it, with the kernels of a table of 2,000 shapes.
double unseen(const Target &target, const std::string &path) {
  Random random(10);
  std::vector<tw_shape> shapes;
  std::vector<tw_plan> plans;
  for (int i = 0; i < 2000; ++i) {
    Shape s = draw(random, 100000);
    shapes.push_back(toDispatch(s));
    plans.push_back(toDispatch(target, s, plan(target, s), 0));
  }
  const char *name = "kernel";
  tw_dispatcher *dispatcher = nullptr;
  OnlinePlanner online(target);
  if (tw_table_build(shapes.data(), plans.data(), shapes.size(), &name, 1, "ascend910b1", 1,
                     path.c_str(), nullptr) != TW_OK ||
      tw_open(path.c_str(), nullptr, 0, OnlinePlanner::plan, &online, 4096, &dispatcher) != TW_OK)
    return 1e9;
  online.attach(dispatcher);
  std::vector<double> times;
  for (int i = 0; i < 1000; ++i) {
    tw_shape shape = toDispatch(draw(random, 100000));
    tw_plan found;
    double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
    tw_lookup(dispatcher, &shape, &found);
    times.push_back((seconds(CLOCK_THREAD_CPUTIME_ID) - begin) * 1e6);
  }
  tw_close(dispatcher);
  std::sort(times.begin(), times.end());
  std::printf("planner: unseen shape through the dispatcher, %zu kernels: median %.0f us (limit "
              "1000), 99 %% %.0f us\n",
              online.kernels(), times[500], times[990]);
  return times[500];
}
} // namespace

int benchPlanner(const BenchPaths &paths) {
  Target target(machine::load(TILEWRIGHT_SOURCE_DIR "/machines/ascend910b1.yaml"));
  bool good = oneShape(target) <= 200;
  good &= manyShapes(target) <= 30;
  good &= unseen(target, paths.scratch + "/planner.twt") <= 1000;
  good &= bruteForce(target) == 0;
  return !good;
}
