// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/trajectory.h>

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include "nonsmooth_models.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// Everything stays where it is: nothing but rounding moves, and that is neither a violation nor an event.
template <class Method>
void check_stays(const NonsmoothModel<>& model, const Vector& displacement, const Vector& reactions) {
  const bool chooses_steps = std::is_same_v<Method, EventDriven<EigenEngine>>;
  for (const double step : chooses_steps ? std::vector<double>{0.} : std::vector<double>{1e-3, 7e-4, 1e-2}) {
    NonsmoothState state = model.start(displacement, Vector::Zero(displacement.size()));
    const std::vector<ContactState> contacts = state.contacts;
    Trajectory trajectory;
    BOOST_TEST_CONTEXT("step " << step) {
      verified_run(with_step<Method>(model, step), state, 0.6, std::ref(trajectory));
      BOOST_TEST(trajectory.events.size() == 0u);
      BOOST_TEST((state.contacts == contacts));
      BOOST_TEST((state.r - reactions).norm() <= 1e-9 * reactions.norm());
      for (const NonsmoothState& point : trajectory.points)
        BOOST_REQUIRE((point.contacts == contacts));
      BOOST_TEST((model.displacement(state) - displacement).norm() <= 1e-12);
    }
  }
}

template <class... Methods>
void check_all_stay(const NonsmoothModel<>& model, const Vector& displacement, const Vector& reactions) {
  (check_stays<Methods>(model, displacement, reactions), ...);
}

/// @param n masses one on the other, the lowest on a floor at this height
NonsmoothModel<> stack(Index n, double floor, double gravity) {
  DenseSystem system = empty_system(n);
  std::vector<Inclusion> contacts = {inclusion("floor", contact(floor, 0.), on(0))};
  for (Index i = 0; i < n; ++i) {
    system.M(i, i) = 1. + 0.7 * static_cast<double>(i);
    if (i > 0)
      contacts.push_back(
          inclusion("contact " + std::to_string(i), contact(0., 0.), Direction({{i, 1.}, {i - 1, -1.}})));
  }
  const Vector weight = -gravity * system.M.diagonal();
  return NonsmoothModel<>(system, contacts, [weight](double) { return weight; });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(at_rest)

BOOST_AUTO_TEST_CASE(a_mass_lies_on_a_floor) {
  for (const double gravity : {10., 9.81, 1e-6})
    check_all_stay<MoreauJean<EigenEngine>, NonsmoothAlpha<EigenEngine>, NonsmoothEuler<EigenEngine>,
                   EventDriven<EigenEngine>>(one_dof(1., 0., 0., contact(0., 0.), -gravity), one(0.),
                                             one(gravity));
}

BOOST_AUTO_TEST_CASE(a_mass_on_a_spring_lies_on_a_floor) {
  check_all_stay<MoreauJean<EigenEngine>, NonsmoothAlpha<EigenEngine>, NonsmoothEuler<EigenEngine>,
                 EventDriven<EigenEngine>>(one_dof(2., 0.3, 40., contact(-0.1, 0.), -10.), one(-0.1),
                                           one(6.));
}

BOOST_AUTO_TEST_CASE(stacks_of_masses_stay_together) {
  for (const double floor : {0., 0.1}) {
    const NonsmoothModel<> model = stack(3, floor, 9.81);
    check_all_stay<MoreauJean<EigenEngine>, NonsmoothAlpha<EigenEngine>, EventDriven<EigenEngine>>(
        model, Vector::Constant(3, floor), 9.81 * vector_of({5.1, 4.1, 2.4}));
  }
}

BOOST_AUTO_TEST_CASE(nodes_without_mass_are_held) {
  check_all_stay<MoreauJean<EigenEngine>, NonsmoothAlpha<EigenEngine>, NonsmoothEuler<EigenEngine>,
                 EventDriven<EigenEngine>>(one_dof(0., 0., 3., contact(0.), -10.), one(0.), one(10.));
  check_all_stay<MoreauJean<EigenEngine>, NonsmoothAlpha<EigenEngine>, NonsmoothEuler<EigenEngine>,
                 EventDriven<EigenEngine>>(one_dof(0., 0.7, 3., contact(0.), -10.), one(0.), one(10.));
  for (const double c : {0., 0.7})
    check_all_stay<MoreauJean<EigenEngine>, NonsmoothAlpha<EigenEngine>, NonsmoothEuler<EigenEngine>,
                   EventDriven<EigenEngine>>(one_dof(0., c, 3., friction(-2., 2.), 1.3), one(0.), one(-1.3));
}

BOOST_AUTO_TEST_CASE(a_mass_that_nothing_touches_hangs_on_its_spring) {
  check_all_stay<MoreauJean<EigenEngine>, NonsmoothAlpha<EigenEngine>, NonsmoothEuler<EigenEngine>,
                 EventDriven<EigenEngine>>(one_dof(1., 0., 3., contact(-1., 0.), 1.), one(1. / 3), one(0.));
}

// What is held back is judged by its own rounding: it must not make others look exact.
BOOST_AUTO_TEST_CASE(a_light_node_at_rest_hides_no_loss_of_energy_elsewhere) {
  DenseSystem system = empty_system(2);
  system.M.diagonal() << 1., 1e-10;
  system.K(0, 0) = 1;
  const NonsmoothModel<> model(system, {inclusion("floor", contact(0., 0.), on(1))}, [](double) {
    return vector_of({0., -10.});
  });
  NonsmoothState state = model.start(vector_of({1., 0.}), Vector::Zero(2));
  NonsmoothEuler<EigenEngine> integrator(model.inclusions, model.outcome, 1e-2);
  Verification<EigenEngine> verification(integrator);
  integrator.run(state, 10., std::ref(verification));
  const double lost = 1 - std::exp(-0.1);  // of implicit Euler, h t = 0.1
  BOOST_TEST(verification.report()[Check::energy].value == lost, boost::test_tools::tolerance(0.03));
  check_kept(integrator, verification.report());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    what_is_pulled_off_opens, Method,
    decltype(boost::mpl::list<MoreauJean<EigenEngine>, NonsmoothAlpha<EigenEngine>>())) {
  DenseSystem system = empty_system(1);
  system.M(0, 0) = 1;
  for (const double slope : {10., 1e-3}) {
    const NonsmoothModel<> model(system, {inclusion("floor", contact(0., 0.), on(0))},
                                 [slope](double t) { return vector_of({slope * (t - 0.5)}); });
    NonsmoothState state = model.at_rest();
    Trajectory trajectory;
    verified_run(with_step<Method>(model, 1e-3), state, 1., std::ref(trajectory));
    BOOST_REQUIRE(trajectory.events.size() == 1u);
    BOOST_TEST((trajectory.events[0].after == ContactState::open));
    BOOST_TEST(std::abs(trajectory.events[0].end - 0.5) < 3e-3);
    BOOST_TEST(state.g[0] == slope * std::pow(0.5, 3) / 6, boost::test_tools::tolerance(0.02));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_follows_a_held_mass_stays, Method,
                              decltype(boost::mpl::list<NonsmoothEuler<EigenEngine>, MoreauJean<EigenEngine>,
                                                        NonsmoothAlpha<EigenEngine>>())) {
  // Friction holds the load of the mass but for rounding, and DoF 1, which has no load, follows by a spring.
  DenseSystem system = empty_system(2);
  system.M(0, 0) = 1;
  system.C.diagonal() << 0.5, 1;
  system.K << 1.5, -1, -1, 1.5;
  const NonsmoothModel<> model(
      system, {inclusion("brake", friction(-4., 4.), on(0)), inclusion("pad", friction(-1., 1.), on(1))},
      [](double t) {
        return vector_of({2.5 * std::sin(2.9 * t), 0.});
      });
  NonsmoothState state = model.at_rest();
  verified_run(with_step<Method>(model, 1e-3), state, 4.);
  BOOST_TEST(model.displacement(state).norm() < 1e-15);
}

BOOST_AUTO_TEST_CASE(a_weak_strike_on_a_loaded_contact_is_an_impact) {
  const NonsmoothModel<> model =
      one_dof(1., 0., 0., contact(ScalarFunction::expression("1e-3*max(0, t - 0.5)"), 0.5), -10.);
  NonsmoothState state = model.start(one(0.), one(0.));
  Trajectory trajectory;
  EventDriven<EigenEngine>(model.inclusions, model.outcome, {}).run(state, 0.6, std::ref(trajectory));
  const std::vector<ContactEvent> impacts = impacts_of(trajectory.events);
  BOOST_REQUIRE(impacts.size() >= 1u);
  BOOST_TEST(impacts[0].begin == 0.5, boost::test_tools::tolerance(1e-7));
  BOOST_TEST(impacts[0].w_before[0] == -1e-3, boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(a_contact_opens_as_slowly_as_the_fifth_power_of_time) {
  // A load that rises from zero pulls a mass, which pulls the next one off its stop.
  DenseSystem system = empty_system(2);
  system.M.diagonal() << 1., 0.5;
  system.C.diagonal() << 0.5, 0.5;
  system.K << 5., -4., -4., 4.5;
  const ScalarFunction load = ScalarFunction::table({0, 2, 4}, {0, 3.38, 1.65});
  const NonsmoothModel<> model(system, {inclusion("stop", contact(0., 0.), on(1))}, [=](double t) {
    return vector_of({load(t), 0.});
  });
  NonsmoothState state = model.at_rest();
  std::size_t n = 0;
  verified_run(EventDriven<EigenEngine>(model.inclusions, model.outcome), state, 1.,
               [&](const auto&) { ++n; });
  BOOST_TEST(n < 200u);
  BOOST_TEST(model.displacement(state)[1] > 0);
}

BOOST_AUTO_TEST_SUITE_END()
