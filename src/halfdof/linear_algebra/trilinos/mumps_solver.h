// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/trilinos/direct_solver.h>
#include <halfdof/linear_algebra/trilinos/mumps_instance.h>

#include <memory>
#include <vector>

namespace halfdof::trilinos {

/**
 * Factorizes matrices of one pattern with MUMPS. Matrix, right-hand sides and solutions stay distributed
 * (ICNTL(18) = 3, ICNTL(20) = 10, ICNTL(21) = 1); only the lower triangle of a symmetric matrix is passed on.
 * For the analysis MUMPS gathers the row and column numbers, without values, on the first process, and
 * releases them afterwards. A parallel analysis needs PT-Scotch or ParMETIS, without which Debian builds
 * MUMPS 5.5.1: beyond two million rows the automatic choice is a Krylov iteration instead (iterate_krylov()).
 *
 * The ordering is computed once for a pattern. When a factorization is destroyed, its analysis is kept for
 * the next one.
 */
template <class Scalar>
class MumpsSolver {
 public:
  /// @param ordering It is used if it is known; otherwise it is computed and stored here
  MumpsSolver(PatternPtr pattern, MumpsSymmetry symmetry, std::shared_ptr<Ordering> ordering);
  ~MumpsSolver();
  MumpsSolver(MumpsSolver&&) noexcept;
  MumpsSolver& operator=(MumpsSolver&&) noexcept;

  /**
   * Factorizes a matrix. With MumpsSymmetry::definite, the result is null if the matrix is not positive
   * definite, and SingularMatrix is not thrown. Collective.
   *
   * @param values One finite value for each entry of the pattern on this process
   * @throws SingularMatrix
   */
  ReportedFactorizationPtr<Scalar> factorize(const std::vector<Scalar>& values);

  /// Returns the number of factor entries that the analysis predicts. Collective.
  double n_factor_entries();

  /// Returns the memory that the analysis predicts for the process that needs most [bytes]. Collective.
  double predicted_memory();

  /// Frees the instance that was kept from a destroyed factorization, with its analysis.
  void release_spare_instance();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace halfdof::trilinos
