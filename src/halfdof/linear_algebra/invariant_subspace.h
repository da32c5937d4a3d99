#pragma once

#include <halfdof/linear_algebra/engine.h>

#include <functional>

/**
 * @file
 * What `dominant_subspace` does on both engines. They differ in the Krylov iteration only, which a package
 * brings.
 */
namespace halfdof {

/// A Q = Q T with orthonormal columns Q (local rows) and T in real Schur form (the same on every process); up
/// to a residual where an iteration made it.
struct InvariantSubspace {
  MultiVector Q;
  MultiVector T;
  Vector magnitudes;    ///< of the eigenvalues of T
  double residual = 0;  ///< Frobenius norm of A Q - Q T
  bool converged = true;
};

/// Brings the `n_wanted` eigenvalues of a dense H of largest magnitude to the front of its Schur form, one
/// more where a complex pair would be cut. @throws NoConvergence
InvariantSubspace leading_part(MultiVector H, Index n_wanted);

/// (1 - Q Q^T) A / scale for orthonormal Q. Collective.
class DeflatedOperator {
 public:
  /// @param apply Has to outlive this object.
  DeflatedOperator(const LinearOperator& apply, Partition rows, MultiVector Q, double scale);

  /// @throws InvalidInput if the operator returns a value that is not finite
  Vector operator()(const Vector& x) const;
  /// A x / scale.
  Vector undeflated(const Vector& x) const;

  const Partition& rows() const { return rows_; }
  const MultiVector& Q() const { return Q_; }

 private:
  const LinearOperator* apply_;
  Partition rows_;
  MultiVector Q_;
  double scale_;
};

/// The `n_wanted` eigenvalues of largest magnitude by a Krylov iteration from options.start in a basis of
/// options.n_basis vectors, with `converged` as it came out. The operator is scaled: eigenvalues are about
/// one.
using KrylovIteration = std::function<InvariantSubspace(const DeflatedOperator& A, Index n_wanted,
                                                        const SubspaceOptions& options)>;

/**
 * Orthonormal basis of the invariant subspace to the eigenvalues of largest magnitude, multiple ones with all
 * their copies. Small operators are treated as dense matrices. Collective.
 *
 * @throws NoConvergence, and InvalidInput if the sizes in the options do not fit
 */
MultiVector dominant_subspace(const LinearOperator& apply, const Partition& rows, SubspaceOptions options,
                              const KrylovIteration& iterate);

}  // namespace halfdof
