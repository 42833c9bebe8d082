/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Files that appear whole or not at all. */
#ifndef TILEWRIGHT_RUNTIME_WRITE_H
#define TILEWRIGHT_RUNTIME_WRITE_H

#include "tilewright_dispatch.h"

/* Says whether the written file may take its name. */
typedef tw_status (*TwProof)(void *user, const char *temporary);

/* Writes a temporary file beside `path`, flushes it, asks `proof`, and renames it; on failure the
 * temporary file is removed, and with TW_SYSTEM_ERROR errno says why. */
tw_status twWriteFile(const char *path, const void *data, size_t bytes, TwProof proof, void *user);

#endif
