// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/structural_damping.h>
#include <halfdof/diagnosis/structural_reduction.h>
#include <halfdof/parameters/parametric_system.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/structurally_damped_modes.h>

#include <boost/test/unit_test.hpp>

#include "complex_systems.h"
#include "random_systems.h"
#include "spectrum/spectra.h"
#include <string>
#include <vector>

using namespace halfdof;
using namespace halfdof::test;

namespace {

SystemDescription<TrilinosEngine> described(const DenseSystem& system, const Partition& dofs) {
  SystemDescription<TrilinosEngine> description;
  description.mass = with_stored_zeros(system.M, dofs);
  description.damping = with_stored_zeros(system.C, dofs);
  description.stiffness = with_stored_zeros(system.K, dofs);
  return description;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distributed_parametric_and_structurally_damped_systems)

// Every eigenvalue of D is a mode, or has Im lambda < 0 and no physical meaning.
BOOST_AUTO_TEST_CASE(modes_with_structural_damping_are_eigenvalues_of_the_complex_matrices) {
  const DenseSystem unsymmetric = random_unsymmetric(4, 2, 2, 2), symmetric = random_symmetric(4, 2, 2, 2);
  for (const DenseSystem* real : {&unsymmetric, &symmetric}) {
    const ComplexSystem complex = with_loss_factors(*real, 3);
    const auto reduced_on_one = reduce(structural(complex));
    const auto n_finite = static_cast<Index>(reduced_on_one.n_states()) / 2;
    const std::vector<Complex> expected = companion_eigenvalues(complex, n_finite);
    for (const Layout layout : all_layouts) {
      const Partition dofs = partition(static_cast<int>(complex.size()), layout);
      const StructurallyDampedSystem<TrilinosEngine> system(
          described(*real, dofs),
          {with_stored_zeros(complex.K_i, dofs), with_stored_zeros(complex.C_i, dofs)});
      const auto reduced = reduce(system);
      const auto modes = structurally_damped_modes(system, reduced, compare_all(reduced));
      std::vector<Complex> found = modes.unphysical;
      for (std::size_t j = 0; j < modes.modes.size(); ++j) {
        const Complex value = modes.modes[j].mode.eigenvalue;
        found.push_back(value);
        const ComplexVector mine = modes.shapes.col(static_cast<Eigen::Index>(j));
        ComplexVector x(complex.size());
        x.real() = whole(MultiVector(mine.real()), dofs);
        x.imag() = whole(MultiVector(mine.imag()), dofs);
        if (value.imag() > 0) BOOST_TEST((complex.D(value) * x).norm() < 1e-8 * complex.D(value).norm());
      }
      BOOST_TEST(found.size() == expected.size());
      BOOST_TEST(farthest(found, expected) < 1e-8);
    }
  }
}

BOOST_AUTO_TEST_CASE(responses_with_structural_damping_are_those_of_the_complex_stiffness) {
  const ComplexSystem complex = with_loss_factors(random_symmetric(4, 2, 2, 5), 6);
  const std::vector<double> frequencies{0.02, 0.3};
  const MultiVector f = RandomNumbers(8).matrix(complex.size(), 2);
  for (const Layout layout : all_layouts) {
    const Partition dofs = partition(static_cast<int>(complex.size()), layout);
    const StructurallyDampedSystem<TrilinosEngine> system(
        described(complex.real, dofs),
        {with_stored_zeros(complex.K_i, dofs), with_stored_zeros(complex.C_i, dofs)});
    const FrequencyResponse found =
        frequency_response(system, reduce(system), frequencies, HarmonicLoads{local(f, dofs)},
                           {{OutputQuantity::displacement, Direction({{1, 1.}})},
                            {OutputQuantity::displacement, Direction({{0, 2.}, {7, -1.}})}});
    for (std::size_t k = 0; k < frequencies.size(); ++k) {
      const Complex s(0, 2 * 3.14159265358979323846 * frequencies[k]);
      const ComplexMultiVector q = complex.D(s).fullPivLu().solve(f.cast<Complex>());
      ComplexMultiVector expected(2, 2);
      expected << q.row(1), 2. * q.row(0) - q.row(7);
      for (const ComplexMultiVector& H : {found.before[k], found.after[k]})
        BOOST_TEST((H - expected).norm() < 1e-9 * expected.norm());
    }
  }
}

BOOST_AUTO_TEST_CASE(parametric_systems_have_the_spectra_of_their_sums) {
  const DenseSystem parts = random_unsymmetric(4, 2, 2, 9);
  const MultiVector G = RandomNumbers(10).matrix(parts.size(), parts.size());
  for (const Layout layout : all_layouts) {
    const Partition dofs = partition(static_cast<int>(parts.size()), layout);
    SystemDescription<TrilinosEngine> constant = described(parts, dofs);
    const ParametricSystem<TrilinosEngine> system(
        std::move(constant), {{}, {}, {{with_stored_zeros(G, dofs), ParameterFormula("0.1*omega^2")}}},
        {{"omega", 1.}});
    for (const double omega : {1., 0.4}) {
      const MultiVector K = parts.K + 0.1 * omega * omega * G;
      const auto expected = compare_all(reduce(assemble<EigenEngine>(DenseSystem{parts.M, parts.C, K})));
      const auto found = compare_all(reduce(system.at({{"omega", omega}})));
      BOOST_TEST(found.passed);
      BOOST_TEST(farthest(found.after.finite, expected.after.finite) < 1e-9);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
