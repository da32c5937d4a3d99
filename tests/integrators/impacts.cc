// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/gaps_without_penetration.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/integrators/verification/energy.h>
#include <halfdof/integrators/verification/verification.h>

#include <boost/test/unit_test.hpp>

#include "nonsmooth_models.h"
#include <functional>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

using Jean = MoreauJean<EigenEngine>;
using Alpha = NonsmoothAlpha<EigenEngine>;

/// What the laws have taken when a run ends, its energy balance, and the largest violation of both.
struct Account {
  double dissipated, balance, checked;
};

/// A unit mass that flies with speed 1 against a wall.
template <class Options, class Method>
Account account_of(double e, const Options& options, double step) {
  const NonsmoothModel<> model = one_dof(1., 0., 0., contact(0., e));
  NonsmoothState state = model.start(one(0.5), one(-1.));
  Method integrator(model.inclusions, model.outcome, step, options);
  EnergyBalance<EigenEngine> balance(model.inclusions.reduced());
  Verification<EigenEngine> check(integrator);
  verified_run(integrator, state, 1., [&](const auto& now) {
    balance(now);
    check(now);
  });
  return {state.dissipated, balance.defect(), check.report()[Check::dissipated].value};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(impacts)

BOOST_AUTO_TEST_CASE(an_impact_takes_the_energy_of_its_restitution_whatever_the_method_damps) {
  const double e = 0.5, taken = 0.5 * (1 - e * e);
  for (const double step : {0.03, 1e-3}) {
    for (const double rho : {0., 0.5, 0.8, 1.}) {
      const Account account = account_of<NonsmoothAlphaOptions, Alpha>(e, {rho}, step);
      BOOST_TEST(std::abs(account.dissipated - taken) < 1e-12, "rho " << rho << ": " << account.dissipated);
      BOOST_TEST(std::abs(account.balance) < 1e-12);
      BOOST_TEST(account.checked < 1e-12);
    }
    for (const double theta : {0.5, 0.7, 1.}) {
      const Account account = account_of<MoreauJeanOptions, Jean>(e, {theta}, step);
      BOOST_TEST(std::abs(account.dissipated - taken) < 1e-12,
                 "theta " << theta << ": " << account.dissipated);
      BOOST_TEST(std::abs(account.balance) < 1e-12);
      BOOST_TEST(account.checked < 1e-12);
    }
  }
}

BOOST_AUTO_TEST_CASE(located_impacts_balance_energy) {
  // Two bounces on a floor that moves: steps are long, and end at the impacts.
  const NonsmoothModel<> model =
      one_dof(2., 0., 0., contact(ScalarFunction::expression("-0.1*t"), 0.7), -2 * 9.81);
  NonsmoothState state = model.start(one(1.), one(0.));
  EnergyBalance<EigenEngine> balance(model.inclusions.reduced());
  verified_run(EventDriven<EigenEngine>(model.inclusions, model.outcome), state, 1.2, std::ref(balance));
  BOOST_TEST(state.dissipated > 1.);
  BOOST_TEST(std::abs(balance.defect()) < 1e-9);
}

BOOST_AUTO_TEST_CASE(contacts_that_masses_and_a_massless_node_decide_together_are_refused) {
  // Two masses meet at a massless node from both sides.
  DenseSystem system = empty_system(3);
  system.M(0, 0) = system.M(1, 1) = 1;
  system.K(2, 2) = 1;
  const NonsmoothModel<> model(system, {inclusion("left", contact(0., 1.), Direction({{2, 1.}, {0, -1.}})),
                                        inclusion("right", contact(0., 1.), Direction({{1, 1.}, {2, -1.}}))});
  BOOST_TEST(!model.outcome.directions_in(ReducedLaw::measure_inclusion).empty());
  BOOST_CHECK_EXCEPTION(Jean(model.inclusions, model.outcome, 0.01), NotAvailable, [](const auto& error) {
    return std::string(error.what()).find("massless node") != std::string::npos;
  });
  BOOST_CHECK_THROW(Alpha(model.inclusions, model.outcome, 0.01), NotAvailable);
}

BOOST_AUTO_TEST_CASE(what_supports_carry_is_of_second_order) {
  // Carried by a belt that accelerates, and shaken by it.
  const auto error_of = [](const NonsmoothModel<>& model, const auto& exact) {
    return [&model, exact](double step) {
      NonsmoothState state = model.start(one(exact(0.)[0]), one(exact(0.)[1]));
      verified_run(Jean(model.inclusions, model.outcome, step), state, 1.);
      return (state.y - exact(1.)).norm();
    };
  };
  const NonsmoothModel<> carried =
      one_dof(1., 0., 0., friction(-9., 9., ScalarFunction::expression("0.5*t^2")));
  BOOST_TEST(error_of(carried, [](double t) { return Vector(Eigen::Vector2d(0.5 * t * t, t)); })(0.01) <
             1e-12);
  const NonsmoothModel<> shaken =
      one_dof(1., 0., 0., friction(-9., 9., ScalarFunction::expression("sin(2*t)")));
  const auto error = error_of(
      shaken, [](double t) { return Vector(Eigen::Vector2d(std::sin(2 * t), 2 * std::cos(2 * t))); });
  BOOST_TEST(std::abs(observed_order(error, 0.02) - 2) < 0.1);
}

BOOST_AUTO_TEST_CASE(a_kink_inside_a_step_throws_nothing_into_the_air) {
  // A floor that begins to rise at 1 m/s, at any place of a step: whatever overshoots would fly for half a
  // second.
  for (const double kink : {0.5, 0.501, 0.5025, 0.505, 0.5075, 0.509}) {
    const NonsmoothModel<> model =
        one_dof(2., 0., 0., contact(ScalarFunction::table({0., kink, 2.}, {0., 0., 2. - kink}), 0.), -2 * 4.);
    NonsmoothState state = model.start(one(0.), one(0.));
    double highest = 0;
    verified_run(Jean(model.inclusions, model.outcome, 0.01), state, 1.5,
                 [&](const auto& now) { highest = std::max(highest, now.state().g[0]); });
    BOOST_TEST(highest < 0.01, "kink at " << kink << ": " << highest);
    BOOST_TEST(std::abs(state.w[0]) < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(rates_of_supports_are_exact_for_parabolas_and_lie_between_both_slopes_of_a_kink) {
  const auto rates_of = [](const ScalarFunction& motion, double begin, double end) {
    const NonsmoothModel<> model = one_dof(1., 0., 0., friction(-1., 1., motion));
    const PrescribedStep step = prescribed_step(model.inclusions, begin, end);
    return std::pair<double, double>(-step.begin_rate[0], -step.end_rate[0]);
  };
  const auto parabola = rates_of(ScalarFunction::expression("3 - 2*t + 5*t^2"), 0.3, 0.5);
  BOOST_TEST(std::abs(parabola.first - 1) < 1e-12);
  BOOST_TEST(std::abs(parabola.second - 3) < 1e-12);
  for (int k = 1; k < 100; ++k) {
    const auto bent =
        rates_of(ScalarFunction::table({0., 1. + k / 100., 3.}, {0., 0., 2. - k / 100.}), 1., 2.);
    BOOST_TEST((bent.first > -1e-12 && bent.second < 1 + 1e-12), "kink at " << k << " %: " << bent.second);
  }
  const auto begins = rates_of(ScalarFunction::table({0., 1., 2.}, {0., 0., 7.}), 1., 1.5);
  BOOST_TEST(std::abs(begins.first - 7) < 1e-12);
  const auto rests = rates_of(ScalarFunction(2.), 1., 1.5);
  BOOST_TEST((rests.first == 0 && rests.second == 0));
}

BOOST_AUTO_TEST_CASE(a_body_that_rocks_about_a_sunken_foot_lands_flat_on_the_others) {
  // Heave and rocking of a body on three feet. It comes to rest whenever it lands flat; where one foot
  // strikes a step before the other, the body rocks on. Under the second load the foot lifts by 2e-5 before
  // the others land, less than it has sunk in.
  DenseSystem system = empty_system(2);
  system.M.diagonal() << 1., 0.5;
  system.C.diagonal() << 0.5, 0.5;
  system.K.diagonal() << 2., 1.;
  const auto foot = [](double x) {
    std::vector<WeightedDoF> entries = {{0, 1.}};
    if (x != 0) entries.push_back({1, x});
    return Direction(entries);
  };
  const std::vector<std::function<Vector(double)>> loads = {
      [](double t) {
        return vector_of({-std::min(4 * t, 2.), 2.722377613463988 * std::sin(1.8714061821575818 * t)});
      },
      [](double t) {
        return vector_of({-std::min(4 * t, 2.), 2.8789100511360566 * std::sin(3.688147662538735 * t)});
      }};
  // While the body that rocks on would be elsewhere.
  const std::vector<double> ends = {3.8, 2.5};
  for (std::size_t k = 0; k < loads.size(); ++k) {
    const NonsmoothModel<> model(
        system,
        {inclusion("left", contact(), foot(-1.)), inclusion("middle", contact(), foot(0.)),
         inclusion("right", contact(), foot(1.))},
        loads[k]);
    NonsmoothState reference = model.at_rest();
    EventDrivenOptions options;
    options.breakpoints = {0.5};
    EventDriven<EigenEngine>(model.inclusions, model.outcome, options).run(reference, ends[k]);
    const auto off = [&](auto&& method) {
      NonsmoothState state = model.at_rest();
      verified_run(method, state, ends[k]);
      return (state.y - reference.y).cwiseAbs().maxCoeff();
    };
    for (const double step : {4e-3, 2e-3, 1.3e-3, 1e-3, 7e-4}) {
      BOOST_TEST(off(Jean(model.inclusions, model.outcome, step)) < 5 * step,
                 "load " << k << ", step " << step);
      BOOST_TEST(off(Alpha(model.inclusions, model.outcome, step)) < 5 * step,
                 "load " << k << ", step " << step);
    }
  }
}

BOOST_AUTO_TEST_CASE(gaps_are_corrected_for_the_penetration_of_others) {
  // By hand: contacts 0 and 1 are inside, and contact 2 is open.
  const auto of_two = [](const MultiVector& W, const Vector& g) {
    return gaps_without_penetration(W, {true, true, false}, {false, false, true}, Vector::Zero(3), g);
  };
  MultiVector W = MultiVector::Identity(3, 3);
  W(0, 1) = W(1, 0) = W(1, 2) = W(2, 1) = 0.5;
  // mu_0 + mu_1 / 2 = 3, mu_0 / 2 + mu_1 = 3: both are 2, and the second moves contact 2 by 1.
  const Vector chain = of_two(W, vector_of({-3., -3., 0.5}));
  BOOST_TEST((chain - vector_of({-3., -3., 1.5})).norm() < 1e-14);
  // A contact outside its obstacle takes no part: mu_1 is 3.
  BOOST_TEST(of_two(W, vector_of({1., -3., 0.5}))[2] == 2., boost::test_tools::tolerance(1e-14));
  // Row 2 says how contact 2 is moved, whatever it moves itself.
  W(1, 2) = 0;
  BOOST_TEST(of_two(W, vector_of({-3., -3., 0.5}))[2] == 1.5, boost::test_tools::tolerance(1e-14));
  // Far from its obstacle it stays as it is.
  BOOST_TEST(of_two(W, vector_of({-3., -3., 100.}))[2] == 100.);
  // Two walls that leave no room contradict each other.
  W << 1, -1, 0.5, -1, 1, -0.5, 0.5, -0.5, 1;
  BOOST_TEST(of_two(W, vector_of({-1., -1., 0.5}))[2] == 0.5);
}

BOOST_AUTO_TEST_SUITE_END()
