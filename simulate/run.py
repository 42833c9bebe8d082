# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the run.py of emitted directories, unchanged, on a simulated chip. Started by simulate.sh.

Prints one line per directory, `PASS dir 12.3 s (unmodified simulator)` or `FAIL dir reason`; the program's own output goes to
`simulate.log` in that directory. Exit status 0 only if all passed.
"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CHIPS = ("wormhole", "blackhole")
GRACE_SECONDS = 10  # for the simulator to end by itself after the program has


def parse(arguments):
    parser = argparse.ArgumentParser(prog="simulate.sh")
    parser.add_argument("--vendor", required=True, help="folder that setup.sh made")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one directory")
    parser.add_argument("--chip", choices=CHIPS, help="default: the manifest's machine")
    parser.add_argument("directories", nargs="+")
    own, rest = arguments, []
    if "--" in arguments:
        cut = arguments.index("--")
        own, rest = arguments[:cut], arguments[cut + 1 :]
    options = parser.parse_args(own)
    options.rest = rest
    return options


def chip_of(directory, options):
    if options.chip:
        return options.chip
    try:
        with open(os.path.join(directory, "manifest.json")) as file:
            machine = str(json.load(file).get("machine", ""))
    except (OSError, ValueError):
        machine = ""
    return next((chip for chip in CHIPS if machine.startswith(chip)), "wormhole")


def sends_to_itself(manifest):
    """Whether some core multicasts to a rectangle that includes it."""
    for kernel in manifest.get("kernels", []):
        places = {name: place for place, name in enumerate(kernel.get("names", []))}
        for entry in kernel.get("runtime_args", []):
            for name, place in places.items():
                if name.endswith("_is_sender") and entry["args"][place] == 1:
                    first = places[name[: -len("is_sender")] + "first_x"]
                    if entry["args"][first].get("core") == entry["core"]:
                        return True
    return False


def additions(directory):
    """What the kernels need that the simulator lacks (standin/server.py adds it); empty: it runs unmodified."""
    needed = []
    try:
        with open(os.path.join(directory, "compute.cpp")) as file:
            text = file.read()
        if "ReluConfig::zero" in text:
            needed.append("packer-relu")
        if re.search(r"pack_reconfig_l1_acc\((?!0)", text):
            needed.append("packer-accumulation")
        with open(os.path.join(directory, "manifest.json")) as file:
            if sends_to_itself(json.load(file)):
                needed.append("multicast-source")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        needed = ["packer-relu", "packer-accumulation", "multicast-source"]  # not our manifest: all of them
    return needed


def environment(chip, vendor, pid_file, needed):
    from framework.sim import simulator_dir

    values = dict(os.environ)
    values.update(
        TT_METAL_SLOW_DISPATCH_MODE="1",
        TT_METAL_SIMULATOR=str(simulator_dir(chip)),
        WOLFPINE_PYTHON=os.path.join(vendor, "standin", "server"),
        TT_METAL_CACHE=os.path.join(vendor, "cache-" + chip),
        TT_METAL_DISABLE_SFPLOADMACRO="1",
        TT_METAL_LOGGER_LEVEL="error",
        STANDIN_PID_FILE=pid_file,
        STANDIN_ADDITIONS=",".join(needed),
    )
    return values


def alive(pid):
    try:
        os.kill(pid, 0)
        return True
    except ProcessLookupError:
        return False


def end_simulator(pid_file, grace):
    """Ends the simulator started for this run (it notes its process id in `pid_file`)."""
    try:
        with open(pid_file) as file:
            pids = [int(word) for word in file.read().split()]
    except OSError:
        return
    deadline = time.monotonic() + grace
    for pid in pids:
        while alive(pid) and time.monotonic() < deadline:
            time.sleep(0.1)
        if alive(pid):
            os.kill(pid, signal.SIGKILL)


def reason(log, status):
    """The most telling line of a failed run's output."""
    with open(log, errors="replace") as file:
        lines = [line.strip() for line in file if line.strip()]
    for pattern in (r"NotImplementedError|hang|stopping the tt-metal host", r"\berror\b:", r"TT_THROW|TT_FATAL",
                    r"^(\w+Error|AssertionError)\b", r"^FAIL"):
        for line in lines:
            if re.search(pattern, line):
                return "exit status %d: %s" % (status, line[:300])
    own = [line for line in lines if not line.startswith(("[server]", "[run.sh]"))]
    return "exit status %d: %s" % (status, (own or ["no output"])[-1][:300])


def run_one(directory, options):
    """None if the program ended with status 0, else what went wrong."""
    script = os.path.join(directory, "run.py")
    if not os.path.isfile(script):
        return "no run.py"
    log = os.path.join(directory, "simulate.log")
    scratch = tempfile.mkdtemp(prefix="simulate-")
    pid_file = os.path.join(scratch, "pid")
    grace = 0
    try:
        with open(log, "w") as output:
            child = subprocess.Popen(
                [sys.executable, "run.py"] + options.rest, cwd=directory, stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True,
                env=environment(chip_of(directory, options), options.vendor, pid_file, additions(directory)))
            try:
                status = child.wait(timeout=options.timeout)
                grace = GRACE_SECONDS
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
                return "time-out after %g s (a hang, or too large a shape)" % options.timeout
    finally:
        end_simulator(pid_file, grace)
        shutil.rmtree(scratch, ignore_errors=True)
    return None if status == 0 else reason(log, status)


def main():
    options = parse(sys.argv[1:])
    failures = 0
    for directory in options.directories:
        start = time.monotonic()
        problem = run_one(directory, options)
        failures += problem is not None
        if problem is None:
            added = additions(directory)
            print("PASS %s %.1f s (%s)" % (directory, time.monotonic() - start, "simulator with " + " and ".join(added)
                                           + " added" if added else "unmodified simulator"), flush=True)
        else:
            print("FAIL %s %s" % (directory, problem), flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
