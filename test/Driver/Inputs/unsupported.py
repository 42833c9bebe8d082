import helion
import helion.language as hl
import torch


@helion.kernel()
def looping(x: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(x)
    for tile in hl.tile(x.size()):
        while True:
            out[tile] = x[tile]
    return out
