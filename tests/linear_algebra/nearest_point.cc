// SPDX-License-Identifier: LGPL-2.1-or-later
// The smallest coefficients within bounds, against all sets of active bounds.
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/linear_algebra/dense/nearest_point.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool obeys(const MultiVector& N, const Vector& lower, const Vector& upper, const Vector& z) {
  const Vector x = N * z;
  return (x - lower).minCoeff() >= -1e-10 && (upper - x).minCoeff() >= -1e-10;
}

/// Each row of N z at its lower bound, at its upper one, or free.
std::optional<Vector> by_enumeration(const MultiVector& N, const Vector& lower, const Vector& upper) {
  std::optional<Vector> best;
  const auto n = static_cast<int>(N.rows());
  for (int code = 0; code < std::pow(3, n); ++code) {
    std::vector<Index> rows;
    std::vector<double> values;
    for (int i = 0, rest = code; i < n; ++i, rest /= 3) {
      if (rest % 3 == 0) continue;
      rows.push_back(i);
      values.push_back(rest % 3 == 1 ? lower[i] : upper[i]);
    }
    const Vector bounds = Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
    if (!bounds.allFinite()) continue;
    Vector z = Vector::Zero(N.cols());
    if (!rows.empty()) z = LeastSquares(MultiVector(N(rows, Eigen::all))).solve(bounds);
    if (obeys(N, lower, upper, z) && (!best || z.norm() < best->norm())) best = z;
  }
  return best;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nearest_point)

BOOST_AUTO_TEST_CASE(coefficients_are_the_smallest_of_all_within_bounds) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  int n_found = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Index n = 1 + trial % 5, k = 1 + (trial / 5) % n;
    MultiVector N(n, k);
    for (double& entry : N.reshaped())
      entry = number(random);
    Vector lower(n), upper(n);
    for (Index i = 0; i < n; ++i) {
      lower[i] = number(random);
      upper[i] = lower[i] + (trial % 7 == 0 ? 0. : std::abs(number(random)));
      if (number(random) < -0.5) lower[i] = -infinity;
      if (number(random) < -0.5) upper[i] = infinity;
    }
    const std::optional<Vector> found = least_norm_within_bounds(N, lower, upper),
                                expected = by_enumeration(N, lower, upper);
    BOOST_TEST_CONTEXT("trial " << trial) {
      BOOST_REQUIRE_EQUAL(found.has_value(), expected.has_value());
      if (!found) continue;
      ++n_found;
      BOOST_TEST(obeys(N, lower, upper, *found));
      BOOST_TEST(found->norm() <= expected->norm() * (1 + 1e-9));
    }
  }
  BOOST_TEST(n_found > 500);
}

BOOST_AUTO_TEST_CASE(a_point_that_two_bounds_leave_is_found_to_rounding) {
  MultiVector N(2, 1);
  N << 1, -1;
  for (const double size : {1e-12, 1., 1e12}) {
    const Vector lower = Vector::Constant(2, -infinity);
    Vector upper(2);
    upper << -0.5 * size, 0.5 * size * (1 + 1e-14);
    const std::optional<Vector> z = least_norm_within_bounds(N, lower, upper);
    BOOST_REQUIRE(z);
    BOOST_TEST(std::abs((*z)[0] + 0.5 * size) < 1e-13 * size);
  }
}

BOOST_AUTO_TEST_SUITE_END()
