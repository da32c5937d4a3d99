#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof {

/**
 * Rates [1/s], ascending, at which the two largest of the terms @f$ \lambda^2 m_i,\ \lambda c_i,\ k_i @f$ of
 * some row i are equal: k/c and c/m where @f$ c^2 \ge m k @f$, otherwise @f$ \sqrt{k/m} @f$. Each is at least
 * ten times as fast as the one before; where there are more than `most` (two at least), some of them from the
 * slowest to the fastest. Sizes that are zero make no rate.
 */
std::vector<double> rates_of_rows(const Vector& m, const Vector& c, const Vector& k, std::size_t most);

}  // namespace halfdof
