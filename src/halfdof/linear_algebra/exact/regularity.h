// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

namespace halfdof::internal {

/**
 * Returns true if the pencil @f$ P(\lambda) = \lambda^2 M + \lambda C + K @f$ stays regular under all
 * perturbations of its nonzero entries by at most one rounding error each. Let @f$ \rho @f$ be the spectral
 * radius, u the unit roundoff and @f$ T = \lambda^2 |M| + \lambda |C| + |K| @f$. All perturbed pencils are
 * regular if, at some real
 * @f$ \lambda > 0 @f$,
 * @f[ u\, \rho(|P(\lambda)^{-1}|\, T) < 1, @f]
 * whatever the units of rows, columns and time are (Beeck's criterion; Neumaier, Interval Methods for Systems
 * of Equations, 1990, section 4.1). The inverse is bounded by balls of 256 to 2048 bits (Arb), the spectral
 * radius by the quotients of Collatz and Wielandt. The criterion is tested at up to five values of lambda,
 * the corner_frequencies() of the rows. The result false means that the criterion holds at none of these
 * values; it does not prove that a perturbed pencil is singular.
 *
 * Shapes: n x n each, finite entries. One value of lambda takes about a second for n = 150; the time grows
 * with n^3.
 */
bool is_regular_to_rounding(ConstView<double> M, ConstView<double> C, ConstView<double> K);

}  // namespace halfdof::internal
