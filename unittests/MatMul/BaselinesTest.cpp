// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule-based reconstructions: always legal, never faster in the model than the planner, and
// following the rules that they are made of.
#include "tilewright/MatMul/Baselines.h"
#include "Shapes.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::matmul;

TEST(Baselines, AlwaysLegalAndNeverFaster) {
  Random random(41);
  int worse = 0;
  for (int i = 0; i < 300; ++i) {
    Shape s = randomShape(random, 30000);
    if (s.empty() || !s.groups.empty() || double(s.m) * double(s.n) > 4e9)
      continue;
    int64_t best = plan(target(), s).cycles;
    for (const Choice &c :
         {basicCatlass(target(), s), rule102(target(), s), aclnnLike(target(), s)}) {
      auto time = cycles(target(), s, c);
      ASSERT_TRUE(time) << s.str() << ": " << c.str();
      EXPECT_GE(*time, best) << s.str() << ": " << c.str();
      worse += *time > best;
    }
  }
  EXPECT_GT(worse, 300);
}

TEST(Baselines, FollowTheirRules) {
  Choice basic = basicCatlass(target(), shape(5000, 5000, 5000));
  EXPECT_EQ(basic.tiles.m1, 128);
  EXPECT_EQ(basic.tiles.n1, 256);
  // k > 5120 with few tiles splits K, one less does not.
  EXPECT_EQ(rule102(target(), shape(256, 512, 5121)).kind, Template::MultiCoreSplitK);
  EXPECT_EQ(rule102(target(), shape(256, 512, 5120)).kind, Template::Common);
  EXPECT_TRUE(rule102(target(), shape(512, 512, 128)).modules.eliminateScalar);
  // B of the vendor's library is rewritten unless its rows are aligned.
  EXPECT_EQ(aclnnLike(target(), shape(4096, 4095, 4096)).modules.padB, Pad::Nz);
  EXPECT_EQ(aclnnLike(target(), shape(4096, 4096, 4096)).modules.padB, Pad::None);
  // A row, B transposed, small m and n: no split below 27392.
  EXPECT_EQ(aclnnLike(target(), shape(64, 128, 20000, "rc")).kind, Template::Common);
  EXPECT_EQ(aclnnLike(target(), shape(64, 128, 30000, "rc")).kind, Template::MultiCoreSplitK);
}
