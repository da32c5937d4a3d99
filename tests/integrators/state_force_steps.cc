// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/smooth/explicit_methods.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/linearized_state_force.h>

#include "nonlinear_inclusions.h"
#include <limits>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

using Reduced = ReducedSystem<EigenEngine>;
using Smooth = std::unique_ptr<Integrator<EigenEngine>>;
using Nonsmooth = std::unique_ptr<NonsmoothIntegrator<EigenEngine>>;

std::vector<Smooth> implicit_methods(const Reduced& reduced, double step) {
  std::vector<Smooth> all;
  all.push_back(std::make_unique<ImplicitEuler<EigenEngine>>(reduced, step));
  all.push_back(std::make_unique<Trapezoidal<EigenEngine>>(reduced, step));
  all.push_back(std::make_unique<GeneralizedAlpha<EigenEngine>>(reduced, step));
  all.push_back(std::make_unique<RadauIIA5<EigenEngine>>(reduced, step));
  return all;
}

/// With restitution.
std::vector<Nonsmooth> impact_methods(const NonlinearModel& model, double step) {
  std::vector<Nonsmooth> all;
  all.push_back(std::make_unique<MoreauJean<EigenEngine>>(model.inclusions, model.outcome, step));
  all.push_back(std::make_unique<NonsmoothAlpha<EigenEngine>>(model.inclusions, model.outcome, step));
  return all;
}

std::vector<Nonsmooth> implicit_methods(const NonlinearModel& model, double step) {
  std::vector<Nonsmooth> all = impact_methods(model, step);
  all.push_back(std::make_unique<NonsmoothEuler<EigenEngine>>(model.inclusions, model.outcome, step));
  return all;
}

/// Masses of 1 kg that hang one below the other on stiff springs, which harden under their weight.
struct HangingChain {
  Index n;
  double k = 1e9, weight = 9.81;
  DenseSystem linear;
  NonlinearParts parts;

  explicit HangingChain(Index n_masses, double damping = 0) : n(n_masses), linear(empty_system(n_masses)) {
    const double k_3 = 0.3 * k * std::pow(k / (static_cast<double>(n) * weight), 2);
    for (Index i = 0; i < n; ++i) {
      linear.M(i, i) = 1;
      linear.K(i, i) += k;
      if (i > 0) linear.K(i - 1, i - 1) += k;
      if (i > 0) linear.K(i - 1, i) = linear.K(i, i - 1) = -k;
      parts.links.push_back({i, i - 1, k_3, 0.});
    }
    linear.C = damping * linear.K;
  }
  AssembledSystem<EigenEngine> assembled() const {
    return assemble(linear, parts, [f = Vector(Vector::Constant(n, weight))](double) -> Vector { return f; });
  }
};

/// A mass m on x beside a unit mass at u = y + a x^2/2, which are free: in (x, y) their inertia depends on x.
/// M = [m + a^2 x^2, a x; a x, 1], of which M(0) is linear.
AssembledSystem<EigenEngine> bent_coordinates(double m, double a, TimeFunction load = {}) {
  SystemDescription<EigenEngine> description;
  MultiVector M = MultiVector::Identity(2, 2);
  M(0, 0) = m;
  description.mass = matrix_of<EigenEngine>(M);
  description.stiffness = matrix_of<EigenEngine>(MultiVector::Zero(2, 2));
  description.load = std::move(load);
  StateForce<EigenEngine>& p = description.state_force;
  p.force = [a](double, const AssembledMotion& now) {
    const double x = now.displacement[0], v = now.rate[0];
    const double bend = a * v * v + a * x * now.acceleration[0];  // u'' - y''
    return Vector(Eigen::Vector2d(a * x * (now.acceleration[1] + bend), bend));
  };
  p.tangents = [a](double, const AssembledMotion& now) {
    const double x = now.displacement[0], v = now.rate[0], w = now.acceleration[0];
    MultiVector mass(2, 2), damping(2, 2), stiffness(2, 2);
    mass << a * a * x * x, a * x, a * x, 0;
    damping << 2 * a * a * x * v, 0, 2 * a * v, 0;
    stiffness << a * (now.acceleration[1] + a * v * v + 2 * a * x * w), 0, a * w, 0;
    return Tangents<EigenEngine>{matrix_of<EigenEngine>(mass), matrix_of<EigenEngine>(damping),
                                 matrix_of<EigenEngine>(stiffness)};
  };
  p.pattern.mass = matrix_of<EigenEngine>(MultiVector::Ones(2, 2));
  p.pattern.damping = matrix_of<EigenEngine>(MultiVector::Ones(2, 2));
  return AssembledSystem<EigenEngine>(std::move(description));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(state_force_steps)

BOOST_AUTO_TEST_CASE(a_stiff_chain_that_rests_goes_on_resting) {
  const HangingChain chain(10);
  const Reduced reduced(chain.assembled());
  const State rest = equilibrium(reduced, State{0, Vector::Zero(20)});
  const double size = rest.y.cwiseAbs().maxCoeff();
  for (const double step : {1e-6, 1e-3, 0.1, 10.}) {
    for (const Smooth& method : implicit_methods(reduced, step)) {
      State state = rest;
      BOOST_REQUIRE_NO_THROW(method->run(state, 20 * step));
      BOOST_TEST((state.y - rest.y).head(10).cwiseAbs().maxCoeff() < 1e-9 * size, method->name()
                                                                                      << " by " << step);
    }
    // The pad holds what is left of the forces, which is rounding.
    const NonlinearModel model(reduced, {inclusion("pad", friction(-3., 3.), on(9)),
                                         inclusion("stop", contact(-2 * size), on(4, -1.))});
    for (const Nonsmooth& method : implicit_methods(model, step)) {
      NonsmoothState state = model.start(rest.y.head(10), Vector::Zero(10));
      BOOST_REQUIRE_NO_THROW(method->run(state, 20 * step));
      BOOST_TEST((state.y - rest.y).head(10).cwiseAbs().maxCoeff() < 1e-9 * size, method->name()
                                                                                      << " by " << step);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_damped_chain_settles_under_its_load) {
  const HangingChain chain(40, 1e-3);
  const Reduced reduced(chain.assembled());
  const State rest = equilibrium(reduced, State{0, Vector::Zero(80)});
  const double size = rest.y.cwiseAbs().maxCoeff();
  for (const Smooth& method : implicit_methods(reduced, 2e-3)) {
    if (method->name() == "trapezoidal rule") continue;  // it does not damp stiff motions
    State state{0, Vector::Zero(80)};
    BOOST_REQUIRE_NO_THROW(method->run(state, 1.));
    BOOST_TEST((state.y - rest.y).head(40).cwiseAbs().maxCoeff() < 1e-8 * size, method->name());
  }
}

BOOST_AUTO_TEST_CASE(friction_without_a_load_on_it_holds_a_node_without_mass) {
  // c w + d w|w| + k q = f at rest q = f/k, where the pad has nothing but rounding to hold.
  const double c = 0.5, d = 2, k = 3e6, f = 1.1;
  const Reduced reduced(assemble(one_mass(0, c, k), {{{0, -1, 0., d}}, {}}, [=](double) { return one(f); }));
  const NonlinearModel model(reduced, {inclusion("pad", friction(-2., 2.), on(0))});
  for (const double part : {0., 1e-16, 3e-16, 1e-12}) {
    const NonsmoothState start = model.start(one(f / k * (1 + part)), one(0));
    std::vector<Nonsmooth> methods = implicit_methods(model, 1e-7);
    methods.push_back(std::make_unique<SetValuedEuler<EigenEngine>>(model.inclusions, model.outcome, 1e-7));
    methods.push_back(
        std::make_unique<SetValuedRungeKutta<EigenEngine>>(model.inclusions, model.outcome, 1e-7));
    for (const Nonsmooth& method : methods) {
      NonsmoothState state = start;
      BOOST_REQUIRE_NO_THROW(method->run(state, 1e-6));
      BOOST_TEST(std::abs(state.y[0] - start.y[0]) <= 1e-14 * start.y[0], method->name());
    }
  }
}

BOOST_AUTO_TEST_CASE(an_impact_keeps_the_energy_of_an_inertia_that_depends_on_the_position) {
  // (1 + q^2) q'^2 stays between impacts, and is multiplied by e^2 at each: back at q_0 with e v_0.
  const double q_0 = 0.45, v_0 = 1, h = 2e-4;
  const Reduced reduced(assemble(one_mass(1, 0, 0), {{}, {{0, 1.}}}));
  for (const double e : {1., 0.5}) {
    const NonlinearModel model(reduced, {inclusion("stop", contact(0.4, e), on(0))});
    for (const Nonsmooth& method : impact_methods(model, h)) {
      NonsmoothState state = model.start(one(q_0), one(-v_0));
      while (state.y[0] < q_0 || state.y[1] < 0)
        method->step(state);
      BOOST_TEST(std::abs(state.y[1] - e * v_0) < 2e-3, method->name()
                                                            << ", e = " << e << ": " << state.y[1]);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_impact_acts_on_all_masses_that_the_state_couples) {
  // x bounces at the stop, u = y + a x^2/2 does not feel it.
  const double m = 2, a = 1.5, x_0 = 0.7, v_x = -1, stop = 0.4, h = 5e-4;
  const Reduced reduced(bent_coordinates(m, a));
  const double y_0 = 0.2, v_y = 0.3, u_0 = y_0 + a * x_0 * x_0 / 2, v_u = v_y + a * x_0 * v_x;
  for (const double e : {1., 0.5, 0.}) {
    const NonlinearModel model(reduced, {inclusion("stop", contact(stop, e), on(0))});
    for (const Nonsmooth& method : e > 0 ? impact_methods(model, h) : implicit_methods(model, h)) {
      NonsmoothState state = model.start(vector_of({x_0, y_0}), vector_of({v_x, v_y}));
      method->run(state, 0.6);
      const double x = stop + e * -v_x * (0.6 - (stop - x_0) / v_x), u = u_0 + v_u * 0.6;
      BOOST_TEST(std::abs(state.y[0] - x) < 4 * h, method->name() << ", e = " << e << ": " << state.y[0]);
      BOOST_TEST(std::abs(state.y[1] + a * state.y[0] * state.y[0] / 2 - u) < 4 * h,
                 method->name() << ", e = " << e << ": " << state.y[1]);
      BOOST_TEST(std::abs(state.y[3] + a * state.y[0] * state.y[2] - v_u) < 8 * h,
                 method->name() << ", e = " << e << ": " << state.y[3]);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_mass_that_the_state_couples_rests_on_its_stop) {
  // A load presses x onto the stop, and pulls u: u'' = f_u. It is f - M' ... of y alone: r = f_x + a x f_u.
  const double m = 2, a = 1.5, stop = 0.4, f = 0.8, h = 1e-3;
  const Reduced reduced(bent_coordinates(m, a, [=](double) { return vector_of({-3., f}); }));
  const NonlinearModel model(reduced, {inclusion("stop", contact(stop, 0.), on(0))});
  for (const Nonsmooth& method : implicit_methods(model, h)) {
    NonsmoothState state = model.start(vector_of({stop, 0.}), vector_of({0., 0.}));
    method->run(state, 0.5);
    BOOST_TEST(std::abs(state.y[0] - stop) < 1e-9, method->name());
    BOOST_TEST(std::abs(state.y[3] - 0.5 * f) < 1e-9, method->name() << ": " << state.y[3]);
    BOOST_TEST(std::abs(state.r[0] - (3 + a * stop * f)) < 1e-8, method->name() << ": " << state.r[0]);
  }
}

BOOST_AUTO_TEST_CASE(penalties_in_the_metric_of_a_mass_that_varies_are_refused) {
  const Reduced varies(assemble(one_mass(1, 0, 0), {{}, {{0, 1.}}})),
      hardens(assemble(one_mass(1, 0, 1), {{{0, -1, 5., 0.}}, {}}));
  const auto yosida = [](const Reduced& reduced, const std::shared_ptr<const Law>& law) {
    const NonlinearModel model(reduced, {inclusion("stop", law, on(0))});
    YosidaPenalty<EigenEngine>(model.inclusions, model.outcome, 1e-4, 1e-4);
  };
  BOOST_CHECK_EXCEPTION(yosida(varies, contact(0.4, 1.)), NotAvailable, [](const Error& error) {
    return std::string(error.what()).find("\"stop\"") != std::string::npos;
  });
  BOOST_CHECK_NO_THROW(yosida(varies, friction(-1., 1.)));
  BOOST_CHECK_NO_THROW(yosida(hardens, contact(0.4, 1.)));
}

BOOST_AUTO_TEST_CASE(a_contact_stops_a_node_without_mass_behind_a_quadratic_damper) {
  // c w + d w|w| + k q = f falls onto h, where r = k h - f, whatever its speed was where it was linearized.
  const double c = 0.5, d = 2, k = 1, f = -3, h = 0.1;
  const AssembledSystem<EigenEngine> assembled =
      assemble(one_mass(0, c, k), {{{0, -1, 0., d}}, {}}, [=](double) { return one(f); });
  for (const double speed : {0., -1.5}) {
    const Reduced reduced(assembled, 0., AssembledMotion{one(0.5), one(speed), one(0.)});
    const NonlinearModel model(reduced, {inclusion("stop", contact(h), on(0))});
    std::vector<Nonsmooth> methods;
    const double step = 5e-3;
    const Inclusions<EigenEngine>& inclusions = model.inclusions;
    methods.push_back(std::make_unique<NonsmoothEuler<EigenEngine>>(inclusions, model.outcome, step));
    methods.push_back(std::make_unique<MoreauJean<EigenEngine>>(inclusions, model.outcome, step));
    methods.push_back(std::make_unique<NonsmoothAlpha<EigenEngine>>(inclusions, model.outcome, step,
                                                                    NonsmoothAlphaOptions{1.}));
    methods.push_back(std::make_unique<SetValuedEuler<EigenEngine>>(inclusions, model.outcome, step));
    methods.push_back(std::make_unique<SetValuedRungeKutta<EigenEngine>>(inclusions, model.outcome, step));
    BOOST_CHECK_THROW(NonsmoothAlpha<EigenEngine>(inclusions, model.outcome, step), NotAvailable);
    for (const Nonsmooth& method : methods) {
      NonsmoothState state = model.start(one(0.5), one(0));
      BOOST_TEST_CONTEXT(method->name() << ", speed " << speed)
      BOOST_REQUIRE_NO_THROW(method->run(state, 2.));
      BOOST_TEST(std::abs(state.y[0] - h) < 1e-12, method->name() << ", speed " << speed);
      BOOST_TEST(std::abs(state.r[0] - (k * h - f)) < 1e-8, method->name()
                                                                << ", speed " << speed << ": " << state.r[0]);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_step_that_has_converged_at_its_last_trial_is_taken) {
  const HardeningMount mount;
  const auto last_trial = [&](int n) {
    ReductionOptions options;
    options.newton.max_iterations = n;
    const Reduced reduced(mount.assembled(), options);
    State state{0, vector_of({0.5, 0.1, -0.7})};
    ImplicitEuler<EigenEngine>(reduced, 1e-3).step(state);
    return state.y;
  };
  // How many trials the first step takes: with one less it is not solved.
  const Vector y = last_trial(50);
  int n = 49;
  try {
    for (; n > 0; --n)
      BOOST_TEST((last_trial(n) - y).cwiseAbs().maxCoeff() < 1e-10);
  } catch (const NoConvergence& error) {
    BOOST_TEST(error.residual() > 1e-10, "a change of " << error.residual() << " was refused");
  }
  BOOST_TEST(n > 1);
}

BOOST_AUTO_TEST_CASE(a_trial_of_an_adaptive_step_may_fail) {
  // A spring that is defined up to its stop alone: q'' = -q/sqrt(1 - q^2), first integral q'^2/2 - sqrt(1 -
  // q^2).
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(MultiVector::Ones(1, 1));
  description.stiffness = matrix_of<EigenEngine>(MultiVector::Zero(1, 1));
  description.state_force.force = [](double, const AssembledMotion& now) {
    const double q = now.displacement[0];
    return one(q / std::sqrt(1 - q * q));
  };
  description.state_force.tangents = [](double, const AssembledMotion& now) {
    const double q = now.displacement[0];
    Tangents<EigenEngine> tangents;
    tangents.stiffness = matrix_of<EigenEngine>(MultiVector::Constant(1, 1, std::pow(1 - q * q, -1.5)));
    return tangents;
  };
  const Reduced reduced(AssembledSystem<EigenEngine>(std::move(description)));
  DormandPrinceOptions options;
  options.initial_step = 5;
  options.relative_tolerance = options.absolute_tolerance = 1e-10;
  DormandPrince<EigenEngine> method(reduced, options);
  const Vector begin = vector_of({0.9, 0.3});
  const auto integral = [](const Vector& y) { return y[1] * y[1] / 2 - std::sqrt(1 - y[0] * y[0]); };
  State state{0, begin};
  BOOST_REQUIRE_NO_THROW(method.run(state, 4.));
  BOOST_TEST(std::abs(integral(state.y) - integral(begin)) < 1e-8);
  BOOST_TEST(method.n_rejected() > 0);
  // A state beyond it has no step at all, and stays.
  State beyond{0, vector_of({0.999, 3.})};
  const Vector y = beyond.y;
  BOOST_CHECK_THROW(DormandPrince<EigenEngine>(reduced, options).run(beyond, 1.), NoConvergence);
  BOOST_TEST(std::abs(beyond.y[0]) < 1);
}

BOOST_AUTO_TEST_CASE(messages_name_the_step) {
  // A spring whose tangents are useless.
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(MultiVector::Ones(1, 1));
  description.stiffness = matrix_of<EigenEngine>(MultiVector::Ones(1, 1));
  description.state_force.force = [](double, const AssembledMotion& now) {
    return one(1e6 * std::sin(1e6 * now.displacement[0]));
  };
  description.state_force.tangents = [](double, const AssembledMotion&) { return Tangents<EigenEngine>{}; };
  const Reduced reduced(AssembledSystem<EigenEngine>(std::move(description)));
  const NonlinearModel model(reduced, {inclusion("pad", friction(-1., 1.), on(0))});
  MoreauJean<EigenEngine> method(model.inclusions, model.outcome, 0.25);
  NonsmoothState state = model.start(one(0.3), one(1.));
  BOOST_CHECK_EXCEPTION(method.step(state), NoConvergence, [](const Error& error) {
    const std::string text = error.what();
    return text.find("Moreau-Jean step from 0 s to 0.25 s") != std::string::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()
