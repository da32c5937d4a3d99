#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Installs missing packages, builds one example and runs it:
#   bash examples/run.sh                      the main example, viscoelastic-beam
#   bash examples/run.sh NAME [ARGUMENTS]     the example NAME with arguments of the application
#   bash examples/run.sh --list               prints the names of all examples
#   bash examples/run.sh --help               this text
source "$(dirname "${BASH_SOURCE[0]}")/../.ci/setup.sh"

if [ "${1:-}" = --help ]; then
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  exit
fi

examples=$(cd "$halfdof_source/examples" && find . -mindepth 2 -maxdepth 2 -name CMakeLists.txt | cut -d/ -f2 | sort)
name=${1:-viscoelastic-beam}
[ $# -eq 0 ] || shift

if [ "$name" = --list ]; then
  echo "$examples"
  exit
fi
if ! grep -qxF -- "$name" <<<"$examples"; then
  echo "There is no example called $name. There are:" ${examples:-none} >&2
  exit 2
fi

halfdof_install_packages
halfdof_configure
cmake --build "$halfdof_build" --target "$name"

# The application writes its files to the directory in which it is started.
results=$halfdof_build/results/$name
mkdir -p "$results"
cd "$results"
"$halfdof_build/bin/$name" "$@"
echo "The files of this run are in $results"
