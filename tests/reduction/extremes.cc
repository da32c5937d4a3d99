// SPDX-License-Identifier: LGPL-2.1-or-later
// Nothing is special about systems that lack a kind of degrees of freedom, or damping, or states at all:
// every form is there, with sizes of zero where they belong.
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/state_space.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Reduced = ReducedSystem<EigenEngine>;

Reduced reduced_with_load(const DenseSystem& system, const Vector& f) {
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.load = [f](double t) { return Vector(t * f); };
  description.load_rate = [f](double) { return f; };
  return reduce(AssembledSystem<EigenEngine>(description));
}

/// All that can be asked of a system of n DoFs, compared with the assembled equations.
void check_all_forms(const DenseSystem& dense) {
  const Index n = dense.size();
  const Vector f = RandomNumbers(3).matrix(n, 1);
  const Reduced reduced = reduced_with_load(dense, f);
  const Index n_states = reduced.n_local_states();

  const MultiVector A = dense_state_matrix(reduced), B = dense_input_matrix(reduced);
  BOOST_TEST(A.rows() == n_states);
  BOOST_TEST(B.rows() == n_states);
  BOOST_TEST(B.cols() == n);
  BOOST_TEST((A - dense_state_matrix_of(dense)).norm() <= 1e-10 * (1 + A.norm()));

  SparsePencilOptions any_fill;
  any_fill.max_fill = 1e9;
  const SparsePencil pencil = sparse_pencil(reduced, any_fill);
  BOOST_TEST((MultiVector(pencil.E.entries()) * A - MultiVector(pencil.A.entries())).norm() <=
             1e-10 * (1 + A.norm()));

  const double t = 0.6;
  const Vector given = RandomNumbers(5).matrix(n, 1), given_rate = RandomNumbers(6).matrix(n, 1);
  const ConsistentState state = consistent_state(reduced, given, given_rate, t);
  BOOST_TEST((reduced.apply(state) - A * state.y - B * (t * f)).norm() <= 1e-10 * (1 + A.norm()));

  const AssembledMotion lifted = reduced.lift(state);
  const Vector residual =
      dense.M * lifted.acceleration + dense.C * lifted.rate + dense.K * lifted.displacement - t * f;
  BOOST_TEST(residual.norm() <= 1e-9 * (1 + f.norm()));

  std::vector<Output> displacements;
  for (Index i = 0; i < n; ++i)
    displacements.push_back({OutputQuantity::displacement, i});
  const OutputMap<EigenEngine> map(reduced, displacements);
  BOOST_TEST(map.state_matrix().cols() == n_states);
  BOOST_TEST((map.evaluate(state) - lifted.displacement).norm() <= 1e-10 * (1 + lifted.displacement.norm()));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(extremes)

BOOST_AUTO_TEST_CASE(creep_without_inertia) {
  check_all_forms(random_unsymmetric(0, 5, 0, 1));
  check_all_forms(random_unsymmetric(0, 4, 3, 2));
  check_all_forms(random_symmetric(0, 4, 3, 3));
}

BOOST_AUTO_TEST_CASE(statics_without_states) {
  check_all_forms(random_unsymmetric(0, 0, 6, 1));
  check_all_forms(random_symmetric(0, 0, 6, 2));
}

BOOST_AUTO_TEST_CASE(no_half_dof_at_all) {
  check_all_forms(random_unsymmetric(6, 0, 0, 1));
  check_all_forms(random_symmetric(6, 0, 0, 2));
}

BOOST_AUTO_TEST_CASE(no_damping) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    DenseSystem system = random_unsymmetric(4, 0, 3, seed);
    system.C.setZero();
    check_all_forms(system);
  }
}

BOOST_AUTO_TEST_CASE(a_single_dof_of_each_kind) {
  for (const auto& [m, c, k] : {std::array{2., 3., 4.}, std::array{0., 3., 4.}, std::array{0., 0., 4.}}) {
    check_all_forms(
        {MultiVector::Constant(1, 1, m), MultiVector::Constant(1, 1, c), MultiVector::Constant(1, 1, k)});
  }
}

BOOST_AUTO_TEST_CASE(every_dof_constrained_leaves_nothing_to_solve) {
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(engine_mount().M);
  description.damping = matrix_of<EigenEngine>(engine_mount().C);
  description.stiffness = matrix_of<EigenEngine>(engine_mount().K);
  description.constrained = {0, 1, 2};
  description.prescribed.value = [](double t) { return Vector(Vector::Constant(3, t)); };
  description.prescribed.rate = [](double) { return Vector(Vector::Ones(3)); };
  description.prescribed.acceleration = [](double) { return Vector(Vector::Zero(3)); };
  const auto reduced = reduce(AssembledSystem<EigenEngine>(description));
  BOOST_TEST(reduced.n_states() == 0);
  BOOST_TEST(dense_state_matrix(reduced).size() == 0);
  const OutputMap<EigenEngine> map(reduced,
                                   {{OutputQuantity::reaction, 0}, {OutputQuantity::displacement, 2}});
  // C(0,:) q' = 0 and K(0,:) q = 5000 t.
  BOOST_TEST((map.evaluate({2, Vector()}) == (Vector(2) << 10000, 2).finished()));
}

BOOST_AUTO_TEST_SUITE_END()
