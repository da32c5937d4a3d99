#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

namespace halfdof {

/// Unsymmetric multifrontal L U by UMFPACK (Davis 2004), real or complex.
template <class Scalar>
class UmfpackSolver {
 public:
  /// Orders and analyses the pattern: by AMD or COLAMD as UMFPACK decides, and where that predicts many
  /// operations, also by METIS; the ordering with fewer operations is kept.
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
