// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the AdaptCore paper shows: four worked cases on 16 cores (section 4.3), the ablation ladder
// (6.3) and scaling over cores (6.4). Published times are in microseconds on silicon.
#include "Shapes.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::matmul;

static Template templateOf(const Shape &s, const Pins &pins = {}) {
  static const Target sixteen = withCores(16);
  return plan(sixteen, s, pins).choice.kind;
}

TEST(WorkedCases, ChooseThePapersTemplate) {
  EXPECT_EQ(templateOf(shape(1024, 1024, 1024)), Template::Common);
  // The case compares templates; with the module L1 Resident Common would be faster still.
  Pins base;
  base.modules = [](const Modules &m) { return m.resident == Resident::None; };
  EXPECT_EQ(templateOf(shape(4096, 4096, 1024), base), Template::SingleCoreSplitK);
  EXPECT_EQ(templateOf(shape(128, 128, 4096)), Template::MultiCoreSplitK);
  Pins tile; // the paper's own tile
  tile.m1 = tile.n1 = 256;
  EXPECT_EQ(templateOf(shape(256, 256, 8192), tile), Template::HybridSplitK);
  EXPECT_EQ(templateOf(shape(256, 256, 8192, "rc")), Template::HybridSplitK); // of itself
}

static double ladderStep(Pad padB, Pipelining pipelining, bool shuffleK) {
  Pins pins;
  pins.kind = Template::Common;
  pins.m1 = 128, pins.n1 = 256;
  Modules wanted;
  wanted.padB = padB, wanted.pipelining = pipelining, wanted.shuffleK = shuffleK;
  pins.modules = [wanted](const Modules &m) { return m == wanted; };
  return target().microseconds(plan(target(), shape(12288, 688, 16991, "cc"), pins).cycles);
}

TEST(Ablation, SignsOrderAndSizeOfEachStep) {
  double common = ladderStep(Pad::None, Pipelining::Single, false);
  double padding = ladderStep(Pad::Nz, Pipelining::Single, false);
  double preload = ladderStep(Pad::Nz, Pipelining::Preload, false);
  double shuffle = ladderStep(Pad::Nz, Pipelining::Preload, true);
  EXPECT_GT(common, 1.3 * padding);
  EXPECT_GT(padding, 1.3 * preload);
  EXPECT_GE(preload, shuffle);
  EXPECT_GT(shuffle, 0.95 * preload); // "marginal"
  const double published[] = {3054.7, 1789.4, 1101.8, 1091.4};
  const double predicted[] = {common, padding, preload, shuffle};
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(predicted[i] / published[i], 1.0, 0.1) << i;
  double ours = target().microseconds(plan(target(), shape(12288, 688, 16991, "cc")).cycles);
  EXPECT_LE(ours, shuffle);
}

TEST(Scaling, MoreCoresAreFasterAndNearThePaper) {
  Shape s = shape(3, 256, 87087, "rc");
  double before = 1e9;
  for (int64_t cores : {1, 2, 4, 8, 16, 24}) {
    Target t = withCores(cores);
    double us = t.microseconds(plan(t, s).cycles);
    EXPECT_LT(us, before) << cores;
    before = us;
    if (cores == 1)
      EXPECT_NEAR(us / 881.7, 1.0, 0.1);
  }
  EXPECT_NEAR(before / 63.8, 1.0, 0.25);
}
