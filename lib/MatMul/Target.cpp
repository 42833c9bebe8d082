// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tilewright/MatMul/Target.h"
#include "tilewright/Symbolic/Tape.h"
#include <bit>

namespace tilewright::matmul {

static const machine::Machine &checked(const machine::Machine &machine) {
  if (machine.family != "ascend")
    throw Error(Kind::Unsupported, "matmul.family",
                "the MatMul planner knows the family 'ascend', machine '" + machine.name +
                    "' is of the family '" + machine.family + "'",
                "give --arch ascend910b1 or another one of 'tilewright arch list'",
                {machine.file, 0, 0});
  return machine;
}

Target::Target(const machine::Machine &given) : machine(checked(given)) {
  auto number = [&](const char *path) { return machine.number(path); };
  clockMhz = number("clock_mhz");
  cores = number("cores.cube"), vectorCores = number("cores.vector");
  l1 = number("l1.capacity"), l0a = number("l0a.capacity"), l0b = number("l0b.capacity");
  l0c = number("l0c.capacity"), ub = number("ub.capacity"), l2 = number("l2.capacity"),
  hbm = number("hbm.capacity");
  l2Usable = l2 / 1000 * number("l2.usable_permille");
  fractal = number("fractal.rows"), alignment = number("alignment.gm");
  elementBytes = number("dtype.fp16.bytes");
  cubeM = number("cube.m"), cubeN = number("cube.n"), cubeK = number("dtype.fp16.cube_k");
  cubeHead = number("cube.head_cycles");
  mte1A = number("mte1.a_bytes_per_cycle"), mte1B = number("mte1.b_bytes_per_cycle");
  mte1Issue = number("mte1.issue_cycles");
  mte2Hot = number("mte2.hot_bytes_per_cycle"), mte2Cold = number("mte2.cold_bytes_per_cycle");
  mte2Issue = number("mte2.issue_cycles"), maxStride = number("mte2.max_stride_elements");
  hbmPer1000 = number("hbm.bytes_per_1000_cycles");
  fixRate = number("fixpipe.bytes_per_cycle"), fixIssue = number("fixpipe.issue_cycles");
  fixUnalignedPermille = number("fixpipe.unaligned_permille");
  vectorRead = number("vector.read_bytes_per_cycle"),
  vectorWrite = number("vector.write_bytes_per_cycle");
  padHotPer1000 = number("vector.pad_hot_bytes_per_1000_cycles");
  padColdPer1000 = number("vector.pad_cold_bytes_per_1000_cycles");
  padHotLimit = number("vector.pad_hot_limit");
  launchBase = number("launch.base_cycles"), launchCores = number("launch.cores_cycles");
  launchPass = number("launch.pass_cycles"), launchMix = number("launch.mix_cycles");
  launchConstantTiling = number("launch.constant_tiling_cycles"), sync = number("sync.cycles");
  sameAddressPermille = number("hazard.same_address_permille");
  tlbPermille = number("hazard.tlb_permille");
  tlbInner = number("hazard.tlb_inner"), tlbOuter = number("hazard.tlb_outer");

  auto rows = std::make_shared<std::vector<std::array<int64_t, 10>>>(tabulated + 1);
  symbolic::Expr formula = machine.cost("nd2nz_1000_rows")
                               .cycles({{"row_bytes", symbolic::Expr::symbol("row_bytes")},
                                        {"alignment", symbolic::Expr::symbol("alignment")}});
  std::vector<std::string> names = {"row_bytes", "alignment"};
  rowTape = std::make_shared<symbolic::Tape>(std::span(&formula, 1), names);
  for (int64_t e = 1; e <= tabulated; ++e)
    for (int bit = 0; bit < 10; ++bit)
      (*rows)[e][bit] = rowCost(e, int64_t(1) << bit);
  table = rows;
  auto least = std::make_shared<Table>(tabulated + 1);
  least->front().fill(INT64_MAX);
  for (int64_t e = 1; e <= tabulated; ++e)
    for (int bit = 0; bit < 10; ++bit)
      (*least)[e][bit] = std::min((*least)[e - 1][bit], ((*rows)[e][bit] << 20) / e);
  leastTable = least;
}

int64_t Target::leastRow(int64_t elements, int64_t pitchAlignment) const {
  int bit = std::countr_zero(uint64_t(pitchAlignment));
  if (elements <= tabulated)
    return (*leastTable)[elements][bit];
  return 0; // no claim beyond the table
}

int64_t Target::rowCost(int64_t elements, int64_t pitchAlignment) const {
  thread_local std::vector<int64_t> scratch;
  int64_t point[] = {elements * elementBytes, pitchAlignment}, cycles = 0;
  if (!rowTape->evaluate(point, std::span(&cycles, 1), scratch))
    throw Error(Kind::User, "matmul.row-cost",
                "cost 'nd2nz_1000_rows' has no value for rows of " + std::to_string(point[0]) +
                    " bytes",
                "see 'tilewright arch lint'", {machine.file, 0, 0});
  return cycles;
}

int64_t Target::rows1000(int64_t elements, int64_t pitchAlignment) const {
  if (elements <= tabulated)
    return (*table)[elements][std::countr_zero(uint64_t(pitchAlignment))];
  return rowCost(elements, pitchAlignment);
}

int64_t pitchAlignment(int64_t bytes, int64_t limit) {
  int64_t power = int64_t(1) << std::countr_zero(uint64_t(bytes ? bytes : limit));
  return power < limit ? power : limit;
}

/// FNV-1a over the machine as text: every number, text and formula that `show` prints.
uint64_t Target::fingerprint() const {
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char c : machine::show(machine))
    hash = (hash ^ c) * 0x100000001b3u;
  return hash;
}

} // namespace tilewright::matmul
