/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * A table file mapped into memory, checked, and searched. */
#ifndef TILEWRIGHT_RUNTIME_TABLE_H
#define TILEWRIGHT_RUNTIME_TABLE_H

#include "shape.h"

typedef struct TwTable {
  const TwEntry *entries;
  const TwRecord *records;
  const uint16_t *pilots;
  uint64_t seed;
  uint32_t slots, buckets;
  const TwHeader *header; /* the mapping's begin */
  const uint32_t *nameOffsets;
  const char *names;
} TwTable;

/* Maps and checks: after TW_OK no lookup can read outside the mapping. Sets errno with
 * TW_SYSTEM_ERROR. */
tw_status twTableOpen(const char *path, const char *machine, uint64_t fingerprint, TwTable *table);
void twTableClose(TwTable *table);

/* Checks everything after the header's sizes and the checksum. */
tw_status twTableCheck(const TwTable *table);

/* The only entry where a shape of this hash can be. */
static inline const TwEntry *twTableProbe(const TwTable *table, uint64_t hash) {
  uint16_t pilot = table->pilots[twBucket(hash, table->buckets)];
  return table->entries + twSlot(hash, pilot, table->slots);
}

static inline void twFillPlan(const TwTable *table, const TwEntry *entry, tw_plan *plan) {
  memcpy(plan, &entry->workspaceBytes, offsetof(tw_plan, key));
  memcpy(&plan->key, table->records + entry->record, sizeof(TwRecord));
}

static inline bool twIsEmptySlot(const TwEntry *entry) {
  return entry->shape[3] == UINT64_MAX; /* attributes that no shape has */
}

#endif
