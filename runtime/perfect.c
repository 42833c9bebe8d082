/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Hash and displace: keys are hashed into buckets of four on average; the fullest buckets come
 * first, and each takes the first pilot that sends all its keys to free slots. One slot in nine
 * stays empty, which keeps the search for the last buckets short. */
#include "perfect.h"
#include <stdlib.h>

#define KEYS_PER_BUCKET 4u
#define SEEDS 64u
#define PILOTS 65536u
#define LARGEST_BUCKET 255u

typedef struct Search {
  TwPerfect *perfect;
  uint32_t count;
  uint64_t *hashes;       /* of each key */
  uint32_t *bucketBegins; /* into members; buckets + 1 */
  uint32_t *members;      /* keys grouped by bucket */
  uint32_t *order;        /* buckets, fullest first */
  unsigned char *taken;   /* of each slot */
} Search;

static void hashAll(Search *s, const TwKey *keys) {
  TwPerfect *p = s->perfect;
  memset(s->bucketBegins, 0, ((size_t)p->buckets + 1) * sizeof(uint32_t));
  memset(s->taken, 0, p->slots);
  for (uint32_t i = 0; i < s->count; ++i) {
    s->hashes[i] = twHash(keys + i, p->seed);
    ++s->bucketBegins[twBucket(s->hashes[i], p->buckets)];
  }
  for (uint32_t b = 1; b <= p->buckets; ++b)
    s->bucketBegins[b] += s->bucketBegins[b - 1]; /* now the ends */
  for (uint32_t i = s->count; i-- > 0;)
    s->members[--s->bucketBegins[twBucket(s->hashes[i], p->buckets)]] = i;
}

static uint32_t sizeOf(const Search *s, uint32_t bucket) {
  return s->bucketBegins[bucket + 1] - s->bucketBegins[bucket];
}

/* Counting sort by falling size, stable; false when a bucket is larger than any good hash makes. */
static bool orderBuckets(Search *s) {
  uint32_t begins[LARGEST_BUCKET + 2] = {0};
  for (uint32_t b = 0; b < s->perfect->buckets; ++b) {
    if (sizeOf(s, b) > LARGEST_BUCKET)
      return false;
    ++begins[LARGEST_BUCKET - sizeOf(s, b) + 1];
  }
  for (uint32_t i = 1; i <= LARGEST_BUCKET; ++i)
    begins[i] += begins[i - 1];
  for (uint32_t b = 0; b < s->perfect->buckets; ++b)
    s->order[begins[LARGEST_BUCKET - sizeOf(s, b)]++] = b;
  return true;
}

/* Takes the slots of all members, or none of them. */
static bool tryPilot(Search *s, uint32_t bucket, uint16_t pilot) {
  const uint32_t *member = s->members + s->bucketBegins[bucket];
  uint32_t size = sizeOf(s, bucket);
  for (uint32_t i = 0; i < size; ++i) {
    uint32_t slot = twSlot(s->hashes[member[i]], pilot, s->perfect->slots);
    if (s->taken[slot]) {
      while (i-- > 0)
        s->taken[s->perfect->slotOf[member[i]]] = 0;
      return false;
    }
    s->taken[slot] = 1;
    s->perfect->slotOf[member[i]] = slot;
  }
  s->perfect->pilots[bucket] = pilot;
  return true;
}

static bool placeBucket(Search *s, uint32_t bucket) {
  for (uint32_t pilot = 0; pilot < PILOTS; ++pilot)
    if (tryPilot(s, bucket, (uint16_t)pilot))
      return true;
  return false;
}

static bool trySeed(Search *s, const TwKey *keys, uint32_t number) {
  s->perfect->seed = (number + 1) * UINT64_C(0xd1342543de82ef95);
  hashAll(s, keys);
  if (!orderBuckets(s))
    return false;
  for (uint32_t i = 0; i < s->perfect->buckets; ++i)
    if (!placeBucket(s, s->order[i]))
      return false;
  return true;
}

static bool allocate(Search *s) {
  TwPerfect *p = s->perfect;
  size_t count = (size_t)s->count + 1, buckets = (size_t)p->buckets + 1;
  p->pilots = calloc(buckets, sizeof *p->pilots);
  p->slotOf = calloc(count, sizeof *p->slotOf);
  s->hashes = calloc(count, sizeof *s->hashes);
  s->bucketBegins = calloc(buckets, sizeof *s->bucketBegins);
  s->members = calloc(count, sizeof *s->members);
  s->order = calloc(buckets, sizeof *s->order);
  s->taken = calloc(p->slots, 1);
  return p->pilots && p->slotOf && s->hashes && s->bucketBegins && s->members && s->order &&
         s->taken;
}

tw_status twPerfectFind(const TwKey *keys, uint32_t count, TwPerfect *perfect) {
  Search search = {.perfect = perfect, .count = count};
  memset(perfect, 0, sizeof *perfect);
  perfect->slots = count + count / 8 + 1;
  perfect->buckets = count / KEYS_PER_BUCKET + 1;
  tw_status status = TW_NO_MEMORY;
  if (allocate(&search)) {
    status = TW_INCOMPLETE;
    for (uint32_t i = 0; i < SEEDS && status != TW_OK; ++i)
      if (trySeed(&search, keys, i))
        status = TW_OK;
  }
  free(search.hashes);
  free(search.bucketBegins);
  free(search.members);
  free(search.order);
  free(search.taken);
  return status;
}

void twPerfectFree(TwPerfect *perfect) {
  free(perfect->pilots);
  free(perfect->slotOf);
}
