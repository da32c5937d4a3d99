// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/state_space.h>

#include <boost/test/unit_test.hpp>

#include "constrained_models.h"
#include <string>

using namespace halfdof;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(constraint_motion)

BOOST_AUTO_TEST_CASE(the_reaction_of_a_link_is_what_the_masses_need) {
  ConstrainedModel model{two_masses(), {}, rows({{1, -1}}), {}, {}, {}, {}, {}, {}};
  model.load = [](double) { return numbers({4., 1.}); };
  const auto reduced = model.reduced();
  const Vector q = numbers({0.1, 0.1, 0}), v = numbers({0.5, 0.5, 0});
  const ConsistentState state = consistent_state(reduced, q, v);
  BOOST_TEST(state.report.n_changed == 0);
  const AssembledMotion lifted = reduced.lift(state);
  const double a = (5. - 0.3 * 0.5 - 80 * 0.1) / 5;
  BOOST_TEST(lifted.acceleration[0] == a, boost::test_tools::tolerance(1e-13));
  BOOST_TEST(lifted.acceleration[1] == a, boost::test_tools::tolerance(1e-13));
  // 2 a + 0.2 * 0.5 + 30 * 0.1 + mu = 4
  BOOST_TEST(lifted.displacement[2] == 4 - 2 * a - 0.1 - 3, boost::test_tools::tolerance(1e-13));
  BOOST_TEST(residual(reduced.assembled(), lifted, 0) < 1e-13);
}

BOOST_AUTO_TEST_CASE(off_the_constraint_the_nearest_point_in_the_metric_of_mass_is_taken_and_told) {
  const ConstrainedModel model{two_masses(), {}, rows({{1, -1}}), {}, {}, {}, {}, {}, {}};
  const auto reduced = model.reduced();
  const ConsistentState state = consistent_state(reduced, numbers({1, 0, 0}), numbers({0, 5, 0}));
  const AssembledMotion lifted = reduced.lift(state);
  BOOST_TEST(lifted.displacement[0] == 2. / 5, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(lifted.displacement[1] == 2. / 5, boost::test_tools::tolerance(1e-14));
  // Momentum is kept.
  BOOST_TEST(lifted.rate[0] == 3., boost::test_tools::tolerance(1e-14));
  BOOST_TEST(state.report.n_changed == 4);
  BOOST_CHECK_THROW(consistent_state(reduced, numbers({1, 0, 0}), numbers({0, 5, 0}), 0,
                                     {ConsistencyOptions::Mode::strict}),
                    InvalidInput);
}

// q_1 = 0 leaves q_0' + q_0 = f_0, whose acceleration f_0' - f_0 + q_0 only the multiplier sees.
ConstrainedModel multiplier_of_an_acceleration() {
  ConstrainedModel model{zero_system(2), {}, rows({{0, 1}}), {}, {}, {}, {}, {}, {}};
  model.system.M << 0, 1, 1, 0;
  model.system.C << 1, 0, 0, 0;
  model.system.K << 1, 0, 0, 0;
  model.load = [](double t) { return numbers({std::sin(t), 0.}); };
  return model;
}

BOOST_AUTO_TEST_CASE(a_multiplier_follows_accelerations_that_no_equation_has) {
  ConstrainedModel model = multiplier_of_an_acceleration();
  model.load_rate = [](double t) { return numbers({std::cos(t), 0.}); };
  const auto reduced = model.reduced();
  State state{1., Vector::Constant(1, 0.25)};
  const AssembledMotion lifted = reduced.lift(state);
  BOOST_TEST(lifted.displacement[0] == 0.25, boost::test_tools::tolerance(1e-14));
  const double q_2 = std::cos(1.) - std::sin(1.) + 0.25;
  BOOST_TEST(lifted.displacement[2] == -q_2, boost::test_tools::tolerance(1e-13));
  const OutputMap<EigenEngine> output(reduced, {{OutputQuantity::displacement, 2}});
  BOOST_TEST(output.evaluate(state)[0] == -q_2, boost::test_tools::tolerance(1e-13));
}

BOOST_AUTO_TEST_CASE(a_multiplier_that_needs_an_unknown_rate_is_refused) {
  const auto reduced = multiplier_of_an_acceleration().reduced();
  const State state{1., Vector::Constant(1, 0.25)};
  BOOST_CHECK_THROW(reduced.lift(state), NotAvailable);
  BOOST_CHECK_THROW(reduced.lift(state, numbers({1, 0, 0})), NotAvailable);
}

// q_1 = 0 leaves q_0 = f_0, whose rate or acceleration only the multiplier sees.
ConstrainedModel multiplier_of_an_algebraic_dof() {
  ConstrainedModel model{zero_system(2), {}, rows({{0, 1}}), {}, {}, {}, {}, {}, {}};
  model.system.K << 4, 0, 0, 0;
  model.load = [](double t) { return numbers({std::sin(t), 0.}); };
  model.load_rate = [](double t) { return numbers({std::cos(t), 0.}); };
  return model;
}

BOOST_AUTO_TEST_CASE(a_multiplier_follows_rates_of_algebraic_dofs_that_no_equation_has) {
  ConstrainedModel model = multiplier_of_an_algebraic_dof();
  model.system.C << 0, 2, 2, 0;
  const auto reduced = model.reduced();
  const State state{1., Vector()};
  const AssembledMotion lifted = reduced.lift(state);
  BOOST_TEST(lifted.displacement[0] == std::sin(1.) / 4, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(lifted.displacement[2] == -2 * std::cos(1.) / 4, boost::test_tools::tolerance(1e-13));
  BOOST_CHECK_EXCEPTION(reduced.lift(state, numbers({1, 0, 0})), NotAvailable, [](const NotAvailable& error) {
    return std::string(error.what()).find("depend on the rate of forces in addition to the load") !=
           std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(a_multiplier_of_the_acceleration_of_an_algebraic_dof_is_refused) {
  ConstrainedModel model = multiplier_of_an_algebraic_dof();
  model.system.M << 0, 2, 2, 0;
  const auto reduced = model.reduced();
  BOOST_CHECK_EXCEPTION(reduced.lift({1., Vector()}), NotAvailable, [](const NotAvailable& error) {
    return std::string(error.what()).find("depend on the second derivative of the load") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(what_is_prescribed_moves_as_prescribed) {
  // q_0 - q_1 = sin(2 t) with both masses on springs: one equation for q_1.
  ConstrainedModel model{two_masses(), {}, rows({{1, -1}}), {}, {}, {}, {}, {}, {}};
  const auto wave = [](double amplitude, double phase) -> TimeFunction {
    return [=](double t) { return numbers({amplitude * std::sin(2 * t + phase)}); };
  };
  const double quarter = std::acos(0.);
  model.motion = {wave(1, 0), wave(2, quarter), wave(4, 2 * quarter), {}};
  const auto reduced = model.reduced();
  const double t = 0.4, q = 0.2, v = -0.3;
  const ConsistentState state = consistent_state(reduced, numbers({q + std::sin(2 * t), q, 0}),
                                                 numbers({v + 2 * std::cos(2 * t), v, 0}), t);
  BOOST_TEST(state.report.n_changed == 0);
  const AssembledMotion lifted = reduced.lift(state);
  const double b = std::sin(2 * t), b_1 = 2 * std::cos(2 * t), b_2 = -4 * std::sin(2 * t);
  // (2 + 3) a = -(sum of C) v - (sum of K) q - columns of q_0 on b
  const double a = (-0.3 * v - 80 * q - 2 * b_2 - 0.2 * b_1 - 30 * b) / 5;
  BOOST_TEST(lifted.acceleration[1] == a, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(lifted.acceleration[0] == a + b_2, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(residual(reduced.assembled(), lifted, t) < 1e-12);
  const Vector read = OutputMap<EigenEngine>(reduced, {{OutputQuantity::displacement, 0},
                                                       {OutputQuantity::rate, 0},
                                                       {OutputQuantity::acceleration, 0}})
                          .evaluate(state);
  BOOST_TEST(read[0] == lifted.displacement[0], boost::test_tools::tolerance(1e-12));
  BOOST_TEST(read[1] == lifted.rate[0], boost::test_tools::tolerance(1e-12));
  BOOST_TEST(read[2] == lifted.acceleration[0], boost::test_tools::tolerance(1e-12));

  model.motion.acceleration = {};
  BOOST_CHECK_EXCEPTION(model.reduced(), InvalidInput, [](const InvalidInput& error) {
    return std::string(error.what()).find("need b''") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(prescribed_rates_are_taken) {
  // v_0 - v_1 = t^2.
  ConstrainedModel model{two_masses(), rows({{1, -1}}), {}, {}, {}, {}, {}, {}, {}};
  const auto power = [](double n, double factor) -> TimeFunction {
    return [=](double t) { return numbers({factor * std::pow(t, n)}); };
  };
  model.motion = {power(2, 1), power(1, 2), {}, {}};
  const auto reduced = model.reduced();
  const double t = 0.5;
  const ConsistentState state = consistent_state(reduced, numbers({0.4, 0.1, 0}), numbers({0.5, 0, 0}), t);
  const AssembledMotion lifted = reduced.lift(state);
  BOOST_TEST(lifted.displacement[0] == 0.4, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(lifted.displacement[1] == 0.1, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(lifted.rate[0] - lifted.rate[1] == 0.25, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(2 * lifted.rate[0] + 3 * lifted.rate[1] == 1., boost::test_tools::tolerance(1e-14));
  BOOST_TEST(lifted.acceleration[0] - lifted.acceleration[1] == 1., boost::test_tools::tolerance(1e-13));
  BOOST_TEST(2 * lifted.acceleration[0] + 3 * lifted.acceleration[1] ==
                 -0.2 * lifted.rate[0] - 0.1 * lifted.rate[1] - 30 * 0.4 - 50 * 0.1,
             boost::test_tools::tolerance(1e-13));
  BOOST_TEST(residual(reduced.assembled(), lifted, t) < 1e-13);
  model.motion.rate = {};
  BOOST_CHECK_THROW(model.reduced(), InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_hidden_constraint_moves_with_the_derivative_of_another) {
  // q_0 - q_1 = t^3 and v_0 - v_1 + q_0 - q_2 = 1/2: hence q_0 - q_2 = 1/2 - 3 t^2, whose accelerations need
  // b'''.
  ConstrainedModel model{
      zero_system(3), rows({{0, 0, 0}, {1, -1, 0}}), rows({{1, -1, 0}, {1, 0, -1}}), {}, {}, {}, {}, {}, {}};
  model.system.M.diagonal() << 1, 2, 4;
  model.system.K.diagonal() << 10, 20, 40;
  const auto power = [](double n, double factor, double second) -> TimeFunction {
    return [=](double t) { return numbers({factor * std::pow(t, n), second}); };
  };
  model.motion = {power(3, 1, 0.5), power(2, 3, 0), power(1, 6, 0), power(0, 6, 0)};
  const auto reduced = model.reduced();
  BOOST_TEST(reduced.constraints().n_hidden == 1);
  const double t = 0.5;
  const AssembledMotion lifted = reduced.lift(consistent_state(reduced, Vector::Zero(5), Vector::Zero(5), t));
  const auto differences = [](const Vector& x) { return numbers({x[0] - x[1], x[0] - x[2]}); };
  BOOST_TEST((differences(lifted.displacement) - numbers({0.125, -0.25})).norm() < 1e-14);
  BOOST_TEST((differences(lifted.rate) - numbers({0.75, -3})).norm() < 1e-14);
  BOOST_TEST((differences(lifted.acceleration) - numbers({3, -6})).norm() < 1e-13);
  // Reactions do no work on the common motion: sum of M q'' + K q is zero.
  BOOST_TEST(std::abs(numbers({1, 2, 4}).dot(lifted.acceleration.head(3)) +
                      numbers({10, 20, 40}).dot(lifted.displacement.head(3))) < 1e-12);
  model.motion.jerk = {};
  BOOST_CHECK_THROW(model.reduced(), InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_link_to_a_moving_support_follows_it) {
  // DoF 2 is a support that moves; the link holds q_0 to it.
  ConstrainedModel model{zero_system(3), {}, rows({{1, 0, -1}}), {}, {}, {}, {}, {2}, {}};
  model.system.M.topLeftCorner(2, 2) = two_masses().M;
  model.system.K.topLeftCorner(2, 2) = two_masses().K;
  const auto power = [](double n, double factor) -> TimeFunction {
    return [=](double t) { return numbers({factor * std::pow(t, n)}); };
  };
  model.prescribed = {power(3, 1), power(2, 3), power(1, 6), power(0, 6)};
  const auto reduced = model.reduced();
  const double t = 0.5;
  const AssembledMotion lifted = reduced.lift(
      consistent_state(reduced, numbers({0.125, 0.3, 0.125, 0}), numbers({0.75, 0, 0.75, 0}), t));
  BOOST_TEST(lifted.displacement[0] == 0.125, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(lifted.rate[0] == 0.75, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(lifted.acceleration[0] == 3., boost::test_tools::tolerance(1e-14));
  BOOST_TEST(lifted.acceleration[1] == (20 * 0.125 - 70 * 0.3) / 3, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(residual(reduced.assembled(), lifted, t) < 1e-13);
}

BOOST_AUTO_TEST_CASE(a_load_on_a_multiplier_is_no_right_side) {
  DenseSystem system = zero_system(3);
  system.M.diagonal() << 2, 3, 0;
  system.K.topLeftCorner(2, 2) = two_masses().K;
  system.K.block(2, 0, 1, 2) << 1, -1;
  system.K.block(0, 2, 2, 1) << 1, -1;
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.load = [](double) { return numbers({0, 0, 1}); };
  const auto reduced = reduce(AssembledSystem<EigenEngine>(description));
  BOOST_CHECK_THROW(reduced.linear_load(0), NotAvailable);
}

BOOST_AUTO_TEST_SUITE_END()
