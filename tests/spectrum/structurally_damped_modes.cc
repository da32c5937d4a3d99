// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/diagnosis/structural_reduction.h>
#include <halfdof/spectrum/structural_groups.h>
#include <halfdof/spectrum/structural_split.h>
#include <halfdof/spectrum/structurally_damped_modes.h>

#include <boost/test/unit_test.hpp>

#include "complex_systems.h"
#include <cmath>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace halfdof;
using namespace halfdof::test;

namespace {

constexpr double two_pi = 6.283185307179586476925286766559;

struct Solved {
  explicit Solved(const ComplexSystem& complex, std::vector<Index> constrained = {})
      : system(structural(complex, std::move(constrained))),
        reduced(reduce(system)),
        comparison(compare_all(reduced)),
        modes(structurally_damped_modes(system, reduced, comparison)) {}

  StructurallyDampedSystem<EigenEngine> system;
  ReducedSystem<EigenEngine> reduced;
  SpectrumComparison comparison;
  StructurallyDampedModes modes;
};

/// Removes the nearest of some values and returns its relative distance.
double take_nearest(std::vector<Complex>& values, Complex value) {
  if (values.empty()) return 1;
  const auto nearest = std::min_element(values.begin(), values.end(), [&](Complex a, Complex b) {
    return std::abs(a - value) < std::abs(b - value);
  });
  const double distance = std::abs(*nearest - value) / std::abs(value);
  values.erase(nearest);
  return distance;
}

/// Checks that the modes and the unphysical eigenvalues together are all eigenvalues of D, and the shapes.
void check_against_companion(const ComplexSystem& system, Index n_finite) {
  const Solved solved(system);
  BOOST_TEST(solved.comparison.passed);
  std::vector<Complex> expected = companion_eigenvalues(system, n_finite);
  for (std::size_t j = 0; j < solved.modes.modes.size(); ++j) {
    const Complex value = solved.modes.modes[j].mode.eigenvalue;
    BOOST_TEST(value.imag() > 0);
    BOOST_TEST(take_nearest(expected, value) < 1e-8);
    const ComplexVector x = solved.modes.shapes.col(static_cast<Eigen::Index>(j));
    BOOST_TEST(std::abs(x.cwiseAbs().maxCoeff() - 1) < 1e-12);
    BOOST_TEST((system.D(value) * x).norm() < 1e-9 * system.D(value).norm());
  }
  for (const Complex value : solved.modes.unphysical) {
    BOOST_TEST(value.imag() < 0);
    BOOST_TEST(take_nearest(expected, value) < 1e-8);
  }
  BOOST_TEST(expected.empty());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(modes_with_structural_damping)

BOOST_AUTO_TEST_CASE(a_mass_on_springs_in_series_has_its_mode_in_closed_form) {
  const SpringsInSeries springs;
  const Solved solved(springs.system());
  BOOST_TEST_REQUIRE(solved.modes.modes.size() == 1u);
  const StructurallyDampedMode& mode = solved.modes.modes[0];
  const Complex expected = springs.eigenvalue();
  BOOST_TEST(std::abs(mode.mode.eigenvalue - expected) < 1e-13 * std::abs(expected));
  const double eta = springs.stiffness().imag() / springs.stiffness().real();
  BOOST_TEST(std::abs(mode.loss_factor - eta) < 1e-12 * eta);
  BOOST_TEST(std::abs(mode.mode.damping_ratio - std::sin(std::atan(eta) / 2)) < 1e-12);
  BOOST_TEST_REQUIRE(solved.modes.unphysical.size() == 1u);
  BOOST_TEST(std::abs(solved.modes.unphysical[0] + expected) < 1e-13 * std::abs(expected));
  // The massless node follows by the ratio of the complex stiffnesses.
  const Complex k_1 = springs.k_1 * Complex(1, springs.eta_1), k_2 = springs.k_2 * Complex(1, springs.eta_2);
  BOOST_TEST(std::abs(solved.modes.shapes(0, 0) - 1.) < 1e-13);
  BOOST_TEST(std::abs(solved.modes.shapes(1, 0) - k_1 / (k_1 + k_2)) < 1e-13);
}

BOOST_AUTO_TEST_CASE(symmetric_and_unsymmetric_systems_have_the_eigenvalues_of_the_complex_companion_pencil) {
  for (const unsigned seed : {1u, 2u}) {
    check_against_companion(with_loss_factors(random_symmetric(3, 2, 2, seed), seed), 8);
    check_against_companion(with_loss_factors(random_unsymmetric(3, 1, 2, seed), seed), 7);
  }
}

BOOST_AUTO_TEST_CASE(damping_may_be_complex_too) {
  ComplexSystem system = with_loss_factors(random_unsymmetric(2, 2, 1, 7), 7);
  system.C_i = 0.2 * system.real.C;
  check_against_companion(system, 6);
}

BOOST_AUTO_TEST_CASE(copies_are_told_apart_by_their_subspace) {
  // Two equal masses, one on an elastic spring, and one on a spring with structural damping beside its
  // conjugate: the embedding has the eigenvalues i (twice), and lambda of D and of its conjugate.
  MultiVector M = MultiVector::Identity(4, 4), K = MultiVector::Identity(4, 4);
  ComplexSystem system{{M, MultiVector::Zero(4, 4), K}, MultiVector::Zero(4, 4), MultiVector::Zero(4, 4)};
  system.K_i.diagonal() << 0, 0.1, -0.1, 0.1;
  const Solved solved(system);
  BOOST_TEST(solved.comparison.passed);
  std::vector<Complex> expected;
  for (const double eta : {0., 0.1, -0.1, 0.1})
    expected.push_back(Complex(0, 1) * std::sqrt(Complex(1, eta)));
  BOOST_TEST_REQUIRE(solved.modes.modes.size() == expected.size());
  for (const StructurallyDampedMode& mode : solved.modes.modes)
    BOOST_TEST(take_nearest(expected, mode.mode.eigenvalue) < 1e-12);
  BOOST_TEST(solved.modes.unphysical.size() == 4u);
}

BOOST_AUTO_TEST_CASE(rigid_motions_and_real_relaxations_are_listed_once) {
  // Two masses joined by a lossy spring, and a damper on an elastic spring.
  ComplexSystem system{{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)},
                       MultiVector::Zero(3, 3),
                       MultiVector::Zero(3, 3)};
  system.real.M.diagonal() << 1, 1, 0;
  system.real.C(2, 2) = 2;
  system.real.K << 8, -8, 0, -8, 8, 0, 0, 0, 6;
  system.K_i.topLeftCorner(2, 2) << 2, -2, -2, 2;
  const Solved solved(system);
  std::vector<double> frequencies;
  Index n_zero = 0, n_relaxing = 0;
  for (const StructurallyDampedMode& mode : solved.modes.modes) {
    n_zero += mode.mode.kind == ModeKind::zero ? 1 : 0;
    n_relaxing += mode.mode.kind == ModeKind::relaxing ? 1 : 0;
    if (mode.mode.kind == ModeKind::relaxing) BOOST_TEST(std::abs(mode.mode.eigenvalue + 3.) < 1e-12);
  }
  BOOST_TEST(n_zero == 2);
  BOOST_TEST(n_relaxing == 1);
  BOOST_TEST(solved.modes.modes.size() == 4u);
  std::ostringstream text;
  solved.modes.print(text);
  BOOST_TEST(text.str().find("4 modes of D") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_relaxation_with_structural_damping_is_unphysical) {
  ComplexSystem system{{MultiVector::Zero(1, 1), MultiVector::Ones(1, 1), MultiVector::Ones(1, 1)},
                       MultiVector::Zero(1, 1),
                       MultiVector::Constant(1, 1, 0.1)};
  const Solved solved(system);
  BOOST_TEST(solved.modes.modes.empty());
  BOOST_TEST_REQUIRE(solved.modes.unphysical.size() == 1u);
  BOOST_TEST(std::abs(solved.modes.unphysical[0] + Complex(1, 0.1)) < 1e-14);
}

BOOST_AUTO_TEST_CASE(nearly_parallel_vectors_at_a_defective_eigenvalue_are_not_split) {
  // The complex stiffness k I + (i, 1; 1, -i) / 8 is a Jordan block with the vector (1; -i). Rounding splits
  // it into vectors that differ by the root of rounding.
  const MultiVector zero = MultiVector::Zero(2, 2);
  ComplexSystem system{{MultiVector::Identity(2, 2), zero, 4 * MultiVector::Identity(2, 2)},
                       zero,
                       MultiVector::Identity(2, 2)};
  system.real.K(0, 1) = system.real.K(1, 0) = 0.125;
  system.K_i.diagonal() << 1.125, 0.875;
  const Complex exact = Complex(0, 1) * std::sqrt(Complex(4, 1));
  // The invariant subspace is computed without eigenvectors, and holds both copies.
  const Solved solved(system);
  BOOST_TEST_REQUIRE(solved.modes.modes.size() == 2u);
  BOOST_TEST(solved.modes.unphysical.size() == 2u);
  for (const StructurallyDampedMode& mode : solved.modes.modes)
    BOOST_TEST(std::abs(mode.mode.eigenvalue - exact) < 1e-7);
  const Complex i(0, 1);
  for (const double distance : {0., 1e-12, 1e-9, 3e-8, 1e-3}) {
    ComplexMultiVector X(4, 2);
    X.col(0) << 1., -i, -i, -1.;  // (x; -i x)
    X.col(1) = X.col(0);
    X.col(1).head(2) += distance * ComplexVector::Unit(2, 1);
    X.col(1).tail(2) -= i * distance * ComplexVector::Unit(2, 1);
    ComplexVector values(2);
    values << exact, exact * (1 + 0.1 * distance);
    const auto parts = internal::split_subspace(solved.system, X, ComplexMultiVector(values.asDiagonal()));
    BOOST_TEST(parts.has_value() == (distance > 1e-6), distance);
    if (parts) BOOST_TEST(parts->of_complex_system.cols() == 2);
  }
}

BOOST_AUTO_TEST_CASE(copies_of_real_eigenvalues_are_paired_with_their_neighbours) {
  const auto pairs_of = [](const std::vector<Complex>& values) {
    EigenpairResidual certain;
    certain.uncertainty = 0;
    return internal::structural_groups(values, std::vector<EigenpairResidual>(values.size(), certain)).real;
  };
  using Pairs = std::vector<std::vector<std::size_t>>;
  // Cut lists: one copy of the first, of the last, and of two equally far from the shift.
  BOOST_TEST((pairs_of({-1, -1, -2, -2, -3}) == Pairs{{4}, {2, 3}, {0, 1}}));
  BOOST_TEST((pairs_of({-3, -3, -2, -2, -1}) == Pairs{{0, 1}, {2, 3}, {4}}));
  BOOST_TEST((pairs_of({-2, -2, -3, -1}) == Pairs{{2}, {0, 1}, {3}}));
  // Four copies, three copies, and two eigenvalues that are neighbours.
  BOOST_TEST((pairs_of({-2, -2, -2, -2}) == Pairs{{0, 1}, {2, 3}}));
  BOOST_TEST(pairs_of({-2, -2, -2}).size() == 2u);
  BOOST_TEST((pairs_of({-2, -2, -2.000002}) == Pairs{{2}, {0, 1}}));
  BOOST_TEST((pairs_of({-2, -2, -1.999999}) == Pairs{{0, 1}, {2}}));
  BOOST_TEST((pairs_of({-1, -1, -1.000001, -1.000002, -1.000002}) == Pairs{{3, 4}, {2}, {0, 1}}));
}

BOOST_AUTO_TEST_CASE(relaxations_without_losses_are_listed_once_from_a_complex_shift) {
  const Index n = 7;
  const MultiVector zero = MultiVector::Zero(n, n);
  ComplexSystem system{{zero, MultiVector::Identity(n, n), zero}, zero, zero};
  for (Index j = 0; j < n; ++j)
    system.real.K(j, j) = static_cast<double>(j + 1);
  system.K_i(0, 0) = 0.5;
  const StructurallyDampedSystem<EigenEngine> both = structural(system);
  const ReducedSystem<EigenEngine> reduced = reduce(both);
  ComparisonOptions options;
  options.shift = Complex(-1, 3);
  // By distance: -1 + 0.5i, -2, -2, -1 - 0.5i, -3, -3, -4, -4, ...
  for (const auto& [k, n_modes] :
       {std::pair<Index, std::size_t>{1, 0}, {2, 1}, {3, 1}, {4, 1}, {5, 2}, {7, 3}, {8, 3}}) {
    const StructurallyDampedModes modes =
        structurally_damped_modes(both, reduced, compare_spectra(reduced, k, options));
    BOOST_TEST_REQUIRE(modes.modes.size() == n_modes);
    for (std::size_t j = 0; j < modes.modes.size(); ++j)
      BOOST_TEST(std::abs(modes.modes[j].mode.eigenvalue + static_cast<double>(j + 2)) < 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(lists_grow_until_they_have_enough_or_all) {
  const auto lengths = [](Complex shift, GlobalIndex n_states, Index enough) {
    std::vector<Index> all;
    const Index last = internal::list_with_modes(
        80, shift, n_states,
        [&](Index k) {
          all.push_back(k);
          return k;
        },
        [&](Index list, Index k) { return list == k && k >= enough; });
    BOOST_TEST(last == all.back());
    return all;
  };
  BOOST_TEST((lengths(0, 2000, 320) == std::vector<Index>{320}));
  BOOST_TEST((lengths(3, 2000, 700) == std::vector<Index>{320, 480, 720}));
  BOOST_TEST((lengths(Complex(0, 1), 2000, 200) == std::vector<Index>{160, 240}));
  BOOST_TEST((lengths(3, 400, 5000) == std::vector<Index>{320, 400}));
}

BOOST_AUTO_TEST_CASE(a_chain_with_a_uniform_loss_factor_has_this_loss_factor_in_all_modes) {
  // Larger than the systems whose eigenvalues are computed exactly; searched, and every second mass is zero.
  const Index n = 240;
  const double eta = 0.03;
  SystemDescription<EigenEngine> description;
  EigenMatrix::Storage M(n, n), K(n, n);
  for (Index i = 0; i < n; ++i) {
    if (i % 2 == 0) M.insert(i, i) = 1;
    K.insert(i, i) = 2;
    if (i > 0) K.insert(i, i - 1) = -1;
    if (i + 1 < n) K.insert(i, i + 1) = -1;
  }
  M.makeCompressed();
  K.makeCompressed();
  description.mass = EigenMatrix(M);
  description.stiffness = EigenMatrix(K);
  const StructurallyDampedSystem<EigenEngine> system(description,
                                                     {EigenMatrix(EigenMatrix::Storage(eta * K)), {}});
  const ReducedSystem<EigenEngine> reduced = reduce(system);
  const SpectrumComparison comparison = compare_spectra(reduced, 20);
  BOOST_TEST(comparison.passed);
  const StructurallyDampedModes modes = structurally_damped_modes(system, reduced, comparison);
  BOOST_TEST(modes.modes.size() == 5u);
  BOOST_TEST(modes.unphysical.size() == 5u);
  // Without the massless nodes: masses 1 between springs 1/2, the last one between 1/2 and 1/2.
  const ReducedSystem<EigenEngine> elastic = reduce(AssembledSystem<EigenEngine>(description));
  const SpectrumComparison undamped = compare_spectra(elastic, 10);
  for (std::size_t j = 0; j < modes.modes.size(); ++j) {
    BOOST_TEST(std::abs(modes.modes[j].loss_factor - eta) < 1e-9 * eta);
    const double omega = std::abs(undamped.after.finite[2 * j]);
    const Complex expected = Complex(0, omega) * std::sqrt(Complex(1, eta));
    BOOST_TEST(std::abs(modes.modes[j].mode.eigenvalue - expected) < 1e-9 * omega);
  }
}

BOOST_AUTO_TEST_CASE(responses_are_those_of_a_dense_complex_solve) {
  const std::vector<double> frequencies{0, 0.05, 0.3, 2};
  for (const ComplexSystem& system : {with_loss_factors(random_unsymmetric(3, 2, 2, 1), 1),
                                      with_loss_factors(random_symmetric(2, 2, 3, 2), 2)}) {
    const StructurallyDampedSystem<EigenEngine> both = structural(system);
    const std::vector<GlobalIndex> all{0, 1, 2, 3, 4, 5, 6};
    const FrequencyResponse H = frequency_response(both, reduce(both), frequencies, all, displacements(all));
    for (std::size_t k = 0; k < frequencies.size(); ++k) {
      const ComplexMultiVector expected = system.D(Complex(0, two_pi * frequencies[k])).inverse();
      BOOST_TEST((H.before[k] - expected).norm() < 1e-10 * expected.norm());
      BOOST_TEST((H.after[k] - expected).norm() < 1e-10 * expected.norm());
    }
    BOOST_TEST(H.max_relative_difference < 1e-10);
    BOOST_TEST(H.outputs.size() == all.size());
  }
}

BOOST_AUTO_TEST_CASE(responses_need_positive_frequencies_and_dofs_of_the_application) {
  const StructurallyDampedSystem<EigenEngine> system = structural(SpringsInSeries().system());
  const ReducedSystem<EigenEngine> reduced = reduce(system);
  BOOST_CHECK_THROW(frequency_response(system, reduced, {-1}, {0}, displacements({0})), InvalidInput);
  BOOST_CHECK_THROW(frequency_response(system, reduced, {1}, {2}, displacements({0})), InvalidInput);
  BOOST_CHECK_THROW(frequency_response(system, reduced, {1}, {0}, displacements({3})), InvalidInput);
}

BOOST_AUTO_TEST_CASE(the_loss_factor_is_that_of_the_squared_eigenvalue) {
  for (const double eta : {1e-9, 0.02, 0.5, 3.}) {
    const Complex lambda = Complex(0, 7) * std::sqrt(Complex(1, eta));
    BOOST_TEST(std::abs(loss_factor(lambda) - eta) < 1e-14 * (1 + eta) / 1e-1);
  }
  BOOST_TEST(std::isnan(loss_factor(Complex(-2, 1))));
}

BOOST_AUTO_TEST_SUITE_END()
