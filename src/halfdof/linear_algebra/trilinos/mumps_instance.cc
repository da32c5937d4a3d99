// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/trilinos/mumps_instance.h>

namespace halfdof::trilinos {

template <class Scalar>
MumpsInstance<Scalar>::MumpsInstance(MPI_Comm mpi, MumpsSymmetry symmetry) {
  structure_.comm_fortran = MPI_Comm_c2f(mpi);
  structure_.par = 1;
  structure_.sym = static_cast<int>(symmetry);
  structure_.job = -1;
  call();
  for (int stream = 1; stream <= 3; ++stream)
    icntl(stream) = -1;
  icntl(4) = 0;
}

template <class Scalar>
MumpsInstance<Scalar>::~MumpsInstance() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized) return;
  structure_.job = -2;
  call();
}

template <class Scalar>
int MumpsInstance<Scalar>::run(int job) {
  structure_.job = job;
  call();
  return infog(1);
}

template <class Scalar>
void MumpsInstance<Scalar>::call() {
  if constexpr (std::is_same_v<Scalar, double>)
    dmumps_c(&structure_);
  else
    zmumps_c(&structure_);
}

double count_from_info(int info) {
  return info < 0 ? -1e6 * info : info;
}

std::string explain_mumps_error(int code, int detail) {
  const std::string prefix =
      "MUMPS reports error " + std::to_string(code) + " (detail " + std::to_string(detail) + "): ";
  switch (code) {
    case -5:
    case -7:
    case -13:
      return prefix + "the memory of a process does not suffice. Use more processes or a smaller model.";
    case -8:
    case -9:
    case -11:
    case -12:
    case -14:
    case -15:
    case -17:
    case -18:
    case -20:
      return prefix +
             "the workspace of MUMPS does not suffice, although it has been enlarged several times. "
             "Use more processes, so that each process stores less.";
    case -19:
      return prefix + "the memory allowed for a process is too small. Use more processes.";
    case -22:
      return prefix +
             "an array that was passed to MUMPS is missing or too small. This is an error "
             "of halfdof: please report it.";
    default:
      return prefix + "the users' guide of MUMPS explains this value of INFOG(1).";
  }
}

template class MumpsInstance<double>;
template class MumpsInstance<Complex>;

}  // namespace halfdof::trilinos
