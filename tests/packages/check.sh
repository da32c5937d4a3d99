#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Holds the Debian packages of a build against what users expect of them:
#   bash tests/packages/check.sh [folder with the packages]             below a scratch folder; neither apt nor root
#   bash tests/packages/check.sh --system [folder with the packages]    installed by apt on this machine, then removed
# The folder is by default build-package/packages, which these make:
#   cmake --preset package && cmake --build --preset package && cpack --preset package
if [ "${1:-}" = --help ]; then
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  exit
fi
set -euo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
system=
if [ "${1:-}" = --system ]; then
  system=yes
  shift
fi
folder=$(cd "${1:-$source/build-package/packages}" && pwd)
packages=("$folder"/*.deb)
[ -e "${packages[0]}" ] || { echo "There are no packages in $folder." >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

wrong=0
complain() {
  echo "Wrong: $*" >&2
  wrong=1
}

# Each package by itself: what it says and what it holds.
names=()
for package in "${packages[@]}"; do
  name=$(dpkg-deb --field "$package" Package)
  names+=("$name")
  echo "$name: $(dpkg-deb --field "$package" Depends)"
  [ -n "$(dpkg-deb --field "$package" Maintainer)" ] || complain "$name has no maintainer."
  [ "$(dpkg-deb --field "$package" Description | head -n 1 | wc -c)" -le 81 ] ||
    complain "the first line of the description of $name is too long."
  dpkg-deb --fsys-tarfile "$package" | tar -t >"$scratch/files"
  for file in copyright changelog.gz; do
    grep -q "^./usr/share/doc/$name/$file$" "$scratch/files" || complain "$name has no $file."
  done
  ! grep -v '^./$\|^./usr/' "$scratch/files" || complain "$name holds files outside of /usr."
  dpkg-deb --fsys-tarfile "$package" | tar -tv | awk '$2 != "root/root"' | (! grep .) ||
    complain "$name holds files that do not belong to root."
  dpkg-deb --extract "$package" "$scratch/root"
done
cd "$scratch"
find root -xtype l | (! grep .) || complain "these links lead nowhere."
find root -type f ! -perm -044 | (! grep .) || complain "these files cannot be read by all."
! grep -rlF "$source" root --include='*.cmake' --include='*.pc' || complain "these files name the folder of the build."
while read -r file; do
  ! readelf --dynamic "$file" 2>/dev/null | grep -E 'RPATH|RUNPATH' || complain "$file has a search path of its own."
done < <(find root -type f \( -name '*.so*' -o -path '*/bin/*' \))

# Where users find them.
prefix=
if [ -n "$system" ]; then
  as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  remove() {
    "${as_root[@]}" apt-get -q -y purge "${names[@]}" </dev/null >/dev/null
    rm -rf "$scratch"
  }
  trap remove EXIT
  "${as_root[@]}" apt-get -q -y install --no-install-recommends "${packages[@]}" </dev/null
else
  apt-get -q --simulate install --no-install-recommends "${packages[@]}" >simulated 2>&1 || {
    cat simulated >&2
    complain "apt cannot install the packages."
  }
  prefix=$scratch/root/usr
  libraries=$(dirname "$(find "$prefix/lib" -name libhalfdof.so)")
  export CMAKE_PREFIX_PATH=$prefix PKG_CONFIG_PATH=$libraries/pkgconfig LD_LIBRARY_PATH=$libraries PATH=$prefix/bin:$PATH
fi

# Foreign projects: by find_package(), and by pkg-config.
consumer() {
  echo "== $1 by find_package()"
  cmake -G Ninja -S "$source/tests/consumer/$1" -B "by-cmake-$1" -DCMAKE_BUILD_TYPE=Release >log 2>&1 &&
    cmake --build "by-cmake-$1" >>log 2>&1 && "by-cmake-$1/consumer" >>log 2>&1 || {
      cat log >&2
      complain "the project $1 does not build or run."
    }
}
if [[ " ${names[*]} " == *" libhalfdof-dev "* ]]; then
  consumer plain
  if [[ " ${names[*]} " == *" libhalfdof-dealii-dev "* ]]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    consumer dealii
  fi
  echo "== plain by pkg-config"
  # What pkg-config says is several words.
  # shellcheck disable=SC2046
  "${CXX:-c++}" -std=c++17 "$source/tests/consumer/plain/main.cc" -o by-pkg-config $(pkg-config --cflags --libs halfdof) &&
    ./by-pkg-config >/dev/null || complain "what pkg-config says does not compile, link or run."
fi

# The program.
if [[ " ${names[*]} " == *" halfdof "* ]]; then
  echo "== $(command -v halfdof)"
  data=$source/tests/data/engine_mount
  halfdof modes --mass "$data/M.mtx" --damping "$data/C.mtx" --stiffness "$data/K.mtx" --all >modes ||
    complain "halfdof modes failed."
  for verb in $(halfdof --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]\{1,\}\) .*/\1/p'); do
    grep -qxF ".B $verb" "$source/docs/halfdof.1" || complain "the manual page does not name the verb $verb."
  done
fi

[ "$wrong" = 0 ] || exit 1
echo "The packages are as they should be:" "${names[@]}"
