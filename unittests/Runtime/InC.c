/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * usage: dispatch-in-c PATH: builds a table there, opens it and looks up, from C11 alone. */
#include "tilewright_dispatch.h"
#include <stdio.h>
#include <string.h>

static tw_status planDouble(void *user, const tw_shape *shape, tw_plan *plan) {
  ++*(int *)user;
  plan->m1 = 2 * (uint32_t)shape->m;
  plan->kernel = 1;
  return TW_OK;
}

static int report(const char *what, tw_status status) {
  printf("%s: %s\n", what, tw_status_text(status));
  return 1;
}

static int useTable(tw_dispatcher *d, const tw_shape *known, int *calls) {
  tw_plan plan;
  tw_shape other = tw_shape_dense(7, 8, 9, TW_ROW, TW_COLUMN, TW_BF16);
  tw_status status = tw_lookup(d, known, &plan);
  if (status != TW_OK || plan.m1 != 128 || strcmp(tw_kernel_name(d, plan.kernel), "alpha") != 0)
    return report("table", status);
  for (int i = 0; i < 2; ++i) {
    status = tw_lookup(d, &other, &plan);
    if (status != TW_OK || plan.m1 != 14 || strcmp(tw_kernel_name(d, plan.kernel), "beta") != 0)
      return report("planner", status);
  }
  return *calls == 1 ? 0 : report("the second lookup was planned again", TW_OK);
}

int main(int argc, char **argv) {
  const char *names[] = {"alpha", "beta"};
  tw_shape shape = tw_shape_dense(128, 256, 512, TW_ROW, TW_ROW, TW_FP16);
  tw_plan plan = {.m1 = 128, .n1 = 256, .split_k = 1};
  tw_dispatcher *d;
  int calls = 0;
  if (argc != 2)
    return 2;
  tw_status status = tw_table_build(&shape, &plan, 1, names, 2, "here", 1, argv[1], NULL);
  if (status != TW_OK)
    return report("build", status);
  status = tw_open(argv[1], "here", 1, planDouble, &calls, 8, &d);
  if (status != TW_OK)
    return report("open", status);
  int result = useTable(d, &shape, &calls);
  tw_close(d);
  return result;
}
