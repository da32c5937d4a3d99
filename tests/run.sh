#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests:
#   bash tests/run.sh [arguments of ctest, for example -R reduction]
source "$(dirname "${BASH_SOURCE[0]}")/../.ci/setup.sh"

halfdof_install_packages
halfdof_configure
cmake --build "$halfdof_build"
ctest --test-dir "$halfdof_build" --parallel "$(nproc)" --output-on-failure "$@"
