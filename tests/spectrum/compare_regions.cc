// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/exact/exact_spectrum.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/rectangles.h>

#include <boost/test/unit_test.hpp>

#include "spectrum/reduced.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

constexpr double pi = 3.14159265358979323846;

/// n masses of one between n + 1 springs of one. Each spring may have a damper c beside it, and each mass a
/// damper d to the ground: lambda^2 + (d + c omega^2) lambda + omega^2 = 0 with omega of the undamped chain.
SparseSystem chain(Index n, double c, double d) {
  SparseSystem system(n);
  for (Index i = 0; i < n; ++i) {
    system.add_mass(i, 1);
    if (d != 0) system.add_damper(i, d);
    if (i + 1 < n) {
      system.add_spring(i, i + 1, 1);
      if (c != 0) system.add_damper(i, i + 1, c);
    }
  }
  for (const Index end : {Index(0), n - 1}) {
    system.add_spring(end, 1);
    if (c != 0) system.add_damper(end, c);
  }
  return system;
}

std::vector<Complex> eigenvalues_of_chain(Index n, double c, double d) {
  std::vector<Complex> values;
  for (Index k = 1; k <= n; ++k) {
    const double omega = 2 * std::sin(k * pi / (2 * (n + 1))), damping = d + c * omega * omega;
    const Complex root = std::sqrt(Complex(damping * damping / 4 - omega * omega));
    values.push_back(-damping / 2 + root);
    values.push_back(-damping / 2 - root);
  }
  return values;
}

std::vector<Complex> in_band(const std::vector<Complex>& values, const FrequencyBand& band) {
  std::vector<Complex> inside;
  for (const Complex value : values)
    if (band.contains(value)) inside.push_back(value);
  return inside;
}

void check_band(const ReducedSystem<EigenEngine>& model, const FrequencyBand& band,
                const std::vector<Complex>& exact) {
  const SpectrumComparison found = compare_band(model, band);
  BOOST_REQUIRE(found.counted.has_value());
  BOOST_TEST_MESSAGE(found.counted->n_searches << " searches, " << found.counted->count.n_factorizations
                                               << " factorizations " << found.counted->count.reason);
  BOOST_TEST(found.passed);
  BOOST_TEST(found.counted->is_complete());
  BOOST_TEST(farthest(in_band(found.after.finite, band), in_band(exact, band)) <= 1e-8);
  BOOST_TEST(farthest(in_band(found.before.finite, band), in_band(exact, band)) <= 1e-8);
  BOOST_TEST(found.after.finite.size() == 2 * in_band(exact, band).size());
}

/// Limits of a band in the middle of gaps between the frequencies of a list.
FrequencyBand between(const std::vector<Complex>& exact, std::size_t first, std::size_t last) {
  std::vector<double> frequencies{0};
  for (const Complex value : exact)
    if (value.imag() > 0) frequencies.push_back(value.imag() / (2 * pi));
  std::sort(frequencies.begin(), frequencies.end());
  const auto gap = [&](std::size_t k) { return (frequencies[k] + frequencies[k + 1]) / 2; };
  return {gap(first), gap(last)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bands)

BOOST_AUTO_TEST_CASE(strips_of_random_systems_hold_as_many_as_the_exact_spectrum) {
  RandomNumbers random(7);
  int n_checked = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Index n = 2 + static_cast<Index>(seed) % 5;
    const DenseSystem system =
        seed % 2 == 0 ? random_symmetric(n, 2, 2, seed) : random_unsymmetric(n, 2, 2, seed);
    const auto exact = exact_spectrum(system.M, system.C, system.K);
    BOOST_REQUIRE(exact);
    const auto model = reduced(system);
    for (int trial = 0; trial < 4; ++trial) {
      const double from = std::exp2(3 * random() - 4), to = from * (1 + std::exp2(2 * random()));
      FrequencyBand band{from, to};
      if (trial % 2 == 1) band.decay_limit = std::exp2(3 * random() - 2);
      GlobalIndex n_exact = 0;
      double nearest = 1;
      for (const ExactRoot& root : exact->roots) {
        const double f = root.value.imag() / (2 * pi), d = std::abs(root.value.real()) / band.largest_decay();
        if (band.contains(root.value)) n_exact += root.multiplicity;
        nearest = std::min({nearest, std::abs(f / from - 1), std::abs(f / to - 1), std::abs(d - 1)});
      }
      const EigenvalueCount count = count_in_rectangle(model, rectangle_of(band));
      if (count.n) {
        BOOST_TEST(*count.n == n_exact);
        ++n_checked;
      } else {
        BOOST_TEST_MESSAGE(count.reason << " " << nearest);
        BOOST_TEST(nearest < 1e-3);
      }
    }
  }
  BOOST_TEST(n_checked > 230);
}

BOOST_AUTO_TEST_CASE(undamped_chains_have_all_modes_of_a_band) {
  const Index n = 450;
  const auto exact = eigenvalues_of_chain(n, 0, 0);
  const auto model = reduced(chain(n, 0, 0));
  for (const auto& [first, last] : {std::pair(100, 130), std::pair(200, 201), std::pair(5, 90)})
    check_band(model, between(exact, static_cast<std::size_t>(first), static_cast<std::size_t>(last)), exact);
}

BOOST_AUTO_TEST_CASE(damped_chains_have_all_modes_of_a_band) {
  const Index n = 450;
  for (const auto& [c, d] : {std::pair(0.05, 0.), std::pair(0.2, 0.01), std::pair(0., 0.6)}) {
    const auto exact = eigenvalues_of_chain(n, c, d);
    check_band(reduced(chain(n, c, d)), between(exact, 20, 60), exact);
  }
}

// Frequencies of the damped chain lie off the axis by more than they lie apart.
BOOST_AUTO_TEST_CASE(bands_from_zero_hold_what_oscillates) {
  const Index n = 450;
  const auto exact = eigenvalues_of_chain(n, 1.5, 0);
  check_band(reduced(chain(n, 1.5, 0)), {0, between(exact, 10, 11).to}, exact);
}

// Near the axis nothing shows that there is a vibration far from it with a lower frequency than all others.
BOOST_AUTO_TEST_CASE(a_band_from_zero_does_not_pass_without_a_slow_and_strongly_damped_vibration) {
  const Index n = 210;
  SparseSystem system(n);
  std::vector<Complex> exact;
  const auto add = [&](Index i, double decay, double omega) {
    system.add_mass(i, 1);
    system.add_damper(i, 2 * decay);
    system.add_spring(i, decay * decay + omega * omega);
    exact.insert(exact.end(), {{-decay, omega}, {-decay, -omega}});
  };
  for (Index i = 0; i + 1 < n; ++i)
    add(i, 0.1, 2 * pi * (i < 40 ? 1 + 3. * i / 40 : 50. + i));
  add(n - 1, 50, 0.6);
  const auto model = reduced(system);
  const SpectrumComparison found = compare_band(model, {0, 5});
  BOOST_TEST(!found.passed);
  BOOST_TEST((found.completeness == Completeness::unknown));
  BOOST_TEST(found.counted->is_complete());
  BOOST_TEST(found.counted->counted.lower_left.imag() > 0);
  BOOST_TEST(*found.counted->count.n == 40);
  FrequencyBand narrow{0, 5};
  narrow.decay_limit = 20;
  check_band(model, narrow, exact);
  BOOST_TEST(compare_band(model, narrow).counted->counted.lower_left.imag() == 0);
}

BOOST_AUTO_TEST_CASE(small_and_empty_bands) {
  const auto exact = eigenvalues_of_chain(30, 0.1, 0);
  const auto model = reduced(chain(30, 0.1, 0));
  check_band(model, between(exact, 3, 9), exact);
  const FrequencyBand gap = between(exact, 3, 3);
  check_band(model, {gap.from * (1 - 1e-6), gap.from * (1 + 1e-6)}, exact);
  const auto large = reduced(chain(450, 0, 0));
  check_band(large, {0.5, 0.6}, {});  // above the highest frequency, 1 / pi
}

BOOST_AUTO_TEST_CASE(rectangles_hold_all_eigenvalues_of_the_closed_form) {
  const Index n = 450;
  const auto exact = eigenvalues_of_chain(n, 0.8, 0);
  const auto model = reduced(chain(n, 0.8, 0));
  for (const Rectangle& region : {Rectangle{{-0.2, 0.3}, {-0.02, 0.6}}, {{-0.1, -0.1}, {0.1, 0.1}}}) {
    std::vector<Complex> inside;
    for (const Complex value : exact)
      if (region.contains(value) || region.contains(std::conj(value))) inside.push_back(value);
    const SpectrumComparison found = compare_region(model, region);
    BOOST_TEST(found.passed);
    BOOST_TEST(!inside.empty());
    BOOST_TEST(farthest(found.after.finite, inside) <= 1e-8);
    BOOST_TEST(farthest(found.before.finite, inside) <= 1e-8);
  }
  BOOST_CHECK_THROW(compare_region(model, {{0, 0}, {-1, 1}}), InvalidInput);
  BOOST_CHECK_THROW(compare_region(model, {{0, 0}, {1, std::nan("")}}), InvalidInput);
}

/// Returns the number of exact roots in a rectangle. @param from_rim Lowered to the least distance of a root
/// from the rim
GlobalIndex n_roots(const ExactSpectrum& exact, const Rectangle& region, double& from_rim) {
  GlobalIndex n = 0;
  for (const ExactRoot& root : exact.roots) {
    if (region.contains(root.value)) n += root.multiplicity;
    from_rim = std::min(from_rim, distance_from_rim(region, root.value));
  }
  return n;
}

BOOST_AUTO_TEST_CASE(rectangles_anywhere_hold_as_many_as_the_exact_spectrum) {
  RandomNumbers random(3);
  int n_checked = 0, n_inside = 0;
  for (unsigned seed = 0; seed < 24; ++seed) {
    const Index n = 2 + static_cast<Index>(seed) % 4;
    const DenseSystem system =
        seed % 2 == 0 ? random_symmetric(n, 2, 2, seed) : random_unsymmetric(n, 2, 2, seed);
    const auto exact = exact_spectrum(system.M, system.C, system.K);
    BOOST_REQUIRE(exact);
    const auto model = reduced(system);
    for (int trial = 0; trial < 4; ++trial) {
      const Complex corner(random() - 0.5, 1.5 * random()), side(1.2 + random(), 1.2 + random());
      const SpectrumComparison found = compare_region(model, {corner, corner + side});
      BOOST_REQUIRE(found.counted.has_value());
      double from_rim = 1;
      const GlobalIndex n_exact = n_roots(*exact, found.counted->counted, from_rim);
      BOOST_TEST(found.counted->n_found == n_exact);
      if (found.counted->count.n) {
        BOOST_TEST(*found.counted->count.n == n_exact);
        BOOST_TEST(found.passed);
        ++n_checked;
      } else {
        BOOST_TEST_MESSAGE(found.counted->count.reason);
        BOOST_TEST(from_rim < 1e-3);
      }
      n_inside += n_exact > 0;
    }
  }
  BOOST_TEST(n_checked > 90);
  BOOST_TEST(n_inside > 30);
}

BOOST_AUTO_TEST_CASE(copies_of_an_eigenvalue_count_one_each_also_on_the_edge) {
  // Three times lambda^2 + 2 d lambda + 4 = 0, with the roots -d +- i sqrt(4 - d^2).
  for (const double d : {0., 0.5}) {
    SparseSystem system(3);
    for (Index i = 0; i < 3; ++i) {
      system.add_mass(i, 1);
      system.add_spring(i, 4);
      if (d != 0) system.add_damper(i, 2 * d);
    }
    const auto model = reduced(system);
    const double omega = std::sqrt(4 - d * d);
    for (const Rectangle& region :
         {Rectangle{{-1, 1}, {1, 3}}, {{-1, 1}, {1, omega}}, {{-d, 1}, {1, 3}}, {{-1, omega}, {-d, 3}}}) {
      const SpectrumComparison found = compare_region(model, region);
      BOOST_TEST(found.passed, found.counted->count.reason);
      BOOST_TEST(*found.counted->count.n == 3);
      BOOST_TEST(found.after.finite.size() == 6u);
    }
    const SpectrumComparison both = compare_region(model, {{-1, -3}, {1, omega}});
    BOOST_TEST(*both.counted->count.n == 6);
    BOOST_TEST(both.passed);
    BOOST_TEST(*compare_region(model, {{-1, -3}, {1, -1}}).counted->count.n == 3);
    BOOST_TEST(*compare_region(model, {{-1, -1}, {1, 1}}).counted->count.n == 0);
  }
}

// Rounding moves these eigenvalues across the edge: the rectangle is widened by more than that, or the count
// is refused.
BOOST_AUTO_TEST_CASE(defective_eigenvalues_on_the_edge_are_never_miscounted) {
  SparseSystem free(2), critical(1);
  for (Index i = 0; i < 2; ++i)
    free.add_mass(i, 1);
  free.add_spring(0, 1, 1);
  critical.add_mass(0, 1);
  critical.add_spring(0, 1);
  critical.add_damper(0, 2);
  for (const auto& [system, region] : {std::pair(free, Rectangle{{-1, -1}, {0, 1}}),
                                       {free, {{-1, 0}, {1, 1}}},
                                       {critical, {{-2, -1}, {-1, 1}}},
                                       {critical, {{-2, 0}, {0, 1}}}}) {
    const SpectrumComparison found = compare_region(reduced(system), region);
    BOOST_TEST_MESSAGE(found.counted->count.reason << " " << found.counted->counted.upper_right);
    if (found.counted->count.n)
      BOOST_TEST(*found.counted->count.n == 2);
    else
      BOOST_TEST(!found.counted->count.reason.empty());
    BOOST_TEST(found.passed == found.counted->count.n.has_value());
  }
}

// lambda^2 + 2 lambda + k = 0 has the roots -1 +- sqrt(1 - k), which one unit in the last place of k moves by
// 1e-8. The edge must be farther away than that, so that both roots lie on the same side of it.
BOOST_AUTO_TEST_CASE(rounding_of_an_entry_does_not_move_an_eigenvalue_across_the_counted_edge) {
  constexpr double unit = std::numeric_limits<double>::epsilon();
  for (const double k : {1 - unit / 2, 1., 1 + unit}) {
    SparseSystem critical(1);
    critical.add_mass(0, 1);
    critical.add_damper(0, 2);
    critical.add_spring(0, k);
    const auto model = reduced(critical);
    for (const Rectangle& region : {Rectangle{{-2, -1}, {-1, 1}}, {{-1, -1}, {0, 1}}}) {
      const SpectrumComparison found = compare_region(model, region);
      BOOST_TEST_REQUIRE(found.counted->count.n.has_value(), found.counted->count.reason);
      BOOST_TEST(*found.counted->count.n == 2);
      BOOST_TEST(found.passed);
      for (const Complex root : {-1. + std::sqrt(Complex(1 - k)), -1. - std::sqrt(Complex(1 - k))})
        BOOST_TEST(distance_from_rim(found.counted->counted, root) > std::sqrt(unit / 2));
    }
  }
}

// The number of determinants along the rim grows with the ratio of its sides.
BOOST_AUTO_TEST_CASE(rectangles_that_are_too_narrow_are_not_counted) {
  const auto model = reduced(chain(3, 0.1, 0));
  FrequencyBand band{0.01, 10};
  band.decay_limit = 1e-4;
  const EigenvalueCount count = count_in_rectangle(model, rectangle_of(band));
  BOOST_TEST(!count.n.has_value());
  BOOST_TEST(count.reason.find("times as long") != std::string::npos);
  BOOST_TEST(count.n_factorizations == 0);
}

// Searches about the axis alone find none or a part of these modes.
BOOST_AUTO_TEST_CASE(modes_far_from_the_axis_are_found_by_searches_beside_it) {
  const Index n = 450;
  for (const auto& [c, d, first, last] :
       {std::tuple(0.8, 0., std::size_t(60), std::size_t(90)), {0.6, 0.3, 100, 140}}) {
    const auto exact = eigenvalues_of_chain(n, c, d);
    check_band(reduced(chain(n, c, d)), between(exact, first, last), exact);
  }
}

BOOST_AUTO_TEST_CASE(limits_that_are_no_band_are_refused) {
  const auto model = reduced(chain(3, 0, 0));
  const double nan = std::nan("");
  for (const FrequencyBand band : {FrequencyBand{2, 1}, {1, 1}, {-1, 1}, {nan, 1}, {0, nan}, {0, 1e200}})
    BOOST_CHECK_THROW(compare_band(model, band), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
