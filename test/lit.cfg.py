# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The lit suite: end-to-end and pass tests. Run it with `ninja check-tilewright`.
import os

import lit.formats

source, build = config.tilewright_source, config.tilewright_build
config.name = "tilewright"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".test", ".py"]
config.excludes = ["Inputs", "lit.cfg.py", "lit.site.cfg.py", "run_all.py", "check_rooms.py"]
config.test_source_root = os.path.join(source, "test")
config.test_exec_root = os.path.join(build, "test")

# Longer names first: lit replaces in this order.
config.substitutions += [
    ("%tilewright-opt", os.path.join(build, "bin", "tilewright-opt")),
    ("%tilewright", os.path.join(build, "bin", "tilewright")),
    ("%simulate", os.path.join(source, "simulate")),
    ("%vendor", os.path.join(build, "vendor")),
    ("%kernels", os.path.join(source, "kernels")),
    ("%python", config.python),
    ("%source", source),
]
config.environment["PATH"] = os.pathsep.join([config.llvm_tools, os.environ.get("PATH", "")])

if os.path.isdir(os.path.join(build, "vendor", "headers", "ttnn", "tt_metal")):
    config.available_features.add("vendor-headers")
for tool in ("tilewright", "tilewright-opt"):
    if os.path.exists(os.path.join(build, "bin", tool)):
        config.available_features.add(tool)
