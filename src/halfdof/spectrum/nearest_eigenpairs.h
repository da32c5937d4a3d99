// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/spectrum/shift_inverse.h>

#include <functional>
#include <string>
#include <vector>

namespace halfdof::internal {

/// Eigenvalues and eigenvectors (local entries, one column each).
struct Eigenpairs {
  std::vector<Complex> values;
  ComplexMultiVector vectors;
  /// Whether a second search, from other start vectors, ended and found no eigenvalue that is nearer.
  /// Eigenvalues that neither search has found are not excluded.
  bool is_complete = true;
};

/// Thrown if a search for eigenvalues near a shift did not converge, because many eigenvalues have nearly the
/// same distance from the shift.
class StalledSearch : public NoConvergence {
 public:
  StalledSearch(const std::string& message, double residual, Complex better_shift, Index n_converged)
      : NoConvergence(message, residual), better_shift_(better_shift), n_converged_(n_converged) {}

  /// A shift near these eigenvalues: the middle of the nearest ones that had not converged, in the upper half
  /// plane or real [1/s].
  Complex better_shift() const { return better_shift_; }
  /// The number of eigenvalues nearest to the shift that have converged.
  Index n_converged() const { return n_converged_; }

 private:
  Complex better_shift_;
  Index n_converged_;
};

/// A function that sets those eigenvalues to zero that are zeros changed by rounding; its arguments are the
/// eigenvalues and their vectors.
using Rounded = std::function<std::vector<Complex>(const std::vector<Complex>&, const ComplexMultiVector&)>;

/**
 * Computes the k eigenvalues of a real operator A nearest to the shift, with their multiplicity, and the
 * conjugate of each. They are sorted by ascending distance from the shift, and each conjugate follows the
 * nearer value of its pair.
 *
 * A block Krylov-Schur iteration (invariant_subspace.h) finds an orthonormal basis Q of the invariant
 * subspace of the dominant eigenvalues of @f$R = (\sigma I - A)^{-1}@f$, with R Q = Q T to 1e-11 of each
 * eigenvalue. Q is complex for a complex shift. (The real part of R also has the invariant subspaces of A,
 * but it vanishes for every @f$\lambda@f$ with @f$\Re\lambda = \Re\sigma@f$, however near.) The eigenvalues
 * and vectors follow from T.
 *
 * The vectors are states, even if the unknowns of R are scaled by in_units().
 *
 * @param k At least 1; if k exceeds the number of finite eigenvalues, all are returned.
 * @param rounded Makes zeros real. A complex shift splits double zeros by the square root of the rounding
 * error into values that are not real, and without this function each of them would get a conjugate. If
 * empty, all values are used unchanged.
 * @throws StalledSearch
 */
template <class Scalar>
Eigenpairs nearest_eigenpairs(const ShiftInverse<Scalar>& inverse, Index k, const Rounded& rounded = {});

}  // namespace halfdof::internal
