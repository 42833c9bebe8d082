#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every test and ends with the line "N passed, N failed[, N skipped]".

Unit tests are counted one by one, lit tests by file; the room check counts as one test.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Tally:
    passed = failed = skipped = 0


def run_gtest(binary, tally):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        result = subprocess.run([binary, "--gtest_brief=1", f"--gtest_output=json:{report}"],
                                capture_output=True, text=True)
        if not report.exists():  # crashed before it could report
            print(f"FAIL: {binary.name} (status {result.returncode})\n{result.stdout[-4000:]}{result.stderr[-4000:]}")
            tally.failed += 1
            return
        data = json.loads(report.read_text())
    failures = data["failures"] + data["errors"]
    skipped = sum(test["result"] == "SKIPPED" for suite in data["testsuites"] for test in suite["testsuite"])
    tally.failed += failures
    tally.skipped += skipped
    tally.passed += data["tests"] - failures - skipped - data.get("disabled", 0)
    print(f"{'ok  ' if not failures else 'FAIL'}: {binary.name}: {data['tests']} tests, {data['time']}")
    if failures:
        print(result.stdout[-8000:])


def run_lit(build, jobs, tally):
    command = ["/usr/bin/python3", "/usr/lib/llvm-22/bin/lit", "-sv", "-j", str(jobs), str(build / "test")]
    result = subprocess.run(command, capture_output=True, text=True)
    print(result.stdout[-12000:])
    count = lambda name: sum(map(int, re.findall(rf"^\s*{name}\s*:\s*(\d+)", result.stdout, re.M)))
    bad = count("Failed") + count("Unresolved") + count("Timed Out") + count("Unexpectedly Passed")
    tally.failed += bad or (1 if result.returncode else 0)
    tally.passed += count("Passed")
    tally.skipped += count("Unsupported")


def run_command(name, command, tally):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode == 77:
        tally.skipped += 1
    elif result.returncode:
        tally.failed += 1
    else:
        tally.passed += 1
    print(f"{name}: {result.stdout[-6000:].strip()} {result.stderr[-4000:].strip()}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    build = (ROOT / options.build).resolve()
    tally = Tally()
    run_command("rooms", ["/usr/bin/python3", str(ROOT / "test/check_rooms.py"), str(ROOT)], tally)
    for binary in sorted((build / "unittests").glob("*Tests")):
        run_gtest(binary, tally)
    run_lit(build, options.jobs, tally)
    run_command("simulate", ["bash", str(ROOT / "simulate/simulate_suite.sh"), str(build / "vendor"),
                             str(build / "bin/tilewright")], tally)
    skipped = f", {tally.skipped} skipped" if tally.skipped else ""
    print(f"{tally.passed} passed, {tally.failed} failed{skipped}")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
