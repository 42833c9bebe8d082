// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores one tile.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr auto layout = TensorAccessorArgs<0>();
  const auto target = TensorAccessor(layout, get_arg_val<uint32_t>(0), 2048);
  cb_wait_front(16, 1);
  noc_async_write_page(0, target, get_read_ptr(16));
  noc_async_write_barrier();
  cb_pop_front(16, 1);
}
