// SPDX-License-Identifier: LGPL-2.1-or-later
// What friction and contacts hold where it is, and how such runs are verified.
#include <halfdof/inclusions/laws.h>

#include <boost/test/unit_test.hpp>

#include "event_driven_runs.h"
#include "nonlinear_inclusions.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

std::shared_ptr<const Law> rubber(double threshold, const ScalarFunction& support = 0.) {
  return std::make_shared<const StVenantElement>(threshold, support);
}

/// Rows at ten intervals of a second; every step is verified.
template <class Model>
VerificationReport run_by_rows(const Model& model, NonsmoothState& state, const ScalarFunction& load) {
  EventDrivenOptions options;
  options.functions = {load};
  Events events(model.inclusions, model.outcome, options);
  Verification<EigenEngine> verification(events);
  for (int row = 1; row <= 40; ++row)
    events.run(state, 0.1 * row, std::ref(verification));
  check_kept(events, verification.report());
  return verification.report();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(event_driven_held)

BOOST_AUTO_TEST_CASE(what_friction_holds_under_a_changing_load_moves_by_nothing_in_every_unit) {
  // Reactions balance the load at every instant, so that displacements are seen at the same instant as these.
  for (const int power : {-40, 0, 40})
    for (const double cubic : {0., 8.}) {
      const double length = std::pow(2., power), force = std::pow(2., -power);
      DenseSystem system = empty_system(1);
      system.K(0, 0) = 0.5 * force / length;
      const ScalarFunction load = ScalarFunction::table(
          {0, 2. / 3, 4. / 3, 2, 8. / 3, 10. / 3, 4},
          {0, -2.45 * force, 1.72 * force, 2.49 * force, 2.53 * force, 1.33 * force, 1.03 * force});
      const std::vector<Inclusion> play = {inclusion("rubber", rubber(3 * force), on(0))};
      const NonlinearModel model(assemble(system, {{{0, -1, cubic * force / std::pow(length, 3), 0.}}, {}},
                                          [load](double t) { return one(load(t)); }),
                                 play);
      NonsmoothState state = model.start(one(0.), one(0.));
      const VerificationReport report = run_by_rows(model, state, load);
      BOOST_TEST(report[Check::kinematics].value == 0., power << ", " << cubic);
      BOOST_TEST(report[Check::dissipated].value == 0., power << ", " << cubic);
      BOOST_TEST(std::abs(model.displacement(state)[0]) < 1e-12 * length);
    }
}

BOOST_AUTO_TEST_CASE(a_reaction_that_acts_within_one_step_alone_is_judged_by_its_size_there) {
  // A stop that strikes at the start pushes a mass of 2 kg for 34 ms, and lets go of it at the end of the
  // step.
  DenseSystem system = empty_system(1);
  system.M(0, 0) = 2;
  system.C(0, 0) = 0.5;
  system.K(0, 0) = 2;
  const ScalarFunction load = ScalarFunction::table({0, 4. / 3, 8. / 3, 4}, {0, 2.85, 2.77, -3}),
                       belt = ScalarFunction::table({0, 4. / 3, 8. / 3, 4}, {0, -0.36, 0.43, -0.36});
  const NonsmoothModel<> model(
      system,
      {inclusion("stop", contact(ScalarFunction::expression("0.19134271040125506*sin(4.044595653937536*t)")),
                 on(0)),
       inclusion("rubber", rubber(0.5, belt), on(0))},
      [=](double t) { return one(load(t)); });
  NonsmoothState state = model.at_rest();
  BOOST_TEST(run_by_rows(model, state, load)[Check::reaction].value < 1e-11);
}

BOOST_AUTO_TEST_CASE(a_play_rests_where_a_contact_holds_its_node_on_a_cubic_spring) {
  // The gap of the contact is zero to the tolerance of the iteration for the spring alone.
  DenseSystem system = empty_system(3);
  system.M(0, 0) = 1;
  system.C.diagonal() << 0.5, 1., 0.;
  system.K << 6., -4., 0., -4., 5.5, -1., 0., -1., 1.5;
  const ScalarFunction load = ScalarFunction::table({0, 1, 2, 3, 4}, {0, -3.21, 1.21, -3.92, -2.27});
  const NonlinearModel model(
      assemble(system, {{{2, -1, 0.5, 0.}}, {}},
               [load](double t) {
                 return vector_of({0., 0., load(t)});
               }),
      {inclusion("rubber", rubber(2.), on(2)), inclusion("stop", contact(-0.1), on(2))});
  NonsmoothState state = model.start(Vector::Zero(3), Vector::Zero(3));
  run_by_rows(model, state, load);
  BOOST_TEST(state.time == 4.);
  BOOST_TEST(std::abs(model.displacement(state)[2] + 0.1) < 1e-9);
}

BOOST_AUTO_TEST_SUITE_END()
