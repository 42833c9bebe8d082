// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes with plans computed from them by a formula, in tables under a folder that goes away.
#pragma once

#include "tilewright_dispatch.h"
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace tilewright::test {

class Folder {
public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tw-dispatch-XXXXXX").string();
    if (!mkdtemp(name.data()))
      std::abort();
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  std::string operator/(const std::string &name) const { return path_ + "/" + name; }
  size_t files() const {
    std::filesystem::directory_iterator all(path_);
    return size_t(std::distance(begin(all), end(all)));
  }

private:
  std::string path_;
};

inline const std::vector<const char *> kernelNames = {"common", "fill", "single_core_split_k",
                                                      "stream_k"};
constexpr uint64_t fingerprint = 0x1234'5678'9abc'def0;
constexpr const char *machine = "ascend910b1";

/// The fields that tell shapes apart.
inline auto fields(const tw_shape &s) {
  return std::make_tuple(s.m, s.n, s.k, s.lda, s.ldb, s.ldc, s.batch, s.layout_a, s.layout_b,
                         s.dtype, s.flags);
}

inline bool samePlan(const tw_plan &a, const tw_plan &b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// A plan that depends on every field of the shape, so that any mistaken hit shows.
inline tw_plan planFor(const tw_shape &s, uint64_t variant = 0) {
  uint64_t mix = 0x9e3779b97f4a7c15 + variant;
  auto add = [&](uint64_t value) { mix = (mix ^ value) * 0xff51afd7ed558ccd + (mix >> 29); };
  for (int64_t value : {s.m, s.n, s.k, s.lda, s.ldb, s.ldc, s.batch})
    add(uint64_t(value));
  for (uint8_t value : {s.layout_a, s.layout_b, s.dtype, s.flags})
    add(value);
  tw_plan p{};
  p.key = mix % 7;
  p.workspace_bytes = mix;
  p.predicted_cycles = int64_t(mix >> 1);
  p.m1 = 16 * uint32_t(1 + mix % 3), p.n1 = 256, p.k1a = 512, p.k1b = 1024, p.m0 = p.m1, p.n0 = 256;
  p.k0 = 64, p.split_k = 1 + uint32_t(mix % 5), p.block_dim = 24, p.swizzle = 3;
  p.kernel = uint32_t(mix % kernelNames.size());
  return p;
}

inline tw_shape randomShape(std::mt19937_64 &random) {
  auto extent = [&] { return int64_t(random() % (uint64_t(2) << (random() % 17))); };
  tw_shape s = tw_shape_dense(extent(), extent(), extent(), uint8_t(random() % 2),
                              uint8_t(random() % 2), uint8_t(random() % 2));
  if (random() % 4 == 0)
    s.lda += int64_t(random() % 100), s.ldb += int64_t(random() % 100), s.ldc += 16;
  s.batch = random() % 4 ? 1 : int64_t(random() % 64);
  s.flags = uint8_t(random() % 2);
  return s;
}

struct Entries {
  std::vector<tw_shape> shapes;
  std::vector<tw_plan> plans;
  void add(const tw_shape &shape) {
    shapes.push_back(shape);
    plans.push_back(planFor(shape));
  }
};

/// `count` distinct shapes.
inline Entries randomEntries(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::map<decltype(fields(tw_shape{})), bool> seen;
  Entries entries;
  while (entries.shapes.size() < count) {
    tw_shape shape = randomShape(random);
    if (seen.emplace(fields(shape), true).second)
      entries.add(shape);
  }
  return entries;
}

inline tw_status build(const Entries &entries, const std::string &path,
                       tw_build_info *info = nullptr) {
  return tw_table_build(entries.shapes.data(), entries.plans.data(), entries.shapes.size(),
                        kernelNames.data(), kernelNames.size(), machine, fingerprint, path.c_str(),
                        info);
}

/// An open table; null when it was refused.
class Open {
public:
  explicit Open(const std::string &path, tw_planner planner = nullptr, void *user = nullptr,
                size_t capacity = 0)
      : status(tw_open(path.c_str(), machine, fingerprint, planner, user, capacity, &dispatcher)) {}
  ~Open() { tw_close(dispatcher); }
  Open(const Open &) = delete;
  Open &operator=(const Open &) = delete;
  tw_counts counts() const {
    tw_counts c;
    tw_counters(dispatcher, &c);
    return c;
  }
  tw_dispatcher *dispatcher = nullptr;
  tw_status status;
};

inline std::string bytesOf(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void writeBytes(const std::string &path, const std::string &bytes) {
  std::filesystem::remove(path); // some file systems flush at once when a file is overwritten
  std::ofstream(path, std::ios::binary) << bytes;
}

} // namespace tilewright::test
