# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes every single field of a schedule in several ways; each result must be refused cleanly.

usage: corrupt_schedule.py SCHEDULE FOLDER -- COMMAND...
"""
import copy
import json
import subprocess
import sys

schedule = json.load(open(sys.argv[1]))
command = sys.argv[4:]


def leaves(node, path=()):
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield path + (key,)
        yield from leaves(value, path + (key,))


def replaced(path, value):
    result = copy.deepcopy(schedule)
    node = result
    for key in path[:-1]:
        node = node[key]
    if value is None:
        del node[path[-1]]
    else:
        node[path[-1]] = value
    return json.dumps(result)


def variants():
    for path in leaves(schedule):
        node = schedule
        for key in path:
            node = node[key]
        yield path, replaced(path, None)
        yield path, replaced(path, [[]])
        if isinstance(node, int):
            for value in (node + 1, -node - 1, 10**30, "7"):
                yield path, replaced(path, value)
        elif isinstance(node, str):
            yield path, replaced(path, node + "x")
    text = json.dumps(schedule)
    for cut in range(0, len(text), max(1, len(text) // 20)):
        yield ("cut", cut), text[:cut]


# Temporal order is free: exchanging it yields another legal schedule, and `source` only names a file.
ACCEPTABLE = {("source",)}
bad = 0
for number, (path, text) in enumerate(variants()):
    name = f"{sys.argv[2]}/corrupt.json"
    open(name, "w").write(text)
    result = subprocess.run(command + ["--schedule", name], capture_output=True, text=True)
    if path in ACCEPTABLE and result.returncode == 0:
        continue
    if result.returncode != 1 or result.stderr.count("error:") != 1:
        bad += 1
        print(f"{path}: status {result.returncode}: {result.stderr[:300]} {text if len(text) < 300 else ''}")
if not bad:
    print("every corruption refused")
