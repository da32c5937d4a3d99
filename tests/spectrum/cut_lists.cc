// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/comparison_lists.h>
#include <halfdof/spectrum/small_spectrum.h>

#include <boost/test/unit_test.hpp>

#include "spectrum/reduced.h"
#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(lists_of_some_eigenvalues)

BOOST_AUTO_TEST_CASE(a_cut_through_equally_far_eigenvalues_is_no_difference) {
  // -5 and +-5i are equally far from zero: each side may take another one.
  SparseSystem system(2);
  system.add_mass(0, 1);
  system.add_spring(0, 25);
  system.add_damper(1, 1);
  system.add_spring(1, 5);
  for (const Index k : {1, 2, 3})
    BOOST_TEST(compare_spectra(reduced(system), k).passed);
}

BOOST_AUTO_TEST_CASE(a_far_shift_tells_which_eigenvalues_are_nearest) {
  DenseSystem system = with_unit_masses(MultiVector::Zero(3, 3), MultiVector::Zero(3, 3));
  system.C.diagonal() << 3, 5, 9;
  system.K.diagonal() << 2, 6, 20;  // -1, -2; -2, -3; -4, -5
  for (const double far : {1e3, 1e20, 1e150}) {
    ComparisonOptions options;
    options.shift = -far;
    const SpectrumComparison spectra = compare_spectra(reduced(system), 1, options);
    BOOST_TEST(std::abs(spectra.after.finite.at(0) + 5.) < 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(all_eigenvalues_are_counted_inside_one_rim) {
  // Equally far from the shift: no rim has a part of them inside.
  DenseSystem system = with_unit_masses(2 * MultiVector::Identity(2, 2), MultiVector::Identity(2, 2));
  ComparisonOptions options;
  options.counting = Counting::always;
  for (const Index k : {1, 4}) {
    const SpectrumComparison spectra = compare_spectra(reduced(system), k, options);
    BOOST_REQUIRE(spectra.certificate.has_value());
    BOOST_TEST(spectra.certificate->is_complete());
    BOOST_TEST(*spectra.certificate->counted.n == 4);
    BOOST_TEST(spectra.certificate->radius > 1);
  }
}

BOOST_AUTO_TEST_CASE(zeros_at_the_shift_are_counted_when_there_is_nothing_else) {
  const MultiVector none = MultiVector::Zero(2, 2);
  ComparisonOptions options;
  options.counting = Counting::always;
  const SpectrumComparison spectra = compare_spectra(reduced(with_unit_masses(none, none)), 4, options);
  BOOST_TEST(spectra.passed);
  BOOST_REQUIRE(spectra.certificate.has_value());
  BOOST_TEST(*spectra.certificate->counted.n == 4);
}

BOOST_AUTO_TEST_CASE(what_is_left_of_an_equation_is_part_of_the_error) {
  // 250 critical oscillators: a search finds -1 to the square root of rounding or worse.
  constexpr Index n = 250;
  const MultiVector I = MultiVector::Identity(n, n);
  ComparisonOptions options;
  options.shift = {-0.1, 9};
  const SpectrumComparison spectra = compare_spectra(reduced(with_unit_masses(2 * I, I)), 5, options);
  BOOST_REQUIRE(spectra.after.finite.size() >= 5u);
  for (std::size_t j = 0; j < spectra.after.finite.size(); ++j)
    BOOST_TEST(std::abs(spectra.after.finite[j] + 1.) <= 1.01 * spectra.residuals[j].error());
}

BOOST_AUTO_TEST_CASE(eigenvalues_of_one_kind_are_those_of_the_whole_spectrum) {
  const auto is_of_kind = [](Complex value, Listed kind) {
    const bool oscillates = std::abs(value.imag()) > 1e-9 * std::abs(value);
    return kind == Listed::oscillating ? oscillates
           : kind == Listed::relaxing  ? !oscillates && value.real() < 0
                                       : value.real() > 0;
  };
  for (const unsigned seed : {1u, 2u, 3u}) {
    const auto system = reduced(random_unsymmetric(6, 3, 2, seed));
    const std::vector<Complex> all = compare_all(system).after.finite;
    for (const Listed kind : {Listed::oscillating, Listed::relaxing, Listed::unstable})
      for (const Index k : {1, 3, 40})
        BOOST_TEST_CONTEXT(seed << ' ' << static_cast<int>(kind) << ' ' << k) {
          std::vector<double> expected, found;
          for (const Complex value : all)
            if (value.imag() >= 0 && is_of_kind(value, kind)) expected.push_back(std::abs(value));
          ComparisonOptions options;
          options.listed = kind;
          const SpectrumComparison some = compare_spectra(system, k, options);
          BOOST_TEST(some.passed);
          for (const Complex value : some.after.finite) {
            BOOST_TEST(is_of_kind(value, kind));
            if (value.imag() >= 0) found.push_back(std::abs(value));
          }
          std::sort(expected.begin(), expected.end());
          std::sort(found.begin(), found.end());
          if (k == 40) BOOST_TEST(found.size() == expected.size());
          if (!expected.empty()) BOOST_TEST(!found.empty());
          for (std::size_t j = 0; j < found.size(); ++j)
            BOOST_TEST(found[j] == expected.at(j), boost::test_tools::tolerance(1e-10));
        }
  }
}

BOOST_AUTO_TEST_CASE(a_vibration_that_became_relaxations_is_missing) {
  SpectrumComparison comparison;
  comparison.before.finite = {{-1, 0.05}, {-1, -0.05}, {0, 3}, {0, -3}};
  comparison.after.finite = {-0.98, -1.02, {0, 3}, {0, -3}};
  comparison.residuals.resize(4);
  for (EigenpairResidual& residual : comparison.residuals)
    residual.uncertainty = 1e-14;
  comparison.matching = match_eigenvalues(comparison.before.finite, comparison.after.finite,
                                          uncertainties_of(comparison.residuals));
  BOOST_REQUIRE(comparison.matching.pairs.size() == 4u);
  keep_listed(comparison, Listed::oscillating, 1e-6);
  judge(comparison.matching);
  BOOST_TEST(comparison.matching.pairs.size() == 2u);
  BOOST_TEST(comparison.matching.missing.size() == 2u);
  BOOST_TEST(!comparison.matching.passed);
}

BOOST_AUTO_TEST_CASE(where_a_search_finds_no_list_it_is_cut_from_the_whole_spectrum) {
  // Uncoupled oscillators, many of them critical or equal: from afar no search tells them apart.
  constexpr Index n = 250;
  DenseSystem system{MultiVector::Identity(n, n), MultiVector::Zero(n, n), MultiVector::Zero(n, n)};
  for (Index i = 0; i < n; ++i) {
    system.C(i, i) = 0.25 * (1 + i % 8);
    system.K(i, i) = 1 + i % 49;
    if (i % 10 == 0) system.M(i, i) = 0;
  }
  std::vector<Complex> all;
  for (Index i = 0; i < n; ++i) {
    const double c = system.C(i, i), k = system.K(i, i);
    if (system.M(i, i) == 0) {
      all.emplace_back(-k / c);
      continue;
    }
    const Complex root = std::sqrt(Complex(c * c / 4 - k));
    all.push_back(-c / 2 + root);
    all.push_back(-c / 2 - root);
  }
  for (const double far : {0., 1e3}) {
    ComparisonOptions options;
    options.shift = far;
    const SpectrumComparison spectra = compare_spectra(reduced(system), 5, options);
    BOOST_TEST(spectra.passed);
    BOOST_TEST(!spectra.abandoned_shift.has_value());
    // Some are equally far: their distances are what is unique.
    std::vector<double> distances;
    for (const std::size_t place : nearest_places(all, far, 5))
      distances.push_back(std::abs(all[place] - far));
    BOOST_REQUIRE(spectra.after.finite.size() >= 5u);
    for (const Complex value : spectra.after.finite) {
      const auto is_value = [&](Complex other) { return std::abs(value - other) < 1e-12; };
      BOOST_TEST(std::any_of(all.begin(), all.end(), is_value));
      BOOST_TEST(std::abs(value - far) <= *std::max_element(distances.begin(), distances.end()) + 1e-12);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_agrees_within_rounding_alone_beside_zero_is_zero) {
  // A rate of 2^-800 beside entries of 2^400: rounding of these leaves 1e-16 of it.
  const double large = std::ldexp(1., 400);
  DenseSystem system{MultiVector::Zero(4, 4), MultiVector::Zero(4, 4), MultiVector::Zero(4, 4)};
  system.C.block(1, 1, 2, 2) << large, -large, -large, large;
  system.K << large, -large, 0, 0, -large, large, -1, 0, 0, -1, large, -large, 0, 0, -large, 2 * large;
  const SpectrumComparison spectra = compare_all(reduced(system));
  BOOST_TEST(spectra.passed);
  BOOST_REQUIRE(spectra.after.finite.size() == 1u);
  BOOST_TEST(spectra.before.finite[0] == 0.);
  BOOST_TEST(spectra.after.finite[0] == 0.);
  BOOST_TEST(spectra.zero_radius() < 1e-15);
  BOOST_TEST(spectra.uncertain().empty());
}

BOOST_AUTO_TEST_CASE(zeros_that_may_hide_others_leave_a_list_unfinished) {
  // A free chain has two zeros, and relaxations of 2^-18 beside stiff dampers.
  constexpr Index n = 300;
  SparseSystem system(n);
  for (Index i = 0; i < n; ++i)
    system.add_mass(i, 1);
  for (Index i = 0; i + 1 < n; ++i) {
    system.add_spring(i, i + 1, std::ldexp(1., 23));
    system.add_damper(i, i + 1, std::ldexp(1., 41));
  }
  ComparisonOptions options;
  options.shift = -1.85e-6;
  const auto chain = reduced(system);
  const NearestEigenvalues nearest = nearest_eigenvalues(chain, 7, options.shift);
  const SpectrumComparison spectra = compare_spectra(chain, 3, options);
  const auto n_zeros = [](const std::vector<Complex>& values) {
    return std::count(values.begin(), values.end(), Complex(0));
  };
  BOOST_TEST((n_zeros(nearest.eigenvalues) == 2 || nearest.completeness == Completeness::unknown));
  BOOST_TEST((n_zeros(spectra.after.finite) == 2 || !spectra.passed));
}

BOOST_AUTO_TEST_CASE(lists_cut_between_equally_far_eigenvalues_say_so) {
  SpectrumComparison spectra;
  spectra.is_whole = false;
  spectra.before.finite = {{3, 4}, {3, -4}};
  spectra.after.finite = {{0, 5}, {0, -5}};
  spectra.residuals.resize(2);
  spectra.matching = match_eigenvalues(spectra.before.finite, spectra.after.finite);
  conclude(spectra);
  BOOST_TEST(!spectra.passed);
  BOOST_TEST(spectra.is_cut_between_equally_far());
  std::ostringstream text;
  spectra.print(text);
  BOOST_TEST(text.str().find("DIFFERENT ONES OF EQUALLY FAR EIGENVALUES") != std::string::npos);
  spectra.requested_shift = 1;  // the first two are nearer
  BOOST_TEST(!spectra.is_cut_between_equally_far());
}

BOOST_AUTO_TEST_SUITE_END()
