/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Which shapes and plans are legal. */
#include "shape.h"

void twUnpack(const TwKey *key, tw_shape *s) {
  memset(s, 0, sizeof *s);
  s->m = (uint32_t)key->word[0];
  s->n = (int64_t)(key->word[0] >> 32);
  s->k = (uint32_t)key->word[1];
  s->lda = (int64_t)(key->word[1] >> 32);
  s->ldb = (uint32_t)key->word[2];
  s->ldc = (int64_t)(key->word[2] >> 32);
  s->batch = (uint32_t)key->word[3];
  uint32_t attributes = (uint32_t)(key->word[3] >> 32);
  memcpy((char *)s + offsetof(tw_shape, layout_a), &attributes, sizeof attributes);
}

static bool holds(int64_t leading, int64_t length) {
  return leading >= 1 && leading >= length;
}

bool twIsValidShape(const tw_shape *s) {
  TwKey key;
  return twPack(s, &key) && holds(s->lda, s->layout_a == TW_ROW ? s->k : s->m) &&
         holds(s->ldb, s->layout_b == TW_ROW ? s->n : s->k) && holds(s->ldc, s->n);
}

bool twIsValidPlan(const tw_plan *plan, size_t kernels) {
  uint32_t reserved = 0;
  for (size_t i = 0; i < sizeof plan->reserved / sizeof plan->reserved[0]; ++i)
    reserved |= plan->reserved[i];
  return plan->kernel < kernels && plan->predicted_cycles >= 0 && reserved == 0;
}
