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
 * Sets eigenvalues that rounding does not tell from zero to zero. Of the double zero of a rigid body it makes
 * a pair of modulus sqrt(epsilon) times the largest eigenvalue, and so it is for each body. An eigenvalue is
 * such where all its terms are as small as rounding or as its residual: in every row i,
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

/// Whether some displacement x is one of a zero eigenvalue: rounding does not tell K x from zero, measured as in
/// round_zeros(). Shapes: x local free DoFs x k. Collective.
template <class Engine>
bool any_at_rest(const TermScales<Engine>& scales, ConstView<Complex> x);

}  // namespace halfdof
