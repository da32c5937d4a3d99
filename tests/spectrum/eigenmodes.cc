// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/reduction/state_space.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/dense_spectrum.h>
#include <halfdof/spectrum/eigenmodes.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>
#include <halfdof/spectrum/polish.h>

#include <boost/test/unit_test.hpp>

#include "spectrum/reduced.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

using namespace halfdof;
using namespace halfdof::internal;
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

/// u, half the machine epsilon.
constexpr double u = std::numeric_limits<double>::epsilon() / 2;

std::string printed(const SpectrumComparison& spectra) {
  std::ostringstream text;
  spectra.print(text);
  return text.str();
}

/// EigenpairResidual::uncertainty of all eigenvalues, in their order.
std::vector<double> uncertainties(const SpectrumComparison& spectra) {
  std::vector<double> all;
  for (const EigenpairResidual& residual : spectra.residuals)
    all.push_back(residual.uncertainty);
  return all;
}

BOOST_AUTO_TEST_CASE(one_mass_is_as_uncertain_as_its_entries) {
  // Omega alone: delta omega = u (omega^2 m + k) / (2 omega m). Critical damping: delta lambda^2 = u (1 + 2
  // + 1).
  const auto oscillator = [](double c) {
    SparseSystem system(1);
    system.add_mass(0, 1);
    system.add_damper(0, c);
    system.add_spring(0, 1);
    return uncertainties(compare_all(reduced(system)));
  };
  for (const double uncertainty : oscillator(0))
    BOOST_TEST(uncertainty == u, boost::test_tools::tolerance(1e-6));
  for (const double uncertainty : oscillator(2))
    BOOST_TEST(uncertainty == std::sqrt(4 * u), boost::test_tools::tolerance(0.3));
}

BOOST_AUTO_TEST_CASE(what_stiff_links_leave_of_slow_modes_is_known) {
  // Unit masses with a link of 1e13 between them, one on a spring of 4: +- sqrt(2) i, but for rounding of
  // 1e13 + 4.
  for (const bool some : {false, true}) {
    SparseSystem pair(2);
    for (const Index i : {0, 1})
      pair.add_mass(i, 1);
    pair.add_spring(0, 4);
    pair.add_spring(0, 1, 1e13);
    const auto system = reduced(pair);
    const SpectrumComparison spectra = some ? compare_spectra(system, 2) : compare_all(system);
    BOOST_TEST(spectra.passed);
    const std::vector<std::size_t> uncertain = spectra.uncertain();
    BOOST_REQUIRE_EQUAL(uncertain.size(), 1u);
    const double uncertainty = spectra.residuals[uncertain[0]].uncertainty;
    const double by_entries = u * 4e13 / (4 * std::sqrt(2.));
    BOOST_TEST(uncertainty > 0.99 * by_entries);
    BOOST_TEST(uncertainty < 1.01 * by_entries);
    const double error = std::abs(std::abs(spectra.after.finite[uncertain[0]]) - std::sqrt(2.));
    BOOST_TEST(error < 3 * uncertainty);
    BOOST_TEST(printed(spectra).find("ROUNDING MAKES SOME LESS CERTAIN THAN THE LIMIT") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(an_error_does_not_excuse_itself) {
  // What falsifies an eigenvalue, as a wrong elimination, is none of rounding.
  SparseSystem pair(2);
  pair.add_mass(0, 1);
  pair.add_spring(0, 1, 1);
  pair.add_spring(1, 1e-6);
  const auto system = reduced(pair);
  const NearestEigenvalues modes = nearest_eigenvalues(system, 2);
  const auto uncertainty = [&](double factor) {
    return eigenpair_residuals(system, TermScales<EigenEngine>(system.free()),
                               {factor * modes.eigenvalues.at(0)}, {factor * modes.eigenvalues.at(0)},
                               modes.states.leftCols(1), 0.)
        .at(0)
        .uncertainty;
  };
  BOOST_TEST(uncertainty(1.) < 1e-12);
  BOOST_TEST(uncertainty(1.05) < 2 * uncertainty(1.));
}

BOOST_AUTO_TEST_CASE(zeros_say_how_fast_they_may_be) {
  // A free pair: K x is rounding of 4e8 u beside 2 r^2.
  SparseSystem pair(2);
  for (const Index i : {0, 1})
    pair.add_mass(i, 1);
  pair.add_spring(0, 1, 1e8);
  const SpectrumComparison spectra = compare_all(reduced(pair));
  BOOST_TEST(spectra.zero_radius() == std::sqrt(2e8 * u), boost::test_tools::tolerance(0.3));
  BOOST_TEST(spectra.uncertain().empty());
  BOOST_TEST(printed(spectra).find("are zero up to rounding") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(units_of_dofs_and_the_kind_of_dofs_do_not_make_uncertain) {
  for (const double unit : {1e-9, 1., 1e9})
    for (const double uncertainty :
         uncertainties(compare_spectra(reduced(piezoelectric_chain(60, unit, true)), 6)))
      BOOST_TEST(uncertainty < 1e-11);
}

BOOST_AUTO_TEST_CASE(uncertainty_of_small_unsymmetric_models_is_what_changed_entries_do) {
  const DenseSystem system = random_unsymmetric(4, 3, 2, 1);
  const SpectrumComparison spectra = compare_all(reduced(system));
  constexpr double change = 1e-10;
  RandomNumbers random(2);
  std::vector<double> largest(spectra.after.finite.size(), 0.);
  for (int trial = 0; trial < 20; ++trial) {
    DenseSystem changed = system;
    for (MultiVector* A : {&changed.M, &changed.C, &changed.K})
      for (Index j = 0; j < A->cols(); ++j)
        for (Index i = 0; i < A->rows(); ++i)
          (*A)(i, j) *= 1 + (random() > 0 ? change : -change);
    const std::vector<Complex> moved = compare_all(reduced(changed)).before.finite;
    for (const auto& pair : match_eigenvalues(spectra.before.finite, moved).pairs)
      largest[pair.place_before] = std::max(largest[pair.place_before], std::abs(pair.after - pair.before));
  }
  for (std::size_t j = 0; j < largest.size(); ++j) {
    const double bound = spectra.residuals[j].uncertainty * change / u;
    BOOST_TEST(largest[j] < 1.01 * bound);
    BOOST_TEST(largest[j] > 0.05 * bound);
  }
}

BOOST_AUTO_TEST_CASE(uncertainty_of_some_eigenvalues_of_unsymmetric_models_bounds_what_changed_entries_do) {
  const DenseSystem system = random_unsymmetric(40, 20, 10, 1);
  const NearestEigenvalues found = nearest_eigenvalues(reduced(system), 8, {0.3, 0.7});
  constexpr double change = 1e-9;
  RandomNumbers random(2);
  DenseSystem changed = system;
  for (MultiVector* A : {&changed.M, &changed.C, &changed.K})
    for (Index j = 0; j < A->cols(); ++j)
      for (Index i = 0; i < A->rows(); ++i)
        (*A)(i, j) *= 1 + (random() > 0 ? change : -change);
  const NearestEigenvalues moved = nearest_eigenvalues(reduced(changed), 8, {0.3, 0.7});
  for (const auto& pair : match_eigenvalues(found.eigenvalues, moved.eigenvalues).pairs) {
    const double bound = found.residuals[pair.place_before].uncertainty * change / u;
    BOOST_TEST(std::abs(pair.after - pair.before) < bound);
    BOOST_TEST(std::abs(pair.after - pair.before) > 1e-4 * bound);
  }
}

BOOST_AUTO_TEST_SUITE_END()
