#pragma once

#include <halfdof/linear_algebra/trilinos/combination.h>
#include <halfdof/linear_algebra/trilinos/direct_solver.h>

namespace halfdof::trilinos {

/**
 * Solves A x = b for two fixed b, as large as the rows of A, and refines the solutions once,
 * d = A^{-1}(b - A x).
 *
 * - Where d is no longer small beside x, hardly a digit of x is right: A is singular to working precision.
 *   Rounding hides that from the factorization itself, because a pivot that should vanish comes out as some
 *   1e-16; comparing d and x does not depend on how rows and columns of A are scaled. Rounding may also make
 *   a single d small by chance, hence two.
 * - Threshold pivoting prefers sparse pivots to large ones, which can cost digits. Where the backward error
 *   @f[ \omega = \max_i \frac{|b - A x|_i}{(|A||x| + |b|)_i} @f]
 *   (Oettli and Prager 1964) exceeds `largest_backward_error`, all later solves are refined once (Skeel
 * 1980).
 *
 * @throws SingularMatrix
 */
template <class Scalar>
ReportedFactorizationPtr<Scalar> checked(ReportedFactorizationPtr<Scalar> factorization,
                                         const Combination<Scalar>& A);

/// Tells which columns of A a null vector is largest in. Collective. @throws SingularMatrix
[[noreturn]] void refuse_null_vector(const Partition& columns, const Vector& magnitudes);

constexpr double largest_backward_error = 1e-13;

/// |d| / |x| from which A counts as singular: condition numbers above about 1e14.
constexpr double largest_correction = 0.02;

}  // namespace halfdof::trilinos
