# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Names that mean something else in generated code: keywords, functions of the vendor's, other letters.
import helion
import helion.language as hl
import torch


@helion.kernel
def names(tile, int, noc_async_read_barrier):
    m, k = tile.size()
    n = int.size(1)
    cb_wait_front = torch.empty([m, n], dtype=tile.dtype)
    for π, kernel_main in hl.tile([m, n]):
        uint32_t = hl.zeros([π, kernel_main], dtype=torch.float32)
        for while_ in hl.tile(k):
            uint32_t = torch.addmm(uint32_t, tile[π, while_], int[while_, kernel_main])
        cb_wait_front[π, kernel_main] = uint32_t + noc_async_read_barrier[kernel_main]
    return cb_wait_front
