// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/reduction/dense_form.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/dense_spectrum.h>
#include <halfdof/spectrum/frequency_response.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include "random_systems.h"
#include "spectrum/spectra.h"
#include "systems.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

ReducedSystem<TrilinosEngine> reduced(const DenseSystem& system, Layout layout) {
  const Partition dofs = partition(system.size(), layout);
  return reduce(assembled_system<TrilinosEngine>(with_stored_zeros(system.M, dofs),
                                                 with_stored_zeros(system.C, dofs),
                                                 with_stored_zeros(system.K, dofs)));
}

DenseSystem dense(const SparseSystem& system) {
  return {MultiVector(system.M()), MultiVector(system.C()), MultiVector(system.K())};
}

/// Whether the two lists hold the same values; the first one may be longer.
bool holds(const std::vector<Complex>& all, const std::vector<Complex>& some, double tolerance) {
  return std::all_of(some.begin(), some.end(), [&](Complex value) {
    return std::any_of(all.begin(), all.end(), [&](Complex other) {
      return std::abs(value - other) <= tolerance * std::max(1., std::abs(value));
    });
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distributed_spectrum)

BOOST_AUTO_TEST_CASE(both_engines_give_the_same_numbers) {
  const DenseSystem unsymmetric = random_unsymmetric(8, 5, 4, 2), symmetric = random_symmetric(8, 5, 4, 2);
  const Vector r = RandomNumbers(5).matrix(17, 1);
  const std::vector<GlobalIndex> inputs{0, 7}, outputs{3, 16};
  for (const DenseSystem* system : {&unsymmetric, &symmetric})
    for (const Complex shift : {Complex(0.1), Complex(-0.2, 0.6)}) {
      const auto one = reduce(assemble<EigenEngine>(*system));
      const NearestEigenvalues expected = nearest_eigenvalues(one, 5, shift);
      const std::vector<Complex> expected_before = nearest_assembled_eigenvalues(one, 5, shift).eigenvalues;
      const ModeTable expected_table = mode_table(one, expected, {{"r", r}});
      const FrequencyResponse expected_H =
          frequency_response(one, {0.05, 0.4}, inputs, displacements(outputs));
      for (const Layout layout : all_layouts) {
        const auto many = reduced(*system, layout);
        const NearestEigenvalues found = nearest_eigenvalues(many, 5, shift);
        BOOST_TEST(farthest(found.eigenvalues, expected.eigenvalues) < 1e-10);
        BOOST_TEST(farthest(nearest_assembled_eigenvalues(many, 5, shift).eigenvalues, expected_before) <
                   1e-10);
        BOOST_TEST(compare_all(many).passed);
        const ModeTable table = mode_table(many, found, {{"r", local(r, many.assembled().dofs())}});
        BOOST_TEST(std::abs(table.total_mass[0] - expected_table.total_mass[0]) < 1e-10);
        BOOST_TEST((table.effective_mass - expected_table.effective_mass).norm() <
                   1e-10 * expected_table.effective_mass.norm());
        const FrequencyResponse H = frequency_response(many, {0.05, 0.4}, inputs, displacements(outputs));
        for (const std::size_t k : {0u, 1u}) {
          BOOST_TEST((H.before[k] - expected_H.before[k]).norm() < 1e-10 * expected_H.before[k].norm());
          BOOST_TEST((H.after[k] - expected_H.after[k]).norm() < 1e-10 * expected_H.after[k].norm());
        }
      }
    }
}

BOOST_AUTO_TEST_CASE(counts_do_not_depend_on_the_distribution) {
  for (const bool symmetric : {true, false}) {
    const DenseSystem system = symmetric ? random_symmetric(8, 5, 4, 2) : random_unsymmetric(8, 5, 4, 2);
    const auto one = reduce(assemble<EigenEngine>(system));
    for (const Rim& rim : {Rim{0., 0.9}, Rim{Complex(-0.3, 0.4), 0.5}}) {
      const EigenvalueCount expected = count_inside(one, rim);
      BOOST_REQUIRE(expected.n.has_value());
      for (const Layout layout : all_layouts) {
        const auto many = reduced(system, layout);
        BOOST_TEST(count_inside(many, rim).n.value_or(-1) == *expected.n);
        const NearestEigenvalues list = nearest_eigenvalues(many, 5, 0.1);
        BOOST_TEST(certify(many, list.eigenvalues, list.shift).is_complete());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(units_of_algebraic_dofs_do_not_change_eigenvalues) {
  const auto frequency_of = [](double unit, Layout layout) {
    return nearest_eigenvalues(reduced(dense(piezoelectric_chain(30, unit, true)), layout), 4).eigenvalues;
  };
  for (const Layout layout : all_layouts)
    for (const double unit : {1e-9, 1e9})
      BOOST_TEST(farthest(frequency_of(unit, layout), frequency_of(1, layout)) < 1e-9);
}

BOOST_AUTO_TEST_CASE(known_spectra_are_kept_on_any_distribution) {
  for (const Layout layout : all_layouts) {
    for (const auto& [system, expected] : {std::pair(engine_mount(), engine_mount_eigenvalues()),
                                           {three_kinds(), three_kinds_eigenvalues()}}) {
      const auto small = reduced(system, layout);
      for (const SpectrumComparison& spectra : {compare_all(small), compare_spectra(small, 4)}) {
        BOOST_TEST(spectra.passed);
        BOOST_TEST(spectra.before.n_infinite == 6 - small.n_states());
        BOOST_TEST(farthest(spectra.before.finite, expected) < 1e-11);
        BOOST_TEST(farthest(spectra.after.finite, expected) < 1e-11);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(random_unsymmetric_systems_keep_their_spectra) {
  const DenseSystem system = random_unsymmetric(25, 20, 15, 1);
  const std::vector<Complex> all = eigenvalues(dense_state_matrix_of(system));
  for (const Layout layout : all_layouts) {
    const auto large = reduced(system, layout);
    BOOST_TEST(compare_all(large).passed);
    for (const Complex shift : {Complex(0.3), Complex(0.1, 0.8)}) {
      ComparisonOptions options;
      options.shift = shift;
      const SpectrumComparison spectra = compare_spectra(large, 6, options);
      BOOST_TEST(spectra.passed);
      BOOST_TEST(holds(all, spectra.after.finite, 1e-9));
      BOOST_TEST(holds(all, spectra.before.finite, 1e-9));
    }
  }
}

BOOST_AUTO_TEST_CASE(equal_chains_have_every_eigenvalue_twice) {
  constexpr Index n = 40;
  SparseSystem chains(2 * n);
  add_chain(chains, 0, n, 100);
  add_chain(chains, n, n, 100);
  std::vector<Complex> expected;
  for (const Index j : {1, 1, 2, 2, 3, 3})
    for (const double sign : {1., -1.})
      expected.emplace_back(0, sign * chain_frequency(j, n, 100));
  for (const Layout layout : all_layouts) {
    const NearestEigenvalues found = nearest_eigenvalues(reduced(dense(chains), layout), 12);
    BOOST_TEST(farthest(found.eigenvalues, expected) < 1e-10);
  }
}

BOOST_AUTO_TEST_CASE(rigid_bodies_have_exact_zeros_and_all_their_mass_there) {
  const DenseSystem beam = dense(lattice_beam(6, false));
  for (const Layout layout : all_layouts) {
    const auto system = reduced(beam, layout);
    const SpectrumComparison spectra = compare_spectra(system, 16);
    BOOST_TEST(spectra.passed);
    BOOST_TEST(std::count(spectra.after.finite.begin(), spectra.after.finite.end(), 0.) == 12);

    Vector x = Vector::Zero(beam.size());
    for (Index i = 0; i < beam.size(); i += 3)
      x[i] = 1;
    const ModeTable table =
        mode_table(system, nearest_eigenvalues(system, 12), {{"x", local(x, system.assembled().dofs())}});
    BOOST_TEST(table.total_mass[0] == 28);
    BOOST_TEST(std::abs(table.effective_mass.sum() - 28) < 1e-5);
  }
}

BOOST_AUTO_TEST_CASE(shapes_are_normalized_alike_on_any_distribution) {
  const DenseSystem system = random_unsymmetric(8, 5, 4, 2);
  const NearestEigenvalues first = nearest_eigenvalues(reduced(system, Layout::one_process), 5, 0.1);
  const MultiVector whole_real =
      gather_rows(partition(system.size(), Layout::one_process), first.shapes.real());
  for (const Layout layout : all_layouts) {
    const NearestEigenvalues found = nearest_eigenvalues(reduced(system, layout), 5, 0.1);
    BOOST_TEST(farthest(found.eigenvalues, first.eigenvalues) < 1e-10);
    BOOST_TEST(error_of(found.shapes.real(), whole_real, partition(system.size(), layout)) < 1e-8);
  }
}

BOOST_AUTO_TEST_CASE(harmonic_forces_give_the_dense_response_on_every_process) {
  const DenseSystem system = random_unsymmetric(3, 2, 2, 3);
  std::vector<GlobalIndex> all(7);
  std::iota(all.begin(), all.end(), 0);
  constexpr double frequency = 0.3;
  const Complex s(0, 2 * 3.14159265358979323846 * frequency);
  const ComplexMultiVector expected =
      ComplexMultiVector(s * s * system.M + s * system.C + system.K.cast<Complex>()).inverse();
  for (const Layout layout : all_layouts) {
    const FrequencyResponse H =
        frequency_response(reduced(system, layout), {frequency}, all, displacements(all));
    BOOST_TEST((H.before[0] - expected).norm() < 1e-10 * expected.norm());
    BOOST_TEST((H.after[0] - expected).norm() < 1e-10 * expected.norm());
  }
}

BOOST_AUTO_TEST_SUITE_END()
