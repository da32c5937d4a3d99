#pragma once

#include <halfdof/base/types.h>

namespace halfdof {

/**
 * Whether every pencil is regular whose entries differ from those of @f$ \lambda^2 M + \lambda C + K @f$ by
 * no more than one rounding each (zeros stay zeros). It is, if at one rate @f$ \lambda @f$, with
 * @f$ T = \lambda^2 |M| + \lambda |C| + |K| @f$ and the unit roundoff u,
 * @f[ u\, \rho(|P(\lambda)^{-1}|\, T) < 1, @f]
 * whatever the units of rows, columns and time are (Beeck's criterion; Neumaier, Interval Methods for Systems
 * of Equations, 1990, section 4.1). The inverse is bounded by balls of 256 to 2048 bits (Arb), the spectral
 * radius by the quotients of Collatz and Wielandt. Five rates_of_rows() are looked at. No: the criterion
 * holds at none of them, which does not mean that a pencil nearby is singular.
 *
 * Shapes: n x n each, finite entries. About a second a rate for n = 150, growing with n^3.
 */
bool is_regular_to_rounding(ConstView<double> M, ConstView<double> C, ConstView<double> K);

}  // namespace halfdof
