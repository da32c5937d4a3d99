#pragma once

#include <halfdof/assembled/term_scales.h>
#include <halfdof/base/unit_roundoff.h>

namespace halfdof {

/// Products of the three matrices with vectors. Shapes: x local free DoFs x k, products the same.
struct TermProducts {
  ComplexMultiVector Mx, Cx, Kx;
};

template <class Engine>
TermProducts term_products(const FreeSystem<Engine>& system, ConstView<Complex> x);

/// P(lambda) x, one entry of lambda for each column.
inline ComplexMultiVector residual_of(const TermProducts& of, const ComplexVector& lambda) {
  return of.Kx + (of.Cx + of.Mx * lambda.asDiagonal()) * lambda.asDiagonal();
}

/// x_j^T y_j of each column over all processes, without conjugation. Shapes: local rows x k. Collective.
inline ComplexVector products_by_columns(const Communicator& communicator, ConstView<Complex> x,
                                         const ComplexMultiVector& y) {
  ComplexVector result = x.cwiseProduct(y).colwise().sum().transpose();
  communicator.sum(reinterpret_cast<double*>(result.data()), static_cast<int>(2 * result.size()));
  return result;
}

/// |p^T P(lambda) x|. Shapes: p local free DoFs x k, one entry for each column. Collective.
template <class Engine>
Vector residuals_along(const FreeSystem<Engine>& system, const ComplexVector& lambda, ConstView<Complex> p,
                       const TermProducts& products);

/// The root of @f$ r\, |p^T P'(\lambda)\, x| + r^2\, |p^T M x| = \delta @f$ [1/s]. Shapes: p local free DoFs
/// x k, delta and the result one entry for each column. Collective.
template <class Engine>
Vector radii(const FreeSystem<Engine>& system, const ComplexVector& lambda, ConstView<Complex> p,
             const TermProducts& products, const Vector& delta);

/**
 * How far approximate eigenvalues are from the nearest root z of
 * @f$ p^T (z^2 M + z C + K)\, x = 0 @f$, by the quadratic formula [1/s]: what is left of their equations,
 * also where P' vanishes, as at critical damping. It is no rounding of entries, and excuses no difference.
 * Shapes: p local free DoFs x k, one entry for each column. Collective.
 */
template <class Engine>
Vector corrections(const FreeSystem<Engine>& system, const ComplexVector& lambda, ConstView<Complex> p,
                   const TermProducts& products);

/**
 * About how far eigenvalues go where each entry of M, C and K changes by its rounding [1/s]: radii() of
 * @f[ \delta = u\, |p|^T (|\lambda|^2 |M| + |\lambda| |C| + |K|)\, |x|, \qquad P(\lambda)\, x = 0, \quad
 *     p^T P(\lambda) = 0, @f]
 * with u the unit roundoff, by TermScales::between(): the componentwise condition of
 * Higham and Higham (1998), with the term that is left where P' vanishes, as at critical damping. Too large
 * by a factor where several are equal and have vectors of their own, too small where they are more than
 * double and share one. Shapes: p and x local free DoFs x k, one entry for each column. Collective.
 * @param p Left vectors; x itself where TermScales::has_own_left_vectors()
 */
template <class Engine>
Vector uncertainties(const TermScales<Engine>& scales, const ComplexVector& lambda, ConstView<Complex> p,
                     ConstView<Complex> x, const TermProducts& products);

}  // namespace halfdof
