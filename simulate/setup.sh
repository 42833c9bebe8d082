#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes the private environment in which emitted programs run without a card (docs/simulate.md).
#
# usage: simulate/setup.sh [DIR]      DIR: default <repository>/build/vendor
# DIR/venv      Python 3.10 or 3.12 with the vendor's runtime and the simulator
# DIR/standin   the stand-in compiler; a link in the runtime's folder leads here
# DIR/headers   a link to the vendor's headers, for conform.py
# Exit status 0: ready; 77: this machine lacks something (named in one line); other: a step failed.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
dir=${1:-$here/../build/vendor}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

missing() {
  echo "simulate: $1" >&2
  exit 77
}

# Prints the first Python that the wheels exist for and that really starts (a pyenv shim may not).
find_python() {
  root=${PYENV_ROOT:-$HOME/.pyenv}
  for version in 3.10 3.12; do
    for candidate in "python$version" "$root"/versions/"$version".*/bin/"python$version"; do
      if "$candidate" -c "import sys, venv, ensurepip; sys.exit('%d.%d' % sys.version_info[:2] != '$version')" \
        >/dev/null 2>&1; then
        echo "$candidate"
        return 0
      fi
    done
  done
  return 1
}

make_venv() {
  python=$(find_python) || missing "no working python3.10 or python3.12 on PATH or in pyenv: the ttnn wheel needs one"
  rm -rf "$dir/venv"
  "$python" -m venv "$dir/venv"
  "$dir/venv/bin/python" -m pip install -q --disable-pip-version-check \
    ttnn==0.81.1 wolfpine==2.2 ml_dtypes numpy >&2
}

# The launcher that the runtime starts as its compiler. Absolute paths: see standin/compiler.py.
install_standin() {
  rm -rf "$dir/standin" "$dir"/cache-*
  cp -r "$here/standin" "$dir/standin"
  compiler=$dir/standin/riscv-tt-elf-g++
  printf '#!/bin/sh\nexec "%s" -I "%s" "$@"\n' "$dir/venv/bin/python" "$dir/standin/compiler.py" >"$compiler"
  server=$dir/standin/server
  printf '#!/bin/sh\nexec "%s" -u "%s" "$@"\n' "$dir/venv/bin/python" "$dir/standin/server.py" >"$server"
  chmod +x "$compiler" "$server"
  mkdir -p "$ttnn/runtime/sfpi/compiler/bin"
  ln -sf "$compiler" "$ttnn/runtime/sfpi/compiler/bin/riscv-tt-elf-g++"
}

# build_objects CHIP CORE LLK: the start-up objects of the wheel hold code of a newer GCC; rebuilt here.
build_objects() {
  metal=$ttnn/tt_metal
  out=$dir/standin/lib/$1
  mkdir -p "$out"
  set -- "$1" "$2" "$3" "$metal/hw/toolchain/substitutes.cpp" "$metal/hw/toolchain/tmu-crt0.S" \
    "$metal/hw/firmware/src/tt-1xx/tdma_xmov.c" "$metal/hw/firmware/src/tt-1xx/$1/noc.c"
  [ "$1" != wormhole ] || set -- "$@" "$metal/hw/toolchain/wh-iram-start.S" "$metal/hw/toolchain/wh-iram-trampoline.S"
  chip=$1 core=$2 llk=$3
  shift 3
  for source in "$@"; do
    case $source in *.c) language="-x c++" ;; *) language= ;; esac
    name=$(basename "$source")
    # shellcheck disable=SC2086
    "$dir/standin/riscv-tt-elf-g++" -Os -flto=1 -flto-partition=one -ffast-math -mcpu="$core" -std=c++17 \
      -fno-exceptions -fno-rtti -fno-use-cxa-atexit -DTENSIX_FIRMWARE -DLOCAL_MEM_EN=0 \
      -DARCH_"$(echo "$chip" | tr a-z A-Z)" -I"$metal" -I"$ttnn" -I"$metal/hw/inc" \
      -I"$metal/hw/inc/internal/tt-1xx" -I"$metal/hw/inc/internal/tt-1xx/$chip" \
      -I"$metal/hw/inc/internal/tt-1xx/$chip/${llk}_defines" -I"$metal/hw/inc/internal/tt-1xx/$chip/noc" \
      -I"$metal/hw/ckernels/$llk/metal/common" -I"$metal/hw/ckernels/$llk/metal/llk_io" \
      -I"$metal/tt-llk/common" -I"$metal/tt-llk/tt_llk_$llk/common/inc" -I"$metal/tt-llk/tt_llk_$llk/llk_lib" \
      -I"$metal/hostdevcommon/api" -I"$metal/api" -I"$metal/hw/firmware/src/tt-1xx" \
      $language -c "$source" -o "$out/${name%.*}.o"
  done
}

command -v riscv64-unknown-elf-g++ >/dev/null || missing "no riscv64-unknown-elf-g++ (Debian: gcc-riscv64-unknown-elf)"
[ -d /usr/lib/picolibc/riscv64-unknown-elf ] || missing "no picolibc (Debian: picolibc-riscv64-unknown-elf)"
[ -d /usr/include/c++/12 ] || missing "no libstdc++ 12 headers (Debian: libstdc++-12-dev)"

exec 9>"$dir/.lock"
flock 9
want="$dir $(cat "$here/setup.sh" "$here"/standin/*.* "$here"/standin/include/*.h "$here"/standin/include/bits/* | sha256sum)"
[ "$(cat "$dir/.ready" 2>/dev/null || true)" != "$want" ] || exit 0

[ -x "$dir/venv/bin/python" ] && "$dir/venv/bin/python" -c "import numpy, ml_dtypes, framework" 2>/dev/null \
  && ls "$dir"/venv/lib/python3.1*/site-packages/ttnn/tt_metal >/dev/null 2>&1 || make_venv
ttnn=$(echo "$dir"/venv/lib/python3.1*/site-packages/ttnn)
install_standin
build_objects wormhole tt-wh wormhole_b0
build_objects blackhole tt-bh blackhole
rm -rf "$dir/headers" && mkdir "$dir/headers" && ln -s "$ttnn" "$dir/headers/ttnn" # as headers.sh would
printf '%s' "$want" >"$dir/.ready"
