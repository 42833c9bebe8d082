// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes docs/evaluation-ascend.md: predicted beside published, baselines in the same model, and
// how far the choice depends on each number. The page is the same on every run.
#include "AscendRows.h"
#include "bench.h"
#include "tilewright/MatMul/Baselines.h"
#include "tilewright/MatMul/Explain.h"
#include "tilewright/Support/Random.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>

using namespace tilewright;
using namespace tilewright::matmul;
using namespace tilewright::bench;

namespace {
struct Outcome {
  const Row *row;
  double predicted;
  Choice choice;
  double error() const { return predicted / row->microseconds - 1; }
};

std::vector<Outcome> outcomes() {
  std::vector<Outcome> all;
  for (const Row &row : rows()) {
    Target target = targetOf(row);
    Plan plan = predict(target, row);
    all.push_back({&row, target.microseconds(plan.cycles), plan.choice});
  }
  return all;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double medianError(const std::vector<Outcome> &all) {
  std::vector<double> errors;
  for (const Outcome &o : all)
    errors.push_back(std::abs(o.error()));
  return median(errors);
}

std::string rowsTable(std::vector<Outcome> all) {
  auto size = [](const Outcome &o) {
    return std::abs(std::log(o.predicted / o.row->microseconds));
  };
  std::sort(all.begin(), all.end(), [&](const Outcome &a, const Outcome &b) {
    return std::pair(-size(a), std::string(a.row->name)) <
           std::pair(-size(b), std::string(b.row->name));
  });
  std::string text = "| row | source | machine | published us | predicted us | error | evaluated | "
                     "missing term |\n"
                     "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Outcome &o : all)
    text += fmt::format("| {} | {} | {}{} | {:.1f} | {:.1f} | {:+.1f} % | {}: {} | {} |\n",
                        o.row->name, o.row->source, o.row->machine,
                        o.row->cores ? fmt::format(", {} cores", o.row->cores) : "",
                        o.row->microseconds, o.predicted, 100 * o.error(),
                        o.row->known.m1 ? "the row's tile" : "our plan", o.choice.str(),
                        std::abs(o.error()) > 0.2 ? o.row->missing : "");
  return text;
}

double predictedOf(const std::vector<Outcome> &all, const std::string &name) {
  for (const Outcome &o : all)
    if (o.row->name == name)
      return o.predicted;
  std::fprintf(stderr, "ascend: no row '%s'\n", name.c_str());
  std::abort();
}

std::string stepsTable(const std::vector<Outcome> &all, int &wrong) {
  std::string text =
      "| step | published | predicted | same direction |\n| --- | --- | --- | --- |\n";
  for (const Step &step : steps()) {
    double before = predictedOf(all, step.before), after = predictedOf(all, step.after);
    double publishedBefore = 0, publishedAfter = 0;
    for (const Outcome &o : all) {
      publishedBefore =
          o.row->name == std::string(step.before) ? o.row->microseconds : publishedBefore;
      publishedAfter =
          o.row->name == std::string(step.after) ? o.row->microseconds : publishedAfter;
    }
    bool right = after <= before;
    wrong += !right;
    text += fmt::format("| {} → {} | {:.2f}x | {:.2f}x | {} |\n", step.before, step.after,
                        publishedBefore / publishedAfter, before / after, right ? "yes" : "no");
  }
  return text;
}

//===--- Baselines
//------------------------------------------------------------------------------===//

Shape randomShape(Random &random) {
  while (true) {
    auto size = [&] {
      return std::max<int64_t>(1,
                               int64_t(std::exp2(double(random.uniform()) * std::log2(100000.0))));
    };
    Shape s;
    s.m = size(), s.n = size(), s.k = size();
    s.layoutA = random.below(2) ? Layout::Column : Layout::Row;
    s.layoutB = random.below(2) ? Layout::Column : Layout::Row;
    double products = double(s.m) * double(s.n) * double(s.k);
    double elements =
        double(s.m) * double(s.k) + double(s.k) * double(s.n) + double(s.m) * double(s.n);
    if (products <= double(int64_t(1) << 42) && elements <= double(int64_t(1) << 33))
      return s;
  }
}

struct Versus {
  const char *name;
  Choice (*choose)(const Target &, const Shape &);
  std::vector<double> ratios;
  double operations = 0, throughput = 0, time = 0;
};

std::string versusRow(Versus &v, double ourThroughput, double ourTime, size_t count) {
  double sum = 0, logs = 0;
  for (double r : v.ratios)
    sum += r, logs += std::log(r);
  std::sort(v.ratios.begin(), v.ratios.end());
  return fmt::format(
      "| {} | {:.2f}x | {:.2f}x | {:.2f}x | {:.2f}x | {:.2f}x | {:.2f}x | {:.1f} |\n", v.name,
      sum / double(count), std::exp(logs / double(count)), ourThroughput / v.throughput,
      v.time / ourTime, v.ratios[count / 2], v.ratios[count * 99 / 100],
      v.throughput / double(count));
}

std::string baselines(const Target &target, int &lost) {
  constexpr size_t count = 4000;
  Random random(1);
  std::vector<Versus> all = {{"basic CATLASS", basicCatlass, {}},
                             {"rule-102", rule102, {}},
                             {"ACLNN-like", aclnnLike, {}}};
  std::map<std::string, size_t> kinds;
  double throughput = 0, time = 0;
  for (size_t i = 0; i < count; ++i) {
    Shape s = randomShape(random);
    double operations = 2.0 * double(s.m) * double(s.n) * double(s.k);
    Plan ours = plan(target, s);
    double us = target.microseconds(ours.cycles);
    ++kinds[name(ours.choice.kind)];
    throughput += operations / us / 1e6, time += us;
    for (Versus &v : all) {
      auto cycles = matmul::cycles(target, s, v.choose(target, s));
      double theirs = target.microseconds(cycles.value());
      if (*cycles < ours.cycles) {
        std::printf("ascend: %s is faster on %s: %lld against %lld cycles, %s\n", v.name,
                    s.str().c_str(), (long long)*cycles, (long long)ours.cycles,
                    v.choose(target, s).str().c_str());
        ++lost;
      }
      v.ratios.push_back(theirs / us);
      v.throughput += operations / theirs / 1e6, v.time += theirs;
    }
  }
  std::string text = fmt::format(
      "Our mean throughput on these {} shapes is {:.1f} TFLOPS.\n\n| against | mean of ratios | "
      "geometric mean | "
      "ratio of mean TFLOPS | ratio of total time | median | 99th percentile | its mean TFLOPS |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
      count, throughput / double(count));
  for (Versus &v : all)
    text += versusRow(v, throughput, time, count);
  text += "\n| template chosen | share |\n| --- | --- |\n";
  for (const auto &[kind, n] : kinds)
    text += fmt::format("| {} | {:.1f} % |\n", kind, 100.0 * double(n) / double(count));
  return text;
}

//===--- Sensitivity
//----------------------------------------------------------------------------===//

bool sameTile(const Choice &a, const Choice &b) {
  return a.kind == b.kind && a.tiles.m1 == b.tiles.m1 && a.tiles.n1 == b.tiles.n1 &&
         a.tiles.split == b.tiles.split;
}

/// The machine file's text with the value of `path` (group.key, or key) times permille / 1000:
/// formulas name numbers, so that a change has to come before they are read.
std::string changedText(std::string text, const std::string &path, int64_t permille) {
  size_t dot = path.find('.'), at = 0;
  if (dot != std::string::npos)
    at = text.find("\n  " + path.substr(0, dot) + ":\n");
  std::string key = path.substr(dot == std::string::npos ? 0 : dot + 1) + ": {value: ";
  size_t begin = text.find(" " + key, at) + 1 + key.size(), end = text.find(',', begin);
  int64_t value =
      std::max<int64_t>(1, std::stoll(text.substr(begin, end - begin)) * permille / 1000);
  return text.replace(begin, end - begin, std::to_string(value));
}

machine::Machine changedMachine(const BenchPaths &paths, const std::string &path,
                                int64_t permille) {
  std::ifstream stream(TILEWRIGHT_SOURCE_DIR "/machines/ascend910b1.yaml");
  std::string text((std::istreambuf_iterator<char>(stream)), {}),
      file = paths.scratch + "/ascend910b1.yaml";
  std::ofstream(file) << changedText(text, path, permille);
  return machine::load(file);
}

/// What a number 20 % off would cost: share of other choices, and the regret of keeping the present
/// one.
std::string sensitivityRow(const BenchPaths &paths, const std::string &path,
                           const std::vector<Shape> &shapes, const std::vector<Plan> &plans) {
  double worstShare = 0, worstRegret = 0;
  for (int64_t permille : {800, 1200}) {
    Target target(changedMachine(paths, path, permille));
    double moved = 0, regret = 0;
    for (size_t i = 0; i < shapes.size(); ++i) {
      Plan best = plan(target, shapes[i]);
      moved += !sameTile(best.choice, plans[i].choice);
      if (auto kept = cycles(target, shapes[i], plans[i].choice))
        regret += double(*kept) / double(best.cycles) - 1;
    }
    worstShare = std::max(worstShare, moved / double(shapes.size()));
    worstRegret = std::max(worstRegret, regret / double(shapes.size()));
  }
  return fmt::format("| `{}` | {:.1f} % | {:.2f} % |\n", path, 100 * worstShare, 100 * worstRegret);
}

std::string sensitivity(const BenchPaths &paths, const Target &target) {
  Random random(2);
  std::vector<Shape> shapes;
  std::vector<Plan> plans;
  for (int i = 0; i < 400; ++i)
    shapes.push_back(randomShape(random)), plans.push_back(plan(target, shapes.back()));
  std::string text = "| number, 20 % up or down | other template, tile or split | mean regret of "
                     "the present choice |\n| --- | --- | --- |\n";
  for (const char *path : {"clock_mhz",
                           "cube.head_cycles",
                           "mte1.a_bytes_per_cycle",
                           "mte1.b_bytes_per_cycle",
                           "mte1.issue_cycles",
                           "mte2.hot_bytes_per_cycle",
                           "mte2.cold_bytes_per_cycle",
                           "mte2.issue_cycles",
                           "mte2.row_cycles_per_1000",
                           "mte2.long_row_cycles_per_1000",
                           "hbm.bytes_per_1000_cycles",
                           "l2.usable_permille",
                           "fixpipe.bytes_per_cycle",
                           "fixpipe.issue_cycles",
                           "fixpipe.unaligned_permille",
                           "vector.read_bytes_per_cycle",
                           "vector.write_bytes_per_cycle",
                           "vector.pad_hot_bytes_per_1000_cycles",
                           "launch.base_cycles",
                           "launch.cores_cycles",
                           "launch.pass_cycles",
                           "launch.mix_cycles",
                           "launch.constant_tiling_cycles",
                           "sync.cycles",
                           "hazard.same_address_permille",
                           "hazard.tlb_permille"})
    text += sensitivityRow(paths, path, shapes, plans);
  return text;
}

//===--- What the tool says
//---------------------------------------------------------------------------===//

std::string readText(const std::string &path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Runs the tool; its standard output. Ends the benchmark when it fails.
std::string toolOutput(const BenchPaths &paths, const std::string &arguments) {
  std::string file = paths.scratch + "/tool.txt";
  std::string command = "'" + paths.tool + "' matmul " + arguments + " > '" + file + "'";
  if (std::system(command.c_str()) != 0) {
    std::fprintf(stderr, "ascend: the tool failed: %s\n", command.c_str());
    std::exit(1);
  }
  return readText(file);
}

std::string lastLines(const std::string &text, int lines) {
  size_t begin = text.size();
  for (int i = 0; i <= lines && begin != std::string::npos && begin > 0; ++i)
    begin = text.rfind('\n', begin - 1);
  return begin == std::string::npos ? text : text.substr(begin + 1);
}

std::string indented(std::string text) {
  for (size_t at = text.find('\n'); at != std::string::npos && at + 1 < text.size();
       at = text.find('\n', at + 1))
    text.insert(at + 1, "    ");
  return text;
}

/// The seeded mixture: tables of the sweep's report, its pictures beside the page.
std::string mixture(const BenchPaths &paths) {
  std::string folder = paths.scratch + "/sweep";
  std::string report =
      toolOutput(paths, "sweep --arch ascend910b1 --count 80000 --seed 1 -o '" + folder + "'");
  for (const char *picture : {"distribution", "roofline"})
    std::ofstream(TILEWRIGHT_SOURCE_DIR "/docs/evaluation-ascend-" + std::string(picture) + ".svg")
        << readText(folder + "/" + picture + ".svg");
  size_t begin = report.find("| template |"), end = report.find("\n![");
  return report.substr(begin, end - begin) + "\n![templates](evaluation-ascend-distribution.svg)\n!"
                                             "[roofline](evaluation-ascend-roofline.svg)\n";
}
//===--- Worked cases
//-------------------------------------------------------------------------------===//

struct Worked {
  int64_t m, n, k, m1, n1;
  const char *paper;
};

std::string cell(const Target &target, const Shape &shape, const Pins &pins) {
  Plan p = plan(target, shape, pins);
  return fmt::format("{} {}x{}, {:.1f} us", name(p.choice.kind), p.choice.tiles.m1,
                     p.choice.tiles.n1, target.microseconds(p.cycles));
}

/// The paper's section 4.3, on 16 cores: free, without what its templates lack, and with its tile.
std::string workedCases(machine::Machine machine) {
  machine.numbers["cores.cube"].value = 16;
  machine.numbers["cores.vector"].value = 32;
  Target target(machine);
  std::string text =
      "| case | paper | layouts | free | without resident panels | with the paper's tile |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const Worked &w : {Worked{1024, 1024, 1024, 128, 256, "Common"},
                          Worked{4096, 4096, 1024, 256, 256, "SingleCoreSplitK"},
                          Worked{128, 128, 4096, 64, 64, "MultiCoreSplitK"},
                          Worked{256, 256, 8192, 256, 256, "HybridSplitK"}})
    for (bool columnB : {false, true}) {
      Shape s;
      s.m = w.m, s.n = w.n, s.k = w.k, s.layoutB = columnB ? Layout::Column : Layout::Row;
      Pins base, tile;
      base.modules = [](const Modules &m) { return m.resident == Resident::None; };
      tile.m1 = w.m1, tile.n1 = w.n1;
      text += fmt::format("| {}x{}x{} | {} {}x{} | row, {} | {} | {} | {} |\n", w.m, w.n, w.k,
                          w.paper, w.m1, w.n1, name(s.layoutB), cell(target, s, {}),
                          cell(target, s, base), cell(target, s, tile));
    }
  return text;
}
} // namespace

int benchAscend(const BenchPaths &paths) {
  machine::Machine machine = machine::load(TILEWRIGHT_SOURCE_DIR "/machines/ascend910b1.yaml");
  Target target(machine);
  std::vector<Outcome> all = outcomes();
  int wrong = 0, lost = 0;
  double error = medianError(all);
  std::string page = "# Ascend: the model against published times\n\n"
                     "Written by `./dev bench ascend`. Every predicted time is the model's; "
                     "nothing here ran on silicon. "
                     "Constants come from `machines/ascend910b*.yaml`: documented sizes and rates, "
                     "fits of the ND2NZ "
                     "bandwidth curve, of GM microbenchmarks, of per-pipe profiles and of launch "
                     "overheads, each with "
                     "its source; none was fitted on a row below. The layouts of the ablation (A "
                     "and B stored by columns) "
                     "are inferred from its steps.\n\n";
  page +=
      fmt::format("## Published rows, worst first\n\n{} rows, median absolute error {:.1f} %.\n\n",
                  all.size(), 100 * error);
  page += rowsTable(all);
  page += "\nNot expressible: int8 and fp32 rows, Ascend 950, ratios without a time, end-to-end "
          "models.\n\n## Steps\n\n" +
          stepsTable(all, wrong);
  page +=
      "\n## The paper's worked cases\n\n16 cores; the paper names no layouts. The cases compare "
      "templates, before modules: with L1 Resident, a module of the library, Common is the fastest "
      "on "
      "4096x4096x1024. On 128x128x4096 with 64x64 tiles the missing term is the launch: 7 us times "
      "the share of cores in use outweighs what more cores gain. On 256x256x8192 both templates "
      "are within 2 %.\n\n" +
      workedCases(machine);
  page += "\n## Rule-based reconstructions, in the model\n\nTheir rules as published, rebuilt; "
          "times in the same model, on "
          "log-uniform sizes of 1 to 100,000 (seed 1, at most 2^42 multiplications), four layouts. "
          "The ratios say what the "
          "model thinks of the rules, not what these libraries reach.\n\n" +
          baselines(target, lost);
  page += "\n## 80,000 shapes\n\nThe mixture of `tilewright matmul sweep` (seed 1; "
          "`lib/Driver/Mixture.h`).\n\n" +
          mixture(paths);
  page +=
      "\n## The vendor's tuned tilings\n\nRecords of `bench/data`, ranked among the best of every "
      "(template, m1, n1, split) in the model:\n\n    " +
      indented(
          lastLines(toolOutput(paths, "rank --arch ascend910b1 --tilings '" TILEWRIGHT_SOURCE_DIR
                                      "/bench/data/ascend_tuned_tilings.csv'"),
                    2));
  page += "\n## Sensitivity\n\n400 shapes, log-uniform (seed 2).\n\n" + sensitivity(paths, target);
  std::ofstream(TILEWRIGHT_SOURCE_DIR "/docs/evaluation-ascend.md") << page;
  std::printf("ascend: %zu published rows, median error %.1f %% (limit 20), %d of %zu steps in the "
              "wrong direction, "
              "%d baseline plans faster than ours; docs/evaluation-ascend.md written\n",
              all.size(), 100 * error, wrong, steps().size(), lost);
  return error > 0.2 || wrong || lost;
}
