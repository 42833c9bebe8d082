// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tilewright/MatMul/Explain.h"
#include "Enumerate.h"
#include <algorithm>
#include <map>

namespace tilewright::matmul {

namespace {
using Int = int64_t;

/// What core `core` is dealt: every cores-th task from its own number on.
Dealt<Int> dealtTo(const Setting &s, const Layout2<Int> &l, Int core, const TilesOf<Int> &x,
                   bool rightFirst) {
  Int cores = s.t.cores;
  auto shifted = [&](Int end) { return end > core ? ceildiv(end - core, cores) : 0; };
  Blocks<Int> rows = l.rows, columns = l.columns;
  Int split = x.split;
  if (s.modules.resident != Resident::None) {
    bool alongColumns = s.modules.resident == Resident::A;
    const Blocks<Int> &minor = alongColumns ? l.columns : l.rows;
    Int tile = alongColumns ? x.n1 : x.m1;
    Blocks<Int> runs{l.fullRuns, l.lastTiles + minor.edges > 0,
                     l.lastTiles * tile + minor.edges * minor.extent};
    (alongColumns ? columns : rows) = runs;
    split = 1;
  }
  Int interior = rows.full * columns.full * split, right = rows.full * columns.edges * split;
  Int bottom = rows.edges * columns.full * split, corner = rows.edges * columns.edges * split;
  Int limit = s.kind == Template::StreamK ? l.waves * cores : interior + right + bottom + corner;
  auto part = [&](Int begin, Int size) {
    return shifted(std::min(begin + size, limit)) - shifted(std::min(begin, limit));
  };
  return {part(0, interior), part(interior + (rightFirst ? 0 : bottom), right),
          part(interior + (rightFirst ? right : 0), bottom),
          part(interior + right + bottom, corner)};
}

struct Work {
  Layout2<Int> l;
  Context<Int> c;
  bool partial;
};

Work workOf(const Setting &s, const TilesOf<Int> &x) {
  Work w{layOut(s, x), {}, s.kind != Template::Common && s.kind != Template::StreamK};
  w.c = contextOf(s, w.l, x, depthOf(s, x.split));
  return w;
}

Int classTime(const Setting &s, Work w, const TilesOf<Int> &x, const Dealt<Int> &dealt) {
  w.l.dealt = dealt;
  Int tasks = dealt.interior + dealt.right + dealt.bottom + dealt.corner;
  CoreTime<Int> core = coreTime(s, w.l, w.c, w.partial);
  Int cycles = 0;
  if (tasks)
    cycles = residentLoads(s, w.l, w.c, x) +
             mainTime(s, core, x, s.modules.resident == Resident::None ? Int(1) : tasks);
  if (s.kind == Template::StreamK)
    cycles += tailTime(s, w.l, w.c, core);
  return cycles;
}

std::vector<CoreClass> classesOf(const Setting &s, const TilesOf<Int> &x, bool rightFirst) {
  Work w = workOf(s, x);
  std::map<std::array<Int, 4>, CoreClass> classes;
  for (Int core = 0; core < s.t.cores; ++core) {
    Dealt<Int> d = dealtTo(s, w.l, core, x, rightFirst);
    CoreClass &c = classes[{d.interior, d.right, d.bottom, d.corner}];
    if (!c.cores++) {
      c.cycles = classTime(s, w, x, d);
      w.l.dealt = d;
      Dealt<Int> tiles = tilesOfCore(s, w.l);
      c.whole = tiles.interior, c.right = tiles.right, c.bottom = tiles.bottom,
      c.corner = tiles.corner;
    }
  }
  std::vector<CoreClass> sorted;
  for (const auto &[key, c] : classes)
    sorted.push_back(c);
  std::sort(sorted.begin(), sorted.end(), [](const CoreClass &a, const CoreClass &b) {
    return std::tie(a.cycles, a.cores) > std::tie(b.cycles, b.cores);
  });
  return sorted;
}

std::vector<Amount> trafficOf(const Setting &s, const Work &w, const TilesOf<Int> &x) {
  Int products = s.groups.empty() ? s.batch : Int(s.groups.size());
  Int columns = s.modules.resident == Resident::A ? w.l.runs : w.l.columns.count();
  Int rows = s.modules.resident == Resident::B ? w.l.runs : w.l.rows.count() / products;
  Int a = s.a.bytes * columns, b = s.b.bytes * std::max<Int>(rows, 1);
  Int memory = (s.a.inL2 ? 0 : a / w.c.readsA) + (s.b.inL2 ? 0 : b / w.c.readsB);
  Int c = s.partialBytes / 2, partial = 0;
  if (s.kind == Template::StreamK)
    partial = partialSums(s, w.l, x);
  else if (s.kind == Template::MultiCoreSplitK)
    partial = s.partialBytes * x.split;
  else if (!onChip(s.kind))
    partial = s.partialBytes * ceildiv(w.c.depth, w.c.slice) * x.split;
  return {{"read to L1", "bytes", a + b},
          {"read from memory", "bytes", memory},
          {"partial sums written", "bytes", partial},
          {"C written", "bytes", c}};
}

std::vector<Amount> buffersOf(const Setting &s, const TilesOf<Int> &x, const Work &w) {
  std::vector<Amount> buffers;
  constraints<Int>(s, x, w.l, [&](const char *what, Int lhs, Int, bool, const char *unit) {
    if (std::string(what).size() <= 3 && std::string(unit) == "bytes")
      buffers.push_back({what, unit, lhs});
  });
  if (s.kind != Template::Common)
    buffers.push_back({"workspace", "bytes", std::max(s.partialBytes, partialSums(s, w.l, x))});
  return buffers;
}
} // namespace

static Explanation trivial(const Target &target, const Plan &plan) {
  Explanation e;
  e.total = plan.cycles;
  e.phases = {{"launch and fill", "cycles", plan.cycles}};
  e.binding = "overhead";
  return e;
}

Explanation explain(const Target &target, const Shape &shape, const Choice &choice) {
  if (std::optional<Plan> plan = trivialPlan(target, shape))
    return trivial(target, *plan);
  Setting s(target, shape, choice.kind, choice.modules);
  TilesOf<Int> x = tilesOf(choice.tiles);
  Estimate<Int> estimated = estimate(s, x);
  Work w = workOf(s, x);
  Explanation e;
  e.total = estimated.total;
  e.phases = {{"launch", "cycles", estimated.launch},
              {"padding A", "cycles", s.a.padCycles},
              {"padding B", "cycles", s.b.padCycles},
              {"main loop", "cycles", estimated.main},
              {"epilogue", "cycles", estimated.epilogue}};
  const Busy<Int> &b = estimated.core.busy;
  e.busy = {{"MTE2", "cycles", b.mte2 + estimated.resident},
            {"MTE1", "cycles", b.mte1},
            {"Cube", "cycles", b.cube},
            {"FixPipe", "cycles", b.fix}};
  auto largest =
      std::max_element(e.busy.begin(), e.busy.end(),
                       [](const Amount &a, const Amount &b) { return a.value < b.value; });
  e.binding = 2 * largest->value < e.total ? "overhead" : largest->name;
  e.traffic = trafficOf(s, w, x);
  e.buffers = buffersOf(s, x, w);
  e.classes = classesOf(s, x, estimated.rightFirst);
  e.tasks = estimated.tasks, e.waves = estimated.rounds;
  double operations =
      2.0 * double(shape.m) * double(shape.n) * double(shape.k) * double(shape.batch);
  e.teraflops = operations / (target.microseconds(e.total) * 1e6);
  return e;
}

std::optional<RunnerUp> runnerUp(const Target &target, const Shape &shape, const Plan &best) {
  std::optional<RunnerUp> next;
  for (int kind = 0; kind <= int(Template::StreamK) && best.choice.kind <= Template::StreamK;
       ++kind) {
    if (Template(kind) == best.choice.kind)
      continue;
    Pins pins;
    pins.kind = Template(kind);
    try {
      Plan other = plan(target, shape, pins);
      if (!next || other.cycles < next->cycles)
        next = RunnerUp{other.choice, other.cycles};
    } catch (const Error &error) { // this template has no legal candidate
      if (error.diagnostic().id != "matmul.no-candidate")
        throw;
    }
  }
  return next;
}

} // namespace tilewright::matmul
