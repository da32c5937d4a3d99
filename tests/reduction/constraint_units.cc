// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/state_space.h>

#include <boost/test/unit_test.hpp>

#include "reduction/constrained_models.h"
#include <cmath>
#include <utility>
#include <vector>

using namespace halfdof;
using namespace halfdof::test;

/// Constrained models whose unknowns, equations and constraints have units of different size.
namespace {

constexpr Index n_free = 8;

/// Powers of a million at random.
Vector random_units(RandomNumbers& random, Index n) {
  return Vector(random.matrix(n, 1)).unaryExpr([](double x) { return std::pow(1e6, std::round(1.5 * x)); });
}

/// Values of a function of time, each by a factor of its own.
TimeFunction scaled(const TimeFunction& function, const Vector& factors) {
  if (!function) return {};
  return [=](double t) { return Vector(factors.cwiseProduct(function(t))); };
}

/// A model with multipliers, and the same one with DoFs q = W q^ and equations times V.
struct ModelInUnits {
  ConstrainedModel model;
  Vector W, V;

  ReducedSystem<EigenEngine> plain() const { return model.reduced(); }
  ReducedSystem<EigenEngine> in_units() const {
    SystemDescription<EigenEngine> description = model.description();
    const auto change = [this](const EigenMatrix& A) {
      return matrix_of<EigenEngine>(V.asDiagonal() * EigenEngine::to_dense(A) * W.asDiagonal());
    };
    description.mass = change(*description.mass);
    description.damping = change(*description.damping);
    description.stiffness = change(description.stiffness);
    description.load = scaled(description.load, V);
    description.load_rate = scaled(description.load_rate, V);
    const Vector of_rows = V.tail(W.size() - n_free);
    PrescribedMotion& b = description.right_sides;
    b = {scaled(b.value, of_rows), scaled(b.rate, of_rows), scaled(b.acceleration, of_rows),
         scaled(b.jerk, of_rows)};
    return reduce(AssembledSystem<EigenEngine>(description));
  }
};

ModelInUnits random_model(bool is_symmetric, Index n_position, Index n_velocity, unsigned seed) {
  RandomNumbers random(seed);
  const Index m = n_position + n_velocity;
  ConstrainedModel model = random_constrained(is_symmetric, n_position, n_velocity, seed);
  const Vector f = random.matrix(n_free, 1);
  model.load = [f](double) { return f; };
  model.load_rate = [](double) -> Vector { return Vector::Zero(n_free); };
  model.motion = swinging(random.matrix(m, 1), random.matrix(m, 1));
  const Vector W = random_units(random, n_free + m);
  return {std::move(model), W, is_symmetric ? W : random_units(random, n_free + m)};
}

double difference(const Vector& found, const Vector& expected) {
  return (found - expected).norm() / expected.norm();
}

template <class Check>
void for_random_models(const Check& check) {
  for (unsigned seed = 1; seed <= 10; ++seed)
    for (const bool is_symmetric : {true, false})
      for (const auto& [n_position, n_velocity] : {std::pair<Index, Index>{2, 0}, {0, 2}, {1, 1}})
        BOOST_TEST_CONTEXT(seed << ' ' << is_symmetric << ' ' << n_position << ' ' << n_velocity)
  check(random_model(is_symmetric, n_position, n_velocity, seed));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(constraint_units)

BOOST_AUTO_TEST_CASE(units_change_no_eigenvalue_of_constrained_models) {
  for_random_models([](const ModelInUnits& model) {
    const auto plain = model.plain(), scaled = model.in_units();
    BOOST_TEST((scaled.method() == ReductionMethod::constraints));
    BOOST_REQUIRE(scaled.n_states() == plain.n_states());
    BOOST_TEST(farthest_from(eigenvalues_of(scaled), eigenvalues_of(plain)) < 1e-8);
  });
}

BOOST_AUTO_TEST_CASE(motions_that_constraints_allow_are_those_of_other_units) {
  for_random_models([](const ModelInUnits& model) {
    const auto plain = model.plain(), scaled = model.in_units();
    RandomNumbers random(3);
    const double t = 0.3;
    const AssembledMotion expected = plain.lift({t, random.matrix(plain.n_local_states(), 1)});
    const State state{t, scaled.project(expected.displacement.cwiseQuotient(model.W),
                                        expected.rate.cwiseQuotient(model.W), t)};
    const AssembledMotion found = scaled.lift(state);
    const DenseElimination kinds = dense_elimination(model.model.system);
    std::vector<Index> with_rates = kinds.I;
    with_rates.insert(with_rates.end(), kinds.C.begin(), kinds.C.end());
    std::vector<Index> all = with_rates;
    all.insert(all.end(), kinds.K.begin(), kinds.K.end());
    const auto check = [&](Vector AssembledMotion::*part, const std::vector<Index>& dofs) {
      BOOST_TEST(difference(model.W.cwiseProduct(found.*part)(dofs), (expected.*part)(dofs)) < 1e-7);
    };
    check(&AssembledMotion::displacement, all);
    check(&AssembledMotion::rate, with_rates);
    check(&AssembledMotion::acceleration, kinds.I);
    const Index dof = kinds.I[0];
    const OutputMap<EigenEngine> map(scaled,
                                     {{OutputQuantity::displacement, dof}, {OutputQuantity::rate, dof}});
    const Vector read = map.evaluate(state);
    BOOST_TEST(read[0] == found.displacement[dof], boost::test_tools::tolerance(1e-7));
    BOOST_TEST(read[1] == found.rate[dof], boost::test_tools::tolerance(1e-7));
  });
}

BOOST_AUTO_TEST_CASE(reactions_carry_what_they_have_to_in_every_unit) {
  for_random_models([](const ModelInUnits& model) {
    const auto scaled = model.in_units();
    RandomNumbers random(5);
    const AssembledMotion lifted = scaled.lift({0.3, random.matrix(scaled.n_local_states(), 1)});
    const AssembledSystem<EigenEngine>& all = scaled.assembled();
    const Vector load = all.load(0.3);
    Vector rest = load, size = load.cwiseAbs();
    const auto subtract = [&](const EigenMatrix& A, const Vector& x) {
      const MultiVector dense = EigenEngine::to_dense(A);
      rest -= dense * x;
      size += dense.cwiseAbs() * x.cwiseAbs();
    };
    subtract(all.M(), lifted.acceleration);
    subtract(all.C(), lifted.rate);
    subtract(all.K(), lifted.displacement);
    BOOST_TEST(rest.cwiseQuotient(size).cwiseAbs().maxCoeff() < 1e-7);
  });
}

BOOST_AUTO_TEST_SUITE_END()
