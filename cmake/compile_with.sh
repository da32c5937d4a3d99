#!/bin/sh
# compile_with.sh <compiler> [<launcher>...] -- <another compiler> <argument>...
# Starts the compiler, by its launcher, in the place of the other one.
compiler=$1
shift
launcher=
while [ "$1" != -- ]; do
  launcher="$launcher $1"
  shift
done
shift 2
exec $launcher "$compiler" "$@"
