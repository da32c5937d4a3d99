// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/memory/block_exponential.h>
#include <halfdof/memory/modal_memory.h>
#include <halfdof/memory/modal_propagator.h>

#include <boost/test/unit_test.hpp>

#include "models.h"
#include <limits>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

NamedLaw friction(const std::string& name, double threshold, ScalarFunction support = 0.) {
  return {std::make_shared<DryFriction>(-threshold, threshold, std::move(support)), name};
}

NamedLaw wall(std::optional<double> restitution = {}, double obstacle = 0) {
  return {std::make_shared<UnilateralContact>(obstacle, restitution), "wall"};
}

/// One mode of unit mass, n = 1.
ClassicalModes oscillator(double omega, double D = 0) {
  return {Vector::Constant(1, omega), Vector::Constant(1, D), MultiVector::Ones(1, 1), {}, {}, {}};
}

Vector vector_of(std::initializer_list<double> entries) {
  Vector v(static_cast<Eigen::Index>(entries.size()));
  Eigen::Index i = 0;
  for (const double entry : entries)
    v[i++] = entry;
  return v;
}

MemoryState ran(ModalMemory& method, const Vector& x, double end, const MemoryObserver& observer = {}) {
  MemoryState state = method.start(0, x);
  method.run(state, end, observer);
  return state;
}

/// Szalai (2014), section 5, with the friction curve of the errata.
ModalMemory bowed_string(Index n_modes, double step) {
  return ModalMemory(contact_modes(string_modes(1, {0.4}, 0.1, n_modes)),
                     {{std::make_shared<WeakeningFriction>(
                           FrictionCurve::exponential(4, 1, 1 / 0.32),
                           ScalarFunction([](double t) { return 1.5 * t; }, [](double) { return 1.5; })),
                       "bow"}},
                     step);
}

Vector start_of_string(Index n_modes) {
  Vector x = Vector::Zero(2 * n_modes);
  const double n_1 = std::sqrt(2.) * std::sin(0.4 * pi);
  x[0] = -2.9224 / n_1;
  x[1] = -2.7668 / n_1;
  return x;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(memory_integrators)

BOOST_AUTO_TEST_CASE(a_bowed_string_of_160_modes_moves_as_exact_events_say) {
  struct Point {
    double t, y_1, y_2, f;
  };
  // Independent event-driven integration, tolerance 1e-9.
  const Point exact[] = {{0.5, -1.2181971197912, 7.4075338556405, -1.4530292685336},
                         {1.0, 1.3964456654704, 1.5, -2.5696499614869},
                         {2.0, -0.51043849058772, -0.44370102983532, 2.6106341108423},
                         {3.0, 0.88362227767921, 1.172673296071, 3.7016636324031},
                         {5.0, 1.0692479768607, 1.259858044696, 3.7780989503405},
                         {10.0, 0.1403202083636, -0.96903761913578, 2.3614090785438},
                         {15.0, 1.1895144140497, 1.1694744447499, 3.6988995368638}};
  std::vector<double> errors;
  for (const double step : {2e-3, 1e-3, 5e-4}) {
    ModalMemory method = bowed_string(160, step);
    MemoryState state = method.start(0, start_of_string(160));
    double error = 0, error_of_force = 0;
    for (const Point& point : exact) {
      method.run(state, point.t);
      error = std::max(error, std::abs(state.g[0] + 1.5 * point.t - point.y_1));
      error_of_force = std::max(error_of_force, std::abs(state.r[0] - point.f));
      BOOST_TEST(std::abs(state.w[0] + 1.5 - point.y_2) < 2e4 * step * step);
    }
    BOOST_TEST_MESSAGE("step " << step << ": displacement " << error << ", force " << error_of_force);
    errors.push_back(error);
  }
  BOOST_TEST(errors[2] < 1e-4);
  BOOST_TEST(errors[2] < errors[0] / 8);
}

BOOST_AUTO_TEST_CASE(a_mass_that_reverses_without_resting_loses_the_same_way_each_half_period) {
  // Amplitudes fall by 2 mu/omega^2 each half period pi/omega.
  const double mu = 0.3, omega = 1.7, fall = 2 * mu / (omega * omega);
  std::vector<double> errors;
  for (const double step : {0.04, 0.02, 0.01}) {
    ModalMemory method(contact_modes(oscillator(omega)), {friction("pad", mu)}, step);
    const double halves = 7;
    const MemoryState end = ran(method, vector_of({3., 0.}), halves * pi / omega);
    errors.push_back(std::abs(end.x[0] + (3 - halves * fall)));
    BOOST_TEST(std::abs(end.dissipated - omega * omega * (9 - end.x[0] * end.x[0]) / 2) < 1e-2);
  }
  BOOST_TEST_MESSAGE(errors[0] << ' ' << errors[1] << ' ' << errors[2]);
  BOOST_TEST(errors[2] < 1e-4);
  BOOST_TEST(errors[2] < 0.1 * errors[0]);
}

BOOST_AUTO_TEST_CASE(a_mass_comes_to_rest_and_its_reaction_does_not_alternate) {
  const double mu = 0.8, omega = 2;
  ModalMemory method(contact_modes(oscillator(omega)), {friction("pad", mu)}, 0.013);
  double last = 0;
  const MemoryState end = ran(method, vector_of({0.9, 0.}), 6., [&](const MemoryState& now) {
    if (now.time > 4) {
      BOOST_TEST(std::abs(now.w[0]) < 1e-14);
      BOOST_TEST(std::abs(now.r[0] - last) < 1e-12);
    }
    last = now.r[0];
  });
  BOOST_TEST((end.contacts[0] == ContactState::stick));
  BOOST_TEST(std::abs(end.r[0] - omega * omega * end.x[0]) < 1e-12);
}

BOOST_AUTO_TEST_CASE(reactions_of_what_sticks_on_a_swinging_structure_are_of_second_order) {
  // Three modes whose contact is held: two swing on. The reference takes steps 16 times as small.
  const ClassicalModes modes{vector_of({1., 2.3, 4.1}),
                             vector_of({0.01, 0., 0.02}),
                             (MultiVector(1, 3) << 1., 0.8, -0.5).finished(),
                             {},
                             {},
                             {}};
  const Vector start = vector_of({0.3, 0., -0.375, 0., 0., 0.});
  const auto run = [&](double step) {
    ModalMemory method(contact_modes(modes), {friction("clamp", 1e3)}, step);
    return ran(method, start, 8.);
  };
  const MemoryState fine = run(0.000625);
  const MemoryState coarse = run(0.02), middle = run(0.01);
  const double error = std::abs(coarse.r[0] - fine.r[0]), half = std::abs(middle.r[0] - fine.r[0]);
  BOOST_TEST_MESSAGE("reactions " << error << ' ' << half);
  BOOST_TEST(half < 0.3 * error);
  BOOST_TEST(half < 1e-3);
  const double of_x = (coarse.x - fine.x).norm(), of_half = (middle.x - fine.x).norm();
  BOOST_TEST_MESSAGE("coordinates " << of_x << ' ' << of_half);
  BOOST_TEST(of_half < 0.3 * of_x);
}

BOOST_AUTO_TEST_CASE(two_contacts_stick_and_slip_to_second_order) {
  const ClassicalModes modes{vector_of({1., 2.3, 3.6, 5.2}),
                             vector_of({0.02, 0.01, 0.02, 0.03}),
                             (MultiVector(2, 4) << 1., 0.8, -0.5, 0.4, 0.3, -0.7, 0.6, 0.9).finished(),
                             {},
                             {},
                             {}};
  const Vector start = vector_of({1.3, 0., -0.4, 0.5, 0.2, 0., 0., 1.});
  const auto run = [&](double step) {
    const auto drag = [](double t) { return 0.3 * t; };
    ModalMemory method(contact_modes(modes),
                       {friction("first", 0.4, ScalarFunction(drag)), friction("second", 0.3)}, step);
    int changes = 0;
    std::vector<ContactState> before;
    const MemoryState end = ran(method, start, 10., [&](const MemoryState& now) {
      changes += before.empty() || now.contacts == before ? 0 : 1;
      before = now.contacts;
    });
    BOOST_TEST(changes > 6);
    return end;
  };
  const MemoryState fine = run(0.0005);
  const double error = (run(0.02).x - fine.x).norm(), half = (run(0.01).x - fine.x).norm(),
               quarter = (run(0.005).x - fine.x).norm();
  BOOST_TEST_MESSAGE("coordinates " << error << ' ' << half << ' ' << quarter);
  BOOST_TEST(quarter < 1.5e-1 * error);
  BOOST_TEST(quarter < 1e-3);
}

BOOST_AUTO_TEST_CASE(a_contact_behind_modes_that_are_left_out_is_a_play) {
  // A mass that drags a slider by a spring of compliance W_K: k_e s' = ... held between +-mu.
  ClassicalModes given = oscillator(1.3);
  given.static_compliance = MultiVector::Constant(1, 1, 1 / 1.69 + 0.2);
  const ContactModes modes = contact_modes(given);
  BOOST_TEST(std::abs(modes.W_K(0, 0) - 0.2) < 1e-14);
  // The slider rests at s_0 = 0 until |r| = mu; r = (s - x)/W_K: while it sticks the mass swings faster.
  const double mu = 0.25, sticking = std::sqrt(1.69 + 5);
  const auto run = [&](double step) {
    ModalMemory method(modes, {friction("slider", mu)}, step);
    return ran(method, vector_of({0., 0.1}), 2.);
  };
  // |r| = 5 x_max < mu: it never slips.
  const MemoryState held = run(1e-3);
  BOOST_TEST(std::abs(held.x[0] - 0.1 / sticking * std::sin(2 * sticking)) < 1e-6);
  BOOST_TEST(std::abs(held.g[0]) < 1e-15);
  const auto far = [&](double step) {
    ModalMemory method(modes, {friction("slider", mu)}, step);
    return ran(method, vector_of({0., 1.}), 7.);
  };
  const MemoryState fine = far(1e-4), coarse = far(2e-2), half = far(1e-2);
  const double error = (coarse.x - fine.x).norm(), of_half = (half.x - fine.x).norm();
  BOOST_TEST_MESSAGE("play " << error << ' ' << of_half);
  BOOST_TEST(of_half < 0.4 * error);
  BOOST_TEST(of_half < 1e-3);
}

BOOST_AUTO_TEST_CASE(friction_on_a_viscous_node_is_met_by_its_rate) {
  // c s' + k s = r + f, |r| <= mu: s' = (f - k s - mu)/c where it creeps.
  ContactModes modes{{MultiVector::Constant(1, 1, -0.5)},
                     MultiVector::Constant(1, 1, 2.),
                     MultiVector::Constant(1, 1, 2.),
                     MultiVector::Ones(1, 1),
                     MultiVector::Zero(1, 1),
                     MultiVector::Zero(1, 1),
                     {MultiVector(0, 1), MultiVector(0, 1), MultiVector(0, 1)}};
  ModalMemory method(modes, {friction("pad", 0.3)}, 0.01, {ScalarFunction(1.)});
  const MemoryState end = ran(method, vector_of({0.}), 3.);
  // s' = 2 (1 - 0.3) - 0.5 s
  BOOST_TEST(std::abs(end.g[0] - 2.8 * (1 - std::exp(-1.5))) < 1e-12);
  // By the backward formula of order two: h^2/3 w'', w'' = w/4.
  BOOST_TEST(std::abs(end.w[0] - (1.4 - 0.5 * end.g[0])) < 2 * 0.01 * 0.01 / 12 * end.w[0]);
  ModalMemory held(modes, {friction("pad", 1.3)}, 0.01, {ScalarFunction(1.)});
  BOOST_TEST(std::abs(ran(held, vector_of({0.}), 3.).g[0]) < 1e-15);
}

BOOST_AUTO_TEST_CASE(a_compliant_contact_throws_back_what_hits_it) {
  // A free mass on a contact spring 1/W_K: half a period of contact, and the same speed back.
  ContactModes modes = contact_modes(oscillator(0));
  const double compliance = 1e-2;
  modes.W_K(0, 0) = compliance;
  ModalMemory method(modes, {wall()}, 1e-3);
  const double v = 1.5, contact = pi * std::sqrt(compliance);
  const MemoryState end = ran(method, vector_of({1., -v}), 2.);
  BOOST_TEST(std::abs(end.x[1] - v) < 5e-4);
  BOOST_TEST(std::abs(end.x[0] - v * (2. - contact - 1 / v)) < 1e-3);
  BOOST_TEST(std::abs(end.impulse[0] - 2 * v) < 5e-4);
}

BOOST_AUTO_TEST_CASE(masses_rebound_with_their_restitution) {
  const ContactModes modes = contact_modes(oscillator(0));
  for (const double e : {0., 0.5, 1.}) {
    ModalMemory method(modes, {wall(e)}, 1e-3);
    const MemoryState end = ran(method, vector_of({0.5, -2.}), 0.5);
    BOOST_TEST(std::abs(end.x[1] - 2 * e) < 1e-10);
    BOOST_TEST(std::abs(end.x[0] - 2 * e * 0.25) < 3e-3);
  }
}

BOOST_AUTO_TEST_CASE(obstacles_whose_rate_jumps_strike_what_rests_on_them) {
  // A floor that begins to rise with speed 1 under a mass that weighs 10: w- = -1, w+ = e.
  ClassicalModes given = oscillator(0);
  given.at_loads = MultiVector::Ones(1, 1);
  const ContactModes modes = contact_modes(given);
  constexpr double e = 0.9, kink = 0.5, end_time = 0.6;
  for (const ScalarFunction& floor :
       {ScalarFunction::expression("max(0, t - 0.5)"), ScalarFunction::table({0, kink, 1.5}, {0, 0, 1})})
    for (const double step : {1e-3, 3e-4}) {  // the kink at the end of a step, and inside one
      ModalMemory method(modes, {{std::make_shared<UnilateralContact>(floor, e), "floor"}}, step,
                         {ScalarFunction(-10.)});
      const MemoryState end = ran(method, Vector::Zero(2), end_time);
      BOOST_TEST(std::abs(end.x[1] - (1 + e - 10 * (end_time - kink))) < 10 * step);
      BOOST_TEST(std::abs(end.x[0] - ((1 + e) * (end_time - kink) - 5 * std::pow(end_time - kink, 2))) <
                 step);
      BOOST_TEST(std::abs(end.dissipated - (1 - e * e) / 2) < step);
    }
}

BOOST_AUTO_TEST_CASE(coulomb_friction_holds_what_is_pressed_hard_enough) {
  // A plate pressed by 2 and dragged by f: mu = 0.4 holds 0.8.
  ClassicalModes given{
      Vector::Zero(2), Vector::Zero(2), MultiVector::Identity(2, 2), MultiVector::Identity(2, 2), {}, {}};
  const NamedLaw law{std::make_shared<CoulombFriction>(1, 0.4), "plate"};
  for (const double drag : {0.7, 1.1}) {
    ModalMemory method(contact_modes(given), {law}, 1e-2, {ScalarFunction(-2.), ScalarFunction(drag)});
    const MemoryState end = ran(method, Vector::Zero(4), 2.);
    const double expected = std::max(0., drag - 0.8) * 2;  // v = (f - mu N) t
    BOOST_TEST(std::abs(end.w[1] - expected) < 1e-2, drag);
    BOOST_TEST(std::abs(end.r[0] - 2.) < 1e-10);
  }
}

BOOST_AUTO_TEST_CASE(smooth_motion_with_loads_is_exact_for_lines) {
  // A load that is a line is followed exactly, whatever the step; the contact stays open.
  ClassicalModes given = oscillator(3., 0.2);
  given.at_loads = MultiVector::Constant(1, 1, 0.7);
  given.at_observed = MultiVector::Constant(1, 1, 2.);
  ModalMemory method(contact_modes(given), {wall(0., -100.)}, 0.37,
                     {ScalarFunction([](double t) { return 1 + 2 * t; })});
  const MemoryState end = ran(method, vector_of({0., 0.}), 4.);
  // x'' + 1.2 x' + 9 x = 0.7 (1 + 2 t)
  const double b = 1.4 / 9, a = (0.7 - 1.2 * b) / 9, w = 3 * std::sqrt(1 - 0.04), t = 4;
  const double A = -a, B = (-b - 0.6 * a) / w;
  const double expected = a + b * t + std::exp(-0.6 * t) * (A * std::cos(w * t) + B * std::sin(w * t));
  BOOST_TEST(std::abs(end.x[0] - expected) < 1e-13);
  BOOST_TEST(std::abs(method.observed(end).s[0] - 2 * expected) < 1e-13);
}

BOOST_AUTO_TEST_CASE(two_structures_rub_on_each_other) {
  // Relative directions between two bodies are those of one structure with the modes of both.
  const ClassicalModes left{
      vector_of({1., 2.7}), vector_of({0.02, 0.01}), (MultiVector(1, 2) << 1., 0.6).finished(), {}, {}, {}},
      right{vector_of({1.6}), vector_of({0.03}), (MultiVector(1, 1) << 0.8).finished(), {}, {}, {}};
  const ContactModes both = joined(
      {{contact_modes(left), MultiVector::Ones(1, 1)}, {contact_modes(right), -MultiVector::Ones(1, 1)}});
  const ClassicalModes one{vector_of({1., 2.7, 1.6}),
                           vector_of({0.02, 0.01, 0.03}),
                           (MultiVector(1, 3) << 1., 0.6, -0.8).finished(),
                           {},
                           {},
                           {}};
  const Vector start = vector_of({1., 0., 0., 0.5, -0.7, 0.});
  ModalMemory of_both(both, {friction("joint", 0.3)}, 0.02),
      of_one(contact_modes(one), {friction("joint", 0.3)}, 0.02);
  const MemoryState first = ran(of_both, start, 10.), second = ran(of_one, start, 10.);
  BOOST_TEST((first.x - second.x).norm() == 0.);
  BOOST_TEST(first.dissipated > 0.1);
  BOOST_CHECK_THROW(joined({}), InvalidInput);
  BOOST_CHECK_THROW(joined({{contact_modes(left), MultiVector::Ones(1, 2)}}), InvalidInput);
}

BOOST_AUTO_TEST_CASE(the_recursion_is_the_convolution) {
  const ContactModes modes = random_blocks(2, 7);
  const double h = 0.03;
  const Index n_steps = 400;
  const ModalPropagator propagator(modes, h);
  const MultiVector u_a = RandomNumbers(1).matrix(2, n_steps), u_b = RandomNumbers(2).matrix(2, n_steps);
  Vector x = Vector::Zero(modes.n_coordinates());
  for (Index k = 0; k < n_steps; ++k) {
    propagator.propagate(x);
    propagator.add_reactions(u_a.col(k), u_b.col(k), x);
  }
  // Of each step by itself: what its line makes, and that until the end.
  Vector naive = Vector::Zero(modes.n_coordinates());
  for (Index k = 0; k < n_steps; ++k) {
    Vector of_step(modes.n_coordinates());
    Index first = 0;
    for (const MultiVector& J : modes.J) {
      const auto size = static_cast<Index>(J.rows());
      const BlockExponential exponential = block_exponential(J, h);
      of_step.segment(first, size) =
          exponential.F_1 * modes.B.middleRows(first, size) * u_a.col(k) +
          exponential.F_2 * modes.B.middleRows(first, size) * (u_b.col(k) - u_a.col(k)) / h;
      first += size;
    }
    naive += modes.propagated((n_steps - 1 - k) * h, of_step);
  }
  BOOST_TEST((x - naive).norm() < 1e-12 * naive.norm());
}

BOOST_AUTO_TEST_CASE(a_run_goes_on_behind_a_shorter_last_step) {
  const auto run = [](double step, const std::vector<double>& ends) {
    ModalMemory method = bowed_string(40, step);
    MemoryState state = method.start(0, start_of_string(40));
    for (const double end : ends)
      method.run(state, end);
    return state;
  };
  const MemoryState exact = run(1e-4, {3.});
  std::vector<double> errors;
  for (const double step : {4e-3, 2e-3, 1e-3}) {
    const MemoryState state = run(step, {0.7123, 1.90371, 3.});
    BOOST_TEST(state.time == 3.);
    errors.push_back((state.x - exact.x).norm());
  }
  BOOST_TEST_MESSAGE(errors[0] << ' ' << errors[1] << ' ' << errors[2]);
  BOOST_TEST(errors[2] < 0.3 * errors[0]);
  BOOST_TEST(errors[2] < 1e-3);
}

BOOST_AUTO_TEST_CASE(a_run_is_the_same_in_parts) {
  ModalMemory method = bowed_string(40, 1e-3);
  const MemoryState whole = ran(method, start_of_string(40), 2.);
  MemoryState parts = method.start(0, start_of_string(40));
  while (parts.time < 2. - 1e-9)
    method.step(parts);
  BOOST_TEST((whole.x - parts.x).norm() == 0.);
  BOOST_TEST(whole.r[0] == parts.r[0]);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused) {
  const ContactModes modes = contact_modes(oscillator(2.));
  BOOST_CHECK_THROW(ModalMemory(modes, {}, 0.1), InvalidInput);
  BOOST_CHECK_THROW(ModalMemory(modes, {friction("a", 1), friction("b", 1)}, 0.1), InvalidInput);
  BOOST_CHECK_THROW(ModalMemory(modes, {friction("a", 1)}, -0.1), InvalidInput);
  BOOST_CHECK_THROW(ModalMemory(modes, {friction("a", 1)}, 0.1, {ScalarFunction(1.)}), InvalidInput);
  ModalMemory method(modes, {friction("a", 1)}, 0.1);
  BOOST_CHECK_THROW(method.start(0, Vector::Zero(3)), InvalidInput);
  BOOST_CHECK_THROW(method.start(0, Vector::Constant(2, std::nan(""))), InvalidInput);
  BOOST_CHECK_THROW(method.start(0, Vector::Zero(2), Vector::Zero(2)), InvalidInput);
  MemoryState state = method.start(0, Vector::Zero(2));
  BOOST_CHECK_THROW(method.run(state, -1.), InvalidInput);
  // A reaction that does not move its contact.
  ContactModes still = modes;
  still.B.setZero();
  BOOST_CHECK_THROW(ModalMemory(still, {friction("a", 1)}, 0.1), InvalidInput);
  // Friction that falls faster than the structure gives way.
  const NamedLaw steep{std::make_shared<WeakeningFriction>(FrictionCurve::exponential(4, 1, 0.1)), "steep"};
  ContactModes viscous = modes;
  viscous.J = {MultiVector::Constant(1, 1, -1.)};
  viscous.B = viscous.C = MultiVector::Ones(1, 1);
  viscous.B_f = MultiVector(1, 0);
  viscous.observed.C = MultiVector(0, 1);
  BOOST_CHECK_THROW(ModalMemory(viscous, {steep}, 0.1), NotAvailable);
  ContactModes compliant = modes;
  compliant.W_K(0, 0) = 0.1;
  BOOST_CHECK_THROW(ModalMemory(compliant, {steep}, 0.1), NotAvailable);
}

BOOST_AUTO_TEST_SUITE_END()
