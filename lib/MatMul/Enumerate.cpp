// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Enumerate.h"
#include <algorithm>
#include <fmt/format.h>

namespace tilewright::matmul {

std::vector<Modules> variants(const Target &target, const Shape &shape,
                              const Structure &structure) {
  std::vector<Modules> all;
  for (Pipelining p : {Pipelining::Single, Pipelining::Double, Pipelining::Preload})
    for (bool shuffle : {false, true}) {
      if (shuffle && !shuffleApplies(target, shape))
        continue;
      Modules modules = structure.modules;
      modules.pipelining = p;
      modules.shuffleK = shuffle;
      all.push_back(modules);
    }
  return all;
}

static void keep(std::vector<int64_t> &values, const std::optional<int64_t> &pin) {
  if (pin)
    values = {*pin};
}

void restrict(Domains &d, const Setting &s, const Pins &pins) {
  keep(d.m1, pins.m1);
  keep(d.n1, pins.n1);
  keep(d.k0, pins.k0);
  if (s.modules.resident != Resident::A)
    keep(d.kA, pins.kA);
  if (s.modules.resident != Resident::B)
    keep(d.kB, pins.kB);
  if (splitsOverCores(s.kind))
    keep(d.split, pins.split);
  else if (pins.split && *pins.split != 1)
    d.split.clear();
}

std::optional<int64_t> cycles(const Target &target, const Shape &shape, const Choice &choice) {
  check(shape);
  checkMemory(target, shape);
  if (std::optional<Plan> trivial = trivialPlan(target, shape))
    return choice == trivial->choice ? std::optional(trivial->cycles) : std::nullopt;
  if (choice.kind == Template::Nothing || choice.kind == Template::Fill)
    return std::nullopt;
  Setting setting(target, shape, choice.kind, choice.modules);
  TilesOf<int64_t> x = tilesOf(choice.tiles);
  if (!legal(setting, x))
    return std::nullopt;
  return estimate(setting, x).total;
}

void forEachCandidate(const Target &target, const Shape &shape, const Pins &pins,
                      const std::function<void(const Choice &, int64_t)> &f) {
  for (const Structure &structure : structures(target, shape)) {
    if (pins.kind && *pins.kind != structure.kind)
      continue;
    for (const Modules &modules : variants(target, shape, structure)) {
      if ((pins.modules && !pins.modules(modules)) ||
          (pins.structure && !pins.structure(structure.kind, modules)))
        continue;
      Setting s(target, shape, structure.kind, modules);
      Domains d = domains(s);
      restrict(d, s, pins);
      for (int64_t m1 : d.m1)
        for (int64_t n1 : d.n1)
          for (int64_t split : d.split)
            forEachRest(s, d, m1, n1, split, [&](const TilesOf<int64_t> &x) {
              if (Choice choice{structure.kind, modules, plain(x)};
                  !pins.choice || pins.choice(choice))
                f(choice, estimate(s, x).total);
            });
    }
  }
}

void forEachTile(const Target &target, const Shape &shape,
                 const std::function<void(const Pins &)> &f) {
  for (int kind = 0; kind <= int(Template::StreamK); ++kind) {
    Setting s(target, shape, Template(kind), {});
    Domains d = domains(s);
    Pins pins;
    pins.kind = Template(kind);
    for (int64_t m1 : d.m1)
      for (int64_t n1 : d.n1)
        for (int64_t split : d.split) {
          pins.m1 = m1, pins.n1 = n1, pins.split = split;
          f(pins);
        }
  }
}

Plan planByEnumeration(const Target &target, const Shape &shape, const Pins &pins) {
  check(shape);
  checkMemory(target, shape);
  if (std::optional<Plan> trivial = trivialPlan(target, shape))
    return *trivial;
  Plan best;
  forEachCandidate(target, shape, pins, [&](const Choice &choice, int64_t cycles) {
    if (!best.statistics.estimated++ || cycles < best.cycles)
      best.choice = choice, best.cycles = cycles;
  });
  if (!best.statistics.estimated)
    noCandidate(target, shape);
  return best;
}

std::optional<Plan> trivialPlan(const Target &t, const Shape &shape) {
  if (shape.empty())
    return Plan{{Template::Nothing, {}, {}}, 0, {}};
  if (shape.k > 0)
    return std::nullopt;
  int64_t bytes = shape.m * shape.n * shape.batch * t.elementBytes;
  int64_t rate = ceildiv(bytes, t.vectorWrite * t.vectorCores);
  int64_t memory = ceildiv(bytes * 1000, t.hbmPer1000);
  return Plan{{Template::Fill, {}, {}}, t.launchBase + t.launchCores + max(rate, memory), {}};
}

static __int128 wide(int64_t a, int64_t b, int64_t c) {
  return __int128(a) * b * c;
}

void checkMemory(const Target &t, const Shape &s) {
  int64_t products = s.groups.empty() ? s.batch : int64_t(s.groups.size());
  __int128 elements =
      (wide(s.m, s.k, s.batch) + wide(s.k, s.n, products) + wide(s.m, s.n, s.batch));
  __int128 limit = t.hbm / t.elementBytes;
  if (elements > limit)
    throw Error(Kind::DoesNotFit, "matmul.memory",
                "A, B and C of " + s.str() + " have " + fmt::format("{:.0f}", double(elements)) +
                    " elements, the memory of '" + t.machine.name + "' holds " +
                    std::to_string(int64_t(limit)),
                "split the product along its largest dimension");
}

void noCandidate(const Target &target, const Shape &shape) {
  throw Error(Kind::DoesNotFit, "matmul.no-candidate",
              "no template, tile and modules that are left fit " + shape.str() + " on '" +
                  target.machine.name + "'",
              "pin fewer values, or smaller ones");
}

} // namespace tilewright::matmul
