# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels without a reduction: a grid of blocks, no inner loop."""
from __future__ import annotations

import helion
import helion.language as hl
import torch
import torch.nn.functional as F


@helion.kernel
def add(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    assert x.shape == y.shape, f"shapes differ: {x.shape} and {y.shape}"
    out = torch.empty(x.shape, dtype=torch.promote_types(x.dtype, y.dtype), device=x.device)
    for tile in hl.tile(out.size()):
        out[tile] = x[tile] + y[tile]
    return out


@helion.kernel
def swiglu(gate: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    assert gate.shape == up.shape, f"shapes differ: {gate.shape} and {up.shape}"
    out = torch.empty_like(gate)
    for tile_m, tile_n in hl.tile(gate.shape):
        activated = F.silu(gate[tile_m, tile_n].to(torch.float32))
        out[tile_m, tile_n] = activated.to(up.dtype) * up[tile_m, tile_n]
    return out
