// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/instantaneous_responses.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/verification/verification.h>

#include <boost/test/unit_test.hpp>

#include "nonsmooth_models.h"

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

using Euler = NonsmoothEuler<EigenEngine>;
using Jean = MoreauJean<EigenEngine>;

/// A massless joint on a spring 4, with friction +-1, pulled by a force.
NonsmoothModel<> pulled_play(double pull) {
  return one_dof(0., 0., 4., friction(-1., 1.), pull);
}

/// A block of mass 2 on a plane, pressed down by its weight 20 and pulled along it. DoFs: normal, tangent.
NonsmoothModel<> block_on_plane(double mu, double pull, std::optional<double> e = 0.) {
  DenseSystem system = empty_system(2);
  system.M(0, 0) = system.M(1, 1) = 2;
  return NonsmoothModel<>(system, {{"sole", std::make_shared<CoulombFriction>(1, mu, 0., e), {on(0), on(1)}}},
                          [pull](double) {
                            return Vector(vector_of({-20., pull}));
                          });
}

bool mentions(const std::exception& error, const char* text) {
  return std::string(error.what()).find(text) != std::string::npos;
}

/// Friction on one DoF of a structure with a load on DoF 0, whose rate is known.
struct Rubbing {
  Rubbing(const DenseSystem& system, GlobalIndex dof) : inclusions(reduced(system), {rub(dof)}) {}

  static Inclusion rub(GlobalIndex dof) { return inclusion("rub", friction(-1., 1.5), on(dof)); }
  static ReducedSystem<EigenEngine> reduced(const DenseSystem& system) {
    SystemDescription<EigenEngine> description;
    description.mass = matrix_of<EigenEngine>(system.M);
    description.damping = matrix_of<EigenEngine>(system.C);
    description.stiffness = matrix_of<EigenEngine>(system.K);
    const Eigen::Index n = system.K.rows();
    description.load = [n](double t) -> Vector { return 4 * std::sin(3 * t) * Vector::Unit(n, 0); };
    description.load_rate = [n](double t) -> Vector { return 12 * std::cos(3 * t) * Vector::Unit(n, 0); };
    return reduce(AssembledSystem<EigenEngine>(std::move(description)));
  }

  Inclusions<EigenEngine> inclusions;
  InclusionOutcome outcome = classify_inclusions(inclusions);
};

/// (q_0, r, w) at the start, then (q_0, r) step by step; implicit Euler meets all rates by their means.
std::vector<double> motion_of(const Rubbing& model, const Vector& displacement, const Vector& rate) {
  NonsmoothState state = nonsmooth_start(model.inclusions, model.outcome, displacement, rate, 0.1);
  std::vector<double> motion = {state.y[0], state.r[0], state.w[0]};
  verified_run(Euler(model.inclusions, model.outcome, 0.01), state, 2., [&](const auto& now) {
    motion.insert(motion.end(), {now.state().y[0], now.state().r[0]});
  });
  return motion;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nonsmooth_starts)

BOOST_AUTO_TEST_CASE(large_numbers_of_other_units_do_not_close_a_contact) {
  // A pressure of 1e7 beside a mass half a millimetre above its floor, or in it.
  DenseSystem system = empty_system(2);
  system.M(0, 0) = 1;
  system.C(1, 1) = system.K(1, 1) = 1;
  const NonsmoothModel<> model(system, {inclusion("floor", contact(0., 0.), on(0))}, [](double) {
    return Vector(vector_of({-10., 1e7}));
  });
  const NonsmoothState state = model.start(vector_of({5e-4, 1e7}), Vector::Zero(2));
  BOOST_TEST((state.contacts[0] == ContactState::open));
  BOOST_TEST(state.r[0] == 0.);
  BOOST_CHECK_THROW(model.start(vector_of({-5e-4, 1e7}), Vector::Zero(2)), InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_play_starts_from_the_initial_displacement) {
  // k q = P + r: q = 0.15 under P = 1.3 needs r = -0.7.
  const NonsmoothModel<> model = pulled_play(1.3);
  const NonsmoothState state = model.start(one(0.15), one(0.));
  BOOST_TEST(std::abs(state.r[0] + 0.7) < 1e-14);
  BOOST_TEST(std::abs(state.g[0] - 0.15) < 1e-14);
  BOOST_TEST(std::abs(model.displacement(state)[0] - 0.15) < 1e-14);
}

BOOST_AUTO_TEST_CASE(a_massless_contact_with_friction_starts_from_the_initial_displacements) {
  // Neither is moved by the other's reaction alone: r = K q - f.
  DenseSystem system = empty_system(2);
  system.K << 4, 1, 1, 2;
  const NonsmoothModel<> coulomb(
      system, {{"sole", std::make_shared<CoulombFriction>(1, 0.5), {on(0), on(1)}}}, [](double) {
        return Vector(vector_of({-20., 3.}));
      });
  const NonsmoothModel<> apart(
      system, {inclusion("floor", contact(), on(0)), inclusion("brake", friction(-4., 4.), on(1))},
      [](double) {
        return Vector(vector_of({-20., 3.}));
      });
  for (const NonsmoothModel<>* model : {&coulomb, &apart}) {
    const NonsmoothStart start = nonsmooth_start(model->inclusions, model->outcome,
                                                 Vector(vector_of({0., 0.5})), Vector(Vector::Zero(2)));
    BOOST_TEST((start.r - vector_of({20.5, -2.})).norm() < 1e-13);
    BOOST_TEST(start.report.n_changed == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_play_outside_its_set_is_refused_or_projected_with_a_report) {
  const NonsmoothModel<> model = pulled_play(3.);
  BOOST_CHECK_EXCEPTION(model.start(one(0.), one(0.)), InvalidInput,
                        [](const auto& error) { return mentions(error, "\"it\""); });
  NonsmoothStartOptions options;
  options.inadmissible = InadmissibleReactions::project;
  const NonsmoothStart start =
      nonsmooth_start(model.inclusions, model.outcome, one(0.), one(0.), 0., options);
  BOOST_TEST(start.r[0] == -1.);
  BOOST_TEST(start.projected.size() == 1u);
  BOOST_TEST(std::abs(model.displacement(start)[0] - 0.5) < 1e-14);
  BOOST_TEST(start.report.n_changed == 1);
}

BOOST_AUTO_TEST_CASE(a_state_and_its_reactions_start_again_as_they_are) {
  const NonsmoothModel<> model = pulled_play(1.3);
  const NonsmoothState first = model.start(one(0.15), one(0.));
  const NonsmoothState again = nonsmooth_start(model.inclusions, model.outcome, first, first.r);
  BOOST_TEST(std::abs(again.r[0] - first.r[0]) < 1e-14);
  BOOST_CHECK_THROW(nonsmooth_start(model.inclusions, model.outcome, first, Vector::Zero(2)), InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_contact_behind_its_obstacle_is_refused) {
  const NonsmoothModel<> model = one_dof(1., 0., 0., contact(0.3, 0.5));
  BOOST_CHECK_EXCEPTION(model.start(one(0.2), one(0.)), InvalidInput,
                        [](const auto& error) { return mentions(error, "gap"); });
  BOOST_CHECK_NO_THROW(model.start(one(0.3), one(0.)));
}

BOOST_AUTO_TEST_CASE(friction_at_rest_starts_with_what_the_other_forces_leave) {
  const NonsmoothState held = one_dof(2., 0., 0., friction(-3., 3.), 2.).at_rest();
  BOOST_TEST(std::abs(held.r[0] + 2.) < 1e-12);
  BOOST_TEST((held.contacts[0] == ContactState::stick));
  const NonsmoothState torn = one_dof(2., 0., 0., friction(-3., 3.), 5.).at_rest();
  BOOST_TEST(torn.r[0] == -3.);
  const NonsmoothState sliding = one_dof(2., 0., 0., friction(-3., 4.), 5.).start(one(0.), one(-1.));
  BOOST_TEST(sliding.r[0] == 4.);
  BOOST_TEST((sliding.contacts[0] == ContactState::slip_back));
  const NonsmoothState resting = one_dof(2., 0., 0., contact(0., 0.5), -20.).at_rest();
  BOOST_TEST(std::abs(resting.r[0] - 20.) < 1e-10);
  BOOST_TEST((resting.contacts[0] == ContactState::closed));
}

BOOST_AUTO_TEST_CASE(half_dofs_start_with_the_reactions_that_their_laws_say) {
  const NonsmoothState wet = one_dof(0., 2., 0., friction(-1., 1.), 3.).at_rest();
  BOOST_TEST(wet.r[0] == -1.);
  BOOST_TEST(std::abs(wet.w[0] - 1.) < 1e-14);
  const NonsmoothState touching = one_dof(0., 0., 4., contact(0.1), 0.2).at_rest();
  BOOST_TEST(std::abs(touching.r[0] - 0.2) < 1e-14);
  BOOST_TEST(std::abs(touching.g[0]) < 1e-15);
  const NonsmoothState pushed = one_dof(0., 2., 0., contact(0.), -3.).at_rest();
  BOOST_TEST(std::abs(pushed.r[0] - 3.) < 1e-14);
}

BOOST_AUTO_TEST_CASE(states_of_the_wrong_model_are_refused) {
  const NonsmoothModel<> model = pulled_play(0.);
  NonsmoothState state = model.at_rest();
  state.r.resize(3);
  BOOST_CHECK_EXCEPTION(Euler(model.inclusions, model.outcome, 0.1).step(state), InvalidInput,
                        [](const auto& error) { return mentions(error, "nonsmooth_start()"); });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(coulomb_friction_in_time)

BOOST_AUTO_TEST_CASE(a_block_sticks_below_and_slides_above_the_cone) {
  // mu N = 6.
  const NonsmoothModel<> stuck = block_on_plane(0.3, 5.), sliding = block_on_plane(0.3, 8.);
  NonsmoothState state = stuck.at_rest();
  verified_run(Jean(stuck.inclusions, stuck.outcome, 0.01), state, 1.);
  BOOST_TEST(std::abs(state.y[1]) < 1e-12);
  BOOST_TEST(std::abs(state.r[1] + 5.) < 1e-9);
  for (const bool euler : {true, false}) {
    state = sliding.at_rest();
    if (euler)
      verified_run(Euler(sliding.inclusions, sliding.outcome, 0.01), state, 1.);
    else
      verified_run(Jean(sliding.inclusions, sliding.outcome, 0.01), state, 1.);
    BOOST_TEST(std::abs(state.y[3] - 1.) < 1e-10);  // (8 - 6) / 2
    BOOST_TEST(std::abs(state.r[0] - 20.) < 1e-8);
    BOOST_TEST(std::abs(state.r[1] + 6.) < 1e-8);
    BOOST_TEST((state.contacts[0] == ContactState::slip_forward));
  }
}

BOOST_AUTO_TEST_CASE(a_thrown_block_lands_slides_and_stops) {
  // Lands with w_n = -2: the impulse 4 slows it by mu 2 = 0.6 at once; then it slides 1.4^2 / (2 mu g) on.
  const double mu = 0.3, g = 10.;
  const NonsmoothModel<> model = block_on_plane(mu, 0.);
  NonsmoothState state = model.start(vector_of({0.15, 0.}), vector_of({-1., 2.}));
  const double t_land = (-1 + std::sqrt(1 + 2 * g * 0.15)) / g, w_land = -(1 + g * t_land);
  Trajectory trajectory;
  Jean integrator(model.inclusions, model.outcome, 1e-4);
  verified_run(integrator, state, 1., std::ref(trajectory));
  const double v = 2. + mu * w_land;
  const std::vector<ContactEvent> impacts = impacts_of(trajectory.events);
  BOOST_TEST(impacts.size() == 1u);
  const ContactEvent& event = impacts.front();
  BOOST_TEST(std::abs(event.begin - t_land) < 2e-4);
  BOOST_TEST(std::abs(event.w_after[1] - v) < 1e-3);
  BOOST_TEST(std::abs(event.impulse[1] + mu * event.impulse[0]) < 1e-12);
  BOOST_TEST(std::abs(state.y[1] - (2 * t_land + v * v / (2 * mu * g))) < 1e-3);
  BOOST_TEST(std::abs(state.y[3]) < 1e-12);
  const VerificationReport report =
      verify(model.inclusions, model.outcome, trajectory, {integrator.end_weight()});
  for (const Check check : {Check::balance, Check::reaction, Check::law, Check::variational, Check::impact,
                            Check::kinematics, Check::energy})
    BOOST_TEST(report[check].value < 1e-8, name_of(check) << " " << report[check].value);
}

BOOST_AUTO_TEST_CASE(massless_coulomb_contact_slides_with_its_normal_force) {
  // A massless sole on springs below a mass that is moved: r_n = k_n (h - z), |r_t| <= mu r_n.
  DenseSystem system = empty_system(4);
  connect(system.K, 0, 2, 100.);
  connect(system.K, 1, 3, 50.);
  const NonsmoothModel<> model(system,
                               {{"sole", std::make_shared<CoulombFriction>(1, 0.5, 0.), {on(0), on(1)}}}, {},
                               {2, 3}, [](double t) {
                                 return Vector(vector_of({-0.1 * t, 0.3 * t}));
                               });
  NonsmoothState state = model.at_rest();
  Euler integrator(model.inclusions, model.outcome, 0.01);
  Verification<EigenEngine> check(integrator);
  // Tangential demand 15 t, limit 0.5 * 10 t: slides from the start.
  verified_run(integrator, state, 1., std::ref(check));
  BOOST_TEST(std::abs(state.r[0] - 10.) < 1e-10);
  BOOST_TEST(std::abs(state.r[1] + 5.) < 1e-10);
  BOOST_TEST(std::abs(model.displacement(state)[1] - (0.3 - 0.1)) < 1e-12);
  BOOST_TEST(check.report()[Check::law].value < 1e-9);
}

BOOST_AUTO_TEST_CASE(what_rests_on_a_support_that_accelerates_is_carried_from_the_start) {
  const NonsmoothModel<> model =
      one_dof(2., 0., 0., friction(-9., 9., ScalarFunction::expression("0.5*t^2 + t^3")));
  BOOST_TEST(std::abs(model.at_rest().r[0] - 2.) < 1e-3);
  // Supports at rest change nothing, to the last digit.
  const NonsmoothModel<> pushed = one_dof(2., 0., 0., friction(-9., 9.), 3.);
  BOOST_TEST(std::abs(pushed.at_rest().r[0] + 3.) < 1e-14);
}

BOOST_AUTO_TEST_CASE(friction_that_others_move_at_once_slips_as_they_let_it) {
  // C^-1 = [0 1; -1 1] on DoFs 1 and 2: the shoe moves DoF 2, but not its own DoF 1, which the pad moves.
  DenseSystem system = empty_system(3);
  system.M(0, 0) = 2;
  system.C.bottomRightCorner(2, 2) << 1, -1, 1, 0;
  system.K.setIdentity();
  const NonsmoothModel<> model(system,
                               {inclusion("shoe", friction(-0.2, 0.3), Direction({{0, 1.}, {1, 0.5}})),
                                inclusion("pad", friction(-1., 1.), on(2))},
                               [](double) {
                                 return Vector(vector_of({0., 0., 3.}));
                               });
  BOOST_TEST((model.outcome.directions[0].reduced_law() == ReducedLaw::filippov_inclusion));
  // The pad slips, q_1' = 3 - 1; with 3 the shoe would slip the other way.
  const NonsmoothState state = model.start(Vector::Zero(3), vector_of({-1.2, 0., 0.}));
  BOOST_TEST((state.r - vector_of({0.3, -1.})).norm() < 1e-14);
  BOOST_TEST((state.w - vector_of({-0.2, 1.85})).norm() < 1e-14);
}

BOOST_AUTO_TEST_CASE(friction_on_a_node_that_is_tied_moves_as_on_what_it_is_tied_to) {
  // A mass or a viscous DoF on a spring 2; a massless node on a spring 3 that a multiplier holds to it.
  for (const auto& [m, c] : {std::pair{5., 0.}, {5., 0.7}, {0., 4.}}) {
    DenseSystem tied = empty_system(3), alone = empty_system(1);
    tied.M(0, 0) = alone.M(0, 0) = m;
    tied.C(0, 0) = alone.C(0, 0) = c;
    tied.K << 2, 0, -1, 0, 3, 1, -1, 1, 0;
    alone.K(0, 0) = 5;
    const Rubbing on_node(tied, 1), on_itself(alone, 0);
    for (const double q : {0., 0.2, -1.})
      for (const double v : {0., 1., -1.}) {
        const std::vector<double> expected = motion_of(on_itself, one(q), one(v)),
                                  found = motion_of(on_node, vector_of({q, q, 0.}), vector_of({v, v, 0.}));
        // Of order one; the rounding of a start grows with the number of steps at most.
        BOOST_TEST((vector_of(found) - vector_of(expected)).cwiseAbs().maxCoeff() < 1e-10);
      }
  }
}

BOOST_AUTO_TEST_CASE(the_rate_of_a_tied_node_needs_that_of_the_load) {
  DenseSystem tied = empty_system(3);
  tied.M(0, 0) = 5;
  tied.K << 2, 0, -1, 0, 3, 1, -1, 1, 0;
  const NonsmoothModel<> model(tied, {inclusion("rub", friction(-1., 1.), on(1))}, [](double) {
    return Vector(vector_of({1., 0., 0.}));
  });
  BOOST_CHECK_EXCEPTION(model.at_rest(), NotAvailable,
                        [](const auto& error) { return mentions(error, "load_rate"); });
}

BOOST_AUTO_TEST_CASE(parameters_out_of_range_at_the_start_name_their_inclusion) {
  const auto wrong = friction([](double t) { return 4. - t; }, 5.);
  const auto names_it = [](const auto& error) { return mentions(error, "Inclusion \"it\": The thresholds"); };
  BOOST_CHECK_EXCEPTION(one_dof(1., 0., 0., wrong).start(one(0.), one(1.)), InvalidInput, names_it);
  BOOST_CHECK_EXCEPTION(one_dof(1., 0., 0., wrong).start(one(0.), one(0.)), InvalidInput, names_it);
  BOOST_CHECK_EXCEPTION(one_dof(0., 0., 4., wrong).start(one(0.), one(0.)), InvalidInput, names_it);
}

BOOST_AUTO_TEST_CASE(a_start_without_reactions_says_that_it_is_one) {
  // W_K = [1 -3; -3 1]: pushing either contact only closes the other.
  DenseSystem system = empty_system(2);
  system.K << -1. / 8, -3. / 8, -3. / 8, -1. / 8;
  const NonsmoothModel<> model(
      system, {inclusion("left", contact(), on(0)), inclusion("right", contact(), on(1))}, [](double) {
        return Vector(vector_of({0.5, 0.5}));
      });
  BOOST_CHECK_EXCEPTION(model.at_rest(), NoReactions, [](const NoReactions& error) {
    return mentions(error, "The computation of the initial reactions at 0 s failed") &&
           std::isfinite(error.residual());
  });
}

BOOST_AUTO_TEST_CASE(what_reactions_move_at_once_holds_all_that_the_elimination_adds) {
  // The massless node 1 is tied to the mass, DoF 3 is viscous: further terms of the elimination count.
  DenseSystem system = empty_system(4);
  system.M(0, 0) = 5;
  system.K << 2, 0, -1, 0, 0, 3, 1, 0, -1, 1, 0, 0, 0.4, 0, 0, 1;
  system.C(3, 3) = 2;
  system.C(1, 3) = 0.3;
  const NonsmoothModel<> model(
      system, {inclusion("tied", friction(-1., 1.), on(1)), inclusion("wet", friction(-1., 1.), on(3)),
               inclusion("dry", friction(-1., 1.), on(0))});
  const MultiVector all = MultiVector::Identity(3, 3);
  const auto check = [](const MultiVector& found, const MultiVector& expected) {
    BOOST_TEST((found - expected).norm() <= 1e-14 * expected.norm());
  };
  check(model.outcome.instantaneous_responses.I, acceleration_jumps(model.inclusions, all));
  check(model.outcome.instantaneous_responses.C, rate_jumps(model.inclusions, all));
  check(model.outcome.instantaneous_responses.K, model.outcome.W.K);
  BOOST_TEST(model.outcome.instantaneous_responses.I.norm() > 1.1 * model.outcome.W.I.norm());
}

BOOST_AUTO_TEST_SUITE_END()
