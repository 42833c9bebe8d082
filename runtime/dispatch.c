/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Lookup: table, cache, planner, in this order. */
#include "dispatcher.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Each of the first OWN_SHARDS threads of a process counts in a shard that no other thread writes,
 * with plain loads and stores; an atomic addition would cost more than the lookup. Later threads
 * share the last shard and pay for the addition. */
#define OWN_SHARDS 128u

enum Counter { TABLE_HITS, CACHE_HITS, PLANNED, REFUSED, EVICTED, COUNTERS };

typedef struct TwShard {
  _Alignas(TW_LINE) _Atomic uint64_t counts[COUNTERS];
} Shard;

/* Kept out of the path of a table hit, which is to stay short: the processor then overlaps the
 * memory accesses of several lookups. */
#if defined(__GNUC__)
#define APART __attribute__((noinline))
#else
#define APART
#endif

/* Of a fixed place in each thread's block, so that the shared library needs no call to find it. */
#if defined(__GNUC__) && defined(__ELF__)
#define AT_FIXED_PLACE __attribute__((tls_model("initial-exec")))
#else
#define AT_FIXED_PLACE
#endif

static _Atomic uint32_t threadsSeen;
static _Thread_local uint32_t threadNumber AT_FIXED_PLACE; /* 0: not numbered yet */

static uint32_t numberThread(void) {
  uint32_t seen = atomic_load_explicit(&threadsSeen, memory_order_relaxed);
  while (seen < OWN_SHARDS &&
         !atomic_compare_exchange_weak_explicit(&threadsSeen, &seen, seen + 1, memory_order_relaxed,
                                                memory_order_relaxed))
    ;
  return seen + 1;
}

APART static void countApart(Shard *shards, enum Counter counter) {
  if (threadNumber == 0)
    threadNumber = numberThread();
  atomic_fetch_add_explicit(&shards[threadNumber - 1].counts[counter], 1, memory_order_relaxed);
}

static inline void count(tw_dispatcher *d, enum Counter counter) {
  uint32_t place = threadNumber - 1;
  if (place >= OWN_SHARDS) {
    countApart(d->shards, counter);
    return;
  }
  _Atomic uint64_t *mine = &d->shards[place].counts[counter];
  uint64_t next = atomic_load_explicit(mine, memory_order_relaxed) + 1;
  atomic_store_explicit(mine, next, memory_order_relaxed);
}

APART static tw_status refuse(tw_dispatcher *d, tw_status status) {
  count(d, REFUSED);
  return status;
}

/* The plan is made in `made`, so that *plan stays as it is on failure. */
static tw_status planShape(tw_dispatcher *d, const tw_shape *shape, uint64_t hash, const TwKey *key,
                           tw_plan *plan) {
  tw_plan made;
  memset(&made, 0, sizeof made);
  if (!d->planner)
    return refuse(d, TW_NOT_FOUND);
  tw_status status = d->planner(d->user, shape, &made);
  if (status != TW_OK)
    return refuse(d, status);
  if (!twIsValidPlan(&made, d->table.header->nameCount))
    return refuse(d, TW_BAD_PLAN);
  count(d, PLANNED);
  if (twCacheStore(&d->cache, hash, key, &made))
    count(d, EVICTED);
  *plan = made;
  return TW_OK;
}

APART static tw_status lookupElsewhere(tw_dispatcher *d, const tw_shape *shape, tw_plan *plan) {
  TwKey key;
  if (!twIsValidShape(shape))
    return refuse(d, TW_BAD_SHAPE);
  twPack(shape, &key);
  uint64_t hash = twHash(&key, d->table.seed);
  if (!twCacheFind(&d->cache, hash, &key, plan))
    return planShape(d, shape, hash, &key, plan);
  count(d, CACHE_HITS);
  return TW_OK;
}

tw_status tw_lookup(tw_dispatcher *d, const tw_shape *shape, tw_plan *plan) {
  TwKey key;
  if (!twPack(shape, &key))
    return refuse(d, TW_BAD_SHAPE);
  const TwEntry *entry = twTableProbe(&d->table, twHash(&key, d->table.seed));
  if (!twSameKey(entry->shape, key.word))
    return lookupElsewhere(d, shape, plan);
  twFillPlan(&d->table, entry, plan);
  count(d, TABLE_HITS);
  return TW_OK;
}

static tw_status openInto(tw_dispatcher *d, const char *path, const char *machine,
                          uint64_t fingerprint, size_t capacity) {
  tw_status status = twCacheInit(&d->cache, capacity);
  if (status != TW_OK)
    return status;
  d->shards = aligned_alloc(TW_LINE, (OWN_SHARDS + 1) * sizeof(Shard));
  if (!d->shards)
    return TW_NO_MEMORY;
  memset(d->shards, 0, (OWN_SHARDS + 1) * sizeof(Shard));
  return twTableOpen(path, machine, fingerprint, &d->table);
}

tw_status tw_open(const char *path, const char *machine, uint64_t fingerprint, tw_planner planner,
                  void *user, size_t cache_capacity, tw_dispatcher **out) {
  if (!out)
    return TW_BAD_ARGUMENT;
  *out = NULL;
  if (!path)
    return TW_BAD_ARGUMENT;
  tw_dispatcher *d = calloc(1, sizeof *d);
  if (!d)
    return TW_NO_MEMORY;
  d->planner = planner;
  d->user = user;
  tw_status status = openInto(d, path, machine, fingerprint, cache_capacity);
  if (status == TW_OK) {
    *out = d;
    return TW_OK;
  }
  int error = errno;
  tw_close(d);
  errno = error;
  return status;
}

void tw_close(tw_dispatcher *d) {
  if (!d)
    return;
  twTableClose(&d->table);
  twCacheFree(&d->cache);
  free(d->shards);
  free(d);
}

void tw_counters(const tw_dispatcher *d, tw_counts *counts) {
  uint64_t sums[COUNTERS] = {0};
  for (unsigned i = 0; i <= OWN_SHARDS; ++i)
    for (unsigned c = 0; c < COUNTERS; ++c)
      sums[c] += atomic_load_explicit(&d->shards[i].counts[c], memory_order_relaxed);
  counts->table_hits = sums[TABLE_HITS];
  counts->cache_hits = sums[CACHE_HITS];
  counts->planned = sums[PLANNED];
  counts->refused = sums[REFUSED];
  counts->evicted = sums[EVICTED];
}
