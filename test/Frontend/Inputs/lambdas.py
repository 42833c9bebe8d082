import math

import torch.nn.functional as F

SCALE = 1.0 / math.sqrt(64)


def shifted(value, tiles):
    return value * SCALE + shift[tiles[0], tiles[1]]


scaled_bias = lambda acc, tile: F.gelu(shifted(acc, tile), approximate="tanh")
