// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An SFPU operation: its code needs the vendor's vector language.
#include "api/compute/cb_api.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_unary/relu.h"
#include "api/compute/matmul.h"
#include "api/compute/pack.h"
#include "api/compute/reconfig_data_format.h"
#include "api/compute/reg_api.h"
#include "api/compute/tile_move_copy.h"

void kernel_main() {
  constexpr uint32_t steps = get_compile_time_arg_val(0);
  compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, 2);
  matmul_block_init(0, 1, 0, 1, 1, 1);
  for (uint32_t step = 0; step < steps; ++step) {
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    if (step > 0) {
      cb_wait_front(2, 1);
      cb_pop_front(2, 1);
    }
    cb_reserve_back(2, 1);
    pack_reconfig_l1_acc(step > 0);
    tile_regs_acquire();
    matmul_block(0, 1, 0, 0, 0, 0, 1, 1, 1);
    tile_regs_commit();
    tile_regs_wait();
    pack_tile<true>(0, 2, 0);
    tile_regs_release();
    cb_push_back(2, 1);
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
  }
  pack_reconfig_l1_acc(0);
  pack_reconfig_data_format(16);
  pack_relu_config(ReluConfig::zero());
  reconfig_data_format_srca(2);
  copy_init(2);
  cb_wait_front(2, 1);
  cb_reserve_back(16, 1);
  tile_regs_acquire();
  copy_tile(2, 0, 0);
  relu_tile_init();
  relu_tile(0);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile<true>(0, 16, 0);
  tile_regs_release();
  cb_push_back(16, 1);
  cb_pop_front(2, 1);
}
