// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// manifest.json to Manifest: every field typed, bounded and checked against the others.
#include "JsonReader.h"
#include "tilewright/Emulator/TTMetal.h"
#include <algorithm>
#include <fmt/format.h>

namespace tilewright::emulator {

namespace {

// Bounds that only keep arithmetic far from overflow; the machine's limits are checked later.
constexpr int64_t mostTiles = int64_t(1) << 31;
constexpr int64_t mostBytes = int64_t(1) << 32;
constexpr int64_t mostCores = 1024;
constexpr int64_t mostWord = (int64_t(1) << 32) - 1;
constexpr int64_t tileSide = 32;

Dtype dtypeOf(const JsonValue &v) {
  return v.oneOf({"bf16", "f32"}) == "bf16" ? Dtype::Bf16 : Dtype::F32;
}
int64_t tileBytes(Dtype dtype) {
  return tileSide * tileSide * (dtype == Dtype::Bf16 ? 2 : 4);
}

std::vector<int64_t> shapeOf(const JsonValue &v) {
  std::vector<int64_t> shape;
  for (size_t i = 0; i < v.size(); ++i)
    shape.push_back(v.item(i).integer(1, mostTiles));
  if (shape.empty() || shape.size() > 2)
    v.fail(fmt::format("rank {} is not 1 or 2", shape.size()));
  return shape;
}

void checkTiles(const JsonValue &v, const ManifestTensor &t) {
  const bool matrix = t.layout == "matrix";
  if (matrix != (t.shape.size() == 2))
    v.fail(fmt::format("layout \"{}\" does not fit rank {}", t.layout, t.shape.size()));
  const int64_t rows = matrix ? t.shape[0] : t.layout == "row" ? 1 : t.shape[0];
  const int64_t columns = matrix ? t.shape[1] : t.layout == "row" ? t.shape[0] : 1;
  const int64_t wantRows = (rows + tileSide - 1) / tileSide,
                wantColumns = (columns + tileSide - 1) / tileSide;
  if (t.tileRows < wantRows || t.tileColumns < wantColumns)
    v.fail(fmt::format("tensor \"{}\" has {}x{} tiles, but its shape needs {}x{}", t.name,
                       t.tileRows, t.tileColumns, wantRows, wantColumns));
}

ManifestTensor readTensor(const JsonValue &v) {
  ManifestTensor t;
  t.name = v["name"].text();
  t.output = v["role"].oneOf({"input", "output"}) == "output";
  t.dtype = dtypeOf(v["dtype"]);
  t.shape = shapeOf(v["shape"]);
  t.layout = v["layout"].oneOf({"matrix", "row", "column"});
  if (v["tiles"].size() != 2)
    v["tiles"].fail("is not [rows, columns]");
  t.tileRows = v["tiles"].item(0).integer(1, mostTiles);
  t.tileColumns = v["tiles"].item(1).integer(1, mostTiles / t.tileRows);
  t.pageBytes = v["page_bytes"].integer(tileBytes(t.dtype), tileBytes(t.dtype));
  checkTiles(v, t);
  return t;
}

ManifestBuffer readBuffer(const JsonValue &v) {
  ManifestBuffer b;
  b.index = v["index"].integer(0, mostCores);
  b.name = v["name"].text();
  b.dtype = dtypeOf(v["dtype"]);
  b.pageBytes = v["page_bytes"].integer(1, mostBytes);
  if (b.pageBytes != tileBytes(b.dtype))
    v["page_bytes"].fail(
        fmt::format("circular buffer \"{}\" has pages of {} bytes, a tile of its format has {}",
                    b.name, b.pageBytes, tileBytes(b.dtype)),
        "one page is one tile", "emulator.cb-page-size");
  b.pages = v["pages"].integer(1, mostBytes / b.pageBytes);
  b.blockPages = v["block_pages"].integer(1, b.pages);
  b.bytes = v["bytes"].integer(1, mostBytes);
  if (b.bytes != b.pages * b.pageBytes)
    v["bytes"].fail(fmt::format("{} is not {} pages of {} bytes", b.bytes, b.pages, b.pageBytes));
  b.unpackToDestFp32 = v["unpack_to_dest_fp32"].boolean();
  if (b.unpackToDestFp32 && b.dtype != Dtype::F32)
    v["unpack_to_dest_fp32"].fail("needs a buffer of dtype f32");
  if (v.has("alias_of") && !v["alias_of"].isNull())
    b.aliasOf = v["alias_of"].integer(0, mostCores);
  return b;
}

struct Reader {
  const JsonValue root;
  Manifest m;

  size_t tensorNamed(const JsonValue &v) {
    const std::string name = v.text();
    for (size_t i = 0; i < m.tensors.size(); ++i)
      if (m.tensors[i].name == name)
        return i;
    v.fail(fmt::format("no tensor is named \"{}\"", name));
  }

  std::pair<int64_t, int64_t> core(const JsonValue &v) {
    if (v.size() != 2)
      v.fail("is not [x, y]");
    return {v.item(0).integer(0, m.gridX - 1), v.item(1).integer(0, m.gridY - 1)};
  }

  ManifestArgument argument(const JsonValue &v, bool compileTime) {
    ManifestArgument a;
    if (v.isInteger()) {
      a.value = uint32_t(v.integer(INT32_MIN, mostWord));
      return a;
    }
    const std::string kind = compileTime ? v["kind"].oneOf({"accessor"})
                                         : v["kind"].oneOf({"address", "noc_x", "noc_y"});
    if (kind == "accessor" || kind == "address") {
      a.kind =
          kind == "accessor" ? ManifestArgument::Kind::Accessor : ManifestArgument::Kind::Address;
      a.tensor = tensorNamed(v["tensor"]);
      return a;
    }
    a.kind = kind == "noc_x" ? ManifestArgument::Kind::NocX : ManifestArgument::Kind::NocY;
    std::tie(a.coreX, a.coreY) = core(v["core"]);
    return a;
  }

  void runtimeArguments(const JsonValue &v, ManifestKernel &k) {
    std::vector<bool> seen(size_t(m.gridX * m.gridY));
    for (size_t i = 0; i < v.size(); ++i) {
      ManifestCoreArguments c;
      std::tie(c.x, c.y) = core(v.item(i)["core"]);
      if (seen[size_t(c.y * m.gridX + c.x)])
        v.item(i).fail(fmt::format("core [{}, {}] is listed twice", c.x, c.y));
      seen[size_t(c.y * m.gridX + c.x)] = true;
      const JsonValue args = v.item(i)["args"];
      for (size_t j = 0; j < args.size(); ++j)
        c.args.push_back(argument(args.item(j), false));
      k.runtimeArgs.push_back(std::move(c));
    }
    for (size_t i = 0; i < seen.size(); ++i)
      if (!seen[i] && !k.runtimeArgs.empty())
        v.fail(
            fmt::format("core [{}, {}] has no entry", int64_t(i) % m.gridX, int64_t(i) / m.gridX));
  }

  ManifestKernel kernel(const JsonValue &v, const char *role, int64_t noc) {
    ManifestKernel k;
    k.role = v["role"].oneOf({"reader", "compute", "writer"});
    k.file = v["file"].text();
    if (k.file.empty() || k.file.find('/') != std::string::npos)
      v["file"].fail("is not the name of a file in the same folder");
    if (noc >= 0) {
      v["processor"].oneOf({std::string(role) == "reader" ? "RISCV_1" : "RISCV_0"});
      k.noc = v["noc"].integer(noc, noc);
    }
    const JsonValue args = v["compile_time_args"];
    for (size_t i = 0; i < args.size(); ++i)
      k.compileTimeArgs.push_back(argument(args.item(i), true));
    runtimeArguments(v["runtime_args"], k);
    if (v.has("names"))
      for (size_t i = 0; i < v["names"].size(); ++i)
        k.names.push_back(v["names"].item(i).text());
    return k;
  }

  void kernels(const JsonValue &v) {
    if (v.size() != 3)
      v.fail(fmt::format("{} kernels, not 3", v.size()));
    const std::pair<const char *, int64_t> roles[] = {
        {"reader", 0}, {"compute", -1}, {"writer", 1}};
    for (auto [role, noc] : roles) {
      size_t i = 0;
      while (i < 3 && v.item(i)["role"].text() != role)
        ++i;
      if (i == 3)
        v.fail(fmt::format("there is no kernel of role \"{}\"", role));
      m.kernels.push_back(kernel(v.item(i), role, noc));
    }
  }

  void head() {
    root["format"].oneOf({"tilewright-ttmetal"});
    if (!root["version"].isInteger() || root["version"].integer(INT64_MIN, INT64_MAX) != 1)
      root["version"].fail("this reader knows version 1 only",
                           "compile the kernel again with this release",
                           "emulator.manifest-version");
    m.kernel = root["kernel"].text();
    m.source = root["source"].text();
    m.machine = root["machine"].text();
    m.gridX = root["grid"]["x"].integer(1, mostCores);
    m.gridY = root["grid"]["y"].integer(1, mostCores / m.gridX);
  }

  void tensors(const JsonValue &v) {
    for (size_t i = 0; i < v.size(); ++i) {
      m.tensors.push_back(readTensor(v.item(i)));
      for (size_t j = 0; j < i; ++j)
        if (m.tensors[j].name == m.tensors[i].name)
          v.item(i)["name"].fail(fmt::format("a second tensor is named \"{}\"", m.tensors[i].name));
    }
  }

  void checkAlias(const JsonValue &v, const ManifestBuffer &b) {
    for (const ManifestBuffer &o : m.buffers)
      if (o.index == *b.aliasOf && !o.aliasOf && &o != &b) {
        if (o.bytes != b.bytes)
          v.fail(fmt::format("\"{}\" has {} bytes, but \"{}\" whose memory it shares has {}",
                             b.name, b.bytes, o.name, o.bytes));
        return;
      }
    v["alias_of"].fail(
        fmt::format("no other buffer with memory of its own has index {}", *b.aliasOf));
  }

  void buffers(const JsonValue &v) {
    int64_t used = 0;
    for (size_t i = 0; i < v.size(); ++i) {
      m.buffers.push_back(readBuffer(v.item(i)));
      for (size_t j = 0; j < i; ++j)
        if (m.buffers[j].index == m.buffers[i].index)
          v.item(i)["index"].fail(
              fmt::format("a second circular buffer has index {}", m.buffers[i].index));
      used += m.buffers[i].aliasOf ? 0 : m.buffers[i].bytes;
    }
    for (size_t i = 0; i < v.size(); ++i)
      if (m.buffers[i].aliasOf)
        checkAlias(v.item(i), m.buffers[i]);
    m.l1Used = root["l1"]["used"].integer(0, mostBytes);
    m.l1Available = root["l1"]["available"].integer(0, mostBytes);
    if (m.l1Used != used)
      root["l1"]["used"].fail(
          fmt::format("{} is not the sum of the circular buffers, {}", m.l1Used, used));
  }

  void semaphores(const JsonValue &v) {
    for (size_t i = 0; i < v.size(); ++i) {
      const JsonValue s = v.item(i);
      m.semaphores.push_back(
          {s["id"].integer(0, mostCores), s["name"].text(), s["initial"].integer(0, mostWord)});
      for (size_t j = 0; j < i; ++j)
        if (m.semaphores[j].id == m.semaphores[i].id)
          s["id"].fail(fmt::format("a second semaphore has id {}", m.semaphores[i].id));
    }
  }

  void compute(const JsonValue &v) {
    const std::string fidelity = v["math_fidelity"].oneOf({"LoFi", "HiFi2", "HiFi3", "HiFi4"});
    m.mathPhases = fidelity == "LoFi" ? 1 : fidelity[4] - '0';
    m.fp32DestAcc = v["fp32_dest_acc_en"].boolean();
    m.dstFullSync = v["dst_full_sync_en"].boolean();
    m.mathApprox = v["math_approx_mode"].boolean();
  }
};

} // namespace

Manifest loadManifest(const std::string &dir) {
  JsonDocument document(dir + "/manifest.json");
  Reader r{JsonValue(document), {}};
  r.m.file = document.path();
  r.head();
  r.tensors(r.root["tensors"]);
  r.buffers(r.root["circular_buffers"]);
  r.semaphores(r.root["semaphores"]);
  r.compute(r.root["compute"]);
  r.kernels(r.root["kernels"]);
  return std::move(r.m);
}

} // namespace tilewright::emulator
