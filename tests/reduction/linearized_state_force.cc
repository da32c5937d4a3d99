// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/base/errors.h>
#include <halfdof/diagnosis/diagnosis.h>
#include <halfdof/linear_algebra/dense/dense_eigenvalues.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/linearized_state_force.h>
#include <halfdof/reduction/second_order_form.h>
#include <halfdof/reduction/state_space.h>

#include <boost/test/unit_test.hpp>

#include "nonlinear_models.h"
#include "reduction/mentions.h"
#include <algorithm>
#include <limits>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

using Reduced = ReducedSystem<EigenEngine>;

State state_at(const Reduced& reduced, double time, const std::vector<double>& y) {
  BOOST_REQUIRE_EQUAL(reduced.n_states(), y.size());
  return {time, Eigen::Map<const Vector>(y.data(), static_cast<Eigen::Index>(y.size()))};
}

}  // namespace

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

BOOST_AUTO_TEST_CASE(what_is_refused) {
  const HardeningMount mount;
  SystemDescription<EigenEngine> description;
  description.stiffness = matrix_of<EigenEngine>(MultiVector(MultiVector::Identity(3, 3)));
  const auto with = [&](auto change) {
    SystemDescription<EigenEngine> changed = description;
    changed.state_force = state_force(mount.parts, 3);
    change(changed.state_force);
    return AssembledSystem<EigenEngine>(std::move(changed));
  };
  using Force = StateForce<EigenEngine>;
  BOOST_CHECK_EXCEPTION(with([](Force& p) { p.tangents = {}; }), InvalidInput,
                        [](const Error& error) { return mentions(error, {"without its tangents"}); });
  BOOST_CHECK_EXCEPTION(Reduced(with([](Force& p) {
                          p.force = [](double, const AssembledMotion&) { return Vector(Vector::Zero(2)); };
                        })),
                        InvalidInput, [](const Error& error) {
                          return mentions(error, {"state force has 2 entries", "3"});
                        });
  BOOST_CHECK_EXCEPTION(Reduced(with([](Force& p) {
                          p.force = [](double, const AssembledMotion&) {
                            return Vector(Vector::Unit(3, 1) * std::numeric_limits<double>::quiet_NaN());
                          };
                        })),
                        InvalidInput, [](const Error& error) {
                          return mentions(error, {"state force is nan", "t = 0"});
                        });
  BOOST_CHECK_EXCEPTION(Reduced(with([](Force& p) {
                          p.tangents = [](double, const AssembledMotion&) {
                            return Tangents<EigenEngine>{
                                matrix_of<EigenEngine>(MultiVector(MultiVector::Identity(3, 3))), {}, {}};
                          };
                        })),
                        InvalidInput, [](const Error& error) {
                          return mentions(error, {"tangent mass", "DoF 1", "pattern has none"});
                        });
  BOOST_CHECK_EXCEPTION(
      with([](Force& p) { p.pattern.mass = matrix_of<EigenEngine>(MultiVector(MultiVector::Ones(2, 2))); }),
      InvalidInput, [](const Error& error) {
        return mentions(error, {"tangent mass", "2 x 2"});
      });

  ReductionOptions options;
  options.method = ReductionMethod::kernel;
  BOOST_CHECK_THROW(Reduced(mount.assembled(), options), NotAvailable);
  options = {};
  options.classification.null_tolerance = 1e-12;
  BOOST_CHECK_THROW(Reduced(mount.assembled(), options), InvalidInput);
  const auto refused_newton = [&](const char* name, const NewtonOptions& newton) {
    ReductionOptions with_newton;
    with_newton.newton = newton;
    BOOST_CHECK_EXCEPTION(Reduced(mount.assembled(), with_newton), InvalidInput, [&](const Error& error) {
      return mentions(error, {"NewtonOptions", name});
    });
  };
  for (const double tolerance : {-1e-10, 0., 1., std::numeric_limits<double>::quiet_NaN()})
    refused_newton("tolerance", NewtonOptions{tolerance});
  for (const int n : {0, -1})
    refused_newton("max_iterations", NewtonOptions{1e-10, n});
  for (const double slow : {0., 1., std::numeric_limits<double>::quiet_NaN()})
    refused_newton("slow", NewtonOptions{1e-10, 50, slow});
  AssembledMotion short_one{Vector::Zero(2), Vector::Zero(3), Vector::Zero(3)};
  BOOST_CHECK_THROW(Reduced(mount.assembled(), 0., short_one), InvalidInput);
}

BOOST_AUTO_TEST_CASE(what_has_no_solution_is_said) {
  // 5 q_1 = 3 q_0 - 20 sign(q_1) has no solution for q_0 = 1.
  DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Zero(2, 2)};
  system.M(0, 0) = 1;
  system.K << 3, -3, -3, 3 + 2;
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.state_force = state_force({}, 2);
  description.state_force.force = [](double, const AssembledMotion& now) {
    return Vector(Vector::Unit(2, 1) * (now.displacement[1] > 0 ? 20. : -20.));
  };
  const Reduced reduced(AssembledSystem<EigenEngine>(std::move(description)));
  BOOST_CHECK_EXCEPTION(reduced.lift(state_at(reduced, 0.3, {1., 0.})), NoConvergence,
                        [](const Error& error) {
                          return mentions(error, {"t = 0.3", "50 iterations"});
                        });
}

BOOST_AUTO_TEST_CASE(damping_that_is_rounding_beside_what_it_was_is_a_change_of_kind) {
  // v |v| = 1 - q: a damping of 2 |v|.
  DenseSystem system{MultiVector::Zero(1, 1), MultiVector::Zero(1, 1), MultiVector::Constant(1, 1, 1.)};
  const Vector none = Vector::Zero(1);
  const auto assembled =
      assemble(system, {{{0, -1, 0., 1.}}, {}}, [](double) -> Vector { return Vector::Ones(1); });
  const auto check = [&](double t, double v, ColumnHistory& so_far) {
    const Reduced reduced(assembled, 0., {none, Vector::Constant(1, v), none});
    reduced.check_kinds(state_at(reduced, t, {1 - v * v}), none, so_far);
  };
  ColumnHistory so_far;
  for (const double v : {1., 1e6, 1e-1})
    BOOST_CHECK_NO_THROW(check(v, v, so_far));
  BOOST_TEST(std::abs(so_far.damping[0] - 2e6) < 1e-3);
  BOOST_CHECK_EXCEPTION(check(3, 1e-3, so_far), KindChange, [](const KindChange& error) {
    return error.dof() == 0 &&
           mentions(error, {"t = 3 ", "DoF 0", "damping", "0.002", "negligible compared with 2"});
  });
  // Small, but never larger.
  ColumnHistory of_this;
  BOOST_CHECK_NO_THROW(check(3, 1e-3, of_this));
}

BOOST_AUTO_TEST_CASE(constrained_rows_declare_nothing_of_kinds) {
  SystemDescription<EigenEngine> description;
  description.stiffness = matrix_of<EigenEngine>(MultiVector(MultiVector::Identity(3, 3)));
  description.constrained = {0};
  description.state_force = state_force({}, 3);
  const auto entry = [](Index row, Index column) {
    MultiVector A = MultiVector::Zero(3, 3);
    A(row, column) = 1;
    return matrix_of<EigenEngine>(A);
  };
  const auto with = [&](const EigenMatrix& pattern, const EigenMatrix& tangent) {
    SystemDescription<EigenEngine> changed = description;
    changed.state_force.pattern.mass = pattern;
    changed.state_force.tangents = [tangent](double, const AssembledMotion&) {
      return Tangents<EigenEngine>{tangent, {}, {}};
    };
    return Reduced{AssembledSystem<EigenEngine>(std::move(changed))};
  };
  BOOST_CHECK_EXCEPTION(with(entry(0, 2), entry(1, 2)), InvalidInput, [](const Error& error) {
    return mentions(error, {"tangent mass", "DoF 2", "pattern has none"});
  });
  // Nor need they be declared: DoF 2 is algebraic, whatever holds DoF 0.
  BOOST_CHECK(with(entry(0, 0), entry(0, 2)).classification().kind(2) == DoFKind::algebraic);
}

BOOST_AUTO_TEST_CASE(forces_on_motions_that_no_state_tells_are_refused) {
  // A spring and a damper in one from a mass to a node without mass, which has no damper otherwise.
  MultiVector M = MultiVector::Zero(3, 3), K = MultiVector::Identity(3, 3);
  M(0, 0) = 2;
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(M);
  description.stiffness = matrix_of<EigenEngine>(K);
  NonlinearElement element{2, 0, [](double x, double v) { return 4 * x + 0.5 * std::min(v, 0.); },
                           [](double, double) { return 4.; }};
  const auto reduced = [&] {
    return Reduced{
        AssembledSystem<EigenEngine>(with_lumped_elements(description, {{}, {}, {}, {}, {element}}))};
  };
  BOOST_CHECK_EXCEPTION(reduced(), InvalidInput, [](const Error& error) {
    return mentions(error, {"t = 0", "rate of DoF 2", "algebraic", "damping"});
  });
  // Between masses it costs iterations alone, and with its damping the node is viscous.
  element.damping = [](double, double v) { return v < 0 ? 0.5 : 0.; };
  element.b = ground;
  BOOST_CHECK_THROW(reduced(), KindChange);
  element.damping = {};
  element.a = 0;
  BOOST_CHECK_NO_THROW(reduced());

  description.state_force = state_force({}, 3);
  description.state_force.force = [](double, const AssembledMotion& now) -> Vector {
    return Vector::Unit(3, 0) * now.acceleration[1];
  };
  BOOST_CHECK_EXCEPTION(Reduced{AssembledSystem<EigenEngine>(description)}, InvalidInput,
                        [](const Error& error) {
                          return mentions(error, {"acceleration of DoF 1", "mass"});
                        });
}

BOOST_AUTO_TEST_CASE(a_singular_elimination_says_that_constraints_are_not_available) {
  // The multiplier 2 of q_0 = q_1.
  MultiVector M = MultiVector::Zero(3, 3), K = MultiVector::Zero(3, 3);
  M(0, 0) = M(1, 1) = 1;
  K(0, 2) = K(2, 0) = 1;
  K(1, 2) = K(2, 1) = -1;
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(M);
  description.stiffness = matrix_of<EigenEngine>(K);
  BOOST_CHECK(Reduced{AssembledSystem<EigenEngine>(description)}.method() == ReductionMethod::constraints);
  description.state_force = state_force({{{0, -1, 4., 0.}}, {}}, 3);
  BOOST_CHECK_EXCEPTION(Reduced{AssembledSystem<EigenEngine>(description)}, SingularElimination,
                        [](const SingularElimination& error) {
                          return error.dofs().front() == 2 &&
                                 mentions(error,
                                          {"In a system with a state force constraints are not eliminated"});
                        });
}

BOOST_AUTO_TEST_CASE(functions_of_m_c_and_k_alone_do_not_drop_forces) {
  const AssembledSystem<EigenEngine> assembled(StiffeningSprings().description());
  BOOST_CHECK_EXCEPTION(SecondOrderForm{assembled}, NotAvailable, [](const Error& error) {
    return mentions(error, {"state force", "about(state)"});
  });
  BOOST_CHECK_THROW(second_order_hypotheses(assembled), NotAvailable);
  // Of small motions about a state there is one.
  const Reduced reduced(assembled);
  const State state = state_at(reduced, 0.7, {1.5, 0.6});
  const double q_1 = reduced.lift(state).displacement[1];
  const SecondOrderForm form{reduced.about(state).assembled()};
  BOOST_TEST(form.order() == 1);
  BOOST_TEST(std::abs(form.K()(0, 0) / form.M()(0, 0) - (3 - 9 / (5 + 3 * 4.7 * q_1 * q_1))) < 1e-9);
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

BOOST_AUTO_TEST_CASE(an_iteration_that_leaves_the_domain_of_the_force_did_not_converge) {
  // 5 q_1 + sqrt(q_1) = 3 q_0, linearized at q_1 = 1: for q_0 < 0 it leads to q_1 < 0.
  DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Zero(2, 2)};
  system.M(0, 0) = 1;
  system.K << 3, -3, -3, 3 + 2;
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.state_force.force = [](double, const AssembledMotion& now) {
    return Vector(Eigen::Vector2d(0., std::sqrt(now.displacement[1])));
  };
  description.state_force.tangents = [](double, const AssembledMotion& now) {
    MultiVector K = MultiVector::Zero(2, 2);
    K(1, 1) = 0.5 / std::sqrt(now.displacement[1]);
    Tangents<EigenEngine> tangents;
    tangents.stiffness = matrix_of<EigenEngine>(K);
    return tangents;
  };
  const AssembledMotion at_one{Vector::Ones(2), Vector::Zero(2), Vector::Zero(2)};
  const AssembledSystem<EigenEngine> assembled(description);
  const Reduced reduced(assembled, 0., at_one);
  const double q_1 = reduced.lift(state_at(reduced, 0., {2., 0.})).displacement[1];
  BOOST_TEST(std::abs(5 * q_1 + std::sqrt(q_1) - 6) < 1e-9);
  BOOST_CHECK_EXCEPTION(reduced.lift(state_at(reduced, 0.5, {-1., 0.})), NoConvergence,
                        [](const Error& error) {
                          return mentions(error, {"t = 0.5", "is not finite", "DoF 1"});
                        });
  // Where it is linearized it was asked for.
  const AssembledMotion outside{-Vector::Ones(2), Vector::Zero(2), Vector::Zero(2)};
  BOOST_CHECK_THROW(Reduced(assembled, 0., outside), InvalidInput);
}

BOOST_AUTO_TEST_CASE(what_overflows_has_not_converged) {
  // 1e-10 q = -1e308, whose changes are not numbers.
  SystemDescription<EigenEngine> description;
  description.stiffness = matrix_of<EigenEngine>(MultiVector::Constant(1, 1, 1e-10));
  description.state_force.force = [](double, const AssembledMotion&) {
    return Vector(Vector::Constant(1, 1e308));
  };
  description.state_force.tangents = [](double, const AssembledMotion&) { return Tangents<EigenEngine>{}; };
  const Reduced reduced(AssembledSystem<EigenEngine>(std::move(description)));
  BOOST_CHECK_THROW(reduced.lift(State{0, Vector(0)}), NoConvergence);
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
