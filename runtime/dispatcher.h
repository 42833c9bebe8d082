/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * What tw_dispatcher points to. */
#ifndef TILEWRIGHT_RUNTIME_DISPATCHER_H
#define TILEWRIGHT_RUNTIME_DISPATCHER_H

#include "cache.h"
#include "table.h"

struct tw_dispatcher {
  TwTable table;
  TwCache cache;
  tw_planner planner;
  void *user;
  struct TwShard *shards; /* counters */
};

#endif
