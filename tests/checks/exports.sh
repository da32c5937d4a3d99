#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# bash exports.sh <nm> <src/exports.txt> <library>...
# Every symbol that a library exports belongs to a name of exports.txt, in the namespace that it gives. The
# names of the interface stand in the public headers that exports.txt gives, and those of the namespace
# halfdof::internal in some header of the inside. (Whether an inline function has a symbol
# depends on the compiler, so that a listed name may have none.)
set -euo pipefail
nm=$1 list=$2
shift 2

# One line a name: its header, or "inside", and the name. Without the engine for MPI its names are not exported.
awk '/^#/ { next } /^[a-z_0-9\/.]+:/ { header = $1; sub(":", "", header); $1 = "" }
     { for (i = 1; i <= NF; ++i) if ($i != "") print header, $i }' "$list" > names.txt
[[ "$*" == *trilinos* ]] || sed -i '\,^linear_algebra/trilinos/,d' names.txt
awk '{ print ($1 == "inside" ? $1 : "public"), $2 }' names.txt | sort > listed.txt
if uniq -d listed.txt | grep .; then
  echo "$list names the above twice."
  exit 1
fi

for library in "$@"; do
  "$nm" -D --defined-only "$library"
done | awk '{ print $3 }' | sort -u > symbols.txt
grep -vE '^_ZN7halfdof(8internal)?[a-z]' symbols.txt |
  sed -E 's/^_Z(T[ISV])?NK?7halfdof8internal/inside /; s/^_Z(T[ISV])?NK?7halfdof/public /' |
  awk '{ size = $2 + 0; print $1, size ? substr($2, length(size "") + 1, size) : $2 }' | sort -u > exported.txt
if comm -13 listed.txt exported.txt | grep .; then
  echo "The libraries export the names above, which $list does not list."
  exit 1
fi
grep '^inside ' names.txt | while read -r _ name; do
  if ! grep -rqw --include=*.h "$name" "$(dirname "$list")/halfdof"; then
    echo "No header declares $name, which $list says."
    exit 1
  fi
done
grep -v '^inside ' names.txt | while read -r header name; do
  if ! grep -qw "$name" "$(dirname "$list")/include/halfdof/$header"; then
    echo "$header does not declare $name, which $list says."
    exit 1
  fi
done
