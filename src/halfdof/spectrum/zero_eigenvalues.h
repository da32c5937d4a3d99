#pragma once

#include <halfdof/spectrum/uncertainty.h>

#include <vector>

namespace halfdof {

/**
 * Which eigenvalues rounding does not tell from zero. Of the double zero of a rigid body it makes
 * a pair of modulus sqrt(epsilon) times the largest eigenvalue, and so it is for each body.
 *
 * With right and left vectors x and p, an eigenvalue is such where its modulus is at most four times r, its
 * residual @f$ |p^T P(\lambda)\, x| @f$ added to the delta of uncertainties(), and @f$ |p^T K x| @f$ and
 * @f$ |p^H K x| @f$ at most sixteen times what rounding of the entries of K makes of it, or a thousandth of
 * @f$ |p^T P(\lambda)\, x| @f$: zero then solves the equation better. Shapes: p, x and the products local
 * free DoFs x k. Collective.
 * @param p Left vectors; x itself where TermScales::has_own_left_vectors()
 */
template <class Engine>
std::vector<bool> are_zeros(const TermScales<Engine>& scales, const ComplexVector& lambda,
                            ConstView<Complex> p, ConstView<Complex> x, const TermProducts& products);

/**
 * Sets zeros to zero: those of are_zeros() where TermScales::has_own_left_vectors(). Elsewhere, as long as
 * left vectors are not known, those of which all terms are as small as rounding or as the residual: in every
 * row i,
 * @f[ |\lambda|^2 |M x|_i + |\lambda| |C x|_i + |K x|_i \le w_i(\lambda', x) \max\Bigl(8\,\epsilon,\
 *     \min\bigl(10 \max_j \frac{|P(\lambda) x|_j}{w_j(\lambda', x)},\, 10^{-6}\bigr)\Bigr), \qquad
 *     \lambda' = \max(|\lambda|, \varrho\,\tau), @f]
 * with w of TermScales, so that units do not matter, tau = characteristic_rate() and rho =
 * smallest_relative_rate: rows without stiffness would measure rounding by itself. Shapes: x local free DoFs
 * x k. Collective.
 */
template <class Engine>
std::vector<Complex> round_zeros(const TermScales<Engine>& scales, const std::vector<Complex>& eigenvalues,
                                 ConstView<Complex> x);
/// The same where products with x are at hand: one entry of `lambda` for each column.
template <class Engine>
ComplexVector round_zeros(const TermScales<Engine>& scales, ComplexVector lambda, ConstView<Complex> x,
                          const TermProducts& products);

/**
 * Whether a displacement x is one of a zero eigenvalue, as far as rounding of the matrices' entries lets it
 * be known: of symmetric ones @f$ |x^H K x| \le u\, |x|^T |K|\, |x| @f$ with u half the machine epsilon and
 * TermScales::between(), whatever parts of very different stiffness there are; of others where in every row
 * @f$ |K x|_i \le 4\,\epsilon\, w_i @f$, with w as in round_zeros(). Shapes: x local free DoFs x 1.
 * Collective.
 */
template <class Engine>
bool is_at_rest(const TermScales<Engine>& scales, ConstView<Complex> x);

}  // namespace halfdof
