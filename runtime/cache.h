/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Plans of shapes that are in no table: sets of eight, each behind a sequence lock. */
#ifndef TILEWRIGHT_RUNTIME_CACHE_H
#define TILEWRIGHT_RUNTIME_CACHE_H

#include "shape.h"

typedef struct TwCacheSet TwCacheSet;

typedef struct TwCache {
  TwCacheSet *sets; /* null: no cache */
  uint32_t count;
} TwCache;

#define TW_WAYS 8u

/* Room for at least `capacity` plans; 0: none, and nothing is stored or found. */
tw_status twCacheInit(TwCache *cache, size_t capacity);
void twCacheFree(TwCache *cache);

bool twCacheFind(TwCache *cache, uint64_t hash, const TwKey *key, tw_plan *plan);

/* Stores the plan, or, when another thread was faster, replaces *plan by that thread's, so that a
 * remembered shape has one plan. True when an older plan had to leave. */
bool twCacheStore(TwCache *cache, uint64_t hash, const TwKey *key, tw_plan *plan);

#endif
