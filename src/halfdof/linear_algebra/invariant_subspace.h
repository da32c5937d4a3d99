#pragma once

#include <halfdof/base/partition.h>

#include <functional>

namespace halfdof {

/// Y = A X for one or several vectors, one column each; collective. Shapes: local rows x k. Scalar is double or Complex.
template <class Scalar>
using BlockOperator = std::function<DenseMatrix<Scalar>(ConstView<Scalar> X)>;

struct SubspaceOptions {
  Index n_eigenvalues = 6;   ///< of a real operator, a complex pair counts as two and is never cut
  Index n_basis = 0;         ///< size of the Krylov basis, at least n_eigenvalues + 2; 0: n_eigenvalues + 40
  double tolerance = 1e-12;  ///< residual of each Schur vector relative to its eigenvalue
  Index max_restarts = 300;
  /// Applications of A to the start vectors: as many as take out of them what belongs to a defective eigenvalue zero.
  Index n_start_steps = 0;
};

/// A Q = Q T with orthonormal columns Q (local rows) and T in Schur form (the same on every process), eigenvalues of
/// large magnitude first.
template <class Scalar>
struct InvariantSubspace {
  DenseMatrix<Scalar> Q, T;
};

/**
 * The invariant subspace of a linear operator to its eigenvalues of largest magnitude, multiple ones with all their
 * copies, by a block Krylov-Schur iteration (krylov_schur.h). Small operators are treated as dense matrices; there may be
 * fewer columns than asked for where there are fewer rows.
 *
 * A block of p start vectors holds p directions for each eigenvalue. Where p of those found are as good as equal, there
 * may be more: the iteration begins anew beside what was found, as long as it comes upon an eigenvalue that is clearly
 * larger than the smallest one found. Collective.
 *
 * @throws NoConvergence, and InvalidInput if the sizes in the options do not fit or the operator returns what is not
 * finite
 */
template <class Scalar>
InvariantSubspace<Scalar> dominant_subspace(const BlockOperator<Scalar>& apply, const Partition& rows,
                                            const SubspaceOptions& options);

}  // namespace halfdof
