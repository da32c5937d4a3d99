// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/base/partition.h>

#include <functional>
#include <string>
#include <utility>

namespace halfdof::internal {

/// A linear operator: a function that returns Y = A X for one or several vectors, which are the columns of X.
/// Shapes of X and Y: local rows x k. Scalar is double or Complex. Collective.
template <class Scalar>
using BlockOperator = std::function<DenseMatrix<Scalar>(ConstView<Scalar> X)>;

/// Options of dominant_subspace().
struct SubspaceOptions {
  /// Number of wanted eigenvalues. A complex pair of a real operator counts as two and is never split.
  Index n_eigenvalues = 6;
  Index n_basis = 0;         ///< size of the Krylov basis, at least n_eigenvalues + 2; 0: n_eigenvalues + 40
  double tolerance = 1e-12;  ///< residual of each Schur vector relative to its eigenvalue
  Index max_restarts = 300;
  /// Number of applications of A to the start vectors before the iteration. If this number is at least the
  /// order of the largest Jordan block of the eigenvalue zero, the start vectors have no component in the
  /// generalized eigenspace of the eigenvalue zero.
  Index n_start_steps = 0;
};

/// An invariant subspace A Q = Q T with orthonormal columns Q (local rows) and T in Schur form (equal on all
/// processes), with eigenvalues in descending order of their moduli.
template <class Scalar>
struct InvariantSubspace {
  DenseMatrix<Scalar> Q, T;
  /// False if the second search, in the complement of this subspace, was cut short or found an eigenvalue
  /// that is larger than one of this subspace.
  bool is_complete = true;
};

/// The exception that dominant_subspace() throws if its iteration does not converge. The exception contains
/// the approximate eigenvalues, in descending order of their moduli.
class StalledIteration : public NoConvergence {
 public:
  StalledIteration(const std::string& message, double residual, ComplexVector values, Vector residuals,
                   Index n_converged)
      : NoConvergence(message, residual),
        values_(std::move(values)),
        residuals_(std::move(residuals)),
        n_converged_(n_converged) {}

  const ComplexVector& values() const { return values_; }
  /// Residuals of the eigenvalues, relative to their moduli.
  const Vector& residuals() const { return residuals_; }
  /// Number of eigenvalues whose residuals are within the tolerance.
  Index n_converged() const { return n_converged_; }

 private:
  ComplexVector values_;
  Vector residuals_;
  Index n_converged_;
};

/**
 * Computes the invariant subspace of a linear operator that belongs to its eigenvalues of largest modulus,
 * including all copies of multiple eigenvalues, by a block Krylov-Schur iteration (krylov_schur.h). Small
 * operators are treated as dense matrices. If the operator has fewer rows than wanted eigenvalues, all its
 * eigenvalues are returned.
 *
 * A block of p start vectors finds at most p copies of an eigenvalue, and may miss an eigenvalue by chance.
 * Therefore, when all eigenvalues have converged, a second search begins in the complement of the subspace
 * with other start vectors. The second search ends when its largest Ritz value plus the residual is below the
 * smallest modulus found, or when an eigenvalue that is clearly larger has converged; in the latter case,
 * this eigenvalue is included and the search is repeated. Collective.
 * @throws StalledIteration if the restarts do not suffice, or as soon as the rate of convergence shows that
 *   the remaining restarts will hardly suffice
 * @throws InvalidInput if the sizes in the options do not fit, or the operator returns infinity or NaN
 */
template <class Scalar>
InvariantSubspace<Scalar> dominant_subspace(const BlockOperator<Scalar>& apply, const Partition& rows,
                                            const SubspaceOptions& options);

}  // namespace halfdof::internal
