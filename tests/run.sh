#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Installs what is missing, builds everything and runs all tests:
#   bash tests/run.sh [arguments of ctest, for example -R reduction]
if [ "${1:-}" = --help ]; then
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  exit
fi
source "$(dirname "${BASH_SOURCE[0]}")/../.ci/setup.sh"

halfdof_install_packages
halfdof_configure -DHALFDOF_WITH_PYTHON=ON
cmake --build "$halfdof_build"
ctest --test-dir "$halfdof_build" --parallel "$(nproc)" --output-on-failure "$@"
