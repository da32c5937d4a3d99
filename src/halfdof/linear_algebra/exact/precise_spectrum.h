#pragma once

#include <halfdof/linear_algebra/exact/exact_spectrum.h>
#include <halfdof/linear_algebra/exact/exact_structure.h>

namespace halfdof {

/// Order of the pencil up to which precise_spectrum() takes about half a second, and ten seconds.
constexpr Index precise_spectrum_limit = 160, largest_precise_spectrum = exact_structure_limit;

/**
 * The finite eigenvalues of a pencil @f$ \lambda E - A @f$ in arithmetic of 32 digits (double-double numbers;
 * Hida, Li, Bailey, ARITH-15, 2001), for pencils that are too large for exact_spectrum() to take half a
 * second. What no arithmetic of finite precision can decide is taken from exact_structure(): whether the
 * pencil is regular, and the Jordan blocks at infinity and at zero. With a shift @f$\mu@f$ of the size of the
 * entries,
 * @f[ X = (\mu E - A)^{-1} E, \qquad X x = \theta x, \qquad \lambda = \mu - 1 / \theta , @f]
 * infinite eigenvalues are zeros of X and zero eigenvalues are zeros of @f$ \mu X - I @f$. A matrix of known
 * rank r is a product U V of r columns and r rows, and V U has its nonzero eigenvalues; this takes all blocks
 * at infinity and at zero off, one after the other. QR iteration finds the eigenvalues of what is left.
 *
 * An eigenvalue has about 32 digits less the logarithms of its condition and of its ratio to @f$\mu@f$. Two
 * computations, with another shift and another order of the unknowns, have to agree to 1e-10 of each.
 * Eigenvalues within 1e-9 of each other are listed as copies of their mean: rounding splits a Jordan block of
 * order k into a ring whose radius is the k-th root of it, but does not move the mean. A real or an imaginary
 * part below 2^-64 of the modulus counts as zero.
 *
 * Shapes: n x n each, finite. Nothing is returned above largest_precise_spectrum, or where 32 digits do not
 * suffice.
 */
std::optional<ExactSpectrum> precise_spectrum(ConstView<double> E, ConstView<double> A);

}  // namespace halfdof
