# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import helion
import helion.language as hl
import torch


@helion.kernel
def six(x, y, a, b, c, d, e, f):
    m, k = x.size()
    k, n = y.size()
    out = torch.empty([m, n], dtype=torch.bfloat16)
    for tile_m, tile_n in hl.tile([m, n]):
        acc = hl.zeros([tile_m, tile_n])
        for tile_k in hl.tile(k):
            acc = torch.addmm(acc, x[tile_m, tile_k], y[tile_k, tile_n])
        acc = acc + a[tile_n] + b[tile_n] + c[tile_n] + d[tile_n] + e[tile_n] + f[tile_n]
        out[tile_m, tile_n] = acc
    return out


@helion.kernel
def ten(x, y, a, b, c, d, e, f, g, h, i, j):
    m, k = x.size()
    k, n = y.size()
    out = torch.empty([m, n], dtype=torch.bfloat16)
    for tile_m, tile_n in hl.tile([m, n]):
        acc = hl.zeros([tile_m, tile_n])
        for tile_k in hl.tile(k):
            acc = torch.addmm(acc, x[tile_m, tile_k], y[tile_k, tile_n])
        acc = acc + a[tile_n] + b[tile_n] + c[tile_n] + d[tile_n] + e[tile_n] + f[tile_n]
        out[tile_m, tile_n] = acc + g[tile_n] + h[tile_n] + i[tile_n] + j[tile_n]
    return out
