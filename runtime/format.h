/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The table file in memory (docs/dispatch.md): every section follows the one before, aligned to 64
 * bytes, so that the counts in the header determine all offsets. */
#ifndef TILEWRIGHT_RUNTIME_FORMAT_H
#define TILEWRIGHT_RUNTIME_FORMAT_H

#include "tilewright_dispatch.h"
#include <stdbool.h>

#define TW_MAGIC "TWTABLE\n"
#define TW_FORMAT_VERSION 1u
#define TW_ENDIAN_MARK 0x01020304u
#define TW_LINE 64u
#define TW_CHECKED_FROM 32u /* the checksum covers all bytes from here on */
#define TW_MAX_ENTRIES 0x80000000u
#define TW_MAX_NAME 255u

typedef struct TwHeader {
  char magic[8];
  uint32_t endianMark, version;
  uint64_t fileBytes, checksum;
  uint64_t fingerprint, seed;
  uint64_t entryCount, slotCount, bucketCount, recordCount, nameCount, nameBytes;
  char machine[TW_MAX_MACHINE_NAME + 1];
  unsigned char reserved[96]; /* zero */
} TwHeader;

/* A shape with what is particular to it, in one cache line. An empty slot is all ones. */
typedef struct TwEntry {
  uint64_t shape[4]; /* TwKey */
  uint64_t workspaceBytes;
  int64_t predictedCycles;
  uint32_t record;
  uint32_t reserved[3]; /* zero */
} TwEntry;

/* What many shapes share of their plans, in one cache line: tw_plan from `key` on. */
typedef struct TwRecord {
  uint64_t key;
  uint32_t tiles[10]; /* tw_plan from m1 to swizzle */
  uint32_t kernel;
  uint32_t reserved[3]; /* zero */
} TwRecord;

_Static_assert(sizeof(TwHeader) == 256 && sizeof(TwEntry) == TW_LINE && sizeof(TwRecord) == TW_LINE,
               "the file's layout");
_Static_assert(sizeof(tw_plan) == 80 && offsetof(tw_plan, key) == 16 &&
                   offsetof(tw_plan, kernel) == 16 + offsetof(TwRecord, kernel) &&
                   offsetof(TwEntry, workspaceBytes) == 32,
               "plans are compared and copied as bytes");

/* Byte offsets of the sections. */
typedef struct TwLayout {
  uint64_t entries, records, pilots, nameOffsets, names, fileBytes;
} TwLayout;

/* False when a count is outside its limits; with it, no sum overflows. */
bool twLayout(const TwHeader *header, TwLayout *layout);

/* 64-bit FNV-1a over little-endian words instead of bytes, folded after each so that high bits
 * reach low ones; every step is a bijection of the state: one changed word always shows.
 * `bytes` is a multiple of 8. */
uint64_t twChecksum(const void *data, size_t bytes);

static inline bool twHostIsLittleEndian(void) {
  const uint32_t mark = TW_ENDIAN_MARK;
  return *(const unsigned char *)&mark == (TW_ENDIAN_MARK & 0xff);
}

#endif
