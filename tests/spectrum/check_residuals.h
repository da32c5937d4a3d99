// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace halfdof::test {

/// What both equations say of each pair.
inline void check_residuals(const NearestEigenvalues& found, double tolerance) {
  BOOST_TEST(found.residuals.size() == found.eigenvalues.size());
  for (const EigenpairResidual& residual : found.residuals) {
    BOOST_TEST(residual.assembled < tolerance);
    BOOST_TEST(residual.reduced < std::max(tolerance, 100 * residual.rounding));
  }
}

}  // namespace halfdof::test
