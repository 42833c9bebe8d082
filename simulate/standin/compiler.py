# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes the place of the vendor's `riscv-tt-elf-g++`: maps its command line to Debian's riscv64-unknown-elf-g++.

Called by the TT-Metal runtime through a small launcher that setup.sh writes. Lives, with `include/`,
`prelude.s` and `lib/`, in one folder that must not move while a kernel cache exists (link-time
optimisation stores the absolute path of the prelude).
"""
import glob
import hashlib
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
GCC = "riscv64-unknown-elf-g++"
PICOLIBC = "/usr/lib/picolibc/riscv64-unknown-elf"
LIBSTDCXX = "/usr/include/c++/12"
LIBSTDCXX_HOST = "/usr/include/x86_64-linux-gnu/c++/12"

# vendor core name -> (architecture string, macros that its compiler defines)
CORES = {
    "tt-wh": ("rv32im_zicsr_zifencei", ["__riscv_xttwh"]),
    "tt-wh-tensix": ("rv32imf_zicsr_zifencei", ["__riscv_xttwh", "__riscv_xtttensixwh"]),
    "tt-bh": ("rv32ima_zicsr_zifencei_zba_zbb", ["__riscv_xttbh"]),
    "tt-bh-tensix": ("rv32imaf_zicsr_zifencei_zba_zbb", ["__riscv_xttbh", "__riscv_xtttensixbh"]),
}


def version():
    """One line; holds a digest of this folder, because the runtime's cache key hashes this text."""
    digest = hashlib.sha256()
    for folder, _, files in sorted(os.walk(HERE)):
        for name in sorted(files):
            if not name.endswith((".o", ".pyc")):
                with open(os.path.join(folder, name), "rb") as file:
                    digest.update(file.read())
    return "riscv-tt-elf-g++ (stand-in on GCC 12) " + digest.hexdigest()[:16]


def core_flags(name):
    architecture, macros = CORES[name]
    return ["-march=" + architecture, "-mabi=ilp32"] + ["-D%s=1" % macro for macro in macros]


def translate(arguments):
    """Drops or replaces what GCC 12 does not know; returns the new list."""
    result = []
    for argument in arguments:
        if argument.startswith(("-ftt-", "-mno-tt-", "-Werror", "-Wno-error")) or argument == "-Wall":
            continue
        if argument.startswith("-mcpu="):
            result += core_flags(argument[len("-mcpu="):])
        elif argument == "-std=c++17":
            result.append("-std=gnu++20")
        elif re.search(r"/runtime/hw/lib/[a-z]+/[^/]+\.o$", argument):
            result.append(os.path.join(HERE, "lib", *argument.split("/")[-2:]))
        else:
            result.append(argument)
    return result


def include_flags():
    """A freestanding C++ library: the host's libstdc++ headers behind our configuration, then picolibc."""
    folders = [os.path.join(HERE, "include"), LIBSTDCXX, LIBSTDCXX_HOST, LIBSTDCXX + "/backward"]
    flags = ["-nostdinc++"]
    for folder in folders:
        flags += ["-isystem", folder]
    return flags + ["-idirafter", PICOLIBC + "/include", "-include", os.path.join(HERE, "include", "forced.h")]


def library_flags():
    """The soft-float rv32im build of both libraries serves every core; GCC itself finds none for Blackhole."""
    folders = glob.glob("/usr/lib/gcc/riscv64-unknown-elf/12*/rv32im/ilp32") + [PICOLIBC + "/lib/rv32im/ilp32"]
    return ["-L" + folder for folder in folders] + ["-Wl,--start-group", "-lgcc", "-lc", "-Wl,--end-group"]


def command(arguments):
    flags = translate(arguments)
    common = ["-w", "-fno-jump-tables", "-fno-tree-switch-conversion", "-Wa," + os.path.join(HERE, "prelude.s")]
    if "-c" in arguments or "-E" in arguments or "-S" in arguments:
        return [GCC] + include_flags() + common + flags
    return [GCC] + common + flags + ["-nostdlib"] + library_flags()


def main(arguments):
    if "--version" in arguments:
        print(version())
        return 0
    if "c++-header" in arguments:
        return 1  # no precompiled headers: the runtime goes on without
    words = command(arguments)
    os.execvp(words[0], words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
