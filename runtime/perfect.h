/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Finding a perfect hash: a pilot for every bucket, so that no two shapes share a slot. */
#ifndef TILEWRIGHT_RUNTIME_PERFECT_H
#define TILEWRIGHT_RUNTIME_PERFECT_H

#include "shape.h"

typedef struct TwPerfect {
  uint64_t seed;
  uint32_t slots, buckets;
  uint16_t *pilots; /* of each bucket */
  uint32_t *slotOf; /* of each key */
} TwPerfect;

/* Depends on the keys and their order alone. `keys` are distinct, `count` is at most
 * TW_MAX_ENTRIES. TW_NO_MEMORY, or TW_INCOMPLETE when no seed works. */
tw_status twPerfectFind(const TwKey *keys, uint32_t count, TwPerfect *perfect);
void twPerfectFree(TwPerfect *perfect);

#endif
