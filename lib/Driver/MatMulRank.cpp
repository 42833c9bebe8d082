// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tilewright matmul rank: where given tilings stand among all legal ones.
#include "Csv.h"
#include "tilewright/Driver/MatMulCommands.h"
#include "tilewright/MatMul/Formulate.h"
#include <fmt/format.h>
#include <iostream>

namespace tilewright::driver {

using namespace matmul;

namespace {
/// A record of the vendor's tiling knowledge base (TCubeTiling).
struct Record {
  Shape shape;
  Template kind;
  Tiles tiles;
};

struct Standing {
  int64_t cycles = 0, best = 0; ///< of the record, of our choice
  size_t faster = 0, legal = 0; ///< (template, tile, split) classes
  double share() const { return legal ? double(faster) / double(legal) : 1; }
};
} // namespace

static const std::vector<std::string> required = {
    "m",           "n",           "k",     "trans_a", "trans_b", "dtype",  "singleCoreM",
    "singleCoreN", "singleCoreK", "baseM", "baseN",   "baseK",   "stepKa", "stepKb"};
static const std::vector<std::string> optional = {
    "soc",          "b_format",     "usedCoreNum",  "depthA1",        "depthB1",     "stepM",
    "stepN",        "dbL0A",        "dbL0B",        "dbL0C",          "l2MTileCnt",  "l2NTileCnt",
    "l2MTileBlock", "l2NTileBlock", "iterateOrder", "l2IterateOrder", "tilingEnable"};

/// A core that takes K in slices leaves its sums off chip: our m1, n1 are what the core works on.
/// Otherwise the base tile is the output tile.
static Record recordOf(const CsvRow &row) {
  auto value = [&](const char *name) {
    return parseInteger(row.cells.at(name), name, row.location);
  };
  Record r;
  r.shape.m = value("m"), r.shape.n = value("n"), r.shape.k = value("k");
  r.shape.layoutA = value("trans_a") ? Layout::Column : Layout::Row;
  r.shape.layoutB = value("trans_b") ? Layout::Column : Layout::Row;
  check(r.shape);
  int64_t baseM = value("baseM"), baseN = value("baseN"), baseK = value("baseK");
  if (int64_t slice = value("singleCoreK"); slice < r.shape.k) {
    r.kind = Template::SingleCoreSplitK;
    r.tiles = {value("singleCoreM"), value("singleCoreN"), slice, slice, baseM, baseN, baseK, 1, 1};
  } else {
    r.kind = Template::Common;
    r.tiles = {baseM, baseN, baseK * value("stepKa"), baseK * value("stepKb"), baseM, baseN, baseK,
               1,     1};
  }
  for (int64_t v :
       {r.tiles.m1, r.tiles.n1, r.tiles.kA, r.tiles.kB, r.tiles.m0, r.tiles.n0, r.tiles.k0})
    if (v < 1)
      throw Error(Kind::User, "matmul.number",
                  "a tile size is " + std::to_string(v) + ", it must be at least 1",
                  "correct the row", row.location);
  return r;
}

/// The record's tile with the modules and the order that suit it best; the record says nothing of
/// them.
static std::optional<int64_t> bestOf(const Target &target, const Record &r) {
  std::optional<int64_t> best;
  for (const auto &[kind, modules] : structuresOf(target, r.shape)) {
    if (kind != r.kind || modules.resident != Resident::None)
      continue;
    for (int64_t swizzle : {1, 2, 3, 4, 6, 8, 12, 16}) {
      Tiles tiles = r.tiles;
      tiles.swizzle = swizzle;
      if (auto time = cycles(target, r.shape, {kind, modules, tiles});
          time && (!best || *time < *best))
        best = time;
    }
  }
  return best;
}

/// Compares with the best of every (template, m1, n1, split).
static Standing standingOf(const Target &target, const Record &r, int64_t cycles) {
  Standing s{cycles, plan(target, r.shape).cycles, 0, 0};
  forEachTile(target, r.shape, [&](const Pins &pins) {
    try {
      int64_t time = plan(target, r.shape, pins).cycles;
      ++s.legal;
      s.faster += time < cycles;
    } catch (const Error &error) {
      if (error.diagnostic().id != "matmul.no-candidate")
        throw;
    }
  });
  return s;
}

namespace {
struct Summary {
  size_t records = 0, others = 0, illegal = 0, quarter = 0, beaten = 0;
};
} // namespace

static void rankRow(const Target &target, const CsvRow &row, std::map<std::string, Standing> &known,
                    Summary &summary) {
  if (row.cells.at("dtype") != "fp16" ||
      (row.cells.contains("b_format") && row.cells.at("b_format") != "ND")) {
    ++summary.others;
    return;
  }
  Record r = recordOf(row);
  ++summary.records;
  std::string text = fmt::format("{:<44} {}", r.shape.str(), Choice{r.kind, {}, r.tiles}.str());
  std::optional<int64_t> time = bestOf(target, r);
  if (!time) {
    ++summary.illegal;
    std::cout << text << "  not legal on this machine\n";
    return;
  }
  auto [entry, fresh] = known.try_emplace(text);
  if (fresh)
    entry->second = standingOf(target, r, *time);
  const Standing &s = entry->second;
  summary.quarter += s.share() <= 0.25;
  summary.beaten += s.cycles < s.best;
  std::cout << fmt::format("{}  {:.1f} us, ours {:.1f} us, {:.1f} % of {} are faster\n", text,
                           target.microseconds(s.cycles), target.microseconds(s.best),
                           100 * s.share(), s.legal);
}

int matmulRankCommand(const MatMulOptions &o) {
  Target target(machine::find(o.arch));
  std::vector<Diagnostic> bad;
  Summary summary;
  std::map<std::string, Standing> known;
  for (const CsvRow &row : readCsv(o.tilings, required, optional, bad)) {
    try {
      rankRow(target, row, known, summary);
    } catch (const Error &error) {
      bad.push_back(error.diagnostic());
      bad.back().location = row.location;
    }
  }
  for (const Diagnostic &diagnostic : bad)
    std::cerr << diagnostic.str();
  std::cout << fmt::format("{} fp16 records ({} not legal), {} others left out, {} faster than our "
                           "choice, in the model\n",
                           summary.records, summary.illegal, summary.others, summary.beaten);
  std::cout << fmt::format(
      "best quarter: {:.1f} %\n",
      summary.records ? 100.0 * double(summary.quarter) / double(summary.records) : 0.0);
  return bad.empty() ? 0 : 1;
}

} // namespace tilewright::driver
