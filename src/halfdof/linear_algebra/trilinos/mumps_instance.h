#pragma once

#include <halfdof/base/types.h>

#include <dmumps_c.h>
#include <mpi.h>
#include <zmumps_c.h>

#include <string>
#include <type_traits>

namespace halfdof::trilinos {

/// What MUMPS assumes of a matrix, with its own numbers (SYM).
enum class MumpsSymmetry { unsymmetric = 0, definite = 1, symmetric = 2 };

/**
 * One instance of MUMPS from its first to its last job. Construction, destruction and run() are collective;
 * the last job is left out after MPI_Finalize, when the memory goes with the process.
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

  /// Runs a job (1 analysis, 2 factorization, 3 solution). @return INFOG(1), negative for an error
  int run(int job);

  /// The structure, with the numbers of the users' guide: 1-based icntl, info and so on.
  Structure* operator->() { return &structure_; }
  int& icntl(int number) { return structure_.icntl[number - 1]; }
  int info(int number) const { return structure_.info[number - 1]; }
  int infog(int number) const { return structure_.infog[number - 1]; }
  double rinfog(int number) const { return structure_.rinfog[number - 1]; }

  /// MUMPS' own type for the same numbers.
  static Number* numbers(Scalar* values) { return reinterpret_cast<Number*>(values); }

 private:
  void call();
  Structure structure_{};
};

/// Counts beyond 32 bits are given by MUMPS as negative millions.
double count_from_info(int info);

/// What an error code (INFOG(1), with INFOG(2)) means, and what to do.
std::string explain_mumps_error(int code, int detail);

}  // namespace halfdof::trilinos
