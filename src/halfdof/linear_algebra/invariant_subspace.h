#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/base/partition.h>

#include <functional>
#include <string>
#include <utility>

namespace halfdof {

/// Y = A X for one or several vectors, one column each; collective. Shapes: local rows x k. Scalar is double
/// or Complex.
template <class Scalar>
using BlockOperator = std::function<DenseMatrix<Scalar>(ConstView<Scalar> X)>;

struct SubspaceOptions {
  Index n_eigenvalues = 6;   ///< of a real operator, a complex pair counts as two and is never cut
  Index n_basis = 0;         ///< size of the Krylov basis, at least n_eigenvalues + 2; 0: n_eigenvalues + 40
  double tolerance = 1e-12;  ///< residual of each Schur vector relative to its eigenvalue
  Index max_restarts = 300;
  /// Applications of A to the start vectors: as many as take out of them what belongs to a defective
  /// eigenvalue zero.
  Index n_start_steps = 0;
};

/// A Q = Q T with orthonormal columns Q (local rows) and T in Schur form (the same on every process),
/// eigenvalues of large magnitude first.
template <class Scalar>
struct InvariantSubspace {
  DenseMatrix<Scalar> Q, T;
  /// Whether a second search beside it came to an end, and found nothing larger.
  bool is_complete = true;
};

/// An iteration that did not converge, and the eigenvalues that it had come near to: of largest magnitude
/// first.
class StalledIteration : public NoConvergence {
 public:
  StalledIteration(const std::string& message, double residual, ComplexVector values, Vector residuals,
                   Index n_converged)
      : NoConvergence(message, residual),
        values_(std::move(values)),
        residuals_(std::move(residuals)),
        n_converged_(n_converged) {}

  const ComplexVector& values() const { return values_; }
  /// Of each, relative to it.
  const Vector& residuals() const { return residuals_; }
  /// How many of them are within the tolerance.
  Index n_converged() const { return n_converged_; }

 private:
  ComplexVector values_;
  Vector residuals_;
  Index n_converged_;
};

/**
 * The invariant subspace of a linear operator to its eigenvalues of largest magnitude, multiple ones with all
 * their copies, by a block Krylov-Schur iteration (krylov_schur.h). Small operators are treated as dense
 * matrices; there may be fewer columns than asked for where there are fewer rows.
 *
 * A block of p start vectors holds p directions for each eigenvalue, and hardly any of some by chance. When
 * all have converged, a second search begins anew beside them, with other start vectors: until its Ritz
 * value of largest magnitude and its residual are below the smallest magnitude found, or an eigenvalue that
 * is clearly larger has converged, with which all begins again. Collective.
 *
 * @throws StalledIteration as soon as the restarts so far tell that those left will hardly suffice, and
 * InvalidInput if the sizes in the options do not fit or the operator returns what is not finite
 */
template <class Scalar>
InvariantSubspace<Scalar> dominant_subspace(const BlockOperator<Scalar>& apply, const Partition& rows,
                                            const SubspaceOptions& options);

}  // namespace halfdof
