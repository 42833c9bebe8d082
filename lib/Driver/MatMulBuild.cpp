// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tilewright matmul build: shapes to a dispatch table.
#include "Csv.h"
#include "PlanAll.h"
#include "tilewright/Driver/Compile.h"
#include "tilewright/Driver/Folder.h"
#include "tilewright/Driver/MatMulCommands.h"
#include "tilewright/MatMul/Dispatch.h"
#include "tilewright/MatMul/TilingKey.h"
#include "tilewright/Support/File.h"
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

namespace tilewright::driver {

using namespace matmul;

namespace {
struct Entry {
  Shape shape;
  Plan plan;
  uint64_t key;
};

struct Kernels {
  std::map<std::string, std::pair<uint64_t, size_t>> byName; ///< key, number of shapes
  explicit Kernels(const std::vector<Entry> &entries) {
    for (const Entry &e : entries) {
      auto &kernel = byName[kernelName(e.key)];
      kernel.first = e.key, ++kernel.second;
    }
  }
};
} // namespace

/// Keeps the first of equal shapes.
static void mergeDuplicates(std::vector<std::pair<Location, Shape>> &rows) {
  auto key = [](const Shape &s) {
    return std::tuple(s.m, s.n, s.k, s.pitchA(), s.pitchB(), s.pitchC(), s.batch, s.layoutA,
                      s.layoutB, s.dtype, s.deterministic);
  };
  std::set<decltype(key(Shape{}))> seen;
  std::erase_if(rows, [&](const auto &row) { return !seen.insert(key(row.second)).second; });
}

static std::vector<Entry> entriesOf(const Target &target,
                                    const std::vector<std::pair<Location, Shape>> &shapes,
                                    const std::vector<Planned> &planned,
                                    std::vector<Diagnostic> &bad) {
  std::vector<Entry> entries;
  for (size_t i = 0; i < shapes.size(); ++i)
    if (planned[i].plan) {
      entries.push_back({shapes[i].second, *planned[i].plan, 0});
      entries.back().key = tilingKey(target, shapes[i].second, planned[i].plan->choice);
    } else {
      bad.push_back(*planned[i].failure);
      bad.back().location = shapes[i].first;
    }
  return entries;
}

static std::string tableBytes(const Target &target, const std::vector<Entry> &entries,
                              const Kernels &kernels) {
  std::vector<const char *> names;
  std::map<std::string, uint32_t> index;
  for (const auto &[name, kernel] : kernels.byName)
    index[name] = uint32_t(names.size()), names.push_back(name.c_str());
  std::vector<tw_shape> shapes;
  std::vector<tw_plan> plans;
  for (const Entry &e : entries) {
    shapes.push_back(toDispatch(e.shape));
    plans.push_back(toDispatch(target, e.shape, e.plan, index.at(kernelName(e.key))));
  }
  TemporaryFolder folder({});
  std::string path = folder.path() + "/launch_map.twt";
  tw_build_info info;
  tw_status status =
      tw_table_build(shapes.data(), plans.data(), shapes.size(), names.data(), names.size(),
                     target.machine.name.c_str(), target.fingerprint(), path.c_str(), &info);
  if (status == TW_SYSTEM_ERROR)
    throw Error(Kind::User, "matmul.table",
                "cannot write the table: " + std::string(strerror(info.system_error)),
                "free space in the folder for temporary files");
  if (status != TW_OK)
    throw Error(Kind::Internal, "matmul.table-build",
                std::string("the table was not built: ") + tw_status_text(status),
                "please report this command line with the shapes");
  std::string why;
  auto bytes = readFile(path, why);
  if (!bytes)
    throw Error(Kind::User, "matmul.table", "cannot read the table back: " + why,
                "free space in the folder for temporary files");
  return *bytes;
}

static std::string plansCsv(const Target &target, const std::vector<Entry> &entries) {
  std::string text = "m,n,k,layout_a,layout_b,dtype,batch,template,m1,n1,kA,kB,m0,n0,k0,split,"
                     "swizzle,modules,key,microseconds\n";
  for (const Entry &e : entries) {
    const Tiles &t = e.plan.choice.tiles;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},0x{:016x},{:.3f}\n",
                        e.shape.m, e.shape.n, e.shape.k, name(e.shape.layoutA),
                        name(e.shape.layoutB), name(e.shape.dtype), e.shape.batch,
                        name(e.plan.choice.kind), t.m1, t.n1, t.kA, t.kB, t.m0, t.n0, t.k0, t.split,
                        t.swizzle, fmt::join(moduleNames(e.plan.choice.modules), "; "), e.key,
                        target.microseconds(e.plan.cycles));
  }
  return text;
}

static std::string keysCsv(const Kernels &kernels) {
  std::string text = "key,kernel,shapes\n";
  for (const auto &[name, kernel] : kernels.byName)
    text += fmt::format("0x{:016x},{},{}\n", kernel.first, name, kernel.second);
  return text;
}

static std::string reportText(const Target &target, const std::vector<Entry> &entries,
                              const Kernels &kernels, size_t refused) {
  std::map<std::string, size_t> templates;
  for (const Entry &e : entries)
    ++templates[name(e.plan.choice.kind)];
  std::string text =
      fmt::format("table for {}\n{} shapes, {} kernels, {} rows refused\n", target.machine.name,
                  entries.size(), kernels.byName.size(), refused);
  for (const auto &[name, count] : templates)
    text += fmt::format("  {:<18}{:>8}\n", name, count);
  return text;
}

int matmulBuildCommand(const MatMulOptions &o) {
  Target target(machine::find(o.arch));
  std::vector<Diagnostic> bad;
  auto rows = readShapes(o.shapes, bad);
  mergeDuplicates(rows);
  std::vector<Shape> shapes;
  for (const auto &row : rows)
    shapes.push_back(row.second);
  std::vector<Entry> entries = entriesOf(target, rows, planAll(target, shapes, o.jobs, true), bad);
  Kernels kernels(entries);
  nlohmann::ordered_json manifest = {
      {"kind", "launch map"},
      {"machine", target.machine.name},
      {"fingerprint", fmt::format("0x{:016x}", target.fingerprint())},
      {"table", "launch_map.twt"},
      {"shapes", entries.size()},
      {"kernels", kernels.byName.size()}};
  std::string text = reportText(target, entries, kernels, bad.size());
  writeFolder(o.output, {{"launch_map.twt", tableBytes(target, entries, kernels)},
                         {"keys.csv", keysCsv(kernels)},
                         {"plans.csv", plansCsv(target, entries)},
                         {"report.txt", text},
                         {"manifest.json", manifest.dump(2) + "\n"}});
  for (const Diagnostic &diagnostic : bad)
    std::cerr << diagnostic.str();
  std::cout << text;
  return bad.empty() ? 0 : 1;
}

} // namespace tilewright::driver
