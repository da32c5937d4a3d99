#!/usr/bin/env bash
# Runs halfdof and the libraries that it is compared with, on the same models:
#   bash tests/benchmarks/run.sh [quick|full]
# Installs what is missing, builds, and writes a table of ratios to benchmarks.csv in the build directory. quick ends
# within a quarter of an hour on two cores; full takes larger models.
source "$(dirname "${BASH_SOURCE[0]}")/../../.ci/setup.sh"

size=${1:-quick}
case $size in
  quick) setup="158 14" quasi_definite="100 14" eigenvalues="60 10 30" adaptive="16 2" siconos="" memory=100 ;;
  full) setup="158 26" quasi_definite="158 20" eigenvalues="158 20 40" adaptive="20 3" siconos="" memory=150 ;;
  *)
    echo "usage: bash tests/benchmarks/run.sh [quick|full]" >&2
    exit 2
    ;;
esac

halfdof_packages+=("$halfdof_source/tests/benchmarks/packages.txt")
halfdof_install_packages
halfdof_configure
targets=(setup quasi_definite eigenvalues adaptive siconos classification linear_step memory_step)
cmake --build "$halfdof_build" --target "${targets[@]/#/benchmark_}"
cmake -G Ninja -S "$halfdof_source/tests/benchmarks/peers" -B "$halfdof_build/peers"
cmake --build "$halfdof_build/peers"

# One thread each: what is compared is work.
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
export HALFDOF_PEERS=$halfdof_build/peers HALFDOF_BENCHMARK_CSV=$halfdof_build/benchmarks.csv
echo '"job","model","peer","ours [s]","theirs [s]","theirs/ours","goal","differ by","verdict"' >"$HALFDOF_BENCHMARK_CSV"
cd "$halfdof_build/bin"
./benchmark_setup $setup
./benchmark_quasi_definite $quasi_definite
./benchmark_eigenvalues $eigenvalues
./benchmark_adaptive $adaptive
./benchmark_siconos $siconos
./benchmark_classification
./benchmark_linear_step
./benchmark_memory_step $memory
echo "All ratios are in $HALFDOF_BENCHMARK_CSV"
