// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A page read by its deprecated name.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t tiles = get_compile_time_arg_val(0);
  constexpr auto layout = TensorAccessorArgs<1>();
  const auto source = TensorAccessor(layout, get_arg_val<uint32_t>(0), 2048);
  const uint32_t valid = get_semaphore(0);
  const uint64_t cores = get_noc_multicast_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2),
                                                get_arg_val<uint32_t>(3), get_arg_val<uint32_t>(4), 0);
  for (uint32_t tile = 0; tile < tiles; ++tile) {
    cb_reserve_back(0, 1);
    const uint32_t to = get_write_ptr(0);
    noc_async_read_tile(tile, source, to);
    noc_async_read_barrier();
    noc_async_write_multicast(to, cores | to, 2048, 3, true);
    noc_semaphore_set_multicast(valid, cores | valid, 3, false);
    noc_async_writes_flushed();
    cb_push_back(0, 1);
  }
  noc_async_full_barrier();
}
