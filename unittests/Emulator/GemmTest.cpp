// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole programs: a GEMM on one core, a GEMM with multicast operands, K accumulation by spill and
// reload.
#include "Program.h"
#include <cmath>

namespace tilewright::emulator::test {
namespace {

/// The operand reader of a GEMM: reads its block and multicasts it along a row or a column.
std::string operandReader(const std::string &tail) {
  return Program::dataMovement(R"(
  constexpr uint32_t cb = get_compile_time_arg_val(0), rows = get_compile_time_arg_val(1);
  constexpr uint32_t cols = get_compile_time_arg_val(2), pitch = get_compile_time_arg_val(3);
  constexpr auto args = TensorAccessorArgs<4>();
  const uint32_t base = get_arg_val<uint32_t>(0), r0 = get_arg_val<uint32_t>(1), c0 = get_arg_val<uint32_t>(2);
  const uint32_t sender = get_arg_val<uint32_t>(3), others = get_arg_val<uint32_t>(8);
  const uint32_t readyAt = get_semaphore(get_arg_val<uint32_t>(9)), validAt = get_semaphore(get_arg_val<uint32_t>(10));
  volatile tt_l1_ptr uint32_t *ready = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(readyAt);
  volatile tt_l1_ptr uint32_t *valid = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(validAt);
  const auto tensor = TensorAccessor(args, base);
  constexpr uint32_t n = rows * cols;
  cb_reserve_back(cb, n);
  const uint32_t l1 = get_write_ptr(cb);
  if (sender) {
    uint32_t p = l1;
    for (uint32_t r = 0; r < rows; ++r)
      for (uint32_t c = 0; c < cols; ++c, p += get_tile_size(cb))
        noc_async_read_page((r0 + r) * pitch + c0 + c, tensor, p);
    noc_async_read_barrier();
    if (others) {
      noc_semaphore_wait(ready, others);
      noc_semaphore_set(ready, 0);
      const uint32_t x0 = get_arg_val<uint32_t>(4), y0 = get_arg_val<uint32_t>(5);
      const uint32_t x1 = get_arg_val<uint32_t>(6), y1 = get_arg_val<uint32_t>(7);
      noc_async_write_multicast(l1, get_noc_multicast_addr(x0, y0, x1, y1, l1), n * get_tile_size(cb), others, true);
      noc_semaphore_set(valid, 1);
      noc_semaphore_set_multicast(validAt, get_noc_multicast_addr(x0, y0, x1, y1, validAt), others);
      noc_async_write_barrier();
    }
  } else {
    noc_semaphore_set(valid, 0);
    noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(11), get_arg_val<uint32_t>(12), readyAt), 1);
    noc_async_atomic_barrier();
    noc_semaphore_wait(valid, 1);
  }
  cb_push_back(cb, n);
)" + tail);
}

const char *writeTail = R"(
  constexpr auto outArgs = TensorAccessorArgs<args.next_compile_time_args_offset()>();
  const auto out = TensorAccessor(outArgs, get_arg_val<uint32_t>(13));
  const uint32_t row = get_arg_val<uint32_t>(14), mt = get_arg_val<uint32_t>(15);
  for (uint32_t i = 0; i < mt; ++i)
    for (uint32_t j = 0; j < cols; ++j) {
      cb_wait_front(16, 1);
      noc_async_write_page((row + i) * pitch + c0 + j, out, get_read_ptr(16));
      noc_async_write_barrier();
      cb_pop_front(16, 1);
    }
)";

const char *tilesCompute = R"(
  constexpr uint32_t mt = get_compile_time_arg_val(0), kt = get_compile_time_arg_val(1), nt = get_compile_time_arg_val(2);
  compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, 16);
  matmul_init(0, 1);
  cb_wait_front(0, mt * kt);
  cb_wait_front(1, kt * nt);
  for (uint32_t i = 0; i < mt; ++i)
    for (uint32_t j = 0; j < nt; ++j) {
      tile_regs_acquire();
      for (uint32_t k = 0; k < kt; ++k)
        matmul_tiles(0, 1, i * kt + k, k * nt + j, 0);
      tile_regs_commit();
      cb_reserve_back(16, 1);
      tile_regs_wait();
      pack_tile(0, 16);
      tile_regs_release();
      cb_push_back(16, 1);
    }
  cb_pop_front(0, mt * kt);
  cb_pop_front(1, kt * nt);
)";

Program multicastGemm(int gx, int gy, int m, int k, int n) {
  Program p(gx, gy);
  const int kt = k / 32, mt = m / 32 / gy, nt = n / 32 / gx;
  p.tensor("a", false, "bf16", m, k)
      .tensor("b", false, "bf16", k, n)
      .tensor("c", true, "f32", m, n);
  p.cb(0, "a", "bf16", mt * kt, mt * kt).cb(1, "b", "bf16", kt * nt, kt * nt).cb(16, "c", "f32", 2);
  for (int s = 0; s < 4; ++s)
    p.semaphore(s);
  p.compileArgs(0, {0, mt, kt, kt, accessor("a")});
  p.compileArgs(1, {mt, kt, nt});
  p.compileArgs(2, {1, kt, nt, n / 32, accessor("b"), accessor("c")});
  for (int y = 0; y < gy; ++y)
    for (int x = 0; x < gx; ++x) {
      const int nx = std::min(1, gx - 1), ny = std::min(1, gy - 1);
      p.coreArgs(0, x, y,
                 {address("a"), y * mt, 0, int(x == 0), nocX(nx, y), nocY(nx, y), nocX(gx - 1, y),
                  nocY(gx - 1, y), gx - 1, 0, 1, nocX(0, y), nocY(0, y)});
      p.coreArgs(2, x, y,
                 {address("b"), 0, x * nt, int(y == 0), nocX(x, gy - 1), nocY(x, gy - 1),
                  nocX(x, ny), nocY(x, ny), gy - 1, 2, 3, nocX(x, 0), nocY(x, 0), address("c"),
                  y * mt, mt});
    }
  p.reader = operandReader("");
  p.writer = operandReader(writeTail);
  p.compute = Program::computing(tilesCompute);
  return p;
}

/// Sums in double; the inputs are exact, so only the emulated accumulation rounds.
double largestError(const HostTensor &c, const HostTensor &a, const HostTensor &b) {
  const int64_t m = a.shape[0], k = a.shape[1], n = b.shape[1];
  double worst = 0;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t t = 0; t < k; ++t)
        sum += double(a.values[size_t(i * k + t)]) * b.values[size_t(t * n + j)];
      worst = std::max(worst, std::fabs(sum - c.values[size_t(i * n + j)]));
    }
  return worst;
}

TEST(Gemm, OneCore) {
  const auto a = randomTensor("a", "bf16", 64, 96, 1), b = randomTensor("b", "bf16", 96, 64, 2);
  auto r = multicastGemm(1, 1, 64, 96, 64).run({a, b});
  ASSERT_EQ(r.outputs.size(), 1u);
  // Products of 7-bit fractions are multiples of 2^-14, sums below 2^10: exact in fp32.
  EXPECT_EQ(largestError(r.outputs[0], a, b), 0.0);
  EXPECT_GT(r.cycles, 0u);
  EXPECT_EQ(r.threads.size(), 5u);
}

TEST(Gemm, MulticastSameBitsOnEveryGrid) {
  const auto a = randomTensor("a", "bf16", 128, 64, 3), b = randomTensor("b", "bf16", 64, 128, 4);
  auto one = multicastGemm(1, 1, 128, 64, 128).run({a, b});
  EXPECT_EQ(largestError(one.outputs[0], a, b), 0.0);
  for (auto [gx, gy] : {std::pair(2, 2), std::pair(4, 1), std::pair(1, 4), std::pair(4, 2)}) {
    auto r = multicastGemm(gx, gy, 128, 64, 128).run({a, b});
    EXPECT_EQ(r.outputs[0].values, one.outputs[0].values) << gx << "x" << gy;
  }
}

TEST(Gemm, SixtyFourCores) {
  const auto a = randomTensor("a", "bf16", 512, 512, 3), b = randomTensor("b", "bf16", 512, 512, 4);
  const auto r = multicastGemm(8, 8, 512, 512, 512).run({a, b});
  EXPECT_EQ(largestError(r.outputs[0], a, b), 0.0);
  EXPECT_EQ(r.threads.size(), 320u);
}

TEST(Gemm, Deterministic) {
  const auto a = randomTensor("a", "bf16", 64, 64, 5), b = randomTensor("b", "bf16", 64, 64, 6);
  auto first = multicastGemm(2, 2, 64, 64, 64).run({a, b}),
       second = multicastGemm(2, 2, 64, 64, 64).run({a, b});
  EXPECT_EQ(first.cycles, second.cycles);
  EXPECT_EQ(first.events, second.events);
  EXPECT_EQ(first.outputs[0].values, second.outputs[0].values);
}

TEST(Gemm, WrongMulticastCountAndMissingFlag) {
  const auto a = randomTensor("a", "bf16", 64, 64, 5), b = randomTensor("b", "bf16", 64, 64, 6);
  Program p = multicastGemm(2, 2, 64, 64, 64);
  // The sender is outside the rectangle here, so 2 is simply too many.
  const std::string flag = "validAt), others);";
  p.reader.replace(p.reader.find(flag), flag.size(), "validAt), others + 1);");
  EXPECT_EQ(errorOf(p, {a, b}), "emulator.multicast-count");
  Program q = multicastGemm(2, 2, 64, 64, 64);
  const std::string set = "noc_semaphore_set(valid, 1);";
  q.reader.replace(q.reader.find(set), set.size(), "");
  std::string text;
  EXPECT_EQ(errorOf(q, {a, b}, &text), "emulator.deadlock");
  EXPECT_NE(text.find("waits for semaphore 1 \"s1\" of core [1, 0] to be 1 (it is 0)"),
            std::string::npos)
      << text;
}

/// Spill and reload: partial sums of each sub-block go to a ring and come back through DST.
const char *spillCompute = R"(
  constexpr uint32_t rt = 1, ct = 2, kt = 2, blocks = 3;
  compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, 2);
  matmul_block_init(0, 1, 0, ct, rt, kt);
  for (uint32_t kb = 0; kb < blocks; ++kb) {
    cb_wait_front(0, 2 * kt);
    cb_wait_front(1, kt * ct);
    for (uint32_t sr = 0; sr < 2; ++sr) {
      tile_regs_acquire();
      if (kb) {
        cb_wait_front(2, rt * ct);
        reconfig_data_format_srca(2);
        copy_init(2);
        for (uint32_t d = 0; d < rt * ct; ++d)
          copy_tile(2, d, d);
        cb_pop_front(2, rt * ct);
        reconfig_data_format<SrcOrder::Reverse>(0, 1);
        matmul_block_init(0, 1, 0, ct, rt, kt);
      }
      for (uint32_t k = 0; k < kt; ++k)
        matmul_block(0, 1, sr * rt * kt + k, k * ct, 0, 0, ct, rt, kt);
      tile_regs_commit();
      cb_reserve_back(2, rt * ct);
      tile_regs_wait();
      for (uint32_t d = 0; d < rt * ct; ++d)
        pack_tile(d, 2);
      tile_regs_release();
      cb_push_back(2, rt * ct);
    }
    cb_pop_front(0, 2 * kt);
    cb_pop_front(1, kt * ct);
  }
  reconfig_data_format_srca(2);
  copy_init(2);
  pack_reconfig_data_format(16);
  pack_relu_config(ReluConfig::zero());
  cb_wait_front(2, 4);
  for (uint32_t t = 0; t < 4; ++t) {
    tile_regs_acquire();
    copy_tile(2, t, 0);
    tile_regs_commit();
    cb_reserve_back(16, 1);
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
  }
  pack_relu_config(ReluConfig::none());
  cb_pop_front(2, 4);
)";

std::string blockReader(int cb, int rows, int cols, bool columnsMove, const std::string &tail) {
  std::string page = columnsMove ? "r * 6 + kb * 2 + c" : "(kb * 2 + r) * 2 + c";
  return Program::dataMovement("  constexpr auto args = TensorAccessorArgs<0>();\n  const auto t = "
                               "TensorAccessor(args, get_arg_val<uint32_t>(0));\n"
                               "  for (uint32_t kb = 0; kb < 3; ++kb) {\n    cb_reserve_back(" +
                               std::to_string(cb) +
                               ", 4);\n"
                               "    uint32_t p = get_write_ptr(" +
                               std::to_string(cb) + ");\n    for (uint32_t r = 0; r < " +
                               std::to_string(rows) + "; ++r)\n      for (uint32_t c = 0; c < " +
                               std::to_string(cols) +
                               "; ++c, p += 2048)\n        noc_async_read_page(" + page +
                               ", t, p);\n    noc_async_read_barrier();\n    cb_push_back(" +
                               std::to_string(cb) + ", 4);\n  }\n" + tail);
}

TEST(Gemm, SpillAndReloadWithPackerRelu) {
  Program p;
  p.tensor("a", false, "bf16", 64, 192)
      .tensor("b", false, "bf16", 192, 64)
      .tensor("c", true, "bf16", 64, 64);
  p.cb(0, "a", "bf16", 8, 4)
      .cb(1, "b", "bf16", 8, 4)
      .cb(2, "acc", "f32", 4, 2)
      .cb(16, "c", "bf16", 2);
  p.manifest["circular_buffers"][2]["unpack_to_dest_fp32"] = true;
  p.compileArgs(0, {accessor("a")}).compileArgs(2, {accessor("b"), accessor("c")});
  p.runtimeArgs(0, {address("a")}).runtimeArgs(2, {address("b"), address("c")});
  p.reader = blockReader(0, 2, 2, true, "");
  p.writer = blockReader(1, 2, 2, false, R"(
  constexpr auto outArgs = TensorAccessorArgs<2>();
  const auto out = TensorAccessor(outArgs, get_arg_val<uint32_t>(1));
  for (uint32_t t = 0; t < 4; ++t) {
    cb_wait_front(16, 1);
    noc_async_write_page(t, out, get_read_ptr(16));
    noc_async_write_barrier();
    cb_pop_front(16, 1);
  }
)");
  p.compute = Program::computing(spillCompute);
  const auto a = randomTensor("a", "bf16", 64, 192, 7), b = randomTensor("b", "bf16", 192, 64, 8);
  auto r = p.run({a, b});
  // Exact sums, then ReLU, then one rounding to bf16.
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j) {
      double sum = 0;
      for (int k = 0; k < 192; ++k)
        sum += double(a.values[size_t(i * 192 + k)]) * b.values[size_t(k * 64 + j)];
      const double want = std::max(sum, 0.0);
      EXPECT_NEAR(r.outputs[0].values[size_t(i * 64 + j)], want, want * std::ldexp(1.0, -8))
          << i << "," << j;
    }
}

} // namespace
} // namespace tilewright::emulator::test
