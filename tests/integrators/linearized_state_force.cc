// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/smooth/explicit_methods.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/integrators/verification/energy.h>
#include <halfdof/reduction/linearized_state_force.h>

#include "nonlinear_inclusions.h"

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

using Reduced = ReducedSystem<EigenEngine>;
using Smooth = std::unique_ptr<Integrator<EigenEngine>>;
using Nonsmooth = std::unique_ptr<NonsmoothIntegrator<EigenEngine>>;

State state_of(std::vector<double> y, double time = 0) {
  return {time, vector_of(y)};
}

Vector end_of(Integrator<EigenEngine>& integrator, State state, double end) {
  integrator.run(state, end);
  return state.y;
}

template <class Method>
Vector end_of(const Reduced& reduced, const State& begin, double end, int n_steps) {
  Method method(reduced, (end - begin.time) / n_steps);
  return end_of(method, begin, end);
}

/// A solution of the mount to twelve digits, by steps that control their error.
Vector reference_of_mount(const Reduced& reduced, const State& begin, double end) {
  DormandPrinceOptions options;
  options.relative_tolerance = options.absolute_tolerance = 1e-12;
  DormandPrince<EigenEngine> method(reduced, options);
  return end_of(method, begin, end);
}

/// Without x'|x'|, whose second derivative jumps.
template <class Method>
double observed_order(int n_steps) {
  HardeningMount mount;
  mount.parts.links[1].quadratic = 0;
  const Reduced reduced(mount.assembled());
  const State begin = state_of({0.5, 0.1, -0.7});
  const Vector exact = reference_of_mount(reduced, begin, 1.);
  const double coarse = (end_of<Method>(reduced, begin, 1., n_steps) - exact).norm(),
               fine = (end_of<Method>(reduced, begin, 1., 2 * n_steps) - exact).norm();
  BOOST_TEST_MESSAGE("errors " << coarse << ", " << fine);
  return std::log2(coarse / fine);
}

struct Model : NonlinearModel {
  using NonlinearModel::NonlinearModel;
  std::vector<Nonsmooth> all_methods(double step) const {
    std::vector<Nonsmooth> all;
    all.push_back(std::make_unique<NonsmoothEuler<EigenEngine>>(inclusions, outcome, step));
    all.push_back(std::make_unique<MoreauJean<EigenEngine>>(inclusions, outcome, step));
    all.push_back(std::make_unique<NonsmoothAlpha<EigenEngine>>(inclusions, outcome, step));
    all.push_back(std::make_unique<SetValuedEuler<EigenEngine>>(inclusions, outcome, step));
    all.push_back(std::make_unique<SetValuedRungeKutta<EigenEngine>>(inclusions, outcome, step));
    all.push_back(std::make_unique<YosidaPenalty<EigenEngine>>(inclusions, outcome, step, 1e-4));
    return all;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(linearized_state_force)

BOOST_AUTO_TEST_CASE(duffing_oscillator_has_the_period_of_the_elliptic_integral) {
  // m q'' + k q + k_3 q^3 = 0 from q = a at rest: q = a cn(omega t), omega^2 = (k + k_3 a^2)/m,
  // modulus^2 = k_3 a^2 / (2 (k + k_3 a^2)), period 4 K / omega.
  const double m = 2, k = 3, k_3 = 5, a = 1.3;
  const Reduced reduced(assemble(one_mass(m, 0, k), {{{0, -1, k_3, 0.}}, {}}));
  const double omega = std::sqrt((k + k_3 * a * a) / m);
  const double modulus = std::sqrt(k_3 * a * a / (2 * (k + k_3 * a * a)));
  const double period = 4 * std::comp_ellint_1(modulus) / omega;
  const State begin = state_of({a, 0});
  const auto error = [&](const Vector& y) { return (y - begin.y).norm(); };
  BOOST_TEST(error(end_of<RadauIIA5<EigenEngine>>(reduced, begin, period, 200)) < 1e-7);
  BOOST_TEST(error(end_of<ExplicitRungeKutta<EigenEngine>>(reduced, begin, period, 200)) < 1e-6);
  BOOST_TEST(error(end_of<Trapezoidal<EigenEngine>>(reduced, begin, period, 2000)) < 1e-4);
  BOOST_TEST(error(end_of<GeneralizedAlpha<EigenEngine>>(reduced, begin, period, 2000)) < 1e-4);
  BOOST_TEST(error(reference_of_mount(reduced, begin, period)) < 1e-9);
}

BOOST_AUTO_TEST_CASE(quadratic_damper_of_a_viscous_dof_follows_the_separated_equation) {
  // c q' + d q'^2 sign(q') + k q = 0: with s = sqrt(c^2 + 4 d k |q|), t = (s_0 - s + c ln((s_0 - c)/(s - c)))
  // / k.
  const double c = 0.4, d = 2, k = 3, q_0 = 1.5, q_1 = 0.2;
  const Reduced reduced(assemble(one_mass(0, c, k), {{{0, -1, 0., d}}, {}}));
  BOOST_REQUIRE_EQUAL(reduced.n_states(), 1);
  const auto s = [&](double q) { return std::sqrt(c * c + 4 * d * k * q); };
  const double end = (s(q_0) - s(q_1) + c * std::log((s(q_0) - c) / (s(q_1) - c))) / k;
  const State begin = state_of({q_0});
  BOOST_TEST(std::abs(end_of<RadauIIA5<EigenEngine>>(reduced, begin, end, 50)[0] - q_1) < 1e-8);
  BOOST_TEST(std::abs(end_of<ExplicitRungeKutta<EigenEngine>>(reduced, begin, end, 100)[0] - q_1) < 1e-6);
  BOOST_TEST(std::abs(end_of<ImplicitEuler<EigenEngine>>(reduced, begin, end, 1000)[0] - q_1) < 2e-3);
}

BOOST_AUTO_TEST_CASE(orders_are_those_of_linear_systems) {
  BOOST_TEST(std::abs(observed_order<ImplicitEuler<EigenEngine>>(200) - 1) < 0.1);
  BOOST_TEST(std::abs(observed_order<Trapezoidal<EigenEngine>>(50) - 2) < 0.1);
  BOOST_TEST(std::abs(observed_order<GeneralizedAlpha<EigenEngine>>(100) - 2) < 0.15);
  BOOST_TEST(std::abs(observed_order<RadauIIA5<EigenEngine>>(16) - 5) < 0.5);
  BOOST_TEST(std::abs(observed_order<ExplicitRungeKutta<EigenEngine>>(50) - 4) < 0.3);
}

BOOST_AUTO_TEST_CASE(every_step_obeys_the_equations_at_its_end) {
  const HardeningMount mount;
  const Reduced reduced(mount.assembled());
  RadauIIA5<EigenEngine> method(reduced, 0.05);
  State state = state_of({0.5, 0.1, -0.7});
  double largest = 0;
  method.run(state, 2., [&](const auto& now) {
    largest = std::max(largest, mount.residual(now.time(), now.lift()).cwiseAbs().maxCoeff());
  });
  BOOST_TEST(largest < 1e-8);
  // The tangents followed the motion.
  BOOST_TEST(method.reduced().linearized_state_force()->time > 0);
}

BOOST_AUTO_TEST_CASE(inertia_that_depends_on_the_position_keeps_its_energy) {
  const double m = 1, m_a = 3, k = 4;
  const Reduced reduced(assemble(one_mass(m, 0, k), {{}, {{0, m_a}}}));
  const auto energy = [&](const Vector& y) {
    return 0.5 * (m + m_a * y[0] * y[0]) * y[1] * y[1] + 0.5 * k * y[0] * y[0];
  };
  const State begin = state_of({0.9, 0.4});
  const Vector end = end_of<RadauIIA5<EigenEngine>>(reduced, begin, 3., 300);
  BOOST_TEST(std::abs(energy(end) - energy(begin.y)) < 1e-8 * energy(begin.y));
}

BOOST_AUTO_TEST_CASE(balance_of_energy_holds_with_a_state_force) {
  const HardeningMount mount;
  const Reduced reduced(mount.assembled());
  RadauIIA5<EigenEngine> method(reduced, 0.01);
  EnergyBalance<EigenEngine> balance(reduced);
  State state = state_of({0.5, 0.1, -0.7});
  method.run(state, 1., [&](const auto& now) { balance(now); });
  BOOST_TEST(std::abs(balance.defect()) < 2e-3 * std::abs(balance.energies().work));
}

BOOST_AUTO_TEST_CASE(a_change_of_kind_names_the_dof_and_leaves_the_state) {
  // q^2 q' + q = f makes q = e^{-t}: the damping q^2 is never null, but soon nothing beside what it was.
  SystemDescription<EigenEngine> description;
  description.stiffness = matrix_of<EigenEngine>(MultiVector(MultiVector::Identity(1, 1)));
  description.load = [](double t) { return one(std::exp(-t) - std::exp(-3 * t)); };
  StateForce<EigenEngine>& p = description.state_force;
  p.force = [](double, const AssembledMotion& now) {
    return one(now.displacement[0] * now.displacement[0] * now.rate[0]);
  };
  p.tangents = [](double, const AssembledMotion& now) {
    const double q = now.displacement[0], v = now.rate[0];
    return Tangents<EigenEngine>{
        {}, matrix_of<EigenEngine>(one(q * q)), matrix_of<EigenEngine>(one(2 * q * v))};
  };
  p.pattern.damping = matrix_of<EigenEngine>(one(1));
  const Reduced reduced(AssembledSystem<EigenEngine>(description), 0., {one(1), one(-1), one(0)});
  ImplicitEuler<EigenEngine> method(reduced, 0.25);
  State state = state_of({1});
  // e^{-2 t} = 1.5e-8 at 9.008.
  BOOST_CHECK_EXCEPTION(method.run(state, 12.), KindChange, [](const KindChange& error) {
    return error.dof() == 0 && error.time() == 9.25 &&
           std::string(error.what()).find("DoF 0") != std::string::npos;
  });
  BOOST_TEST(state.time == 9.);
  BOOST_TEST(std::abs(state.y[0] - std::exp(-9.)) < 1e-3 * std::exp(-9.));
}

BOOST_AUTO_TEST_CASE(a_mass_that_passes_zero_ends_the_run) {
  // (1 - q) q'' = 1 from rest: the mass is null at q = 1, and every step leads past that.
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(one(1));
  description.stiffness = matrix_of<EigenEngine>(one(0));
  description.load = [](double) { return one(1); };
  StateForce<EigenEngine>& p = description.state_force;
  p.force = [](double, const AssembledMotion& now) {
    return one(-now.displacement[0] * now.acceleration[0]);
  };
  p.tangents = [](double, const AssembledMotion& now) {
    return Tangents<EigenEngine>{matrix_of<EigenEngine>(one(-now.displacement[0])),
                                 {},
                                 matrix_of<EigenEngine>(one(-now.acceleration[0]))};
  };
  p.pattern.mass = matrix_of<EigenEngine>(one(1));
  const Reduced reduced{AssembledSystem<EigenEngine>(description)};
  for (const double step : {0.3, 0.11, 0.01}) {
    std::vector<Smooth> methods;
    methods.push_back(std::make_unique<ImplicitEuler<EigenEngine>>(reduced, step));
    methods.push_back(std::make_unique<Trapezoidal<EigenEngine>>(reduced, step));
    methods.push_back(std::make_unique<GeneralizedAlpha<EigenEngine>>(reduced, step));
    methods.push_back(std::make_unique<ExplicitRungeKutta<EigenEngine>>(reduced, step));
    for (const Smooth& method : methods) {
      State state = state_of({0, 0});
      BOOST_TEST_INFO(method->name() << " with steps of " << step);
      BOOST_CHECK_THROW(method->run(state, 4.), Error);
      BOOST_TEST(state.y[0] < 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_force_on_a_rate_that_begins_later_is_refused_when_it_does) {
  // 2 q_1' acts on a node without mass or declared damping from t = 1.2 on.
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(MultiVector(MultiVector::Identity(2, 2).cwiseProduct(
      MultiVector(Vector::Unit(2, 0) * Vector::Unit(2, 0).transpose()))));
  MultiVector K(2, 2);
  K << 3, -1, -1, 2;
  description.stiffness = matrix_of<EigenEngine>(K);
  StateForce<EigenEngine>& p = description.state_force;
  p.force = [](double t, const AssembledMotion& now) -> Vector {
    return t > 1.2 ? Vector(2 * now.rate[1] * Vector::Unit(2, 1)) : Vector(Vector::Zero(2));
  };
  p.tangents = [](double, const AssembledMotion&) { return Tangents<EigenEngine>{}; };
  const Reduced reduced{AssembledSystem<EigenEngine>(description)};
  for (const double scale : {1., 1e-12, 1e12}) {
    ImplicitEuler<EigenEngine> method(reduced, 0.25);
    State state = state_of({scale, 0});
    BOOST_CHECK_EXCEPTION(method.run(state, 3.), InvalidInput, [](const InvalidInput& error) {
      const std::string text = error.what();
      return text.find("t = 1.25") != std::string::npos && text.find("rate of DoF 1") != std::string::npos;
    });
    BOOST_TEST(state.time == 1.);
  }
}

BOOST_AUTO_TEST_CASE(friction_on_a_hardening_oscillator_takes_what_its_way_costs) {
  // From q_0 at rest to the next rest q_1 < 0: k (q_0^2 - q_1^2)/2 + k_3 (q_0^4 - q_1^4)/4 = s (q_0 - q_1).
  const double m = 2, k = 3, k_3 = 5, s = 0.8, q_0 = 1.3;
  const Reduced reduced(assemble(one_mass(m, 0, k), {{{0, -1, k_3, 0.}}, {}}));
  const Model model(reduced, {inclusion("pad", friction(-s, s), on(0))});
  const auto lost = [&](double q) {
    return k * (q_0 * q_0 - q * q) / 2 + k_3 * (std::pow(q_0, 4) - std::pow(q, 4)) / 4 - s * (q_0 - q);
  };
  double low = -q_0, high = -0.1;  // lost(low) < 0 < lost(high)
  for (int i = 0; i < 100; ++i)
    (lost((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
  for (const Nonsmooth& method : model.all_methods(5e-4)) {
    NonsmoothState state = model.start(one(q_0), one(0));
    double lowest = q_0;
    bool reversed = false;
    method->run(state, 3., [&](const auto& now) {
      reversed = reversed || (lowest < 0 && now.state().y[0] > lowest + 1e-9);
      if (!reversed) lowest = std::min(lowest, now.state().y[0]);
    });
    BOOST_TEST(std::abs(lowest - low) < 2e-3, method->name() << ": " << lowest << " instead of " << low);
  }
}

BOOST_AUTO_TEST_CASE(friction_at_a_node_without_mass_behind_a_quadratic_damper) {
  // c w + d w |w| = f - s while it slides.
  const double c = 0.5, d = 2, f = 3, s = 1.2;
  const Reduced reduced(assemble(one_mass(0, c, 0), {{{0, -1, 0., d}}, {}}, [=](double) { return one(f); }));
  const Model model(reduced, {inclusion("pad", friction(-s, s), on(0))});
  const double w = (-c + std::sqrt(c * c + 4 * d * (f - s))) / (2 * d);
  const NonsmoothState start = model.start(one(0), one(0));
  BOOST_TEST(std::abs(start.w[0] - w) < 1e-9);
  for (const Nonsmooth& method : model.all_methods(0.1)) {
    NonsmoothState state = start;
    method->run(state, 1.);
    BOOST_TEST(std::abs(state.y[0] - w) < 1e-8, method->name() << ": " << state.y[0]);
    BOOST_TEST(std::abs(state.r[0] + s) < 1e-9, method->name());
  }
}

BOOST_AUTO_TEST_CASE(contact_at_a_node_without_mass_behind_a_hardening_spring) {
  // The node q_1 hangs on q_0 by a spring, on the ground by k q + k_3 q^3, and is held above h.
  const double k = 2, k_1 = 3, k_3 = 4, h = 0.3, m = 1;
  DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Zero(2, 2)};
  system.M(0, 0) = m;
  system.K << k_1, -k_1, -k_1, k_1 + k;
  const Reduced reduced(assemble(system, {{{1, -1, k_3, 0.}}, {}}));
  const Model model(reduced, {inclusion("stop", contact(h), on(1))});
  const NonsmoothState start = model.start(vector_of({0.2, 0.3}), Vector::Zero(2));
  const auto reaction = [&](double q_0) { return k * h + k_3 * h * h * h - k_1 * (q_0 - h); };
  BOOST_TEST(std::abs(start.r[0] - reaction(0.2)) < 1e-9);
  for (const Nonsmooth& method : model.all_methods(1e-2)) {
    NonsmoothState state = start;
    method->run(state, 0.5);
    const AssembledMotion now = model.inclusions.lift(state, state.r);
    BOOST_TEST(std::abs(now.displacement[1] - h) < 1e-8, method->name());
    BOOST_TEST(std::abs(state.r[0] - reaction(state.y[0])) < 1e-7, method->name());
  }
}

BOOST_AUTO_TEST_CASE(an_elastic_impact_on_a_hardening_oscillator_keeps_its_energy) {
  const double m = 2, k = 3, k_3 = 5;
  const Reduced reduced(assemble(one_mass(m, 0, k), {{{0, -1, k_3, 0.}}, {}}));
  const Model model(reduced, {inclusion("stop", contact(-0.2, 1.), on(0))});
  std::vector<Nonsmooth> methods;
  methods.push_back(std::make_unique<MoreauJean<EigenEngine>>(model.inclusions, model.outcome, 1e-3));
  methods.push_back(std::make_unique<NonsmoothAlpha<EigenEngine>>(model.inclusions, model.outcome, 1e-3));
  methods.push_back(
      std::make_unique<YosidaPenalty<EigenEngine>>(model.inclusions, model.outcome, 1e-3, 1e-4));
  const auto energy = [&](const Vector& y) {
    return 0.5 * m * y[1] * y[1] + 0.5 * k * y[0] * y[0] + 0.25 * k_3 * std::pow(y[0], 4);
  };
  for (const Nonsmooth& method : methods) {
    NonsmoothState state = model.start(one(1.), one(0.));
    const double begin = energy(state.y);
    bool struck = false;
    double last = begin;  // while nothing is touched
    method->run(state, 5., [&](const auto& now) {
      struck = struck || !now.events().empty();
      if (now.state().g[0] > 0) last = energy(now.state().y);
    });
    BOOST_TEST(struck, method->name());
    BOOST_TEST(std::abs(last - begin) < 1e-2 * begin, method->name() << ": " << last << " of " << begin);
  }
}

/// The mean of forces over a step depends on the tangents where masses change and reactions jump.
HardeningMount mount_of_constant_mass() {
  HardeningMount mount;
  mount.parts.inertias.clear();
  return mount;
}

BOOST_AUTO_TEST_CASE(verification_accepts_the_steps) {
  const HardeningMount mount = mount_of_constant_mass();
  const Reduced reduced(mount.assembled());
  const Model model(
      reduced, {inclusion("pad", friction(-0.5, 0.5), on(0)), inclusion("slot", friction(-0.3, 0.3), on(1))});
  for (const Nonsmooth& method : model.all_methods(2e-3)) {
    if (method->kept_exactly().size() < 6) continue;
    NonsmoothState state = model.start(vector_of({0.5, 0.1, 0.}), vector_of({-0.7, 0., 0.}));
    Verification<EigenEngine> verification(*method);
    method->run(state, 1., [&](const auto& now) { verification(now); });
    for (const Check check : method->kept_exactly())
      BOOST_TEST(verification.report()[check].value < 1e-7,
                 method->name() << ", " << name_of(check) << ": " << verification.report()[check].value);
  }
}

BOOST_AUTO_TEST_CASE(a_saved_state_goes_on_to_the_tolerance) {
  const HardeningMount mount = mount_of_constant_mass();
  const Reduced reduced(mount.assembled());
  const Model model(reduced, {inclusion("pad", friction(-0.5, 0.5), on(0))});
  MoreauJean<EigenEngine> whole(model.inclusions, model.outcome, 1e-2);
  NonsmoothState state = model.start(vector_of({0.5, 0.1, 0.}), vector_of({-0.7, 0., 0.})), saved = state;
  whole.run(state, 1.);
  MoreauJean<EigenEngine> first(model.inclusions, model.outcome, 1e-2),
      second(model.inclusions, model.outcome, 1e-2);
  first.run(saved, 0.5);
  second.run(saved, 1.);
  // Tangents differ.
  BOOST_TEST((saved.y - state.y).cwiseAbs().maxCoeff() < 1e-8);
}

BOOST_AUTO_TEST_SUITE_END()
