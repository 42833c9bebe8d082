// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every stage of random programs stores what the tile program stores, and no two buffers that are
// alive together share memory. Both are found by execution, not by the passes' own analyses.
#include "RandomProgram.h"
#include "Trace.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tilewright/Transforms/Passes.h"
#include "tilewright/Transforms/Protocol.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright;

namespace {

struct Counts {
  int merged = 0, shared = 0, buffers = 0;
};

class RandomPrograms : public testing::Test {
protected:
  RandomPrograms() {
    DialectRegistry registry;
    registry.insert<tw::TwDialect, func::FuncDialect>();
    context.appendDialectRegistry(registry);
  }
  func::FuncOp kernel() { return *module->getOps<func::FuncOp>().begin(); }
  bool run(std::unique_ptr<Pass> pass) {
    PassManager manager(&context);
    manager.addNestedPass<func::FuncOp>(std::move(pass));
    return succeeded(manager.run(*module)) && succeeded(verify(*module));
  }
  std::string print() {
    std::string text;
    llvm::raw_string_ostream(text) << *module;
    return text;
  }
  /// Protocol, faults of execution, and the stores of the tile program.
  Trace check(const char *stage, const std::vector<uint64_t> &stores) {
    for (const auto &violation : transforms::checkProtocol(kernel()))
      ADD_FAILURE() << stage << ": " << violation.message;
    for (int trips : {1, 3}) {
      Trace trace = runTrace(kernel(), trips);
      for (const std::string &fault : trace.faults)
        ADD_FAILURE() << stage << ": " << fault;
    }
    Trace trace = runTrace(kernel(), 2);
    EXPECT_EQ(trace.stores, stores) << stage;
    return trace;
  }
  static void checkMemory(const Trace &trace) {
    for (const auto &[a, b] : trace.together)
      EXPECT_NE(trace.memory.at(a), trace.memory.at(b))
          << a << " and " << b << " are alive together";
    for (const auto &[a, first] : trace.memory)
      for (const auto &[b, second] : trace.memory)
        if (a != b && first == second) {
          EXPECT_FALSE(trace.global.count(a)) << a << " meets global memory and shares with " << b;
          EXPECT_EQ(trace.types.at(a), trace.types.at(b));
        }
  }
  void runProgram(unsigned seed, Counts &counts);

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

void RandomPrograms::runProgram(unsigned seed, Counts &counts) {
  std::string text = randomProgram(seed);
  module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module) << text;
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  std::vector<uint64_t> stores = runTrace(kernel(), 2).stores;
  ASSERT_FALSE(stores.empty());

  ASSERT_TRUE(run(transforms::createReifyDataflow()));
  Trace dataflow = check("dataflow", stores);
  ASSERT_TRUE(run(transforms::createMergeHandoffs()));
  Trace merged = check("merged", stores);
  ASSERT_TRUE(run(transforms::createConcretizeBuffers()));
  Trace concrete = check("concrete", stores);
  checkMemory(concrete);

  EXPECT_LE(merged.memory.size(), dataflow.memory.size());
  EXPECT_EQ(concrete.memory.size(), merged.memory.size());
  int semaphores = 0;
  kernel().walk([&](tw::SemAllocOp) { ++semaphores; });
  EXPECT_EQ(semaphores, (int)concrete.memory.size());
  int memories = 0;
  kernel().walk([&](tw::MemAllocOp) { ++memories; });
  counts.merged += dataflow.memory.size() - merged.memory.size();
  counts.shared += concrete.memory.size() - memories;
  counts.buffers += concrete.memory.size();
}

TEST_F(RandomPrograms, KeepTheirMeaningThroughAllStages) {
  Counts counts;
  for (unsigned seed = 0; seed < 400 && !HasFailure(); ++seed)
    runProgram(seed, counts);
  // The programs must give the passes something to do.
  EXPECT_GT(counts.merged, 400);
  EXPECT_GT(counts.shared, 100);
  RecordProperty("merged", counts.merged);
  RecordProperty("shared", counts.shared);
  RecordProperty("buffers", counts.buffers);
}

TEST_F(RandomPrograms, SameInputGivesSameText) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::string texts[2];
    for (std::string &text : texts) {
      module = parseSourceString<ModuleOp>(randomProgram(seed), &context);
      ASSERT_TRUE(run(transforms::createReifyDataflow()));
      ASSERT_TRUE(run(transforms::createMergeHandoffs()));
      ASSERT_TRUE(run(transforms::createConcretizeBuffers()));
      text = print();
    }
    EXPECT_EQ(texts[0], texts[1]);
    module = parseSourceString<ModuleOp>(texts[0], &context);
    ASSERT_TRUE(module);
    EXPECT_EQ(print(), texts[0]) << "printed text does not parse back to itself";
  }
}

} // namespace
