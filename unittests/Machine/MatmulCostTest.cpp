// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wormhole's matmul cost against a loop over its unpack and math instructions, written from the
// operand reuse rule of tt-llk's llk_unpack_AB_matmul.h.
#include "Edited.h"

using namespace tilewright;
using namespace tilewright::machine;
using namespace tilewright::machine::test;

namespace {

int64_t cost(const Machine &m, const std::string &dtype, int64_t tm, int64_t tn, int64_t tk,
             int64_t sm, int64_t sn) {
  return symbolic::evaluate(
      m.cost("matmul_block_" + dtype)
          .cycles(
              {{"tiles_m", tm}, {"tiles_n", tn}, {"tiles_k", tk}, {"sub_m", sm}, {"sub_n", sn}}),
      {});
}

/// Counts tile by tile what the units do for one block.
int64_t counted(const Machine &m, const std::string &dtype, int64_t tm, int64_t tn, int64_t tk,
                int64_t sm, int64_t sn) {
  int64_t phases = m.number("compute.fidelity_phases." + m.text("compute.math_fidelity." + dtype));
  int64_t unpackTile =
      m.number("dtype." + dtype + ".tile_bytes") / m.number("compute.unpack_bytes_per_cycle");
  int64_t reloadTile =
      m.number("dtype.f32.tile_bytes") / m.number("compute.unpack_bytes_per_cycle");
  int64_t packTile = m.number("dtype.f32.tile_bytes") / m.number("compute.pack_bytes_per_cycle");
  int64_t total = 0;
  for (int64_t row = 0; row < tm; row += sm)
    for (int64_t column = 0; column < tn; column += sn) {
      int64_t busy =
          m.number("compute.subblock_cycles") + 2 * m.number("compute.reconfigure_cycles");
      busy += sm * sn * reloadTile;
      for (int64_t k = 0; k < tk; ++k) {
        // The longer side's operand is kept while the other one streams past it.
        int64_t kept = std::min(sm, sn), products = 0, unpack = 0;
        for (int64_t i = 0; i < kept; ++i) {
          unpack += unpackTile;
          for (int64_t j = 0; j < std::max(sm, sn); ++j, ++products)
            unpack += unpackTile;
        }
        busy += std::max(unpack, products * phases * m.number("compute.math_cycles_per_phase"));
      }
      total += std::max(busy, sm * sn * packTile);
    }
  return total;
}

TEST(MatmulCost, AgreesWithCounting) {
  Machine m = load(machineFile("wormhole"));
  int checked = 0;
  for (const char *dtype : {"bf16", "f32"})
    for (int64_t tm : {1, 2, 3, 4, 8, 12})
      for (int64_t tn : {1, 2, 4, 6, 16})
        for (int64_t tk : {1, 2, 8})
          for (int64_t sm = 1; sm <= 4; ++sm)
            for (int64_t sn = 1; sn * sm <= 4; ++sn, ++checked)
              ASSERT_EQ(cost(m, dtype, tm, tn, tk, sm, sn), counted(m, dtype, tm, tn, tk, sm, sn))
                  << dtype << " " << tm << "x" << tn << "x" << tk << " in " << sm << "x" << sn;
  EXPECT_EQ(checked, 2 * 6 * 5 * 3 * 8);
}

TEST(MatmulCost, OneByOneIsBoundByTheUnpacker) {
  Machine m = load(machineFile("wormhole"));
  auto perStep = [&](int64_t sm, int64_t sn) {
    return cost(m, "bf16", sm, sn, 11, sm, sn) - cost(m, "bf16", sm, sn, 10, sm, sn);
  };
  EXPECT_EQ(perStep(1, 1), 2 * 2048 / 64); // both operands for one product
  EXPECT_EQ(perStep(2, 2), 4 * 3 * 17);    // three phases bind
}

/// Mapping uses these numbers as a bound: no block may be cheaper, and the best sub-block must come
/// close.
TEST(MatmulCost, ProductMinimumIsABound) {
  for (const char *name : {"wormhole", "toy2x2"}) {
    Machine m = load(machineFile(name));
    for (std::string dtype : {"bf16", "f32"}) {
      int64_t bound = m.number("compute.product_cycles_min_" + dtype);
      double best = 1e9;
      for (int64_t sm = 1; sm <= 4; ++sm)
        for (int64_t sn = 1; sm * sn <= m.number("compute.dst_tiles_fp32"); ++sn)
          for (int64_t tk : {1, 16}) {
            double per =
                double(cost(m, dtype, sm * 2, sn * 2, tk, sm, sn)) / double(4 * sm * sn * tk);
            EXPECT_GE(per, double(bound)) << name << " " << dtype << " " << sm << "x" << sn;
            best = std::min(best, per);
          }
      EXPECT_LT(best, double(bound) * 1.25) << name << " " << dtype;
    }
  }
}

} // namespace
