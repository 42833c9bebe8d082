// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tilewright matmul plan
#include "Csv.h"
#include "tilewright/Driver/MatMulCommands.h"
#include "tilewright/MatMul/Dispatch.h"
#include "tilewright/MatMul/Explain.h"
#include "tilewright/MatMul/Formulate.h"
#include "tilewright/MatMul/Library.h"
#include "tilewright/MatMul/TilingKey.h"
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>

namespace tilewright::driver {

using namespace matmul;
using Json = nlohmann::ordered_json;

static Shape shapeOf(const MatMulOptions &o) {
  Shape s;
  s.m = parseInteger(o.m, "m"), s.n = parseInteger(o.n, "n"), s.k = parseInteger(o.k, "k");
  s.lda = parseInteger(o.lda, "lda"), s.ldb = parseInteger(o.ldb, "ldb"),
  s.ldc = parseInteger(o.ldc, "ldc");
  s.batch = parseInteger(o.batch, "batch");
  s.layoutA = parseLayout(o.layoutA), s.layoutB = parseLayout(o.layoutB),
  s.dtype = parseDtype(o.dtype);
  s.deterministic = o.deterministic;
  for (size_t begin = 0; begin < o.groups.size();) {
    size_t end = std::min(o.groups.find(',', begin), o.groups.size());
    s.groups.push_back(parseInteger(o.groups.substr(begin, end - begin), "groups"));
    begin = end + 1;
  }
  check(s);
  return s;
}

static Template templateOf(const std::string &text) {
  for (int kind = 0; kind <= int(Template::StreamK); ++kind)
    if (text == name(Template(kind)))
      return Template(kind);
  throw Error(Kind::User, "matmul.template", "unknown template '" + text + "'",
              "write Common, SingleCoreSplitK, MultiCoreSplitK, HybridSplitK or StreamK");
}

static void pin(Pins &pins, const std::string &text) {
  size_t equal = std::min(text.find('='), text.size());
  std::string name = text.substr(0, equal),
              value = equal < text.size() ? text.substr(equal + 1) : "";
  std::map<std::string, std::optional<int64_t> *> known = {
      {"m1", &pins.m1}, {"n1", &pins.n1}, {"kA", &pins.kA},
      {"kB", &pins.kB}, {"k0", &pins.k0}, {"split", &pins.split}};
  auto found = known.find(name);
  if (found == known.end())
    throw Error(Kind::User, "matmul.pin", "--fix names no unknown: '" + name + "'",
                "choose one of m1, n1, kA, kB, k0, split");
  *found->second = parseInteger(value, name);
  if (**found->second < 1)
    throw Error(Kind::User, "matmul.pin",
                "'" + name + "' is fixed at " + value + ", it must be at least 1",
                "give a number of elements, or of parts for split");
}

static Pins pinsOf(const MatMulOptions &o) {
  Pins pins;
  if (!o.templateName.empty())
    pins.kind = templateOf(o.templateName);
  for (const std::string &text : o.fixed)
    pin(pins, text);
  return pins;
}

static void checked(const Target &target, const Shape &shape, const Plan &plan, const Pins &pins) {
  // A pinned value may lie outside the candidates' domains; then only its legality can be checked.
  bool pinned = pins.m1 || pins.n1 || pins.kA || pins.kB || pins.k0 || pins.split;
  std::vector<std::string> findings;
  if (!pinned)
    findings = verify(target, shape, plan);
  else if (cycles(target, shape, plan.choice) != plan.cycles)
    findings = {"its time cannot be computed again"};
  if (!findings.empty())
    throw Error(Kind::Internal, "matmul.unverified",
                "the plan of " + shape.str() + " is not right: " + findings[0],
                "please report this command line");
}

//===--- Output
//---------------------------------------------------------------------------------===//

namespace {
struct Result {
  const Target &target;
  Shape shape;
  Plan plan;
  Explanation explanation;
  std::optional<RunnerUp> next;
  uint64_t key;
};
} // namespace

static Json amountsJson(const std::vector<Amount> &amounts) {
  Json json = Json::array();
  for (const Amount &a : amounts)
    json.push_back({{"name", a.name}, {"value", a.value}, {"unit", a.unit}});
  return json;
}

static Json planJson(const Result &r) {
  const Tiles &t = r.plan.choice.tiles;
  Json json = {{"machine", r.target.machine.name},
               {"m", r.shape.m},
               {"n", r.shape.n},
               {"k", r.shape.k},
               {"layout_a", name(r.shape.layoutA)},
               {"layout_b", name(r.shape.layoutB)},
               {"dtype", name(r.shape.dtype)},
               {"batch", r.shape.batch},
               {"groups", r.shape.groups},
               {"template", name(r.plan.choice.kind)},
               {"modules", moduleNames(r.plan.choice.modules)},
               {"tiles",
                {{"m1", t.m1},
                 {"n1", t.n1},
                 {"kA", t.kA},
                 {"kB", t.kB},
                 {"m0", t.m0},
                 {"n0", t.n0},
                 {"k0", t.k0},
                 {"split", t.split},
                 {"swizzle", t.swizzle}}},
               {"key", fmt::format("0x{:016x}", r.key)},
               {"kernel", kernelName(r.key)},
               {"workspace_bytes", workspaceBytes(r.target, r.shape, r.plan.choice)},
               {"cycles", r.plan.cycles},
               {"microseconds", r.target.microseconds(r.plan.cycles)},
               {"binding", r.explanation.binding}};
  return json;
}

static Json explanationJson(const Result &r) {
  Json classes = Json::array();
  for (const CoreClass &c : r.explanation.classes)
    classes.push_back({{"cores", c.cores},
                       {"whole", c.whole},
                       {"right", c.right},
                       {"bottom", c.bottom},
                       {"corner", c.corner},
                       {"cycles", c.cycles}});
  Json json = {{"phases", amountsJson(r.explanation.phases)},
               {"busy", amountsJson(r.explanation.busy)},
               {"traffic", amountsJson(r.explanation.traffic)},
               {"buffers", amountsJson(r.explanation.buffers)},
               {"core_classes", classes},
               {"tasks", r.explanation.tasks},
               {"waves", r.explanation.waves},
               {"teraflops", r.explanation.teraflops}};
  json["modules"] = Json::array();
  for (const Effect &e : effects(r.target, r.shape, r.plan.choice))
    if (uses(*e.optimisation, r.plan.choice.modules))
      json["modules"].push_back({{"name", e.optimisation->name},
                                 {"cycles_without", e.without ? Json(*e.without) : Json()},
                                 {"l1_bytes", e.l1Bytes}});
  if (r.next)
    json["runner_up"] = {{"choice", r.next->choice.str()}, {"cycles", r.next->cycles}};
  return json;
}

static void printAmounts(const Result &r, const char *title, const std::vector<Amount> &amounts) {
  std::cout << title << "\n";
  for (const Amount &a : amounts) {
    std::cout << fmt::format("  {:<24}{:>16} {}", a.name, a.value, a.unit);
    if (a.unit == "cycles")
      std::cout << fmt::format("  {:>10.2f} us {:>5.1f} %", r.target.microseconds(a.value),
                               r.plan.cycles ? 100.0 * double(a.value) / double(r.plan.cycles)
                                             : 0.0);
    std::cout << "\n";
  }
}

/// What each module gains with everything else as it is.
static void printModules(const Result &r) {
  for (const Effect &e : effects(r.target, r.shape, r.plan.choice)) {
    if (!uses(*e.optimisation, r.plan.choice.modules))
      continue;
    std::string gain =
        !e.without ? "needed: without it these tiles are not legal"
                   : fmt::format("{:.2f} us less", r.target.microseconds(*e.without - *e.with));
    std::cout << fmt::format("  {:<24}{}: {}; costs {}\n", e.optimisation->name, gain,
                             e.optimisation->benefit, e.optimisation->cost);
  }
}

static void printExplanation(const Result &r) {
  const Explanation &e = r.explanation;
  printAmounts(r, "where the time goes", e.phases);
  printAmounts(r, "busy stages of the busiest core", e.busy);
  printAmounts(r, "traffic", e.traffic);
  printAmounts(r, "buffers", e.buffers);
  std::cout << fmt::format("cores: {} tasks in {} waves\n", e.tasks, e.waves);
  for (const CoreClass &c : e.classes)
    std::cout << fmt::format(
        "  {:>3} cores: {} whole tiles, {} at the right, {} at the bottom, {} corner; {:.2f} us\n",
        c.cores, c.whole, c.right, c.bottom, c.corner, r.target.microseconds(c.cycles));
  std::cout << "modules\n";
  printModules(r);
  if (r.next)
    std::cout << fmt::format(
        "runner-up  {}\n           {:.2f} us, {:.1f} % slower\n", r.next->choice.str(),
        r.target.microseconds(r.next->cycles),
        100.0 * (double(r.next->cycles) / double(std::max<int64_t>(r.plan.cycles, 1)) - 1));
}

static void printPlan(const Result &r) {
  const Choice &c = r.plan.choice;
  std::cout << fmt::format("{} on {}\n", r.shape.str(), r.target.machine.name);
  std::cout << fmt::format("plan       {}\n", c.str());
  std::cout << fmt::format("key        0x{:016x}  {}\n", r.key, kernelName(r.key));
  std::cout << fmt::format(
      "predicted  {:.2f} us ({} cycles), {:.1f} TFLOPS, bound by {}, in the model\n",
      r.target.microseconds(r.plan.cycles), r.plan.cycles, r.explanation.teraflops,
      r.explanation.binding);
  std::cout << fmt::format("workspace  {} bytes\n", workspaceBytes(r.target, r.shape, c));
}

int matmulPlanCommand(const MatMulOptions &o) {
  Target target(machine::find(o.arch));
  Shape shape = shapeOf(o);
  Pins pins = pinsOf(o);
  Plan plan = matmul::plan(target, shape, pins);
  checked(target, shape, plan, pins);
  Result result{target,       shape,
                plan,         explain(target, shape, plan.choice),
                std::nullopt, tilingKey(target, shape, plan.choice)};
  if (o.explain)
    result.next = runnerUp(target, shape, plan);
  if (o.json) {
    Json json = planJson(result);
    if (o.explain)
      json["explanation"] = explanationJson(result);
    std::cout << json.dump(2) << "\n";
    return 0;
  }
  printPlan(result);
  if (o.explain)
    printExplanation(result);
  return 0;
}

} // namespace tilewright::driver
