// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

namespace halfdof::internal {

/**
 * Returns @f$ \mathrm{Li}_s(e^\mu) = \sum_{k \ge 1} e^{k\mu}/k^s @f$ for s from 1 to 4 and Re mu <= 0, to
 * about 14 digits. The series itself is summed where it converges fast, otherwise the series around mu = 0
 * (Lewin 1981). At mu = 0 and s = 1 the value is infinite: then the real part is infinite, and the imaginary
 * part is zero, the mean of its limits from both sides.
 */
Complex polylogarithm(int s, Complex mu);

}  // namespace halfdof::internal
