// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the loader accepts, and the place and kind of each thing it refuses.
#include "Edited.h"

using namespace tilewright;
using namespace tilewright::machine;
using namespace tilewright::machine::test;

namespace {

Diagnostic refused(const std::string &path) {
  try {
    load(path);
  } catch (const Error &error) {
    return error.diagnostic();
  }
  ADD_FAILURE() << path << " was accepted";
  return {};
}

/// One edit of the toy machine, the id it must cause, and the text at whose place.
struct Case {
  const char *name, *from, *to, *id, *at;
  size_t offset = 0;
};

class Refused : public testing::TestWithParam<Case> {};

TEST_P(Refused, AtItsPlace) {
  const Case &c = GetParam();
  Edited file(c.from, c.to);
  auto findings = lint(file.path());
  ASSERT_EQ(idsOf(findings), c.id);
  Location expected = placeOf(file, c.at, c.offset);
  EXPECT_EQ(findings[0].location.str(), expected.str()) << findings[0].str();
  EXPECT_EQ(findings[0].kind, Kind::User);
  EXPECT_FALSE(findings[0].hint.empty());
  EXPECT_EQ(refused(file.path()).id, c.id);
}

INSTANTIATE_TEST_SUITE_P(
    Machine, Refused,
    testing::Values(
        Case{"TopKey", "texts:\n", "colour: red\ntexts:\n", "machine.unknown-key", "colour"},
        Case{"NumberKey", "16384, unit: bytes, source: invented}\n    alignment",
             "16384, unit: bytes, sauce: invented}\n    alignment", "machine.unknown-key", "sauce"},
        Case{"ExtraNumber", "  cb:\n", "  spare: {value: 1, unit: bytes, source: x}\n  cb:\n",
             "machine.unknown-key", "spare"},
        Case{"NoUnit", "{value: 8, unit: buffers, source: invented}",
             "{value: 8, source: invented}", "machine.missing-key", "{value: 8, source"},
        Case{"NoVersion", "version: 1\n", "", "machine.missing-key", "format: tilewright"},
        Case{"DuplicateNumber", "    count: {value: 4, unit: semaphores, source: invented}",
             "    count: {value: 4, unit: semaphores, source: invented}\n    count: {value: 4, "
             "unit: "
             "semaphores, source: again}",
             "machine.duplicate-key", "count: {value: 4, unit: semaphores, source: again"},
        Case{"DuplicateTop", "texts:\n", "arch: other\ntexts:\n", "machine.duplicate-key",
             "arch: other"},
        Case{"Quoted", "value: 81920", "value: \"81920\"", "machine.integer", "\"81920\""},
        Case{"Float", "value: 81920", "value: 81920.5", "machine.integer", "81920.5"},
        Case{"Hex", "value: 81920", "value: 0x14000", "machine.integer", "0x14000"},
        Case{"TooLarge", "value: 16777216", "value: 9223372036854775808", "machine.integer",
             "9223372036854775808"},
        Case{"NotScalar", "value: 81920", "value: [81920]", "machine.integer", "[81920]"},
        Case{"Negative", "value: 16384", "value: -16384", "machine.value", "-16384"},
        Case{"ZeroBanks", "banks: {value: 2,", "banks: {value: 0,", "machine.value",
             "0, unit: banks"},
        Case{"WrongUnit", "value: 81920, unit: bytes", "value: 81920, unit: banks", "machine.unit",
             "81920, unit: banks", 13},
        Case{"UnitOfFormulaConstant", "multicast:\n    setup: {value: 100, unit: cycles",
             "multicast:\n    setup: {value: 100, unit: bytes", "machine.unit", "100, unit: bytes",
             11},
        Case{"Family", "family: tenstorrent", "family: tenstorent", "machine.value", "tenstorent"},
        Case{"Format", "format: tilewright-machine", "format: machine", "machine.value",
             "format: machine", 8},
        Case{"Version", "version: 1", "version: 2", "machine.value", "version: 2", 9},
        Case{"Name", "name: toy2x2", "name: other", "machine.value", "other"},
        Case{"Memory", "from: [l1], to: [dram, l1]", "from: [l1], to: [ddr, l1]",
             "machine.unknown-name", "[ddr, l1]"},
        Case{"CostResource", "resource: packer\n    parameters: {tiles: [1, 64], bytes",
             "resource: packr\n    parameters: {tiles: [1, 64], bytes", "machine.unknown-name",
             "packr"},
        Case{"CostOf", "neg: {value: sfpu,", "neg: {value: spfu,", "machine.unknown-name", "neg:"},
        Case{"CostOfWithOtherParameters", "neg: {value: sfpu,", "neg: {value: dram_read,",
             "machine.unknown-name", "neg:"},
        Case{"Fidelity", "f32: {value: HiFi3", "f32: {value: HiFi5", "machine.unknown-name",
             "f32: {value: HiFi5"},
        Case{"FormulaSyntax", "cycles: \"tiles * ceildiv(bytes_per_tile, compute.pack",
             "cycles: \"tiles * * ceildiv(bytes_per_tile, compute.pack", "machine.formula",
             "* ceildiv(bytes"},
        Case{"FormulaPlain", "cycles: tiles * 150", "cycles: tiles ** 150", "machine.formula",
             "* 150"},
        Case{"FormulaFolded", "ceildiv(bytes, noc.link_bytes_per_cycle),\n",
             "ceildiff(bytes, 32),\n", "machine.formula", "ceildiff"},
        Case{"FormulaNumber", "tiles * 150", "tiles * 99999999999999999999", "machine.formula",
             "99999999999999999999"},
        Case{"FormulaParameter", "tiles * 150", "tles * 150", "machine.formula-name", "tles"},
        Case{"FormulaDotted", "pages * 10)\n        source: invented\n  dram_write",
             "pages * dram.page)\n        source: invented\n  dram_write", "machine.formula-name",
             "dram.page"},
        Case{"Guard", "when: bytes > noc.burst", "when: bytes > noc.brst", "machine.formula-name",
             "noc.brst"},
        Case{"NoCases", "cases: [{cycles: tiles * 150, source: invented}]", "cases: []",
             "machine.type", "cases: []", 7},
        Case{"Domain", "blocks: [1, 1048576]", "blocks: [1048576, 1]", "machine.value",
             "[1048576, 1]"},
        Case{"DomainSize", "blocks: [1, 1048576]", "blocks: [1]", "machine.type", "blocks: [1]", 8},
        Case{"NegativeDomain", "blocks: [1, 1048576]", "blocks: [-1, 1048576]", "machine.value",
             "[-1"},
        Case{"Parameters",
             "multicast:\n    resource: noc0\n    parameters: {bytes: [32, 131072], receivers",
             "multicast:\n    resource: noc0\n    parameters: {more: [1, 2], bytes: [32, 131072], "
             "receivers",
             "machine.cost-parameters", "multicast:\n    resource"},
        Case{"Free", "free: true", "free: maybe", "machine.type", "maybe"},
        Case{"Syntax", "  cb:\n", "  cb: [\n", "machine.yaml", "semaphore:"}),
    [](const auto &info) { return std::string(info.param.name); });

TEST(MachineLoad, MissingParts) {
  struct {
    const char *removed, *id, *named;
  } cases[] = {
      {"    banks: {value: 2, unit: banks, source: invented}\n", "machine.missing-key",
       "'dram.banks'"},
      {"        exp: {value: sfpu, source: invented}\n", "machine.missing-key",
       "'compute.cost_of.unary.exp'"},
      {"  launch:\n    resource: host\n    parameters: {}\n    cases: [{cycles: launch.cycles, "
       "source: "
       "invented}]\n",
       "machine.missing-key", "'launch'"},
  };
  for (const auto &c : cases) {
    Edited file(c.removed, "");
    auto findings = lint(file.path());
    ASSERT_FALSE(findings.empty()) << c.removed;
    // A formula of the toy names dram.banks, so that this one has a finding of its own first.
    const Diagnostic &last = findings.back();
    EXPECT_EQ(last.id, c.id);
    EXPECT_NE(last.message.find(c.named), std::string::npos) << last.message;
  }
}

TEST(MachineLoad, CommaOfAFormulaInAFlowMap) {
  Edited file("{cycles: tiles * 150,", "{cycles: max(tiles * 150, 7),");
  Diagnostic d = refused(file.path());
  EXPECT_EQ(d.id, "machine.type");
  EXPECT_EQ(d.location.str(), placeOf(file, "7), source").str());
  EXPECT_NE(d.hint.find("quote formulas with commas"), std::string::npos);
}

TEST(MachineLoad, FilesThatAreNone) {
  EXPECT_EQ(refused("/nowhere/toy2x2.yaml").id, "machine.open");
  EXPECT_EQ(refused(std::filesystem::temp_directory_path().string()).id, "machine.open");
  EXPECT_EQ(refused(Edited("").path()).id, "machine.yaml");
  EXPECT_EQ(refused(Edited("# only a comment\n").path()).id, "machine.yaml");
  EXPECT_EQ(refused(Edited("a: 1\n---\nb: 2\n").path()).id, "machine.yaml");
  EXPECT_EQ(refused(Edited("just words").path()).id, "machine.type");
  EXPECT_EQ(refused(Edited("- a\n- b\n").path()).id, "machine.type");
  EXPECT_EQ(refused(Edited(std::string("\x00\x01\xff\xfe", 4)).path()).kind, Kind::User);
  EXPECT_EQ(refused(Edited(std::string(2 << 20, '#')).path()).id, "machine.open");
}

TEST(MachineLoad, HostileNesting) {
  std::string deep = "numbers:\n", indent = "  ";
  for (int i = 0; i < 40; ++i, indent += "  ")
    deep += indent + "a:\n";
  EXPECT_NE(idsOf(lint(Edited(deep + indent + "b: {value: 1}\n").path())).find("machine.type"),
            std::string::npos);
  EXPECT_NE(idsOf(lint(Edited("numbers: &n\n  again: *n\n").path())).find("machine.type"),
            std::string::npos);
  EXPECT_EQ(refused(Edited(std::string(100000, '[')).path()).id, "machine.yaml");
}

TEST(MachineLoad, EveryPrefixIsHandled) {
  // A file that is cut off anywhere is refused with a place in it, and never crashes.
  std::string text = toyText();
  for (size_t length = 0; length + 2 < text.size(); length += 97) {
    Edited file(text.substr(0, length));
    auto findings = lint(file.path());
    ASSERT_FALSE(findings.empty()) << length;
    EXPECT_EQ(findings[0].location.file, file.path());
    EXPECT_GE(findings[0].location.line, 1u);
  }
}

TEST(MachineLoad, ReadsTheToy) {
  Machine m = load(machineFile("toy2x2"));
  EXPECT_EQ(m.name, "toy2x2");
  EXPECT_EQ(m.family, "tenstorrent");
  EXPECT_EQ(m.arch, "toy");
  EXPECT_EQ(m.grid.x, 2);
  EXPECT_EQ(m.grid.y, 2);
  EXPECT_EQ(m.memories, (std::vector<std::string>{"dram", "l1", "src", "dst"}));
  EXPECT_EQ(m.resources.at("noc1").to, (std::vector<std::string>{"dram", "l1"}));
  EXPECT_EQ(m.number("l1.capacity") - m.number("l1.reserved"), 65536);
  EXPECT_EQ(m.numbers.at("noc.burst").unit, "bytes");
  EXPECT_EQ(m.text("compute.math_fidelity.bf16"), "HiFi3");
  EXPECT_EQ(m.cost("map_move").resource, "unpacker");
}

TEST(MachineLoad, GuardsChooseTheCase) {
  Machine m = load(machineFile("toy2x2"));
  auto cycles = [&](int64_t bytes, int64_t pages, int64_t readers) {
    return symbolic::evaluate(
        m.cost("dram_read").cycles({{"bytes", bytes}, {"pages", pages}, {"readers", readers}}), {});
  };
  EXPECT_EQ(cycles(8192, 4, 4), 200 + 100 + 8192 / 32);            // up to one burst: no sharing
  EXPECT_EQ(cycles(8193, 4, 4), 200 + 100 + (8193 * 4 + 31) / 32); // beyond: shared by 4
  EXPECT_EQ(cycles(8224, 60, 1), 200 + 100 + 60 * 10);             // beyond: pages
}

TEST(MachineLoad, CostsTakeExpressions) {
  Machine m = load(machineFile("toy2x2"));
  auto t = symbolic::Expr::symbol("t");
  EXPECT_EQ(m.cost("map_move").cycles({{"tiles", t * 2}}), t * 200);
}

template <class Run> std::string idOf(Run run) {
  try {
    run();
  } catch (const Error &error) {
    return error.diagnostic().id;
  }
  return "";
}

TEST(MachineLoad, AccessErrors) {
  Machine m = load(machineFile("toy2x2"));
  EXPECT_EQ(idOf([&] { m.number("l1.size"); }), "machine.missing-number");
  EXPECT_EQ(idOf([&] { m.text("l1.capacity"); }), "machine.missing-text");
  EXPECT_EQ(idOf([&] { m.cost("gather"); }), "machine.missing-cost");
  EXPECT_EQ(idOf([&] { m.cost("map_move").cycles({}); }), "machine.cost-arguments");
  EXPECT_EQ(idOf([&] { m.cost("map_move").cycles({{"tiles", 1}, {"bytes", 2}}); }),
            "machine.cost-arguments");
}

} // namespace
