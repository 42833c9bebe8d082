// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tilewright matmul sweep: a seeded mixture of shapes, planned and summed up.
#include "Mixture.h"
#include "PlanAll.h"
#include "Svg.h"
#include "tilewright/Driver/Compile.h"
#include "tilewright/Driver/MatMulCommands.h"
#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>

namespace tilewright::driver {

using namespace matmul;

namespace {
struct Point {
  double intensity, teraflops, roof, microseconds, m, n, k;
};

struct Group {
  std::vector<Point> points;
};

struct Sweep {
  std::map<std::string, Group> strata, templates;
  std::map<std::string, size_t> kinds, refused;
  size_t planned = 0;
};
} // namespace

static double peak(const Target &t) {
  return 2.0 * double(t.cubeM * t.cubeN * t.cubeK) * double(t.cores) * double(t.clockMhz) /
         1e6; // TFLOPS
}
static double bandwidth(const Target &t) {
  return double(t.hbmPer1000) * double(t.clockMhz) / 1e9;
} // TB/s

static Point pointOf(const Target &t, const Shape &s, const Plan &plan) {
  double operations = 2.0 * double(s.m) * double(s.n) * double(s.k);
  double bytes =
      2.0 * (double(s.m) * double(s.k) + double(s.k) * double(s.n) + double(s.m) * double(s.n));
  double us = t.microseconds(plan.cycles), intensity = operations / bytes;
  return {intensity,  operations / us / 1e6, std::min(peak(t), intensity * bandwidth(t)),
          us,         double(s.m),           double(s.n),
          double(s.k)};
}

static void record(const Target &target, const MixedShape &mixed, const Planned &result,
                   Sweep &sweep) {
  if (!result.plan) {
    ++sweep.refused[result.failure->id];
    return;
  }
  Point point = pointOf(target, mixed.shape, *result.plan);
  ++sweep.planned;
  ++sweep.kinds[name(result.plan->choice.kind)];
  sweep.strata[mixed.stratum].points.push_back(point);
  sweep.templates[name(result.plan->choice.kind)].points.push_back(point);
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

static std::string summaryRow(const std::string &kind, const std::string &name,
                              const Group &group) {
  std::vector<double> flops, share, times;
  double sum = 0, operations = 0, time = 0;
  for (const Point &p : group.points) {
    flops.push_back(p.teraflops), share.push_back(p.teraflops / p.roof),
        times.push_back(p.microseconds);
    sum += p.teraflops, operations += p.teraflops * p.microseconds, time += p.microseconds;
  }
  return fmt::format("{},{},{},{:.2f},{:.2f},{:.2f},{:.3f},{:.2f}\n", kind, name,
                     group.points.size(), sum / double(group.points.size()), median(flops),
                     operations / time, median(share), median(times));
}

static std::string summaryCsv(const Sweep &sweep) {
  std::string text = "group,name,shapes,mean_tflops,median_tflops,time_weighted_tflops,median_"
                     "share_of_roofline,median_us\n";
  for (const auto &[name, group] : sweep.strata)
    text += summaryRow("stratum", name, group);
  for (const auto &[name, group] : sweep.templates)
    text += summaryRow("template", name, group);
  return text;
}

static std::string reportMd(const Target &target, const MatMulOptions &o, const Sweep &sweep) {
  std::string text = fmt::format(
      "# {} shapes on {}, seed {}\n\nEvery figure is the model's; nothing ran on silicon. Peak "
      "{:.1f} "
      "TFLOPS, memory {:.2f} TB/s.\n\n| template | shapes | share |\n| --- | --- | --- |\n",
      o.count, target.machine.name, o.seed, peak(target), bandwidth(target));
  for (const auto &[name, count] : sweep.kinds)
    text += fmt::format("| {} | {} | {:.2f} % |\n", name, count,
                        100.0 * double(count) / double(sweep.planned));
  for (const auto &[id, count] : sweep.refused)
    text += fmt::format("\n{} shapes were refused: {}\n", count, id);
  text += "\n| group | shapes | mean TFLOPS | median | time-weighted | median share of the "
          "roofline |\n| --- | --- | --- | --- | --- | --- |\n";
  auto rows = [&](const std::map<std::string, Group> &groups) {
    for (const auto &[name, group] : groups) {
      std::string row = summaryRow("", name, group);
      std::vector<std::string> cells;
      for (size_t begin = 0; begin < row.size();) {
        size_t end = row.find_first_of(",\n", begin);
        cells.push_back(row.substr(begin, end - begin)), begin = end + 1;
      }
      text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", cells[1], cells[2], cells[3],
                          cells[4], cells[5], cells[6]);
    }
  };
  rows(sweep.strata);
  rows(sweep.templates);
  return text + "\n![distribution](distribution.svg)\n![roofline](roofline.svg)\n";
}

static std::string distributionSvg(const Sweep &sweep) {
  Plot plot{"Templates by size of C and depth", "M x N", "K", {}};
  for (const auto &[name, group] : sweep.templates) {
    Series series{name, {}, false};
    for (const Point &p : group.points)
      series.points.emplace_back(p.m * p.n, p.k);
    plot.series.push_back(std::move(series));
  }
  return svg(plot);
}

static std::string rooflineSvg(const Target &target, const Sweep &sweep) {
  Plot plot{"Predicted throughput against the roofline, in the model",
            "operations per byte",
            "TFLOPS",
            {}};
  for (const auto &[name, group] : sweep.strata) {
    Series series{name, {}, false};
    for (const Point &p : group.points)
      series.points.emplace_back(p.intensity, p.teraflops);
    plot.series.push_back(std::move(series));
  }
  double knee = peak(target) / bandwidth(target);
  plot.series.push_back(
      {"roofline",
       {{0.1, 0.1 * bandwidth(target)}, {knee, peak(target)}, {10000, peak(target)}},
       true});
  return svg(plot);
}

int matmulSweepCommand(const MatMulOptions &o) {
  constexpr uint64_t block = 8192; // bounds the memory, not the result
  Target target(machine::find(o.arch));
  Random random(o.seed);
  Sweep sweep;
  for (uint64_t done = 0; done < o.count; done += block) {
    std::vector<MixedShape> mixed;
    std::vector<Shape> shapes;
    for (uint64_t i = done; i < std::min(done + block, o.count); ++i)
      mixed.push_back(drawShape(random)), shapes.push_back(mixed.back().shape);
    std::vector<Planned> results = planAll(target, shapes, o.jobs, true);
    for (size_t i = 0; i < mixed.size(); ++i)
      record(target, mixed[i], results[i], sweep);
  }
  nlohmann::ordered_json manifest = {
      {"kind", "sweep"}, {"machine", target.machine.name}, {"count", o.count}, {"seed", o.seed}};
  std::string report = reportMd(target, o, sweep);
  writeFolder(o.output, {{"report.md", report},
                         {"summary.csv", summaryCsv(sweep)},
                         {"distribution.svg", distributionSvg(sweep)},
                         {"roofline.svg", rooflineSvg(target, sweep)},
                         {"manifest.json", manifest.dump(2) + "\n"}});
  std::cout << report;
  return 0;
}

} // namespace tilewright::driver
