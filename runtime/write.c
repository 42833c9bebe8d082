/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Replacing a file in one step. */
#define _POSIX_C_SOURCE 200809L
#include "write.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Opens "PATH.PROCESS-NUMBER.tmp", a name that nobody has. */
static int openTemporary(const char *path, char *name, size_t size) {
  static _Atomic unsigned number;
  int file;
  do {
    unsigned mine = atomic_fetch_add_explicit(&number, 1, memory_order_relaxed);
    snprintf(name, size, "%s.%ld-%u.tmp", path, (long)getpid(), mine);
    file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (file < 0 && errno == EEXIST);
  return file;
}

static bool writeAll(int file, const char *data, size_t bytes) {
  while (bytes > 0) {
    ssize_t written = write(file, data, bytes);
    if (written < 0 && errno != EINTR)
      return false;
    if (written > 0) {
      data += written;
      bytes -= (size_t)written;
    }
  }
  return fsync(file) == 0;
}

/* Makes the new name last. Best effort: the table is whole under its name already, and some file
 * systems cannot flush folders. */
static void flushFolder(char *name) {
  char *slash = strrchr(name, '/');
  if (slash)
    slash[slash == name] = 0;
  int folder = open(slash ? name : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return;
  fsync(folder);
  close(folder);
}

static tw_status writeNamed(char *name, size_t size, const char *path, const void *data,
                            size_t bytes, TwProof proof, void *user) {
  int file = openTemporary(path, name, size);
  if (file < 0)
    return TW_SYSTEM_ERROR;
  bool written = writeAll(file, data, bytes);
  int error = errno;
  if (close(file) != 0 && written) {
    written = false;
    error = errno;
  }
  errno = error;
  tw_status status = written ? proof(user, name) : TW_SYSTEM_ERROR;
  if (status == TW_OK && rename(name, path) != 0)
    status = TW_SYSTEM_ERROR;
  if (status == TW_OK) {
    flushFolder(name);
    return TW_OK;
  }
  error = errno;
  unlink(name);
  errno = error;
  return status;
}

tw_status twWriteFile(const char *path, const void *data, size_t bytes, TwProof proof, void *user) {
  size_t size = strlen(path) + 64;
  char *name = malloc(size);
  if (!name)
    return TW_NO_MEMORY;
  tw_status status = writeNamed(name, size, path, data, bytes, proof, user);
  int error = errno;
  free(name);
  errno = error;
  return status;
}
