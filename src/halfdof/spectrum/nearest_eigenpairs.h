#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/spectrum/shift_inverse.h>

#include <functional>
#include <string>
#include <vector>

namespace halfdof {

/// Eigenvalues and eigenvectors (local entries, one column each).
struct Eigenpairs {
  std::vector<Complex> values;
  ComplexMultiVector vectors;
  /// Whether a second search beside them, from other start vectors, came to an end and found none that is
  /// nearer. Nothing is known of those that were never seen.
  bool is_complete = true;
};

/// A search for eigenvalues near a shift that did not converge: eigenvalues crowd at nearly the same
/// distance from it.
class StalledSearch : public NoConvergence {
 public:
  StalledSearch(const std::string& message, double residual, Complex better_shift)
      : NoConvergence(message, residual), better_shift_(better_shift) {}

  /// Where they do: the middle of the nearest ones that had not converged, in the upper half plane or real
  /// [1/s].
  Complex better_shift() const { return better_shift_; }

 private:
  Complex better_shift_;
};

/// What remains of eigenvalues where rounding made others of exact zeros, from them and their vectors.
using Rounded = std::function<std::vector<Complex>(const std::vector<Complex>&, const ComplexMultiVector&)>;

/**
 * The k eigenvalues of a real operator A nearest to the shift, with their multiplicity, and the conjugate
 * partner of each. Ascending by distance from the shift, every partner behind the one that is nearer.
 *
 * A block Krylov-Schur iteration (invariant_subspace.h) finds an orthonormal basis Q of the invariant
 * subspace to the dominant eigenvalues of @f$R = (\sigma I - A)^{-1}@f$, R Q = Q T to 1e-11 of each
 * eigenvalue; it is complex for a complex shift. (The real part of R alone has the invariant subspaces of A,
 * too, but it vanishes on every @f$\lambda = \Re\sigma@f$, however near.) T gives eigenvalues and vectors.
 *
 * Vectors are states, whatever the units of the unknowns.
 *
 * @param k At least 1; more than there are finite eigenvalues gives them all.
 * @param rounded Zeros count as real, though a complex shift splits double ones by the root of the rounding
 * error into values beside the real axis, which else would get a partner each. None: every value is taken as
 * it comes.
 * @throws StalledSearch
 */
template <class Scalar>
Eigenpairs nearest_eigenpairs(const ShiftInverse<Scalar>& inverse, Index k, const Rounded& rounded = {});

}  // namespace halfdof
