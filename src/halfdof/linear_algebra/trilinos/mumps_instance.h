// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <dmumps_c.h>
#include <mpi.h>
#include <zmumps_c.h>

#include <string>
#include <type_traits>

namespace halfdof::trilinos {

/// The symmetry that MUMPS assumes for a matrix. The values are those of the parameter SYM of MUMPS.
enum class MumpsSymmetry { unsymmetric = 0, definite = 1, symmetric = 2 };

/**
 * One instance of MUMPS, which the constructor initializes and the destructor terminates. Constructor,
 * destructor and run() are collective. After MPI_Finalize the destructor does nothing: the memory is freed
 * when the process ends.
 */
template <class Scalar>
class MumpsInstance {
 public:
  using Structure = std::conditional_t<std::is_same_v<Scalar, double>, DMUMPS_STRUC_C, ZMUMPS_STRUC_C>;
  using Number = std::conditional_t<std::is_same_v<Scalar, double>, double, mumps_double_complex>;

  MumpsInstance(MPI_Comm mpi, MumpsSymmetry symmetry);
  MumpsInstance(const MumpsInstance&) = delete;
  MumpsInstance& operator=(const MumpsInstance&) = delete;
  ~MumpsInstance();

  /// Runs a job of MUMPS: 1 analysis, 2 factorization, 3 solution. @return The error code INFOG(1), which is
  /// negative for an error
  int run(int job);

  /// Access to the structure of MUMPS. The numbers in icntl(), info(), infog() and rinfog() count from one,
  /// as in the users' guide of MUMPS.
  Structure* operator->() { return &structure_; }
  int& icntl(int number) { return structure_.icntl[number - 1]; }
  int info(int number) const { return structure_.info[number - 1]; }
  int infog(int number) const { return structure_.infog[number - 1]; }
  double rinfog(int number) const { return structure_.rinfog[number - 1]; }

  /// Converts a pointer to the number type of MUMPS.
  static Number* numbers(Scalar* values) { return reinterpret_cast<Number*>(values); }

 private:
  void call();
  Structure structure_{};
};

/// Converts an INFO entry of MUMPS to a count. MUMPS reports large counts in millions, with a negative sign.
double count_from_info(int info);

/// Returns a message with the meaning of an error code of MUMPS and advice.
/// @param code,detail INFOG(1) and INFOG(2) of MUMPS
std::string explain_mumps_error(int code, int detail);

}  // namespace halfdof::trilinos
