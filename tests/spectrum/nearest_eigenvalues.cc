// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/reduction/state_space.h>
#include <halfdof/spectrum/dense_spectrum.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <boost/test/unit_test.hpp>

#include "spectrum/check_residuals.h"
#include "spectrum/reduced.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

/// The k values nearest to sigma, and the partners of complex ones.
std::vector<Complex> nearest_of(std::vector<Complex> all, Index k, Complex sigma) {
  std::stable_sort(all.begin(), all.end(),
                   [&](Complex a, Complex b) { return std::abs(a - sigma) < std::abs(b - sigma); });
  std::vector<Complex> result(all.begin(), all.begin() + std::min<Index>(k, static_cast<Index>(all.size())));
  const std::vector<Complex> nearest = result;
  for (const Complex& value : nearest)
    if (value.imag() != 0 && std::count(result.begin(), result.end(), std::conj(value)) <
                                 std::count(result.begin(), result.end(), value))
      result.push_back(std::conj(value));
  return result;
}

/// The first number, k or more, of nearest values behind which the next one is clearly farther: copies and
/// partners are not cut.
Index round_up_to_whole_pair(const std::vector<Complex>& all, Index k, Complex sigma) {
  std::vector<double> distances;
  for (const Complex value : all)
    distances.push_back(std::abs(value - sigma));
  std::sort(distances.begin(), distances.end());
  auto n = static_cast<std::size_t>(k);
  while (n < distances.size() && distances[n] < (1 + 1e-6) * distances[n - 1])
    ++n;
  return static_cast<Index>(n);
}

/// Against all eigenvalues of the dense A, before and after.
void check_nearest(const ReducedSystem<EigenEngine>& system, Index k, Complex sigma, double tolerance) {
  BOOST_TEST_CONTEXT("k = " << k << ", sigma = " << sigma) {
    const std::vector<Complex> expected = nearest_of(eigenvalues(dense_state_matrix(system)), k, sigma);
    const NearestEigenvalues after = nearest_eigenvalues(system, k, sigma);
    BOOST_TEST(farthest(after.eigenvalues, expected) < tolerance);
    BOOST_TEST(!after.shift_moved());
    // The basis is good to 1e-11 of its slowest mode; faster ones among the k are less so by their distance.
    check_residuals(after, 1e-9);
    const NearestAssembledEigenvalues before = nearest_assembled_eigenvalues(system, k, sigma);
    BOOST_TEST(farthest(before.eigenvalues, expected) < tolerance);
  }
}

/// Half DoFs on the lattice: a spring and a damper in series from each fourth displacement to the ground, and
/// a massless node between two springs at the tip.
SparseSystem damped_lattice(Index n_x) {
  const SparseSystem beam = lattice_beam(n_x, true);
  SparseSystem system(beam.size() + beam.size() / 4 + 1);
  const Eigen::SparseMatrix<double> M = beam.M(), K = beam.K();
  for (Index i = 0; i < beam.size(); ++i)
    system.add_mass(i, M.coeff(i, i));
  for (Index j = 0; j < K.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(K, j); entry; ++entry)
      system.add_stiffness(static_cast<Index>(entry.row()), j, entry.value());
  for (Index v = 0; v < beam.size() / 4; ++v) {
    system.add_spring(4 * v, beam.size() + v, 1e3);
    system.add_damper(beam.size() + v, 40 + v);
  }
  system.add_spring(beam.size() - 1, system.size() - 1, 200);
  system.add_spring(system.size() - 1, 300);
  return system;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nearest)

BOOST_AUTO_TEST_CASE(the_engine_mount_has_its_four_eigenvalues) {
  const auto mount = reduced(engine_mount());
  for (const Index k : {4, 9}) {
    BOOST_TEST(farthest(nearest_eigenvalues(mount, k).eigenvalues, engine_mount_eigenvalues()) < 1e-11);
    BOOST_TEST(farthest(nearest_assembled_eigenvalues(mount, k).eigenvalues, engine_mount_eigenvalues()) <
               1e-11);
  }
  check_residuals(nearest_eigenvalues(mount, 4), 1e-13);
}

BOOST_AUTO_TEST_CASE(unsymmetric_matrices_of_three_kinds_have_their_exact_eigenvalues) {
  const auto system = reduced(three_kinds());
  BOOST_TEST(farthest(nearest_eigenvalues(system, 3).eigenvalues, three_kinds_eigenvalues()) < 1e-13);
  check_residuals(nearest_eigenvalues(system, 3), 1e-13);
}

BOOST_AUTO_TEST_CASE(nearest_come_first_and_partners_stand_together) {
  const auto mount = reduced(engine_mount());
  const std::vector<Complex> found = nearest_eigenvalues(mount, 3).eigenvalues;
  BOOST_TEST_REQUIRE(found.size() == 4u);
  BOOST_TEST(std::abs(found[0] + 3.174193404469245) < 1e-12);
  BOOST_TEST(std::abs(found[1] + 8.779694309560127) < 1e-12);
  BOOST_TEST((found[2] == std::conj(found[3])));
  BOOST_TEST(nearest_eigenvalues(mount, 1).eigenvalues.size() == 1u);

  // Of a complex shift both partners come, the near one first.
  const std::vector<Complex> near_pair = nearest_eigenvalues(mount, 1, {0, -17}).eigenvalues;
  BOOST_TEST_REQUIRE(near_pair.size() == 2u);
  BOOST_TEST(near_pair[0].imag() < 0);
  BOOST_TEST((near_pair[1] == std::conj(near_pair[0])));
}

BOOST_AUTO_TEST_CASE(random_unsymmetric_systems_agree_with_the_dense_matrix) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const auto small = reduced(random_unsymmetric(4, 3, 2, seed));
    const auto large = reduced(random_unsymmetric(25, 20, 15, seed));
    for (const Complex sigma : {Complex(0.3), Complex(-1.5), Complex(0.1, 0.8), Complex(-2, -1)}) {
      check_nearest(small, 3, sigma, 1e-9);
      check_nearest(large, 6, sigma, 1e-9);
    }
  }
}

BOOST_AUTO_TEST_CASE(creep_statics_and_purely_inertial_systems_are_no_exception) {
  check_nearest(reduced(random_unsymmetric(0, 30, 10, 4)), 5, 0.2, 1e-9);  // N_I = 0
  check_nearest(reduced(random_unsymmetric(30, 0, 0, 5)), 5, 0.2, 1e-9);   // no half DoF
  const auto statics = reduced(random_unsymmetric(0, 0, 5, 6));            // N_s = 0
  BOOST_TEST(nearest_eigenvalues(statics, 5).eigenvalues.empty());
  BOOST_TEST(nearest_assembled_eigenvalues(statics, 5).eigenvalues.empty());
}

BOOST_AUTO_TEST_CASE(two_equal_uncoupled_chains_have_every_eigenvalue_twice) {
  constexpr Index n = 60;
  SparseSystem chains(2 * n);
  add_chain(chains, 0, n, 100);
  add_chain(chains, n, n, 100);
  const NearestEigenvalues found = nearest_eigenvalues(reduced(chains), 12);
  std::vector<Complex> expected;
  for (const Index j : {1, 1, 2, 2, 3, 3})
    for (const double sign : {1., -1.})
      expected.emplace_back(0, sign * chain_frequency(j, n, 100));
  BOOST_TEST(farthest(found.eigenvalues, expected) < 1e-11);
  check_residuals(found, 1e-9);

  // The two shapes of the first frequency are independent.
  const ComplexMultiVector first = found.shapes.leftCols(4);
  Eigen::ColPivHouseholderQR<ComplexMultiVector> basis(first);
  basis.setThreshold(1e-6);
  BOOST_TEST(basis.rank() == 2);
}

BOOST_AUTO_TEST_CASE(a_beam_of_square_section_bends_twice_in_every_mode) {
  const auto beam = reduced(lattice_beam(14, true));
  check_nearest(beam, 20, 0, 1e-11);
  check_nearest(beam, 10, {0, 12}, 1e-11);
}

BOOST_AUTO_TEST_CASE(half_degrees_of_freedom_on_a_lattice_do_not_disturb) {
  const auto lattice = reduced(damped_lattice(14));
  BOOST_TEST(lattice.classification().n_viscous() > 0);
  BOOST_TEST(lattice.classification().n_algebraic() == 1);
  check_nearest(lattice, 15, 0, 1e-11);
  check_nearest(lattice, 8, {-1, 30}, 1e-11);
}

BOOST_AUTO_TEST_CASE(relaxation_rates_are_found_with_a_shift_beside_them) {
  // 80 relaxations between -20 and -40, all within a narrow band about the real part of the shift: the real
  // part of the shifted inverse would miss them.
  constexpr Index n = 80;
  SparseSystem creep(n);
  for (Index i = 0; i < n; ++i) {
    creep.add_damper(i, 1);
    creep.add_spring(i, 20 + 20. * i / n);
  }
  const auto system = reduced(creep);
  for (const Complex sigma : {Complex(-30.1), Complex(-30.1, 0.5), Complex(-30.1, 4)}) {
    const std::vector<Complex> found = nearest_eigenvalues(system, 5, sigma).eigenvalues;
    BOOST_TEST(farthest(found, {-29.5, -29.75, -30., -30.25, -30.5}) < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(units_of_dofs_do_not_change_eigenvalues_nearest_zero) {
  // A clamped chain, its DoFs in units of 1e4 and 1e-4 in turn: q = u q'.
  constexpr Index n = 200;
  Eigen::SparseMatrix<double> U(n, n);
  for (Index i = 0; i < n; ++i)
    U.insert(i, i) = i % 2 == 0 ? 1e4 : 1e-4;
  SparseSystem chain(n);
  add_chain(chain, 0, n, 100);
  const auto in_units = [&](const Eigen::SparseMatrix<double>& A) {
    return EigenMatrix(Eigen::SparseMatrix<double>(U * A * U));
  };
  const auto system =
      reduce(assembled_system<EigenEngine>(in_units(chain.M()), in_units(chain.C()), in_units(chain.K())));
  const std::vector<Complex> found = nearest_eigenvalues(system, 12).eigenvalues,
                             plain = nearest_eigenvalues(reduced(chain), 12).eigenvalues;
  BOOST_TEST(farthest(found, plain) < 1e-9);
}

BOOST_AUTO_TEST_CASE(units_of_algebraic_dofs_do_not_change_eigenvalues) {
  // The potential condensed by hand: a spring of stiffness 1000 between the last two masses.
  constexpr Index n = 60;
  for (const bool clamped : {true, false}) {
    SparseSystem condensed = piezoelectric_chain(n, 1, clamped);
    condensed.add_spring(n - 1, n - 2, 1000);
    const MultiVector K = MultiVector(condensed.K()).topLeftCorner(n, n);
    const Vector squares = symmetric_eigenvalues(K);
    std::vector<Complex> expected;
    for (Index j = 0; j < 3; ++j)
      for (const double sign : {1., -1.})
        expected.emplace_back(0, !clamped && j == 0 ? 0. : sign * std::sqrt(squares[j]));
    for (const double unit : {1e-9, 1., 1e9}) {
      const auto chain = reduced(piezoelectric_chain(n, unit, clamped));
      BOOST_TEST(farthest(nearest_eigenvalues(chain, 6).eigenvalues, expected) < 1e-9);
      BOOST_TEST(farthest(nearest_assembled_eigenvalues(chain, 6).eigenvalues, expected) < 1e-9);
    }
  }
}

// From days to nanoseconds: the same eigenvalues, but for the unit.
BOOST_AUTO_TEST_CASE(the_unit_of_time_changes_nothing) {
  constexpr Index n = 300;
  const auto chain = [](double rate) {
    SparseSystem masses(n);
    for (Index i = 0; i < n; ++i) {
      masses.add_mass(i, 1e-3);
      masses.add_damper(i, 2e-5 * rate);
      if (i == 0)
        masses.add_spring(i, rate * rate);
      else
        masses.add_spring(i - 1, i, rate * rate);
    }
    return reduced(masses);
  };
  for (const Complex sigma : {Complex(0), Complex(0, 1)}) {
    const std::vector<Complex> expected = nearest_eigenvalues(chain(1), 8, sigma).eigenvalues;
    for (const double rate : {1e-9, 1e-5, 1e5, 1e10}) {
      NearestEigenvalues found = nearest_eigenvalues(chain(rate), 8, rate * sigma);
      for (Complex& value : found.eigenvalues)
        value /= rate;
      BOOST_TEST(farthest(found.eigenvalues, expected) < 1e-9);
      for (const EigenpairResidual& residual : found.residuals)
        BOOST_TEST(residual.backward < 1e-11);
    }
  }
}

// Rounding splits copies of a real eigenvalue into conjugates, beside the real axis by its root.
BOOST_AUTO_TEST_CASE(copies_of_real_eigenvalues_and_of_pairs_are_found_with_shapes_of_their_own) {
  constexpr Index n = 60;
  for (const Index n_copies : {2, 3, 5}) {
    SparseSystem chains(n * n_copies);
    for (Index copy = 0; copy < n_copies; ++copy)
      for (Index i = 0; i < n; ++i) {
        const Index dof = copy * n + i;
        chains.add_mass(dof, 1);
        chains.add_damper(dof, 0.3);
        if (i == 0)
          chains.add_spring(dof, 1);
        else
          chains.add_spring(dof - 1, dof, 1);
      }
    const auto system = reduced(chains);
    const std::vector<Complex> all = eigenvalues(dense_state_matrix(system));
    for (const Index at_least : {9, 15, 20})
      for (const Complex sigma : {Complex(0), Complex(-0.16), Complex(-0.1, 0.2)}) {
        const Index k = round_up_to_whole_pair(all, at_least, sigma);
        check_nearest(system, k, sigma, 1e-7);
        const NearestEigenvalues found = nearest_eigenvalues(system, k, sigma);
        const MultiVector shapes = found.states.real();
        const MultiVector parts =
            (MultiVector(shapes.rows(), 2 * shapes.cols()) << shapes, found.states.imag()).finished();
        const Vector singular = parts.jacobiSvd().singularValues();
        BOOST_TEST((singular.array() > 1e-6 * singular[0]).count() == shapes.cols());
      }
  }
}

BOOST_AUTO_TEST_CASE(a_shift_on_an_eigenvalue_of_a_small_system_is_none_of_its_troubles) {
  const auto mount = reduced(engine_mount());
  const NearestEigenvalues found = nearest_eigenvalues(mount, 2, -3.174193404469245);
  BOOST_TEST(!found.shift_moved());
  BOOST_TEST((found.completeness == Completeness::counted));
  BOOST_TEST(farthest(found.eigenvalues, {-3.174193404469245, -8.779694309560127}) < 1e-10);
}

BOOST_AUTO_TEST_CASE(a_shift_on_an_eigenvalue_is_moved_and_reported) {
  // Oscillators of 1, 2, ... 120 1/s: +-2i is one of the eigenvalues, and the nearest of a moved shift are
  // those of the one given.
  SparseSystem oscillators(120);
  for (Index i = 0; i < 120; ++i) {
    oscillators.add_mass(i, 1);
    oscillators.add_spring(i, (1. + i) * (1. + i));
  }
  const NearestEigenvalues resonant = nearest_eigenvalues(reduced(oscillators), 3, {0, 2});
  BOOST_TEST(resonant.shift_moved());
  BOOST_TEST(farthest(resonant.eigenvalues, {{0, 2}, {0, -2}, {0, 1}, {0, -1}, {0, 3}, {0, -3}}) < 1e-10);
}

BOOST_AUTO_TEST_CASE(what_is_nearest_to_zero_is_listed_though_the_shift_was_moved) {
  // A free mass, a relaxation of 0.9 and oscillators from 1 on: seen from a positive shift, +-i are nearer
  // than -0.9.
  SparseSystem system(60);
  system.add_mass(0, 1);
  system.add_damper(1, 1);
  system.add_spring(1, 0.9);
  for (Index i = 2; i < 60; ++i) {
    system.add_mass(i, 1);
    system.add_spring(i, (i - 1.) * (i - 1.));
  }
  const auto reduced_system = reduced(system);
  BOOST_TEST(farthest(nearest_eigenvalues(reduced_system, 3).eigenvalues, {0., 0., -0.9}) < 1e-10);
  BOOST_TEST(farthest(nearest_assembled_eigenvalues(reduced_system, 3).eigenvalues, {0., 0., -0.9}) < 1e-10);
}

BOOST_AUTO_TEST_CASE(shapes_hold_all_dofs_and_satisfy_the_assembled_equation) {
  const DenseSystem system = random_unsymmetric(5, 4, 3, 8);
  const NearestEigenvalues found = nearest_eigenvalues(reduced(system), 6, 0.1);
  BOOST_TEST(found.shapes.rows() == 12);
  for (Index j = 0; j < found.shapes.cols(); ++j) {
    const Complex lambda = found.eigenvalues[static_cast<std::size_t>(j)];
    const ComplexVector x = found.shapes.col(j);
    BOOST_TEST(((lambda * lambda * system.M + lambda * system.C + system.K) * x).norm() <
               1e-10 * (std::norm(lambda) + std::abs(lambda) + 1) * x.norm());
    BOOST_TEST(std::abs(x.cwiseAbs().maxCoeff() - 1) < 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(constrained_dofs_rest_in_every_shape) {
  SystemDescription<EigenEngine> description;
  const DenseSystem system = random_symmetric(4, 2, 2, 9);
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.constrained = {2, 5};
  const auto held = reduce(AssembledSystem<EigenEngine>(description));
  const NearestEigenvalues found = nearest_eigenvalues(held, 3);
  BOOST_TEST(found.shapes.rows() == 8);
  BOOST_TEST(found.shapes.row(2).norm() == 0);
  BOOST_TEST(found.shapes.row(5).norm() == 0);
  check_residuals(found, 1e-12);
}

BOOST_AUTO_TEST_CASE(no_eigenvalues_or_a_shift_that_is_not_finite_are_refused) {
  const auto mount = reduced(engine_mount());
  BOOST_CHECK_THROW(nearest_eigenvalues(mount, 0), InvalidInput);
  BOOST_CHECK_THROW(nearest_assembled_eigenvalues(mount, -1), InvalidInput);
  BOOST_CHECK_THROW(nearest_eigenvalues(mount, 2, std::numeric_limits<double>::quiet_NaN()), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
