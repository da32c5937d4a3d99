// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>

#include <boost/test/unit_test.hpp>

#include "event_driven_runs.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

std::shared_ptr<const Law> rubber(double threshold) {
  return std::make_shared<const StVenantElement>(threshold);
}

/// The run ends, passes its verification, and implicit Euler comes near its end.
std::size_t n_events_of(const NonsmoothModel<>& model, double end) {
  NonsmoothState state = model.at_rest(), other = state;
  const Trajectory trajectory = run(model, state, end);
  NonsmoothEuler<EigenEngine>(model.inclusions, model.outcome, 1e-4).run(other, end, [](const auto&) {});
  const Vector q = model.displacement(state), expected = model.displacement(other);
  BOOST_TEST((q - expected).norm() < 2e-3 * (1 + expected.norm()));
  return trajectory.events.size();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(event_driven_redundant)

BOOST_AUTO_TEST_CASE(a_body_rocks_on_three_contacts_with_and_without_mass) {
  // It heaves and rocks; two contacts hold the third one at a gap of zero, in which rounding is no event.
  for (const bool has_mass : {true, false}) {
    DenseSystem system = empty_system(2);
    if (has_mass) system.M.diagonal() << 1., 0.5;
    system.C.diagonal() << 0.5, 0.5;
    system.K.diagonal() << 2., 1.;
    std::vector<Inclusion> feet;
    for (const double x : {-1., 0., 1.})
      feet.push_back(inclusion("foot at " + std::to_string(x), contact(), Direction({{0, 1.}, {1, x}})));
    const ScalarFunction down = ScalarFunction::table({0, 0.5, 4}, {0, -2, -3});
    const NonsmoothModel<> model(system, feet, [=](double t) {
      return vector_of({down(t), 2.885616778583211 * std::sin(2.828622301693284 * t)});
    });
    BOOST_TEST(n_events_of(model, 4.) < 40u);
  }
}

BOOST_AUTO_TEST_CASE(friction_and_a_contact_share_a_viscous_node) {
  // Both hold it, and friction reaches its bound before the contact lets go.
  DenseSystem system = empty_system(2);
  system.M(0, 0) = 1;
  system.C.diagonal() << 0.5, 1.;
  system.K << 7., -6., -6., 10.;
  const ScalarFunction load =
      ScalarFunction::table({0, 0.8, 1.6, 2.4, 3.2, 4}, {0, 3.17, 0.82, -1.06, -3.05, 0.48});
  const NonsmoothModel<> model(
      system, {inclusion("rubber", rubber(1.5), on(1)), inclusion("stop", contact(-0.1), on(1))},
      [=](double t) {
        return vector_of({load(t), 0.});
      });
  BOOST_TEST(n_events_of(model, 4.) < 20u);
}

BOOST_AUTO_TEST_CASE(a_play_beside_friction_on_a_mass_waits_for_its_load) {
  // The reaction of the play is zero for as long as the mass sticks, whatever that of the mass is.
  DenseSystem system = empty_system(3);
  system.M.diagonal() << 1., 2., 0.;
  system.C.diagonal() << 0.5, 0.5, 0.;
  system.K << 3., -2., 0., -2., 8., -2., 0., -2., 4.;
  const ScalarFunction load = ScalarFunction::table({0, 4. / 3, 8. / 3, 4}, {0, 2.18, -3.81, -2.94});
  const NonsmoothModel<> model(
      system,
      {inclusion("slide", rubber(0.25), on(1)), inclusion("play", rubber(0.25), on(2)),
       inclusion("stop", contact(-0.1), on(2))},
      [=](double t) {
        return vector_of({load(t), 0., 0.});
      });
  BOOST_TEST(n_events_of(model, 4.) < 20u);
}

BOOST_AUTO_TEST_CASE(a_row_and_a_kink_that_differ_by_rounding_are_one_instant) {
  // 24 times 0.1 is later than 2.4 by the last digit. The play slips on, and its rate within is rounding.
  DenseSystem system = empty_system(3);
  system.M(2, 2) = 2;
  system.C(2, 2) = 0.5;
  system.K << 5., -4., 0., -4., 13., -5., 0., -5., 9.;
  const ScalarFunction load = ScalarFunction::table({0, 4. / 3, 8. / 3, 4}, {0, -2.57, -0.95, 0.75}),
                       floor = ScalarFunction::table({0, 0.8, 1.6, 2.4, 3.2, 4},
                                                     {0, -0.03, -0.13, 0.04, -0.16, -0.2}),
                       belt = ScalarFunction::table({0, 2. / 3, 4. / 3, 2, 8. / 3, 10. / 3, 4},
                                                    {0, 0.19, -0.41, 0.26, -0.14, 0.05, 0.14});
  const NonsmoothModel<> model(
      system,
      {inclusion("stop", contact(floor), on(2)),
       inclusion("play", std::make_shared<const StVenantElement>(2., belt), on(1))},
      [=](double t) {
        return vector_of({2.9534540370780875 * std::sin(3.422026095471299 * t), load(t), 0.});
      });
  NonsmoothState state = model.at_rest();
  Events events(model.inclusions, model.outcome);
  for (int row = 1; row <= 40; ++row)
    events.run(state, 0.1 * row, [](const auto&) {});
  BOOST_TEST(state.time == 4.);
}

BOOST_AUTO_TEST_SUITE_END()
