// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/spectrum/assignment.h>
#include <halfdof/spectrum/compare_spectra.h>

#include <boost/test/unit_test.hpp>

#include "systems.h"
#include <algorithm>
#include <limits>
#include <numeric>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

double cost_of(const MultiVector& cost, const std::vector<Index>& rows) {
  double sum = 0;
  for (std::size_t j = 0; j < rows.size(); ++j)
    sum += cost(rows[j], static_cast<Index>(j));
  return sum;
}

/// The least cost of all permutations.
double cheapest_by_trial(const MultiVector& cost) {
  std::vector<Index> rows(static_cast<std::size_t>(cost.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  double cheapest = std::numeric_limits<double>::infinity();
  do {
    std::vector<Index> first(rows.begin(), rows.begin() + cost.cols());
    cheapest = std::min(cheapest, cost_of(cost, first));
  } while (std::next_permutation(rows.begin(), rows.end()));
  return cheapest;
}

std::vector<Complex> random_spectrum(Index n_pairs, Index n_real, unsigned seed) {
  RandomNumbers random(seed);
  std::vector<Complex> values;
  for (Index j = 0; j < n_pairs; ++j) {
    values.emplace_back(-1 - random(), 20 + 10 * random());
    values.push_back(std::conj(values.back()));
  }
  for (Index j = 0; j < n_real; ++j)
    values.emplace_back(-30 - 20 * random());
  return values;
}

std::vector<Complex> permuted(const std::vector<Complex>& values, unsigned seed) {
  std::vector<Complex> result;
  for (const Index i : RandomNumbers(seed).permutation(static_cast<Index>(values.size())))
    result.push_back(values[static_cast<std::size_t>(i)]);
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(matching)

BOOST_AUTO_TEST_CASE(the_assignment_costs_what_trying_all_permutations_finds) {
  RandomNumbers random(1);
  for (const Index n_columns : {1, 3, 6}) {
    for (const Index n_rows : {n_columns, n_columns + 1}) {
      const MultiVector cost = random.matrix(n_rows, n_columns);
      const std::vector<Index> rows = cheapest_assignment(cost);
      std::vector<Index> sorted = rows;
      std::sort(sorted.begin(), sorted.end());
      BOOST_TEST((std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()));
      BOOST_TEST(std::abs(cost_of(cost, rows) - cheapest_by_trial(cost)) < 1e-14);
    }
  }
}

BOOST_AUTO_TEST_CASE(contested_rows_go_to_where_they_save_most) {
  // Rows differ more than columns: all columns want the same rows, and others must give way again and again.
  for (unsigned seed = 1; seed <= 40; ++seed) {
    RandomNumbers random(seed);
    const MultiVector cost = random.matrix(6, 6) + 4 * random.matrix(6, 1) * MultiVector::Ones(1, 6);
    BOOST_TEST(std::abs(cost_of(cost, cheapest_assignment(cost)) - cheapest_by_trial(cost)) < 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(the_nearest_neighbour_is_not_always_the_best_partner) {
  // Greedy takes 1 for the first column and leaves 100 to the second.
  MultiVector cost(2, 2);
  cost << 1, 2, 3, 100;
  BOOST_TEST((cheapest_assignment(cost) == std::vector<Index>{1, 0}));
}

BOOST_AUTO_TEST_CASE(equal_costs_everywhere_are_no_trouble) {
  BOOST_TEST(cheapest_assignment(MultiVector::Ones(200, 150)).size() == 150u);
  BOOST_TEST(cheapest_assignment(MultiVector(0, 0)).empty());
}

BOOST_AUTO_TEST_CASE(more_columns_than_rows_and_infinite_costs_are_refused) {
  BOOST_CHECK_THROW(cheapest_assignment(MultiVector::Ones(2, 3)), InvalidInput);
  const double infinity = std::numeric_limits<double>::infinity();
  BOOST_CHECK_THROW(cheapest_assignment(MultiVector::Constant(2, 2, infinity)), InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_permuted_spectrum_matches_without_difference) {
  const std::vector<Complex> values = random_spectrum(40, 25, 2);
  const SpectrumMatching result = match_eigenvalues(values, permuted(values, 3));
  BOOST_TEST(result.passed);
  BOOST_TEST(result.pairs.size() == values.size());
  BOOST_TEST(result.max_relative_difference == 0);
}

BOOST_AUTO_TEST_CASE(the_largest_perturbation_is_the_difference) {
  const std::vector<Complex> values = random_spectrum(10, 10, 4);
  std::vector<Complex> perturbed = values;
  for (Complex& value : perturbed)
    value *= 1 + 1e-9;
  perturbed[3] *= 1 + 1e-4;
  const SpectrumMatching result = match_eigenvalues(values, permuted(perturbed, 5));
  BOOST_TEST(!result.passed);
  BOOST_TEST(result.missing.empty());
  // One ten-thousandth, relative to the larger of the two.
  BOOST_TEST(std::abs(result.max_relative_difference - 1e-4) < 1e-7);
  MatchingOptions loose;
  loose.tolerance = 1e-3;
  BOOST_TEST(match_eigenvalues(values, perturbed, {}, loose).passed);
}

BOOST_AUTO_TEST_CASE(missing_and_extra_eigenvalues_are_listed) {
  const std::vector<Complex> values = random_spectrum(5, 5, 6);
  std::vector<Complex> fewer(values.begin(), values.end() - 1), more = values;
  more.emplace_back(1e6);

  const SpectrumMatching missing = match_eigenvalues(values, fewer);
  BOOST_TEST((missing.missing == std::vector<Complex>{values.back()}));
  BOOST_TEST(missing.extra.empty());
  BOOST_TEST(!missing.passed);

  const SpectrumMatching extra = match_eigenvalues(values, more);
  BOOST_TEST(extra.missing.empty());
  BOOST_TEST((extra.extra == std::vector<Complex>{1e6}));
  BOOST_TEST(extra.max_relative_difference == 1);
}

BOOST_AUTO_TEST_CASE(values_far_apart_are_no_pair) {
  const SpectrumMatching result = match_eigenvalues({-1., -2., -3.}, {-1., -2., -30.});
  BOOST_TEST((result.missing == std::vector<Complex>{-3.}));
  BOOST_TEST((result.extra == std::vector<Complex>{-30.}));
  BOOST_TEST(result.pairs.size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_zero_agrees_with_what_rounding_does_not_tell_from_it_and_with_nothing_else) {
  BOOST_TEST(match_eigenvalues({0., 0.}, {0., 0.}).passed);
  BOOST_TEST(!match_eigenvalues({1e-14, -10., -20.}, {0., -10., -20.}).passed);
  const SpectrumMatching within =
      match_eigenvalues({1e-14, -10., -20.}, {0., -10., -20.}, {1e-13, 1e-14, 1e-14});
  BOOST_TEST(within.passed);
  BOOST_TEST(within.max_relative_difference == 0);
  BOOST_TEST(!match_eigenvalues({1e-14, -10., -20.}, {0., -10., -20.}, {1e-15, 1e-14, 1e-14}).passed);
}

BOOST_AUTO_TEST_CASE(a_slow_eigenvalue_is_held_to_as_many_digits_as_a_fast_one) {
  BOOST_TEST(!match_eigenvalues({-1e-4, -10., -20.}, {-1.1e-4, -10., -20.}).passed);
  BOOST_TEST(!match_eigenvalues({-1e-12, -10., -20.}, {-1.00001e-12, -10., -20.}).passed);
  BOOST_TEST(match_eigenvalues({-1e-12, -10., -20.}, {-1.0000001e-12, -10., -20.}).passed);
}

BOOST_AUTO_TEST_CASE(no_mean_excuses_values_that_can_be_told_apart) {
  // The double zero of a rigid body, split by rounding along the real axis here, and along the imaginary one
  // there.
  const std::vector<Complex> before{{3e-8, 0}, {-3e-8, 0}, {-20, 0}}, after{{0, 1e-7}, {0, -1e-7}, {-20, 0}};
  BOOST_TEST(!match_eigenvalues(before, after).passed);
  BOOST_TEST(match_eigenvalues(before, after, {2e-7, 2e-7, 1e-14}).passed);
}

BOOST_AUTO_TEST_CASE(places_say_which_entries_of_the_lists_make_a_pair) {
  const std::vector<Complex> before{-1., {-3, 4}, {-3, -4}, -9.}, after{{-3, 4}, {-3, -4}, -1.};
  for (const auto& pair : match_eigenvalues(before, after).pairs) {
    BOOST_TEST(before[pair.place_before] == pair.before);
    BOOST_TEST(after[pair.place_after] == pair.after);
  }
  BOOST_CHECK_THROW(match_eigenvalues(before, after, {1e-3}), InvalidInput);
}

BOOST_AUTO_TEST_CASE(the_nearest_places_bring_conjugates_along) {
  using Places = std::vector<std::size_t>;
  const std::vector<Complex> values{-1., {-3, 4}, {-3, -4}, {-3, 4}, {-3, -4}, -9.};
  BOOST_TEST((nearest_places(values, 0, 1) == Places{0}));
  BOOST_TEST((nearest_places(values, 0, 2) == Places{0, 1, 2}));
  BOOST_TEST((nearest_places(values, {-3, -4}, 1) == Places{2, 1}));
  BOOST_TEST((nearest_places(values, {-3, -4}, 2) == Places{2, 1, 4, 3}));
  BOOST_TEST(nearest_places(values, 0, 100).size() == values.size());
  BOOST_TEST(nearest_places({}, 0, 3).empty());
}

BOOST_AUTO_TEST_CASE(empty_lists_agree_and_nan_is_refused) {
  BOOST_TEST(match_eigenvalues({}, {}).passed);
  BOOST_TEST(!match_eigenvalues({}, {-1.}).passed);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_CHECK_THROW(match_eigenvalues({nan}, {-1.}), InvalidInput);
}

BOOST_AUTO_TEST_CASE(four_thousand_eigenvalues_that_nearly_agree_are_matched) {
  const std::vector<Complex> values = random_spectrum(1500, 1000, 7);
  std::vector<Complex> perturbed = permuted(values, 8);
  RandomNumbers random(9);
  for (Complex& value : perturbed)
    value *= 1 + 1e-10 * random();
  const SpectrumMatching result = match_eigenvalues(values, perturbed);
  BOOST_TEST(result.passed);
  BOOST_TEST(result.max_relative_difference < 1.1e-10);
}

BOOST_AUTO_TEST_SUITE_END()
