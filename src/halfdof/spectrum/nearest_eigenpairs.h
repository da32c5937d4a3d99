#pragma once

#include <halfdof/spectrum/shift_inverse.h>

#include <vector>

namespace halfdof {

/// Eigenvalues and eigenvectors (local entries, one column each).
struct Eigenpairs {
  std::vector<Complex> values;
  ComplexMultiVector vectors;
};

/**
 * The k eigenvalues of a real operator A nearest to the shift, with their multiplicity, and the conjugate
 * partner of each. Ascending by distance from the shift, every partner behind the one that is nearer.
 *
 * The engine's Arnoldi iteration finds an orthonormal basis Q of the invariant subspace to the dominant
 * eigenvalues of @f$R = (\sigma I - A)^{-1}@f$. It is made for real operators: for a complex shift it is
 * given real and imaginary parts side by side,
 * @f[ \begin{bmatrix} \Re R & -\Im R \\ \Im R & \Re R \end{bmatrix}, @f]
 * whose eigenvalues are those of R and their conjugates, equally far from zero; the vectors found span the
 * invariant subspace of R over the complex numbers. (The real part of R alone has the invariant subspaces of
 * A, too, but it vanishes on every @f$\lambda = \Re\sigma@f$, however near.) Then R in the basis Q gives
 * eigenvalues and vectors (Rayleigh, Ritz).
 *
 * @param k At least 1; more than there are finite eigenvalues gives them all.
 * @throws NoConvergence
 */
template <class Engine, class Scalar>
Eigenpairs nearest_eigenpairs(const ShiftInverse<Scalar>& inverse, Index k);

}  // namespace halfdof
