#pragma once

#include <halfdof/base/types.h>

namespace halfdof {

/**
 * @f$ \mathrm{Li}_s(e^\mu) = \sum_{k \ge 1} e^{k\mu}/k^s @f$ for s from 1 to 4 and Re mu <= 0, to about 14
 * digits: the series itself where it is fast, otherwise that around mu = 0 (Lewin 1981). At mu = 0 and s = 1,
 * where it is infinite, the real part is infinite and the imaginary part the mean of both sides, zero.
 */
Complex polylogarithm(int s, Complex mu);

}  // namespace halfdof
