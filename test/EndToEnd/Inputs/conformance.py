# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Emits a variety of kernels and compiles them against the vendor's headers.

usage: conformance.py TILEWRIGHT KERNELS SIMULATE VENDOR SCRATCH
"""
import subprocess
import sys

tool, kernels, simulate, vendor, scratch = sys.argv[1:]
tensors = lambda m, k, n, t="bf16": ["-a", f"x={t}[{m},{k}]", "-a", f"y={t}[{k},{n}]"]
epilogue = lambda name, *more: ["-a", f"epilogue={kernels}/epilogues.py:{name}"] + [w for a in more for w in ("-a", a)]
CASES = {
    "one-core": tensors(64, 64, 64) + ["--grid", "1x1"],
    "large": tensors(2048, 2048, 2048),
    "tails": tensors(100, 50, 70),
    "multicast": tensors(96, 160, 128) + ["--grid", "2x2", "--fix", "sharers_x=2", "--fix", "cores_tile_n=2"],
    "bias-relu": tensors(96, 64, 64) + epilogue("bias_relu", "bias=bf16[64]"),
    "bias-column": tensors(96, 64, 64) + epilogue("bias_column", "bias=bf16[96]"),
    "residual": tensors(96, 64, 64) + epilogue("add_residual", "residual=bf16[96,64]"),
    "f32": tensors(96, 64, 64, "f32") + epilogue("bias_relu", "bias=f32[64]"),
    "gelu": tensors(96, 64, 64) + epilogue("gelu"),
    "silu": tensors(96, 64, 64) + epilogue("silu"),
    "scaled": tensors(96, 64, 64) + epilogue("scaled", "alpha=0.5"),
}
folders = []
for name, words in CASES.items():
    folder = f"{scratch}.{name}"
    subprocess.run([tool, "compile", f"{kernels}/matmul.py:matmul", "--arch", "wormhole", "-o", folder] + words,
                   check=True, stdout=subprocess.DEVNULL)
    folders.append(folder)
result = subprocess.run(["/usr/bin/python3", f"{simulate}/conform.py", "--vendor", vendor] + folders,
                        capture_output=True, text=True)
print(result.stdout[-6000:], result.stderr[-2000:])
if result.returncode == 0 and result.stdout.count("OK ") >= 5 * len(folders):
    print(f"{len(folders)} kernels conform")
