// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof::internal {

/**
 * Returns rates @f$ \lambda @f$ [1/s], ascending, at which the two largest of the terms
 * @f$ \lambda^2 m_i,\ \lambda c_i,\ k_i @f$ of some row i are equal: k/c and c/m if @f$ c^2 \ge m k @f$,
 * otherwise @f$ \sqrt{k/m} @f$. Rates that are not at least ten times their predecessor are omitted. Of more
 * than `most` rates (`most` >= 2), a selection that includes the slowest and the fastest is returned. Rates
 * of zero and infinity are omitted.
 */
std::vector<double> rates_of_rows(const Vector& m, const Vector& c, const Vector& k, std::size_t most);

}  // namespace halfdof::internal
