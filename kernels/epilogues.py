# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Epilogues for matmul.py: functions of the f32 accumulator and the tiles (tile_m, tile_n) of its block.

Free names (bias, residual, alpha, gate) are captured. In Python they are globals of this module, set by the
caller (`epilogues.bias = ...`); on the command line they are described by further arguments:

    tilewright run kernels/matmul.py -a x=bf16[512,512] -a y=bf16[512,512] \\
        -a epilogue=kernels/epilogues.py:bias_relu -a bias=bf16[512]
"""
import torch
import torch.nn.functional as F

SQRT_HALF = 0.7071067811865476


def relu(acc, tile):
    return torch.relu(acc)


def gelu(acc, tile):
    return F.gelu(acc)


def gelu_tanh(acc, tile):
    return F.gelu(acc, approximate="tanh")


def gelu_erf(acc, tile):
    """gelu spelled out with erf."""
    return 0.5 * acc * (1.0 + torch.erf(acc * SQRT_HALF))


def silu(acc, tile):
    return F.silu(acc)


def add_bias(acc, tile):
    return acc + bias[tile[1]]


def bias_relu(acc, tile):
    return torch.relu(acc + bias[tile[1]])


def bias_column(acc, tile):
    """A bias per row of the result."""
    tile_m, _ = tile
    return acc + bias[tile_m][:, None]


def add_residual(acc, tile):
    tile_m, tile_n = tile
    return acc + residual[tile_m, tile_n]


def bias_residual_gelu(acc, tile):
    tile_m, tile_n = tile
    return F.gelu(acc + bias[tile_n]) + residual[tile_m, tile_n]


def scaled(acc, tile):
    """alpha is a number."""
    return alpha * acc


def swish_gate(acc, tile):
    return acc * torch.sigmoid(gate[tile[0], tile[1]].to(torch.float32))


def clamped(acc, tile):
    return torch.clamp(acc, -1.0, 1.0)
