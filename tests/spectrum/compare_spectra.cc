// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>
#include <halfdof/spectrum/small_spectrum.h>

#include <boost/test/unit_test.hpp>

#include "spectrum/reduced.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

std::string printed(const SpectrumComparison& comparison, std::size_t n_rows = 40) {
  std::ostringstream out;
  comparison.print(out, n_rows);
  return out.str();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(comparison)

BOOST_AUTO_TEST_CASE(the_engine_mount_keeps_its_spectrum) {
  const auto mount = reduced(engine_mount());
  for (const SpectrumComparison& spectra : {compare_all(mount), compare_spectra(mount, 12)}) {
    BOOST_TEST(spectra.passed);
    BOOST_TEST(spectra.before.reliable);
    BOOST_TEST(spectra.before.n_infinite == 2);
    BOOST_TEST(farthest(spectra.before.finite, engine_mount_eigenvalues()) < 1e-11);
    BOOST_TEST(farthest(spectra.after.finite, engine_mount_eigenvalues()) < 1e-11);
    BOOST_TEST(spectra.max_relative_difference < 1e-11);
    BOOST_TEST(spectra.residuals.size() == 4u);
    BOOST_TEST(spectra.max_residual < 1e-12);
    BOOST_TEST(spectra.max_reduced_residual < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(the_unsymmetric_example_keeps_its_exact_spectrum) {
  const SpectrumComparison spectra = compare_all(reduced(three_kinds()));
  BOOST_TEST(spectra.passed);
  BOOST_TEST(spectra.before.n_infinite == 3);
  BOOST_TEST(farthest(spectra.before.finite, three_kinds_eigenvalues()) < 1e-13);
  BOOST_TEST(farthest(spectra.after.finite, three_kinds_eigenvalues()) < 1e-13);
}

BOOST_AUTO_TEST_CASE(random_permuted_systems_of_all_kinds_keep_their_spectra) {
  for (const unsigned seed : {1u, 2u, 3u, 4u})
    for (const auto& [n_I, n_C, n_K] : {std::tuple(6, 0, 0), {5, 4, 0}, {5, 0, 4}, {0, 6, 3}, {8, 6, 5}}) {
      for (const DenseSystem& system :
           {random_unsymmetric(n_I, n_C, n_K, seed), random_symmetric(n_I, n_C, n_K, seed)}) {
        const SpectrumComparison spectra = compare_all(reduced(system));
        BOOST_TEST(spectra.passed);
        BOOST_TEST(spectra.before.reliable);
        BOOST_TEST(spectra.before.n_infinite == 2 * n_K + n_C);
        // QZ loses digits with the condition of the eigenvalues, hardly more than six of random matrices.
        BOOST_TEST(spectra.max_relative_difference < 1e-8);
      }
    }
}

BOOST_AUTO_TEST_CASE(statics_has_nothing_to_compare) {
  const auto statics = reduced(random_unsymmetric(0, 0, 4, 1));
  for (const SpectrumComparison& spectra : {compare_all(statics), compare_spectra(statics, 3)}) {
    BOOST_TEST(spectra.passed);
    BOOST_TEST(spectra.before.n_infinite == 8);
    BOOST_TEST(spectra.after.finite.empty());
  }
}

BOOST_AUTO_TEST_CASE(rigid_bodies_agree_in_their_double_zeros) {
  const auto beam = reduced(lattice_beam(4, false));
  const SpectrumComparison all = compare_all(beam);
  BOOST_TEST(all.passed);
  BOOST_TEST(all.before.n_infinite == 0);
  for (std::size_t k = 0; k < 12; ++k) {
    BOOST_TEST(all.matching.pairs[k].after == 0.);
    BOOST_TEST(all.matching.pairs[k].agree(1e-6));
  }
  BOOST_TEST(std::abs(all.matching.pairs[12].after) > 1e-3 * std::abs(all.matching.pairs[13].after));
  for (const Index k : {12, 20})
    BOOST_TEST(compare_spectra(beam, k).passed);
}

BOOST_AUTO_TEST_CASE(the_slowest_modes_of_a_lattice_agree) {
  const SpectrumComparison spectra = compare_spectra(reduced(lattice_beam(20, true)), 16);
  BOOST_TEST(spectra.passed);
  BOOST_TEST(spectra.after.finite.size() == 16u);
  BOOST_TEST(spectra.max_relative_difference < 1e-10);
}

BOOST_AUTO_TEST_CASE(a_mass_of_rounding_size_has_its_eigenvalue) {
  // 1e-30 beside 300: the spectrum before is exact, where QZ would take the mass for none.
  DenseSystem system = engine_mount();
  system.M(1, 1) = 1e-30;
  const SpectrumComparison spectra = compare_all(reduced(system));
  BOOST_TEST(spectra.passed);
  BOOST_TEST(spectra.before.is_exact);
  BOOST_TEST(spectra.after.finite.size() == 5u);
  BOOST_TEST(std::abs(spectra.after.finite.back()) > 1e30);
}

BOOST_AUTO_TEST_CASE(infinite_eigenvalues_are_counted_where_springs_nearly_cancel) {
  // Two algebraic DoFs: QZ would lose the alpha of one of four infinite eigenvalues, too.
  const Index n_masses = 210, n = n_masses + 2;
  DenseSystem system{MultiVector::Identity(n, n), MultiVector::Zero(n, n), MultiVector::Identity(n, n)};
  system.M.bottomRightCorner(2, 2).setZero();
  system.K.bottomRightCorner(2, 2) << 1, 1, 1, 1 + 4e-14;
  const SpectrumComparison nearly_singular = compare_all(reduced(system));
  BOOST_TEST(nearly_singular.before.finite.size() == 2u * n_masses);
  BOOST_TEST(nearly_singular.before.n_infinite == 4);
  BOOST_TEST(nearly_singular.before.is_exact);

  // What a dropped column takes with it is missing after.
  DenseSystem light = engine_mount();
  light.M(1, 1) = 1e-30;
  const SpectrumComparison dropped = compare_all(reduced(light, with_null_tolerance(1e-20)));
  BOOST_TEST(!dropped.passed);
  BOOST_TEST(dropped.matching.missing.size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_verdict_needs_the_match_and_both_residuals) {
  const auto passed = [](double difference, double assembled, double backward, bool reliable) {
    SpectrumComparison comparison;
    comparison.before.reliable = reliable;
    comparison.matching.pairs = {{1., 1. - difference}};
    // What `reduced` says of rough modes does not decide.
    comparison.residuals = {{}, {assembled, 5e-3, 1e-4, backward}, {}};
    conclude(comparison);
    return comparison.passed;
  };
  BOOST_TEST(passed(1e-9, 1e-9, 1e-13, true));
  BOOST_TEST(!passed(1e-3, 1e-9, 1e-13, true));
  BOOST_TEST(!passed(1e-9, 1e-9, 1e-13, false));
  BOOST_TEST(!passed(1e-9, 2e-6, 1e-13, true));
  BOOST_TEST(!passed(1e-9, 1e-9, 2e-6, true));
}

BOOST_AUTO_TEST_CASE(exact_zeros_of_rows_without_stiffness_raise_no_false_alarm) {
  const auto system = [](Index n, const auto& fill) {
    const MultiVector zero = MultiVector::Zero(n, n);
    DenseSystem made{zero, zero, zero};
    fill(made);
    return made;
  };
  const auto tie = [](MultiVector& A, Index i, Index j, double value) {
    A(i, i) += value;
    A(j, j) += value;
    A(i, j) -= value;
    A(j, i) -= value;
  };
  struct WithZeros {
    DenseSystem system;
    std::ptrdiff_t n_zeros;
  };
  // Dumont et al. (2001), section 5.1; two free masses beside a dashpot; free in a plane; nothing but zeros.
  const std::vector<WithZeros> systems = {{system(3,
                                                  [&](DenseSystem& s) {
                                                    s.M(2, 2) = 25;
                                                    s.C(1, 1) = 8;
                                                    tie(s.C, 1, 2, 5.);
                                                    s.C(1, 1) -= 5;
                                                    tie(s.K, 0, 2, 200.);
                                                    s.K(0, 0) += 100;
                                                  }),
                                           1},
                                          {system(3,
                                                  [&](DenseSystem& s) {
                                                    s.M(0, 0) = 2;
                                                    s.M(1, 1) = 1;
                                                    tie(s.K, 0, 1, 5.);
                                                    tie(s.C, 0, 2, 1.);
                                                  }),
                                           3},
                                          {system(4,
                                                  [&](DenseSystem& s) {
                                                    s.M.diagonal() << 2, 1, 2, 1;
                                                    tie(s.K, 0, 1, 5.);
                                                  }),
                                           6},
                                          {system(1, [&](DenseSystem& s) { s.M(0, 0) = 2; }), 2},
                                          {system(2,
                                                  [&](DenseSystem& s) {
                                                    s.M(0, 0) = 2;
                                                    s.C(1, 1) = 1;
                                                  }),
                                           3},
                                          {system(2, [&](DenseSystem& s) { s.C.diagonal() << 3, 3; }), 2}};
  for (const WithZeros& one : systems)
    for (const double second : {1., 1e6}) {
      const auto regular =
          reduced(DenseSystem{one.system.M / (second * second), one.system.C / second, one.system.K});
      const SpectrumComparison all = compare_all(regular);
      BOOST_TEST(all.passed, one.system.size() << " DoFs, " << second);
      BOOST_TEST(all.max_backward_error < 1e-9);
      BOOST_TEST(std::count(all.after.finite.begin(), all.after.finite.end(), 0.) == one.n_zeros);
      for (const Index k : {1, 3}) {
        const SpectrumComparison some = compare_spectra(regular, k);
        BOOST_TEST(some.passed, k << " of " << one.system.size() << ", " << second);
        BOOST_TEST(some.max_backward_error < 1e-9);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_slow_eigenvalue_that_is_wrong_is_seen_in_the_backward_error) {
  // -1e-6 beside +-1e4 i: matching compares it absolutely.
  SparseSystem system(2);
  system.add_mass(0, 1);
  system.add_spring(0, 1e8);
  system.add_damper(1, 1e3);
  system.add_spring(1, 1e-3);
  const auto regular = reduced(system);
  const NearestEigenvalues modes = nearest_eigenvalues(regular, 1);
  const auto backward_error = [&](double factor) {
    return eigenpair_residuals(regular, TermScales<EigenEngine>(regular.free()),
                               {factor * modes.eigenvalues.at(0)}, {factor * modes.eigenvalues.at(0)},
                               modes.states, 1.)
        .at(0)
        .backward;
  };
  BOOST_TEST(backward_error(1.) < 1e-12);
  BOOST_TEST(backward_error(2.) > 0.1);
}

BOOST_AUTO_TEST_CASE(a_falsified_elimination_is_seen_in_the_backward_error) {
  // Eigenpairs of the true system, and A of one whose mass, damping or algebraic stiffness is wrong by 1e-3.
  const DenseSystem system = random_symmetric(6, 4, 3, 1);
  const NearestEigenvalues modes = nearest_eigenvalues(reduced(system), 6);
  const auto backward_error = [&](const DenseSystem& other) {
    const auto false_one = reduced(other);
    double largest = 0;
    for (const EigenpairResidual& residual :
         eigenpair_residuals(false_one, TermScales<EigenEngine>(false_one.free()), modes.found,
                             modes.eigenvalues, modes.states, 0))
      largest = std::max(largest, residual.backward);
    return largest;
  };
  BOOST_TEST(backward_error(system) < 1e-13);
  const DenseElimination kinds = dense_elimination(system);
  DenseSystem heavier = system, damped = system, stiffer = system;
  heavier.M(kinds.I[0], kinds.I[0]) *= 1 + 1e-3;
  damped.C(kinds.C[0], kinds.C[0]) *= 1 + 1e-3;
  stiffer.K(kinds.K[0], kinds.K[0]) *= 1 + 1e-3;
  for (const DenseSystem& other : {heavier, damped, stiffer})
    BOOST_TEST(backward_error(other) > 1e-6);
}

BOOST_AUTO_TEST_CASE(a_rate_that_is_not_that_of_its_displacement_is_seen_in_the_backward_error) {
  // P(lambda) x knows displacements alone: what D makes of a wrong v_I contradicts the pair.
  const auto regular = reduced(random_symmetric(6, 4, 3, 1));
  const NearestEigenvalues modes = nearest_eigenvalues(regular, 6);
  ComplexMultiVector states = modes.states;
  states.bottomRows(regular.classification().inertial().n_local()) *= 1 + 1e-3;
  const auto residuals = eigenpair_residuals(regular, TermScales<EigenEngine>(regular.free()), modes.found,
                                             modes.eigenvalues, states, 1e-4);
  for (const EigenpairResidual& residual : residuals) {
    BOOST_TEST(residual.assembled < 1e-13);
    BOOST_TEST(residual.backward > 1e-6);
  }
}

BOOST_AUTO_TEST_CASE(units_of_algebraic_dofs_do_not_change_the_backward_error) {
  for (const double unit : {1e-9, 1., 1e9}) {
    const SpectrumComparison spectra = compare_spectra(reduced(piezoelectric_chain(60, unit, true)), 6);
    BOOST_TEST(spectra.passed);
    BOOST_TEST(spectra.max_backward_error < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(a_light_dof_that_hardly_takes_part_is_compared_to_all_digits) {
  // Masses of 1e6 and 1e-6, all but uncoupled: in the mode +-i of the heavy one the light one moves 1e-3.
  DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Constant(2, 2, 1e-6)};
  system.M.diagonal() << 1e6, 1e-6;
  system.C(1, 1) = 1e-3;
  system.K(0, 0) = 1e6;
  for (const Index k : {Index(2), Index(3), Index(4)}) {
    const SpectrumComparison spectra = compare_spectra(reduced(system), k);
    BOOST_TEST(spectra.passed, printed(spectra));
    BOOST_TEST(spectra.max_backward_error < 1e-8);
  }
  const std::vector<Complex> found = compare_spectra(reduced(system), 4).after.finite;
  for (const Complex lambda : found) {
    // (s^2 + 1) (s^2 + 1000 s + 1), but for couplings of 1e-12
    const Complex heavy = lambda * lambda + 1., light = lambda * lambda + 1000. * lambda + 1.;
    BOOST_TEST(std::min(std::abs(heavy), std::abs(light) / (1 + 1000 * std::abs(lambda))) < 1e-11);
  }
}

/// A damped chain, its DoFs measured in units from 1e-4 to 1e4; one node has no mass.
DenseSystem chain_in_many_units(Index n, unsigned seed) {
  RandomNumbers random(seed);
  const auto between = [&](double low, double high) { return low + (high - low) * (random() + 1) / 2; };
  const Vector unit = Vector::NullaryExpr(n, [&](Eigen::Index) { return std::pow(10., between(-4, 4)); });
  DenseSystem system{MultiVector::Zero(n, n), MultiVector::Zero(n, n), MultiVector::Zero(n, n)};
  for (Index i = 0; i < n; ++i) {
    if (i != n / 2) system.M(i, i) = between(0.5, 2);
    system.C(i, i) = i == n / 2 ? 0 : between(0.05, 2);
    system.K(i, i) = between(1, 3);
    if (i > 0) system.K(i, i - 1) = system.K(i - 1, i) = -between(0.1, 1);
  }
  for (MultiVector* A : {&system.M, &system.C, &system.K})
    *A = unit.asDiagonal() * *A * unit.asDiagonal();
  return system;
}

BOOST_AUTO_TEST_CASE(units_of_every_dof_may_differ) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const auto model = reduced(chain_in_many_units(6, seed));
    const SpectrumComparison spectra = compare_spectra(model, 5);
    BOOST_TEST(spectra.passed, "seed " << seed << "\n" << printed(spectra));
    const std::vector<Complex> all = compare_all(model).after.finite;
    for (const Complex lambda : spectra.after.finite) {
      double distance = std::numeric_limits<double>::infinity();
      for (const Complex exact : all)
        distance = std::min(distance, std::abs(lambda - exact));
      // Pairs with a backward error below 1e-8 are left as they are.
      BOOST_TEST(distance < 1e-7 * std::abs(lambda));
    }
  }
}

BOOST_AUTO_TEST_CASE(before_nothing_is_dropped) {
  // lambda^4 1e-3 + lambda^2 (2 + 2e-3) + 3 = 0.
  const DenseSystem system = light_and_heavy_mass();
  const auto dropped = reduced(system, with_null_tolerance(1e-2));
  BOOST_TEST(dropped.n_states() == 2);
  std::vector<Complex> expected;
  for (const double sign : {1., -1.}) {
    const double square = (2.002 + sign * std::sqrt(2.002 * 2.002 - 0.012)) / 2e-3;
    expected.insert(expected.end(), {Complex(0, std::sqrt(square)), Complex(0, -std::sqrt(square))});
  }
  for (const SpectrumComparison& spectra : {compare_all(dropped), compare_spectra(dropped, 4)}) {
    BOOST_TEST(farthest(spectra.before.finite, expected) < 1e-12);
    BOOST_TEST(spectra.before.n_infinite == 0);
    BOOST_TEST(spectra.before.reliable);
    BOOST_TEST(!spectra.passed);
    BOOST_TEST(farthest(spectra.after.finite, {{0, std::sqrt(1.5)}, {0, -std::sqrt(1.5)}}) < 1e-12);
    // The eigenpair after does not satisfy the assembled equation: 1e-3 * 1.5 * 0.5 of about 3.
    BOOST_TEST(spectra.residuals[0].assembled > 1e-5);
    BOOST_TEST(spectra.residuals[0].backward > 1e-5);
  }
  BOOST_TEST(compare_all(reduced(system)).passed);
}

BOOST_AUTO_TEST_CASE(a_dropped_damping_column_is_there_before) {
  DenseSystem system = engine_mount();
  system.C(2, 2) = 1e-3;
  const SpectrumComparison spectra = compare_all(reduced(system, with_null_tolerance(1e-4)));
  BOOST_TEST(spectra.before.n_infinite == 2);
  BOOST_TEST(spectra.after.finite.size() == 3u);
  BOOST_TEST(spectra.matching.missing.size() == 1u);
  BOOST_TEST(!spectra.passed);
}

BOOST_AUTO_TEST_CASE(slow_relaxations_relax_and_rigid_bodies_rest) {
  // -1e-6 beside +-1e4 i.
  SparseSystem system(2);
  system.add_mass(0, 1);
  system.add_spring(0, 1e8);
  system.add_damper(1, 1e3);
  system.add_spring(1, 1e-3);
  for (const SpectrumComparison& spectra :
       {compare_all(reduced(system)), compare_spectra(reduced(system), 3)}) {
    BOOST_TEST(contains(printed(spectra), "relaxing"));
    BOOST_TEST(!contains(printed(spectra), "zero"));
  }
  const auto beam = reduced(lattice_beam(4, false));
  for (const SpectrumComparison& spectra : {compare_all(beam), compare_spectra(beam, 14)}) {
    BOOST_TEST(std::count(spectra.after.finite.begin(), spectra.after.finite.end(), 0.) == 12);
    BOOST_TEST(contains(printed(spectra), "zero"));
  }
}

BOOST_AUTO_TEST_CASE(the_table_says_what_every_mode_does) {
  const std::string table = printed(compare_all(reduced(engine_mount())));
  BOOST_TEST(contains(table, "-0.6897228097 +- 17.70591511i"));
  BOOST_TEST(contains(table, "oscillating"));
  BOOST_TEST(contains(table, "relaxing"));
  BOOST_TEST(contains(table, "2.81798"));  // 17.7059 / 2 pi [Hz]
  BOOST_TEST(contains(table, "before: 4 finite and 2 infinite"));
  BOOST_TEST(contains(table, "(limit 1.0e-06): the spectra agree"));
  SpectrumComparison rounded = compare_all(reduced(engine_mount()));
  rounded.residuals[0].reduced = 1e-3;  // rounding magnified by A, which does not decide
  rounded.max_residual = rounded.max_reduced_residual = 0;
  conclude(rounded);
  BOOST_TEST(rounded.passed);
  const std::string text = printed(rounded);
  BOOST_TEST(contains(text, "with the rounding that A magnifies: 1.0e-03\n"));
  BOOST_TEST(!contains(text.substr(text.rfind("largest relative")), "1.0e-03"));
  BOOST_TEST(contains(printed(compare_all(reduced(engine_mount())), 1), "... and 2 rows more"));
}

BOOST_AUTO_TEST_CASE(roots_that_round_to_one_number_take_a_partner_each) {
  // 2^60 beside 2^-230: the roots +-5i of two DoFs differ below rounding.
  MultiVector K = 25 * MultiVector::Identity(4, 4);
  K(0, 1) = std::ldexp(1., 60);
  K(1, 0) = std::ldexp(1., -230);
  const SpectrumComparison spectra = compare_all(reduced(with_unit_masses(MultiVector::Zero(4, 4), K)));
  BOOST_TEST(spectra.passed);
  BOOST_TEST(spectra.after.finite.size() == 8u);
  for (const Complex value : spectra.after.finite)
    BOOST_TEST(std::abs(value - Complex(0, value.imag() > 0 ? 5 : -5)) < 1e-14);
}

BOOST_AUTO_TEST_CASE(a_shift_that_rounding_returns_is_no_eigenvalue) {
  // omega^2 = 4 +- 1/16, out of 2^100 times 2^-108.
  MultiVector K = 4 * MultiVector::Identity(2, 2);
  K(0, 1) = std::ldexp(1., 100);
  K(1, 0) = std::ldexp(1., -108);
  const SpectrumComparison spectra = compare_all(reduced(with_unit_masses(MultiVector::Zero(2, 2), K)));
  BOOST_TEST(spectra.passed);
  const double slow = std::sqrt(4 - 0.0625), fast = std::sqrt(4 + 0.0625);
  BOOST_TEST(farthest(spectra.after.finite, {{0, slow}, {0, -slow}, {0, fast}, {0, -fast}}) < 1e-15);
}

BOOST_AUTO_TEST_CASE(too_many_dofs_for_all_eigenvalues_are_refused) {
  SparseSystem chain(2101);
  add_chain(chain, 0, 2101, 1);
  BOOST_CHECK_THROW(compare_all(reduced(chain)), NotAvailable);
}

BOOST_AUTO_TEST_CASE(an_eigenvalue_that_was_dropped_is_lost) {
  const DenseSystem system = light_and_heavy_mass();
  BOOST_TEST(!lost_eigenvalue(reduced(system)));
  const auto lost = lost_eigenvalue(reduced(system, with_null_tolerance(0.01)));
  BOOST_REQUIRE(lost);
  BOOST_TEST(std::abs(std::abs(*lost) - 44.73) < 0.1);  // sqrt(2 / 0.001) and some
}

BOOST_AUTO_TEST_SUITE_END()
