// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

namespace halfdof::internal {

/**
 * Returns @f$ \mathrm{Li}_s(e^\mu) = \sum_{k \ge 1} e^{k\mu}/k^s @f$ for s from 1 to 4 and Re mu <= 0, to
 * about 14 digits. This series is summed if it converges fast; otherwise the series around mu = 0 is summed
 * (Lewin 1981). At mu = 0 and s = 1 the function is infinite: the real part of the result is infinite, and
 * the imaginary part is zero, which is the mean of its limits from both sides.
 */
Complex polylogarithm(int s, Complex mu);

}  // namespace halfdof::internal
