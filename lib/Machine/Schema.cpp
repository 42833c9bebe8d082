// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables behind Schema.h. They hold names and units, no value of any hardware.
#include "Schema.h"
#include <algorithm>
#include <string_view>

namespace tilewright::machine {

static FamilySchema tenstorrent() {
  FamilySchema s;
  s.family = "tenstorrent";
  auto add = [&](const char *unit, int64_t minimum, bool required,
                 std::vector<const char *> paths) {
    for (const char *path : paths)
      s.numbers.push_back({path, unit, minimum, required});
  };
  add("MHz", 1, true, {"clock_mhz"});
  add("cores", 1, true, {"grid.x", "grid.y", "noc.multicast_max_destinations"});
  add("cores", 0, true, {"core.translated_x", "core.translated_y"});
  add("elements", 1, true, {"tile.rows", "tile.columns", "tile.face"});
  add("bytes", 1, true,
      {"dtype.bf16.bytes", "dtype.bf16.tile_bytes", "dtype.f32.bytes", "dtype.f32.tile_bytes",
       "l1.capacity", "l1.alignment", "dram.bytes_per_bank", "noc.burst", "noc.flit_bytes",
       "noc.alignment.dram_read", "noc.alignment.dram_write", "noc.alignment.l1"});
  add("bytes", 0, true, {"l1.reserved"});
  add("bytes", 1, false, {"dtype.*.bytes", "dtype.*.tile_bytes", "kernel.ncrisc_code"});
  add("banks", 1, true, {"dram.banks"});
  add("banks", 1, false, {"l1.banks"});
  add("buffers", 1, true, {"cb.count"});
  add("semaphores", 0, true, {"semaphore.count"});
  add("arguments", 1, true, {"kernel.runtime_args"});
  add("bytes/cycle", 1, true,
      {"dram.bytes_per_cycle", "noc.link_bytes_per_cycle", "noc.core_read_bytes_per_cycle",
       "compute.unpack_bytes_per_cycle", "compute.pack_bytes_per_cycle"});
  add("bytes/cycle", 1, false, {"l1.bank_bytes_per_cycle", "dram.peak_bytes_per_cycle"});
  add("cycles", 0, true,
      {"dram.latency", "dram.write_latency", "noc.hop_cycles", "noc.read_latency",
       "noc.write_latency", "noc.write_hop_cycles", "noc.read_issue", "noc.write_issue",
       "dram.read_round_trip", "l1.load_cycles", "l1.store_cycles", "multicast.setup",
       "launch.cycles"});
  add("cycles", 1, true,
      {"compute.math_cycles_per_phase", "compute.fpu_eltwise_cycles",
       "compute.sfpu_polynomial_cycles"});
  add("cycles", 0, false,
      {"noc.niu_cycles", "noc.read_latency_self", "noc.read_latency_same_x",
       "noc.read_latency_same_y", "noc.write_round_trip", "launch.skew_cycles"});
  add("bytes/cycle", 1, false,
      {"noc.core_write_bytes_per_cycle", "compute.unpack_pair_bytes_per_cycle"});
  add("ids", 1, false, {"noc.transaction_ids"});
  add("phases", 1, true, {"compute.fidelity_phases.*"});
  add("tiles", 1, true, {"compute.dst_tiles_16bit", "compute.dst_tiles_fp32"});
  add("bits", 1, true,
      {"compute.srca_high_bits", "compute.srcb_high_bits", "compute.tf32_significand_bits",
       "compute.sfpu_accurate_bits"});
  add("cycles", 1, true, {"compute.product_cycles_min_bf16", "compute.product_cycles_min_f32"});
  s.texts = {"compute.math_fidelity.bf16", "compute.math_fidelity.f32", "dtype.bf16.format",
             "dtype.f32.format"};
  for (const char *kind :
       {"unary.neg",  "unary.abs",   "unary.exp",        "unary.exp2",    "unary.log",
        "unary.sqrt", "unary.rsqrt", "unary.reciprocal", "unary.sigmoid", "unary.silu",
        "unary.tanh", "unary.gelu",  "unary.gelu_tanh",  "unary.relu",    "unary.square",
        "unary.erf",  "unary.sin",   "unary.cos",        "binary.add",    "binary.sub",
        "binary.mul", "binary.div",  "binary.max",       "binary.min"})
    s.texts.push_back("compute.cost_of." + std::string(kind));
  s.costChoice = "compute.cost_of.";
  std::vector<std::string> block = {"tiles_m", "tiles_n", "tiles_k", "sub_m", "sub_n"};
  s.costs = {{"dram_read", {"bytes", "pages", "readers"}},
             {"dram_write", {"bytes", "pages", "writers"}},
             {"multicast", {"bytes", "receivers", "concurrent"}},
             {"matmul_block_bf16", block},
             {"matmul_block_f32", block},
             {"map_move", {"tiles"}},
             {"pack_tiles", {"tiles", "bytes_per_tile"}},
             {"copy_tiles", {"tiles", "bytes_per_tile"}},
             {"cb_sync", {"blocks"}},
             {"launch", {}}};
  return s;
}

static const std::vector<FamilySchema> &schemas() {
  static const std::vector<FamilySchema> all = {tenstorrent(), ascendSchema()};
  return all;
}

const FamilySchema *schemaOf(const std::string &family) {
  for (const FamilySchema &schema : schemas())
    if (schema.family == family)
      return &schema;
  return nullptr;
}

std::vector<std::string> families() {
  std::vector<std::string> names;
  for (const FamilySchema &schema : schemas())
    names.push_back(schema.family);
  return names;
}

/// Component-wise equality, where "*" in the pattern is any component.
static bool matches(std::string_view pattern, std::string_view path) {
  while (true) {
    size_t p = pattern.find('.'), q = path.find('.');
    std::string_view want = pattern.substr(0, p), have = path.substr(0, q);
    if (want != "*" && want != have)
      return false;
    if (p == std::string_view::npos || q == std::string_view::npos)
      return p == q;
    pattern.remove_prefix(p + 1);
    path.remove_prefix(q + 1);
  }
}

const NumberRule *ruleFor(const FamilySchema &schema, const std::string &path) {
  for (const NumberRule &rule : schema.numbers)
    if (matches(rule.path, path))
      return &rule;
  return nullptr;
}

const std::vector<std::string> &knownUnits() {
  static const std::vector<std::string> units = {"MHz",
                                                 "cores",
                                                 "elements",
                                                 "bytes",
                                                 "banks",
                                                 "buffers",
                                                 "semaphores",
                                                 "arguments",
                                                 "ids",
                                                 "phases",
                                                 "tiles",
                                                 "bits",
                                                 "cycles",
                                                 "bytes/cycle",
                                                 "requests/1000 cycles",
                                                 "permille",
                                                 "bytes/1000 cycles"};
  return units;
}

std::string unitOfName(const std::string &path) {
  std::string_view name = std::string_view(path).substr(path.rfind('.') + 1);
  if (name.ends_with("bytes_per_cycle"))
    return "bytes/cycle";
  if (name.ends_with("permille"))
    return "permille";
  if (name.ends_with("bytes_per_1000_cycles"))
    return "bytes/1000 cycles";
  if (name.ends_with("requests_per_1000_cycles"))
    return "requests/1000 cycles";
  for (std::string_view end : {"cycles", "latency", "round_trip", "issue"})
    if (name.ends_with(end))
      return "cycles";
  return name.ends_with("bytes") ? "bytes" : "";
}

} // namespace tilewright::machine
