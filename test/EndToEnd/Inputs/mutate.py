# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks protocol in an emitted folder's kernels, one place at a time; the emulator must object every time.

usage: mutate.py TILEWRIGHT FOLDER SCRATCH
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

tool, folder, scratch = sys.argv[1:]
expected = subprocess.run([tool, "emulate", folder, "--seed", "1"], capture_output=True, text=True).stdout.splitlines()[-1]
# Deleting one such statement breaks the protocol, the result, or both.
STATEMENTS = [
    r"cb_reserve_back\(", r"cb_push_back\(", r"cb_wait_front\(", r"cb_pop_front\(", r"noc_async_read_barrier\(",
    r"noc_async_write_barrier\(", r"noc_semaphore_wait\(", r"noc_semaphore_inc\(", r"noc_semaphore_set_multicast\(",
    r"noc_async_write_multicast\(", r"tile_regs_acquire\(", r"tile_regs_commit\(", r"tile_regs_wait\(",
    r"tile_regs_release\(", r"pack_tile(<true>)?\(", r"matmul_block_init\(", r"matmul_block\(", r"copy_init\(",
    r"copy_tile\(", r"compute_kernel_hw_startup<",
]


def mutants():
    for name in ("reader.cpp", "compute.cpp", "writer.cpp"):
        lines = pathlib.Path(folder, name).read_text().splitlines(keepends=True)
        for number, line in enumerate(lines):
            for statement in STATEMENTS:
                if re.match(rf"\s*{statement}.*;\s*$", line):
                    changed = lines.copy()
                    changed[number] = re.sub(rf"{statement}.*;", ";", line)
                    yield f"{name}:{number + 1}: {line.strip()}", name, "".join(changed)
    manifest = json.loads(pathlib.Path(folder, "manifest.json").read_text())
    for index, buffer in enumerate(manifest["circular_buffers"]):
        changed = json.loads(json.dumps(manifest))
        changed["circular_buffers"][index]["pages"] += 1
        yield f"manifest: pages of {buffer['name']}", "manifest.json", json.dumps(changed)


missed, count = [], 0
for description, name, text in mutants():
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(folder, scratch)
    pathlib.Path(scratch, name).write_text(text)
    result = subprocess.run([tool, "emulate", scratch, "--seed", "1"], capture_output=True, text=True, timeout=120)
    count += 1
    clean = result.returncode == 1 and result.stderr.count("error:") >= 1
    if not clean and not (result.returncode == 0 and expected not in result.stdout):
        missed.append(f"{description} -> status {result.returncode} {result.stderr[:200]}")
print("\n".join(missed) if missed else f"every mutant noticed ({count})")
