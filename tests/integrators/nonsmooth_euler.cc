// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/trajectory.h>

#include <boost/test/unit_test.hpp>

#include "chains.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Euler = NonsmoothEuler<EigenEngine>;

NonsmoothState run(const NonsmoothModel<>& model, NonsmoothState state, double step, double end) {
  verified_run(Euler(model.inclusions, model.outcome, step), state, end);
  return state;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nonsmooth_euler)

BOOST_AUTO_TEST_CASE(a_sliding_mass_stops_where_it_should_and_stays) {
  const NonsmoothModel<> model = one_dof(2., 0., 0., friction(-3., 3.));
  // Stops at t = m v / alpha = 2 after m v^2 / (2 alpha) = 3.
  const auto error = [&](double step) {
    const NonsmoothState end = run(model, model.start(one(0.), one(3.)), step, 5.);
    BOOST_TEST(std::abs(end.y[1]) < 1e-12);
    BOOST_TEST((end.contacts[0] == ContactState::stick));
    BOOST_TEST(std::abs(end.r[0]) < 1e-12);
    return std::abs(end.y[0] - 3.);
  };
  BOOST_TEST(error(0.01) < 0.02);  // h v / 2
  BOOST_TEST(std::abs(observed_order(error, 0.01) - 1) < 0.05);
}

BOOST_AUTO_TEST_CASE(a_swinging_mass_on_dry_friction_converges_with_order_one) {
  const double m = 2., k = 50., alpha = 4.;
  const NonsmoothModel<> model = one_dof(m, 0., k, friction(-alpha, alpha));
  for (const double time : {0.5, 1.7, 5.}) {
    const auto error = [&](double step) {
      const NonsmoothState end = run(model, model.start(one(0.5), one(0.)), step, time);
      return std::abs(end.y[0] - swinging(0.5, m, k, alpha, time));
    };
    BOOST_TEST(std::abs(observed_order(error, 1e-3) - 1) < 0.1);
    BOOST_TEST(error(2e-4) < 4e-3 * 0.5);
  }
}

BOOST_AUTO_TEST_CASE(all_seven_chains_of_bastien_and_lamarque_converge_with_order_one) {
  for (const ChainCase& chosen : chain_cases()) {
    BOOST_TEST_CONTEXT(chosen.name) {
      const NonsmoothModel<> model = chain_of(chosen).model(chosen.inertia, chosen.end);
      BOOST_TEST(model.outcome.n_states == chosen.n_states);
      BOOST_TEST((model.outcome.statement.result == WellPosedness::unique));
      const ChainErrors coarse = chain_errors<Euler>(chosen, 2e-3), fine = chain_errors<Euler>(chosen, 1e-3);
      // What the reference states for a first-order scheme at this step.
      BOOST_TEST(fine.displacement < 5e-3);
      BOOST_TEST(fine.reaction < 5e-3);
      BOOST_TEST(fine.dissipated < 1e-2);
      // Plays alone are met exactly but for the turning points between steps, h^2/8 of the loads' second
      // derivative.
      if (chosen.inertia == Chain::Inertia::quasistatic)
        BOOST_TEST(fine.displacement < 1e-5);
      else
        BOOST_TEST(std::abs(std::log2(coarse.displacement / fine.displacement) - 1) < 0.15);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_absorber_of_dumont_et_al_meets_the_exact_solution) {
  const StickSlipAbsorber free{1., 100., 25., 6., 4., 0., 0., 1., 1.};
  const auto free_error = [&](double step) {
    return stick_slip_error<Euler>(free, free_stick_slip(), 2., step);
  };
  BOOST_TEST(free_error(2e-4) < 2e-3);
  BOOST_TEST(std::abs(observed_order(free_error, 1e-3) - 1) < 0.05);
  const StickSlipAbsorber driven{25., 2.5e5, 1e5, 2500., 2000., 50., 31.41592653589793, 29.43, 22.075};
  const auto driven_error = [&](double step) {
    return stick_slip_error<Euler>(driven, driven_stick_slip(), 0., step);
  };
  BOOST_TEST(driven_error(5e-5) < 1.5e-3);
  BOOST_TEST(std::abs(observed_order(driven_error, 1e-4) - 1) < 0.1);
}

BOOST_AUTO_TEST_CASE(a_jenkins_element_has_the_loop_of_the_closed_form_exactly) {
  // Spring 5 between a moved DoF and a massless pad: per cycle 4 alpha (X - alpha / k). No step ends at the
  // end of slip.
  DenseSystem system = empty_system(2);
  connect(system.K, 0, 1, 5.);
  const double amplitude = 0.7, alpha = 1.5;
  const ScalarFunction wave =
      ScalarFunction::table({0., 1., 3., 4.}, {0., amplitude, -amplitude, 0.}, BeyondTable::repeat);
  const NonsmoothModel<> model(system, {inclusion("pad", friction(-alpha, alpha), on(1))}, {}, {0},
                               [wave](double t) { return one(wave(t)); });
  BOOST_TEST(model.outcome.n_states == 1);
  NonsmoothState state = model.at_rest();
  Euler integrator(model.inclusions, model.outcome, 0.04);
  verified_run(integrator, state, 4.);
  const double before = state.dissipated;
  verified_run(integrator, state, 8.);
  BOOST_TEST(std::abs(state.dissipated - before - 4 * alpha * (amplitude - alpha / 5)) < 1e-13);
}

BOOST_AUTO_TEST_CASE(loops_of_frictional_chains_under_a_force_have_the_energies_of_the_reference) {
  const auto loop = [](const std::vector<double>& k, double alpha, Index node, double force) {
    const auto n = static_cast<Index>(k.size()) - 1;
    DenseSystem system = empty_system(n + 2);
    for (Index i = 0; i <= n; ++i)
      if (k[static_cast<std::size_t>(i)] > 0) connect(system.K, i, i + 1, k[static_cast<std::size_t>(i)]);
    std::vector<Inclusion> pads;
    for (Index i = 1; i <= n; ++i)
      pads.push_back(inclusion("pad " + std::to_string(i), friction(-alpha, alpha), on(i)));
    const ScalarFunction wave =
        ScalarFunction::table({0., 1., 3., 4.}, {0., force, -force, 0.}, BeyondTable::repeat);
    const bool pulled = node == n + 1;
    const NonsmoothModel<> model(
        system, pads,
        [=](double t) {
          Vector f = Vector::Zero(n + 2);
          f[node] = wave(t);
          return f;
        },
        pulled ? std::vector<Index>{0} : std::vector<Index>{0, n + 1});
    NonsmoothState state = model.at_rest();
    Euler integrator(model.inclusions, model.outcome, 0.01);
    verified_run(integrator, state, 4.);
    const double before = state.dissipated;
    verified_run(integrator, state, 8.);
    return state.dissipated - before;
  };
  BOOST_TEST(std::abs(loop({1., 2.}, 0.5, 1, 1.3) / 0.5333333333333333 - 1) < 1e-12);
  BOOST_TEST(std::abs(loop({2., 2., 2., 2., 2., 2., 2., 2., 2.}, 0.25, 9, 1.4) / 3.625 - 1) < 1e-12);
}

BOOST_AUTO_TEST_CASE(viscous_friction_creeps_as_the_closed_form) {
  // c q' + k q = P + r: q = (P - alpha) / k (1 - exp(-k t / c)).
  const NonsmoothModel<> model = one_dof(0., 2., 3., friction(-1., 1.), 2.5);
  BOOST_TEST((model.outcome.directions[0].reduced_law() == ReducedLaw::lipschitz_friction));
  const auto error = [&](double step) {
    const NonsmoothState end = run(model, model.at_rest(), step, 1.);
    return std::abs(end.y[0] - 0.5 * (1 - std::exp(-1.5)));
  };
  BOOST_TEST(std::abs(observed_order(error, 0.01) - 1) < 0.05);
}

BOOST_AUTO_TEST_CASE(a_sweeping_process_is_pushed_by_its_obstacle) {
  // c q' = P + r, pushed from t = 0.5 on by an obstacle at speed 1: r = c h' - P.
  const NonsmoothModel<> model =
      one_dof(0., 2., 0., contact(ScalarFunction::expression("t - 0.5")), -1. / 1024);
  BOOST_TEST((model.outcome.directions[0].reduced_law() == ReducedLaw::sweeping_process));
  const NonsmoothState end = run(model, model.start(one(0.), one(0.)), 0.01, 2.);
  BOOST_TEST(std::abs(end.y[0] - 1.5) < 1e-14);
  BOOST_TEST(std::abs(end.r[0] - 2. - 1. / 1024) < 1e-12);
  BOOST_TEST(std::abs(end.g[0]) < 1e-14);
  BOOST_TEST((end.contacts[0] == ContactState::closed));
}

BOOST_AUTO_TEST_CASE(a_massless_contact_pushes_back_at_once) {
  // k q = P(t) + r >= 0.
  DenseSystem system = empty_system(1);
  system.K(0, 0) = 4;
  const NonsmoothModel<> model(system, {inclusion("wall", contact(), on(0))},
                               [](double t) { return one(std::cos(3 * t)); });
  NonsmoothState state = model.at_rest();
  Euler integrator(model.inclusions, model.outcome, 0.1);
  verified_run(integrator, state, 5., [&](const auto& now) {
    const double load = std::cos(3 * now.time());
    BOOST_TEST(std::abs(now.state().r[0] - std::max(0., -load)) < 1e-14);
    BOOST_TEST(std::abs(now.lift().displacement[0] - std::max(0., load) / 4) < 1e-14);
  });
}

BOOST_AUTO_TEST_CASE(a_falling_mass_lands_and_rests_on_its_weight) {
  const NonsmoothModel<> model = one_dof(2., 0., 0., contact(1.), -20.);
  BOOST_TEST((model.outcome.directions[0].reduced_law() == ReducedLaw::measure_inclusion));
  Trajectory trajectory;
  NonsmoothState state = model.start(one(6.), one(0.));
  verified_run(Euler(model.inclusions, model.outcome, 1e-3), state, 2., std::ref(trajectory));
  BOOST_TEST(std::abs(state.y[0] - 1.) < 1e-14);
  BOOST_TEST(std::abs(state.r[0] - 20.) < 1e-9);
  for (const NonsmoothState& point : trajectory.points)
    BOOST_TEST(point.g[0] > -1e-14);
  const double lands = 1.;
  const auto first = std::find_if(trajectory.points.begin(), trajectory.points.end(),
                                  [](const NonsmoothState& point) { return point.r[0] > 0; });
  BOOST_TEST(std::abs(first->time - lands) < 2e-3);
  // It arrives with 1/2 m v^2 = 100, less what a step early or late is worth; all of that is lost at once.
  double largest = 0;
  for (const NonsmoothState& point : trajectory.points)
    largest = std::max(largest, point.y[1] * point.y[1]);
  BOOST_TEST(std::abs(largest - 100.) < 0.4);
  BOOST_TEST(std::abs(state.y[1]) < 1e-13);
  BOOST_TEST(std::abs(state.impulse[0] - 20. * 2.) < 1e-9);
}

BOOST_AUTO_TEST_CASE(contacts_that_rebound_are_refused) {
  const NonsmoothModel<> model = one_dof(2., 0., 0., contact(0., 0.5));
  BOOST_CHECK_EXCEPTION(Euler(model.inclusions, model.outcome, 1e-3), InvalidInput, [](const auto& error) {
    return std::string(error.what()).find("Moreau-Jean") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(mass_that_goes_to_zero_leaves_the_play) {
  const auto model = [](double m) {
    DenseSystem system = empty_system(1);
    system.M(0, 0) = m;
    system.K(0, 0) = 3;
    return NonsmoothModel<>(system, {inclusion("pad", friction(-1., 1.), on(0))},
                            [](double t) { return one(2.5 * std::sin(t)); });
  };
  const NonsmoothModel<> play = model(0.);
  BOOST_TEST((play.outcome.directions[0].reduced_law() == ReducedLaw::play));
  const double q_limit = play.displacement(run(play, play.at_rest(), 1e-3, 4.))[0];
  for (const double m : {1e-1, 1e-2, 1e-3, 1e-4}) {
    const NonsmoothModel<> heavy = model(m);
    const double q = heavy.displacement(run(heavy, heavy.at_rest(), 1e-3, 4.))[0];
    BOOST_TEST(std::abs(q - q_limit) < 0.2 * std::sqrt(m));
  }
}

BOOST_AUTO_TEST_CASE(friction_on_what_is_held_is_recovered) {
  DenseSystem system = empty_system(2);
  system.M(0, 0) = 1;
  connect(system.K, 0, 1, 4.);
  const NonsmoothModel<> model(
      system, {inclusion("shaker", friction(-1., 2.), on(1))}, {}, {1},
      [](double t) { return one(std::sin(t)); }, [](double t) { return one(std::cos(t)); });
  NonsmoothState state = model.at_rest();
  Euler integrator(model.inclusions, model.outcome, 0.01);
  verified_run(integrator, state, 1.);
  BOOST_TEST(state.r[0] == -1.);
  verified_run(integrator, state, 2.);
  BOOST_TEST(state.r[0] == 2.);
  BOOST_TEST((state.contacts[0] == ContactState::slip_back));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(nonsmooth_contract)

BOOST_AUTO_TEST_CASE(a_saved_state_goes_on_bit_for_bit) {
  const ChainCase chosen = chain_cases()[2];
  const NonsmoothModel<> model = chain_of(chosen).model(chosen.inertia, chosen.end);
  NonsmoothState state = model.at_rest(), saved;
  Euler integrator(model.inclusions, model.outcome, 0.007);
  verified_run(integrator, state, 5., [&](const auto& now) {
    if (now.time() < 2.5) saved = now.state();
  });
  verified_run(Euler(model.inclusions, model.outcome, 0.007), saved, 5.);
  BOOST_TEST(saved.time == state.time);
  BOOST_TEST((saved.y.array() == state.y.array()).all());
  BOOST_TEST((saved.r.array() == state.r.array()).all());
  BOOST_TEST(saved.dissipated == state.dissipated);
}

BOOST_AUTO_TEST_CASE(output_times_need_not_be_steps) {
  const NonsmoothModel<> model = one_dof(2., 0., 50., friction(-4., 4.));
  NonsmoothState state = model.start(one(0.5), one(0.));
  std::vector<double> seen;
  verified_run(Euler(model.inclusions, model.outcome, 1e-3), state, {0., 0.00537, 0.0054, 0.3},
               [&](const auto& now) {
                 seen.push_back(now.time());
                 BOOST_TEST(std::abs(now.state().y[0] - swinging(0.5, 2., 50., 4., now.time())) < 1e-2);
               });
  BOOST_TEST(seen == (std::vector<double>{0., 0.00537, 0.0054, 0.3}), boost::test_tools::per_element());
  BOOST_TEST(state.time == 0.3);
  BOOST_CHECK_THROW(Euler(model.inclusions, model.outcome, 1e-3).run(state, 0.1), InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_failed_step_leaves_the_last_good_state) {
  const ScalarFunction threshold = ScalarFunction::table({0., 1.}, {1., 1.}, BeyondTable::refuse);
  DenseSystem system = empty_system(1);
  system.M(0, 0) = 1;
  const NonsmoothModel<> model(
      system, {inclusion("pad", friction([threshold](double t) { return -threshold(t); }, 1.), on(0))});
  NonsmoothState state = model.start(one(0.), one(9.));
  Euler integrator(model.inclusions, model.outcome, 0.1);
  BOOST_CHECK_THROW(integrator.run(state, 2.), InvalidInput);
  BOOST_TEST(std::abs(state.time - 1.) < 1e-12);
  BOOST_TEST(std::abs(state.y[1] - 8.) < 1e-12);
}

namespace {
/// Friction of +-1 until t = 1; from then on a law that no iteration can meet beside another one.
class Contradiction final : public Law {
 public:
  std::string name() const override { return "contradiction"; }
  Index dimension() const override { return 1; }
  LawLevel level(Index) const override { return LawLevel::rate; }
  LawParameters parameters(double time, ContactState) const override { return {time > 1 ? 1. : 0.}; }
  void resolvent(const LawParameters& parameters, double, LocalConstView z, LocalView r) const override {
    r[0] = parameters[0] == 1. ? (z[0] > 0 ? -1. : 1.) : std::clamp(z[0], -1., 1.);
  }
  void project(const LawParameters&, LocalConstView r_given, LocalView r) const override {
    r[0] = std::clamp(r_given[0], -1., 1.);
  }
  ContactState state(const LawParameters&, LocalConstView, LocalConstView, double) const override {
    return ContactState::slip;
  }
};
}  // namespace

BOOST_AUTO_TEST_CASE(reactions_that_are_not_found_are_reported_with_the_worst_contact) {
  // "right" answers to each reaction of "left", which then wants another one; "aside" feels nothing of that.
  DenseSystem system = empty_system(3);
  system.M = MultiVector::Identity(3, 3);
  connect(system.K, 1, 2, 1.);
  const NonsmoothModel<> model(system, {inclusion("aside", friction(-1., 1.), on(0)),
                                        inclusion("left", std::make_shared<Contradiction>(), on(1)),
                                        inclusion("right", friction(-1., 1.), on(2))});
  NonsmoothState state = model.at_rest(), last;
  Euler integrator(model.inclusions, model.outcome, 0.25);
  const auto names_the_worst = [](const NoReactions& error) {
    return (error.inclusion() == "left" || error.inclusion() == "right") && error.residual() > 1e-12 &&
           std::isfinite(error.residual()) &&
           std::string(error.what()).find("The implicit Euler step from 1 s failed") == 0 &&
           std::string(error.what()).find("largest residual at inclusion \"" + error.inclusion()) !=
               std::string::npos;
  };
  BOOST_CHECK_EXCEPTION(integrator.run(state, 2., [&](const auto& now) { last = now.state(); }), NoReactions,
                        names_the_worst);
  // The last good state, entry by entry; a step by hand fails as well, and leaves states and events alone.
  std::vector<ContactEvent> events;
  BOOST_CHECK_EXCEPTION(integrator.step(state, events), NoReactions, names_the_worst);
  BOOST_TEST(events.empty());
  BOOST_TEST(state.time == 1.);
  BOOST_TEST((state.y.array() == last.y.array()).all());
  BOOST_TEST((state.r.array() == last.r.array()).all());
  BOOST_TEST((state.impulse.array() == last.impulse.array()).all());
  BOOST_TEST((state.contacts == last.contacts));
}

BOOST_AUTO_TEST_SUITE_END()
