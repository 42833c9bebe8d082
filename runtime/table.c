/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Opening a table: nothing in the file is believed before it is checked. */
#define _POSIX_C_SOURCE 200809L
#include "table.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool namesAreOrdered(const TwTable *t) {
  const TwHeader *h = t->header;
  if (t->nameOffsets[0] != 0 || t->nameOffsets[h->nameCount] != h->nameBytes)
    return false;
  for (uint64_t i = 0; i < h->nameCount; ++i) {
    uint32_t begin = t->nameOffsets[i], end = t->nameOffsets[i + 1];
    if (begin >= end || end > h->nameBytes)
      return false;
    const char *name = t->names + begin;
    if (end - begin < 2 || memchr(name, 0, end - begin) != name + (end - begin - 1))
      return false;
    if (i > 0 && strcmp(t->names + t->nameOffsets[i - 1], name) >= 0)
      return false;
  }
  return true;
}

static bool recordsAreValid(const TwTable *t) {
  for (uint64_t i = 0; i < t->header->recordCount; ++i) {
    const TwRecord *r = t->records + i;
    if (r->kernel >= t->header->nameCount || (r->reserved[0] | r->reserved[1] | r->reserved[2]))
      return false;
  }
  return true;
}

/* A filled slot holds a legal shape, at the place where a lookup goes. */
static bool entryIsValid(const TwTable *t, const TwEntry *entry) {
  tw_shape shape;
  TwKey key;
  memcpy(&key, entry->shape, sizeof key);
  twUnpack(&key, &shape);
  return twIsValidShape(&shape) && entry->record < t->header->recordCount &&
         entry->predictedCycles >= 0 && twTableProbe(t, twHash(&key, t->seed)) == entry;
}

tw_status twTableCheck(const TwTable *t) {
  if (!namesAreOrdered(t) || !recordsAreValid(t))
    return TW_MALFORMED;
  uint64_t filled = 0;
  for (uint32_t i = 0; i < t->slots; ++i) {
    if (twIsEmptySlot(t->entries + i))
      continue;
    if (!entryIsValid(t, t->entries + i))
      return TW_MALFORMED;
    ++filled;
  }
  return filled == t->header->entryCount ? TW_OK : TW_MALFORMED;
}

/* What can be said before the size is known to be right: `bytes` may be less than a header. */
static tw_status checkPrefix(const TwHeader *h, uint64_t bytes) {
  if (bytes < sizeof h->magic || memcmp(h->magic, TW_MAGIC, sizeof h->magic) != 0)
    return TW_NOT_A_TABLE;
  if (bytes < sizeof *h)
    return TW_TRUNCATED;
  if (h->endianMark != TW_ENDIAN_MARK || !twHostIsLittleEndian())
    return TW_OTHER_ENDIANNESS;
  if (h->version != TW_FORMAT_VERSION)
    return TW_OTHER_VERSION;
  return h->fileBytes == bytes ? TW_OK : TW_TRUNCATED;
}

static tw_status checkOrigin(const TwHeader *h, const char *machine, uint64_t fingerprint) {
  if (h->machine[0] == 0 || h->machine[TW_MAX_MACHINE_NAME] != 0)
    return TW_MALFORMED;
  if (machine && strcmp(machine, h->machine) != 0)
    return TW_OTHER_MACHINE;
  return fingerprint == 0 || fingerprint == h->fingerprint ? TW_OK : TW_OTHER_FINGERPRINT;
}

static tw_status checkAll(TwTable *t, uint64_t bytes, const char *machine, uint64_t fingerprint) {
  const TwHeader *h = t->header;
  TwLayout layout;
  tw_status status = checkPrefix(h, bytes);
  if (status != TW_OK)
    return status;
  const char *base = (const char *)h;
  if (bytes % sizeof(uint64_t) != 0)
    return TW_MALFORMED;
  if (twChecksum(base + TW_CHECKED_FROM, bytes - TW_CHECKED_FROM) != h->checksum)
    return TW_BAD_CHECKSUM;
  if ((status = checkOrigin(h, machine, fingerprint)) != TW_OK)
    return status;
  if (!twLayout(h, &layout) || layout.fileBytes != bytes)
    return TW_MALFORMED;
  t->entries = (const TwEntry *)(const void *)(base + layout.entries);
  t->records = (const TwRecord *)(const void *)(base + layout.records);
  t->pilots = (const uint16_t *)(const void *)(base + layout.pilots);
  t->nameOffsets = (const uint32_t *)(const void *)(base + layout.nameOffsets);
  t->names = base + layout.names;
  t->seed = h->seed;
  t->slots = (uint32_t)h->slotCount;
  t->buckets = (uint32_t)h->bucketCount;
  return twTableCheck(t);
}

/* Null with errno set on failure, and with errno 0 for an empty file. */
static void *mapFile(const char *path, uint64_t *bytes) {
  void *base = NULL;
  struct stat about;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a named pipe must not block */
  if (file < 0)
    return NULL;
  int error = fstat(file, &about) != 0             ? errno
              : S_ISDIR(about.st_mode)             ? EISDIR
              : !S_ISREG(about.st_mode)            ? EINVAL
              : (uint64_t)about.st_size > SIZE_MAX ? EFBIG
                                                   : 0;
  *bytes = (uint64_t)about.st_size;
  if (error == 0 && about.st_size > 0) {
    base = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (base == MAP_FAILED) {
      error = errno;
      base = NULL;
    }
  }
  close(file);
  errno = error;
  return base;
}

tw_status twTableOpen(const char *path, const char *machine, uint64_t fingerprint, TwTable *table) {
  uint64_t bytes = 0;
  memset(table, 0, sizeof *table);
  void *base = mapFile(path, &bytes);
  if (!base)
    return errno ? TW_SYSTEM_ERROR : TW_NOT_A_TABLE;
  table->header = base;
  tw_status status = checkAll(table, bytes, machine, fingerprint);
  if (status != TW_OK) {
    munmap(base, (size_t)bytes);
    memset(table, 0, sizeof *table);
  }
  return status;
}

void twTableClose(TwTable *table) {
  if (table->header)
    munmap((void *)(uintptr_t)table->header, (size_t)table->header->fileBytes);
  memset(table, 0, sizeof *table);
}
