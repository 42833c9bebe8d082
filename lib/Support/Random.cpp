// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SplitMix64, the Irwin-Hall transform and rounding to bf16.
#include "tilewright/Support/Random.h"
#include <bit>

namespace tilewright {

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint64_t Random::next() {
  return mix(state += 0x9e3779b97f4a7c15u);
}

float Random::uniform() {
  return float(next() >> 40) * 0x1p-24f;
}

uint64_t Random::below(uint64_t bound) {
  return uint64_t((static_cast<unsigned __int128>(next()) * bound) >> 64);
}

float Random::normal() {
  int64_t sum = 0;
  for (int word = 0; word < 3; ++word) {
    uint64_t bits = next();
    for (int part = 0; part < 4; ++part)
      sum += int64_t((bits >> (16 * part)) & 0xffff);
  }
  return float(sum - 6 * 65535) * 0x1p-16f;
}

uint64_t seedFor(uint64_t seed, std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char c : name)
    hash = (hash ^ c) * 0x100000001b3u;
  return mix(hash ^ mix(seed));
}

std::vector<float> normalValues(uint64_t seed, int64_t count, bool bf16, float scale) {
  Random random(seed);
  std::vector<float> values(count);
  for (float &value : values) {
    value = scale * random.normal();
    if (bf16)
      value = roundToBf16(value);
  }
  return values;
}

float roundToBf16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return std::bit_cast<float>((bits & 0xffff0000u) | 0x00400000u);
  bits += 0x7fffu + ((bits >> 16) & 1u);
  return std::bit_cast<float>(bits & 0xffff0000u);
}

} // namespace tilewright
