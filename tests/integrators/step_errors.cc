// SPDX-License-Identifier: LGPL-2.1-or-later
// The error of a time step, VerificationReport::step_error, beside the error of the motion.
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>

#include <boost/test/unit_test.hpp>

#include "event_driven_runs.h"
#include "nonlinear_inclusions.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// Of four seconds.
template <class Method>
double step_error(Method&& method, NonsmoothState state) {
  Verification<EigenEngine> verification(method);
  method.run(state, 4., std::ref(verification));
  return verification.report().step_error.value;
}

using Euler = NonsmoothEuler<EigenEngine>;
using Jean = MoreauJean<EigenEngine>;

}  // namespace

BOOST_AUTO_TEST_SUITE(step_errors)

BOOST_AUTO_TEST_CASE(steps_err_by_nothing_where_contacts_hold_a_body_under_a_load_with_kinks) {
  // It heaves and rocks on three feet, one of which is redundant; only reactions are of first order in the
  // step.
  DenseSystem system = empty_system(2);
  system.M.diagonal() << 1., 0.5;
  system.C.diagonal() << 0.5, 0.5;
  system.K.diagonal() << 2., 1.;
  std::vector<Inclusion> feet;
  for (const double x : {-1., 0., 1.})
    feet.push_back(inclusion("foot at " + std::to_string(x), contact(), Direction({{0, 1.}, {1, x}})));
  const ScalarFunction down = ScalarFunction::table({0, 0.51, 4}, {0, -2, -3});
  const NonsmoothModel<> model(system, feet, [=](double t) {
    return vector_of({down(t), -0.3 * down(t) * std::sin(3 * t)});
  });
  BOOST_TEST(step_error(Euler(model.inclusions, model.outcome, 0.01), model.at_rest()) < 1e-9);
  BOOST_TEST(step_error(Jean(model.inclusions, model.outcome, 0.01), model.at_rest()) < 1e-9);
}

BOOST_AUTO_TEST_CASE(errors_of_viscous_dofs_are_relative_to_their_way) {
  // The first step of implicit Euler goes h^2 F'/2 too far; the way is of the order F / (c omega).
  DenseSystem system = empty_system(1);
  system.C(0, 0) = 1;
  system.K(0, 0) = 2;
  const NonsmoothModel<> model(system, {inclusion("pad", friction(-0.1, 0.1), on(0))},
                               [](double t) { return one(3.3 * std::sin(3.5 * t)); });
  const auto by_euler = [&](double h) {
    return step_error(Euler(model.inclusions, model.outcome, h), model.at_rest());
  };
  BOOST_TEST(by_euler(0.004) < 1e-3);
  BOOST_TEST(by_euler(0.004) > 1e-5);
  BOOST_TEST(std::abs(by_euler(0.004) / by_euler(0.002) - 4) < 0.2);
  BOOST_TEST(by_euler(0.2) > 0.02);
}

BOOST_AUTO_TEST_CASE(what_has_no_inertia_may_jump_within_a_step_but_a_dip_of_its_threshold_is_seen) {
  // The spring moves its end at a jump of the threshold, wherever in the step that is. A dip of the threshold
  // lets the end go, too, but both ends of the step show nothing.
  DenseSystem system = empty_system(1);
  system.K(0, 0) = 10;
  ScalarFunction load = ScalarFunction::expression("8*sin(3*t)");
  const auto error = [&](const std::string& threshold, bool by_euler) {
    const auto law = std::make_shared<const StVenantElement>(ScalarFunction::expression(threshold));
    const NonsmoothModel<> model(system, {inclusion("pad", law, on(0))},
                                 [load](double t) { return one(load(t)); });
    return by_euler ? step_error(Euler(model.inclusions, model.outcome, 1e-3), model.at_rest())
                    : step_error(Jean(model.inclusions, model.outcome, 1e-3), model.at_rest());
  };
  for (const bool by_euler : {true, false}) {
    for (const std::string jump : {"1 - 0.5*(t > 0.5)", "1 - 0.5*(t > 0.5003)"})
      BOOST_TEST(error(jump, by_euler) < 1e-9, jump);
    BOOST_TEST(error("1 + 2*(t > 0.5003)", by_euler) < 0.01);
    BOOST_TEST(error("1 - 0.9*exp(-((t - 0.5005)/0.0001)^2)", by_euler) > 0.5);
    BOOST_TEST(error("1 - 0.5*(t > 0.5003)*(t < 0.5006)", by_euler) > 0.4);
  }
  // The load falls within the step, too, so that no reaction at its ends shows the slip.
  load = ScalarFunction::table({0, 0.4, 0.5, 0.501, 4}, {0, 0.95, 0.95, 0.05, 0.05});
  for (const bool by_euler : {true, false})
    BOOST_TEST(error("1 - 0.65*(t > 0.5001)*(t < 0.5003)", by_euler) > 0.3);
}

BOOST_AUTO_TEST_CASE(long_steps_with_a_state_force_err_by_what_they_do) {
  DenseSystem system = empty_system(1);
  system.C(0, 0) = 1;
  system.K(0, 0) = 2;
  const NonlinearModel model(
      assemble(system, {{{0, -1, 8., 1.}}, {}}, [](double t) { return one(1.24 * std::sin(t)); }),
      {inclusion("pad", friction(-0.1, 0.1), on(0))});
  BOOST_TEST(step_error(Events(model.inclusions, model.outcome), model.start(one(0.), one(0.))) < 1e-6);
}

BOOST_AUTO_TEST_CASE(a_pulse_between_steps_counts_where_the_mass_rests_under_friction) {
  DenseSystem system = empty_system(1);
  system.M(0, 0) = 1;
  system.K(0, 0) = 100;
  for (const double threshold : {0.1, 1e4}) {
    const NonsmoothModel<> model(system, {inclusion("pad", friction(-threshold, threshold), on(0))},
                                 [](double t) { return one(t > 0.5021 && t < 0.5031 ? 500. : 0.); });
    MoreauJean<EigenEngine> method(model.inclusions, model.outcome, 1e-2);
    Verification<EigenEngine> verification(method);
    NonsmoothState state = model.at_rest();
    method.run(state, 1., std::ref(verification));
    const double error = verification.report().step_error.value;
    BOOST_TEST((threshold < 1 ? error > 0.5 : error == 0), threshold << ": " << error);
  }
}

BOOST_AUTO_TEST_SUITE_END()
