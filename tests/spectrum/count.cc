// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/exact/exact_spectrum.h>
#include <halfdof/spectrum/nearest_eigenpairs.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <boost/test/unit_test.hpp>

#include "spectrum/reduced.h"
#include <algorithm>
#include <cmath>
#include <string>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

constexpr double pi = 3.14159265358979323846;

GlobalIndex n_within(const ExactSpectrum& spectrum, const Rim& rim) {
  GlobalIndex n = 0;
  for (const ExactRoot& root : spectrum.roots)
    if (std::abs(root.value - rim.center) < rim.radius) n += root.multiplicity;
  return n;
}

/// How near an eigenvalue comes to the rim, relative to the radius.
double clearance(const ExactSpectrum& spectrum, const Rim& rim) {
  double least = 1;
  for (const ExactRoot& root : spectrum.roots)
    least = std::min(least, std::abs(std::abs(root.value - rim.center) / rim.radius - 1));
  return least;
}

GlobalIndex counted(const EigenvalueCount& count) {
  BOOST_TEST_MESSAGE("n " << count.n.value_or(-1) << ", deviation " << count.deviation << ", "
                          << count.n_factorizations << " factorizations, " << count.seconds << " s "
                          << count.reason);
  BOOST_TEST(count.reason == "");
  BOOST_TEST(count.deviation <= 0.1);
  return count.n.value_or(-1);
}

DenseSystem dense_system(std::initializer_list<double> M, std::initializer_list<double> C,
                         std::initializer_list<double> K) {
  const auto matrix = [](std::initializer_list<double> by_rows) {
    const auto n = static_cast<Index>(std::lround(std::sqrt(by_rows.size())));
    MultiVector A(n, n);
    auto entry = by_rows.begin();
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        A(i, j) = *entry++;
    return A;
  };
  return {matrix(M), matrix(C), matrix(K)};
}

/// n masses of one, springs of one between neighbours, dampers of c beside them; the first one tied to the
/// ground or not.
SparseSystem chain(Index n, double c, bool is_free) {
  SparseSystem system(n);
  for (Index i = 0; i < n; ++i)
    system.add_mass(i, 1);
  for (Index i = 0; i + 1 < n; ++i) {
    system.add_spring(i, i + 1, 1);
    if (c != 0) system.add_damper(i, i + 1, c);
  }
  if (!is_free) system.add_spring(0, 1);
  return system;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(counts)

BOOST_AUTO_TEST_CASE(random_discs_hold_as_many_as_the_exact_spectrum_has_there) {
  RandomNumbers random(5);
  int n_checked = 0, n_refused = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const bool symmetric = seed % 2 == 0;
    const DenseSystem system = symmetric ? random_symmetric(2 + static_cast<Index>(seed) % 5, 2, 2, seed)
                                         : random_unsymmetric(2 + static_cast<Index>(seed) % 5, 2, 2, seed);
    const auto exact = exact_spectrum(system.M, system.C, system.K);
    BOOST_REQUIRE(exact);
    const auto model = reduced(system);
    for (int disc = 0; disc < 4; ++disc) {
      const Rim rim{Complex(2 * random(), disc % 2 == 0 ? 0. : 2 * random()), std::exp2(3 * random())};
      const double near = clearance(*exact, rim);
      const EigenvalueCount count = count_inside(model, rim);
      if (count.n) {
        BOOST_TEST(*count.n == n_within(*exact, rim));
        ++n_checked;
      } else {
        BOOST_TEST_MESSAGE(count.reason << " " << near);
        BOOST_TEST(near < 1e-3);
        ++n_refused;
      }
    }
  }
  BOOST_TEST(n_checked > 230);
}

BOOST_AUTO_TEST_CASE(jordan_blocks_and_zeros_count_with_their_multiplicity) {
  // (lambda + 1)^2; two free masses; a viscous DoF alone; diag(1,1,0), diag(0,0,1), diag(0,1,0.9).
  BOOST_TEST(counted(count_inside(reduced(dense_system({1}, {2}, {1})), {-1., 0.5})) == 2);
  BOOST_TEST(counted(count_inside(reduced(dense_system({1}, {2}, {1})), {Complex(-1, 1), 0.9})) == 0);
  BOOST_TEST(counted(count_inside(reduced(dense_system({1}, {2}, {1})), {Complex(-1, 1), 1.1})) == 2);
  const auto free = reduced(dense_system({1, 0, 0, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}));
  for (const double radius : {1e-9, 1e-3, 1., 1e6})
    BOOST_TEST(counted(count_inside(free, {0., radius})) == 4);
  const auto mixed = reduced(
      dense_system({1, 0, 0, 0, 1, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 1, 0, 0, 0, .9}));
  BOOST_TEST(counted(count_inside(mixed, {0., 0.5})) == 2);
  BOOST_TEST(counted(count_inside(mixed, {0., 0.95})) == 3);
  BOOST_TEST(counted(count_inside(mixed, {0., 1.05})) == 5);
}

BOOST_AUTO_TEST_CASE(chains_hold_what_their_closed_form_says) {
  const Index n = 200;
  const auto model = reduced(chain(n, 0, true));
  const auto omega = [&](Index k) { return 2 * std::sin(k * pi / (2 * n)); };
  for (const Index k : {1, 7, 20, 100}) {
    const double radius = (omega(k - 1) + omega(k)) / 2;
    BOOST_TEST(counted(count_inside(model, {0., radius})) == 2 * k);
    const auto by_inertia = count_undamped(model, {0., radius});
    BOOST_REQUIRE(by_inertia.has_value());
    BOOST_TEST(counted(*by_inertia) == 2 * k);
  }
  // One of each pair in a disc on the imaginary axis.
  const Complex center(0, omega(10));
  BOOST_TEST(counted(count_inside(model, {center, 2.5 * (omega(11) - omega(10))})) == 5);
}

// Eigenvalues zero twice, and for each of the others lambda^2 + 4 s^2 (1e9 lambda + 1) = 0: -1e-9 and one
// far away.
BOOST_AUTO_TEST_CASE(overdamped_free_chains_keep_their_zeros) {
  const Index n = 420;
  const auto model = reduced(chain(n, 1e9, true));
  BOOST_TEST(counted(count_inside(model, {0., 0.5e-9})) == 2);
  BOOST_TEST(counted(count_inside(model, {0., 2e-9})) == n + 1);
  BOOST_TEST(counted(count_inside(model, {-1e-9, 1e-10})) == n - 1);
}

BOOST_AUTO_TEST_CASE(known_eigenvalues_cost_few_factorizations_and_change_no_count) {
  const Index n = 2000, k = 40;
  const auto model = reduced(chain(n, 0.01, true));
  std::vector<Complex> all;
  for (Index i = 0; i < n; ++i) {
    const double square = std::pow(2 * std::sin(i * pi / (2 * n)), 2), b = 0.005 * square;
    const Complex root = std::sqrt(Complex(b * b - square));
    all.push_back(-b + root);
    all.push_back(-b - root);
  }
  std::vector<Complex> nearest(all.begin(), all.begin() + k);
  const auto check = [&](const std::vector<Complex>& list, bool is_complete) {
    const Certificate found = certify(model, list, 0);
    counted(found.counted);
    BOOST_TEST(!found.is_by_inertia);
    BOOST_TEST(found.is_complete() == is_complete);
    return found;
  };
  const Certificate right = check(nearest, true);
  BOOST_TEST(right.counted.n_factorizations < 60);
  std::vector<Complex> lacking = nearest, twice = nearest;
  lacking.erase(lacking.begin() + 6, lacking.begin() + 8);
  check(lacking, false);
  twice.insert(twice.end(), nearest.begin() + 6, nearest.begin() + 8);
  check(twice, false);
}

BOOST_AUTO_TEST_CASE(lists_about_complex_shifts_are_counted_on_their_side_alone) {
  const auto model = reduced(chain(500, 0.02, true));
  for (const Complex shift : {Complex(0, 0.4), Complex(-0.01, 0.05), Complex(-0.3, -1)}) {
    NearestEigenvalues found = nearest_eigenvalues(model, 12, shift);
    BOOST_TEST(certify(model, found.eigenvalues, found.shift).is_complete());
    const Complex lost = found.eigenvalues[2];
    std::vector<Complex> lacking;
    for (const Complex value : found.eigenvalues)
      if (value != lost && value != std::conj(lost)) lacking.push_back(value);
    const Certificate refused = certify(model, lacking, found.shift);
    BOOST_TEST((refused.counted.n && !refused.is_complete()));
  }
}

// Electric potentials make K negative definite on the kernel of M; real eigenvalues come from a negative
// spring.
BOOST_AUTO_TEST_CASE(undamped_counts_heed_potentials_and_divergence) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    DenseSystem system = random_symmetric(3 + static_cast<Index>(seed) % 4, 0, seed % 3 == 0 ? 0 : 3, seed);
    system.C.setZero();
    if (seed % 2 == 1)
      for (Index i = 0; i < system.size(); ++i)
        if (system.M(i, i) != 0) system.K(i, i) -= 3;
    const auto exact = exact_spectrum(system.M, system.C, system.K);
    BOOST_REQUIRE(exact);
    const auto model = reduced(system);
    for (const double center : {0., 0.7})
      for (const double radius : {0.8, 1.3, 2.9}) {
        const Rim rim{center, radius};
        if (clearance(*exact, rim) < 1e-6) continue;
        const auto count = count_undamped(model, rim);
        if (!count) continue;
        BOOST_TEST(counted(*count) == n_within(*exact, rim));
      }
  }
}

// Masses that are tied to the ground, damped between each other: the lower edge of a band, far from zero.
// Its eigenvalues are roots of 100 lambda^2 + 5 (1 + mu) lambda + 2 (1 + mu) with mu = 4 sin^2 in closed
// form.
BOOST_AUTO_TEST_CASE(a_search_that_stalls_tells_where_eigenvalues_crowd) {
  const Index n = 3000;
  SparseSystem system(n);
  for (Index i = 0; i < n; ++i) {
    system.add_mass(i, 100);
    system.add_spring(i, 2);
    system.add_damper(i, 5);
    if (i + 1 < n) {
      system.add_spring(i, i + 1, 2);
      system.add_damper(i, i + 1, 5);
    }
  }
  const auto model = reduced(system);
  Complex better = 0;
  BOOST_CHECK_EXCEPTION(nearest_eigenvalues(model, 10), StalledSearch, [&](const StalledSearch& error) {
    better = error.better_shift();
    return std::string(error.what()).find("crowd") != std::string::npos;
  });
  BOOST_TEST(std::abs(better - Complex(-0.025, 0.1391941090707505)) < 1e-3);
  const NearestEigenvalues found = nearest_eigenvalues(model, 10, better);
  for (const Complex value : found.eigenvalues) {
    const Complex factor = -100. * value * value / (5. * value + 2.);
    BOOST_TEST(std::abs(factor.imag()) < 1e-8);
    const double place = 2 * n / pi * std::asin(std::sqrt(std::max(0., factor.real() - 1)) / 2);
    BOOST_TEST(std::abs(place - std::round(place)) < 1e-3);
  }
}

BOOST_AUTO_TEST_CASE(an_eigenvalue_on_the_rim_is_no_count) {
  const auto model = reduced(dense_system({1}, {0}, {4}));
  const EigenvalueCount count = count_inside(model, {0., 2.});
  BOOST_TEST(!count.n.has_value());
  BOOST_TEST(count.reason.find("on the rim") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
