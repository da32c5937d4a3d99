#include <halfdof/reduction/explicit_forms.h>
#include <halfdof/spectrum/dense_spectrum.h>
#include <halfdof/spectrum/eigenmodes.h>
#include <halfdof/spectrum/polish.h>

#include <boost/test/unit_test.hpp>

#include "spectrum/reduced.h"
#include <algorithm>
#include <cmath>

using namespace halfdof;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(completed_modes)

// Modes are completed a few at a time, those with zeros last.
BOOST_AUTO_TEST_CASE(each_mode_is_what_it_is_alone) {
  SparseSystem chain(9);
  for (Index i = 0; i < 9; ++i) {
    chain.add_mass(i, 1 + 0.1 * i);
    if (i == 4) continue;  // rests wherever it is
    chain.add_spring(i, 1. + i * i);
    chain.add_damper(i, 0.1);
  }
  const auto system = reduced(chain);
  const TermScales<EigenEngine> scales(system.free());
  DenseEigenpairs pairs = eigenpairs(dense_state_matrix(system));
  // Zeros beside others.
  std::reverse(pairs.values.begin(), pairs.values.end());
  pairs.vectors = pairs.vectors.rowwise().reverse().eval();
  // Spoilt, each by as much as its conjugate, so that residuals are none that others have.
  for (std::size_t j = 0; j < pairs.values.size(); ++j)
    if (std::abs(pairs.values[j]) > 1e-3)
      pairs.vectors.col(static_cast<Index>(j)).array() += 1e-7 * std::abs(pairs.values[j]);
  const Eigenmodes all = eigenmodes(system, scales, pairs.values, pairs.vectors);
  BOOST_TEST(std::count(all.eigenvalues.begin(), all.eigenvalues.end(), Complex(0)) == 2);
  for (std::size_t j = 0; j < pairs.values.size(); ++j) {
    const auto column = static_cast<Index>(j);
    const Eigenmodes one =
        eigenmodes(system, scales, {pairs.values[j]}, ComplexMultiVector(pairs.vectors.col(column)));
    BOOST_TEST(all.eigenvalues[j] == one.eigenvalues[0]);
    BOOST_TEST((all.states.col(column) - one.states).norm() < 1e-14 * one.states.norm());
    BOOST_TEST((all.shapes.col(column) - one.shapes).norm() < 1e-14 * one.shapes.norm());
    const EigenpairResidual &residual = all.residuals[j], &alone = one.residuals[0];
    if (all.eigenvalues[j] == 0.) continue;
    BOOST_TEST(alone.reduced > 1e-8);
    for (const auto member :
         {&EigenpairResidual::assembled, &EigenpairResidual::reduced, &EigenpairResidual::backward})
      BOOST_TEST(std::abs(residual.*member - alone.*member) < 1e-6 * alone.*member);
  }
}

BOOST_AUTO_TEST_CASE(polishing_keeps_to_its_own_eigenvalue) {
  // Relaxations at 20, at its neighbour in 1e-5 to the right, and far away; vectors spoilt by the far one.
  SparseSystem creep(3);
  const double rates[] = {20, 20 * (1 - 1e-5), 1000};
  for (const Index i : {0, 1, 2}) {
    creep.add_damper(i, 1);
    creep.add_spring(i, rates[i]);
  }
  const auto system = reduced(creep);
  const TermScales<EigenEngine> scales(system.free());
  const std::vector<Complex> values{-rates[0], -rates[1]};
  ComplexMultiVector spoilt = ComplexMultiVector::Identity(3, 2);
  spoilt.row(2).setConstant(1e-6);
  const Eigenmodes modes = polished(system, scales, values, eigenmodes(system, scales, values, spoilt));
  for (Index j = 0; j < 2; ++j) {
    BOOST_TEST(modes.residuals[static_cast<std::size_t>(j)].reduced < 1e-9);
    BOOST_TEST(std::abs(modes.states(1 - j, j)) < 1e-9);
    BOOST_TEST(std::abs(modes.states(j, j) - 1.) < 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(polishing_never_makes_a_vector_worse) {
  // Two modes so close that the shift beside the first is nearer to the second: what comes out of the
  // iteration would be the second one's vector. And an eigenvalue on the shift itself.
  SparseSystem oscillators(3);
  const Complex lambda(0, 3);
  for (const Index i : {0, 1, 2}) {
    oscillators.add_mass(i, 1);
    oscillators.add_spring(i, i == 2 ? 1e6 : 9);
  }
  // (lambda + 1e-5 |lambda|)^2 + 2 a lambda + 9 (1 + 1e-10) = 0 at the shift: a damper of negative rate.
  oscillators.add_damper(1, -2 * 3e-5);
  oscillators.add_spring(1, 9e-10);
  const auto system = reduced(oscillators);
  const TermScales<EigenEngine> scales(system.free());
  ComplexMultiVector spoilt = ComplexMultiVector::Zero(6, 1);
  spoilt(0, 0) = 1;
  spoilt(3, 0) = lambda;
  spoilt(2, 0) = 1e-12;
  const Eigenmodes before = eigenmodes(system, scales, {lambda}, spoilt);
  BOOST_TEST(before.residuals[0].reduced > 1e-9);
  const Eigenmodes after = polished(system, scales, {lambda}, before);
  BOOST_TEST(after.residuals[0].reduced <= before.residuals[0].reduced);
  BOOST_TEST(std::abs(after.states(1, 0)) < 1e-9);
}

BOOST_AUTO_TEST_SUITE_END()
