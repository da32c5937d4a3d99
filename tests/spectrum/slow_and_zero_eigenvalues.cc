// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/eigenmodes.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <boost/test/unit_test.hpp>

#include "spectrum/check_residuals.h"
#include "spectrum/reduced.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

/// A free membrane of n x n unit masses and uneven springs, one half of it softer by a factor.
SparseSystem free_membrane(Index n, double softer, unsigned seed) {
  RandomNumbers random(seed);
  SparseSystem membrane(n * n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      const double stiffness = 2 * i < n ? 1 : softer;
      membrane.add_mass(j * n + i, 1);
      if (i > 0) membrane.add_spring(j * n + i, j * n + i - 1, stiffness * (1 + 0.5 * random()));
      if (j > 0) membrane.add_spring(j * n + i, j * n + i - n, stiffness * (1 + 0.5 * random()));
    }
  return membrane;
}

/// Applications of inverses of P that some work takes.
std::int64_t n_solves(const std::function<void()>& work) {
  Profile::of_process().start();
  work();
  Profile::of_process().stop();
  std::int64_t n = 0;
  for (const ProfiledStage& stage : Profile::of_process().stages())
    if (stage.name == "solve") n += stage.n_calls;
  return n;
}

/// Unit masses in a row with unit springs between them.
SparseSystem free_chain(Index n) {
  SparseSystem chain(n);
  for (Index i = 0; i < n; ++i) {
    chain.add_mass(i, 1);
    if (i > 0) chain.add_spring(i, i - 1, 1);
  }
  return chain;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(slow_and_zero)

BOOST_AUTO_TEST_CASE(rigid_bodies_have_twelve_exact_zeros_and_the_shift_moves) {
  const auto beam = reduced(lattice_beam(12, false));
  const NearestEigenvalues found = nearest_eigenvalues(beam, 20);
  const NearestAssembledEigenvalues before = nearest_assembled_eigenvalues(beam, 20);
  BOOST_TEST(found.shift_moved());
  BOOST_TEST(found.shift.real() > 0);
  BOOST_TEST((found.requested_shift == 0.));
  for (std::size_t j = 0; j < 12; ++j) {
    BOOST_TEST((found.eigenvalues[j] == 0.));
    BOOST_TEST((before.eigenvalues[j] == 0.));
  }
  BOOST_TEST(std::abs(found.eigenvalues[12]) > 1);
  BOOST_TEST(farthest(found.eigenvalues, before.eigenvalues) < 1e-9);
  check_residuals(found, 1e-6);

  // Nothing but zeros asked for.
  const std::vector<Complex> zeros = nearest_eigenvalues(beam, 12).eigenvalues;
  BOOST_TEST((zeros == std::vector<Complex>(12, 0.)));
}

// P(0) is regular by rounding alone, and the iteration with its inverse would hardly end.
BOOST_AUTO_TEST_CASE(free_bodies_are_found_with_few_solves) {
  for (const double softer : {1., 1e-4})
    for (const unsigned seed : {1u, 3u, 5u, 6u}) {
      const auto free = reduced(free_membrane(20, softer, seed));
      NearestEigenvalues after;
      NearestAssembledEigenvalues before;
      BOOST_TEST(n_solves([&] { after = nearest_eigenvalues(free, 16); }) < 200);
      BOOST_TEST(n_solves([&] { before = nearest_assembled_eigenvalues(free, 16); }) < 200);
      BOOST_TEST(after.shift_moved());
      for (const auto& values : {after.eigenvalues, before.eigenvalues})
        BOOST_TEST(std::count(values.begin(), values.end(), 0.) == 2);
      BOOST_TEST(farthest(after.eigenvalues, before.eigenvalues) < 1e-9);
    }
}

// So many that a basis beside the zeros would have to hold fast motions, too.
BOOST_AUTO_TEST_CASE(many_eigenvalues_of_a_free_chain_are_found_with_few_solves) {
  constexpr Index n = 300;
  const auto free = reduced(free_chain(n));
  for (const Index k : {12, 20, 30}) {
    NearestEigenvalues found;
    BOOST_TEST(n_solves([&] { found = nearest_eigenvalues(free, k); }) < 200);
    std::vector<Complex> expected(2, 0.);
    for (Index p = 1; 2 * p < k; ++p)
      for (const double sign : {1., -1.})
        expected.emplace_back(0, sign * 2 * std::sin(pi * p / (2. * n)));
    BOOST_TEST(farthest(found.eigenvalues, expected) < 1e-12);
  }
}

// A group of motions far slower than the next ones is as good as one at rest, unless it is all that is asked
// for.
BOOST_AUTO_TEST_CASE(a_body_on_very_soft_springs_is_found_with_few_solves) {
  constexpr Index n = 150;
  SparseSystem chain = free_chain(n);
  chain.add_spring(0, 1e-8);
  const auto soft = reduced(chain);
  NearestEigenvalues found;
  BOOST_TEST(n_solves([&] { found = nearest_eigenvalues(soft, 40); }) < 200);
  BOOST_TEST(found.shift_moved());
  for (const NearestEigenvalues& each : {found, nearest_eigenvalues(soft, 2)}) {
    double slowest = 1;
    for (const Complex value : each.eigenvalues)
      slowest = std::min(slowest, std::abs(value));
    BOOST_TEST(slowest == std::sqrt(1e-8 / n), boost::test_tools::tolerance(1e-5));
  }
  BOOST_TEST(!nearest_eigenvalues(soft, 2).shift_moved());
}

// A shift as far as the next motion of the mass would be as far from all of the relaxations.
BOOST_AUTO_TEST_CASE(slow_relaxations_beside_a_free_body_are_found) {
  constexpr Index n = 1000;
  const double r = 1e-4;
  SparseSystem both(2 + n);
  for (const Index i : {0, 1})
    both.add_mass(i, 1);
  both.add_spring(0, 1, 1);
  for (Index i = 2; i < 2 + n; ++i) {
    both.add_damper(i, 1);
    if (i > 2) both.add_spring(i, i - 1, r);
  }
  both.add_spring(2, r);
  std::vector<Complex> found = nearest_eigenvalues(reduced(both), 6).eigenvalues;
  BOOST_REQUIRE_EQUAL(std::count(found.begin(), found.end(), 0.), 2);
  std::sort(found.begin(), found.end(), [](Complex a, Complex b) { return std::abs(a) < std::abs(b); });
  for (Index p = 1; p <= 4; ++p) {
    const double half = std::sin(pi * (2 * p - 1) / (2. * (2 * n + 1)));
    BOOST_TEST(std::abs(found.at(static_cast<std::size_t>(p + 1)) + 4 * r * half * half) <
               1e-6 * 4 * r * half * half);
  }
}

BOOST_AUTO_TEST_CASE(a_list_about_a_shift_that_a_free_body_moved_holds_its_zeros_or_is_refused) {
  // A free chain of n unit masses with springs k and dampers c: two zeros, and relaxations at -k/c, which all
  // lie nearly as near to a moved shift. Rounding of the dampers there hides the zeros first.
  constexpr Index n = 300;
  for (const double c : {0x1p10, 0x1p20, 0x1p30, 0x1p38, 0x1p44, 0x1p50}) {
    const double k = 0x1p-15 * c;
    SparseSystem chain(n);
    for (Index i = 0; i < n; ++i) {
      chain.add_mass(i, 1);
      if (i == 0) continue;
      chain.add_spring(i, i - 1, k);
      chain.add_damper(i, i - 1, c);
    }
    try {
      const std::vector<Complex> found = nearest_eigenvalues(reduced(chain), 3).eigenvalues;
      BOOST_TEST(std::count(found.begin(), found.end(), 0.) == 2, "dampers of " << c);
    } catch (const NoConvergence& error) {  // the search stalls among the relaxations
      BOOST_TEST(c == 0x1p10, error.what());
    } catch (const NotAvailable& error) {
      BOOST_TEST(c > 0x1p30, error.what());
      BOOST_TEST(std::string(error.what()).find("zero is an eigenvalue, too") != std::string::npos,
                 error.what());
    }
  }
}

BOOST_AUTO_TEST_CASE(slow_eigenvalues_that_are_certain_are_no_zeros) {
  // Uncoupled: nothing of the fast one is in their entries.
  for (const double slow : {1e-6, 1e-8, 1e-10}) {
    SparseSystem both(3);
    both.add_mass(0, 1);
    both.add_spring(0, 1e12);
    both.add_mass(1, 1);
    both.add_spring(1, slow * slow);
    both.add_damper(2, 1);
    both.add_spring(2, slow);
    const SpectrumComparison all = compare_all(reduced(both));
    BOOST_TEST(all.passed);
    BOOST_TEST(std::count(all.after.finite.begin(), all.after.finite.end(), 0.) == 0);
    BOOST_TEST(all.uncertain().empty());
  }
}

// Rounding splits a double zero by 1e-8 of its distance from the shift, in any direction of the plane.
BOOST_AUTO_TEST_CASE(double_zeros_are_found_twice_from_complex_shifts) {
  SparseSystem two(2);
  two.add_mass(0, 1);
  two.add_mass(1, 1);
  two.add_spring(0, 1, 1);
  for (const Complex shift : {Complex(0, 1), Complex(0.1, 1), Complex(0.3, 0.2)}) {
    const auto free = reduced(two);
    for (const std::vector<Complex>& all : {nearest_eigenvalues(free, 4, shift).eigenvalues,
                                            nearest_assembled_eigenvalues(free, 4, shift).eigenvalues}) {
      BOOST_TEST(all.size() == 4);
      BOOST_TEST(std::count(all.begin(), all.end(), 0.) == 2);
    }
  }
  const auto beam = reduced(lattice_beam(12, false));
  for (const std::vector<Complex>& all : {nearest_eigenvalues(beam, 20, {0.1, 1}).eigenvalues,
                                          nearest_assembled_eigenvalues(beam, 20, {0.1, 1}).eigenvalues})
    BOOST_TEST(std::count(all.begin(), all.end(), 0.) == 12);
}

BOOST_AUTO_TEST_CASE(viscous_dofs_without_stiffness_give_simple_zeros) {
  // A mass on a spring, and a damper from it to a node that nothing else holds (Dumont et al., example 5.1).
  SparseSystem system(2);
  system.add_mass(0, 1);
  system.add_spring(0, 4);
  system.add_damper(0, 1, 0.5);
  const NearestEigenvalues found = nearest_eigenvalues(reduced(system), 3);
  BOOST_TEST((found.eigenvalues[0] == 0.));
  BOOST_TEST(farthest(found.eigenvalues, {0., {0, 2}, {0, -2}}) < 1e-9);
}

BOOST_AUTO_TEST_CASE(slow_relaxation_beside_fast_oscillation_is_no_zero) {
  SparseSystem system(2);
  system.add_mass(0, 1);
  system.add_spring(0, 1e8);
  system.add_damper(1, 1e3);
  system.add_spring(1, 1e-3);
  const NearestEigenvalues found = nearest_eigenvalues(reduced(system), 3);
  BOOST_TEST(std::abs(found.eigenvalues[0] + 1e-6) < 1e-6 * 1e-6);
}

// Elastic forces of what is almost the motion of a rigid body are differences of much larger ones: some
// twenty units in the last place are left of them here, which tell the eigenvalue from zero.
BOOST_AUTO_TEST_CASE(a_body_on_soft_springs_does_not_count_as_free) {
  constexpr Index n = 1000;
  const auto chain = [](double soft) {
    SparseSystem masses(n);
    for (Index i = 0; i < n; ++i) {
      masses.add_mass(i, 1);
      if (i > 0) masses.add_spring(i - 1, i, 1e9);
    }
    for (const Index end : {0, n - 1})
      if (soft > 0) masses.add_spring(end, soft);
    return reduced(masses);
  };
  const auto held = chain(0.01), free = chain(0);
  for (const auto& values :
       {nearest_eigenvalues(held, 2).eigenvalues, nearest_assembled_eigenvalues(held, 2).eigenvalues})
    for (const Complex& value : values)
      BOOST_TEST(std::abs(std::abs(value) - std::sqrt(0.02 / n)) < 1e-3 * std::abs(value));
  for (const auto& values :
       {nearest_eigenvalues(free, 2).eigenvalues, nearest_assembled_eigenvalues(free, 2).eigenvalues})
    for (const Complex& value : values)
      BOOST_TEST(value == 0.);
}

BOOST_AUTO_TEST_CASE(slow_modes_beside_large_potentials_are_no_zeros) {
  // A mass of one on a spring of one, between stiff neighbours: +-i, and the potential is 1e9 times the
  // displacement.
  const double unit = 1e-9;
  DenseSystem system{MultiVector::Identity(3, 3), MultiVector::Zero(3, 3), MultiVector(3, 3)};
  system.M(2, 2) = 0;
  system.K << 1e6 + 0.5, -1e6, unit, -1e6, 1e6 + 0.5, 0, unit, 0, -2 * unit * unit;
  const MultiVector coupling = MultiVector::Constant(1, 1, 0.5);  // unit^2 / (2 unit^2)
  MultiVector K = system.K.topLeftCorner(2, 2);
  K(0, 0) += coupling(0, 0);
  const double omega = std::sqrt(symmetric_eigenvalues(K)[0]);
  const auto small = reduced(system);
  for (const auto& found :
       {nearest_eigenvalues(small, 2).eigenvalues, nearest_assembled_eigenvalues(small, 2).eigenvalues})
    BOOST_TEST(farthest(found, {{0, omega}, {0, -omega}}) < 1e-9);
}

// -1, which the rounding of entries of 2^53 does not tell from zero, is nearer to the shift than -0.01 +- 3i.
BOOST_AUTO_TEST_CASE(zeros_of_rounded_entries_are_as_near_as_the_entries_say) {
  SparseSystem system(3);
  for (const Index i : {0, 1})
    system.add_damper(i, 1);
  system.add_spring(0, 1, 0x1p53);
  system.add_spring(1, 2);
  system.add_mass(2, 1);
  system.add_damper(2, 0.02);
  system.add_spring(2, 9);
  const auto small = reduced(system);
  BOOST_TEST((nearest_eigenvalues(small, 1, -1e5).eigenvalues == std::vector<Complex>{0.}));
  ComparisonOptions options;
  options.shift = -1e5;
  const SpectrumComparison comparison = compare_spectra(small, 1, options);
  BOOST_TEST(comparison.passed);
  BOOST_TEST((comparison.after.finite == std::vector<Complex>{0.}));
  BOOST_TEST(comparison.zero_radius() > 0.25);
}

// Rounding of a spring of 2^55 hides motions of 0.5 to 3 1/s, whose vectors are no null vectors.
BOOST_AUTO_TEST_CASE(vectors_of_what_counts_as_zero_satisfy_the_equations) {
  SparseSystem chain(6);
  for (const Index i : {0, 1, 3, 5})
    chain.add_mass(i, i + 1.);
  const std::array springs{6., 4., 0x1p25, 6., 0x1.8p55};
  chain.add_spring(0, 1);
  for (Index i = 0; i < 5; ++i)
    chain.add_spring(i, i + 1, springs[static_cast<std::size_t>(i)]);
  const SpectrumComparison comparison = compare_all(reduced(chain));
  BOOST_TEST(comparison.passed);
  BOOST_TEST(comparison.zero_radius() > 1);
  BOOST_TEST(comparison.max_backward_error < 1e-12);
}

// About a shift beside the zeros, rounding splits the Jordan blocks of the assembled pencil by more than the
// left vectors of the reduced system allow.
BOOST_AUTO_TEST_CASE(zeros_in_jordan_blocks_of_unsymmetric_models_are_compared) {
  constexpr Index n_blocks = 6, n = 220;
  SparseSystem system(n);
  for (Index i = 0; i < n; ++i) {
    system.add_damper(i, 1);
    if (i >= 2 * n_blocks) system.add_spring(i, 1 + 0.1 * static_cast<double>(i));
  }
  for (Index block = 0; block < n_blocks; ++block)
    system.add_stiffness(2 * block, 2 * block + 1, -1);
  const NearestAssembledEigenvalues before = nearest_assembled_eigenvalues(reduced(system), 10);
  BOOST_TEST(before.shift != 0.);
  BOOST_TEST(before.resolution == 1e-3 * std::abs(before.shift));
  for (const Complex zero : before.eigenvalues)
    BOOST_TEST(std::abs(zero) < before.resolution);
  const SpectrumComparison comparison = compare_spectra(reduced(system), 6, {});
  BOOST_TEST(comparison.passed);
  BOOST_TEST(std::count(comparison.after.finite.begin(), comparison.after.finite.end(), 0.) >= 6);
}

BOOST_AUTO_TEST_SUITE_END()
