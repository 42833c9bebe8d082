// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was decided, for people.
#include "tilewright/Driver/Compile.h"
#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace tilewright::driver {

using symbolic::Environment;
using symbolic::evaluate;

namespace {
class Report {
public:
  explicit Report(const Compilation &compilation)
      : c(compilation), environment(c.schedule.values.begin(), c.schedule.values.end()) {}

  std::string run(bool withTimes) {
    line("kernel     {} ({}) for {}, {}", c.schedule.kernel, c.schedule.source, c.machine.name,
         fmt::join(c.schedule.arguments, ", "));
    mapping();
    symbols();
    prediction();
    memory();
    search();
    if (withTimes)
      times();
    return text;
  }

private:
  template <typename... Args> void line(fmt::format_string<Args...> format, Args &&...args) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    text += '\n';
  }

  void mapping() {
    const auto &placement = c.schedule.candidate.placement;
    line("mapping    {} x {} cores", placement.sizeX(), placement.sizeY());
    for (size_t axis = 0; axis < c.facts.axes.size(); ++axis) {
      const auto &info = c.facts.axes[axis];
      int64_t block = environment.at(info.symbol), cores = placement.cores(axis);
      int64_t blocks = (info.extent + block - 1) / block;
      line("           {}: {} in {} blocks of {} over {} cores, {} each", info.symbol, info.extent,
           blocks, block, cores, (blocks + cores - 1) / cores);
    }
    auto loads = c.facts.allLoads();
    for (size_t i = 0; i < loads.size(); ++i) {
      const auto &sharing = c.schedule.candidate.sharing[i];
      line("{}  {}: {}", i ? "         " : "transfers", loads[i]->label,
           sharing.cores() == 1
               ? std::string("unicast, every core reads its own blocks")
               : fmt::format("multicast, one read for {} x {} cores", sharing.x, sharing.y));
    }
  }

  void symbols() {
    std::string blocks, knobs;
    for (const auto &[name, value] : c.schedule.values) {
      bool block =
          std::any_of(c.facts.symbols.begin(), c.facts.symbols.end(),
                      [&, &name = name](const auto &symbol) { return symbol.name == name; });
      bool knob = name.starts_with("pipe_") || name.starts_with("sub_");
      if (block || knob)
        (block ? blocks : knobs) += fmt::format(" {}={}", name, value);
    }
    line("symbols   {}", blocks);
    line("knobs     {}", knobs);
  }

  void prediction() {
    auto [resource, busy] = bindingResource();
    int64_t mhz = c.machine.number("clock_mhz");
    line("predicted  {} cycles ({:.1f} us at {} MHz), bound by {} ({} cycles busy)",
         c.schedule.cycles, double(c.schedule.cycles) / mhz, mhz, resource, busy);
    for (const auto &term : c.formulation.latency.parts) {
      int64_t cycles = evaluate(term.cycles, environment);
      if (cycles)
        line("           {:>12} {}", cycles, term.name);
    }
  }

  std::pair<std::string, int64_t> bindingResource() {
    std::pair<std::string, int64_t> best{"nothing", 0};
    for (const auto &term : c.formulation.latency.busy) {
      int64_t cycles = evaluate(term.cycles, environment);
      if (cycles > best.second)
        best = {term.resource, cycles};
    }
    return best;
  }

  void memory() {
    int64_t available = c.machine.number("l1.capacity") - c.machine.number("l1.reserved");
    line("L1         {} of {} bytes", c.schedule.l1Bytes, available);
    for (const auto &buffer : c.formulation.footprint.buffers) {
      int64_t bytes = evaluate(buffer.blockBytes, environment),
              copies = evaluate(buffer.copies, environment);
      line("           {:>12} {}{}", bytes * copies, buffer.name,
           copies > 1 ? fmt::format(" x {}", copies) : "");
    }
  }

  void search() {
    const auto &s = c.selection.statistics;
    line("candidates {} enumerated, {} idle, {} merged, {} pruned, {} solved in {} nodes",
         s.enumerated, s.idle, s.merged, s.pruned, s.solved, s.nodes);
  }

  void times() {
    double total = 0;
    std::string list;
    std::vector<StageTime> merged;
    for (const auto &time : c.times) {
      total += time.seconds;
      auto known = std::find_if(merged.begin(), merged.end(),
                                [&](auto &t) { return t.stage == time.stage; });
      if (known == merged.end())
        merged.push_back(time);
      else
        known->seconds += time.seconds;
    }
    for (const auto &time : merged)
      list += fmt::format(" {} {:.1f}", time.stage, time.seconds * 1e3);
    line("time       {:.1f} ms:{}", total * 1e3, list);
  }

  const Compilation &c;
  Environment environment;
  std::string text;
};
} // namespace

std::string report(const Compilation &compilation, bool withTimes) {
  return Report(compilation).run(withTimes);
}

} // namespace tilewright::driver
