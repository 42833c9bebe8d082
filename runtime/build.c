/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Building a table: check, sort, merge, hash, lay out, write, prove. */
#include "perfect.h"
#include "table.h"
#include "write.h"
#include <errno.h>
#include <stdlib.h>

typedef struct Item {
  TwKey key;
  uint32_t source; /* index into the caller's arrays */
  uint32_t record;
} Item;

typedef struct Builder {
  const tw_shape *shapes;
  const tw_plan *plans;
  size_t count;
  const char *const *names;
  size_t nameCount;
  const char *machine;
  uint64_t fingerprint;
  tw_build_info *info;
  Item *items; /* sorted, distinct */
  TwKey *keys; /* of the items */
  uint32_t distinct;
  uint32_t *records; /* for each record the first item that has it */
  uint32_t recordCount;
  TwPerfect perfect;
  unsigned char *image;
  uint64_t imageBytes;
} Builder;

static tw_status fail(Builder *b, size_t index, tw_status status) {
  b->info->bad_index = index;
  return status;
}

static tw_status checkNames(Builder *b) {
  size_t length = strlen(b->machine);
  if (length == 0 || length > TW_MAX_MACHINE_NAME)
    return TW_BAD_NAMES;
  for (size_t i = 0; i < b->nameCount; ++i) {
    if (!b->names[i])
      return fail(b, i, TW_BAD_ARGUMENT);
    length = strlen(b->names[i]);
    if (length == 0 || length > TW_MAX_NAME || (i && strcmp(b->names[i - 1], b->names[i]) >= 0))
      return fail(b, i, TW_BAD_NAMES);
  }
  return TW_OK;
}

static tw_status checkEntries(Builder *b) {
  for (size_t i = 0; i < b->count; ++i) {
    if (!twIsValidShape(b->shapes + i))
      return fail(b, i, TW_BAD_SHAPE);
    if (!twIsValidPlan(b->plans + i, b->nameCount))
      return fail(b, i, TW_BAD_PLAN);
  }
  return TW_OK;
}

/* The order of the words as numbers: any strict order does, it only has to be the same always. */
static int compareKeys(const TwKey *a, const TwKey *b) {
  for (int i = 0; i < 4; ++i)
    if (a->word[i] != b->word[i])
      return a->word[i] < b->word[i] ? -1 : 1;
  return 0;
}

static int compareItems(const void *left, const void *right) {
  const Item *a = left, *b = right;
  int order = compareKeys(&a->key, &b->key);
  return order ? order : (a->source > b->source) - (a->source < b->source);
}

static const tw_plan *planOf(const Builder *b, uint32_t item) {
  return b->plans + b->items[item].source;
}

static tw_status sortItems(Builder *b) {
  b->items = malloc((b->count + 1) * sizeof *b->items);
  b->keys = malloc((b->count + 1) * sizeof *b->keys);
  if (!b->items || !b->keys)
    return TW_NO_MEMORY;
  for (size_t i = 0; i < b->count; ++i) {
    twPack(b->shapes + i, &b->items[i].key);
    b->items[i].source = (uint32_t)i;
  }
  qsort(b->items, b->count, sizeof *b->items, compareItems);
  for (uint32_t i = 0; i < b->count; ++i) {
    const Item *item = b->items + i;
    if (b->distinct && compareKeys(&b->keys[b->distinct - 1], &item->key) == 0) {
      if (memcmp(planOf(b, b->distinct - 1), b->plans + item->source, sizeof(tw_plan)) != 0)
        return fail(b, item->source, TW_CONFLICT);
      continue;
    }
    b->keys[b->distinct] = item->key;
    b->items[b->distinct++] = *item;
  }
  return TW_OK;
}

static void fillRecord(const tw_plan *plan, TwRecord *record) {
  memcpy(record, &plan->key, sizeof *record);
}

/* Numbers the distinct records in the order of the items, by a table with open addressing. */
static tw_status mergeRecords(Builder *b) {
  uint64_t size = 16;
  while (size < 2 * (uint64_t)b->distinct)
    size *= 2;
  uint32_t *table = calloc(size, sizeof *table); /* 1 + number of the record */
  b->records = malloc(((size_t)b->distinct + 1) * sizeof *b->records);
  if (!table || !b->records) {
    free(table);
    return TW_NO_MEMORY;
  }
  for (uint32_t i = 0; i < b->distinct; ++i) {
    TwRecord mine, other;
    fillRecord(planOf(b, i), &mine);
    uint64_t at = twChecksum(&mine, sizeof mine) & (size - 1);
    for (; table[at]; at = (at + 1) & (size - 1)) {
      fillRecord(planOf(b, b->records[table[at] - 1]), &other);
      if (memcmp(&mine, &other, sizeof mine) == 0)
        break;
    }
    if (!table[at]) {
      b->records[b->recordCount] = i;
      table[at] = ++b->recordCount;
    }
    b->items[i].record = table[at] - 1;
  }
  free(table);
  return TW_OK;
}

static tw_status fillHeader(const Builder *b, TwHeader *h, TwLayout *layout) {
  memset(h, 0, sizeof *h);
  memcpy(h->magic, TW_MAGIC, sizeof h->magic);
  h->endianMark = TW_ENDIAN_MARK;
  h->version = TW_FORMAT_VERSION;
  h->fingerprint = b->fingerprint;
  h->seed = b->perfect.seed;
  h->entryCount = b->distinct;
  h->slotCount = b->perfect.slots;
  h->bucketCount = b->perfect.buckets;
  h->recordCount = b->recordCount;
  h->nameCount = b->nameCount;
  for (size_t i = 0; i < b->nameCount; ++i)
    h->nameBytes += strlen(b->names[i]) + 1;
  memcpy(h->machine, b->machine, strlen(b->machine));
  if (!twLayout(h, layout) || layout->fileBytes > SIZE_MAX)
    return TW_BAD_ARGUMENT;
  h->fileBytes = layout->fileBytes;
  return TW_OK;
}

static void fillEntries(const Builder *b, TwEntry *entries) {
  memset(entries, 0xff, b->perfect.slots * sizeof *entries);
  for (uint32_t i = 0; i < b->distinct; ++i) {
    TwEntry *entry = entries + b->perfect.slotOf[i];
    memcpy(entry->shape, &b->keys[i], sizeof entry->shape);
    entry->workspaceBytes = planOf(b, i)->workspace_bytes;
    entry->predictedCycles = planOf(b, i)->predicted_cycles;
    entry->record = b->items[i].record;
    memset(entry->reserved, 0, sizeof entry->reserved);
  }
}

static void fillNames(const Builder *b, uint32_t *offsets, char *text) {
  uint32_t at = 0;
  for (size_t i = 0; i < b->nameCount; ++i) {
    size_t bytes = strlen(b->names[i]) + 1;
    offsets[i] = at;
    memcpy(text + at, b->names[i], bytes);
    at += (uint32_t)bytes;
  }
  offsets[b->nameCount] = at;
}

static tw_status layOut(Builder *b) {
  TwHeader header;
  TwLayout layout;
  tw_status status = fillHeader(b, &header, &layout);
  if (status != TW_OK)
    return status;
  b->imageBytes = header.fileBytes;
  b->image = aligned_alloc(TW_LINE, b->imageBytes);
  if (!b->image)
    return TW_NO_MEMORY;
  memset(b->image + layout.records, 0, b->imageBytes - layout.records);
  fillEntries(b, (TwEntry *)(void *)(b->image + layout.entries));
  TwRecord *records = (TwRecord *)(void *)(b->image + layout.records);
  for (uint32_t i = 0; i < b->recordCount; ++i)
    fillRecord(planOf(b, b->records[i]), records + i);
  memcpy(b->image + layout.pilots, b->perfect.pilots, b->perfect.buckets * sizeof(uint16_t));
  fillNames(b, (uint32_t *)(void *)(b->image + layout.nameOffsets),
            (char *)b->image + layout.names);
  memcpy(b->image, &header, sizeof header);
  header.checksum = twChecksum(b->image + TW_CHECKED_FROM, b->imageBytes - TW_CHECKED_FROM);
  memcpy(b->image, &header, sizeof header);
  return TW_OK;
}

/* Asks the file for everything that went in. */
static bool givesAllBack(const Builder *b, tw_dispatcher *d) {
  tw_table_info info;
  tw_info(d, &info);
  if (info.shapes != b->distinct || info.kernels != b->nameCount)
    return false;
  for (size_t i = 0; i < b->nameCount; ++i)
    if (strcmp(tw_kernel_name(d, (uint32_t)i), b->names[i]) != 0)
      return false;
  for (size_t i = 0; i < b->count; ++i) {
    tw_plan plan;
    if (tw_lookup(d, b->shapes + i, &plan) != TW_OK ||
        memcmp(&plan, b->plans + i, sizeof plan) != 0)
      return false;
  }
  return true;
}

static tw_status prove(void *user, const char *temporary) {
  Builder *b = user;
  tw_dispatcher *d;
  tw_status status = tw_open(temporary, b->machine, b->fingerprint, NULL, NULL, 0, &d);
  if (status == TW_SYSTEM_ERROR || status == TW_NO_MEMORY)
    return status;
  if (status != TW_OK)
    return TW_INCOMPLETE;
  status = givesAllBack(b, d) ? TW_OK : TW_INCOMPLETE;
  tw_close(d);
  return status;
}

static tw_status build(Builder *b, const char *path) {
  tw_status (*const steps[])(Builder *) = {checkNames, checkEntries, sortItems, mergeRecords};
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; ++i) {
    tw_status status = steps[i](b);
    if (status != TW_OK)
      return status;
  }
  tw_status status = twPerfectFind(b->keys, b->distinct, &b->perfect);
  if (status == TW_OK)
    status = layOut(b);
  if (status == TW_OK)
    status = twWriteFile(path, b->image, b->imageBytes, prove, b);
  if (status == TW_SYSTEM_ERROR)
    b->info->system_error = errno;
  return status;
}

tw_status tw_table_build(const tw_shape *shapes, const tw_plan *plans, size_t count,
                         const char *const *names, size_t name_count, const char *machine,
                         uint64_t fingerprint, const char *path, tw_build_info *info) {
  tw_build_info unused;
  Builder b = {.shapes = shapes,
               .plans = plans,
               .count = count,
               .names = names,
               .nameCount = name_count,
               .machine = machine,
               .fingerprint = fingerprint,
               .info = info ? info : &unused};
  *b.info = (tw_build_info){.bad_index = SIZE_MAX};
  if ((count && (!shapes || !plans)) || (name_count && !names) || !machine || !path ||
      count > TW_MAX_ENTRIES || name_count > TW_MAX_ENTRIES)
    return TW_BAD_ARGUMENT;
  if (!twHostIsLittleEndian())
    return TW_OTHER_ENDIANNESS;
  tw_status status = build(&b, path);
  if (status == TW_OK) {
    b.info->shapes = b.distinct;
    b.info->plans = b.recordCount;
    b.info->file_bytes = b.imageBytes;
  }
  free(b.items);
  free(b.keys);
  free(b.records);
  free(b.image);
  twPerfectFree(&b.perfect);
  return status;
}
