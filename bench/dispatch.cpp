// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lookups in a table of 80,000 shapes, with one thread and with eight, beside std::unordered_map;
// shapes from the cache; eviction. Times are processor time of each thread per lookup, the median
// of batches; every answer is compared with the formula that made the plans.
#include "bench.h"
#include "tilewright_dispatch.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {
constexpr size_t tableShapes = 80'000, batch = 500;
constexpr double hitLimit = 30, buildLimit = 1; // nanoseconds, seconds
const char *const kernels[] = {"common", "multi_core_split_k", "single_core_split_k", "stream_k"};

/// Every field of the shape, mixed with multiplications: also the hash of the map compared with.
uint64_t mixed(const tw_shape &s) {
  uint64_t mix = 0;
  auto add = [&](uint64_t value) { mix = (mix ^ value) * 0xff51afd7ed558ccd + (mix >> 29); };
  for (int64_t value : {s.m, s.n, s.k, s.lda, s.ldb, s.ldc, s.batch})
    add(uint64_t(value));
  add(uint64_t(s.layout_a | s.layout_b << 8 | s.dtype << 16) | uint64_t(s.flags) << 24);
  return mix ^ mix >> 32;
}

/// Tiles out of 600 combinations, as a planner would repeat them; cycles and workspace of the
/// shape.
tw_plan planFor(const tw_shape &s) {
  uint64_t mix = mixed(s), tile = mix % 600;
  tw_plan p{};
  p.key = tile % 20;
  p.workspace_bytes = mix >> 40;
  p.predicted_cycles = int64_t(mix >> 20);
  p.m1 = uint32_t(16 * (1 + tile % 8)), p.n1 = uint32_t(16 * (1 + tile / 8 % 15));
  p.m0 = p.m1, p.n0 = p.n1, p.k0 = 64, p.k1a = 512, p.k1b = 256;
  p.split_k = 1 + uint32_t(tile / 120), p.block_dim = 24, p.swizzle = 3;
  p.kernel = uint32_t(tile % 4);
  return p;
}

struct Same {
  bool operator()(const tw_shape &a, const tw_shape &b) const {
    return a.m == b.m && a.n == b.n && a.k == b.k && a.lda == b.lda && a.ldb == b.ldb &&
           a.ldc == b.ldc && a.batch == b.batch && a.layout_a == b.layout_a &&
           a.layout_b == b.layout_b && a.dtype == b.dtype && a.flags == b.flags;
  }
};
struct Mixed {
  size_t operator()(const tw_shape &s) const { return mixed(s); }
};
using Map = std::unordered_map<tw_shape, tw_plan, Mixed, Same>;

/// Distinct shapes, log-uniform up to 65536 in each extent, in random order.
std::vector<tw_shape> shapes(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  auto extent = [&] { return int64_t(1 + random() % (uint64_t(2) << random() % 16)); };
  Map seen;
  std::vector<tw_shape> result;
  while (result.size() < count) {
    tw_shape s = tw_shape_dense(extent(), extent(), extent(), uint8_t(random() % 2),
                                uint8_t(random() % 2), uint8_t(random() % 2));
    if (seen.try_emplace(s).second)
      result.push_back(s);
  }
  return result;
}

tw_status plan(void *, const tw_shape *shape, tw_plan *made) {
  *made = planFor(*shape);
  return TW_OK;
}

double now(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

struct Timing {
  double median = 0, high = 0; ///< nanoseconds a lookup: median and 95th percentile of the batches
  double throughput = 0;       ///< wall nanoseconds times used processors, per lookup
  uint64_t wrong = 0;
};

/// Runs `look(shape, plan)` over all queries in every thread, `rounds` times, each thread from a
/// place of its own.
Timing measure(const std::vector<tw_shape> &queries, int threads, int rounds, auto look) {
  std::vector<std::vector<double>> times((size_t(threads)));
  std::atomic<uint64_t> wrong{0};
  const size_t batches = queries.size() / batch;
  auto work = [&](size_t thread) {
    uint64_t different = 0;
    tw_shape begin[batch]; // in the first cache, as at a call that has just made its shape
    tw_plan got[16];
    for (size_t i = 0; i < batches * size_t(rounds); ++i) {
      const tw_shape *next = &queries[(i + thread * batches / size_t(threads)) % batches * batch];
      std::copy(next, next + batch, begin);
      double start = now(CLOCK_THREAD_CPUTIME_ID);
      for (size_t q = 0; q < batch; ++q)
        different += !look(begin[q], got[q % 16]);
      times[thread].push_back(1e9 * (now(CLOCK_THREAD_CPUTIME_ID) - start) / double(batch));
      for (size_t q = batch - 16; q < batch; ++q) {
        tw_plan wanted = planFor(begin[q]);
        different += std::memcmp(&got[q % 16], &wanted, sizeof wanted) != 0;
      }
    }
    wrong += different;
  };
  double start = now(CLOCK_MONOTONIC);
  std::vector<std::thread> pool;
  for (int t = 0; t < threads; ++t)
    pool.emplace_back(work, size_t(t));
  for (std::thread &thread : pool)
    thread.join();
  double wall = now(CLOCK_MONOTONIC) - start;
  std::vector<double> all;
  for (const auto &some : times)
    all.insert(all.end(), some.begin(), some.end());
  std::sort(all.begin(), all.end());
  int cores = std::min(threads, int(std::thread::hardware_concurrency()));
  return {all[all.size() / 2], all[all.size() * 95 / 100],
          1e9 * wall * cores / double(all.size() * batch), wrong};
}

uint64_t print(const char *what, int threads, const Timing &t) {
  std::printf("  %-34s %d thread%s %6.1f ns median, %6.1f ns 95 %%, %6.1f ns by wall time%s\n",
              what, threads, threads == 1 ? ", " : "s,", t.median, t.high, t.throughput,
              t.wrong ? "  WRONG ANSWERS" : "");
  return t.wrong;
}

/// Each lookup's shape depends on the plan before it: the time until an answer is there.
double latency(tw_dispatcher *d, const std::vector<tw_shape> &queries) {
  tw_plan got{};
  uint64_t at = 0;
  double start = now(CLOCK_THREAD_CPUTIME_ID);
  for (size_t i = 0; i < 10 * queries.size(); ++i) {
    tw_lookup(d, &queries[at], &got);
    at = (at + 1 + got.workspace_bytes % 1024) % queries.size();
  }
  return 1e9 * (now(CLOCK_THREAD_CPUTIME_ID) - start) / double(10 * queries.size());
}

bool buildTable(const std::vector<tw_shape> &all, const std::string &path, double limit) {
  std::vector<tw_plan> plans;
  for (const tw_shape &shape : all)
    plans.push_back(planFor(shape));
  tw_build_info info;
  double start = now(CLOCK_MONOTONIC);
  tw_status status = tw_table_build(all.data(), plans.data(), all.size(), kernels, 4, "bench", 1,
                                    path.c_str(), &info);
  double seconds = now(CLOCK_MONOTONIC) - start;
  if (status != TW_OK)
    return std::printf("  build: %s\n", tw_status_text(status)), false;
  start = now(CLOCK_MONOTONIC);
  tw_dispatcher *d;
  status = tw_open(path.c_str(), "bench", 1, nullptr, nullptr, 0, &d);
  double opened = now(CLOCK_MONOTONIC) - start;
  tw_close(d);
  std::printf("  %zu shapes, %zu plan records: built and proven in %.0f ms, %.1f MB, opened and "
              "checked in %.1f ms\n",
              info.shapes, info.plans, 1e3 * seconds, double(info.file_bytes) / 1e6, 1e3 * opened);
  return status == TW_OK && seconds <= limit;
}

/// Hits of the table and of a map; the time that is limited.
double benchHits(tw_dispatcher *d, const std::vector<tw_shape> &known, uint64_t &wrong) {
  Map map;
  for (const tw_shape &shape : known)
    map.emplace(shape, planFor(shape));
  auto inTable = [&](const tw_shape &shape, tw_plan &got) {
    return tw_lookup(d, &shape, &got) == TW_OK;
  };
  auto inMap = [&](const tw_shape &shape, tw_plan &got) {
    auto found = map.find(shape);
    if (found == map.end())
      return false;
    got = found->second;
    return true;
  };
  double worst = 0;
  for (int threads : {1, 8}) {
    Timing table = measure(known, threads, 10, inTable);
    wrong += print("table hit", threads, table);
    wrong += print("std::unordered_map", threads, measure(known, threads, 10, inMap));
    worst = std::max(worst, table.median);
  }
  std::printf("  table hit, each after the last's answer: %.1f ns\n", latency(d, known));
  return worst;
}

uint64_t benchCache(const std::string &path, const std::vector<tw_shape> &unseen) {
  uint64_t wrong = 0;
  tw_dispatcher *d;
  auto look = [&](const tw_shape &shape, tw_plan &got) {
    return tw_lookup(d, &shape, &got) == TW_OK;
  };
  for (size_t capacity : {size_t(65'536), size_t(4'096)}) {
    if (tw_open(path.c_str(), "bench", 1, plan, nullptr, capacity, &d) != TW_OK)
      return 1;
    measure(unseen, 1, 1, look); // fills the cache
    for (int threads : {1, 8})
      wrong += print(capacity > unseen.size() ? "cache hit" : "eviction (20,000 in 4,096)", threads,
                     measure(unseen, threads, 10, look));
    tw_counts c;
    tw_counters(d, &c);
    std::printf("    %llu cache hits, %llu planned, %llu evicted, %llu table hits\n",
                (unsigned long long)c.cache_hits, (unsigned long long)c.planned,
                (unsigned long long)c.evicted, (unsigned long long)c.table_hits);
    tw_close(d);
  }
  return wrong;
}
} // namespace

int benchDispatch(const BenchPaths &paths) {
  std::string path = paths.scratch + "/table";
  std::vector<tw_shape> known = shapes(tableShapes + 20'000, 1);
  std::vector<tw_shape> unseen(known.begin() + tableShapes, known.end());
  known.resize(tableShapes);
  std::printf("dispatch:\n");
  bool good = buildTable(shapes(1'000'000, 2), path, 10);
  good &= buildTable(known, path, buildLimit);
  tw_dispatcher *d;
  if (tw_open(path.c_str(), "bench", 1, nullptr, nullptr, 0, &d) != TW_OK)
    return 1;
  uint64_t wrong = 0;
  double worst = benchHits(d, known, wrong);
  tw_close(d);
  wrong += benchCache(path, unseen);
  std::printf("  table hit %.1f ns of %.0f ns allowed (target 15 ns)\n", worst, hitLimit);
  return !good || wrong || worst > hitLimit;
}
