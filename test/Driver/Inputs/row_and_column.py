# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import helion
import helion.language as hl
import torch


@helion.kernel
def row_and_column(x, b):
    out = torch.empty_like(x)
    for tile_m, tile_n in hl.tile(x.size()):
        row = b[tile_n]
        column = b[tile_m][:, None]
        out[tile_m, tile_n] = x[tile_m, tile_n] + row + column
    return out
