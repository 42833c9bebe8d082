#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles a handful of kernels and runs their run.py through the vendor's runtime on a simulated Wormhole.
#
# usage: simulate/simulate_suite.sh VENDOR_FOLDER TILEWRIGHT [-- ARGUMENT...]
# Exit status: 0 all right, 1 a wrong result, 77 the environment cannot be made on this computer.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vendor=$1
tool=$2
shift 2
kernels=$here/../kernels

sh "$here/setup.sh" "$vendor" || exit $?

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

emit() { # name, kernel, argument...
  local name=$1 kernel=$2
  shift 2
  "$tool" compile "$kernels/$kernel" --arch wormhole "$@" -o "$work/$name" >/dev/null
}
tensors() { # M K N: the two operands
  printf '%s\n' -a "x=bf16[$1,$2]" -a "y=bf16[$2,$3]"
}

emit one-core-64 matmul.py:matmul $(tensors 64 64 64) --grid 1x1
emit multicast-2x2 matmul.py:matmul $(tensors 96 160 128) --grid 2x2 \
  --fix cores_tile_m=2 --fix cores_tile_n=2 --fix sharers_x=2 --fix sharers_y=2
emit tails matmul.py:matmul $(tensors 100 70 50) --grid 1x1
emit bias-relu matmul.py:matmul $(tensors 64 96 64) --grid 1x1 \
  -a "epilogue=$kernels/epilogues.py:bias_relu" -a 'bias=bf16[64]'
emit single-buffered matmul.py:matmul $(tensors 64 128 64) --grid 1x1 \
  --fix tile_k=32 --fix pipe_tile_k_load=0 --fix pipe_grid_store=0

sh "$here/simulate.sh" --vendor "$vendor" "$work"/{one-core-64,multicast-2x2,tails,bias-relu,single-buffered} "$@"
