/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The statuses in words. */
#include "tilewright_dispatch.h"

const char *tw_status_text(tw_status status) {
  switch (status) {
  case TW_OK:
    return "success";
  case TW_NOT_FOUND:
    return "the shape is not in the table and there is no planner";
  case TW_BAD_SHAPE:
    return "an extent, leading dimension, layout, dtype or flag of the shape is out of range";
  case TW_BAD_PLAN:
    return "the plan's kernel, predicted cycles or reserved words are out of range";
  case TW_BAD_ARGUMENT:
    return "an argument is null or out of range";
  case TW_NO_PLAN:
    return "the planner has no plan for the shape";
  case TW_NO_MEMORY:
    return "out of memory";
  case TW_SYSTEM_ERROR:
    return "the operating system refused the file; errno says why";
  case TW_NOT_A_TABLE:
    return "the file is not a dispatch table";
  case TW_OTHER_ENDIANNESS:
    return "the table and this processor do not share little-endian byte order";
  case TW_OTHER_VERSION:
    return "the table has another format version; build it again";
  case TW_TRUNCATED:
    return "the file's length is not what its header says; build it again";
  case TW_BAD_CHECKSUM:
    return "the table's bytes have changed since it was written; build it again";
  case TW_OTHER_MACHINE:
    return "the table was built for another machine";
  case TW_OTHER_FINGERPRINT:
    return "the table was built for another description of this machine; build it again";
  case TW_MALFORMED:
    return "the table's content breaks the format";
  case TW_CONFLICT:
    return "one shape was given two different plans";
  case TW_BAD_NAMES:
    return "a name is empty or too long, or the kernel names are not in strictly ascending order";
  case TW_INCOMPLETE:
    return "the table written does not give back every shape; this is a defect, please report it";
  }
  return "unknown status";
}
