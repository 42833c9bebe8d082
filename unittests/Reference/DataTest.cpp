// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test data that stays the same for ever, and .npy files.
#include "Programs.h"
#include "tilewright/Support/Npy.h"
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>

using namespace tilewright;
using namespace tilewright::reference::test;

TEST(RandomData, GoldenValues) {
  Random bits(1234567);
  EXPECT_EQ(bits.next(),
            6457827717110365317u); // the published first outputs of SplitMix64 for this seed
  EXPECT_EQ(bits.next(), 3203168211198807973u);
  EXPECT_EQ(bits.next(), 9817491932198370423u);
  std::vector<float> values = normalValues(seedFor(1, "x"), 4, false);
  std::vector<float> rounded = normalValues(seedFor(1, "x"), 4, true);
  EXPECT_EQ(values, (std::vector<float>{1.7072906494140625f, -0.4681396484375f, 1.7733917236328125f,
                                        1.4235992431640625f}));
  EXPECT_EQ(rounded, (std::vector<float>{1.7109375f, -0.46875f, 1.7734375f, 1.421875f}));
  EXPECT_NE(normalValues(seedFor(1, "y"), 4, false), values);
  EXPECT_NE(normalValues(seedFor(2, "x"), 4, false), values);
}

TEST(RandomData, LooksNormal) {
  std::vector<float> values = normalValues(3, 200000, false);
  double sum = 0, squares = 0, fourth = 0;
  for (double x : values) {
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  EXPECT_NEAR(sum / 200000, 0, 0.01);
  EXPECT_NEAR(squares / 200000, 1, 0.01);
  EXPECT_NEAR(fourth / 200000, 2.9, 0.06); // Irwin-Hall of 12: kurtosis 3 - 1.2 / 12
}

TEST(RandomData, UniformAndBelow) {
  Random random(4);
  double sum = 0;
  std::vector<int> seen(7);
  for (int i = 0; i < 70000; ++i) {
    float u = random.uniform();
    EXPECT_TRUE(u >= 0 && u < 1);
    sum += u;
    ++seen[random.below(7)];
  }
  EXPECT_NEAR(sum / 70000, 0.5, 0.01);
  for (int count : seen)
    EXPECT_NEAR(count, 10000, 500);
}

TEST(Bf16, RoundsToNearestEven) {
  auto bits = [](uint32_t b) { return std::bit_cast<float>(b); };
  EXPECT_EQ(roundToBf16(bits(0x3f808000)), bits(0x3f800000)); // a tie goes to the even one
  EXPECT_EQ(roundToBf16(bits(0x3f818000)), bits(0x3f820000));
  EXPECT_EQ(roundToBf16(bits(0x3f808001)), bits(0x3f810000));
  EXPECT_EQ(roundToBf16(bits(0x7f7f7fff)), bits(0x7f7f0000)); // the largest one
  EXPECT_EQ(roundToBf16(bits(0x7f7f8000)), bits(0x7f800000)); // overflow
  EXPECT_EQ(roundToBf16(bits(0xff800000)), bits(0xff800000));
  EXPECT_EQ(roundToBf16(bits(0x00000001)), 0);
  EXPECT_TRUE(std::isnan(roundToBf16(bits(0x7f800001)))); // must not become infinite
  EXPECT_TRUE(std::isnan(roundToBf16(bits(0xffffffff))));
  Random random(5);
  for (int i = 0; i < 100000; ++i) {
    float value = bits(uint32_t(random.next()));
    if (std::isfinite(value) && std::abs(value) < 3e38f) {
      EXPECT_EQ(roundToBf16(value), nearestBf16(value)) << value;
    }
  }
}

namespace {

std::string file(const std::string &header, const std::string &data, char major = 1) {
  std::string bytes("\x93NUMPY", 6);
  bytes += major;
  bytes += '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
    bytes += char(header.size() >> (8 * i) & 0xff);
  return bytes + header + data;
}

template <typename T> std::string raw(std::initializer_list<T> values) {
  std::string bytes;
  for (T value : values)
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
  return bytes;
}

std::string header(const std::string &descr, const std::string &order, const std::string &shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

std::string parseId(const std::string &bytes) {
  return errorId([&] { parseNpy(bytes, "f.npy"); });
}

} // namespace

TEST(Npy, ReadsBothVersionsWidthsAndOrders) {
  std::string six = raw<float>({1, 2, 3, 4, 5, 6});
  NpyArray a = parseNpy(file(header("<f4", "False", "(2, 3)"), six), "a");
  EXPECT_EQ(a.shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(a.values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  NpyArray f = parseNpy(file(header("<f4", "True", "(2, 3)"), six, 2), "a");
  EXPECT_EQ(f.values, (std::vector<float>{1, 3, 5, 2, 4, 6}));
  NpyArray cube = parseNpy(file(header("<f4", "True", "(1, 3, 2)"), six), "a");
  EXPECT_EQ(cube.values, (std::vector<float>{1, 4, 2, 5, 3, 6}));
  NpyArray d = parseNpy(file(header("<f8", "False", "(2,)"), raw<double>({0.1, 1e300})), "a");
  EXPECT_EQ(d.values, (std::vector<float>{0.1f, std::numeric_limits<float>::infinity()}));
  EXPECT_EQ(parseNpy(file(header("<f4", "False", "()"), raw<float>({7})), "a").values,
            std::vector<float>{7});
  EXPECT_TRUE(parseNpy(file(header("<f4", "False", "(0, 3)"), ""), "a").values.empty());
}

TEST(Npy, RoundTrip) {
  for (std::vector<int64_t> shape : {std::vector<int64_t>{}, {3}, {2, 5}, {2, 1, 4}, {0, 2}}) {
    int64_t count = 1;
    for (int64_t size : shape)
      count *= size;
    std::vector<float> values = normalValues(1, count, false);
    std::string bytes = formatNpy(shape, values);
    EXPECT_EQ((bytes.size() - 4 * count) % 64, 0u);
    NpyArray back = parseNpy(bytes, "b");
    EXPECT_EQ(back.shape, shape);
    EXPECT_EQ(back.values, values);
  }
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("tw-{}.npy", ::getpid());
  writeNpy(path, {2}, {3, 4});
  EXPECT_EQ(readNpy(path).values, (std::vector<float>{3, 4}));
  std::filesystem::remove(path);
  EXPECT_EQ(errorId([&] { readNpy(path); }), "npy.open");
  EXPECT_EQ(errorId([&] { readNpy(std::filesystem::temp_directory_path()); }), "npy.open");
  EXPECT_EQ(errorId([] { writeNpy("/no/such/folder/a.npy", {1}, {1}); }), "npy.open");
  EXPECT_EQ(errorId([] { formatNpy({2}, {1}); }), "npy.shape");
}

TEST(Npy, RefusesWhatItDoesNotUnderstand) {
  std::string one = raw<float>({1});
  for (const char *descr : {">f4", "<i4", "|O", "<f2", "|V2"})
    EXPECT_EQ(parseId(file(header(descr, "False", "(1,)"), one)), "npy.type") << descr;
  EXPECT_EQ(
      parseId(file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", one)),
      "npy.type");
  std::vector<std::string> headers = {
      header("<f4", "False", "(2,)"),
      header("<f4", "False", "(1)"),
      header("<f4", "False", "(-1,)"),
      header("<f4", "False", "(99999999999999999999,)"),
      header("<f4", "False", "(4294967296, 4294967296)"),
      header("<f4", "False", "(4611686018427387904,)"),
      header("<f4", "Maybe", "(1,)"),
      header("<f4", "False", "(1,"),
      "{'descr': '<f4', 'shape': (1,), }",
      "{'descr': '<f4, 'fortran_order': False, 'shape': (1,), }",
      "{",
      "",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}",
      header("<f4", "False", "(1,)") + "x"};
  for (const std::string &text : headers)
    EXPECT_EQ(parseId(file(text, one)), "npy.malformed") << text;
  std::string right = file(header("<f4", "False", "(1,)"), one);
  EXPECT_EQ(parseId(right), "");
  EXPECT_EQ(parseId(right + "x"), "npy.malformed");
  for (size_t size = 0; size < right.size(); ++size)
    EXPECT_EQ(parseId(right.substr(0, size)), "npy.malformed") << size;
  EXPECT_EQ(parseId(file(header("<f4", "False", "(1,)"), one, 3)), "npy.malformed");
}

// Whatever is in the file: an array or a diagnostic.
TEST(Npy, DamagedFilesNeverCrash) {
  std::string right = formatNpy({2, 3}, {1, 2, 3, 4, 5, 6});
  Random random(6);
  int64_t refused = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string bytes = right;
    for (uint64_t changes = 1 + random.below(3); changes-- > 0;)
      bytes[random.below(90)] = char(random.next());
    refused += !parseId(bytes).empty();
  }
  EXPECT_GT(refused, 10000);
}
