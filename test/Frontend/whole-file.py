# A file as it is found in the wild: one kernel is read, everything around it is ignored.
# RUN: %tilewright compile %s:product --arch wormhole --emit=ir --stop-after=tile -a 'x=bf16[128,96]' -a 'y=bf16[96,64]' | FileCheck %s
# RUN: %tilewright compile %s:product --arch wormhole --emit=ir --stop-after=tile -a 'x=bf16[128,96]' -a 'y=f32[96,64]' | FileCheck %s --check-prefix=MIXED
# RUN: not %tilewright compile %s --arch wormhole -a 'x=bf16[128,96]' -a 'y=bf16[96,64]' 2>&1 | FileCheck %s --check-prefix=SEVERAL
# RUN: not %tilewright compile %s:produkt --arch wormhole -a 'x=bf16[128,96]' 2>&1 | FileCheck %s --check-prefix=NAME
# RUN: not %tilewright compile %s:linear --arch wormhole -a 'x=bf16[128,96]' 2>&1 | FileCheck %s --check-prefix=PLAIN
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import helion
from helion._testing import DEVICE, run_example
import helion.language as hl
import torch
from torch import Tensor

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = {name: 2**i for i, name in enumerate("abc")}


# SEVERAL: whole-file.py: error: the file defines 2 kernels: 'product' and 'gradient' [frontend.kernel]
# NAME: error: there is no kernel 'produkt' [frontend.kernel]
# NAME: help: did you mean 'product'?
# CHECK: func.func @product(
# CHECK-SAME: memref<128x96xbf16> {tw.name = "x", tw.role = "input"}
# CHECK-SAME: memref<96x64xbf16> {tw.name = "y", tw.role = "input"}
# CHECK-SAME: memref<128x64xbf16> {tw.name = "out", tw.role = "output"})
# CHECK-SAME: tw.source = "{{.*}}whole-file.py:product"
# CHECK-NEXT: tw.sym @tile_m extent 128 in [1, 128]
# CHECK-NEXT: tw.sym @tile_n extent 64 in [1, 64]
# CHECK-NEXT: tw.sym @tile_k extent 96 in [1, 96]
# CHECK-NEXT: tw.grid (%[[M:.*]], %[[N:.*]]) = [@tile_m over 128, @tile_n over 64] {
# CHECK-NEXT:   %[[ZERO:.*]] = tw.fill 0.000000e+00 : !tw.tile<[@tile_m, @tile_n], f32>
# CHECK-NEXT:   %[[ACC:.*]] = tw.loop %[[K:.*]] = @tile_k over 96 carry (%[[A:.*]] = %[[ZERO]]
# CHECK-NEXT:     %[[X:.*]] = tw.load %{{.*}}[%[[M]], %[[K]]]
# CHECK-NEXT:     %[[Y:.*]] = tw.load %{{.*}}[%[[K]], %[[N]]]
# CHECK-NEXT:     %[[C:.*]] = tw.matmul %[[X]], %[[Y]], %[[A]]
# CHECK-NEXT:     tw.yield %[[C]]
# CHECK:        %[[O:.*]] = tw.cast %[[ACC]]
# CHECK-NEXT:   tw.store %[[O]], %{{.*}}[%[[M]], %[[N]]]
# The result's dtype follows torch.promote_types.
# MIXED: memref<128x64xf32> {tw.name = "out", tw.role = "output"}
# MIXED-NOT: tw.cast
@helion.kernel(
    static_shapes=True,
    autotune_config_overrides={"range_num_stages": [0, 0]} if os.environ.get("TUNE") else {},
    autotune_baseline_fn=lambda *arguments: torch.matmul(*arguments[:2]),
)
def product(
    x: Tensor,
    y: Tensor,
    epilogue: Callable[[Tensor, tuple[Tensor, ...]], Tensor] = lambda acc, tile: acc,
) -> Tensor:
    """The docstring is an expression statement."""
    rows, inner = x.size()
    inner2, columns = y.size()
    assert inner == inner2, f"inner sizes {inner} and {inner2} differ"
    out = torch.empty([rows, columns], dtype=torch.promote_types(x.dtype, y.dtype), device=x.device)
    for tile_m, tile_n in hl.tile([rows, columns]):
        acc = hl.zeros([tile_m, tile_n], dtype=torch.float32)
        for tile_k in hl.tile(inner):
            acc = torch.addmm(acc, x[tile_m, tile_k], y[tile_k, tile_n])
        out[tile_m, tile_n] = epilogue(acc, (tile_m, tile_n))
    return out


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        ctx.save_for_backward(a, b)
        return product(a, b)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        a, b = ctx.saved_tensors
        return product(gradients[0], b.T), product(a.T, gradients[0])


# PLAIN: whole-file.py:[[@LINE+1]]:1: error: 'linear' is not a Helion kernel [frontend.kernel]
def linear(x: Tensor, y: Tensor, bias: Tensor) -> Tensor:
    return product(x, y, lambda acc, tile: acc + bias[tile[1]])


@helion.kernel
def gradient(x: Tensor) -> Tensor:
    while True:
        yield from (v async for v in x)


def main() -> None:
    with torch.no_grad():
        for m, *_ in [(128, 1), (256, 2)]:
            a = torch.randn([m, m], device=DEVICE)
            run_example(product, torch.matmul, (a, a))


if __name__ == "__main__":
    main()
