#pragma once

#include <halfdof/base/types.h>

namespace halfdof {

/**
 * Whether every pencil is regular whose entries differ from those of @f$ \lambda^2 M + \lambda C + K @f$ by no
 * more than rounding. It is, if at one rate @f$ \lambda @f$, with
 * @f$ T = \lambda^2 |M| + \lambda |C| + |K| @f$ and the unit roundoff u,
 * @f[ u\, \rho(|P(\lambda)^{-1}|\, T) < 1, @f]
 * whatever the units of rows, columns and time are (Rump, 1999). The inverse is computed by balls of as many
 * digits as it needs (Arb), the spectral radius is bounded above by Collatz and Wielandt's quotients. The rates
 * looked at are those at which terms of rows are equally large. No: the bound holds at none of them.
 *
 * Shapes: n x n each, finite entries. Some n^3 / 1e7 s a rate.
 */
bool is_regular_to_rounding(ConstView<double> M, ConstView<double> C, ConstView<double> K);

}  // namespace halfdof
