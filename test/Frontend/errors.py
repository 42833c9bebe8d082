# Wrong and unsupported kernels: one located diagnostic each.
# RUN: rm -rf %t && mkdir %t
# RUN: not %tilewright compile %s:carried --arch wormhole -a 'x=bf16[64,96]' 2>&1 | FileCheck %s --check-prefix=CARRIED
# RUN: not %tilewright compile %s:local --arch wormhole -a 'x=bf16[64,96]' 2>&1 | FileCheck %s --check-prefix=LOCAL
# RUN: not %tilewright compile %s:reduction --arch wormhole -a 'x=bf16[64,96]' 2>&1 | FileCheck %s --check-prefix=REDUCTION
# RUN: not %tilewright compile %s:race --arch wormhole -a 'x=bf16[64,96]' 2>&1 | FileCheck %s --check-prefix=RACE
# RUN: not %tilewright compile %s:again --arch wormhole -a 'x=bf16[64,96]' 2>&1 | FileCheck %s --check-prefix=AGAIN
# RUN: not %tilewright compile %s:inner --arch wormhole -a 'x=bf16[64,96]' -a 'y=bf16[95,64]' 2>&1 | FileCheck %s --check-prefix=INNER
# RUN: not %tilewright compile %s:half --arch wormhole -a 'x=bf16[64,96]' 2>&1 | FileCheck %s --check-prefix=HALF
# RUN: not %tilewright compile %s:nothing --arch wormhole -a 'x=bf16[64,96]' 2>&1 | FileCheck %s --check-prefix=NOTHING
# RUN: not %tilewright compile %s:carried --arch wormhole 2>&1 | FileCheck %s --check-prefix=ARGUMENT
# RUN: not %tilewright compile %s:carried --arch wormhole -a 'x=bf16[2,64,96]' 2>&1 | FileCheck %s --check-prefix=RANK
# RUN: ls %t | count 0
import helion
import helion.language as hl
import torch


# ARGUMENT: errors.py:{{[0-9]+}}:1: error: kernel 'carried' needs an argument 'x' [frontend.arguments]
# RANK: argument 'x=bf16[2,64,96]':1:8: error: not supported: tensor 'x' with 3 dims [frontend.dim]
@helion.kernel
def carried(x):
    out = torch.empty_like(x)
    for tile_m, tile_n in hl.tile(x.size()):
        total = x[tile_m, tile_n]
        for tile_k in hl.tile(32):
            # CARRIED: errors.py:[[@LINE+2]]:13: error: 'total' is bfloat16 [tile_m, tile_n] before the loop and float32 [tile_m, tile_n] after one iteration [frontend.loop-carried]
            # CARRIED: errors.py:[[@LINE-3]]:9: note: assigned here before the loop
            total = total + hl.zeros([tile_m, tile_n])
        out[tile_m, tile_n] = total
    return out


@helion.kernel
def local(x):
    out = torch.empty_like(x)
    for tile_m in hl.tile(x.size(0)):
        for tile_n in hl.tile(x.size(1)):
            last = x[tile_m, tile_n]
        # LOCAL: errors.py:[[@LINE+2]]:26: error: 'last' got its value inside the loop over 'tile_n' and is used after it [frontend.loop-local]
        # LOCAL: errors.py:[[@LINE-2]]:13: note: assigned here
        out[tile_m, :] = last
    return out


@helion.kernel
def reduction(x):
    out = torch.empty([x.size(0)], dtype=x.dtype)
    for tile_m in hl.tile(x.size(0)):
        # REDUCTION: errors.py:[[@LINE+2]]:23: error: not supported: a reduction over a tile [frontend.unsupported]
        # REDUCTION: help: matrix products and pointwise functions are supported
        out[tile_m] = x[tile_m, :].sum(-1)
    return out


@helion.kernel
def race(x):
    out = torch.empty([x.size(0)], dtype=x.dtype)
    for tile_m, tile_n in hl.tile(x.size()):
        # RACE: errors.py:[[@LINE+1]]:9: error: not supported: storing to 'out' without the outer tile 'tile_n'
        out[tile_m] = 0
    return out


@helion.kernel
def again(x):
    out = torch.empty_like(x)
    for tile in hl.tile(x.size()):
        out[tile] = x[tile]
        # AGAIN: errors.py:[[@LINE+2]]:9: error: not supported: reading 'out' after it was stored [frontend.unsupported]
        # AGAIN: errors.py:[[@LINE-2]]:9: note: stored here
        out[tile] += 1
    return out


@helion.kernel
def inner(x, y):
    k, k2 = x.size(1), y.size(0)
    # INNER: errors.py:[[@LINE+1]]:5: error: assertion failed: inner sizes differ ('k' is 96, 'k2' is 95) [frontend.assert]
    assert k == k2, "inner sizes differ"
    return x


@helion.kernel
def half(x):
    # HALF: errors.py:[[@LINE+2]]:11: error: not supported: dtype torch.float16 [frontend.unsupported]
    # HALF: help: bf16 (bfloat16) and f32 (float32) are supported
    out = torch.empty_like(x, dtype=torch.half)
    return out


@helion.kernel
def nothing(x):
    # NOTHING: errors.py:[[@LINE+1]]:11: error: the kernel returns 'out' but never stores to it [frontend.never-stored]
    out = torch.empty_like(x)
    for tile in hl.tile(x.size()):
        value = x[tile]
    return out
