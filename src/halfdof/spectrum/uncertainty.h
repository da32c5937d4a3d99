// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/term_scales.h>
#include <halfdof/base/constants.h>

namespace halfdof::internal {

/// Products of M, C and K with vectors x. Shapes: x and the products local free DoFs x k.
struct TermProducts {
  ComplexMultiVector Mx, Cx, Kx;
};

template <class Engine>
TermProducts term_products(const FreeSystem<Engine>& system, ConstView<Complex> x);

/// Returns P(lambda) x, with one entry of lambda for each column of x.
inline ComplexMultiVector residual_of(const TermProducts& of, const ComplexVector& lambda) {
  return of.Kx + (of.Cx + of.Mx * lambda.asDiagonal()) * lambda.asDiagonal();
}

/// Returns x_j^T y_j of each column j, summed over all processes, without conjugation. Shapes: local rows x
/// k. Collective.
inline ComplexVector products_by_columns(const Communicator& communicator, ConstView<Complex> x,
                                         const ComplexMultiVector& y) {
  ComplexVector result = x.cwiseProduct(y).colwise().sum().transpose();
  communicator.sum(reinterpret_cast<double*>(result.data()), static_cast<int>(2 * result.size()));
  return result;
}

/// Returns |p_j^T P(lambda_j) x_j| for each column j, where `products` are M x, C x and K x. Shapes: p and
/// each of the products local free DoFs x k; lambda and the result k entries. Collective.
template <class Engine>
Vector residuals_along(const FreeSystem<Engine>& system, const ComplexVector& lambda, ConstView<Complex> p,
                       const TermProducts& products);

/// Returns the root r of @f$ r\, |p^T P'(\lambda)\, x| + r^2\, |p^T M x| = \delta @f$ [1/s]. for each
/// column of p and of the products. Shapes: p local free DoFs x k; lambda, delta and the result k entries.
/// Collective.
template <class Engine>
Vector radii(const FreeSystem<Engine>& system, const ComplexVector& lambda, ConstView<Complex> p,
             const TermProducts& products, const Vector& delta);

/**
 * Returns the distance from approximate eigenvalues to the nearest root z of
 * @f$ p^T (z^2 M + z C + K)\, x = 0 @f$, by the quadratic formula [1/s]. It measures the remaining residual
 * of their equations, also if P' vanishes, as at critical damping. It does not come from rounding of the
 * entries, so that no difference between spectra is excused by it. Shapes: p local free DoFs x k, one entry
 * for each column. Collective.
 */
template <class Engine>
Vector corrections(const FreeSystem<Engine>& system, const ComplexVector& lambda, ConstView<Complex> p,
                   const TermProducts& products);

/**
 * Estimates how far eigenvalues move if each entry of M, C and K changes by its rounding [1/s]: radii() of
 * @f[ \delta = u\, |p|^T (|\lambda|^2 |M| + |\lambda| |C| + |K|)\, |x|, \qquad P(\lambda)\, x = 0, \quad
 *     p^T P(\lambda) = 0, @f]
 * with u the unit roundoff, computed by TermScales::bilinear_bound(). This is the componentwise condition
 * number of Higham and Higham (1998), with the second-order term that remains if P' vanishes, as at critical
 * damping. It is too large by a factor if several eigenvalues are equal and have separate vectors, and too
 * small if more than two are equal and share one vector. Shapes: p and x local free DoFs x k, one entry for
 * each column. Collective.
 * @param p Left vectors; x itself if TermScales::has_own_left_vectors()
 */
template <class Engine>
Vector uncertainties(const TermScales<Engine>& scales, const ComplexVector& lambda, ConstView<Complex> p,
                     ConstView<Complex> x, const TermProducts& products);

}  // namespace halfdof::internal
