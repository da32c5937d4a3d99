#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

namespace halfdof {

/// Block triangular form and left-looking L U of each diagonal block by KLU (Davis and Palamadai Natarajan
/// 2010), real or complex: for trees, circuits and chains, whose factors stay too sparse for dense kernels.
template <class Scalar>
class KluSolver {
 public:
  /// Permutes the pattern to block triangular form and orders each block by AMD.
  /// @throws SingularMatrix if no values can make the matrix regular.
  explicit KluSolver(PatternPtr pattern);
  ~KluSolver();
  KluSolver(KluSolver&&) noexcept;
  KluSolver& operator=(KluSolver&&) noexcept;

  /// Predicted entries of L and U; the entries off the diagonal blocks count too.
  double n_factor_entries() const;
  /// Predicted operations of one factorization.
  double n_operations() const;

  /// @throws SingularMatrix if a pivot is exactly zero.
  ReportedFactorizationPtr<Scalar> factorize(const std::vector<Scalar>& values) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace halfdof
