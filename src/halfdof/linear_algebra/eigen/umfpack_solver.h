// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

namespace halfdof::internal {

/// The unsymmetric multifrontal LU factorization of UMFPACK (Davis 2004), for real and complex matrices.
template <class Scalar>
class UmfpackSolver {
 public:
  /// Orders and analyses the pattern. If the pattern is nearly symmetric with a full diagonal, AMD is used,
  /// and pivots are preferably chosen on the diagonal; otherwise COLAMD is used. If the analysis predicts at
  /// least 500 operations for each entry of the factors, and at least 5 times as many entries of the factors
  /// as of the matrix, METIS is tried, too, and used if it predicts fewer operations.
  explicit UmfpackSolver(PatternPtr pattern);
  ~UmfpackSolver();
  UmfpackSolver(UmfpackSolver&&) noexcept;
  UmfpackSolver& operator=(UmfpackSolver&&) noexcept;

  /// Returns the predicted number of entries of L and U.
  double n_factor_entries() const;

  /// Factorizes a matrix. The iterative refinement of UMFPACK is switched off, because with_refinement()
  /// refines if necessary.
  /// @throws SingularMatrix if a pivot is exactly zero
  ReportedFactorizationPtr<Scalar> factorize(const std::vector<Scalar>& values) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace halfdof::internal
