// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/reduction/reduced_system.h>

#include <boost/test/unit_test.hpp>

#include <vector>

namespace halfdof::test {

using Reduced = ReducedSystem<EigenEngine>;

inline State state_at(const Reduced& reduced, double time, const std::vector<double>& y) {
  BOOST_REQUIRE_EQUAL(reduced.n_states(), y.size());
  return {time, Eigen::Map<const Vector>(y.data(), static_cast<Eigen::Index>(y.size()))};
}

}  // namespace halfdof::test
