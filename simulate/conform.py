# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks emitted kernels against the vendor's unmodified device headers, without running them.

usage: conform.py [--vendor DIR] [--chip wormhole|blackhole] DIR...

Each DIR holds manifest.json and the kernels that it names. A kernel is compiled (clang, syntax and types
only) inside the vendor's own firmware source for every processor that would run it: a data movement
kernel for brisc (RISCV_0) or ncrisc (RISCV_1), a compute kernel for unpack, math and pack.
Prints `OK file processor` or the compiler's errors. Exit status: 0 all fine, 1 an error, 77 no headers.
"""
import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
COMPILER = "clang++-22"
LIBCXX = "/usr/lib/llvm-22/include/c++/v1"
PICOLIBC = "/usr/lib/picolibc/riscv64-unknown-elf/include"
JOBS = 2

# What the runtime defines per chip. Bank counts and the PCIe core shape code, not declarations.
CHIPS = {
    "wormhole": ("wormhole_b0", 32, "-DARCH_WORMHOLE -DNUM_DRAM_BANKS=12 -DIS_NOT_POW2_NUM_DRAM_BANKS=1 "
                 "-DNUM_L1_BANKS=64 -DLOG_BASE_2_OF_NUM_L1_BANKS=6 -DPCIE_NOC_X=0 -DPCIE_NOC_Y=3"),
    "blackhole": ("blackhole", 64, "-DARCH_BLACKHOLE -DNUM_DRAM_BANKS=8 -DLOG_BASE_2_OF_NUM_DRAM_BANKS=3 "
                  "-DNUM_L1_BANKS=140 -DIS_NOT_POW2_NUM_L1_BANKS=1 -DPCIE_NOC_X=19 -DPCIE_NOC_Y=24"),
}
# processor -> (firmware source, definitions)
PROCESSORS = {
    "brisc": ("brisck.cc", "-DCOMPILE_FOR_BRISC -DPROCESSOR_INDEX=0 -DNOC_MODE=0"),
    "ncrisc": ("ncrisck.cc", "-DCOMPILE_FOR_NCRISC -DPROCESSOR_INDEX=1 -DNOC_MODE=0"),
    "unpack": ("trisck.cc", "-DUCK_CHLKC_UNPACK -DTRISC_UNPACK -DCOMPILE_FOR_TRISC=0 -DPROCESSOR_INDEX=2"),
    "math": ("trisck.cc", "-DUCK_CHLKC_MATH -DTRISC_MATH -DCOMPILE_FOR_TRISC=1 -DPROCESSOR_INDEX=3"),
    "pack": ("trisck.cc", "-DUCK_CHLKC_PACK -DTRISC_PACK -DCOMPILE_FOR_TRISC=2 -DPROCESSOR_INDEX=4"),
}
FLAGS = ("-fsyntax-only --target=riscv32-unknown-elf -march=rv32im -mabi=ilp32 -std=c++17 -ffreestanding "
         "-fno-exceptions -fno-rtti -Wno-everything -Werror=deprecated-declarations "
         "-Werror=undefined-internal -ferror-limit=0 "
         "-fno-caret-diagnostics -fno-color-diagnostics -U__INT32_TYPE__ -U__UINT32_TYPE__ "
         "-D__INT32_TYPE__=long").split() + ["-D__UINT32_TYPE__=long unsigned"]
COMMON = ("-DKERNEL_BUILD -DPROGRAMMABLE_CORE_TYPE=0 -DTENSIX_FIRMWARE -DLOCAL_MEM_EN=0 -DDISPATCH_MESSAGE_ADDR=0 "
          "-DDISABLE_SFPLOADMACRO -include cstddef -include cstdint").split()
FORMATS = {"f32": (0, 4096), "bf16": (5, 2048)}  # the vendor's DataFormat numbers, bytes of a tile


def find_metal(vendor):
    for pattern in ("headers/ttnn/tt_metal", "venv/lib/python3.1*/site-packages/ttnn/tt_metal"):
        for folder in glob.glob(os.path.join(vendor, pattern)):
            return folder
    return None


def table(name, kind, values):
    return "constexpr %s %s[%d] = {%s};\n" % (kind, name, len(values), ", ".join(map(str, values)))


def descriptors(manifest, count):
    """Text of chlkc_descriptors.h: the tables that the runtime generates from the circular buffers."""
    formats, sizes = [255] * count, [0] * count
    for buffer in manifest.get("circular_buffers", []):
        formats[buffer["index"]], sizes[buffer["index"]] = FORMATS[buffer["dtype"]]
    compute = manifest.get("compute", {})
    fidelity = {"LoFi": 0, "HiFi2": 2, "HiFi3": 3, "HiFi4": 4}[compute.get("math_fidelity", "HiFi4")]
    text = "#pragma once\n#include \"llk_defs.h\"\n"
    text += "constexpr ckernel::MathFidelity MATH_FIDELITY = static_cast<ckernel::MathFidelity>(%d);\n" % fidelity
    text += "constexpr bool APPROX = %s;\n" % str(bool(compute.get("math_approx_mode"))).lower()
    text += "constexpr bool DST_ACCUM_MODE = %s;\n" % str(bool(compute.get("fp32_dest_acc_en"))).lower()
    mode = "SyncFull" if compute.get("dst_full_sync_en") else "SyncHalf"
    text += "#define DST_SYNC_MODE DstSync::%s\n" % mode
    for side in ("unpack", "pack"):
        byte = "uint8_t" if side == "unpack" else "unsigned char"
        text += table(side + "_src_format", byte, formats) + table(side + "_dst_format", byte, formats)
        for name, value in (("num_faces", 4), ("partial_face", 0), ("face_r_dim", 16), ("narrow_tile", 0),
                            ("r_dim", 32), ("c_dim", 32)):
            text += table("%s_%s%s" % (side, "" if name.startswith(("partial", "narrow")) else "tile_", name),
                          "uint8_t", [value] * count)
        for name in ("num_faces_r_dim", "num_faces_c_dim"):
            text += table("%s_%s" % (side, name), "uint8_t", [2] * count)
        text += table(side + "_tile_size", "uint16_t", sizes)
    return text


def write_shims(folder, kernel, manifest, count):
    """The files that the runtime would generate around `kernel`.

    `static` makes the compiler, which sees no linker, report an entry point that is never defined.
    """
    include = 'static void kernel_main();\n#include "%s"\n' % kernel
    files = {"chlkc_descriptors.h": descriptors(manifest, count), "defines_generated.h": "",
             "kernel_includes.hpp": include}
    for thread in ("unpack", "math", "pack"):
        files["chlkc_%s.cpp" % thread] = include
    for name, text in files.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)


def include_flags(shims, metal, chip):
    """Our shims, then the vendor's folders in the runtime's order."""
    llk = CHIPS[chip][0]
    tensix = "hw/inc/internal/tt-1xx"
    folders = ["", "..", "hw/inc", "hostdevcommon/api", "api", tensix, "%s/%s" % (tensix, chip),
               "%s/%s/noc" % (tensix, chip), "%s/%s/%s_defines" % (tensix, chip, llk)]
    folders += ["hw/ckernels/%s/metal/%s" % (llk, name)
                for name in ("common", "llk_io", "llk_api", "llk_api/llk_sfpu")]
    folders += ["tt-llk/common", "tt-llk/tt_llk_%s/common/inc" % llk, "tt-llk/tt_llk_%s/llk_lib" % llk,
                "tt-llk/tools/include", "hw/firmware/src/tt-1xx"]
    paths = [shims, os.path.join(HERE, "standin", "include")] + [os.path.join(metal, f) for f in folders]
    system = [os.path.join(HERE, "shims"), LIBCXX, PICOLIBC]
    flags = ["-nostdinc++"]
    for path in system:
        flags += ["-isystem", path]
    return flags + ["-I" + os.path.normpath(path) for path in paths]


def compile_time_words(kernel, manifest):
    pages = {tensor["name"]: tensor["page_bytes"] for tensor in manifest.get("tensors", [])}
    words = []
    for argument in kernel.get("compile_time_args", []):
        if isinstance(argument, dict):
            words += [2, pages[argument["tensor"]]]  # interleaved in DRAM, bytes of a page
        else:
            words.append(argument)
    return words


def processors_of(kernel):
    if kernel["role"] == "compute":
        return ["unpack", "math", "pack"]
    return ["brisc" if kernel["processor"] == "RISCV_0" else "ncrisc"]


def sfpu_only(line):
    """Whether an error is about the SFPU's vector language, which the wheel does not hold."""
    return bool(re.search(r"sfpi|__builtin_rvtt|\bv(Float|Int|UInt|Bool)\b|\bv_(if|else|endif)", line)
                or re.match(r"[^:]*sfpu[^:]*:", line))


def verdict(label, processor, kernel, output, status):
    """(text to print, whether the kernel is fine). Messages about the kernel name its file alone."""
    if status == 0:
        return "OK %s %s" % (label, processor), True
    errors = [line for line in output.splitlines() if re.search(r":\d+:\d+: (fatal )?error: ", line)]
    ours = [line for line in errors if line.startswith(kernel + ":") or not sfpu_only(line)]
    if errors and not ours and processor in ("math", "pack"):
        return "OK %s %s (declarations only)" % (label, processor), True
    folder = os.path.dirname(kernel) + os.sep
    kept = [line for line in output.splitlines() if not line.startswith("In file included from")]
    kept = [line for line in kept if not sfpu_only(line) or line.startswith(kernel)]
    return "FAIL %s %s\n%s" % (label, processor, "\n".join(kept).replace(folder, "")), False


def check(job):
    directory, kernel, processor, manifest, metal, chip = job
    path = os.path.join(os.path.abspath(directory), kernel["file"])
    source, defines = PROCESSORS[processor]
    words = ",".join(map(str, compile_time_words(kernel, manifest)))
    shims = tempfile.mkdtemp(prefix="conform-")
    try:
        write_shims(shims, path, manifest, CHIPS[chip][1])
        command = [COMPILER] + FLAGS + COMMON + CHIPS[chip][2].split() + defines.split()
        command += ['-DKERNEL_FILE="%s"' % path, "-DNOC_INDEX=%d" % kernel.get("noc", 0)]
        command += ["-DKERNEL_COMPILE_TIME_ARGS=" + words] if words else []
        command += include_flags(shims, metal, chip)
        command.append(os.path.join(metal, "hw/firmware/src/tt-1xx", source))
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    finally:
        shutil.rmtree(shims)
    return verdict(os.path.join(directory, kernel["file"]), processor, path, result.stdout, result.returncode)


def jobs_of(directory, metal, chip):
    with open(os.path.join(directory, "manifest.json")) as file:
        manifest = json.load(file)
    machine = str(manifest.get("machine", ""))
    chip = chip or next((name for name in CHIPS if machine.startswith(name)), "wormhole")
    return [(directory, kernel, processor, manifest, metal, chip)
            for kernel in manifest["kernels"] for processor in processors_of(kernel)]


def main():
    parser = argparse.ArgumentParser(prog="conform.py")
    parser.add_argument("--vendor", default=os.path.join(os.path.dirname(HERE), "build", "vendor"))
    parser.add_argument("--chip", choices=sorted(CHIPS), help="default: the manifest's machine")
    parser.add_argument("directories", nargs="+")
    options = parser.parse_args()
    metal = find_metal(options.vendor)
    needs = [(metal, "the vendor's headers: run simulate/headers.sh"), (shutil.which(COMPILER), COMPILER),
             (os.path.isdir(LIBCXX), "libc++ 22 headers (libc++-22-dev)"),
             (os.path.isdir(PICOLIBC), "picolibc headers (picolibc-riscv64-unknown-elf)")]
    for present, name in needs:
        if not present:
            print("conform: missing " + name, file=sys.stderr)
            return 77
    jobs = [job for directory in options.directories for job in jobs_of(directory, metal, options.chip)]
    fine = True
    with ThreadPoolExecutor(JOBS) as pool:
        for line, good in pool.map(check, jobs):
            print(line, flush=True)
            fine = fine and good
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
