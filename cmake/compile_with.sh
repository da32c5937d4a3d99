#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# compile_with.sh <compiler> [<launcher>...] -- <another compiler> <argument>...
# Runs the first compiler, through its launcher, in place of the other one, with the same arguments.
compiler=$1
shift
launcher=
while [ "$1" != -- ]; do
  launcher="$launcher $1"
  shift
done
shift 2
exec $launcher "$compiler" "$@"
