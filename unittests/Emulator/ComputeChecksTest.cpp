// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compute kernels: one wrong kernel per rule, and the values of operations against direct
// arithmetic.
#include "Program.h"
#include <cmath>

namespace tilewright::emulator::test {
namespace {

/// Buffers 0 and 1 (bf16) and 2 (f32) hold one page each of a, b and f; 16 (bf16) and 17 (f32) go
/// to c and d. `copies` names which outputs the writer takes.
Program computing(const std::string &body, const std::string &copies = "", bool fp32 = true) {
  Program p;
  p.tensor("a", false, "bf16", 32, 32)
      .tensor("b", false, "bf16", 32, 32)
      .tensor("f", false, "f32", 32, 32);
  p.cb(0, "a", "bf16", 1)
      .cb(1, "b", "bf16", 1)
      .cb(2, "f", "f32", 1)
      .cb(16, "c", "bf16", 1)
      .cb(17, "d", "f32", 1);
  p.manifest["compute"]["fp32_dest_acc_en"] = fp32;
  p.compileArgs(0, {accessor("a"), accessor("b"), accessor("f")});
  p.runtimeArgs(0, {address("a"), address("b"), address("f")});
  std::string reader, writer;
  for (int i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i);
    reader += "{ constexpr auto args = TensorAccessorArgs<" + std::to_string(2 * i) +
              ">(); cb_reserve_back(" + n +
              ", 1); noc_async_read_page(0, TensorAccessor(args, get_arg_val<uint32_t>(" + n +
              ")), get_write_ptr(" + n + ")); noc_async_read_barrier(); cb_push_back(" + n +
              ", 1); }\n";
  }
  json compileTime = json::array(), runtime = json::array();
  for (char o : copies) {
    const std::string cb = o == 'c' ? "16" : "17", n = std::to_string(runtime.size());
    p.tensor(std::string(1, o), true, o == 'c' ? "bf16" : "f32", 32, 32);
    writer += "{ constexpr auto args = TensorAccessorArgs<" + std::to_string(2 * runtime.size()) +
              ">(); cb_wait_front(" + cb +
              ", 1); noc_async_write_page(0, TensorAccessor(args, get_arg_val<uint32_t>(" + n +
              ")), get_read_ptr(" + cb + ")); noc_async_write_barrier(); cb_pop_front(" + cb +
              ", 1); }\n";
    compileTime.push_back(accessor(std::string(1, o)));
    runtime.push_back(address(std::string(1, o)));
  }
  p.compileArgs(2, compileTime).runtimeArgs(2, runtime);
  p.reader = Program::dataMovement(reader);
  p.writer = Program::dataMovement(writer);
  std::string text =
      Program::computing("cb_wait_front(0, 1); cb_wait_front(1, 1); cb_wait_front(2, 1);\n" + body +
                         "\ncb_pop_front(0, 1); cb_pop_front(1, 1); cb_pop_front(2, 1);\n");
  for (const char *h :
       {"compute_kernel_api.h", "eltwise_unary/exp.h", "eltwise_unary/binop_with_scalar.h",
        "eltwise_unary/gelu.h", "eltwise_unary/relu.h", "eltwise_binary_sfpu.h", "binary_max_min.h",
        "eltwise_unary/fill.h"})
    text = "#include \"api/compute/" + std::string(h) + "\"\n" + text;
  p.compute = text;
  return p;
}

std::vector<HostTensor> inputs() {
  return {randomTensor("a", "bf16", 32, 32, 1), randomTensor("b", "bf16", 32, 32, 2),
          randomTensor("f", "f32", 32, 32, 3)};
}

std::string computeError(const std::string &body, bool fp32 = true,
                         const std::string &copies = "") {
  return errorOf(computing(body, copies, fp32), inputs());
}

const std::string start = "compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, 16); ";
const std::string acquire = "tile_regs_acquire(); ";
const std::string hand = "tile_regs_commit(); tile_regs_wait(); tile_regs_release(); ";
/// Takes DST tile 0 to buffer 16 or 17.
std::string packTo(int cb, const std::string &call = "") {
  const std::string n = std::to_string(cb);
  return "tile_regs_commit(); cb_reserve_back(" + n + ", 1); tile_regs_wait(); " +
         (call.empty() ? "pack_tile(0, " + n + ");" : call) +
         " tile_regs_release(); cb_push_back(" + n + ", 1);\n";
}

TEST(DstChecks, Rules) {
  const std::string product = "matmul_tiles(0, 1, 0, 0, 0); ";
  EXPECT_EQ(computeError(start + "matmul_init(0, 1); " + acquire + product + hand), "");
  EXPECT_EQ(computeError(start + "matmul_init(0, 1); " + acquire + "matmul_tiles(0, 1, 0, 0, 4); " +
                         hand),
            "emulator.dst-index");
  EXPECT_EQ(
      computeError(start + "matmul_init(0, 1); " + acquire + "matmul_tiles(0, 1, 0, 0, 7); " + hand,
                   false),
      "");
  EXPECT_EQ(
      computeError(start + "matmul_init(0, 1); " + acquire + "matmul_tiles(0, 1, 0, 0, 8); " + hand,
                   false),
      "emulator.dst-index");
  EXPECT_EQ(computeError(start + "matmul_init(0, 1); " + product), "emulator.dst-order");
  EXPECT_EQ(computeError(start + acquire + acquire), "emulator.dst-order");
  EXPECT_EQ(computeError(start + "tile_regs_commit();"), "emulator.dst-order");
  EXPECT_EQ(computeError(start + "tile_regs_release();"), "emulator.dst-order");
  EXPECT_EQ(computeError(start + acquire + hand + "pack_tile(0, 16);"), "emulator.dst-order");
  EXPECT_EQ(computeError(start + acquire + "tile_regs_commit();"), "emulator.dst-order");
}

TEST(InitChecks, Rules) {
  EXPECT_EQ(computeError("matmul_init(0, 1);"), "emulator.missing-startup");
  EXPECT_EQ(computeError(start + start), "emulator.startup-twice");
  EXPECT_EQ(computeError(start + acquire + "matmul_tiles(0, 1, 0, 0, 0); " + hand),
            "emulator.missing-init");
  EXPECT_EQ(
      computeError(start + "add_init(0, 1); " + acquire + "matmul_tiles(0, 1, 0, 0, 0); " + hand),
      "emulator.wrong-init");
  EXPECT_EQ(computeError(start + "matmul_init(0, 1); " + acquire + "matmul_tiles(1, 0, 0, 0, 0); " +
                         hand),
            "emulator.wrong-init");
  EXPECT_EQ(computeError(start + "matmul_block_init(0, 1, 0, 2, 1, 1); " + acquire +
                         "matmul_block(0, 1, 0, 0, 0, 0, 1, 1, 1); " + hand),
            "emulator.wrong-init");
  EXPECT_EQ(computeError(start + "matmul_init(0, 1); " + acquire + "matmul_tiles(0, 1, 1, 0, 0); " +
                         hand),
            "emulator.read-not-waited");
  EXPECT_EQ(
      computeError(start + "copy_init(0); " + acquire + "copy_tile(0, 0, 0); exp_tile(0); " + hand),
      "emulator.sfpu-init");
  EXPECT_EQ(computeError(start + "copy_init(0); " + acquire +
                         "copy_tile(0, 0, 0); exp_tile_init(); gelu_tile(0); " + hand),
            "emulator.sfpu-init");
}

TEST(FormatChecks, Rules) {
  EXPECT_EQ(computeError(start + "copy_init(2);"), "emulator.data-format");
  EXPECT_EQ(computeError(start + "reconfig_data_format_srca(2); copy_init(2); " + acquire +
                         "copy_tile(2, 0, 0); " + hand),
            "");
  EXPECT_EQ(computeError(start + acquire + packTo(17)), "emulator.data-format");
  EXPECT_EQ(computeError(start + "add_init(0, 2);"), "emulator.data-format");
  Program p = computing(start + "reconfig_data_format(2, 1); add_init(2, 1); " + acquire +
                        "add_tiles(2, 1, 0, 0, 0); " + hand);
  p.manifest["circular_buffers"][2]["unpack_to_dest_fp32"] = true;
  EXPECT_EQ(errorOf(p, inputs()), "emulator.unpack-to-dest-operand");
}

TEST(PackChecks, Rules) {
  EXPECT_EQ(
      computeError(start + acquire +
                   "tile_regs_commit(); tile_regs_wait(); pack_tile(0, 16); tile_regs_release();"),
      "emulator.write-unreserved");
  EXPECT_EQ(computeError(start + acquire + packTo(16, "pack_tile<true>(0, 16, 1);")),
            "emulator.write-unreserved");
  EXPECT_EQ(computeError(start + "pack_reconfig_l1_acc(1); " + acquire + packTo(16)),
            "emulator.uninitialised-read");
  EXPECT_EQ(computeError(start + acquire + packTo(16, "pack_tile(4, 16);")), "emulator.dst-index");
}

/// The consumer of a page that was pushed but never written.
TEST(PackChecks, UnpackOfUnwrittenPage) {
  Program p = computing("");
  p.reader = Program::dataMovement(
      "for (uint32_t cb = 0; cb < 3; ++cb) { cb_reserve_back(cb, 1); cb_push_back(cb, 1); }");
  p.compute = Program::computing("cb_wait_front(0, 1); " + start + "copy_init(0); " + acquire +
                                 "copy_tile(0, 0, 0); " + hand);
  std::string text;
  EXPECT_EQ(errorOf(p, inputs(), &text), "emulator.uninitialised-read");
  EXPECT_NE(text.find("circular buffer 0 \"a\""), std::string::npos) << text;
}

/// Buffer 3 shares memory with buffer 0, whose page is still needed.
TEST(PackChecks, AliasOverwrite) {
  Program p =
      computing(start + "copy_init(0); " + acquire +
                "copy_tile(0, 0, 0); tile_regs_commit(); cb_reserve_back(3, 1); "
                "tile_regs_wait(); pack_tile(0, 3); tile_regs_release(); cb_push_back(3, 1);"
                "cb_wait_front(3, 1); cb_pop_front(3, 1);");
  p.cb(3, "late", "bf16", 1);
  p.manifest["circular_buffers"][5]["alias_of"] = 0;
  p.manifest["l1"]["used"] = p.manifest["l1"]["used"].get<int>() - 2048;
  EXPECT_EQ(errorOf(p, inputs()), "emulator.overwrite");
}

/// The threads of one kernel take different roads.
TEST(PackChecks, ThreadsDisagree) {
  EXPECT_EQ(
      computeError(start + "add_init(0, 1); " + acquire +
                   "\n#ifdef TRISC_MATH\nadd_tiles(0, 1, 0, 0, 0);\n#else\nadd_tiles(0, 1, 0, 0, "
                   "0);\n#endif\n" +
                   hand),
      "");
  EXPECT_EQ(
      computeError(start + "\n#ifdef TRISC_MATH\nsub_init(0, 1);\n#else\ncopy_init(0);\n#endif\n" +
                   acquire +
                   "\n#ifdef TRISC_MATH\nsub_tiles(0, 1, 0, 0, 0);\n#else\ncopy_tile(0, 0, 0);"
                   "\n#endif\n" +
                   hand),
      "emulator.operand-mismatch");
}

TEST(Deadlock, MathWaitsForPack) {
  std::string text;
  EXPECT_EQ(errorOf(computing(start + acquire + "tile_regs_commit(); " + acquire +
                              "tile_regs_commit(); " + acquire + "tile_regs_commit();"),
                    inputs(), &text),
            "emulator.deadlock");
  EXPECT_NE(text.find("core [0, 0] math waits for a free section of DST; core [0, 0] pack could do "
                      "it but has returned"),
            std::string::npos)
      << text;
}

/// Runs `body`, which leaves its result in buffer 17, and compares with `want(i, j)`.
template <typename Want> void expectF32(const std::string &body, Want want, double relative = 0) {
  auto in = inputs();
  auto r = computing("compute_kernel_hw_startup(0, 1, 17); " + body, "d").run(in);
  auto at = [&](int t, int i, int j) { return double(in[size_t(t)].values[size_t(i * 32 + j)]); };
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 32; ++j) {
      const double w = want(at, i, j);
      ASSERT_NEAR(r.outputs[0].values[size_t(i * 32 + j)], w, std::fabs(w) * relative)
          << body << i << "," << j;
    }
}

TEST(Values, FpuOperations) {
  expectF32("add_init(0, 1); " + acquire + "add_tiles(0, 1, 0, 0, 0); " + packTo(17),
            [](auto at, int i, int j) { return at(0, i, j) + at(1, i, j); });
  expectF32("sub_bcast_rows_init(0, 1); " + acquire + "sub_tiles_bcast_rows(0, 1, 0, 0, 0, 2); " +
                packTo(17),
            [](auto at, int i, int j) { return at(0, i, j) - at(1, 2, j); });
  expectF32("mul_bcast_cols_init(0, 1); " + acquire + "mul_tiles_bcast_cols(0, 1, 0, 0, 0); " +
                packTo(17),
            [](auto at, int i, int j) { return at(0, i, j) * at(1, i, 0); });
  expectF32("add_bcast_scalar_init(0, 1); " + acquire + "add_tiles_bcast_scalar(0, 1, 0, 0, 0); " +
                packTo(17),
            [](auto at, int i, int j) { return at(0, i, j) + at(1, 0, 0); });
  // bias + acc with one operand from DST, twice: order matters for sub.
  expectF32(
      "copy_init(0); " + acquire +
          "copy_tile(0, 0, 0); sub_reuse_dest_init<EltwiseBinaryReuseDestType::DEST_TO_SRCA>(1);"
          "sub_reuse_dest_tiles<EltwiseBinaryReuseDestType::DEST_TO_SRCA>(1, 0, 0); " +
          packTo(17),
      [](auto at, int i, int j) { return at(0, i, j) - at(1, i, j); });
  expectF32(
      "copy_init(0); " + acquire +
          "copy_tile(0, 0, 0); sub_reuse_dest_init<EltwiseBinaryReuseDestType::DEST_TO_SRCB>(1);"
          "sub_reuse_dest_tiles<EltwiseBinaryReuseDestType::DEST_TO_SRCB>(1, 0, 0); " +
          packTo(17),
      [](auto at, int i, int j) { return at(1, i, j) - at(0, i, j); });
  expectF32("unary_bcast_init<BroadcastType::ROW>(1); " + acquire +
                "unary_bcast<BroadcastType::ROW>(1, 0, 0); " + packTo(17),
            [](auto at, int, int j) { return at(1, 0, j); });
  expectF32("reconfig_data_format<SrcOrder::Reverse>(0, 1); matmul_init(0, 1, 1); " + acquire +
                "matmul_tiles(0, 1, 0, 0, 0); " + packTo(17),
            [](auto at, int i, int j) {
              double sum = 0;
              for (int k = 0; k < 32; ++k)
                sum += at(0, i, k) * at(1, j, k);
              return sum;
            });
}

TEST(Values, SfpuAndPacker) {
  const double half = std::ldexp(1, -23);
  expectF32(
      "copy_init(0); " + acquire + "copy_tile(0, 0, 0); exp_tile_init(); exp_tile(0); " +
          packTo(17),
      [](auto at, int i, int j) { return std::exp(at(0, i, j)); }, half);
  expectF32(
      "copy_init(0); " + acquire +
          "copy_tile(0, 0, 0); binop_with_scalar_tile_init(); rsub_unary_tile(0, 0x40000000); " +
          packTo(17),
      [](auto at, int i, int j) { return 2 - at(0, i, j); });
  expectF32("copy_init(0); " + acquire +
                "copy_tile(0, 0, 0); copy_init(1); copy_tile(1, 0, 1); binary_max_tile_init(); "
                "binary_max_tile(0, 1, 0); " +
                packTo(17),
            [](auto at, int i, int j) { return std::max(at(0, i, j), at(1, i, j)); });
  expectF32("copy_init(0); pack_relu_config(ReluConfig::zero()); " + acquire +
                "copy_tile(0, 0, 0); " + packTo(17),
            [](auto at, int i, int j) { return std::max(at(0, i, j), 0.0); });
  // Two packs to the same slot, the second one accumulates.
  expectF32(
      "copy_init(0); " + acquire + "copy_tile(0, 0, 0); " +
          packTo(17,
                 "pack_tile<true>(0, 17, 0); pack_reconfig_l1_acc(1); pack_tile<true>(0, 17, 0);"),
      [](auto at, int i, int j) { return 2 * at(0, i, j); });
}

TEST(Values, FormatsOfFp32Operands) {
  auto in = inputs();
  for (size_t i = 0; i < 1024; ++i)
    in[2].values[i] = 1.0f + float(i) * std::ldexp(1.0f, -13); // needs 13 mantissa bits
  const std::string body = "compute_kernel_hw_startup(2, 1, 17); copy_init(2); " + acquire +
                           "copy_tile(2, 0, 0); " + packTo(17);
  Program p = computing(body, "d");
  auto rounded = p.run(in);
  p.manifest["circular_buffers"][2]["unpack_to_dest_fp32"] = true;
  auto exact = p.run(in);
  for (size_t i = 0; i < 1024; ++i) {
    EXPECT_EQ(exact.outputs[0].values[i], in[2].values[i]);
    EXPECT_EQ(rounded.outputs[0].values[i],
              1.0f + float(i / 8) * std::ldexp(1.0f, -10)); // TF32: truncated
  }
}

} // namespace
} // namespace tilewright::emulator::test
