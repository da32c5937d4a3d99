#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Random families of small models through the program, every answer held against an independent reference:
#   bash tests/campaigns/run.sh linear|nonsmooth|memory [n] [seed] [options]
# n cases (default: 1000) of a seed (default: 1). Options: --family NAME alone; --case NUMBER of it, in full;
# --seconds S, after which no case begins. What fails is kept in results/campaigns/ in the build directory.
# Mutated inputs, and simulations that are ended at random moments and resumed:
#   bash tests/campaigns/run.sh files|kill [n] [seed] [--seconds S]
# n inputs (default: 10000), or n ends by kill -9 (default: 200).
# One run of each verb for each allocation, open, read, write, sync or rename of it that fails:
#   bash tests/campaigns/run.sh faults [n] [seed] [--seconds S]
# n of each verb and call (default: 0, which means all).
# Models on 1 to 4 processes, in odd and empty partitions, beside the same on one:
#   bash tests/campaigns/run.sh mpi [n] [seed] [--seconds S] [--case NUMBER]
# Installs what is missing and builds the program first, unless HALFDOF_PROGRAM names one (`faults` and `mpi` build in any case).

usage() {
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
}

if [ "${1:-}" = --help ] || [ "${1:-}" = -h ]; then
  usage
  exit
fi
case "${1:-}" in
  linear) script=linear.py options=() ;;
  nonsmooth) script=nonsmooth.py options=() ;;
  files | kill) script=$1.py options=() ;;
  faults) script=faults.py options=() ;;
  memory) script=nonsmooth.py options=(--methods memory) ;;
  mpi) script= ;;
  *)
    usage >&2
    exit 2
    ;;
esac
shift

source "$(dirname "${BASH_SOURCE[0]}")/../../.ci/setup.sh"

halfdof_install_packages
if [ -z "$script" ]; then
  halfdof_configure
  cmake --build "$halfdof_build" --target campaign_mpi
  export OPENBLAS_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
  result=0
  for ranks in 1 2 3 4; do
    # A process that waits for the others for ever would wait here.
    timeout "${HALFDOF_MPI_TIMEOUT:-3600}" \
      mpirun -n "$ranks" "$halfdof_build/bin/campaign_mpi" "$@" || result=1
  done
  exit "$result"
fi
program=${HALFDOF_PROGRAM:-}
if [ -z "$program" ] || [ "$script" = faults.py ]; then
  halfdof_configure
  cmake --build "$halfdof_build" --target halfdof_program halfdof_faults
  program=${program:-$halfdof_build/bin/halfdof}
fi
library=()
[ "$script" != faults.py ] || library=("$halfdof_build/lib/libhalfdof_faults.so")
# Debian's interpreter, for which python3-cypari2 is built.
exec /usr/bin/python3 -B "$halfdof_source/tests/campaigns/$script" "$program" "${library[@]}" \
  "$halfdof_build/results/campaigns" "$@" "${options[@]}"
