#include <halfdof/base/errors.h>
#include <halfdof/spectrum/assignment.h>
#include <halfdof/spectrum/matching.h>

#include <boost/test/unit_test.hpp>

#include "systems.h"
#include <algorithm>
#include <limits>
#include <numeric>

using namespace halfdof;
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
  BOOST_TEST(match_eigenvalues(values, perturbed, loose).passed);
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

BOOST_AUTO_TEST_CASE(exact_zeros_are_compared_absolutely) {
  const SpectrumMatching result = match_eigenvalues({0., -10., -20.}, {1e-14, -10., -20.});
  BOOST_TEST(result.passed);
  BOOST_TEST(match_eigenvalues({0., 0.}, {0., 0.}).passed);
  // A slow mode is no zero: five orders of magnitude below the others it still counts.
  BOOST_TEST(!match_eigenvalues({-1e-4, -10., -20.}, {-1.1e-4, -10., -20.}).passed);
}

BOOST_AUTO_TEST_CASE(a_defective_pair_agrees_by_its_mean) {
  // Rounding splits a double zero by sqrt(epsilon), in one computation along the real axis, in another along
  // the imaginary one.
  const std::vector<Complex> others{{-1, 10}, {-1, -10}, {-20, 0}, {-5, 3}, {-5, -3}};
  std::vector<Complex> before = others, after = others;
  for (const Complex split : {Complex(3e-8, 0), Complex(-3e-8, 0)})
    before.push_back(split);
  for (const Complex split : {Complex(0, 1e-7), Complex(0, -1e-7)})
    after.push_back(split);
  const SpectrumMatching result = match_eigenvalues(before, after);
  BOOST_TEST(result.passed);
  BOOST_TEST(result.pairs.front().in_cluster);

  // A split of one ten-thousandth is no rounding either.
  before = after = others;
  for (const double sign : {-1., 1.}) {
    before.emplace_back(-10 + sign * 1e-7);
    after.emplace_back(-10 + sign * 1e-3);
  }
  BOOST_TEST(!match_eigenvalues(before, after).passed);

  // Twice the frequency of a slow pair is no rounding, although the means agree.
  before = after = others;
  for (const double sign : {-1., 1.}) {
    before.emplace_back(0, sign * 1e-3);
    after.emplace_back(0, sign * 2e-3);
  }
  BOOST_TEST(!match_eigenvalues(before, after).passed);
}

BOOST_AUTO_TEST_CASE(only_the_rim_of_a_list_may_lack_a_counterpart) {
  // -5 and +-5i are equally far from zero.
  SpectrumMatching tie = match_eigenvalues({-1., -5.}, {-1., {0, 5}, {0, -5}});
  BOOST_TEST(!tie.passed);
  forgive_rim(tie, 0, 5);
  BOOST_TEST(tie.passed);

  SpectrumMatching hole = match_eigenvalues({-1., -3., -5.}, {-1., -5.});
  forgive_rim(hole, 0, 5);
  BOOST_TEST((hole.missing == std::vector<Complex>{-3.}));
  BOOST_TEST(!hole.passed);
}

BOOST_AUTO_TEST_CASE(a_list_reaches_as_far_as_it_was_cut_and_without_end_where_it_is_complete) {
  const double infinite = std::numeric_limits<double>::infinity();
  BOOST_TEST(reach_of({-1., {-3, 4}, {-3, -4}}, 0, 3, 7) == 5);
  BOOST_TEST(reach_of({-1., -5.}, -2, 2, 3) == 3);
  BOOST_TEST(reach_of({-1., -5.}, 0, 2, 2) == infinite);
  BOOST_TEST(reach_of({-1., -5.}, 0, 12, 3) == infinite);

  SpectrumMatching complete = match_eigenvalues({-1., -1e10}, {-1.});
  forgive_rim(complete, 0, infinite);
  BOOST_TEST(!complete.passed);
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
