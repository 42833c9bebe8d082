// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics' text, reading of files, and checked arithmetic against 128-bit arithmetic.
#include "tilewright/Support/Checked.h"
#include "tilewright/Support/File.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace tilewright;

TEST(Location, TextLeavesOutWhatIsUnknown) {
  EXPECT_EQ(Location{}.str(), "");
  EXPECT_EQ((Location{"a.py", 3, 7}.str()), "a.py:3:7");
  EXPECT_EQ((Location{"a.py", 3, 0}.str()), "a.py:3");
  EXPECT_EQ((Location{"a.py", 0, 7}.str()), "a.py");
  EXPECT_EQ((Location{"", 3, 7}.str()), "line 3:7");
}

TEST(Diagnostic, TextHasLocationKindIdNotesAndHint) {
  Error error(Kind::DoesNotFit, "room.name", "buffers need 2 bytes, limit 1 byte", "shrink it",
              {"k.py", 1, 2});
  error.note({"k.py", 9, 1}, "buffer \"x\" is here");
  EXPECT_EQ(error.diagnostic().str(),
            "k.py:1:2: error: does not fit: buffers need 2 bytes, limit 1 byte [room.name]\n"
            "k.py:9:1: note: buffer \"x\" is here\n"
            "help: shrink it\n");
  EXPECT_EQ(error.what(), error.diagnostic().str());
}

TEST(Diagnostic, EachKindReadsDifferently) {
  auto text = [](Kind kind) { return Diagnostic{kind, "a.b", {}, "m", "", {}}.str(); };
  EXPECT_EQ(text(Kind::User), "error: m [a.b]\n");
  EXPECT_EQ(text(Kind::DoesNotFit), "error: does not fit: m [a.b]\n");
  EXPECT_EQ(text(Kind::Unsupported), "error: not supported: m [a.b]\n");
  EXPECT_EQ(text(Kind::Internal), "internal error: m [a.b]\n");
}

static const int64_t samples[] = {
    INT64_MIN, INT64_MIN + 1, -4294967296,   -7,       -3, -2, -1, 0, 1, 2, 3,
    7,         4294967296,    INT64_MAX - 1, INT64_MAX};

TEST(File, ReadsRegularFilesOnly) {
  std::string folder = std::filesystem::temp_directory_path() / "tilewright-file-test-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::string why, bytes("a\0b\n", 4);
  std::ofstream(folder + "/some", std::ios::binary) << bytes;
  std::ofstream(folder + "/none", std::ios::binary);
  EXPECT_EQ(readFile(folder + "/some", why), bytes);
  EXPECT_EQ(readFile(folder + "/none", why), "");
  EXPECT_EQ(why, "");
  ASSERT_EQ(mkfifo((folder + "/pipe").c_str(), 0600), 0);
  for (const auto &[path, reason] : {std::pair{folder + "/pipe", "it is no regular file"},
                                     {"/dev/zero", "it is no regular file"},
                                     {folder, "it is a folder"},
                                     {folder + "/other", "there is no such file"},
                                     {folder + "/some/under", "there is no such file"}}) {
    EXPECT_FALSE(readFile(path, why)) << path;
    EXPECT_EQ(why, reason) << path;
  }
  std::filesystem::remove_all(folder);
}

TEST(Checked, AddAndMultiplyAgreeWith128Bits) {
  auto expect = [](std::optional<int64_t> got, __int128 exact) {
    bool fits = exact >= INT64_MIN && exact <= INT64_MAX;
    ASSERT_EQ(got.has_value(), fits);
    if (fits)
      EXPECT_EQ(*got, int64_t(exact));
  };
  for (int64_t a : samples)
    for (int64_t b : samples) {
      expect(checkedAdd(a, b), __int128(a) + b);
      expect(checkedMul(a, b), __int128(a) * b);
    }
}

TEST(Checked, DivisionsBracketTheQuotient) {
  for (int64_t a : samples)
    for (int64_t b : samples) {
      if (b == 0 || (a == INT64_MIN && b == -1))
        continue;
      __int128 down = __int128(floorDiv(a, b)) * b, up = __int128(ceilDiv(a, b)) * b;
      if (b < 0)
        std::swap(down, up);
      EXPECT_LE(down, a);
      EXPECT_GE(up, a);
      EXPECT_LE(up - down, b < 0 ? -__int128(b) : b);
      EXPECT_EQ(up == down, a % b == 0);
    }
}
