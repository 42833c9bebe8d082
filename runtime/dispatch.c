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

typedef struct TwShard {
  _Alignas(TW_LINE) _Atomic uint64_t tableHits;
  _Atomic uint64_t cacheHits, planned, refused, evicted;
} Shard;

static _Atomic uint32_t threadsSeen;
/* 0: not numbered yet. */
static _Thread_local uint32_t threadNumber;

static uint32_t numberThread(void) {
  uint32_t seen = atomic_load_explicit(&threadsSeen, memory_order_relaxed);
  while (seen < OWN_SHARDS &&
         !atomic_compare_exchange_weak_explicit(&threadsSeen, &seen, seen + 1, memory_order_relaxed,
                                                memory_order_relaxed))
    ;
  return threadNumber = seen + 1;
}

static inline Shard *shardOf(tw_dispatcher *d) {
  uint32_t number = threadNumber;
  return d->shards + (number ? number : numberThread()) - 1;
}

static inline void increment(tw_dispatcher *d, Shard *shard, _Atomic uint64_t *counter) {
  if (shard == d->shards + OWN_SHARDS)
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
  else
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

static tw_status refuse(tw_dispatcher *d, tw_status status) {
  Shard *shard = shardOf(d);
  increment(d, shard, &shard->refused);
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
  Shard *shard = shardOf(d);
  increment(d, shard, &shard->planned);
  if (twCacheStore(&d->cache, hash, key, &made))
    increment(d, shard, &shard->evicted);
  *plan = made;
  return TW_OK;
}

static tw_status lookupElsewhere(tw_dispatcher *d, const tw_shape *shape, uint64_t hash,
                                 const TwKey *key, tw_plan *plan) {
  if (!twIsValidShape(shape))
    return refuse(d, TW_BAD_SHAPE);
  if (!twCacheFind(&d->cache, hash, key, plan))
    return planShape(d, shape, hash, key, plan);
  Shard *shard = shardOf(d);
  increment(d, shard, &shard->cacheHits);
  return TW_OK;
}

tw_status tw_lookup(tw_dispatcher *d, const tw_shape *shape, tw_plan *plan) {
  TwKey key;
  if (!d)
    return TW_BAD_ARGUMENT;
  if (!shape || !plan)
    return refuse(d, TW_BAD_ARGUMENT);
  if (!twPack(shape, &key))
    return refuse(d, TW_BAD_SHAPE);
  uint64_t hash = twHash(&key, d->table.seed);
  const TwEntry *entry = twTableProbe(&d->table, hash);
  if (!twSameKey(entry->shape, key.word))
    return lookupElsewhere(d, shape, hash, &key, plan);
  twFillPlan(&d->table, entry, plan);
  Shard *shard = shardOf(d);
  increment(d, shard, &shard->tableHits);
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
  memset(counts, 0, sizeof *counts);
  for (const Shard *shard = d->shards; shard <= d->shards + OWN_SHARDS; ++shard) {
    counts->table_hits += atomic_load_explicit(&shard->tableHits, memory_order_relaxed);
    counts->cache_hits += atomic_load_explicit(&shard->cacheHits, memory_order_relaxed);
    counts->planned += atomic_load_explicit(&shard->planned, memory_order_relaxed);
    counts->refused += atomic_load_explicit(&shard->refused, memory_order_relaxed);
    counts->evicted += atomic_load_explicit(&shard->evicted, memory_order_relaxed);
  }
}
