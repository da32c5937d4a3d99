// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/reduced_system.h>

#include <boost/test/unit_test.hpp>

#include "nonlinear_models.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(other_loads)

BOOST_AUTO_TEST_CASE(a_reduced_system_takes_another_load) {
  const DenseSystem system = random_unsymmetric(4, 2, 2, 1);
  const auto n = static_cast<Index>(system.size());
  const Vector size = RandomNumbers(2).matrix(n, 1);
  const TimeFunction load = [size](double t) -> Vector { return std::sin(t) * size; };
  const TimeFunction load_rate = [size](double t) -> Vector { return std::cos(t) * size; };
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  const auto without = reduce(AssembledSystem<EigenEngine>(description));
  description.load = load;
  description.load_rate = load_rate;
  const auto given = reduce(AssembledSystem<EigenEngine>(description));
  const auto other = without.with_load(load, load_rate);
  const State state{0.3, RandomNumbers(3).matrix(without.n_local_states(), 1)};
  BOOST_TEST((other.apply(state) - given.apply(state)).isZero(0));
  BOOST_TEST((other.lift(state).displacement - given.lift(state).displacement).isZero(0));
  BOOST_TEST((other.algebraic_rates(state) - given.algebraic_rates(state)).isZero(0));
  BOOST_TEST((given.with_load({}).apply(state) - without.apply(state)).isZero(0));
  // Factorizations are shared.
  BOOST_TEST(&other.assembled().M().entries() == &without.assembled().M().entries());
  BOOST_CHECK_THROW(without.with_load(load).algebraic_rates(state), NotAvailable);
}

BOOST_AUTO_TEST_CASE(a_system_with_a_state_force_takes_another_load) {
  // q'' + q + q^3 = f.
  DenseSystem linear{MultiVector::Identity(1, 1), MultiVector::Zero(1, 1), MultiVector::Identity(1, 1)};
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(linear.M);
  description.stiffness = matrix_of<EigenEngine>(linear.K);
  description.state_force = state_force({}, 1);
  description.state_force.force = [](double, const AssembledMotion& now) {
    return Vector(now.displacement.array().cube());
  };
  description.state_force.tangents = [](double, const AssembledMotion& now) {
    Tangents<EigenEngine> tangents;
    tangents.stiffness =
        matrix_of<EigenEngine>(MultiVector::Constant(1, 1, 3 * now.displacement[0] * now.displacement[0]));
    return tangents;
  };
  const auto reduced = reduce(AssembledSystem<EigenEngine>(std::move(description)));
  const auto loaded = reduced.with_load([](double t) -> Vector { return Vector::Constant(1, 2 * t); });
  const State state{0.5, Vector::Constant(2, 0.3)};
  BOOST_TEST(loaded.apply(state)[1] == 1 - 0.3 - 0.027, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(reduced.apply(state)[1] == -0.3 - 0.027, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
