/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Questions about an open table other than lookups. */
#include "dispatcher.h"

void tw_info(const tw_dispatcher *d, tw_table_info *info) {
  const TwHeader *h = d->table.header;
  info->machine = h->machine;
  info->fingerprint = h->fingerprint;
  info->shapes = h->entryCount;
  info->plans = h->recordCount;
  info->kernels = h->nameCount;
  info->slots = h->slotCount;
  info->cache_capacity = (size_t)d->cache.count * TW_WAYS;
  info->file_bytes = h->fileBytes;
}

const char *tw_kernel_name(const tw_dispatcher *d, uint32_t kernel) {
  return kernel < d->table.header->nameCount ? d->table.names + d->table.nameOffsets[kernel] : NULL;
}

uint32_t tw_find_kernel(const tw_dispatcher *d, const char *name) {
  uint32_t low = 0, high = (uint32_t)d->table.header->nameCount;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = strcmp(tw_kernel_name(d, middle), name);
    if (order == 0)
      return middle;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return UINT32_MAX;
}

tw_status tw_table_entry(const tw_dispatcher *d, size_t slot, tw_shape *shape, tw_plan *plan) {
  if (slot >= d->table.slots)
    return TW_BAD_ARGUMENT;
  const TwEntry *entry = d->table.entries + slot;
  if (twIsEmptySlot(entry))
    return TW_NOT_FOUND;
  TwKey key;
  memcpy(&key, entry->shape, sizeof key);
  twUnpack(&key, shape);
  twFillPlan(&d->table, entry, plan);
  return TW_OK;
}
