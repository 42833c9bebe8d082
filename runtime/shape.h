/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Shapes as four words, their hash, and the hash's place in a table. */
#ifndef TILEWRIGHT_RUNTIME_SHAPE_H
#define TILEWRIGHT_RUNTIME_SHAPE_H

#include "format.h"
#include <string.h>

typedef struct TwKey {
  uint64_t word[4]; /* m, n | k, lda | ldb, ldc | batch, attributes: 32 bits each, low half first */
} TwKey;

/* layout_a, layout_b, dtype, flags: all are 0 or 1. */
#define TW_ATTRIBUTES 0x01010101u

/* The same code in vectors of four words, where the compiler has them: half the instructions. */
#if defined(__has_builtin) && defined(__BYTE_ORDER__)
#if __has_builtin(__builtin_shufflevector) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define TW_VECTORS
#endif
#endif

#ifdef TW_VECTORS
typedef uint32_t TwVector __attribute__((vector_size(16)));

static inline bool twIsZero(TwVector v) {
  uint64_t half[2];
  memcpy(half, &v, sizeof half);
  return (half[0] | half[1]) == 0;
}

static inline TwVector twLoad(const void *from) {
  TwVector v;
  memcpy(&v, from, sizeof v);
  return v;
}

_Static_assert(sizeof(tw_shape) == 64 && offsetof(tw_shape, layout_a) == 56, "four vectors");
#endif

/* Packs; false when a field does not fit its bits. Does not compare leading dimensions. */
static inline bool twPack(const tw_shape *s, TwKey *key) {
#ifdef TW_VECTORS
  const char *at = (const char *)s;
  TwVector mn = twLoad(at), k = twLoad(at + 16), ld = twLoad(at + 32), rest = twLoad(at + 48);
  const TwVector high = {0, UINT32_MAX, 0, UINT32_MAX};
  const TwVector unusedBits = {0, UINT32_MAX, ~TW_ATTRIBUTES, 0};
  TwVector first = __builtin_shufflevector(mn, k, 0, 2, 4, 6);
  TwVector second = __builtin_shufflevector(ld, rest, 0, 2, 4, 6);
  memcpy(key->word, &first, sizeof first);
  memcpy(key->word + 2, &second, sizeof second);
  return twIsZero(((mn | k | ld) & high) | (rest & unusedBits));
#else
  uint32_t attributes;
  memcpy(&attributes, (const char *)s + offsetof(tw_shape, layout_a), sizeof attributes);
  uint64_t extents = (uint64_t)(s->m | s->n | s->k | s->lda | s->ldb | s->ldc | s->batch);
  key->word[0] = (uint64_t)s->m | (uint64_t)s->n << 32;
  key->word[1] = (uint64_t)s->k | (uint64_t)s->lda << 32;
  key->word[2] = (uint64_t)s->ldb | (uint64_t)s->ldc << 32;
  key->word[3] = (uint64_t)s->batch | (uint64_t)attributes << 32;
  return (extents >> 32 | (attributes & ~TW_ATTRIBUTES)) == 0;
#endif
}

void twUnpack(const TwKey *key, tw_shape *shape);
bool twIsValidShape(const tw_shape *shape);
bool twIsValidPlan(const tw_plan *plan, size_t kernels);

static inline bool twSameKey(const uint64_t a[4], const uint64_t b[4]) {
#ifdef TW_VECTORS
  return twIsZero((twLoad(a) ^ twLoad(b)) | (twLoad(a + 2) ^ twLoad(b + 2)));
#else
  return ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3])) == 0;
#endif
}

/* Both halves of a 128-bit product, folded. */
static inline uint64_t twFold(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__)
  __extension__ typedef unsigned __int128 Wide;
  Wide product = (Wide)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
  uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
  uint64_t low = al * bl, mid1 = ah * bl, mid2 = al * bh;
  uint64_t carry = (low >> 32) + (uint32_t)mid1 + (uint32_t)mid2;
  uint64_t high = ah * bh + (mid1 >> 32) + (mid2 >> 32) + (carry >> 32);
  return high ^ (carry << 32 | (uint32_t)low);
#endif
}

/* The constants are odd and otherwise arbitrary (hexadecimal digits of pi's fraction). */
static inline uint64_t twHash(const TwKey *key, uint64_t seed) {
  uint64_t a =
      twFold(key->word[0] ^ seed ^ 0x243f6a8885a308d3u, key->word[1] ^ 0x13198a2e03707345u);
  uint64_t b =
      twFold(key->word[2] ^ seed ^ 0xa4093822299f31d1u, key->word[3] ^ 0x082efa98ec4e6c89u);
  return a ^ (b << 32 | b >> 32);
}

/* Maps 32 bits evenly to [0, count). */
static inline uint32_t twReduce(uint64_t bits, uint32_t count) {
  return (uint32_t)((uint64_t)(uint32_t)bits * count >> 32);
}

/* A shape's bucket, and its slot under the bucket's pilot: the pilot is how many steps the shape
 * goes from its first slot, with a step of its own. */
static inline uint32_t twBucket(uint64_t hash, uint32_t buckets) {
  return twReduce(hash >> 32, buckets);
}
static inline uint32_t twSlot(uint64_t hash, uint16_t pilot, uint32_t slots) {
  return twReduce(hash + pilot * (hash >> 32), slots);
}

#endif
