# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""relu(x @ y + bias), with the bias as an ordinary argument that may be absent."""
from __future__ import annotations

import helion
import helion.language as hl
import torch


@helion.kernel()
def matmul_bias_relu(x: torch.Tensor, y: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    m, k = x.shape
    k2, n = y.shape
    assert k == k2, f"inner dims differ: x has {k} columns, y has {k2} rows"
    if bias is not None:
        assert bias.size(0) == n, f"bias has {bias.size(0)} elements, y has {n} columns"
    out = torch.empty([m, n], dtype=x.dtype, device=x.device)
    for tile_m, tile_n in hl.tile([m, n]):
        acc = hl.zeros([tile_m, tile_n], dtype=torch.float32)
        for tile_k in hl.tile(k):
            acc = hl.dot(x[tile_m, tile_k], y[tile_k, tile_n], acc=acc)
        if bias is not None:
            acc = acc + bias[tile_n]
        out[tile_m, tile_n] = torch.relu(acc).to(out.dtype)
    return out
