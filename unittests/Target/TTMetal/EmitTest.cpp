// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the emitted files say, and what is refused.
#include "tilewright/Target/TTMetal/Emit.h"
#include "Cases.h"
#include "tilewright/Support/Diagnostic.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace tilewright;
using namespace tilewright::test;

static ttmetal::Emitted emitText(const std::string &text,
                                 const machine::Machine &machine = wormhole()) {
  Parsed parsed = parse(text);
  return ttmetal::emit(parsed.func, machine, {"tilewright (test)", {"tile_m = 64"}});
}

static nlohmann::json manifestOf(const std::string &text) {
  return nlohmann::json::parse(emitText(text).files.at("manifest.json"));
}

static std::string refused(const std::string &text, Kind kind,
                           const machine::Machine &machine = wormhole()) {
  try {
    emitText(text, machine);
  } catch (const Error &error) {
    EXPECT_EQ((int)error.diagnostic().kind, (int)kind) << error.what();
    return error.diagnostic().id;
  }
  return "accepted";
}

static std::string replaced(std::string text, const std::string &from, const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

static size_t count(const std::string &text, const std::string &what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++n;
  return n;
}

TEST(TTMetalEmit, SameProgramSameBytes) {
  for (const Case &c : cases())
    EXPECT_EQ(emitText(c.text).files, emitText(c.text).files) << c.name;
}

TEST(TTMetalEmit, HeaderCarriesTheSchedule) {
  auto files = emitText(Gemm().text()).files;
  ASSERT_EQ(files.size(), 5u);
  for (const char *file : {"reader.cpp", "compute.cpp", "writer.cpp"}) {
    EXPECT_NE(files[file].find("// tile_m = 64\n"), std::string::npos) << file;
    EXPECT_NE(files[file].find("constexpr uint32_t tile_m_tiles = 2;"), std::string::npos) << file;
  }
  EXPECT_NE(files["run.py"].find("# tile_m = 64\n"), std::string::npos);
}

TEST(TTMetalEmit, BuffersAndBytes) {
  Gemm gemm;
  gemm.depth = 2;
  auto emitted = emitText(gemm.text());
  // x, y, out: 2 x 2 tiles of 2048 bytes twice; acc: 2 x 2 tiles of 4096 bytes once.
  EXPECT_EQ(emitted.l1Bytes, 3 * 4 * 2048 * 2 + 4 * 4096);
  auto manifest = nlohmann::json::parse(emitted.files.at("manifest.json"));
  EXPECT_EQ(manifest["l1"]["used"], emitted.l1Bytes);
  ASSERT_EQ(manifest["circular_buffers"].size(), 4u);
  EXPECT_EQ(manifest["circular_buffers"][2]["name"], "cb_acc");
  EXPECT_TRUE(manifest["circular_buffers"][2]["unpack_to_dest_fp32"]);
  EXPECT_FALSE(manifest["circular_buffers"][0]["unpack_to_dest_fp32"]);
}

TEST(TTMetalEmit, AccumulatorReadByTheMatrixEngineHasASecondFace) {
  Gemm gemm;
  gemm.sides = {{"bias", "bf16", Side::Row}};
  gemm.epilogue = "%s = tw.binary add %a, %bias : f32, bf16 -> f32\n%o = tw.cast %s : f32 -> bf16";
  auto buffers = manifestOf(gemm.text())["circular_buffers"];
  auto face = buffers.back();
  EXPECT_EQ(face["name"], "cb_acc_final");
  EXPECT_EQ(face["alias_of"], 2);
  EXPECT_EQ(face["bytes"], buffers[2]["bytes"]);
  EXPECT_FALSE(face["unpack_to_dest_fp32"]);
  EXPECT_TRUE(buffers[2]["unpack_to_dest_fp32"]);
}

TEST(TTMetalEmit, MulticastArguments) {
  Gemm gemm;
  gemm.coresX = gemm.coresY = 2;
  gemm.multicast = true;
  auto manifest = manifestOf(gemm.text());
  EXPECT_EQ(manifest["semaphores"].size(), 4u);
  auto reader = manifest["kernels"][0];
  auto value = [&](int core, const std::string &name) {
    auto names = reader["names"].get<std::vector<std::string>>();
    size_t at = std::find(names.begin(), names.end(), name) - names.begin();
    return reader["runtime_args"][core]["args"].at(at);
  };
  // Cores come row by row: 1 is (1, 0), 2 is (0, 1). x goes along rows, y along columns.
  EXPECT_EQ(value(1, "x_is_sender"), 0);
  EXPECT_EQ(value(2, "x_is_sender"), 1);
  EXPECT_EQ(value(1, "y_is_sender"), 1);
  EXPECT_EQ(value(2, "y_is_sender"), 0);
  EXPECT_EQ(value(3, "x_sender_x"), (nlohmann::json{{"kind", "noc_x"}, {"core", {0, 1}}}));
  EXPECT_EQ(value(3, "y_last_y"), (nlohmann::json{{"kind", "noc_y"}, {"core", {1, 1}}}));
  EXPECT_EQ(value(3, "core_m"), 1);
  EXPECT_EQ(value(1, "core_m"), 0);
}

TEST(TTMetalEmit, MixedRadixPlacement) {
  // x is cut into 2 (axis 1) then 2 (axis 0); y into 2 (axis 0): axis 0 has digits x first, then y.
  Gemm gemm;
  gemm.m = 256;
  std::string text =
      replaced(gemm.text(), "x [1] by [1] y [0] by [1]", "x [1, 0] by [2, 2] y [0] by [2]");
  auto manifest = manifestOf(text);
  EXPECT_EQ(manifest["grid"], (nlohmann::json{{"x", 4}, {"y", 2}}));
  auto writer = manifest["kernels"][2];
  for (const auto &core : writer["runtime_args"]) {
    int x = core["core"][0], y = core["core"][1];
    EXPECT_EQ(core["args"][1], x / 2 + 2 * y);
    EXPECT_EQ(core["args"][2], x % 2);
  }
}

TEST(TTMetalEmit, ConfigurationStaysOutOfInnerLoops) {
  Gemm gemm;
  gemm.sides = {{"bias", "bf16", Side::Row}};
  gemm.epilogue =
      "%s = tw.binary add %a, %bias : f32, bf16 -> f32\n%r = tw.unary relu %s : f32 -> f32\n"
      "%o = tw.cast %r : f32 -> bf16";
  gemm.subRows = gemm.subColumns = 2;
  std::string code = emitText(gemm.text()).files.at("compute.cpp");
  EXPECT_EQ(count(code, "add_bcast_rows_init("), 1u);
  EXPECT_EQ(count(code, "matmul_block_init("), 2u); // before the K loop, and after a reload
  EXPECT_EQ(count(code, "ReluConfig::zero"), 1u);
  EXPECT_EQ(code.find("relu_tile"), std::string::npos);
  EXPECT_LT(code.find("add_bcast_rows_init("), code.find("add_tiles_bcast_rows("));
}

TEST(TTMetalEmit, ExactPathForStoredF32) {
  Gemm gemm;
  gemm.outType = "f32";
  gemm.sides = {{"bias", "bf16", Side::Row}};
  gemm.epilogue = "%o = tw.binary add %a, %bias : f32, bf16 -> f32";
  std::string code = emitText(gemm.text()).files.at("compute.cpp");
  EXPECT_NE(code.find("add_binary_tile("), std::string::npos);
  EXPECT_EQ(code.find("add_tiles"), std::string::npos);
  EXPECT_EQ(count(code, "unary_bcast_init<BroadcastType::ROW>"),
            count(code, "unary_bcast_uninit<BroadcastType::ROW>"));
}

TEST(TTMetalRefuse, IncompleteSchedules) {
  std::string text = Gemm().text();
  EXPECT_EQ(refused(replaced(text, " = 64\n", "\n"), Kind::Internal), "ttmetal.schedule");
  EXPECT_EQ(refused(replaced(text, " via <1 by 1>", ""), Kind::Internal), "ttmetal.schedule");
  EXPECT_EQ(refused(replaced(text, " by [1, 1] :", " :"), Kind::Internal), "ttmetal.schedule");
  size_t at = text.find(" placed #tw");
  EXPECT_EQ(
      refused(replaced(text, text.substr(at, text.find("> {", at) + 1 - at), ""), Kind::Internal),
      "ttmetal.schedule");
}

TEST(TTMetalRefuse, BadSchedules) {
  Gemm gemm;
  gemm.tileM = 48;
  EXPECT_EQ(refused(gemm.text(), Kind::User), "ttmetal.alignment");
  gemm = {};
  gemm.subRows = 3;
  EXPECT_EQ(refused(gemm.text(), Kind::Internal), "ttmetal.subblock");
  gemm.tileM = gemm.m = 256, gemm.subRows = 8;
  EXPECT_EQ(refused(gemm.text(), Kind::Internal), "ttmetal.subblock");
  gemm = {};
  gemm.coresX = 2;
  // y's blocks differ along x, so a row of cores cannot share them.
  EXPECT_EQ(refused(replaced(gemm.text(), "%g_y[%k, %n], %w_y via <1 by 1>",
                             "%g_y[%k, %n], %w_y via <2 by 1>"),
                    Kind::Internal),
            "ttmetal.multicast");
}

TEST(TTMetalRefuse, WhatDoesNotFit) {
  Gemm gemm;
  gemm.coresX = 9;
  EXPECT_EQ(refused(gemm.text(), Kind::DoesNotFit), "ttmetal.placement");
  gemm = {};
  gemm.m = gemm.tileM = 512, gemm.n = gemm.tileN = 512, gemm.k = gemm.tileK = 512;
  EXPECT_EQ(refused(gemm.text(), Kind::DoesNotFit), "ttmetal.l1");
  machine::Machine small = wormhole();
  small.numbers.find("cb.count")->second.value = 3;
  EXPECT_EQ(refused(Gemm().text(), Kind::DoesNotFit, small), "ttmetal.buffers");
  small = wormhole();
  small.numbers.find("semaphore.count")->second.value = 3;
  gemm = {};
  gemm.coresX = gemm.coresY = 2, gemm.multicast = true;
  EXPECT_EQ(refused(gemm.text(), Kind::DoesNotFit, small), "ttmetal.semaphores");
  small = wormhole();
  small.numbers.find("kernel.runtime_args")->second.value = 17;
  EXPECT_EQ(refused(gemm.text(), Kind::DoesNotFit, small), "ttmetal.runtime-args");
}

TEST(TTMetalRefuse, WhatIsNotSupported) {
  Gemm gemm;
  gemm.k = 100;
  gemm.prologue = "%p = tw.unary exp %v : bf16 -> bf16";
  EXPECT_EQ(refused(gemm.text(), Kind::Unsupported), "ttmetal.k-tail");
  gemm.k = 128;
  EXPECT_EQ(refused(gemm.text(), Kind::Unsupported), "accepted");
  Gemm half;
  half.xType = half.yType = "f16";
  EXPECT_EQ(refused(half.text(), Kind::Unsupported), "ttmetal.dtype");
}

TEST(TTMetalRefuse, TooManyLiveValues) {
  // A full binary tree of sums over exponentials with 2^h leaves keeps h + 1 values alive.
  Pointwise wide;
  wide.inputs = {{"x"}};
  std::string body;
  auto tree = [&](auto &self, int height, const std::string &name) -> void {
    if (height == 0) {
      body += "%" + name + " = tw.unary exp %x : bf16 -> bf16\n";
      return;
    }
    self(self, height - 1, name + "l");
    self(self, height - 1, name + "r");
    body += "%" + name + " = tw.binary div %" + name + "l, %" + name + "r : bf16, bf16 -> bf16\n";
  };
  tree(tree, 3, "o");
  wide.body = body;
  EXPECT_EQ(refused(wide.text(), Kind::Unsupported), "accepted");
  body.clear();
  tree(tree, 4, "o");
  wide.body = body;
  EXPECT_EQ(refused(wide.text(), Kind::Unsupported), "ttmetal.live-values");
}
