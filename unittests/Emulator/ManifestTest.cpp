// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Manifests: a good one, one defect at a time, and many random mutations, none of which may crash.
#include "Program.h"
#include <fstream>
#include <random>
#include <sstream>

namespace tilewright::emulator::test {
namespace {

Program sample() {
  Program p(2, 1);
  p.tensor("a", false, "bf16", 40, 64)
      .tensor("c", true, "f32", 40, 64)
      .cb(0, "x", "bf16", 4, 2)
      .semaphore(0, 1);
  p.compileArgs(0, {7, accessor("a")});
  p.runtimeArgs(0, {address("a"), nocX(1, 0), nocY(1, 0), 3});
  return p;
}

std::string loadError(const std::string &dir, Diagnostic *diagnostic = nullptr) {
  try {
    loadManifest(dir);
  } catch (const Error &e) {
    if (diagnostic)
      *diagnostic = e.diagnostic();
    return e.diagnostic().id;
  }
  return "";
}

std::string rewritten(const std::string &text) {
  const std::string dir = sample().write();
  std::ofstream(dir + "/manifest.json") << text;
  return dir;
}

TEST(ManifestFile, Good) {
  Manifest m = loadManifest(sample().write());
  EXPECT_EQ(m.gridX, 2);
  ASSERT_EQ(m.tensors.size(), 2u);
  EXPECT_EQ(m.tensors[0].tileRows, 2);
  EXPECT_EQ(m.buffers[0].bytes, 8192);
  EXPECT_EQ(m.kernels[0].role, "reader");
  EXPECT_EQ(m.kernels[0].compileTimeArgs[1].kind, ManifestArgument::Kind::Accessor);
  EXPECT_EQ(m.kernels[0].runtimeArgs[1].args[1].coreX, 1);
  EXPECT_EQ(m.kernels[2].noc, 1);
}

TEST(ManifestFile, LineAndColumn) {
  json j = sample().manifest;
  j["circular_buffers"][0]["pages"] = -4;
  const std::string text = j.dump(1);
  Diagnostic d;
  EXPECT_EQ(loadError(rewritten(text), &d), "emulator.manifest");
  // The place found another way: by searching the text.
  const size_t at = text.find("\"pages\": -4") + 9;
  const auto line = 1 + std::count(text.begin(), text.begin() + long(at), '\n');
  EXPECT_EQ(d.location.line, unsigned(line));
  EXPECT_EQ(d.location.column, unsigned(at - text.rfind('\n', at)));
  EXPECT_NE(d.message.find("/circular_buffers/0/pages"), std::string::npos);
  EXPECT_NE(d.message.find("-4"), std::string::npos);
}

TEST(ManifestFile, OneDefectAtATime) {
  const std::pair<const char *, json> defects[] = {
      {"/format", "other"},
      {"/grid/x", 0},
      {"/grid/x", "2"},
      {"/grid/x", 1e30},
      {"/grid", 3},
      {"/tensors/0/dtype", "f64"},
      {"/tensors/0/shape", {40, 64, 1}},
      {"/tensors/0/shape/0", -1},
      {"/tensors/0/tiles/0", 1},
      {"/tensors/0/layout", "row"},
      {"/tensors/1/name", "a"},
      {"/tensors/0/page_bytes", 4096},
      {"/circular_buffers/0/bytes", 8193},
      {"/circular_buffers/0/block_pages", 9},
      {"/circular_buffers/0/unpack_to_dest_fp32", true},
      {"/circular_buffers/0/alias_of", 0},
      {"/circular_buffers/0/pages", 4294967296},
      {"/semaphores/0/initial", -1},
      {"/semaphores/0/id", 18446744073709551615u},
      {"/compute/math_fidelity", "HiFi5"},
      {"/kernels/0/role", "writer"},
      {"/kernels/0/noc", 1},
      {"/kernels/0/file", "../reader.cpp"},
      {"/kernels/0/compile_time_args/1/tensor", "zz"},
      {"/kernels/0/runtime_args/0/args/0/kind", "accessor"},
      {"/kernels/0/runtime_args/1/core", {0, 0}},
      {"/kernels/0/runtime_args/0/args/1/core", {2, 0}},
      {"/l1/used", 1},
      {"/kernels", json::array()}};
  for (const auto &[where, value] : defects) {
    json j = sample().manifest;
    j[json::json_pointer(where)] = value;
    Diagnostic d;
    EXPECT_EQ(loadError(rewritten(j.dump(1)), &d), "emulator.manifest") << where << " = " << value;
    EXPECT_GT(d.location.line, 0u) << where;
  }
  json j = sample().manifest;
  j["version"] = 2;
  EXPECT_EQ(loadError(rewritten(j.dump())), "emulator.manifest-version");
  j = sample().manifest;
  j["circular_buffers"][0]["page_bytes"] = 1024;
  EXPECT_EQ(loadError(rewritten(j.dump())), "emulator.cb-page-size");
  EXPECT_EQ(loadError("/nonexistent"), "emulator.file");
}

TEST(ManifestFile, EveryKeyIsNeeded) {
  const json flat = sample().manifest.flatten();
  for (const auto &[pointer, value] : flat.items()) {
    if (pointer.find("/check") == 0 || pointer.find("/holds") != std::string::npos ||
        !isalpha(pointer.back()))
      continue;
    json j = sample().manifest;
    const json::json_pointer p(pointer);
    j[p.parent_pointer()].erase(p.back());
    EXPECT_NE(loadError(rewritten(j.dump(1))), "") << pointer;
  }
}

TEST(ManifestFile, MutationsNeverCrash) {
  const std::string good = sample().manifest.dump(1), dir = sample().write();
  std::mt19937 generator(11);
  const char alphabet[] = "{}[]\",:0-9e.truefalsn\\ \n\x80";
  int rejected = 0;
  for (int round = 0; round < 1000; ++round) {
    std::string text = good;
    for (unsigned n = 1 + generator() % 3; n; --n) {
      const size_t at = generator() % text.size();
      switch (generator() % 4) {
      case 0:
        text[at] = alphabet[generator() % (sizeof alphabet - 1)];
        break;
      case 1:
        text.erase(at, 1 + generator() % 8);
        break;
      case 2:
        text.insert(at, 1, alphabet[generator() % (sizeof alphabet - 1)]);
        break;
      default:
        text.insert(at, text.substr(generator() % text.size(), generator() % 40));
      }
    }
    std::ofstream(dir + "/manifest.json") << text;
    rejected += loadError(dir) != "";
  }
  EXPECT_GT(rejected, 300);
  EXPECT_EQ(loadError(rewritten(std::string(100000, '['))), "emulator.manifest");
  EXPECT_EQ(loadError(rewritten("")), "emulator.manifest");
}

TEST(ManifestFile, MissingKernelFile) {
  Program p = sample();
  p.manifest["kernels"][1]["file"] = "nothere.cpp";
  EXPECT_EQ(errorOf(p, {randomTensor("a", "bf16", 40, 64, 1)}), "emulator.file");
}

} // namespace
} // namespace tilewright::emulator::test
