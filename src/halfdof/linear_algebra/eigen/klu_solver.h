// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

namespace halfdof::internal {

/// Factorizes real or complex matrices with KLU (Davis and Palamadai Natarajan 2010): by a permutation to
/// block triangular form and a left-looking LU factorization of each diagonal block. KLU is efficient for
/// trees, circuits and chains, whose factors are too sparse for dense kernels.
template <class Scalar>
class KluSolver {
 public:
  /// Permutes the pattern to block triangular form and orders each block by AMD.
  /// @throws SingularMatrix if matrices of this pattern are singular for all values
  explicit KluSolver(PatternPtr pattern);
  ~KluSolver();
  KluSolver(KluSolver&&) noexcept;
  KluSolver& operator=(KluSolver&&) noexcept;

  /// Returns the predicted number of entries of L and U, including the entries off the diagonal blocks.
  double n_factor_entries() const;
  /// Returns the predicted number of operations of one factorization.
  double n_operations() const;

  /// Factorizes a matrix. @throws SingularMatrix if a pivot is exactly zero
  ReportedFactorizationPtr<Scalar> factorize(const std::vector<Scalar>& values) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace halfdof::internal
