// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/base/errors.h>
#include <halfdof/reduction/linearized_state_force.h>
#include <halfdof/reduction/second_order_form.h>

#include <boost/test/unit_test.hpp>

#include "nonlinear_models.h"
#include "reduction/mentions.h"
#include "reduction/state_at.h"
#include <algorithm>
#include <limits>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(linearized_state_force_refusals)

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

BOOST_AUTO_TEST_SUITE_END()
