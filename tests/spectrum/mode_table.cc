// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include "spectrum/spectra.h"
#include <cmath>
#include <sstream>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

/// With components "x", "y", "z" in turn.
ReducedSystem<EigenEngine> labelled(const SparseSystem& system) {
  SystemDescription<EigenEngine> description;
  description.mass = EigenMatrix(system.M());
  description.damping = EigenMatrix(system.C());
  description.stiffness = EigenMatrix(system.K());
  description.labels.component_names = {"x", "y", "z"};
  for (Index i = 0; i < system.size(); ++i)
    description.labels.component.push_back(i % 3);
  return reduce(AssembledSystem<EigenEngine>(description));
}

/// A mass along x, held by two springs; what is between them moves along y, without mass.
ReducedSystem<EigenEngine> mass_along_x() {
  SparseSystem system(2);
  system.add_mass(0, 2);
  system.add_spring(0, 1, 3);
  system.add_spring(1, 1);
  return labelled(system);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(modes)

BOOST_AUTO_TEST_CASE(an_eigenvalue_means_frequency_and_damping) {
  const Mode mode = mode_of({-3, -4});
  BOOST_TEST((mode.kind == ModeKind::oscillating));
  BOOST_TEST((mode.eigenvalue == Complex(-3, 4)));
  BOOST_TEST(std::abs(mode.frequency - 0.6366197723675814) < 1e-15);          // 4 / 2 pi
  BOOST_TEST(std::abs(mode.natural_frequency - 0.7957747154594768) < 1e-15);  // 5 / 2 pi
  BOOST_TEST(std::abs(mode.damping_ratio - 0.6) < 1e-15);
}

BOOST_AUTO_TEST_CASE(real_eigenvalues_relax_grow_or_rest) {
  BOOST_TEST((mode_of(-2).kind == ModeKind::relaxing));
  BOOST_TEST(mode_of(-2).damping_ratio == 1);
  BOOST_TEST(mode_of(-2).frequency == 0);
  BOOST_TEST((mode_of(2).kind == ModeKind::growing));
  BOOST_TEST((mode_of(0).kind == ModeKind::zero));
  BOOST_TEST(mode_of(0).damping_ratio == 0);
}

BOOST_AUTO_TEST_CASE(undamped_effective_masses_are_those_of_the_textbook) {
  // (phi^T M r)^2 / (phi^T M phi) with real modes of the lattice; bending modes come twice and share theirs.
  const SparseSystem beam = lattice_beam(3, true);
  const auto system = labelled(beam);
  const auto n_states = static_cast<Index>(system.n_states());
  const ModeTable table = mode_table(system, nearest_eigenvalues(system, n_states));
  BOOST_TEST(table.modes.size() == static_cast<std::size_t>(beam.size()));

  const SymmetricEigenpairs modes = symmetric_eigenpairs(MultiVector(beam.K()));
  for (Index d = 0; d < 3; ++d) {
    Vector r = Vector::Zero(beam.size());
    for (Index i = d; i < beam.size(); i += 3)
      r[i] = 1;
    double expected = 0, found = 0;
    for (Index j = 0; j < beam.size(); ++j) {
      const double participation = modes.vectors.col(j).dot(r);  // unit masses
      expected += participation * participation;
      found += table.effective_mass(j, d);
      const bool next_is_distinct =
          j + 1 == beam.size() || modes.values[j + 1] - modes.values[j] > 1e-6 * modes.values[j];
      if (next_is_distinct) BOOST_TEST(std::abs(found - expected) < 1e-8 * r.sum());
    }
    BOOST_TEST(std::abs(table.total_mass[static_cast<std::size_t>(d)] - r.sum()) < 1e-12);
    BOOST_TEST(std::abs(found - r.sum()) < 1e-8 * r.sum());
  }
}

BOOST_AUTO_TEST_CASE(copies_that_share_one_vector_share_the_mass_of_their_space) {
  // Three masses that float together, and a mass with critical damping: chains of two vectors with one
  // eigenvector.
  SparseSystem floating(3), critical(1);
  for (Index i = 0; i < 3; ++i)
    floating.add_mass(i, 1. + i % 2);
  floating.add_spring(0, 1, 3);
  floating.add_spring(1, 2, 4);
  critical.add_mass(0, 1);
  critical.add_damper(0, 2);
  critical.add_spring(0, 1);
  for (const SparseSystem* const system : {&floating, &critical}) {
    SystemDescription<EigenEngine> description;
    description.mass = EigenMatrix(system->M());
    description.damping = EigenMatrix(system->C());
    description.stiffness = EigenMatrix(system->K());
    description.labels.component_names = {"x"};
    description.labels.component.assign(static_cast<std::size_t>(system->size()), 0);
    const auto reduced = reduce(AssembledSystem<EigenEngine>(description));
    const ModeTable table = mode_table(reduced, nearest_eigenvalues(reduced, 2));
    BOOST_REQUIRE(table.modes.size() == 2u);
    for (Index j = 0; j < 2; ++j)
      BOOST_TEST(std::abs(table.effective_mass(j, 0) - table.total_mass[0] / 2) < 1e-7 * table.total_mass[0]);
  }
}

BOOST_AUTO_TEST_CASE(a_rigid_body_has_all_its_mass_in_the_zeros) {
  const auto system = labelled(lattice_beam(3, false));
  const ModeTable table = mode_table(system, nearest_eigenvalues(system, 12));
  for (Index d = 0; d < 3; ++d) {
    const double total = table.total_mass[static_cast<std::size_t>(d)];
    BOOST_TEST(total == 16);
    BOOST_TEST(std::abs(table.effective_mass.col(d).sum() - total) < 1e-6 * total);
  }
}

BOOST_AUTO_TEST_CASE(damped_unsymmetric_masses_add_up_to_the_total) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const DenseSystem dense = random_unsymmetric(5, 4, 3, seed);
    const auto system = reduce(assemble<EigenEngine>(dense));
    const Vector r = RandomNumbers(seed).matrix(12, 1);
    const ModeTable table = mode_table(system, nearest_eigenvalues(system, 14, 0.3), {{"r", r}});
    const double total = r.dot(dense.M * r);
    BOOST_TEST(std::abs(table.total_mass[0] - total) < 1e-13);
    BOOST_TEST(std::abs(table.effective_mass.sum() - total) < 1e-8 * table.effective_mass.cwiseAbs().sum());
  }
}

BOOST_AUTO_TEST_CASE(left_vectors_of_symmetric_and_of_transposed_matrices_give_the_same) {
  // An entry beyond the tolerance for symmetry, but far below what the masses feel, sends the same system
  // through the transposed iteration.
  const DenseSystem symmetric = random_symmetric(4, 3, 2, 5);
  DenseSystem nearly = symmetric;
  nearly.K(0, 1) *= 1 + 1e-10;
  const Vector r = Vector::Ones(9);
  const auto masses_of = [&](const DenseSystem& dense, Complex sigma) {
    const auto system = reduce(assemble<EigenEngine>(dense));
    return mode_table(system, nearest_eigenvalues(system, 6, sigma), {{"r", r}}).effective_mass;
  };
  for (const Complex sigma : {Complex(0.1), Complex(-0.2, 0.6)}) {
    const MultiVector expected = masses_of(symmetric, sigma), found = masses_of(nearly, sigma);
    BOOST_TEST((found - expected).norm() < 1e-6 * expected.norm());
  }
}

BOOST_AUTO_TEST_CASE(the_table_shows_percents_of_the_total) {
  const auto system = labelled(lattice_beam(3, true));
  std::ostringstream out;
  mode_table(system, nearest_eigenvalues(system, 4)).print(out);
  BOOST_TEST(out.str().find("mass x [%]") != std::string::npos);
  BOOST_TEST(out.str().find("oscillating") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_direction_without_mass_has_dashes) {
  const auto reduced = mass_along_x();
  std::ostringstream out;
  mode_table(reduced, nearest_eigenvalues(reduced, 2), {{"y", Vector::Unit(2, 1)}}).print(out);
  BOOST_TEST(out.str().find("nan") == std::string::npos);
  BOOST_TEST(out.str().find("-\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(components_without_mass_are_left_out) {
  const std::vector<MassDirection> directions = component_directions(mass_along_x().assembled());
  BOOST_TEST_REQUIRE(directions.size() == 1u);
  BOOST_TEST(directions[0].name == "x");
}

BOOST_AUTO_TEST_SUITE_END()
