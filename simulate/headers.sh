#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fetches only the vendor's device headers, for conform.py. Any Python 3 with pip will do.
#
# usage: simulate/headers.sh [DIR]      DIR: default <repository>/build/vendor
# Result: DIR/headers/ttnn/tt_metal. Exit status 77 when the wheel cannot be fetched.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
dir=${1:-$here/../build/vendor}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
exec 9>"$dir/.lock"
flock 9
[ ! -d "$dir/headers/ttnn/tt_metal" ] || exit 0

for venv in "$dir"/venv/lib/python3.1*/site-packages/ttnn; do
  if [ -d "$venv/tt_metal" ]; then
    mkdir -p "$dir/headers"
    ln -sfn "$venv" "$dir/headers/ttnn"
    exit 0
  fi
done

temporary=$(mktemp -d "$dir/download.XXXXXX")
trap 'rm -rf "$temporary"' EXIT
fetched=
for python in python3 /usr/bin/python3; do
  if "$python" -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: \
    --python-version 3.12 --platform manylinux_2_34_x86_64 -d "$temporary" ttnn==0.81.1 >&2; then
    fetched=$python
    break
  fi
done
if [ -z "$fetched" ]; then
  echo "simulate: cannot fetch the ttnn 0.81.1 wheel with pip" >&2
  exit 77
fi

mkdir "$temporary/headers"
"$fetched" - "$temporary" <<'PYTHON'
import glob, os, sys, zipfile

folder = sys.argv[1]
wheel = zipfile.ZipFile(glob.glob(os.path.join(folder, "ttnn-*.whl"))[0])
kinds = (".h", ".hpp", ".inl", ".c", ".cc", ".cpp", ".S")
names = [n for n in wheel.namelist() if n.startswith("ttnn/tt_metal/") and n.endswith(kinds)]
wheel.extractall(os.path.join(folder, "headers"), names)
PYTHON
rm -rf "$dir/headers"
mv "$temporary/headers" "$dir/headers"
