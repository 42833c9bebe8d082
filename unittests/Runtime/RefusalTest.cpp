// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables that must not open: foreign, damaged, and made by hand with a right checksum.
#include "Table.h"
#include <cerrno>

using namespace tilewright::test;

namespace {
template <typename T> T get(const std::string &bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
template <typename T> void put(std::string &bytes, size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// The checksum as docs/dispatch.md describes it.
void seal(std::string &bytes) {
  uint64_t state = 0xcbf29ce484222325;
  for (size_t at = 32; at + 8 <= bytes.size(); at += 8) {
    state = (state ^ get<uint64_t>(bytes, at)) * 1099511628211u;
    state ^= state >> 32;
  }
  put(bytes, 24, state);
}

/// Sections as docs/dispatch.md describes them.
struct Sections {
  explicit Sections(const std::string &bytes) {
    auto align = [](uint64_t at) { return (at + 63) / 64 * 64; };
    entries = 256;
    records = entries + 64 * get<uint64_t>(bytes, 56);
    pilots = records + 64 * get<uint64_t>(bytes, 72);
    offsets = align(pilots + 2 * get<uint64_t>(bytes, 64));
    names = align(offsets + 4 * (get<uint64_t>(bytes, 80) + 1));
  }
  size_t entries, records, pilots, offsets, names;
};

struct Fixture {
  explicit Fixture(size_t count) : entries(randomEntries(count, 21)) {
    EXPECT_EQ(build(entries, path), TW_OK);
    bytes = bytesOf(path);
  }
  tw_status open(const std::string &other) {
    writeBytes(path, other);
    return Open(path).status;
  }
  /// Status after a change that keeps the checksum right.
  tw_status changed(auto change) {
    std::string other = bytes;
    change(other);
    seal(other);
    return open(other);
  }
  size_t filledSlot(bool filled) const { // offset of such an entry
    for (size_t at = 256;; at += 64)
      if ((get<uint64_t>(bytes, at + 24) != UINT64_MAX) == filled)
        return at;
  }
  Folder folder;
  std::string path = folder / "t";
  Entries entries;
  std::string bytes;
};
} // namespace

TEST(Refusal, ForeignTables) {
  Fixture f(30);
  auto open = [&](const char *name, uint64_t print) {
    tw_dispatcher *d;
    tw_status status = tw_open(f.path.c_str(), name, print, nullptr, nullptr, 0, &d);
    EXPECT_EQ(d == nullptr, status != TW_OK);
    tw_close(d);
    return status;
  };
  EXPECT_EQ(open(machine, fingerprint), TW_OK);
  EXPECT_EQ(open(nullptr, 0), TW_OK);
  EXPECT_EQ(open("ascend910b", fingerprint), TW_OTHER_MACHINE);
  EXPECT_EQ(open("ascend910b12", 0), TW_OTHER_MACHINE);
  EXPECT_EQ(open(machine, fingerprint + 1), TW_OTHER_FINGERPRINT);
  EXPECT_EQ(f.changed([](std::string &b) { b[0] = 'X'; }), TW_NOT_A_TABLE);
  EXPECT_EQ(f.changed([](std::string &b) { put(b, 8, 0x04030201u); }), TW_OTHER_ENDIANNESS);
  EXPECT_EQ(f.changed([](std::string &b) { put(b, 12, 2u); }), TW_OTHER_VERSION);
  EXPECT_EQ(f.changed([](std::string &b) { b.resize(b.size() - 64); }), TW_TRUNCATED);
  EXPECT_EQ(f.changed([](std::string &b) { b += std::string(64, 0); }), TW_TRUNCATED);
  EXPECT_EQ(f.changed([](std::string &) {}), TW_OK);
}

TEST(Refusal, NotRegularFiles) {
  Folder folder;
  errno = 0;
  EXPECT_EQ(Open(folder / "absent").status, TW_SYSTEM_ERROR);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(Open(folder / ".").status, TW_SYSTEM_ERROR);
  EXPECT_EQ(errno, EISDIR);
  EXPECT_EQ(Open("/dev/null").status, TW_SYSTEM_ERROR);
  writeBytes(folder / "empty", "");
  EXPECT_EQ(Open(folder / "empty").status, TW_NOT_A_TABLE);
  tw_dispatcher *d;
  EXPECT_EQ(tw_open(nullptr, nullptr, 0, nullptr, nullptr, 0, &d), TW_BAD_ARGUMENT);
  EXPECT_EQ(tw_open("x", nullptr, 0, nullptr, nullptr, 0, nullptr), TW_BAD_ARGUMENT);
  EXPECT_EQ(tw_open("x", nullptr, 0, nullptr, nullptr, SIZE_MAX, &d), TW_BAD_ARGUMENT);
}

TEST(Refusal, EveryFlippedByte) {
  Fixture f(30);
  std::map<tw_status, size_t> seen;
  for (size_t at = 0; at < f.bytes.size(); ++at)
    for (int mask : {0x01, 0x80, 0xff}) {
      std::string damaged = f.bytes;
      damaged[at] = char(damaged[at] ^ mask);
      tw_status status = f.open(damaged);
      ASSERT_NE(status, TW_OK) << "byte " << at;
      if (at >= 24) {
        ASSERT_EQ(status, TW_BAD_CHECKSUM) << "byte " << at;
      }
      ++seen[status];
    }
  EXPECT_EQ(seen[TW_NOT_A_TABLE], 3 * 8u);
  EXPECT_EQ(seen[TW_OTHER_ENDIANNESS], 3 * 4u);
  EXPECT_EQ(seen[TW_OTHER_VERSION], 3 * 4u);
  EXPECT_EQ(seen[TW_TRUNCATED], 3 * 8u);
}

TEST(Refusal, HighBitsFlippedInTwoWords) {
  // A plain word-wise FNV-1a misses these: differences in the top bit would cancel.
  Fixture f(30);
  for (size_t at = 32; at + 16 <= f.bytes.size(); at += 8) {
    std::string damaged = f.bytes;
    damaged[at + 7] = char(damaged[at + 7] ^ 0x80);
    damaged[at + 15] = char(damaged[at + 15] ^ 0x80);
    ASSERT_EQ(f.open(damaged), TW_BAD_CHECKSUM) << at;
  }
}

TEST(Refusal, EveryTruncation) {
  Fixture f(30);
  for (size_t size = 0; size < f.bytes.size(); size += size < 320 ? 1 : 64) {
    tw_status status = f.open(f.bytes.substr(0, size));
    ASSERT_EQ(status, size < 8 ? TW_NOT_A_TABLE : TW_TRUNCATED) << size;
  }
}

TEST(Refusal, CountsThatLie) {
  Fixture f(30);
  for (size_t at = 48; at < 96; at += 8)
    for (uint64_t value : {uint64_t(0), get<uint64_t>(f.bytes, at) + 1, uint64_t(UINT32_MAX),
                           uint64_t(UINT32_MAX) + 1, uint64_t(1) << 58, UINT64_MAX}) {
      tw_status status = f.changed([&](std::string &b) { put(b, at, value); });
      ASSERT_EQ(status, TW_MALFORMED) << at << " " << value;
    }
  EXPECT_EQ(f.changed([](std::string &b) { b[96] = 0; }), TW_MALFORMED); // no machine name
  EXPECT_EQ(f.changed([](std::string &b) { std::memset(b.data() + 96, 'x', 64); }), TW_MALFORMED);
}

TEST(Refusal, ContentThatBreaksTheFormat) {
  Fixture f(30);
  Sections s(f.bytes);
  size_t filled = f.filledSlot(true), empty = f.filledSlot(false);
  uint64_t records = get<uint64_t>(f.bytes, 72);
  auto status = [&](auto change) { return f.changed(change); };
  using Bytes = std::string;
  EXPECT_EQ(status([&](Bytes &b) { put(b, filled + 48, uint32_t(records)); }), TW_MALFORMED);
  EXPECT_EQ(status([&](Bytes &b) { put(b, filled + 48, UINT32_MAX); }), TW_MALFORMED);
  EXPECT_EQ(status([&](Bytes &b) { put(b, filled + 40, int64_t(-1)); }), TW_MALFORMED);
  EXPECT_EQ(status([&](Bytes &b) { b[filled + 28] = 2; }), TW_MALFORMED);      // layout of A
  EXPECT_EQ(status([&](Bytes &b) { put(b, filled + 12, 0u); }), TW_MALFORMED); // lda = 0
  EXPECT_EQ(status([&](Bytes &b) { put(b, filled + 20, UINT32_MAX); }), TW_MALFORMED); // moved
  EXPECT_EQ(status([&](Bytes &b) { put(b, filled + 24, UINT64_MAX); }), TW_MALFORMED); // lost
  EXPECT_EQ(status([&](Bytes &b) { b.replace(empty, 64, b.substr(filled, 64)); }), TW_MALFORMED);
  EXPECT_EQ(status([&](Bytes &b) { put(b, s.records + 48, 4u); }), TW_MALFORMED); // kernel
  EXPECT_EQ(status([&](Bytes &b) { put(b, s.offsets, 1u); }), TW_MALFORMED);
  EXPECT_EQ(status([&](Bytes &b) { put(b, s.offsets + 4, 0u); }), TW_MALFORMED);
  EXPECT_EQ(status([&](Bytes &b) { put(b, s.offsets + 4, UINT32_MAX); }), TW_MALFORMED);
  EXPECT_EQ(status([&](Bytes &b) { put(b, s.offsets + 16, 0u); }), TW_MALFORMED);
  EXPECT_EQ(status([&](Bytes &b) { b[s.names] = 'z'; }), TW_MALFORMED); // order
  EXPECT_EQ(status([&](Bytes &b) { b[s.names] = 0; }), TW_MALFORMED);
  EXPECT_EQ(status([&](Bytes &b) { b[s.names + 6] = 'x'; }), TW_MALFORMED); // no final zero
  EXPECT_EQ(status([&](Bytes &b) { put(b, 40, get<uint64_t>(b, 40) + 1); }), TW_MALFORMED); // seed
}

TEST(Refusal, RandomDamageUnderARightChecksum) {
  Fixture f(200);
  std::mt19937_64 random(22);
  size_t opened = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string other = f.bytes;
    for (uint64_t changes = 1 + random() % 4; changes > 0; --changes) {
      size_t at = random() % 2 ? random() % other.size() : 32 + random() % 224;
      other[at] = char(random());
    }
    seal(other);
    writeBytes(f.path, other);
    tw_dispatcher *d;
    if (tw_open(f.path.c_str(), nullptr, 0, nullptr, nullptr, 0, &d) != TW_OK)
      continue;
    ++opened;
    for (const tw_shape &shape : f.entries.shapes) {
      tw_plan plan;
      tw_status status = tw_lookup(d, &shape, &plan);
      ASSERT_TRUE(status == TW_OK ? tw_kernel_name(d, plan.kernel) != nullptr
                                  : status == TW_NOT_FOUND);
    }
    tw_close(d);
  }
  EXPECT_GT(opened, 50u); // changes that keep the format, such as other cycles
}

TEST(Refusal, EveryStatusHasItsText) {
  std::map<std::string, int> texts;
  for (int i = TW_OK; i <= TW_INCOMPLETE; ++i)
    ++texts[tw_status_text(tw_status(i))];
  EXPECT_EQ(texts.size(), size_t(TW_INCOMPLETE) + 1);
  EXPECT_EQ(texts.count("unknown status"), 0u);
  EXPECT_STREQ(tw_status_text(tw_status(TW_INCOMPLETE + 1)), "unknown status");
}
