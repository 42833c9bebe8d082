// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Shapes.h"
#include "tilewright/MatMul/TilingKey.h"
#include <gtest/gtest.h>
#include <set>

using namespace tilewright;
using namespace tilewright::matmul;

static KeyFields randomFields(Random &r) {
  KeyFields f;
  f.kind = Template(r.below(7));
  f.layoutA = Layout(r.below(2)), f.layoutB = Layout(r.below(2)), f.dtype = Dtype(r.below(2));
  Modules &m = f.modules;
  m.padA = Pad(r.below(3)), m.padB = Pad(r.below(3)), m.padC = Pad(r.below(2));
  m.resident = Resident(r.below(3)), m.pipelining = Pipelining(r.below(3));
  m.shuffleK = r.below(2), m.smallM = r.below(2), m.eliminateScalar = r.below(2),
  m.atomic = r.below(2);
  f.doubleL0c = r.below(2), f.rowwiseA = r.below(2), f.rowwiseB = r.below(2);
  f.form = Form(r.below(3));
  return f;
}

TEST(TilingKey, RoundTripAndOneNameForEachKey) {
  Random random(5);
  std::set<uint64_t> keys;
  std::set<std::string> names;
  for (int i = 0; i < 20000; ++i) {
    KeyFields fields = randomFields(random);
    uint64_t key = encode(fields);
    EXPECT_EQ(decode(key), fields);
    keys.insert(key);
    names.insert(kernelName(key));
  }
  EXPECT_EQ(keys.size(), names.size());
  EXPECT_GT(keys.size(), 10000u);
}

TEST(TilingKey, RefusesOtherVersionsReservedBitsAndValues) {
  uint64_t key = encode({});
  for (uint64_t wrong : {uint64_t(0), key ^ uint64_t(3) << 56, key | uint64_t(1) << 27,
                         key | uint64_t(1) << 55, key | uint64_t(15), key | uint64_t(3) << 8,
                         key | uint64_t(2) << 12, key | uint64_t(3) << 6}) {
    try {
      decode(wrong);
      ADD_FAILURE() << std::hex << wrong;
    } catch (const Error &error) {
      EXPECT_EQ(error.diagnostic().id, "matmul.key");
    }
  }
}

TEST(TilingKey, HoldsWhatChangesTheCode) {
  Shape s = shape(4096, 4096, 100000, "rr");
  Plan p = plan(target(), s);
  KeyFields f = decode(tilingKey(target(), s, p.choice));
  EXPECT_EQ(f.kind, p.choice.kind);
  EXPECT_EQ(f.modules, p.choice.modules);
  if (p.choice.modules.padA == Pad::None)
    EXPECT_TRUE(f.rowwiseA); // rows are 100000 elements apart, one transfer reaches 65535
  s.batch = 2;
  EXPECT_EQ(decode(tilingKey(target(), s, p.choice)).form, Form::Batch);
}
