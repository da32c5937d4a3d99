// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

namespace halfdof::internal {

/**
 * Returns true if all pencils are regular whose entries differ from those of
 * @f$ P(\lambda) = \lambda^2 M + \lambda C + K @f$ by at most one rounding each (zeros stay zeros). This
 * holds if at one rate @f$ \lambda @f$, with @f$ T = \lambda^2 |M| + \lambda |C| + |K| @f$ and the unit
 * roundoff u,
 * @f[ u\, \rho(|P(\lambda)^{-1}|\, T) < 1, @f]
 * whatever the units of rows, columns and time are (Beeck's criterion; Neumaier, Interval Methods for Systems
 * of Equations, 1990, section 4.1). The inverse is bounded by balls of 256 to 2048 bits (Arb), the spectral
 * radius by the quotients of Collatz and Wielandt. The criterion is tested at five rates of rates_of_rows().
 * False means that the criterion holds at none of them; a singular pencil nearby need not exist.
 *
 * Shapes: n x n each, finite entries. One rate takes about a second for n = 150; the time grows with n^3.
 */
bool is_regular_to_rounding(ConstView<double> M, ConstView<double> C, ConstView<double> K);

}  // namespace halfdof::internal
