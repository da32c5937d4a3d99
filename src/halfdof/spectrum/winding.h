// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/engine.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <functional>
#include <vector>

namespace halfdof::internal {

/// A function z -> log f(z) with f(z) != 0. @throws SingularMatrix if f(z) vanishes, NotAvailable if f(z)
/// cannot be computed
using LogOfAnalytic = std::function<LogDeterminant<Complex>(Complex z)>;

/// A closed curve, counterclockwise, with an angle from 0 to 2 pi as its parameter.
struct Contour {
  std::function<Complex(double angle)> point;  ///< has three continuous derivatives
  std::function<bool(Complex)> encloses;
  double size;        ///< a typical distance of two points
  double n_nodes;     ///< nodes at equal angles that are at most a quarter of its width apart
  bool is_symmetric;  ///< whether point(-angle) is the conjugate of point(angle)
};

Contour circle(const Rim& rim);

/// Returns the rim of a rectangle. The point moves along a side like the polynomial of degree seven whose
/// first three derivatives vanish at both ends, so that functions along the rim are smooth at the corners,
/// too. Each side takes a part of the angle in proportion to its length.
Contour rectangle(Complex lower_left, Complex upper_right);

/**
 * Counts the zeros of an analytic function f inside a contour, with multiplicity, by the argument principle:
 * @f[ n = \frac{1}{2\pi} \oint \mathrm{d} \arg f . @f]
 * Known zeros are divided out, @f$ g(z) = f(z) / \prod_k (z - \lambda_k) @f$, and those inside are added to
 * the winding number of g. Then log g varies slowly along the contour, however near to it the known zeros
 * are. A wrong known zero inside gives a winding number of -1, which cancels it.
 *
 * At each node two values of f give log g and its derivative along the contour. Between neighbouring nodes
 * the change of log g is predicted by interpolation of the derivatives at six nodes, and at four nodes. The
 * prediction is compared with the values of log g: the real part, which has no branches, and the imaginary
 * part up to multiples of 2 pi. Intervals are halved until predictions and values agree to a fraction of pi.
 *
 * @param is_conjugate Whether @f$ f(\bar z) = \overline{f(z)} @f$. If so, if the contour is symmetric and if
 * the known zeros are closed under conjugation, half of the contour suffices.
 * @return The count; without n if a zero lies too near to the contour, or f cannot be computed there.
 */
EigenvalueCount count_zeros(const LogOfAnalytic& f, const Contour& contour, const std::vector<Complex>& known,
                            bool is_conjugate);

}  // namespace halfdof::internal
