// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tilewright/MatMul/Library.h"
#include "Shapes.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::matmul;

static const Optimisation &find(const std::string &name) {
  for (const Optimisation &o : library())
    if (o.name == name)
      return o;
  ADD_FAILURE() << name;
  return library().front();
}

TEST(Library, ModulesComposeAndComeOff) {
  Shape s = shape(4, 300, 700);
  Modules all;
  for (const Optimisation &o : library()) {
    EXPECT_FALSE(uses(o, all)) << o.name;
    o.add(target(), s, all);
    EXPECT_TRUE(uses(o, all)) << o.name;
    if (std::string(o.name) == "multi-buffer")
      o.remove(all); // preloading brings its own
  }
  for (const Optimisation &o : library())
    o.remove(all);
  find("multi-buffer").remove(all);
  EXPECT_EQ(all, Modules{});
}

TEST(Library, ApplyWhereTheyCanHelp) {
  Shape aligned = shape(4096, 4096, 4096), odd = shape(4096, 4095, 100000),
        flat = shape(4, 4096, 4096);
  EXPECT_FALSE(applies(find("padding C"), target(), aligned, Template::Common));
  EXPECT_TRUE(applies(find("padding C"), target(), odd, Template::Common));
  EXPECT_FALSE(applies(find("small-M copy"), target(), aligned, Template::Common));
  EXPECT_TRUE(applies(find("small-M copy"), target(), flat, Template::Common));
  EXPECT_TRUE(applies(find("L1 resident"), target(), aligned, Template::Common));
  EXPECT_FALSE(
      applies(find("L1 resident"), target(), odd, Template::Common)); // no panel of it fits L1
  EXPECT_FALSE(applies(find("eliminate scalar"), target(), aligned, Template::StreamK));
  EXPECT_FALSE(applies(find("shuffleK"), target(), shape(64, 64, 16), Template::Common));
  EXPECT_FALSE(applies(find("shuffleK"), withCores(1), aligned, Template::Common));
}

/// In the best plan no module can be left off for a gain, and none that is legal can be added for
/// one.
TEST(Library, TheBestPlanHasTheBestSet) {
  Random random(51);
  int gains = 0;
  for (int i = 0; i < 150; ++i) {
    Shape s = randomShape(random, 20000);
    if (s.empty() || double(s.m) * double(s.n) > 4e9)
      continue;
    Plan p = plan(target(), s);
    for (const Effect &e : effects(target(), s, p.choice)) {
      bool inUse = uses(*e.optimisation, p.choice.modules);
      if (inUse)
        EXPECT_EQ(e.with, p.cycles);
      else if (e.with)
        EXPECT_GE(*e.with, p.cycles)
            << s.str() << ": " << e.optimisation->name << " on " << p.choice.str();
      if (inUse && e.without) {
        EXPECT_GE(*e.without, p.cycles) << s.str() << ": " << e.optimisation->name;
        gains += *e.without > p.cycles;
      }
      if (std::string(e.optimisation->name) == "multi-buffer")
        EXPECT_GT(e.l1Bytes, 0);
    }
  }
  EXPECT_GT(gains, 100);
}

/// The published ladder, module by module, on one choice.
TEST(Library, SignsOnTheAblationShape) {
  Shape s = shape(12288, 688, 16991, "cc");
  Choice c{Template::Common, {}, {128, 256, 512, 256, 128, 256, 32, 1, 1}};
  int64_t before = cycles(target(), s, c).value();
  for (const char *name : {"padding B", "multi-buffer", "preloading"}) {
    find(name).add(target(), s, c.modules);
    int64_t after = cycles(target(), s, c).value();
    EXPECT_LT(after, before) << name;
    before = after;
  }
  find("shuffleK").add(target(), s, c.modules);
  EXPECT_LE(cycles(target(), s, c).value(), before);
}
