// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/reduction/consistent_state.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <cmath>
#include <limits>
#include <sstream>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Reduced = ReducedSystem<EigenEngine>;

ConsistencyOptions strict() {
  ConsistencyOptions options;
  options.mode = ConsistencyOptions::Mode::strict;
  return options;
}

/// Three kinds and a fourth, constrained DoF that moves as 0.1 cos(t).
Reduced moving_system() {
  const DenseSystem three = three_kinds();
  const auto extended = [](const MultiVector& A) {
    MultiVector all = MultiVector::Zero(4, 4);
    all.topLeftCorner(3, 3) = A;
    return all;
  };
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(extended(three.M));
  description.damping = matrix_of<EigenEngine>(extended(three.C));
  MultiVector K = extended(three.K);
  K(2, 3) = -4;
  description.stiffness = matrix_of<EigenEngine>(K);
  description.constrained = {3};
  description.load = [](double t) { return Vector(Vector::Constant(4, std::exp(-t))); };
  description.prescribed.value = [](double t) { return Vector(Vector::Constant(1, 0.1 * std::cos(t))); };
  description.prescribed.rate = [](double t) { return Vector(Vector::Constant(1, -0.1 * std::sin(t))); };
  description.labels.component_names = {"x", "phi"};
  description.labels.component = {0, 0, 1, 0};
  return reduce(AssembledSystem<EigenEngine>(description));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(consistent_states)

BOOST_AUTO_TEST_CASE(states_are_kept_and_the_rest_is_reported_with_its_consistent_value) {
  const Reduced reduced = moving_system();
  const Vector q = (Vector(4) << 1, -2, 50, 0).finished(), rate = (Vector(4) << 3, 7, 9, 0).finished();
  const ConsistentState state = consistent_state(reduced, q, rate, 0.5);
  BOOST_TEST(state.time == 0.5);
  BOOST_TEST((state.y == (Vector(3) << 1, -2, 3).finished()));

  // D x = F - C J_I v_I - K J_I q_I - K J_C q_C - K_fD q_D, by Cramer-free dense elimination.
  const DenseSystem dense = three_kinds();
  MultiVector D(3, 3);
  D << dense.M.col(0), dense.C.col(1), dense.K.col(2);
  Vector b =
      Vector::Constant(3, std::exp(-0.5)) - dense.C.col(0) * 3 - dense.K.col(0) * 1 + dense.K.col(1) * 2;
  b[2] += 4 * 0.1 * std::cos(0.5);
  const Vector x = D.fullPivLu().solve(b);

  BOOST_TEST(state.report.n_changed == 4);
  BOOST_REQUIRE_EQUAL(state.report.largest.size(), 4u);
  const auto check = [&](std::size_t place, GlobalIndex dof, const char* quantity, double given,
                         double consistent) {
    const InitialChange& change = state.report.largest[place];
    BOOST_TEST(change.dof == dof);
    BOOST_TEST(change.quantity == quantity);
    BOOST_TEST(change.given == given);
    BOOST_TEST(std::abs(change.consistent - consistent) <= 1e-13);
  };
  // Displacements first; of each the largest first, relative to the vector's largest entry.
  check(0, 2, "displacement", 50, x[2]);
  check(1, 3, "displacement", 0, 0.1 * std::cos(0.5));
  check(2, 1, "rate", 7, x[1]);
  check(3, 3, "rate", 0, -0.1 * std::sin(0.5));
}

BOOST_AUTO_TEST_CASE(a_lifted_state_is_consistent_also_in_strict_mode) {
  const Reduced reduced = moving_system();
  const State state{0.25, (Vector(3) << 1, -2, 3).finished()};
  const AssembledMotion lifted = reduced.lift(state);
  const ConsistentState again = consistent_state(reduced, lifted.displacement, lifted.rate, 0.25, strict());
  BOOST_TEST(again.report.n_changed == 0);
  BOOST_TEST((again.y == state.y));
  std::ostringstream text;
  text << again.report;
  BOOST_TEST(text.str().find("nothing was changed") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(strict_mode_refuses_and_names_what_does_not_agree) {
  const Reduced reduced = moving_system();
  AssembledMotion lifted = reduced.lift({0, (Vector(3) << 1, -2, 3).finished()});
  lifted.displacement[2] += 1e-6;
  BOOST_CHECK_EXCEPTION(consistent_state(reduced, lifted.displacement, lifted.rate, 0, strict()),
                        InvalidInput, [](const InvalidInput& e) {
                          const std::string message = e.what();
                          return message.find("displacement of DoF 2 (phi)") != std::string::npos &&
                                 message.find("DoF 1") == std::string::npos;
                        });
  ConsistencyOptions loose = strict();
  loose.tolerance = 1e-5;
  BOOST_TEST(consistent_state(reduced, lifted.displacement, lifted.rate, 0, loose).report.n_changed == 0);
}

BOOST_AUTO_TEST_CASE(rates_of_algebraic_dofs_are_not_looked_at) {
  const Reduced reduced = moving_system();
  AssembledMotion lifted = reduced.lift({0, (Vector(3) << 1, -2, 3).finished()});
  lifted.rate[2] = 1e3;
  BOOST_TEST(consistent_state(reduced, lifted.displacement, lifted.rate).report.n_changed == 0);
}

BOOST_AUTO_TEST_CASE(constrained_dofs_without_prescribed_motion_rest_at_zero) {
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(engine_mount().M);
  description.damping = matrix_of<EigenEngine>(engine_mount().C);
  description.stiffness = matrix_of<EigenEngine>(engine_mount().K);
  description.constrained = {0};
  const auto reduced = reduce(AssembledSystem<EigenEngine>(description));
  const auto state = consistent_state(reduced, Vector::Ones(3), Vector::Zero(3));
  // q_1' = -10 q_1 and q_2' = -(10/3) q_2.
  BOOST_TEST(state.report.n_changed == 3);
  BOOST_REQUIRE_EQUAL(state.report.largest.size(), 3u);
  for (const InitialChange& change : state.report.largest) {
    const double consistent[] = {0, -10, -10. / 3};
    BOOST_TEST(std::abs(change.consistent - consistent[change.dof]) <= 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(at_most_ten_displacements_are_listed_and_all_are_counted) {
  const auto reduced = reduce(assemble<EigenEngine>(random_unsymmetric(2, 3, 15, 4)));
  const auto state = consistent_state(reduced, Vector::Ones(20), Vector::Ones(20));
  BOOST_TEST(state.report.n_changed == 18);
  BOOST_TEST(state.report.n_displacements == 15);
  BOOST_TEST(state.report.n_rates == 3);
  BOOST_TEST(state.report.largest.size() == 13u);
  std::ostringstream text;
  text << state.report;
  BOOST_TEST(text.str().find("15 initial displacements") != std::string::npos);
  BOOST_TEST(text.str().find("3 initial rates") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(wrong_sizes_nan_and_negative_tolerances_are_refused) {
  const Reduced reduced = moving_system();
  const Vector zero = Vector::Zero(4);
  Vector broken = zero;
  broken[1] = std::numeric_limits<double>::quiet_NaN();
  BOOST_CHECK_THROW(consistent_state(reduced, Vector::Zero(3), zero), InvalidInput);
  BOOST_CHECK_THROW(consistent_state(reduced, zero, Vector::Zero(5)), InvalidInput);
  BOOST_CHECK_EXCEPTION(consistent_state(reduced, zero, broken), InvalidInput, [](const InvalidInput& e) {
    return std::string(e.what()).find("rate is nan on DoF 1") != std::string::npos;
  });
  ConsistencyOptions negative;
  negative.tolerance = -1;
  BOOST_CHECK_THROW(consistent_state(reduced, zero, zero, 0, negative), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
