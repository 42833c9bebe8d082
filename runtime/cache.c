/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The sequence lock: a writer makes `sequence` odd, writes, and makes it even again; a reader
 * copies and starts anew when the number has changed. All shared words are atomic. Stores of data
 * release and loads of data acquire, so that whoever sees a new word also sees that the number
 * moved. Eviction is CLOCK: a plan used since the hand last passed gets another round. */
#define _POSIX_C_SOURCE 200809L
#include "cache.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#define PLAN_WORDS 10u
#define MAX_SETS 0x10000000u

_Static_assert(PLAN_WORDS * sizeof(uint64_t) == sizeof(tw_plan), "plans are whole");

typedef struct Way {
  _Atomic uint64_t key[4];
  _Atomic uint64_t plan[PLAN_WORDS];
  uint64_t unused[2];
} Way;

struct TwCacheSet {
  _Atomic uint64_t sequence;
  _Atomic uint8_t
      tags[TW_WAYS]; /* 0: empty; else bits of the hash, so that most ways are skipped */
  _Atomic uint8_t used[TW_WAYS];
  uint32_t hand; /* of the writer */
  unsigned char unused[36];
  Way ways[TW_WAYS];
};

_Static_assert(sizeof(Way) == 2 * TW_LINE && sizeof(TwCacheSet) == 17 * TW_LINE, "whole lines");

tw_status twCacheInit(TwCache *cache, size_t capacity) {
  size_t sets = capacity / TW_WAYS + (capacity % TW_WAYS != 0);
  cache->sets = NULL;
  cache->count = 0;
  if (sets == 0)
    return TW_OK;
  if (sets > MAX_SETS || sets > SIZE_MAX / sizeof(TwCacheSet))
    return TW_BAD_ARGUMENT;
  cache->sets = aligned_alloc(TW_LINE, sets * sizeof(TwCacheSet));
  if (!cache->sets)
    return TW_NO_MEMORY;
  memset(cache->sets, 0, sets * sizeof(TwCacheSet));
  cache->count = (uint32_t)sets;
  return TW_OK;
}

void twCacheFree(TwCache *cache) {
  free(cache->sets);
  cache->sets = NULL;
}

static TwCacheSet *setOf(TwCache *cache, uint64_t hash) {
  return cache->sets + twReduce(hash, cache->count);
}

static uint8_t tagOf(uint64_t hash) {
  return (uint8_t)(1 + (hash >> 32) % 255);
}

static void pauseFor(unsigned attempt) {
  if (attempt % 64 == 63)
    sched_yield(); /* the writer may have lost its processor */
}

static bool holdsKey(Way *way, const TwKey *key) {
  uint64_t different = 0;
  for (unsigned i = 0; i < 4; ++i)
    different |= atomic_load_explicit(&way->key[i], memory_order_acquire) ^ key->word[i];
  return different == 0;
}

static void readPlan(Way *way, tw_plan *plan) {
  uint64_t words[PLAN_WORDS];
  for (unsigned i = 0; i < PLAN_WORDS; ++i)
    words[i] = atomic_load_explicit(&way->plan[i], memory_order_acquire);
  memcpy(plan, words, sizeof words);
}

static void writeWay(Way *way, const TwKey *key, const tw_plan *plan) {
  uint64_t words[PLAN_WORDS];
  memcpy(words, plan, sizeof words);
  for (unsigned i = 0; i < 4; ++i)
    atomic_store_explicit(&way->key[i], key->word[i], memory_order_release);
  for (unsigned i = 0; i < PLAN_WORDS; ++i)
    atomic_store_explicit(&way->plan[i], words[i], memory_order_release);
}

/* The way that holds the key, or TW_WAYS. */
static unsigned findWay(TwCacheSet *set, uint8_t tag, const TwKey *key) {
  for (unsigned i = 0; i < TW_WAYS; ++i)
    if (atomic_load_explicit(&set->tags[i], memory_order_acquire) == tag &&
        holdsKey(&set->ways[i], key))
      return i;
  return TW_WAYS;
}

bool twCacheFind(TwCache *cache, uint64_t hash, const TwKey *key, tw_plan *plan) {
  if (!cache->sets)
    return false;
  TwCacheSet *set = setOf(cache, hash);
  for (unsigned attempt = 0;; pauseFor(attempt++)) {
    uint64_t before = atomic_load_explicit(&set->sequence, memory_order_acquire);
    if (before % 2 != 0)
      continue;
    tw_plan copy;
    unsigned way = findWay(set, tagOf(hash), key);
    if (way < TW_WAYS)
      readPlan(&set->ways[way], &copy);
    if (atomic_load_explicit(&set->sequence, memory_order_relaxed) != before)
      continue;
    if (way == TW_WAYS)
      return false;
    if (!atomic_load_explicit(&set->used[way], memory_order_relaxed))
      atomic_store_explicit(&set->used[way], 1, memory_order_relaxed);
    *plan = copy;
    return true;
  }
}

static uint64_t lockSet(TwCacheSet *set) {
  for (unsigned attempt = 0;; pauseFor(attempt++)) {
    uint64_t sequence = atomic_load_explicit(&set->sequence, memory_order_relaxed);
    if (sequence % 2 == 0 &&
        atomic_compare_exchange_weak_explicit(&set->sequence, &sequence, sequence + 1,
                                              memory_order_acquire, memory_order_relaxed))
      return sequence;
  }
}

/* An empty way, or the first after the hand that was not used since the last round. */
static unsigned chooseWay(TwCacheSet *set) {
  for (unsigned i = 0; i < TW_WAYS; ++i)
    if (atomic_load_explicit(&set->tags[i], memory_order_relaxed) == 0)
      return i;
  for (unsigned tried = 0;; ++tried) {
    unsigned way = set->hand++ % TW_WAYS;
    if (tried >= TW_WAYS || !atomic_exchange_explicit(&set->used[way], 0, memory_order_relaxed))
      return way; /* after one round whatever readers mark meanwhile: the search is bounded */
  }
}

bool twCacheStore(TwCache *cache, uint64_t hash, const TwKey *key, tw_plan *plan) {
  if (!cache->sets)
    return false;
  TwCacheSet *set = setOf(cache, hash);
  uint64_t sequence = lockSet(set);
  bool evicts = false;
  unsigned way = findWay(set, tagOf(hash), key);
  if (way < TW_WAYS) {
    readPlan(&set->ways[way], plan);
  } else {
    way = chooseWay(set);
    evicts = atomic_load_explicit(&set->tags[way], memory_order_relaxed) != 0;
    writeWay(&set->ways[way], key, plan);
    atomic_store_explicit(&set->tags[way], tagOf(hash), memory_order_release);
    atomic_store_explicit(&set->used[way], 0, memory_order_relaxed);
  }
  atomic_store_explicit(&set->sequence, sequence + 2, memory_order_release);
  return evicts;
}
