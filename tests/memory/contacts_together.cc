// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/integrators/verification/verification.h>
#include <halfdof/memory/massless_projector.h>
#include <halfdof/memory/modal_memory.h>

#include <boost/test/unit_test.hpp>

#include "structures.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

/// Units of length, force and time; powers of two leave every digit.
struct Units {
  double length = 1, force = 1, time = 1;
};

using Function = double (*)(double);

/// A model at rest under one load; contacts by their direction and obstacle, friction by its direction and
/// threshold.
struct Model {
  DenseSystem system;
  Vector load;
  Function of_load;
  std::vector<std::pair<Direction, double>> frictions;
  std::vector<std::pair<Direction, Function>> walls;
  double end;
};

ScalarFunction in_units(Function f, double value, double time) {
  constexpr double d = 1e-6;
  return ScalarFunction(
      [=](double t) { return value * f(t / time); },
      [=](double t) { return value * (f(t / time + d) - f(t / time - d)) / (2 * d * time); });
}

MultiVector matrix(std::initializer_list<double> entries, Index n) {
  MultiVector A(n, n);
  Index i = 0;
  for (const double entry : entries) {
    A(i / n, i % n) = entry;
    ++i;
  }
  return A;
}

/// Displacements, reactions in units, and how often a contact changed its state.
struct Result {
  Vector q, r;
  int n_changes = 0;
  VerificationReport report;
  std::vector<Check> kept;
};

Result run(const Model& model, double step, const Units& unit = {}) {
  const DenseSystem scaled{model.system.M * (unit.force * unit.time * unit.time / unit.length),
                           model.system.C * (unit.force * unit.time / unit.length),
                           model.system.K * (unit.force / unit.length)};
  std::vector<Inclusion> given;
  for (const auto& [direction, threshold] : model.frictions)
    given.push_back(
        inclusion("friction", std::make_shared<StVenantElement>(threshold * unit.force), direction));
  for (const auto& [direction, obstacle] : model.walls)
    given.push_back(inclusion(
        "wall", std::make_shared<UnilateralContact>(in_units(obstacle, unit.length, unit.time)), direction));
  const ScalarFunction load = in_units(model.of_load, 1, unit.time);
  const auto n = model.system.M.rows();
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(scaled.M);
  description.damping = matrix_of<EigenEngine>(scaled.C);
  description.stiffness = matrix_of<EigenEngine>(scaled.K);
  const Vector place = model.load * unit.force;
  description.load = [load, place](double t) -> Vector { return load(t) * place; };
  description.load_rate = [load, place](double t) -> Vector { return load.derivative(t) * place; };
  const Inclusions<EigenEngine> contacts(reduce(AssembledSystem<EigenEngine>(description)), given);
  const InclusionOutcome outcome = classify_inclusions(contacts);
  NonsmoothState state =
      nonsmooth_start(contacts, outcome, Vector(Vector::Zero(n)), Vector(Vector::Zero(n)), 0.);
  MemoryMethod<EigenEngine> method(contacts, outcome, structure_modes(contacts, place), step * unit.time,
                                   {load});
  Verification<EigenEngine> verification(method);
  Result result;
  std::vector<ContactState> before;
  method.run(state, model.end * unit.time, [&](const NonsmoothObservation<EigenEngine>& now) {
    verification(now);
    if (!before.empty() && now.state().contacts != before) ++result.n_changes;
    before = now.state().contacts;
    result.q = now.lift().displacement / unit.length;
    result.r = now.state().r / unit.force;
  });
  result.report = verification.report();
  result.kept = method.kept_exactly();
  return result;
}

const Function sine_of_two = [](double t) { return std::sin(2 * t); };

/// Friction and contact share two viscous nodes.
Model viscous_nodes() {
  return {{matrix({0, 0, 0, 0}, 2), matrix({1.2, 0, 0, 1.5}, 2), matrix({10, -2, -2, 8}, 2)},
          (Vector(2) << 8, 3).finished(),
          sine_of_two,
          {{on(0), 2.}},
          {{Direction({{0, -1.}, {1, 0.5}}), [](double) { return -0.05; }}},
          4.};
}

/// A cam moves a massless node that drags a mass by friction: while it touches, the mass alone decides the
/// friction.
Model clutch() {
  return {{matrix({1, 0, 0, 0}, 2), matrix({0, 0, 0, 0}, 2), matrix({20, 0, 0, 50}, 2)},
          (Vector(2) << 8, 0).finished(),
          sine_of_two,
          {{between(1, 0), 3.}},
          {{on(1), [](double t) { return 0.05 - 0.05 * std::cos(3 * t); }}},
          3.};
}

/// A play behind a spring, which a load pushes itself.
Model play() {
  return {{matrix({1, 0, 0, 0}, 2), matrix({0, 0, 0, 0}, 2), matrix({200, -80, -80, 120}, 2)},
          (Vector(2) << 9, -4).finished(),
          [](double t) { return std::sin(6 * t); },
          {{on(1), 2.}},
          {},
          2.};
}

/// A mass that floats on a massless foot.
Model floating_foot() {
  return {{matrix({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 4),
           matrix({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 4),
           matrix({220, 40, -200, -40, 40, 300, -40, -300, -200, -40, 200, 40, -40, -300, 40, 300}, 4)},
          (Vector(4) << 6, -10, 0, 0).finished(),
          [](double t) { return std::abs(std::cos(t)); },
          {{on(2), 3.}},
          {{on(3), [](double) { return 0.; }}},
          1.5};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(memory_of_contacts_together)

// Expected displacements are those of an implicit Euler method on the full model that tries all states of
// the laws, with steps of 2e-5 and 4e-5 extrapolated; tolerances are a few times its error.
BOOST_AUTO_TEST_CASE(friction_and_contact_on_the_same_massless_nodes_come_to_the_true_motion) {
  std::vector<double> errors;
  for (const double step : {4e-3, 2e-3, 1e-3}) {
    const Result found = run(viscous_nodes(), step);
    errors.push_back((found.q - (Vector(2) << 0.34977224349, 0.59954448698).finished()).norm());
    BOOST_TEST(found.n_changes <= 9);
  }
  BOOST_TEST_MESSAGE(errors[0] << ' ' << errors[1] << ' ' << errors[2]);
  BOOST_TEST(errors[2] < 1e-6);
  BOOST_TEST(errors[2] < 0.2 * errors[0]);
}

BOOST_AUTO_TEST_CASE(a_mass_decides_friction_where_a_contact_holds_its_massless_node) {
  for (const double step : {4e-3, 2e-3, 1e-3}) {
    const Result found = run(clutch(), step);
    BOOST_TEST((found.q - (Vector(2) << -0.36767457, 0.09555651).finished()).norm() < 1e-4);
    BOOST_TEST(found.n_changes <= 12);
  }
}

BOOST_AUTO_TEST_CASE(loads_of_small_numbers_push_massless_nodes) {
  const Vector expected = (Vector(2) << -0.0302147, -0.000908024).finished();
  // With one stiffness, displacements are as small as forces. Of second order: 7e-5 at 4e-3.
  for (const double size : {1., std::ldexp(1., -40), std::ldexp(1., 40)})
    BOOST_TEST((run(play(), 1e-3, {size, size, 1}).q - expected).norm() < 2e-5);
}

BOOST_AUTO_TEST_CASE(bodies_float_on_massless_feet) {
  const Result coarse = run(floating_foot(), 2e-3), fine = run(floating_foot(), 1e-3),
               finest = run(floating_foot(), 2.5e-4);
  // Of second order, to the limit of the enumeration, which is known to 2e-4.
  BOOST_TEST((fine.q - finest.q).norm() < 0.35 * (coarse.q - finest.q).norm());
  BOOST_TEST((finest.q - (Vector(4) << 0.16729, 0.00326, 0.18242, 0.00124).finished()).norm() < 2e-4);
}

BOOST_AUTO_TEST_CASE(units_of_length_force_and_time_leave_every_digit) {
  const double small = std::ldexp(1., -40), large = std::ldexp(1., 40);
  for (const Model& model : {viscous_nodes(), clutch(), play(), floating_foot()}) {
    const Result one = run(model, std::ldexp(1., -9));
    for (const Units& unit : {Units{small, 1, 1}, Units{large, 1, 1}, Units{1, small, 1}, Units{1, large, 1},
                              Units{1, 1, small}, Units{1, 1, large}, Units{small / 2, large, 2 * small}}) {
      const Result other = run(model, std::ldexp(1., -9), unit);
      // Square roots of odd powers of two round.
      BOOST_TEST((other.q - one.q).norm() < 1e-10 * one.q.norm());
      BOOST_TEST((other.r - one.r).norm() < 1e-9 * (1 + one.r.norm()));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_mass_that_rests_does_not_leave_by_what_a_step_leaves) {
  // The load rises from zero: what steps leave of the gap is larger than all that the last reaction explains.
  const Model model{{matrix({0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, 3), matrix({2, 0, 0, 0, 0.5, 0, 0, 0, 1}, 3),
                     matrix({4, -2, 0, -2, 5, -1, 0, -1, 1.5}, 3)},
                    (Vector(3) << 0, 0, -1).finished(),
                    [](double t) { return 4.845 * t; },
                    {},
                    {{on(0), [](double) { return 0.; }}},
                    0.6};
  const Result one = run(model, std::ldexp(1., -9)),
               other = run(model, std::ldexp(1., -9), {1, 1, std::ldexp(1., -40)});
  BOOST_TEST(one.n_changes == 1);
  BOOST_TEST((other.q - one.q).norm() < 1e-13 * one.q.norm());
}

BOOST_AUTO_TEST_CASE(what_friction_holds_at_rest_is_verified_in_all_units) {
  // All rates are rounding, but where the slope of the load, a difference here, jumps.
  const Model model{{matrix({2}, 1), matrix({0.5}, 1), matrix({0.5}, 1)},
                    Vector::Ones(1),
                    [](double t) { return t < 2 ? -0.8 * t : 0.5 * t - 2.6; },
                    {{on(0), 2.}},
                    {},
                    4.};
  const double small = std::ldexp(1., -40), large = std::ldexp(1., 40);
  for (const Units& unit :
       {Units{1, 1, 1}, Units{small, large, 1}, Units{1, 1, small}, Units{large, 1, large}}) {
    const Result found = run(model, 2e-3, unit);
    BOOST_TEST(std::abs(found.q[0]) < 1e-10);
    for (const Check check : found.kept)
      BOOST_TEST(found.report[check].value < 1e-8, name_of(check));
  }
}

BOOST_AUTO_TEST_CASE(every_step_is_verified_by_the_assembled_matrices) {
  for (const Model& model : {viscous_nodes(), clutch(), play(), floating_foot()}) {
    const Result found = run(model, 2e-3);
    BOOST_TEST(found.kept.size() >= 3U);
    for (const Check check : found.kept)
      BOOST_TEST(found.report[check].value < 1e-8, name_of(check));
  }
}

BOOST_AUTO_TEST_CASE(what_reactions_move_without_inertia_is_told_from_the_rest) {
  const MultiVector none = MultiVector::Zero(2, 2), all = matrix({2, 1, 1, 3}, 2),
                    same = matrix({1, 1, 1, 1}, 2);
  BOOST_TEST(massless_projector(none, all).isZero(0));
  BOOST_TEST((massless_projector(all, 1.01 * all) - MultiVector::Identity(2, 2)).isZero(0));
  // Of two contacts on one node, one of them against a mass: their common motion.
  const MultiVector P = massless_projector(same, same + matrix({0, 0, 0, 1e-6}, 2));
  BOOST_TEST((P * P - P).norm() < 1e-12);
  BOOST_TEST((P * (Vector(2) << 1, 1).finished() - (Vector(2) << 1, 1).finished()).norm() < 1e-5);
  BOOST_TEST(std::abs(P.trace() - 1) < 1e-12);
  // Directions have units of their own.
  const MultiVector unit = matrix({1024, 0, 0, 1. / 64}, 2);
  BOOST_TEST((massless_projector(unit * same * unit, unit * (same + matrix({0, 0, 0, 1e-6}, 2)) * unit) -
              unit * P * unit.inverse())
                 .norm() < 1e-9 * (unit * P * unit.inverse()).norm());
}

namespace {

/// Where a mass of 1 on a spring of 100 is after 2, released from 0.21 under frictions.
double rest_under(const std::vector<std::shared_ptr<const Law>>& frictions, double step) {
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(matrix({1}, 1));
  description.stiffness = matrix_of<EigenEngine>(matrix({100}, 1));
  std::vector<Inclusion> given;
  for (const auto& friction : frictions)
    given.push_back(inclusion("friction " + std::to_string(given.size()), friction, on(0)));
  const Inclusions<EigenEngine> contacts(reduce(AssembledSystem<EigenEngine>(description)), given);
  const InclusionOutcome outcome = classify_inclusions(contacts);
  NonsmoothState state =
      nonsmooth_start(contacts, outcome, Vector(Vector::Constant(1, 0.21)), Vector(Vector::Zero(1)), 0.);
  MemoryMethod<EigenEngine> method(contacts, outcome, structure_modes(contacts, Vector(Vector::Ones(1))),
                                   step, {ScalarFunction(0.)});
  double q = 0;
  method.run(state, 2., [&](const auto& now) { q = now.lift().displacement[0]; });
  return q;
}

}  // namespace

BOOST_AUTO_TEST_CASE(frictions_that_share_a_mass_stop_it_together) {
  // After two swings the spring pulls with 5, which 6 hold.
  const auto holding = std::make_shared<const StaticKineticFriction>(5., 3.);
  const auto dry = std::make_shared<const StVenantElement>(1.);
  const auto both = std::make_shared<const StaticKineticFriction>(6., 4.);
  for (const double step : {1e-2, 2e-3, 1e-3, 5e-4}) {
    const double one = rest_under({both}, step);
    BOOST_TEST(std::abs(one - 0.05) < 2 * step * step + 1e-6);
    BOOST_TEST(std::abs(rest_under({holding, dry}, step) - one) < 1e-12);
    BOOST_TEST(std::abs(rest_under({dry, holding}, step) - one) < 1e-12);
  }
}

BOOST_AUTO_TEST_SUITE_END()
