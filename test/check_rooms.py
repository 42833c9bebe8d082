#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that a room includes only rooms that it may (docs/architecture.md) and MLIR only where allowed.

usage: check_rooms.py [ROOT]; prints one line per violation, exit status 1 when there is any.
"""
import pathlib
import re
import sys

# room -> (rooms it may include besides itself, may it use MLIR?)
ROOMS = {
    "Support": ([], False),
    "Symbolic": (["Support"], False),
    "Machine": (["Symbolic"], False),
    "Solver": (["Symbolic"], False),
    "Model": (["Machine", "Solver"], False),
    "IR": (["Support", "Symbolic"], True),
    "Frontend": (["IR"], True),
    "Reference": (["IR"], True),
    "Transforms": (["IR"], True),
    "Mapping": (["IR", "Model"], True),
    "Target": (["IR", "Machine"], True),
    "Emulator": (["Support", "Machine"], False),
    "MatMul": (["Model", "Solver"], False),
    "Driver": (["Frontend", "Reference", "Transforms", "Mapping", "Target", "Emulator", "MatMul"], True),
    "tools": (["Driver"], True),
}
# runtime/ is C without dependencies: it includes its own headers and the system's. These rooms use it.
DISPATCH = "tilewright_dispatch.h"
DISPATCH_USERS = ("MatMul", "Driver")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def closure(room):
    """Rooms reachable by the arrows: including a room allows what that room may include."""
    seen, todo = {room}, [room]
    while todo:
        for other in ROOMS[todo.pop()][0]:
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def room_of(path):
    parts = path.parts
    if parts[0] == "include":
        return parts[2]
    if parts[0] in ("lib", "unittests"):
        return parts[1]
    return "tools"


def check_runtime(root):
    """The runtime includes nothing but system headers and files of its own folder."""
    problems = []
    own = {path.name for path in (root / "runtime").rglob("*.h")}
    for path in sorted((root / "runtime").rglob("*.[ch]")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r'^\s*#\s*include\s*("|<)([^">]+)', line)
            if not match:
                continue
            foreign = match.group(2) not in own if match.group(1) == '"' else match.group(2).startswith(
                ("tilewright/", "mlir/", "llvm/", "pthread"))
            if foreign:
                problems.append(f"{path.relative_to(root)}:{number}: runtime must not include {match.group(2)}")
    return problems


def check(root):
    problems = check_runtime(root)
    for folder in ("include", "lib", "tools"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp", ".c"):
                continue
            relative = path.relative_to(root)
            if "Emulator/TTMetal/api" in str(relative) or "Emulator/TTMetal/include" in str(relative):
                continue  # stand-ins for the vendor's headers: they include one another by vendor paths
            room = room_of(relative)
            if room not in ROOMS:
                problems.append(f"{relative}:1: room '{room}' is not in the table")
                continue
            allowed = closure(room)
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                target = match.group(1)
                if target.startswith("tilewright/"):
                    other = target.split("/")[1]
                    if other not in allowed:
                        problems.append(f"{relative}:{number}: {room} must not include {other}")
                elif target == DISPATCH and room not in DISPATCH_USERS:
                    problems.append(f"{relative}:{number}: {room} must not include {DISPATCH}")
                elif target.startswith(("mlir/", "llvm/")) and not ROOMS[room][1]:
                    problems.append(f"{relative}:{number}: {room} must not include MLIR ({target})")
    return problems


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    problems = check(root)
    print("\n".join(problems) if problems else "rooms: every include follows the table")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
