// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/exact/exact_spectrum.h>
#include <halfdof/linear_algebra/exact/exact_structure.h>

namespace halfdof::internal {

/// Orders of the pencil up to which precise_spectrum() takes about half a second (precise_spectrum_limit)
/// or ten seconds (largest_precise_spectrum).
constexpr Index precise_spectrum_limit = 160, largest_precise_spectrum = exact_structure_limit;

/**
 * Computes the finite eigenvalues of a pencil @f$ \lambda E - A @f$ in arithmetic of 32 digits (double-double
 * numbers; Hida, Li, Bailey, ARITH-15, 2001), for pencils for which exact_spectrum() would take longer than
 * half a second. Arithmetic of finite precision cannot determine whether the pencil is regular, or how many
 * Jordan blocks the eigenvalues infinity and zero have. These data are computed by exact_structure(). With a
 * shift
 * @f$\mu@f$ of the size of the entries,
 * @f[ X = (\mu E - A)^{-1} E, \qquad X x = \theta x, \qquad \lambda = \mu - 1 / \theta , @f]
 * the infinite eigenvalues of the pencil are zero eigenvalues of X, and its zero eigenvalues are zero
 * eigenvalues of @f$ \mu X - I @f$. A matrix of known rank r is a product U V with r columns in U, and V U
 * has the same nonzero eigenvalues as U V. By repeated replacement of U V by V U, all eigenvalues at infinity
 * and at zero are removed. The QR iteration computes the eigenvalues of the remaining matrix.
 *
 * An eigenvalue has about 32 correct digits, less the decimal logarithms of its condition number and of its
 * ratio to @f$\mu@f$. Two computations, with different shifts and different orders of the unknowns, have to
 * agree to 1e-10 of each eigenvalue. Eigenvalues whose relative distance is at most 1e-9 are replaced by a
 * multiple eigenvalue at their mean, because rounding splits a Jordan block of order k into eigenvalues on a
 * circle, whose radius is the k-th root of the rounding error, but does not move their mean. A real or an
 * imaginary part below 2^-64 of the modulus counts as zero.
 *
 * Shapes: n x n each, finite. No value is returned above largest_precise_spectrum, or if 32 digits do not
 * suffice.
 */
std::optional<ExactSpectrum> precise_spectrum(ConstView<double> E, ConstView<double> A);

}  // namespace halfdof::internal
