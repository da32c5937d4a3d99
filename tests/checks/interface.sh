#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# bash interface.sh <compiler> <folder of the headers> <folder of Eigen>
# Every header that <halfdof/halfdof.h> includes compiles alone, and all of them need the C++ library, Eigen and
# halfdof only.
set -euo pipefail
compiler=$1 headers=$2 eigen=$3

sed -n 's/^#include <\(halfdof[^>]*\)>$/\1/p' "$headers/halfdof/halfdof.h" > headers.txt
test -s headers.txt
xargs -P 2 -I {} sh -c 'echo "#include <{}>" | "$0" -std=c++17 -I"$1" -isystem "$2" -x c++ -fsyntax-only - ||
  { echo "<{}> does not compile alone."; exit 1; }' "$compiler" "$headers" "$eigen" < headers.txt

echo '#include <halfdof/halfdof.h>' | "$compiler" -std=c++17 -I"$headers" -isystem "$eigen" -x c++ -M - |
  tr ' ' '\n' | grep '^/' > needed.txt
libraries='boost/|suitesparse/|lapacke|muParser|fftw3|flint|arb|qd/|zlib|minizip|matio|trilinos|mpi|deal\.II'
if grep -E "$libraries" needed.txt | grep -v "^$headers\|^$eigen\|/c++/"; then
  echo "<halfdof/halfdof.h> needs the files above; only Eigen may be needed by who links halfdof."
  exit 1
fi
