#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the ids of diagnostics in the sources with the ones that the documentation lists.

usage: diagnostics_listed.py SOURCE_FOLDER; prints each difference, exit status 1 when there is any.
"""
import pathlib
import re
import sys

ROOMS = ("symbolic solver machine model reference npy transforms ttmetal emulator mapping schedule "
         "driver frontend matmul").split()
ID = re.compile(r'\b(?:%s)\.[a-z][a-z0-9]*(?:-[a-z0-9]+)*\b(?!\.[a-z]|\()' % "|".join(ROOMS))
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
# Texts that look like ids: names of files.
NOT_IDS = {"schedule.json"}


def string_ids(text):
    """Ids inside string literals: a literal of its own, or in brackets at the end of a message."""
    for literal in STRING.findall(text):
        body = literal[1:-1]
        if ID.fullmatch(body):
            yield body
        yield from re.findall(r"\[(%s)\]" % ID.pattern, body)


def spliced_ids(path, text):
    """Ids that a file completes with a fixed prefix."""
    last_argument = re.findall(r'"([a-z]+(?:-[a-z]+)*)"\);', text)
    if path.name == "Materialize.cpp":
        return {"transforms.schedule-" + word for word in last_argument}
    if path.name == "ReifyDataflow.cpp":
        return {"transforms." + word for word in last_argument}
    if path.parent.name == "Transforms":
        return {"transforms." + word for word in re.findall(r'"(protocol-[a-z-]+)"', text)}
    if path.name == "Machine.cpp":
        return {"machine.missing-" + word for word in re.findall(r'lookup\(.*"([a-z]+)"\)', text)}
    return set()


def ids_of_sources(root):
    found = set()
    for folder in ("lib", "tools"):
        for path in (root / folder).rglob("*.cpp"):
            text = path.read_text()
            found |= set(string_ids(text)) | spliced_ids(path, text)
    return found - NOT_IDS


def ids_of_pages(root):
    listed = set()
    for line in (root / "docs/diagnostics.md").read_text().splitlines():
        if line.startswith("|"):
            listed |= set(re.findall(r"`(%s)`" % ID.pattern, line.split("|")[1]))
    table = (root / "docs/emulator.md").read_text().split("| id (`emulator.`) |", 1)[1]
    for line in table.splitlines()[1:]:
        if line.startswith("| `"):
            listed |= {"emulator." + word for word in re.findall(r"`([a-z0-9-]+)`", line.split("|")[1])}
    return listed


def main():
    root = pathlib.Path(sys.argv[1])
    sources, pages = ids_of_sources(root), ids_of_pages(root)
    for name in sorted(sources - pages):
        print(f"docs/diagnostics.md does not list '{name}'")
    for name in sorted(pages - sources):
        print(f"docs/diagnostics.md lists '{name}', which no source has")
    print(f"{len(sources)} ids in the sources, {len(pages)} in the pages")
    return 1 if sources != pages else 0


if __name__ == "__main__":
    sys.exit(main())
