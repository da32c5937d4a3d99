#pragma once

#include <halfdof/linear_algebra/invariant_subspace.h>
#include <halfdof/reduction/reduced_system.h>

namespace halfdof {

/**
 * A linear operator @f$ R = (\sigma I - A)^{-1} @f$ with real A, whose eigenvalues
 * @f$\theta = 1 / (\sigma - \lambda)@f$ are largest for the eigenvalues of A nearest to the shift. Where A is
 * a pencil, infinite eigenvalues become zero.
 */
template <class Scalar>
struct ShiftInverse {
  Scalar sigma;          ///< [1/s]
  Partition partition;   ///< of the vectors it is applied to
  GlobalIndex n_finite;  ///< how many eigenvalues of A are finite
  int n_infinite_steps;  ///< applications that take every infinite eigenvalue out of a vector
  BlockOperator<Scalar> apply;
  /// x -> P(sigma)^{-1} M x and P(sigma)^{-1} C x on the local free DoFs; none of transposed ones.
  BlockOperator<Scalar> response = {}, damped_response = {};
  Vector units = {};  ///< where given, unknowns are the states over these: those of in_units()
  /// Of the transposed state matrix: z -> p on the local free DoFs. @f$p^T P(\lambda) = 0@f$ where z is an
  /// eigenvector.
  BlockOperator<Scalar> left_vectors = {};
};

/// The same operator for unknowns @f$y_i / u_i@f$. Shapes: u local rows, positive.
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

/// Of the reduced system, through the original sparsity. @throws SingularMatrix if sigma is an eigenvalue.
template <class Engine, class Scalar>
ShiftInverse<Scalar> reduced_shift_inverse(const ReducedSystem<Engine>& reduced, Scalar sigma);

/**
 * Of the transposed state matrix, @f$(\sigma I - A^T)^{-1}@f$:
 * @f[ z \mapsto \begin{bmatrix} J_I^T (\sigma M^T + C^T)\, p - z_3 \\ J_C^T C^T p \\ J_I^T M^T p
 *     \end{bmatrix}, \qquad (\sigma^2 M + \sigma C + K)^T p = J_I (z_1 + \sigma z_3) + J_C z_2. @f]
 */
template <class Engine, class Scalar>
ShiftInverse<Scalar> transposed_shift_inverse(const ReducedSystem<Engine>& reduced, Scalar sigma);

/**
 * Of the assembled companion pencil in (q, q') of all free DoFs, nothing eliminated:
 * @f$ R = (\sigma E - A)^{-1} E @f$ with @f$E = \mathrm{diag}(I, M)@f$,
 * @f[ R \begin{bmatrix} q \\ v \end{bmatrix} = \begin{bmatrix} z \\ \sigma z - q \end{bmatrix}, \qquad
 *     (\sigma^2 M + \sigma C + K)\, z = (C + \sigma M)\, q + M v. @f]
 * Infinite eigenvalues have chains of at most two vectors where D is regular, so that two applications remove
 * them; with multipliers of constraints, four. The matrices are those of reduced.before().
 *
 * @throws SingularMatrix if sigma is an eigenvalue.
 */
template <class Engine, class Scalar>
ShiftInverse<Scalar> companion_shift_inverse(const ReducedSystem<Engine>& reduced, Scalar sigma);

}  // namespace halfdof
