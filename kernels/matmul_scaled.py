# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""alpha * (x @ y) + beta * c, with numbers for alpha and beta and a pinned block along k."""
from __future__ import annotations

import helion
import helion.language as hl
import torch


@helion.kernel(static_shapes=True)
def matmul_scaled(
    x: torch.Tensor, y: torch.Tensor, c: torch.Tensor, alpha: float = 1.0, beta: float = 1.0
) -> torch.Tensor:
    m, k = x.size()
    k2, n = y.size()
    assert k == k2 and c.shape == (m, n), "shapes do not fit together"
    out = x.new_empty([m, n])
    block_k = hl.register_block_size(32, 256)
    for tile_m, tile_n in hl.tile(out.size()):
        acc = hl.zeros([tile_m, tile_n], dtype=torch.float32)
        for tile_k in hl.tile(k, block_size=block_k):
            acc += hl.dot(x[tile_m, tile_k], y[tile_k, tile_n])
        out[tile_m, tile_n] = alpha * acc + beta * c[tile_m, tile_n]
    return out
