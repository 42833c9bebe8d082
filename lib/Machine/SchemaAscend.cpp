// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a machine file of the Ascend family holds. Names and units, no value of any hardware.
#include "Schema.h"

namespace tilewright::machine {

FamilySchema ascendSchema() {
  FamilySchema s;
  s.family = "ascend";
  auto add = [&](const char *unit, int64_t minimum, std::vector<const char *> paths) {
    for (const char *path : paths)
      s.numbers.push_back({path, unit, minimum, true});
  };
  add("MHz", 1, {"clock_mhz"});
  add("cores", 1, {"cores.cube", "cores.vector"});
  add("bytes", 1,
      {"l1.capacity", "l0a.capacity", "l0b.capacity", "l0c.capacity", "ub.capacity", "bt.capacity",
       "fb.capacity", "l2.capacity", "hbm.capacity", "fractal.bytes", "alignment.gm",
       "alignment.block", "dtype.fp16.bytes", "dtype.bf16.bytes", "vector.pad_hot_limit"});
  add("permille", 1,
      {"l2.usable_permille", "fixpipe.unaligned_permille", "hazard.same_address_permille",
       "hazard.tlb_permille"});
  add("elements", 1,
      {"fractal.rows", "cube.m", "cube.n", "dtype.fp16.cube_k", "dtype.bf16.cube_k",
       "mte2.max_stride_elements", "hazard.tlb_inner", "hazard.tlb_outer"});
  add("bytes/cycle", 1,
      {"mte1.a_bytes_per_cycle", "mte1.b_bytes_per_cycle", "mte2.hot_bytes_per_cycle",
       "mte2.cold_bytes_per_cycle", "fixpipe.bytes_per_cycle", "vector.read_bytes_per_cycle",
       "vector.write_bytes_per_cycle"});
  add("bytes/1000 cycles", 1,
      {"hbm.bytes_per_1000_cycles", "vector.pad_hot_bytes_per_1000_cycles",
       "vector.pad_cold_bytes_per_1000_cycles"});
  add("cycles", 0,
      {"cube.head_cycles", "mte1.issue_cycles", "mte2.issue_cycles", "fixpipe.issue_cycles",
       "launch.base_cycles", "launch.cores_cycles", "launch.pass_cycles", "launch.mix_cycles",
       "launch.constant_tiling_cycles", "sync.cycles"});
  s.costs = {{"nd2nz_1000_rows", {"row_bytes", "alignment"}}};
  return s;
}

} // namespace tilewright::machine
