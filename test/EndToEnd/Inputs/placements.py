# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same block sizes on several sub-meshes and sharings give the same bytes.

usage: placements.py TILEWRIGHT KERNELS SCRATCH
"""
import pathlib
import subprocess
import sys

tool, kernels, scratch = sys.argv[1:]
blocks = ["--fix", "tile_m=32", "--fix", "tile_n=64", "--fix", "tile_k=64", "--fix", "sub_m=1", "--fix", "sub_n=2"]
placements = [
    ["--grid", "1x1"],
    ["--grid", "8x8"],
    ["--fix", "cores_tile_m=4", "--fix", "cores_tile_n=2", "--fix", "sharers_x=2", "--fix", "sharers_y=4"],
    ["--fix", "cores_tile_m=4", "--fix", "cores_tile_n=2", "--fix", "sharers_x=1", "--fix", "sharers_y=1"],
    ["--fix", "cores_tile_m=3", "--fix", "cores_tile_n=3", "--fix", "pipe_tile_k_load=1"],
    ["--fix", "cores_tile_m=1", "--fix", "cores_tile_n=3", "--fix", "sharers_x=3"],
]
seen = {}
for index, placement in enumerate(placements):
    folder = pathlib.Path(f"{scratch}.{index}")
    command = [tool, "run", f"{kernels}/matmul.py:matmul", "--arch", "wormhole", "--seed", "5", "-a", "x=bf16[130,200]",
               "-a", "y=bf16[200,190]", "--save", str(folder)] + blocks + placement
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}\n{result.stdout}{result.stderr}")
    seen.setdefault((folder / "out.npy").read_bytes(), []).append(placement)
if len(seen) == 1:
    print("same bits on every placement")
else:
    print(f"{len(seen)} different results: {list(seen.values())}")
