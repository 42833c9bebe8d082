# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the paper's 18 GEMM shapes; L1 bytes of report, manifest and buffers must agree.

usage: paper_shapes.py TILEWRIGHT KERNELS SCRATCH
"""
import json
import re
import subprocess
import sys

tool, kernels, scratch = sys.argv[1:]
compiled = 0
for m, n in ((256, 256), (2048, 256), (2048, 2048), (16384, 256), (16384, 2048), (16384, 16384)):
    for k in (256, 2048, 16384):
        command = [tool, "compile", f"{kernels}/matmul.py:matmul", "--arch", "wormhole", "-a", f"x=bf16[{m},{k}]",
                   "-a", f"y=bf16[{k},{n}]", "-o", f"{scratch}.out"]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"{' '.join(command)}\n{result.stderr}")
        used, available = map(int, re.search(r"^L1 +(\d+) of (\d+) bytes", result.stdout, re.M).groups())
        manifest = json.load(open(f"{scratch}.out/manifest.json"))
        buffers = sum(b["bytes"] for b in manifest["circular_buffers"] if "alias_of" not in b)
        if not (used == manifest["l1"]["used"] == buffers and used <= available == manifest["l1"]["available"]):
            sys.exit(f"{m}x{n}x{k}: report {used}, manifest {manifest['l1']}, buffers {buffers}")
        compiled += 1
print(f"{compiled} shapes compiled")
