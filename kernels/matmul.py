# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix product with a pluggable epilogue: out = epilogue(x @ y).

The epilogue gets the f32 accumulator and the tiles of its block; `epilogues.py` has some.
"""
from __future__ import annotations

from typing import Callable

import helion
import helion.language as hl
import torch


@helion.kernel(static_shapes=True)
def matmul(
    x: torch.Tensor,
    y: torch.Tensor,
    epilogue: Callable[[torch.Tensor, tuple[torch.Tensor, ...]], torch.Tensor] = lambda acc, tile: acc,
) -> torch.Tensor:
    m, k = x.size()
    k2, n = y.size()
    assert k == k2, f"inner dims differ: x has {k} columns, y has {k2} rows"
    out = torch.empty([m, n], dtype=torch.promote_types(x.dtype, y.dtype), device=x.device)
    for tile_m, tile_n in hl.tile([m, n]):
        acc = hl.zeros([tile_m, tile_n], dtype=torch.float32)
        for tile_k in hl.tile(k):
            acc = torch.addmm(acc, x[tile_m, tile_k], y[tile_k, tile_n])
        out[tile_m, tile_n] = epilogue(acc, (tile_m, tile_n))
    return out


if __name__ == "__main__":
    a = torch.randn([512, 256], dtype=torch.bfloat16, device="cuda")
    b = torch.randn([256, 384], dtype=torch.bfloat16, device="cuda")
    torch.testing.assert_close(matmul(a, b), a @ b)
