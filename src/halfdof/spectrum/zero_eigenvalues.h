// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/uncertainty.h>

#include <vector>

namespace halfdof::internal {

/**
 * Finds the eigenvalues that cannot be distinguished from zero because of rounding. Rounding splits the
 * double zero of each rigid body into a pair of modulus sqrt(epsilon) times the largest eigenvalue.
 *
 * With right and left vectors x and p, an eigenvalue counts as zero if two conditions hold. Its modulus is at
 * most four times the radius r of uncertainties() with the residual @f$ |p^T P(\lambda)\, x| @f$ added to
 * delta; and @f$ |p^T K x| @f$ and @f$ |p^H K x| @f$ are at most sixteen times the effect of rounding of the
 * entries of K on them, or a thousandth of @f$ |p^T P(\lambda)\, x| @f$: then zero solves the equation
 * better. Shapes: p, x and the products local free DoFs x k. Collective.
 * @param p Left vectors; x itself if TermScales::has_own_left_vectors()
 */
template <class Engine>
std::vector<bool> are_zeros(const TermScales<Engine>& scales, const ComplexVector& lambda,
                            ConstView<Complex> p, ConstView<Complex> x, const TermProducts& products);

/**
 * Sets eigenvalues to zero: those of are_zeros() if TermScales::has_own_left_vectors(). Otherwise, as long as
 * left vectors are not known, those all of whose terms are as small as rounding errors or as the residual: in
 * every row i,
 * @f[ |\lambda|^2 |M x|_i + |\lambda| |C x|_i + |K x|_i \le w_i(\lambda', x) \max\Bigl(8\,\epsilon,\
 *     \min\bigl(10 \max_j \frac{|P(\lambda) x|_j}{w_j(\lambda', x)},\, 10^{-6}\bigr)\Bigr), \qquad
 *     \lambda' = \max(|\lambda|, \varrho\,\tau), @f]
 * with w of TermScales, so that units do not matter, tau = characteristic_rate() and rho =
 * smallest_relative_rate: at a smaller rate, rounding errors of rows without stiffness would be compared with
 * rounding errors. Shapes: x local free DoFs x k. Collective.
 */
template <class Engine>
std::vector<Complex> round_zeros(const TermScales<Engine>& scales, const std::vector<Complex>& eigenvalues,
                                 ConstView<Complex> x);
/// As above, if products with x are available; one entry of `lambda` for each column of x.
template <class Engine>
ComplexVector round_zeros(const TermScales<Engine>& scales, ComplexVector lambda, ConstView<Complex> x,
                          const TermProducts& products);

/**
 * Whether a displacement x belongs to a zero eigenvalue, as far as rounding of the entries of the matrices
 * permits a decision. For symmetric matrices the condition is @f$ |x^H K x| \le u\, |x|^T |K|\, |x| @f$ with
 * u half the machine epsilon and TermScales::bilinear_bound(), however different the stiffness of parts is;
 * for others it is @f$ |K x|_i \le 4\,\epsilon\, w_i @f$ in every row, with w as in round_zeros(). Shapes: x
 * local free DoFs x 1. Collective.
 */
template <class Engine>
bool is_static_null_vector(const TermScales<Engine>& scales, ConstView<Complex> x);

}  // namespace halfdof::internal
