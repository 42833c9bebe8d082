# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random GEMMs with random pinned block sizes; each must PASS, or be refused because it does not fit.

usage: random_runs.py TILEWRIGHT KERNELS SCRATCH COUNT
"""
import random
import subprocess
import sys

tool, kernels, _, count = sys.argv[1:]
random.seed(20260926)
right, attempts = 0, 0
while right < int(count):
    attempts += 1
    m, n, k = (random.choice([random.randint(1, 40), random.randint(33, 200), 32 * random.randint(1, 8)]) for _ in "mnk")
    command = [tool, "run", f"{kernels}/matmul.py:matmul", "--arch", "wormhole", "--seed", str(attempts),
               "-a", f"x=bf16[{m},{k}]", "-a", f"y=bf16[{k},{n}]",
               "--grid", f"{random.randint(1, 4)}x{random.randint(1, 4)}"]
    for symbol, extent in (("tile_m", m), ("tile_n", n), ("tile_k", k)):
        if random.random() < 0.7:
            command += ["--fix", f"{symbol}={32 * random.randint(1, (extent + 31) // 32)}"]
    if random.random() < 0.3:
        command += ["--fix", f"pipe_tile_k_load={random.randint(0, 1)}"]
    epilogue = random.choice(["", "bias_relu", "add_residual", "relu"])
    if epilogue:
        command += ["-a", f"epilogue={kernels}/epilogues.py:{epilogue}"]
    if epilogue == "bias_relu":
        command += ["-a", f"bias=bf16[{n}]"]
    if epilogue == "add_residual":
        command += ["-a", f"residual=bf16[{m},{n}]"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode or "PASS (in emulation)" not in result.stdout:
        sys.exit(f"{' '.join(command)}\n{result.stdout}{result.stderr}")
    right += 1
print(f"{right} random programs right")
