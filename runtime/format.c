/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Offsets and checksum of the table file. */
#include "format.h"
#include <string.h>

static uint64_t place(uint64_t *end, uint64_t bytes) {
  uint64_t begin = *end;
  *end = (begin + bytes + TW_LINE - 1) / TW_LINE * TW_LINE;
  return begin;
}

bool twLayout(const TwHeader *h, TwLayout *layout) {
  const uint64_t limit = UINT64_C(2) * TW_MAX_ENTRIES - 1;
  if (h->entryCount > TW_MAX_ENTRIES || h->slotCount > limit || h->bucketCount > limit ||
      h->recordCount > TW_MAX_ENTRIES || h->nameCount > TW_MAX_ENTRIES || h->nameBytes > limit)
    return false;
  if (h->slotCount == 0 || h->bucketCount == 0 || h->entryCount > h->slotCount)
    return false;
  uint64_t end = sizeof *h;
  layout->entries = place(&end, h->slotCount * sizeof(TwEntry));
  layout->records = place(&end, h->recordCount * sizeof(TwRecord));
  layout->pilots = place(&end, h->bucketCount * sizeof(uint16_t));
  layout->nameOffsets = place(&end, (h->nameCount + 1) * sizeof(uint32_t));
  layout->names = place(&end, h->nameBytes);
  layout->fileBytes = end;
  return true;
}

uint64_t twChecksum(const void *data, size_t bytes) {
  const unsigned char *at = data;
  uint64_t state = 0xcbf29ce484222325u;
  for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
    uint64_t word;
    memcpy(&word, at + i, sizeof word);
    state = (state ^ word) * 0x100000001b3u;
    state ^= state >> 32;
  }
  return state;
}
