// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/trilinos/direct_solver.h>
#include <halfdof/linear_algebra/trilinos/mumps_instance.h>

#include <memory>
#include <vector>

namespace halfdof::trilinos {

/**
 * Factorizes matrices of one pattern with MUMPS. Matrix, right-hand sides and solutions remain distributed
 * (ICNTL(18) = 3, ICNTL(20) = 10, ICNTL(21) = 1); only the lower triangle of a symmetric matrix is passed to
 * MUMPS. For the analysis, MUMPS gathers the row and column numbers, without values, on the first process,
 * and releases them afterwards. A parallel analysis requires PT-Scotch or ParMETIS, which MUMPS 5.5.1 of
 * Debian does not use. Therefore the automatic choice beyond two million rows is a Krylov iteration
 * (iterate_krylov()).
 *
 * The ordering is computed once for a pattern. When a factorization is destroyed, its analysis is stored for
 * the next factorization.
 */
template <class Scalar>
class MumpsSolver {
 public:
  /// @param ordering The elimination order; if it is empty, the order is computed and stored in this object
  MumpsSolver(PatternPtr pattern, MumpsSymmetry symmetry, std::shared_ptr<Ordering> ordering);
  ~MumpsSolver();
  MumpsSolver(MumpsSolver&&) noexcept;
  MumpsSolver& operator=(MumpsSolver&&) noexcept;

  /**
   * Factorizes a matrix. With MumpsSymmetry::definite, the result is null if the matrix is not positive
   * definite, and SingularMatrix is not thrown for a zero pivot. Collective.
   *
   * @param values One finite value for each entry of the pattern on this process
   * @throws SingularMatrix
   */
  ReportedFactorizationPtr<Scalar> factorize(const std::vector<Scalar>& values);

  /// Returns the number of factor entries that the analysis predicts. Collective.
  double n_factor_entries();

  /// Returns the memory [bytes] that the analysis predicts for the process that needs the most memory.
  /// Collective.
  double predicted_memory();

  /// Frees the MUMPS instance of a destroyed factorization, which is stored with its analysis for the next
  /// factorization.
  void release_spare_instance();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace halfdof::trilinos
