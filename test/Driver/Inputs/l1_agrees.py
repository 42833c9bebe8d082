# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report's L1 bytes equal the manifest's, and the manifest's buffers add up to them."""
import json
import re
import sys

report = open(sys.argv[1]).read()
manifest = json.load(open(sys.argv[2]))
used, available = map(int, re.search(r"^L1 +(\d+) of (\d+) bytes", report, re.M).groups())
buffers = sum(b["bytes"] for b in manifest["circular_buffers"] if "alias_of" not in b)
if not used == manifest["l1"]["used"] == buffers or available != manifest["l1"]["available"]:
    sys.exit(f"report {used} of {available}, manifest {manifest['l1']}, buffers {buffers}")
