// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/krylov/invariant_subspace.h>
#include <halfdof/reduction/reduced_system.h>

namespace halfdof::internal {

/**
 * A linear operator @f$ R = (\sigma I - A)^{-1} @f$ with real A, whose eigenvalues
 * @f$\theta = 1 / (\sigma - \lambda)@f$ are largest for the eigenvalues of A nearest to the shift. Where A is
 * a pencil, infinite eigenvalues become zero.
 */
template <class Scalar>
struct ShiftInverse {
  Scalar sigma;          ///< shift [1/s]
  Partition partition;   ///< partition of the vectors of `apply`
  GlobalIndex n_finite;  ///< number of finite eigenvalues of A
  int n_infinite_steps;  ///< number of applications that remove the components of infinite eigenvalues
  BlockOperator<Scalar> apply;
  /// x -> P(sigma)^{-1} M x and P(sigma)^{-1} C x on the local free DoFs; empty for the transposed matrix.
  BlockOperator<Scalar> response = {}, damped_response = {};
  Vector units = {};  ///< if given, the unknowns are the states divided by these; see in_units()
  /// For the transposed state matrix: z -> p on the local free DoFs, with @f$p^T P(\lambda) = 0@f$ if z is an
  /// eigenvector.
  BlockOperator<Scalar> left_vectors = {};
};

/// Returns the same operator for unknowns @f$y_i / u_i@f$. Shapes: u local rows, positive.
template <class Scalar>
ShiftInverse<Scalar> in_units(ShiftInverse<Scalar> inverse, const Vector& u) {
  const auto of_states = inverse.apply;
  inverse.apply = [of_states, u](ConstView<Scalar> y) -> DenseMatrix<Scalar> {
    DenseMatrix<Scalar> image = of_states(u.asDiagonal() * y);
    image = u.cwiseInverse().asDiagonal() * image;
    return image;
  };
  inverse.units = u;
  return inverse;
}

/// Returns the operator of the reduced system, with the sparsity of the assembled matrices. @throws
/// SingularMatrix if sigma is an eigenvalue.
template <class Engine, class Scalar>
ShiftInverse<Scalar> reduced_shift_inverse(const ReducedSystem<Engine>& reduced, Scalar sigma);

/**
 * Returns the operator of the transposed state matrix, @f$(\sigma I - A^T)^{-1}@f$:
 * @f[ z \mapsto \begin{bmatrix} J_I^T (\sigma M^T + C^T)\, p - z_3 \\ J_C^T C^T p \\ J_I^T M^T p
 *     \end{bmatrix}, \qquad (\sigma^2 M + \sigma C + K)^T p = J_I (z_1 + \sigma z_3) + J_C z_2. @f]
 */
template <class Engine, class Scalar>
ShiftInverse<Scalar> transposed_shift_inverse(const ReducedSystem<Engine>& reduced, Scalar sigma);

/**
 * Returns the operator of the assembled companion pencil in (q, q') of all free DoFs, before the elimination:
 * @f$ R = (\sigma E - A)^{-1} E @f$ with @f$E = \mathrm{diag}(I, M)@f$,
 * @f[ R \begin{bmatrix} q \\ v \end{bmatrix} = \begin{bmatrix} z \\ \sigma z - q \end{bmatrix}, \qquad
 *     (\sigma^2 M + \sigma C + K)\, z = (C + \sigma M)\, q + M v. @f]
 * If D is regular, infinite eigenvalues have chains of at most two vectors, so that two applications remove
 * them; with multipliers of constraints, four applications are needed. The matrices are those of
 * reduced.unreduced().system().
 *
 * @throws SingularMatrix if sigma is an eigenvalue.
 */
template <class Engine, class Scalar>
ShiftInverse<Scalar> companion_shift_inverse(const ReducedSystem<Engine>& reduced, Scalar sigma);

}  // namespace halfdof::internal
