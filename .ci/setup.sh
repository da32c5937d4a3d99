# SPDX-License-Identifier: LGPL-2.1-or-later
# Sourced by examples/run.sh, tests/run.sh and .ci/run: installs what is missing, sets the environment, configures.
# Takes from the environment
#   HALFDOF_BUILD_DIR   the build directory (default: build in the source tree)
#   HALFDOF_CMAKE_ARGS  further arguments of cmake, separated by blanks

set -euo pipefail

halfdof_source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
halfdof_build=${HALFDOF_BUILD_DIR:-$halfdof_source/build}

# Open MPI refuses to run as root, and with more ranks than cores, unless told that both are meant.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# The lists of Debian packages.
halfdof_packages=("$halfdof_source/.ci/packages.txt")

# Those of them that are not installed.
halfdof_missing_packages() {
  local package
  for package in $(sed 's/#.*//' "${halfdof_packages[@]}"); do
    [ "$(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      echo "$package"
  done
}

# Installs the missing packages; with none missing, neither apt nor the network is touched.
halfdof_install_packages() {
  local missing as_root=()
  missing=$(halfdof_missing_packages)
  [ -n "$missing" ] || return 0
  echo "Installing Debian packages:" $missing
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "These packages are missing and only root can install them:" >&2
      echo "  apt-get install --no-install-recommends" $missing >&2
      return 1
    fi
    as_root=(sudo)
  fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q update </dev/null
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 \
    install --no-install-recommends $missing </dev/null
}

# halfdof_configure [arguments of cmake]: without arguments, what is configured is configured again by ninja itself where a
# CMake file changed. These scripts build everything once, which takes about half the time with the sources of each folder
# compiled together.
halfdof_configure() {
  if [ ! -f "$halfdof_build/build.ninja" ] || [ -n "$*${HALFDOF_CMAKE_ARGS:-}" ]; then
    cmake -G Ninja -S "$halfdof_source" -B "$halfdof_build" -DHALFDOF_UNITY_BUILD=ON "$@" ${HALFDOF_CMAKE_ARGS:-}
  fi
}
