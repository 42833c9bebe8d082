#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels whose epilogues are one expression each, several to a kernel.

usage: functions.py TILEWRIGHT FOLDER; prints each kernel that does not PASS, exit status 1 then.
"""
import pathlib
import subprocess
import sys

EXPRESSIONS = """
acc / 2
acc / 3
acc / -0.25
acc / 7.5
3 / (acc.abs() + 1)
2 - acc
acc - 2
-acc
acc ** 2
torch.clamp(acc, min=-1.0, max=2.0)
torch.clamp(acc, min=0.5)
torch.maximum(acc, acc * 0.1)
torch.minimum(acc, -acc)
torch.exp(acc * 0.1)
torch.exp2(acc * 0.1)
torch.log(acc.abs() + 0.1)
torch.sqrt(acc.abs())
torch.rsqrt(acc.abs() + 0.5)
torch.reciprocal(acc.abs() + 0.5)
torch.sigmoid(acc)
torch.tanh(acc * 0.2)
torch.nn.functional.silu(acc)
torch.nn.functional.gelu(acc)
torch.nn.functional.gelu(acc, approximate='tanh')
torch.relu(acc)
torch.erf(acc)
torch.sin(acc)
torch.cos(acc)
(acc + 1) * (acc - 1) / (acc.abs() + 2)
1 - torch.exp(-acc.abs()) / 3
acc.to(torch.bfloat16) * 2.0
acc + b[tn] / 3
(acc - b[tn]) / 4
b[tn] - acc
b[tn] / (acc.abs() + 1)
acc / (b[tn].abs() + 1)
acc * r[tm, tn] + b[tn]
r[tm, tn] / 2 - acc
""".strip().splitlines()
PER_KERNEL = 4

HEAD = """import torch, helion
import helion.language as hl

@helion.kernel
def kernel(x, y, b, r):
    m, k = x.size()
    n = y.size(1)
{outputs}
    for tm, tn in hl.tile([m, n]):
        acc = hl.zeros([tm, tn], dtype=torch.float32)
        for tk in hl.tile(k):
            acc = torch.addmm(acc, x[tm, tk], y[tk, tn])
{stores}
    return {names}
"""


def source(expressions):
    names = [f"out{i}" for i in range(len(expressions))]
    return HEAD.format(
        outputs="\n".join(f"    {name} = torch.empty([m, n], dtype=torch.float32)" for name in names),
        stores="\n".join(f"        {name}[tm, tn] = {e}" for name, e in zip(names, expressions)),
        names=", ".join(names))


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    bad = 0
    for start in range(0, len(EXPRESSIONS), PER_KERNEL):
        expressions = EXPRESSIONS[start:start + PER_KERNEL]
        path = folder / f"functions{start}.py"
        path.write_text(source(expressions))
        run = subprocess.run(
            [tool, "run", str(path), "--arch", "wormhole", "--seed", str(start), "-a", "x=bf16[40,64]",
             "-a", "y=bf16[64,70]", "-a", "b=bf16[70]", "-a", "r=f32[40,70]"], capture_output=True, text=True)
        if run.returncode or "PASS" not in run.stdout:
            bad += 1
            print(f"{expressions}: status {run.returncode}\n{run.stdout}{run.stderr}")
    print(f"{len(EXPRESSIONS)} expressions, {bad} kernels not right")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
