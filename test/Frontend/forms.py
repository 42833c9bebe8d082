# Forms of loops, sizes and products; each kernel's program is checked beside it.
# RUN: %tilewright compile %s:rows --arch wormhole --emit=ir --stop-after=tile -a 'x=bf16[64,96]' | FileCheck %s --check-prefix=ROWS
# RUN: %tilewright compile %s:sizes --arch wormhole --emit=ir --stop-after=tile -a 'x=f32[64,96]' -a 'y=f32[96,64]' | FileCheck %s --check-prefix=SIZES
# RUN: %tilewright compile %s:narrow --arch wormhole --emit=ir --stop-after=tile -a 'x=bf16[64,96]' -a 'y=bf16[96,64]' | FileCheck %s --check-prefix=NARROW
# RUN: %tilewright compile %s:rounded --arch wormhole --emit=ir --stop-after=tile -a 'x=bf16[64,96]' -a 'y=bf16[96,64]' | FileCheck %s --check-prefix=ROUNDED
# RUN: %tilewright compile %s:two --arch wormhole --emit=ir --stop-after=tile -a 'x=bf16[64,96]' -a scale=2 | FileCheck %s --check-prefix=TWO
# RUN: %tilewright compile %s:branches --arch wormhole --emit=ir --stop-after=tile -a 'x=bf16[64,96]' -a mode=relu | FileCheck %s --check-prefix=RELU
# RUN: %tilewright compile %s:branches --arch wormhole --emit=ir --stop-after=tile -a 'x=bf16[64,96]' -a mode=none | FileCheck %s --check-prefix=NONE
import helion as h
from helion import language as hl
import torch


# ROWS: tw.sym @row extent 64 in [32, 32]
# ROWS: tw.grid (%[[R:.*]]) = [@row over 64]
# ROWS: %[[Z:.*]] = arith.constant 0 : index
# ROWS: tw.load %{{.*}}[%[[R]], %[[Z]]] : memref<64x96xbf16> -> !tw.tile<[@row, 96], bf16>
@h.kernel
def rows(x):
    out = torch.empty_like(x)
    for row in hl.tile(x.size(0), block_size=32):
        out[row] = torch.exp(x[row, :])
    return out


# SIZES: tw.sym @tile_m extent 64 in [32, 64]
# SIZES: tw.sym @tile_n extent 64 in [1, 64]
# SIZES: tw.sym @tile_k extent 96 in [1, 32]
# SIZES: %[[ACC:.*]] = tw.loop %{{.*}} = @tile_k over 96 carry (%[[A:.*]] = %
# SIZES: tw.matmul %{{.*}}, %{{.*}}, %[[A]] :
# SIZES-NOT: tw.binary
@h.jit(config=h.Config(block_sizes=[64, 64, 32]))
def sizes(x, y):
    m, n = x.shape[0], y.shape[-1]
    block_m = hl.register_block_size(32, 128)
    block_k = hl.register_block_size(32)
    out = x.new_empty(m, n)
    for tile_m, tile_n in hl.tile([m, n], block_size=[block_m, None]):
        acc = hl.full([tile_m, tile_n], 0.0)
        for tile_k in hl.tile(0, hl.specialize(x.size(1)), block_size=block_k):
            acc += x[tile_m, tile_k] @ y[tile_k, tile_n]
        out[tile_m, tile_n] = acc
    return out


# A bf16 accumulator is rounded at every step.
# NARROW: tw.fill 0.000000e+00 : !tw.tile<[@tile_m, @tile_n], bf16>
# NARROW: tw.matmul {{.*}} -> !tw.tile<[@tile_m, @tile_n], bf16>
# NARROW-NOT: tw.cast
@h.kernel()
def narrow(x, y):
    out = torch.zeros([x.size(0), y.size(1)], dtype=x.dtype)
    for tile_m, tile_n in hl.tile(out.size()):
        acc = hl.zeros([tile_m, tile_n], dtype=x.dtype)
        for tile_k in hl.tile(x.size(1)):
            acc = torch.addmm(acc, x[tile_m, tile_k], y[tile_k, tile_n])
        out[tile_m, tile_n] += acc * 2.0
    return out


# The result of @ on bf16 is bf16, also when it is added to f32.
# ROUNDED: %[[P:.*]] = tw.matmul {{.*}} -> !tw.tile<[@tile_m, @tile_n], f32>
# ROUNDED-NEXT: %[[B:.*]] = tw.cast %[[P]] : !tw.tile<[@tile_m, @tile_n], f32> -> !tw.tile<[@tile_m, @tile_n], bf16>
# ROUNDED-NEXT: tw.binary add %{{.*}}, %[[B]]
@h.kernel()
def rounded(x, y):
    out = torch.empty([x.size(0), y.size(1)], dtype=torch.float32)
    for tile_m, tile_n in hl.tile(out.size()):
        acc = hl.zeros([tile_m, tile_n])
        for tile_k in hl.tile(x.size(1)):
            acc = acc + torch.matmul(x[tile_m, tile_k], y[tile_k, tile_n])
        out[tile_m, tile_n] = acc
    return out


# TWO: {tw.name = "first", tw.role = "output"}, %{{.*}} {tw.name = "second", tw.role = "output"}
# TWO: tw.binary mul
@h.kernel()
def two(x, scale: float = 1.0):
    second, first = torch.empty_like(x), torch.empty_like(x, dtype=torch.float32)
    for tile in hl.tile(x.size()):
        value = x[tile]
        first[tile], second[tile] = value * scale, value
    return first, second


# RELU: tw.unary relu
# NONE-NOT: tw.unary
@h.kernel()
def branches(x, mode: str, bias=None):
    out = torch.empty_like(x)
    for tile in hl.tile(x.size()):
        value = x[tile]
        if mode == "relu" and bias is None:
            value = value.relu()
        elif bias is not None:
            value = value + bias[tile[1]]
        out[tile] = value
    return out
