// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ascend's transfer costs against the published figures that they were fitted on: the ND2NZ
// bandwidth curve of CATLASS example 102 (GB/s of one core) and asc-devkit's data_copy rows (all 24
// cores).
#include "Edited.h"
#include <cmath>

using namespace tilewright;
using namespace tilewright::machine;
using namespace tilewright::machine::test;

namespace {

class Ascend : public testing::Test {
protected:
  /// Cycles of one core for `rows` rows of `elements` fp16, out of memory that gives it `rate`
  /// bytes per cycle.
  double transfer(int64_t rows, int64_t elements, int64_t alignment, double rate) const {
    auto cost =
        m.cost("nd2nz_1000_rows").cycles({{"row_bytes", 2 * elements}, {"alignment", alignment}});
    double engine =
        double(m.number("mte2.issue_cycles")) + double(rows) * double(cost.value()) / 1000;
    return std::max(engine, double(rows * elements * 2) / rate);
  }
  /// A long row of transfers: the issue overhead of one is small.
  double curve(int64_t elements, int64_t alignment) const {
    double cold = double(m.number("mte2.cold_bytes_per_cycle"));
    int64_t rows = 100000;
    return double(rows * elements * 2) / transfer(rows, elements, alignment, cold) * clock;
  }
  Machine m = load(machineFile("ascend910b1"));
  double clock = double(m.number("clock_mhz")) / 1000; // GB/s per byte and cycle
  const int64_t lengths[9] = {16, 32, 64, 96, 128, 192, 256, 384, 512};
};

TEST_F(Ascend, BandwidthCurve) {
  struct {
    int64_t alignment;
    double scale; ///< data_copy measures 29.8 GB/s where the curve has 25.0
    std::vector<double> published;
    double limit;
  } classes[] = {
      {2, 29.8 / 25.0, {4.6, 8.1, 13.1, 16.2, 18.1, 21.3, 25.0, 31.2, 39.1}, 0.03},
      {32, 1, {6.1, 10.9, 17.5, 21.5, 24.2, 28.4, 33.4, 41.6, 52.2}, 0.035},
      {256, 1, {12.2, 21.7, 35.0, 43.1, 48.4, 56.9, 66.8, 80, 80}, 0.035},
  };
  double worst = 0;
  for (const auto &c : classes)
    for (size_t i = 0; i < 9; ++i) {
      double error = curve(lengths[i], c.alignment) / (c.published[i] * c.scale) - 1;
      EXPECT_LT(std::abs(error), c.limit)
          << c.alignment << " B, d = " << lengths[i] << ": " << error;
      worst = std::max(worst, std::abs(error));
    }
  EXPECT_GT(worst, 0.025); // the file says: within 4 %
}

/// Here the curve is the memory's and not the engine's: the model lies above it for short rows.
TEST_F(Ascend, AlignedRowsAreLimitedByMemory) {
  EXPECT_NEAR(curve(16, 512) / 15.3, 1, 0.01);
  for (int64_t d : {256, 384, 512})
    EXPECT_NEAR(curve(d, 512) / 80, 1, 0.01);
  for (int64_t d : {32, 64, 96, 128, 192})
    EXPECT_GT(curve(d, 512), 27);
}

TEST_F(Ascend, FewRows) {
  const std::pair<int64_t, double> published[] = {
      {1, 10.1}, {2, 18.4}, {4, 33.4}, {8, 56.9}, {16, 80}};
  for (auto [rows, rate] : published) {
    double got = double(rows * 512) / transfer(rows, 256, 512, 1e9) * clock;
    EXPECT_NEAR(got / rate, 1, 0.055) << rows;
  }
}

TEST_F(Ascend, DataCopyToL1) {
  double share = double(m.number("hbm.bytes_per_1000_cycles")) / 1000 / 24;
  struct {
    int64_t elements, alignment;
    double gigabytes; ///< per second and core
  } rows[] = {{64, 512, 44.4}, {256, 512, 58.7}, {256, 2, 29.8}};
  for (const auto &r : rows) {
    double got = double(64 * r.elements * 2) / transfer(64, r.elements, r.alignment, share) * clock;
    EXPECT_NEAR(got / r.gigabytes, 1, 0.06) << r.elements;
  }
}

TEST(AscendMachines, DifferOnlyInData) {
  const std::tuple<const char *, int64_t, int64_t, int64_t> known[] = {
      {"ascend910b1", 24, 1850, 192},
      {"ascend910b2", 24, 1800, 192},
      {"ascend910b3", 20, 1800, 192},
      {"ascend910b4", 20, 1500, 96},
      {"ascend910_9362", 20, 1850, 192}};
  for (auto [name, cores, clock, l2] : known) {
    Machine m = load(machineFile(name));
    EXPECT_EQ(m.family, "ascend");
    EXPECT_EQ(m.grid.x, cores);
    EXPECT_EQ(m.number("cores.vector"), 2 * cores);
    EXPECT_EQ(m.number("clock_mhz"), clock);
    EXPECT_EQ(m.number("l2.capacity"), l2 << 20);
    EXPECT_NEAR(double(m.number("launch.pass_cycles")) / double(clock), 2, 0.001) << name;
    EXPECT_TRUE(lint(machineFile(name)).empty()) << name;
  }
}

} // namespace
