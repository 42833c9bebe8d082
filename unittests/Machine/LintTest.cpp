// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lint finds in files that load.
#include "Edited.h"

using namespace tilewright;
using namespace tilewright::machine;
using namespace tilewright::machine::test;

namespace {

TEST(MachineLint, ShippedMachinesAreClean) {
  size_t count = 0;
  for (const auto &entry :
       std::filesystem::directory_iterator(std::string(TILEWRIGHT_SOURCE_DIR) + "/machines")) {
    auto findings = lint(entry.path().string());
    EXPECT_TRUE(findings.empty()) << findings[0].str();
    ++count;
  }
  EXPECT_GE(count, 2u);
}

struct Case {
  const char *name, *from, *to, *ids, *in; ///< `in` is part of the first message
};
class Found : public testing::TestWithParam<Case> {};

TEST_P(Found, InTheEditedToy) {
  const Case &c = GetParam();
  Edited file(c.from, c.to);
  EXPECT_NO_THROW(load(file.path()));
  auto findings = lint(file.path());
  ASSERT_EQ(idsOf(findings), c.ids);
  EXPECT_NE(findings[0].message.find(c.in), std::string::npos) << findings[0].message;
}

INSTANTIATE_TEST_SUITE_P(
    Machine, Found,
    testing::Values(
        Case{"NumberSource", "{value: 8, unit: buffers, source: invented}",
             "{value: 8, unit: buffers}", "machine.missing-source", "'cb.count'"},
        Case{"BlankSource", "{value: 8, unit: buffers, source: invented}",
             "{value: 8, unit: buffers, source: \" \"}", "machine.missing-source", "'cb.count'"},
        Case{"TextSource", "neg: {value: sfpu, source: invented}", "neg: {value: sfpu}",
             "machine.missing-source", "'compute.cost_of.unary.neg'"},
        Case{"CaseSource", "cycles: tiles * 150, source: invented", "cycles: tiles * 150",
             "machine.missing-source", "case 1 of cost 'sfpu'"},
        Case{"ResourceSource", "to: [dram, l1], source: invented}", "to: [dram, l1]}",
             "machine.missing-source", "'noc1'"},
        Case{"Range", "{value: 8, unit: buffers,", "{value: 8, unit: buffers, range: [9, 10],",
             "machine.range", "9 to 10 buffers"},
        Case{"Alignment", "l1: {value: 16, unit: bytes", "l1: {value: 24, unit: bytes",
             "machine.alignment", "24 bytes"},
        Case{"Reserve", "reserved: {value: 16384", "reserved: {value: 81920", "machine.capacity",
             "81920 bytes of a capacity of 81920 bytes"},
        Case{"UnreachableLevel", "memories: [dram, l1,", "memories: [dram, l2, l1,",
             "machine.unreachable", "to memory 'l2'"},
        Case{"NoWayBack", "from: [dst], to: [l1]", "from: [], to: [l1]",
             "machine.unreachable machine.unreachable", "on from memory 'src'"},
        Case{"TileBytes", "tile_bytes: {value: 4096", "tile_bytes: {value: 2048",
             "machine.inconsistent", "32 x 32 elements of 4 bytes"},
        // One point of a domain of 131041: only the guard's boundary shows it.
        Case{"HoleOfOne", "when: bytes > noc.burst", "when: bytes > noc.burst + 1",
             "machine.case-hole", "bytes = 8193"},
        Case{"OverlapOfOne", "when: bytes <= noc.burst", "when: bytes <= noc.burst + 1",
             "machine.case-overlap", "bytes = 8193"},
        // The boundary depends on another parameter and is at no sample.
        Case{"SkewHole", "when: bytes > noc.burst", "when: bytes >= noc.burst + readers * 7",
             "machine.case-hole", "bytes = 8193"},
        Case{"HoleAtTheEnd", "when: bytes <= noc.burst",
             "when: (bytes <= noc.burst) * (bytes > 32)", "machine.case-hole", "bytes = 32"},
        Case{"Zero", "cycles: tiles * 150", "cycles: (tiles - 1) * 150",
             "machine.cost-not-positive", "0 cycles at tiles = 1"},
        Case{"Negative", "free: true\n    parameters: {tiles: [1, 64]}\n    cases: [{cycles: \"0\"",
             "free: true\n    parameters: {tiles: [1, 64]}\n    cases: [{cycles: \"tiles - 2\"",
             "machine.cost-not-positive", "-1 cycles at tiles = 1"},
        Case{"Falls", "cycles: tiles * 150", "cycles: 1000 - tiles * 5", "machine.cost-decreasing",
             "when 'tiles' grows"},
        // Only the step from one case to the next falls, by 8 cycles.
        Case{"FallsAtTheGuard",
             "cycles: dram.read_round_trip + ceildiv(bytes, noc.link_bytes_per_cycle)\n        "
             "source: invented\n      - when",
             "cycles: dram.read_round_trip + 700 + ceildiv(bytes, 32)\n        source: invented\n "
             "     - when",
             "machine.cost-decreasing", "from 8192 to 8193"},
        Case{"DividesByZero", "cycles: tiles * 150", "cycles: \"ceildiv(150, 64 - tiles)\"",
             "machine.cost-undefined", "tiles = 64"},
        Case{"Overflows", "cycles: tiles * 150", "cycles: tiles * 4611686018427387904",
             "machine.cost-undefined", "overflows"}),
    [](const auto &info) { return std::string(info.param.name); });

TEST(MachineLint, ReportsEverythingAtOnce) {
  std::string text = Edited::replaced("unit: buffers", "unit: buffer");
  size_t at = text.find("value: 16777216");
  text.replace(at, 15, "value: 1.5");
  EXPECT_EQ(idsOf(lint(Edited(text).path())), "machine.unit machine.integer");
}

} // namespace
