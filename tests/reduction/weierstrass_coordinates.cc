// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/diagnosis/diagnosis.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/excluded_loads.h>
#include <halfdof/reduction/unreduced_system.h>

#include <boost/test/unit_test.hpp>

#include "reduction/constrained_models.h"
#include <cmath>
#include <string>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

/// Reduced systems by the Weierstrass form: against the other methods where these apply, against the pencil
/// where not.
namespace {

AssembledSystem<EigenEngine> assembled(const DenseSystem& system, TimeFunction load = {}) {
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.load = std::move(load);
  return AssembledSystem<EigenEngine>(description);
}

ReducedSystem<EigenEngine> by(ReductionMethod method, const AssembledSystem<EigenEngine>& system) {
  ReductionOptions options;
  options.method = method;
  return reduce(system, options);
}

ReducedSystem<EigenEngine> by_weierstrass(const AssembledSystem<EigenEngine>& system) {
  return by(ReductionMethod::weierstrass, system);
}

double difference(const Vector& found, const Vector& expected) {
  return (found - expected).norm() / (1 + expected.norm());
}

/// Orthogonal to the columns of L.
MultiVector without(const MultiVector& L) {
  const MultiVector one = MultiVector::Identity(L.rows(), L.rows());
  return L.cols() == 0 ? one : MultiVector(one - L * L.completeOrthogonalDecomposition().pseudoInverse());
}

/// P(i omega)^{-1} Pi before and after: all displacements, from all forces that need no derivative.
void check_response(const ReducedSystem<EigenEngine>& reduced, double allowed) {
  const FreeSystem<EigenEngine>&before = reduced.unreduced().system(), &after = reduced.free();
  const MultiVector L = MultiVector(after.constraints()->L), projection = without(L);
  for (const double omega : {0.3, 1.1, 5.}) {
    const auto pencil = [omega](const FreeSystem<EigenEngine>& system) -> ComplexMultiVector {
      return EigenEngine::to_dense(system.K()) - omega * omega * EigenEngine::to_dense(system.M()) +
             Complex(0, omega) * EigenEngine::to_dense(system.C());
    };
    const ComplexMultiVector expected =
        pencil(before).fullPivLu().solve(projection.cast<Complex>()).topRows(L.rows());
    const MultiVector S = EigenEngine::to_dense(*after.coordinates()),
                      Z = EigenEngine::to_dense(*after.equations());
    const ComplexMultiVector found =
        S * pencil(after).fullPivLu().solve(MultiVector(Z.transpose() * projection).cast<Complex>());
    BOOST_TEST((found - expected).norm() <= allowed * expected.norm());
  }
}

/// Two masses on springs whose rates a multiplier ties: v_0 = v_1, with its forces on the momenta.
DenseSystem tied_rates() {
  DenseSystem system = zero_system(3);
  system.M.diagonal() << 1, 2, 0;
  system.K.diagonal() << 5, 7, 0;
  system.C << 0, 0, 1, 0, 0, -1, 1, -1, 0;
  return system;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(weierstrass_coordinates)

BOOST_AUTO_TEST_CASE(what_null_columns_reduce_is_reduced_to_the_same_motion) {
  for (unsigned seed = 1; seed <= 8; ++seed)
    for (const bool is_symmetric : {true, false})
      BOOST_TEST_CONTEXT(seed << ' ' << is_symmetric) {
        const DenseSystem system =
            is_symmetric ? random_symmetric(4, 2, 3, seed) : random_unsymmetric(4, 2, 3, seed);
        RandomNumbers random(seed);
        const Vector f = random.matrix(9, 1);
        const auto all = assembled(system, [f](double t) { return Vector(std::cos(t) * f); });
        const auto expected = by(ReductionMethod::null_columns, all), found = by_weierstrass(all);
        BOOST_TEST((found.method() == ReductionMethod::weierstrass));
        BOOST_TEST(found.classification().n_inertial() == 4);
        BOOST_TEST(found.classification().n_viscous() == 2);
        BOOST_TEST(found.classification().n_algebraic() == 3);
        BOOST_TEST(farthest_from(eigenvalues_of(found), eigenvalues_of(expected)) < 1e-8);
        const double t = 0.4;
        const AssembledMotion motion = expected.lift({t, random.matrix(expected.n_local_states(), 1)});
        const State state{t, found.project(motion.displacement, motion.rate, t)};
        const AssembledMotion lifted = found.lift(state);
        BOOST_TEST(difference(lifted.displacement, motion.displacement) < 1e-9);
        for (const Index i : expected.classification().inertial().local()) {
          BOOST_TEST(std::abs(lifted.rate[i] - motion.rate[i]) < 1e-9 * (1 + motion.rate.norm()));
          BOOST_TEST(std::abs(lifted.acceleration[i] - motion.acceleration[i]) <
                     1e-8 * (1 + motion.acceleration.norm()));
        }
        BOOST_TEST(difference(found.restrict(lifted.displacement, lifted.rate), state.y) < 1e-9);
        check_response(found, 1e-8);
      }
}

BOOST_AUTO_TEST_CASE(constraints_of_any_level_are_those_of_the_null_space) {
  for (unsigned seed = 1; seed <= 6; ++seed)
    for (const bool is_symmetric : {true, false})
      for (const auto& [n_position, n_velocity] : {std::pair<Index, Index>{2, 0}, {0, 2}, {1, 1}})
        BOOST_TEST_CONTEXT(seed << ' ' << is_symmetric << ' ' << n_position << ' ' << n_velocity) {
          RandomNumbers random(seed);
          const Index m = n_position + n_velocity;
          ConstrainedModel model = random_constrained(is_symmetric, n_position, n_velocity, seed);
          const Vector f = random.matrix(8, 1);
          model.load = [f](double t) { return Vector(std::cos(t) * f); };
          model.motion = swinging(random.matrix(m, 1), random.matrix(m, 1));
          const auto all = model.assembled();
          const auto expected = by(ReductionMethod::constraints, all), found = by_weierstrass(all);
          BOOST_TEST(found.n_states() == expected.n_states());
          BOOST_TEST(found.classification().n_inertial() == expected.classification().n_inertial());
          BOOST_TEST(farthest_from(eigenvalues_of(found), eigenvalues_of(expected)) < 1e-8);
          const double t = 0.3;
          const AssembledMotion motion = expected.lift({t, random.matrix(expected.n_local_states(), 1)});
          const AssembledMotion lifted = found.lift({t, found.project(motion.displacement, motion.rate, t)});
          BOOST_TEST(difference(lifted.displacement, motion.displacement) < 1e-7);
          BOOST_TEST(residual(all, lifted, t) < 1e-7 * (1 + lifted.acceleration.norm()));
          check_response(found, 1e-7);
        }
}

BOOST_AUTO_TEST_CASE(a_free_body_beside_a_constraint_keeps_no_stiffness_of_rounding) {
  // 3 q_0'' + 3 q_1'' + q_1' = f_0 and 4 q_1 = f_1: q_0'' = 0 without forces.
  DenseSystem system = zero_system(2);
  system.M.row(0) << 3, 3;
  system.C.row(0) << 0, 1;
  system.K.row(1) << 0, 4;
  const auto reduced = by_weierstrass(assembled(system));
  BOOST_TEST(EigenEngine::to_dense(reduced.free().K()).norm() == 0);
  BOOST_TEST(EigenEngine::to_dense(reduced.free().C()).norm() == 0);
  BOOST_TEST(compare_all(reduced).passed);
}

BOOST_AUTO_TEST_CASE(loads_that_would_have_to_be_differentiated_are_named) {
  DenseSystem system = zero_system(3);
  system.M.diagonal() << 1, 2, 0;
  system.K << 5, 0, 1, 0, 7, -1, 1, -1, 0;
  for (const ReductionMethod method : {ReductionMethod::weierstrass, ReductionMethod::constraints}) {
    const auto reduced = by(method, assembled(system));
    const std::string text = describe_excluded_loads(reduced);
    BOOST_TEST(text.find("of the equations of DoF 2.") != std::string::npos, text);
    const MultiVector L = excluded_loads(reduced);
    BOOST_TEST(L.row(2).norm() > 0);
    BOOST_TEST(L.topRows(2).norm() == 0);
  }
}

BOOST_AUTO_TEST_CASE(combinations_of_equations_follow_a_moving_support) {
  // A constraint that the support takes part in, its equation mixed with all others: the force that has to be
  // differentiated is a combination whose entries are no unit vector.
  for (unsigned seed = 1; seed <= 8; ++seed)
    for (const bool is_symmetric : {true, false})
      BOOST_TEST_CONTEXT(seed << ' ' << is_symmetric) {
        ConstrainedModel model = random_constrained(is_symmetric, 1, 0, seed);
        const Index n = model.system.size();
        DenseSystem system = zero_system(n + 1);
        system.M.topLeftCorner(n, n) = model.system.M;
        system.C.topLeftCorner(n, n) = model.system.C;
        system.K.topLeftCorner(n, n) = model.system.K;
        system.K.bottomLeftCorner(1, n) = model.A_2;
        system.K.topRightCorner(n, 1) = model.A_2.transpose();
        Index support = 0;
        model.A_2.row(0).cwiseAbs().maxCoeff(&support);
        RandomNumbers random(seed);
        MultiVector mixing = random.matrix(n + 1, n + 1);
        mixing.row(support).setZero();
        mixing.col(support).setZero();
        mixing += 2 * MultiVector::Identity(n + 1, n + 1);
        SystemDescription<EigenEngine> description;
        description.mass = matrix_of<EigenEngine>(MultiVector(mixing * system.M));
        description.damping = matrix_of<EigenEngine>(MultiVector(mixing * system.C));
        description.stiffness = matrix_of<EigenEngine>(MultiVector(mixing * system.K));
        description.constrained = {support};
        description.prescribed = swinging(Vector::Zero(1), Vector::Ones(1));
        const AssembledSystem<EigenEngine> all(description);
        const auto reduced = by_weierstrass(all);
        const double t = 0.3;
        const AssembledMotion lifted = reduced.lift({t, random.matrix(reduced.n_local_states(), 1)});
        BOOST_TEST(std::abs(lifted.displacement[support] - std::sin(t)) < 1e-14);
        BOOST_TEST(residual(all, lifted, t) < 1e-7 * (1 + lifted.acceleration.norm()));
      }
}

BOOST_AUTO_TEST_CASE(a_multiplier_of_rates_in_C_needs_this_method) {
  const auto all = assembled(tied_rates());
  const auto reduced = reduce(all);
  BOOST_TEST((reduced.method() == ReductionMethod::weierstrass));
  BOOST_TEST(reduced.n_states() == 4);
  BOOST_TEST(compare_all(reduced).passed);
  check_response(reduced, 1e-10);
  const Diagnosis diagnosis = diagnose(reduced);
  BOOST_TEST(diagnosis.is_regular);
  BOOST_TEST(*diagnosis.index == 1);
  BOOST_TEST(*diagnosis.index_companion == 2);
  BOOST_TEST((diagnosis.method == ReductionMethod::weierstrass));
  ReductionOptions options;
  options.max_weierstrass = 2;
  BOOST_CHECK_THROW(reduce(all, options), SingularElimination);
}

BOOST_AUTO_TEST_CASE(pencils_of_any_index_keep_their_response) {
  // A regular system times unimodular matrices: P(s) (1 + s N) and (1 + s N) P(s), whose products stay
  // quadratic.
  for (unsigned seed = 1; seed <= 10; ++seed)
    for (const bool from_left : {true, false})
      BOOST_TEST_CONTEXT(seed << ' ' << from_left) {
        RandomNumbers random(seed);
        DenseSystem system = random_unsymmetric(3, 2, 2, seed);
        const DenseElimination kinds = dense_elimination(system);
        const Index n = system.size();
        // Mixes rates of algebraic DoFs into others, so that no column tells what has inertia.
        MultiVector N = MultiVector::Zero(n, n);
        for (const Index i : kinds.K)
          for (const Index j : kinds.C)
            (from_left ? N(j, i) : N(i, j)) = random.matrix(1, 1)(0, 0);
        const DenseSystem given = system;
        if (from_left) {
          system.M = given.M + N * given.C;
          system.C = given.C + N * given.K;
        } else {
          system.M = given.M + given.C * N;
          system.C = given.C + given.K * N;
        }
        const MultiVector cubic = from_left ? MultiVector(N * given.M) : MultiVector(given.M * N);
        if (cubic.norm() > 1e-14) continue;
        try {
          const auto reduced = by_weierstrass(assembled(system));
          check_response(reduced, 1e-7);
          BOOST_TEST(compare_all(reduced).passed);
        } catch (const NotAvailable& error) {
          BOOST_TEST(std::string(error.what()).find("show") != std::string::npos, error.what());
        }
      }
}

BOOST_AUTO_TEST_CASE(loads_that_have_to_be_differentiated_are_refused_by_their_dof) {
  const auto loaded = [](Index dof) {
    return by_weierstrass(assembled(tied_rates(), [dof](double) { return Vector(Vector::Unit(3, dof)); }));
  };
  BOOST_CHECK_NO_THROW(loaded(0).linear_load(0));
  BOOST_CHECK_EXCEPTION(loaded(2).linear_load(0), NotAvailable, [](const NotAvailable& error) {
    return std::string(error.what()).find("DoF 2") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(nothing_finite_is_left_where_the_determinant_is_constant) {
  DenseSystem system = zero_system(2);
  system.M(0, 0) = 1;
  system.C << 0, 1, 1, 0;
  system.K << 1, 0, 0, 1;
  const auto reduced = reduce(assembled(system, [](double) { return Vector(Vector::Zero(2)); }));
  BOOST_TEST((reduced.method() == ReductionMethod::weierstrass));
  BOOST_TEST(reduced.n_states() == 0);
  BOOST_TEST(reduced.lift({0, Vector(0)}).displacement.norm() == 0);
}

BOOST_AUTO_TEST_CASE(singular_and_large_pencils_are_refused) {
  DenseSystem system = zero_system(2);
  system.M(0, 0) = system.K(0, 0) = 1;
  BOOST_CHECK_THROW(by_weierstrass(assembled(system)), SingularElimination);
  ReductionOptions options;
  options.method = ReductionMethod::weierstrass;
  options.weierstrass.max_order = 4;
  BOOST_CHECK_THROW(reduce(assembled(tied_rates()), options), NotAvailable);
}

BOOST_AUTO_TEST_SUITE_END()
