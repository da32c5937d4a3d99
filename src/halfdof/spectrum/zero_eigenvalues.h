#pragma once

#include <halfdof/spectrum/term_scales.h>

#include <vector>

namespace halfdof {

/// Products of the three matrices with vectors. Shapes: x local free DoFs x k, products the same.
struct TermProducts {
  ComplexMultiVector Mx, Cx, Kx;
};

template <class Engine>
TermProducts term_products(const FreeSystem<Engine>& system, ConstView<Complex> x);

/**
 * About how far eigenvalues of symmetric matrices go where each entry of these changes by its rounding [1/s]. With
 * @f[ \delta = u\, |x|^T (|\lambda|^2 |M| + |\lambda| |C| + |K|)\, |x|, \qquad
 *     r\, |x^T P'(\lambda)\, x| + r^2\, |x^T M x| = \delta, @f]
 * u half the machine epsilon, delta by TermScales::between() and x its own left vector: the componentwise condition of
 * Higham and Higham (1998), with the term that is left where P' vanishes, as at critical damping. Too large by a
 * factor where several are equal and have vectors of their own, too small where they are more than double and share
 * one. Shapes: x local free DoFs x k, one entry for each column. Collective.
 */
template <class Engine>
Vector uncertainties(const TermScales<Engine>& scales, const ComplexVector& lambda, ConstView<Complex> x,
                     const TermProducts& products);

/**
 * Sets eigenvalues that rounding does not tell from zero to zero. Of the double zero of a rigid body it makes
 * a pair of modulus sqrt(epsilon) times the largest eigenvalue, and so it is for each body.
 *
 * An eigenvalue of symmetric matrices is such where its modulus is at most four times r, its residual
 * @f$ |x^T P(\lambda)\, x| @f$ added to the delta of uncertainties(), and
 * @f$ |x^H K x| @f$ at most sixteen times what rounding of the entries of K makes of it, or a thousandth of
 * @f$ |x^T P(\lambda)\, x| @f$: zero then solves the equation better. One of others is such where all its terms are as small
 * as rounding or as its residual: in every row i,
 * @f[ |\lambda|^2 |M x|_i + |\lambda| |C x|_i + |K x|_i \le w_i(\lambda', x) \max\Bigl(8\,\epsilon,\
 *     \min\bigl(10 \max_j \frac{|P(\lambda) x|_j}{w_j(\lambda', x)},\, 10^{-6}\bigr)\Bigr), \qquad
 *     \lambda' = \max(|\lambda|, \varrho\,\tau), @f]
 * with w of TermScales, so that units do not matter, tau = characteristic_rate() and rho =
 * smallest_relative_rate: rows without stiffness would measure rounding by itself. Shapes: x local free DoFs x k. Collective.
 */
template <class Engine>
std::vector<Complex> round_zeros(const TermScales<Engine>& scales, const std::vector<Complex>& eigenvalues,
                                 ConstView<Complex> x);
/// The same where products with x are at hand: one entry of `lambda` for each column.
template <class Engine>
ComplexVector round_zeros(const TermScales<Engine>& scales, ComplexVector lambda, ConstView<Complex> x,
                          const TermProducts& products);

/**
 * Whether a displacement x is one of a zero eigenvalue, as far as rounding of the matrices' entries lets it be known: of
 * symmetric ones @f$ |x^H K x| \le u\, |x|^T |K|\, |x| @f$ with u half the machine epsilon and TermScales::between(), whatever
 * parts of very different stiffness there are; of others where in every row @f$ |K x|_i \le 4\,\epsilon\, w_i @f$, with w as in
 * round_zeros(). Shapes: x local free DoFs x 1. Collective.
 */
template <class Engine>
bool is_at_rest(const TermScales<Engine>& scales, ConstView<Complex> x);

}  // namespace halfdof
