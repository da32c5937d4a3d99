#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

namespace halfdof {

/// Unsymmetric multifrontal L U by UMFPACK (Davis 2004), real or complex.
template <class Scalar>
class UmfpackSolver {
 public:
  /// Orders and analyses the pattern: by AMD, pivots preferably on the diagonal, where the pattern is nearly
  /// symmetric with a full diagonal; by COLAMD otherwise. Where that predicts 500 operations or more for each
  /// entry of the factors, and 5 times the entries of the matrix, METIS is tried too and kept if it predicts
  /// fewer operations.
  explicit UmfpackSolver(PatternPtr pattern);
  ~UmfpackSolver();
  UmfpackSolver(UmfpackSolver&&) noexcept;
  UmfpackSolver& operator=(UmfpackSolver&&) noexcept;

  /// Predicted entries of L and U.
  double n_factor_entries() const;

  /// UMFPACK's own iterative refinement is off; see with_refinement().
  /// @throws SingularMatrix if a pivot is exactly zero.
  ReportedFactorizationPtr<Scalar> factorize(const std::vector<Scalar>& values) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace halfdof
