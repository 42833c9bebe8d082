// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One small wrong kernel for every rule of circular buffers, arguments, capacity and termination.
#include "Program.h"

namespace tilewright::emulator::test {
namespace {

Program withBuffer(const std::string &reader, const std::string &writer = "", int pages = 4) {
  Program p;
  p.cb(0, "x", "bf16", pages);
  p.reader = Program::dataMovement(reader);
  if (!writer.empty())
    p.writer = Program::dataMovement(writer);
  return p;
}

TEST(CbChecks, NothingWrong) {
  EXPECT_EQ(errorOf(withBuffer("cb_reserve_back(0, 2); cb_push_back(0, 2);",
                               "cb_wait_front(0, 2); cb_pop_front(0, 2);")),
            "");
}

TEST(CbChecks, MessageNamesCoreThreadBufferAndTime) {
  std::string text;
  EXPECT_EQ(errorOf(withBuffer("cb_reserve_back(0, 1); cb_push_back(0, 3);"), {}, &text),
            "emulator.push-without-reserve");
  EXPECT_NE(text.find("pushing 3 pages of circular buffer 0 \"x\" of core [0, 0], of which 1 are "
                      "reserved (core [0, 0] "
                      "reader at cycle 26)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("reader.cpp"), std::string::npos) << text;
}

TEST(CbChecks, Rules) {
  const std::string push2 = "cb_reserve_back(0, 2); cb_push_back(0, 2);",
                    pop2 = "cb_wait_front(0, 2); cb_pop_front(0, 2);";
  EXPECT_EQ(errorOf(withBuffer("cb_reserve_back(0, 4); cb_push_back(0, 4); cb_push_back(0, 1);")),
            "emulator.cb-overflow");
  EXPECT_EQ(errorOf(withBuffer("", "cb_pop_front(0, 1);")), "emulator.cb-underflow");
  EXPECT_EQ(errorOf(withBuffer(push2, "cb_wait_front(0, 1); cb_pop_front(0, 2);")),
            "emulator.pop-without-wait");
  EXPECT_EQ(errorOf(withBuffer("cb_reserve_back(0, 5);")), "emulator.cb-beyond-ring");
  EXPECT_EQ(errorOf(withBuffer("", "cb_wait_front(0, 5);")), "emulator.cb-beyond-ring");
  EXPECT_EQ(errorOf(withBuffer("for (int i = 0; i < 2; ++i) { " + push2 + " }",
                               "for (int i = 0; i < 2; ++i) { " + pop2 + " }", 3)),
            "emulator.cb-wrap");
  EXPECT_EQ(errorOf(withBuffer(push2, push2)), "emulator.cb-two-producers");
  EXPECT_EQ(
      errorOf(withBuffer(
          "cb_reserve_back(0, 2); cb_push_back(0, 2); cb_wait_front(0, 1); cb_pop_front(0, 1);",
          "cb_wait_front(0, 1); cb_pop_front(0, 1);")),
      "emulator.cb-two-consumers");
  EXPECT_EQ(errorOf(withBuffer(push2)), "emulator.cb-leftover");
  EXPECT_EQ(errorOf(withBuffer("cb_reserve_back(7, 1);")), "emulator.cb-index");
}

TEST(CbChecks, DeadlockNamesBothSides) {
  std::string text;
  EXPECT_EQ(errorOf(withBuffer("cb_reserve_back(0, 4); cb_push_back(0, 4); cb_reserve_back(0, 4);",
                               "cb_wait_front(0, 2); cb_pop_front(0, 2);"),
                    {}, &text),
            "emulator.deadlock");
  EXPECT_NE(text.find("core [0, 0] reader waits for 4 free pages in circular buffer 0 \"x\" of "
                      "core [0, 0] (2 of 4 are "
                      "free); core [0, 0] writer could do it but has returned"),
            std::string::npos)
      << text;
}

TEST(Limits, WorkLimitStopsSpinning) {
  EmulationOptions few;
  few.workLimit = 2'000'000;
  Program spin;
  spin.reader = Program::dataMovement("volatile int x = 0; for (;;) x = x + 1;");
  EXPECT_EQ(errorOf(spin, {}, nullptr, few), "emulator.work-limit");
  EXPECT_EQ(errorOf(withBuffer("while (!cb_pages_available_at_front(0, 1)) {}"), {}, nullptr, few),
            "emulator.work-limit");
}

TEST(Limits, Capacity) {
  Program large;
  large.cb(0, "x", "f32", 400);
  EXPECT_EQ(errorOf(large), "emulator.l1-capacity");
  Program index;
  index.cb(32, "x", "f32", 1);
  EXPECT_EQ(errorOf(index), "emulator.cb-limit");
  Program many;
  for (int i = 0; i < 17; ++i)
    many.semaphore(i);
  EXPECT_EQ(errorOf(many), "emulator.semaphore-limit");
  EXPECT_EQ(errorOf(Program(9, 1)), "emulator.grid");
  Program args;
  args.runtimeArgs(0, std::vector<int>(342, 1));
  EXPECT_EQ(errorOf(args), "emulator.runtime-arg-limit");
  Program dram;
  dram.tensor("a", true, "f32", 1 << 20, 1 << 16);
  EXPECT_EQ(errorOf(dram), "emulator.dram-capacity");
}

TEST(Arguments, RuntimeAndCompileTime) {
  Program p;
  p.runtimeArgs(0, {5, -1}).compileArgs(0, {3});
  p.reader = Program::dataMovement(
      "static_assert(get_compile_time_arg_val(0) == 3);\n"
      "if (get_arg_val<uint32_t>(0) != 5 || get_arg_val<int32_t>(1) != -1) for (;;) {}");
  EXPECT_EQ(errorOf(p), "");
  p.reader = Program::dataMovement("get_arg_val<uint32_t>(2);");
  EXPECT_EQ(errorOf(p), "emulator.runtime-arg");
  p.reader = Program::dataMovement("static_assert(get_compile_time_arg_val(1) == 3);");
  std::string text;
  EXPECT_EQ(errorOf(p, {}, &text), "emulator.kernel-compile");
  EXPECT_NE(text.find("compile-time argument index out of range"), std::string::npos) << text;
}

TEST(Compile, MissingIncludeAndOldSpellings) {
  Program p;
  p.compute = "#include \"api/compute/matmul.h\"\nvoid kernel_main() { exp_tile_init(); }\n";
  std::string text;
  EXPECT_EQ(errorOf(p, {}, &text), "emulator.kernel-compile");
  EXPECT_NE(text.find("exp_tile_init"), std::string::npos);
  p.compute = "#include \"compute_kernel_api/matmul.h\"\nvoid kernel_main() {}\n";
  EXPECT_EQ(errorOf(p), "emulator.kernel-compile");
  p.compute = "#include \"api/compute/matmul.h\"\nnamespace NAMESPACE { void MAIN {} }\n";
  EXPECT_EQ(errorOf(p), "emulator.kernel-compile");
  p.compute = "#include \"api/dataflow/dataflow_api.h\"\nvoid kernel_main() {}\n";
  EXPECT_EQ(errorOf(p), "emulator.kernel-compile");
  Program q;
  q.reader = "#include \"api/compute/matmul.h\"\nvoid kernel_main() {}\n";
  EXPECT_EQ(errorOf(q), "emulator.kernel-compile");
  q.reader = "void kernel_main() { cb_wait_front(0, 1); }\n";
  EXPECT_EQ(errorOf(q), "emulator.kernel-compile");
}

TEST(Machines, AllOfTheFamilyHaveTheNumbers) {
  int found = 0;
  for (const std::string &name : machine::list()) {
    const machine::Machine m = machine::find(name);
    if (m.family != "tenstorrent") {
      EXPECT_THROW(machineModel(m), Error) << name;
      continue;
    }
    const MachineModel model = machineModel(m);
    EXPECT_GT(model.l1End, model.l1Base) << name;
    EXPECT_EQ(model.dstTiles16, 2 * model.dstTiles32) << name;
    ++found;
  }
  EXPECT_GE(found, 1);
}

TEST(Compile, NoCompilerIsADiagnostic) {
  setenv("CXX_EMULATOR", "/nonexistent/compiler", 1);
  EXPECT_EQ(errorOf(withBuffer("cb_reserve_back(0, 1);")), "emulator.toolchain");
  unsetenv("CXX_EMULATOR");
}

TEST(Inputs, MustMatch) {
  Program p;
  p.tensor("a", false, "bf16", 32, 32);
  EXPECT_EQ(errorOf(p), "emulator.input-tensor");
  EXPECT_EQ(errorOf(p, {randomTensor("a", "bf16", 32, 33, 1)}), "emulator.input-tensor");
  EXPECT_EQ(errorOf(p, {randomTensor("a", "f32", 32, 32, 1)}), "emulator.input-tensor");
  EXPECT_EQ(errorOf(p, {randomTensor("a", "bf16", 32, 32, 1)}), "");
  Program q;
  q.tensor("c", true, "bf16", 32, 32);
  EXPECT_EQ(errorOf(q), "emulator.output-not-written");
}

} // namespace
} // namespace tilewright::emulator::test
