// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/base/errors.h>
#include <halfdof/diagnosis/diagnosis.h>
#include <halfdof/linear_algebra/dense/dense_eigenvalues.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/linearized_state_force.h>
#include <halfdof/reduction/state_space.h>

#include <boost/test/unit_test.hpp>

#include "nonlinear_models.h"
#include "reduction/mentions.h"
#include "reduction/state_at.h"
#include <algorithm>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(linearized_state_force)

BOOST_AUTO_TEST_CASE(kinds_are_those_of_the_declared_columns) {
  const HardeningMount mount;
  const Reduced reduced(mount.assembled());
  BOOST_CHECK(reduced.depends_on_state());
  BOOST_CHECK(reduced.classification().kind(0) == DoFKind::inertial);
  BOOST_CHECK(reduced.classification().kind(1) == DoFKind::viscous);
  BOOST_CHECK(reduced.classification().kind(2) == DoFKind::algebraic);

  // The damping of q_1 is declared alone: at rest it is null.
  HardeningMount without_leak;
  without_leak.linear.C(1, 1) = 0;
  AssembledMotion moving{Vector::Zero(3), Vector::Zero(3), Vector::Zero(3)};
  moving.rate[1] = 0.5;
  BOOST_CHECK(Reduced(without_leak.assembled(), 0., moving).classification().kind(1) == DoFKind::viscous);
  BOOST_CHECK_EXCEPTION(Reduced(without_leak.assembled()), KindChange, [](const KindChange& error) {
    return error.dof() == 1 && mentions(error, {"DoF 1", "damping", "zero", "t = 0"});
  });
}

BOOST_AUTO_TEST_CASE(all_equations_hold_at_any_state_whatever_the_tangents) {
  const HardeningMount mount;
  const Reduced at_rest(mount.assembled());
  const State state = state_at(at_rest, 0.4, {0.8, -0.3, 1.7});
  const Reduced there = at_rest.about(state);
  for (const Reduced* reduced : {&at_rest, &there}) {
    const AssembledMotion now = reduced->lift(state);
    BOOST_TEST(mount.residual(0.4, now).cwiseAbs().maxCoeff() < 1e-9);
    BOOST_TEST(now.displacement[0] == 0.8);
    BOOST_TEST(now.rate[0] == 1.7);
    const Vector y_rate = reduced->apply(state);
    BOOST_TEST(y_rate[0] == 1.7);
    BOOST_TEST(std::abs(y_rate[1] - now.rate[1]) < 1e-12);
    BOOST_TEST(std::abs(y_rate[2] - now.acceleration[0]) < 1e-12);
  }
  const Vector pushed = Vector::Unit(3, 1) * 2.5;
  const Vector r = mount.residual(0.4, at_rest.lift(state, pushed));
  BOOST_TEST((r - pushed).cwiseAbs().maxCoeff() < 1e-9);
}

BOOST_AUTO_TEST_CASE(matrices_are_tangents) {
  const HardeningMount mount;
  const Reduced at_rest(mount.assembled());
  const State state = state_at(at_rest, 0.4, {0.8, -0.3, 1.7});
  const Reduced there = at_rest.about(state);
  // y' of neighbouring states, by differences, against A about the state.
  const MultiVector A = there.apply_homogeneous(MultiVector(MultiVector::Identity(3, 3)));
  const double h = 1e-5;
  for (Index j = 0; j < 3; ++j) {
    State ahead = state, behind = state;
    ahead.y[j] += h;
    behind.y[j] -= h;
    const Vector slope = (at_rest.apply(ahead) - at_rest.apply(behind)) / (2 * h);
    BOOST_TEST((slope - A.col(j)).cwiseAbs().maxCoeff() < 1e-7 * A.cwiseAbs().maxCoeff());
  }
  // The linear system there has the same states, and the same rates to first order.
  const Reduced tangent = at_rest.tangent(state, Vector::Zero(3));
  BOOST_CHECK(!tangent.depends_on_state());
  BOOST_TEST((tangent.apply(state) - at_rest.apply(state)).cwiseAbs().maxCoeff() < 1e-9);
}

BOOST_AUTO_TEST_CASE(eigenvalues_about_a_preloaded_state) {
  // m q'' + k q + k_3 q^3 = 0 about q_0: omega^2 = (k + 3 k_3 q_0^2) / m.
  DenseSystem system{MultiVector::Constant(1, 1, 2.), MultiVector::Zero(1, 1),
                     MultiVector::Constant(1, 1, 8.)};
  const Reduced reduced(assemble(system, {{{0, -1, 5., 0.}}, {}}));
  const Reduced there = reduced.about(state_at(reduced, 0., {1.2, 0.}));
  const std::vector<Complex> values = eigenvalues(dense_state_matrix(there));
  BOOST_REQUIRE_EQUAL(values.size(), 2);
  BOOST_TEST(std::abs(std::abs(values[0].imag()) - std::sqrt((8 + 3 * 5 * 1.44) / 2)) < 1e-12);
}

BOOST_AUTO_TEST_CASE(rates_of_algebraic_dofs) {
  // Springs in series: k (q_0 - q_1) = c q_1^3 + k_1 q_1.
  DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Zero(2, 2)};
  system.M(0, 0) = 1;
  system.K << 3, -3, -3, 3 + 2;
  const Reduced reduced(assemble(system, {{{1, -1, 4., 0.}}, {}}));
  const State state = state_at(reduced, 0., {1.5, 0.6});
  const double q = reduced.lift(state).displacement[1];
  BOOST_TEST(std::abs(5 * q + 4 * q * q * q - 3 * 1.5) < 1e-10);
  BOOST_TEST(std::abs(reduced.algebraic_rates(state)[0] - 3 * 0.6 / (5 + 12 * q * q)) < 1e-9);
}

BOOST_AUTO_TEST_CASE(rates_of_algebraic_dofs_follow_forces_that_stiffen_with_time) {
  const StiffeningSprings springs;
  const Reduced at_rest(AssembledSystem<EigenEngine>(springs.description()));
  const State state = state_at(at_rest, 0.7, {1.5, 0.6});
  for (const Reduced& reduced : {at_rest, at_rest.about(state)}) {
    const double q = reduced.lift(state).displacement[1];
    BOOST_TEST(std::abs(reduced.algebraic_rates(state)[0] - springs.rate(0.7, q, 0.6, 0)) < 1e-9);
  }
  // Springs that attachments add do not depend on time.
  const auto attached =
      with_lumped_elements(springs.description(), {{},
                                                   {},
                                                   {},
                                                   {},
                                                   {{1, ground, [](double x, double) { return x * x * x; },
                                                     [](double x, double) { return 3 * x * x; }}}});
  const Reduced reduced{AssembledSystem<EigenEngine>(attached)};
  const double q = reduced.lift(state).displacement[1];
  BOOST_TEST(std::abs(reduced.algebraic_rates(state)[0] -
                      (3 * 0.6 + std::cos(0.7) - q * q * q) / (5 + 3 * (4.7 + 1) * q * q)) < 1e-9);
}

BOOST_AUTO_TEST_CASE(a_state_force_without_time_derivative_has_no_rates_of_algebraic_dofs) {
  const StiffeningSprings springs;
  SystemDescription<EigenEngine> description = springs.description();
  description.state_force.time_derivative = {};
  const LumpedElements more{{}, {}, {}, {}, {{1, ground, [](double x, double) { return x * x * x; }}}};
  for (const auto& given : {description, with_lumped_elements(description, more)}) {
    const Reduced reduced{AssembledSystem<EigenEngine>(given)};
    const State state = state_at(reduced, 0.7, {1.5, 0.6});
    const auto says = [](const Error& error) { return mentions(error, {"dp/dt", "time_derivative"}); };
    BOOST_CHECK_NO_THROW(reduced.lift(state));
    BOOST_CHECK_EXCEPTION(reduced.algebraic_rates(state), NotAvailable, says);
    const OutputMap<EigenEngine> rate(reduced, {{OutputQuantity::rate, 1}});
    BOOST_CHECK_EXCEPTION(rate.evaluate(state), NotAvailable, says);
  }
  description.state_force = springs.description().state_force;
  description.load_rate = {};
  const Reduced reduced{AssembledSystem<EigenEngine>(description)};
  BOOST_CHECK_EXCEPTION(reduced.algebraic_rates(state_at(reduced, 0.7, {1.5, 0.6})), NotAvailable,
                        [](const Error& error) { return mentions(error, {"f'(t)"}); });
}

BOOST_AUTO_TEST_CASE(tangents_are_right_to_first_order_in_time) {
  const StiffeningSprings springs;
  const Reduced reduced(AssembledSystem<EigenEngine>(springs.description()));
  const State state = state_at(reduced, 0.7, {1.5, 0.6});
  const Reduced tangent = reduced.tangent(state, Vector::Zero(2));
  const auto error = [&](double h) {
    const State later{0.7 + h, state.y};
    return (tangent.apply(later) - reduced.apply(later)).cwiseAbs().maxCoeff();
  };
  BOOST_TEST(std::abs(std::log2(error(1e-2) / error(5e-3)) - 2) < 0.05);
}

BOOST_AUTO_TEST_CASE(outputs_are_those_of_the_equations_at_any_state) {
  // The springs between a mass and a node without one; from the node a hardening one to a DoF that is moved;
  // beside them a viscous DoF behind a quadratic damper.
  const double k_3 = 7, c = 0.4, d = 2, k = 3;
  DenseSystem system{MultiVector::Zero(4, 4), MultiVector::Zero(4, 4), MultiVector::Zero(4, 4)};
  system.M(0, 0) = 2;
  system.M(3, 3) = 0.5;
  system.C(2, 2) = c;
  system.K << 3, -3, 0, 0, -3, 3 + 2, 0, 0, 0, 0, k, 0, 0, 0, 0, 1.5;
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.constrained = {3};
  const auto vector = [](auto function) {
    return [function](double t) -> Vector { return Vector::Constant(1, function(t)); };
  };
  description.prescribed = {vector([](double t) { return std::sin(t); }),
                            vector([](double t) { return std::cos(t); }),
                            vector([](double t) { return -std::sin(t); }),
                            {}};
  description.load = [](double t) -> Vector { return Vector::Unit(4, 2) * 5 * std::sin(3 * t); };
  description.load_rate = [](double t) -> Vector { return Vector::Unit(4, 2) * 15 * std::cos(3 * t); };
  description.state_force = state_force({{{1, 3, k_3, 0.}, {2, -1, 0., d}}, {}}, 4);
  const Reduced reduced{AssembledSystem<EigenEngine>(description)};
  const double t = 0.3;
  const State state = state_at(reduced, t, {1.5, -0.8, 0.6});
  const AssembledMotion now = reduced.lift(state);
  const double x = now.displacement[1] - std::sin(t), v = now.rate[2];
  BOOST_TEST(std::abs(5 * now.displacement[1] + k_3 * x * x * x - 3 * 1.5) < 1e-9);
  BOOST_TEST(std::abs(c * v + d * v * std::abs(v) + k * -0.8 - 5 * std::sin(3 * t)) < 1e-9);

  using Quantity = OutputQuantity;
  const std::vector<Output> outputs{{Quantity::displacement, 1}, {Quantity::rate, 2},
                                    {Quantity::acceleration, 0}, {Quantity::reaction, 3},
                                    {Quantity::rate, 1},         {Quantity::acceleration, 2},
                                    {Quantity::displacement, 0}, {Quantity::rate, 3}};
  Vector expected(8);
  expected << now.displacement[1], v, now.acceleration[0],
      -0.5 * std::sin(t) + 1.5 * std::sin(t) - k_3 * x * x * x,
      (3 * 0.6 + 3 * k_3 * x * x * std::cos(t)) / (5 + 3 * k_3 * x * x),
      (15 * std::cos(3 * t) - k * v) / (c + 2 * d * std::abs(v)), 1.5, std::cos(t);
  const OutputMap<EigenEngine> all(reduced, outputs);
  BOOST_TEST((all.evaluate(state) - expected).cwiseAbs().maxCoeff() < 1e-8);
  // Those that need no rate of the load are found without the tangents at the state.
  const OutputMap<EigenEngine> first(reduced, {outputs.begin(), outputs.begin() + 4});
  BOOST_TEST(!first.needs_load_rate());
  BOOST_TEST((first.evaluate(state) - expected.head(4)).cwiseAbs().maxCoeff() < 1e-8);
}

BOOST_AUTO_TEST_CASE(consistent_states_are_those_of_the_equations) {
  const HardeningMount mount;
  const Reduced reduced(mount.assembled());
  const Vector q = (Vector(3) << 0.9, 0.2, 5.).finished(), v = (Vector(3) << -0.4, 3., 0.).finished();
  const ConsistentState start = consistent_state(reduced, q, v, 0.2);
  BOOST_TEST(mount.residual(0.2, reduced.lift(start)).cwiseAbs().maxCoeff() < 1e-9);
  BOOST_TEST(start.report.n_changed == 2);
}

BOOST_AUTO_TEST_CASE(diagnosis_sees_what_tangents_hold) {
  // Node 1 is held by a nonlinear spring alone, nodes 2 and 3 by one another.
  MultiVector M = MultiVector::Zero(4, 4), K = MultiVector::Zero(4, 4);
  M(0, 0) = K(0, 0) = 1;
  K.bottomRightCorner(2, 2) << 3, -3, -3, 3;
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(M);
  description.stiffness = matrix_of<EigenEngine>(K);
  const NonlinearElement element{1, ground, [](double x, double) { return std::sinh(x); },
                                 [](double x, double) { return std::cosh(x); }};
  const AssembledSystem<EigenEngine> assembled(
      with_lumped_elements(description, {{}, {}, {}, {}, {element}}));
  const Diagnosis found = diagnose(assembled);
  BOOST_TEST(!found.is_regular);
  BOOST_TEST((found.method == ReductionMethod::none));
  BOOST_REQUIRE_EQUAL(found.problems.size(), 1);
  std::vector<GlobalIndex> dofs = found.problems[0].dofs;
  std::sort(dofs.begin(), dofs.end());
  BOOST_TEST(dofs == std::vector<GlobalIndex>({2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_smooth_equation_with_one_root_is_solved_wherever_it_is_linearized) {
  // y^3 - y + 1.5 = 0 has one real root, -1.7262. Tangents from rest lead back and forth beside the minimum
  // at 0.577. The same in other units, and with the sign of the load changed.
  double root = -2;
  for (int k = 0; k < 100; ++k)
    root -= (root * root * root - root + 1.5) / (3 * root * root - 1);
  for (const double force : {1., 1e-12, 1e12})
    for (const double length : {1., 1e-9, 1e6})
      for (const double sign : {1., -1.}) {
        MultiVector M = MultiVector::Zero(2, 2), K = MultiVector::Zero(2, 2);
        M(0, 0) = K(0, 0) = 1;
        K(1, 1) = -force / length;
        SystemDescription<EigenEngine> description;
        description.mass = matrix_of<EigenEngine>(M);
        description.stiffness = matrix_of<EigenEngine>(K);
        description.load = [=](double) { return Vector(-sign * 1.5 * force * Vector::Unit(2, 1)); };
        description.state_force = state_force({{{1, -1, force / std::pow(length, 3), 0.}}, {}}, 2);
        const Reduced reduced(AssembledSystem<EigenEngine>(std::move(description)));
        const double y = reduced.lift(state_at(reduced, 0., {0., 0.})).displacement[1];
        BOOST_TEST(std::abs(y - sign * root * length) <= 1e-9 * length, y);
      }
}

BOOST_AUTO_TEST_SUITE_END()
