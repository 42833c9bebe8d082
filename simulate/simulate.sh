#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs emitted TT-Metal directories on a simulated chip: makes the environment if need be, then run.py.
#
# usage: simulate/simulate.sh [--vendor DIR] [--timeout SECONDS] [--chip NAME] DIR... [-- ARGUMENT...]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
vendor=$here/../build/vendor
if [ "${1:-}" = --vendor ]; then
  vendor=$2
  shift 2
fi
"$here/setup.sh" "$vendor"
vendor=$(cd "$vendor" && pwd)
exec "$vendor/venv/bin/python" "$here/run.py" --vendor "$vendor" "$@"
