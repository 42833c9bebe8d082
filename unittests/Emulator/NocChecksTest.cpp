// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One small wrong kernel for every rule of NoC transfers, multicasts and semaphores.
#include "Program.h"

namespace tilewright::emulator::test {
namespace {

/// A reader with input "a" (4 pages), a bf16 buffer of 4 pages drained by the writer.
Program reading(const std::string &body) {
  Program p;
  p.tensor("a", false, "bf16", 64, 64).cb(0, "x", "bf16", 4);
  p.compileArgs(0, {accessor("a")}).runtimeArgs(0, {address("a")});
  p.reader =
      Program::dataMovement("constexpr auto args = TensorAccessorArgs<0>();\n"
                            "const auto a = TensorAccessor(args, get_arg_val<uint32_t>(0));\n"
                            "cb_reserve_back(0, 1); uint32_t l1 = get_write_ptr(0);\n" +
                            body);
  p.writer = Program::dataMovement("cb_wait_front(0, 1); cb_pop_front(0, 1);");
  return p;
}

std::string readError(const std::string &body, std::string *text = nullptr) {
  return errorOf(reading(body), {randomTensor("a", "bf16", 64, 64, 1)}, text);
}

TEST(Reads, Rules) {
  const std::string end = " noc_async_read_barrier(); cb_push_back(0, 1);";
  EXPECT_EQ(readError("noc_async_read_page(3, a, l1);" + end), "");
  EXPECT_EQ(
      readError("noc_async_read_page(3, a, l1); cb_push_back(0, 1); noc_async_read_barrier();"),
      "emulator.missing-read-barrier");
  EXPECT_EQ(readError("noc_async_read_page(4, a, l1);" + end), "emulator.page-range");
  EXPECT_EQ(readError("const auto w = TensorAccessor(args, get_arg_val<uint32_t>(0), 1024); "
                      "noc_async_read_page(0, w, l1);" +
                      end),
            "emulator.page-size");
  EXPECT_EQ(
      readError("const auto w = TensorAccessor(args, 77); noc_async_read_page(0, w, l1);" + end),
      "emulator.unknown-tensor");
  EXPECT_EQ(readError("noc_async_read_page(0, a, l1 + 2048);" + end), "emulator.write-unreserved");
  EXPECT_EQ(readError("noc_async_read(a.get_noc_addr(0), l1 + 16, 32);" + end),
            "emulator.noc-alignment");
  EXPECT_EQ(readError("noc_async_read(a.get_noc_addr(0), l1 + 8192, 32);" + end),
            "emulator.l1-unknown-region");
  EXPECT_EQ(readError("noc_async_read(a.get_noc_addr(0), l1 + 7168, 2048);" + end),
            "emulator.l1-unknown-region");
  EXPECT_EQ(readError("noc_async_read(a.get_noc_addr(0), l1, 0);" + end), "emulator.noc-size");
  EXPECT_EQ(readError("noc_async_read(a.get_noc_addr(0), l1, 32, 1);" + end), "emulator.noc-index");
  EXPECT_EQ(readError("noc_async_read(get_noc_addr(0, 0, l1), l1, 32);" + end),
            "emulator.noc-unknown-address");
  EXPECT_EQ(readError("noc_async_read(uint64_t(l1), l1, 32);" + end),
            "emulator.noc-unknown-address");
  EXPECT_EQ(readError("noc_async_read(a.get_noc_addr(3) + 2048, l1, 2048);" + end),
            "emulator.noc-unknown-address");
  std::string text;
  EXPECT_EQ(readError("noc_async_read_page(0, a, l1);", &text), "emulator.traffic-in-flight");
  EXPECT_NE(text.find("a read of 2048 bytes by core [0, 0] reader"), std::string::npos) << text;
}

/// A writer with output "c" (one page); the reader fills one of two pages with data when `fill`.
Program writing(const std::string &body, bool fill = true) {
  Program p =
      reading(fill ? "noc_async_read_page(0, a, l1); noc_async_read_barrier(); cb_push_back(0, 1);"
                   : "cb_push_back(0, 1);");
  p.tensor("c", true, "bf16", 32, 32);
  p.compileArgs(2, {accessor("c")}).runtimeArgs(2, {address("c"), address("a")});
  p.writer =
      Program::dataMovement("constexpr auto args = TensorAccessorArgs<0>();\n"
                            "const auto c = TensorAccessor(args, get_arg_val<uint32_t>(0));\n"
                            "const auto a = TensorAccessor(args, get_arg_val<uint32_t>(1));\n" +
                            body);
  return p;
}

std::string writeError(const std::string &body, bool fill = true) {
  return errorOf(writing(body, fill), {randomTensor("a", "bf16", 64, 64, 1)});
}

TEST(Writes, Rules) {
  const std::string wait = "cb_wait_front(0, 1); ", pop = " cb_pop_front(0, 1);";
  const std::string write = "noc_async_write_page(0, c, get_read_ptr(0)); ";
  EXPECT_EQ(writeError(wait + write + "noc_async_write_barrier();" + pop), "");
  EXPECT_EQ(
      writeError(wait + write + "noc_async_writes_flushed();" + pop + "noc_async_write_barrier();"),
      "");
  EXPECT_EQ(writeError(wait + write + pop + "noc_async_write_barrier();"),
            "emulator.missing-write-flush");
  EXPECT_EQ(writeError(wait + write + "noc_async_writes_flushed();" + pop),
            "emulator.traffic-in-flight");
  EXPECT_EQ(writeError(write + wait + "noc_async_write_barrier();" + pop),
            "emulator.read-not-waited");
  EXPECT_EQ(writeError(wait + write + "noc_async_write_barrier();" + pop, false),
            "emulator.uninitialised-read");
  EXPECT_EQ(writeError(wait +
                       "noc_async_write_page(0, a, get_read_ptr(0)); noc_async_write_barrier();" +
                       pop),
            "emulator.write-to-input");
  EXPECT_EQ(writeError(wait + "noc_async_write(get_read_ptr(0) + 4, c.get_noc_addr(0), 32);" + pop),
            "emulator.noc-alignment");
}

TEST(Writes, ValuesArrive) {
  auto a = randomTensor("a", "bf16", 64, 64, 9);
  auto r = writing("cb_wait_front(0, 1); noc_async_write_page(0, c, get_read_ptr(0)); "
                   "noc_async_write_barrier(); "
                   "cb_pop_front(0, 1);")
               .run({a});
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 32; ++j)
      EXPECT_EQ(r.outputs[0].values[size_t(i * 32 + j)], a.values[size_t(i * 64 + j)]);
}

/// On 2x2 cores the reader of core 0,0 runs `sender`, all others `receiver`; s0 and s1 exist; every
/// core has a one-page buffer 0 that it reserves first, and core 0,0 holds data in it.
std::string castError(const std::string &sender, const std::string &receiver = "",
                      std::string *text = nullptr) {
  Program p(2, 2);
  p.tensor("a", false, "bf16", 32, 32).cb(0, "x", "bf16", 1).semaphore(0).semaphore(1);
  p.compileArgs(0, {accessor("a")});
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 2; ++x)
      p.coreArgs(0, x, y,
                 {address("a"), int(x + y == 0), nocX(0, 0), nocY(0, 0), nocX(1, 1), nocY(1, 1)});
  p.reader = Program::dataMovement(R"(
constexpr auto args = TensorAccessorArgs<0>();
const auto a = TensorAccessor(args, get_arg_val<uint32_t>(0));
const uint32_t x0 = get_arg_val<uint32_t>(2), y0 = get_arg_val<uint32_t>(3);
const uint32_t x1 = get_arg_val<uint32_t>(4), y1 = get_arg_val<uint32_t>(5);
const uint32_t s0 = get_semaphore(0), s1 = get_semaphore(1);
auto p0 = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(s0), p1 = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(s1);
cb_reserve_back(0, 1);
const uint32_t l1 = get_write_ptr(0);
const uint64_t all = get_noc_multicast_addr(x0, y0, x1, y1, l1), flags = get_noc_multicast_addr(x0, y0, x1, y1, s1);
if (get_arg_val<uint32_t>(1)) {
noc_async_read_page(0, a, l1); noc_async_read_barrier();
)" + sender + "\n} else {\n" + receiver +
                                   "\n}\n");
  return errorOf(p, {randomTensor("a", "bf16", 32, 32, 1)}, text);
}

TEST(Multicast, Rules) {
  const std::string end = " noc_async_write_barrier();";
  const std::string signal =
      "noc_semaphore_inc(get_noc_addr(x0, y0, s0), 1); noc_async_atomic_barrier();";
  const std::string ready = "noc_semaphore_wait(p0, 3); ";
  EXPECT_EQ(castError(ready + "noc_async_write_multicast(l1, all, 2048, 3);" + end, signal), "");
  EXPECT_EQ(
      castError(ready + "noc_async_write_multicast_loopback_src(l1, all, 2048, 4);" + end, signal),
      "");
  EXPECT_EQ(castError("noc_async_write_multicast(l1, all, 2048, 4);" + end),
            "emulator.multicast-sender-counted");
  EXPECT_EQ(castError("noc_async_write_multicast(l1, all, 2048, 2);" + end),
            "emulator.multicast-count");
  EXPECT_EQ(castError("noc_async_write_multicast(l1, all, 2048, 0);" + end),
            "emulator.multicast-zero");
  EXPECT_EQ(castError("noc_async_write_multicast_loopback_src(l1, get_noc_multicast_addr(x1, y0, "
                      "x1, y1, l1), 2048, 2);" +
                      end),
            "emulator.multicast-loopback");
  EXPECT_EQ(
      castError(
          "noc_async_write_multicast(l1, get_noc_multicast_addr(x1, y1, x0, y0, l1), 2048, 3);" +
          end),
      "emulator.multicast-order");
  EXPECT_EQ(castError("noc_async_write_multicast(l1, get_noc_multicast_addr(x0, y0, x1 + 1, y1, "
                      "l1), 2048, 5);" +
                      end),
            "emulator.multicast-non-worker");
  EXPECT_EQ(
      castError("noc_async_write_multicast(l1, get_noc_multicast_addr(0, 0, 1, 1, l1), 2048, 3);" +
                end),
      "emulator.multicast-non-worker");
  EXPECT_EQ(castError("noc_async_write_multicast(l1, get_noc_addr(x1, y1, l1), 2048, 1);" + end),
            "emulator.noc-unknown-address");
  EXPECT_EQ(castError("noc_async_write(l1, all, 2048);" + end), "emulator.noc-unknown-address");
  EXPECT_EQ(castError(ready + "noc_async_write_multicast(l1, all, 2048, 3, true);" + end, signal),
            "emulator.linked-open");
  EXPECT_EQ(castError(ready +
                          "noc_async_write_multicast(l1, all, 2048, 3, true);"
                          "noc_async_write(l1, get_noc_addr(x1, y1, l1), 32);" +
                          end,
                      signal),
            "emulator.linked-interleaved");
}

TEST(Multicast, LandsOnlyWhereReserved) {
  // A flag that leaves before the data makes the receivers push too early.
  EXPECT_EQ(castError("noc_semaphore_inc_multicast(flags, 1, 3);"
                      "noc_async_write_multicast(l1, all, 2048, 3); noc_async_full_barrier();",
                      "noc_semaphore_wait(p1, 1); cb_push_back(0, 1);"),
            "emulator.push-before-data");
  EXPECT_EQ(castError("noc_semaphore_wait(p0, 3); noc_async_write_multicast(l1, all, 2048, 3); "
                      "noc_async_write_barrier();",
                      "cb_push_back(0, 1); noc_semaphore_inc(get_noc_addr(x0, y0, s0), 1); "
                      "noc_async_atomic_barrier();"),
            "emulator.write-unreserved");
}

TEST(Multicast, SourceMustStay) {
  const std::string signal =
      "noc_semaphore_inc(get_noc_addr(x0, y0, s0), 1); noc_async_atomic_barrier();";
  EXPECT_EQ(
      castError(
          "noc_semaphore_wait(p0, 3); noc_async_write_multicast(l1, all, 2048, 3);"
          "noc_async_read_page(0, a, l1); noc_async_read_barrier(); noc_async_write_barrier();",
          signal),
      "emulator.source-reused");
  EXPECT_EQ(castError("noc_semaphore_set(p1, 1); noc_semaphore_set_multicast(s1, flags, 3); "
                      "noc_semaphore_set(p1, 0);"
                      "noc_async_write_barrier();"),
            "emulator.source-reused");
  EXPECT_EQ(
      castError("noc_async_read_page(0, a, l1); noc_async_write_multicast(l1, all, 2048, 3);"),
      "emulator.missing-read-barrier");
}

TEST(Semaphores, Rules) {
  EXPECT_EQ(castError("noc_semaphore_set(p1, 7); noc_semaphore_set_multicast(s1, flags, 3); "
                      "noc_async_write_barrier();",
                      "noc_semaphore_wait_min(p1, 5);"),
            "");
  EXPECT_EQ(castError("noc_semaphore_inc(s1, 1);"), "emulator.noc-unknown-address");
  EXPECT_EQ(castError("noc_semaphore_inc(get_noc_addr(0, 0, s1), 1);"),
            "emulator.noc-unknown-address");
  EXPECT_EQ(castError("get_semaphore(2);"), "emulator.semaphore-id");
  EXPECT_EQ(castError("get_semaphore(16);"), "emulator.semaphore-id");
  EXPECT_EQ(castError("noc_semaphore_inc(get_noc_addr(x1, y1, s1), 1);"),
            "emulator.traffic-in-flight");
  EXPECT_EQ(castError("*p1 = 1;"), "emulator.raw-access");
  EXPECT_EQ(castError("", "while (*p1 == 0) {}"), "emulator.raw-access");
  EXPECT_EQ(castError("noc_semaphore_wait(p0, 4);",
                      "noc_semaphore_inc(get_noc_addr(x0, y0, s0), 1);"
                      "noc_async_atomic_barrier();"),
            "emulator.deadlock");
}

} // namespace
} // namespace tilewright::emulator::test
