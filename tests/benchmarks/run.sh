#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs halfdof and the libraries that it is compared with, on the same models, and writes tables and pictures of ratios:
#   bash tests/benchmarks/run.sh quick    a quarter of an hour on two cores, the default
#   bash tests/benchmarks/run.sh full     larger models
# Installs what is missing and builds first. The files go to benchmarks/ in the build directory; an interrupted run leaves
# the rows that it finished in benchmarks.csv.

usage() {
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
}

size=${1:-quick}
if [ "$size" = --help ] || [ "$size" = -h ]; then
  usage
  exit
fi
if [ $# -gt 1 ] || { [ "$size" != quick ] && [ "$size" != full ]; }; then
  usage >&2
  exit 2
fi

source "$(dirname "${BASH_SOURCE[0]}")/../../.ci/setup.sh"

# What runs: program, processes, and arguments of quick and of full.
runs=(
  "setup          | 1 | 158 14    | 158 26"
  "classification | 1 |           |"
  "batches        | 1 | 158 14    | 158 26"
  "quasi_definite | 1 | 100 14    | 158 20"
  "eigenvalues    | 1 | 60 10 30  | 158 20 40"
  "dense_spectrum | 1 |           |"
  "linear_step    | 1 |           |"
  "adaptive       | 1 | 16 2      | 20 3"
  "adaptive       | 1 | 24 2      | 32 3"
  "siconos        | 1 |           |"
  "coulomb        | 1 | 40 25 3 4 | 40 25 3 20"
  "chains         | 1 |           |"
  "meshes         | 1 | 5 2       | 6 3"
  "memory_step    | 1 | 16 60 300 | 32 60 300"
  "distributed    | 2 | 20 2      | 40 3"
)

# The fields of a run.
field() {
  cut -d'|' -f"$2" <<<"$1" | xargs
}

halfdof_packages+=("$halfdof_source/tests/benchmarks/packages.txt")
halfdof_install_packages
halfdof_configure
known=$(cmake --build "$halfdof_build" --target help)
targets=(benchmark_summary)
for run in "${runs[@]}"; do
  target=benchmark_$(field "$run" 1)
  if grep -q "^$target:" <<<"$known"; then
    targets+=("$target")
  else
    echo "$target is left out: this build lacks a library that it needs." >&2
  fi
done
cmake --build "$halfdof_build" --target "${targets[@]}"
cmake -G Ninja -S "$halfdof_source/tests/benchmarks/peers" -B "$halfdof_build/peers"
cmake --build "$halfdof_build/peers"

# One thread each: what is compared is work.
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 OMP_THREAD_LIMIT=1
results=$halfdof_build/benchmarks
mkdir -p "$results"
export HALFDOF_PEERS=$halfdof_build/peers HALFDOF_BENCHMARK_CSV=$results/benchmarks.csv
rm -f "$results"/benchmarks.{csv,md} "$results"/ratios.{dat,png} "$results/steps.png"
cd "$results"

failed=()
for run in "${runs[@]}"; do
  program=benchmark_$(field "$run" 1)
  [[ " ${targets[*]} " == *" $program "* ]] || continue
  processes=$(field "$run" 2)
  arguments=$(field "$run" $([ "$size" = quick ] && echo 3 || echo 4))
  launcher=()
  [ "$processes" = 1 ] || launcher=(mpirun -n "$processes")
  echo
  echo "== $program $arguments"
  begin=$SECONDS
  "${launcher[@]}" "$halfdof_build/bin/$program" $arguments || failed+=("$program")
  echo "($((SECONDS - begin)) s)"
done

echo
"$halfdof_build/bin/benchmark_summary" "$HALFDOF_BENCHMARK_CSV"
gnuplot -c "$halfdof_source/tests/benchmarks/ratios.gp" ratios.dat ratios.png
echo "Tables and pictures are in $results: benchmarks.csv, benchmarks.md, ratios.png, steps.png"
if [ ${#failed[@]} -gt 0 ]; then
  echo "Failed: ${failed[*]}" >&2
  exit 1
fi
