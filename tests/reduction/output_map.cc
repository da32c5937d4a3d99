// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/reduction/state_space.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Reduced = ReducedSystem<EigenEngine>;
using Quantity = OutputQuantity;

SystemDescription<EigenEngine> describe(const DenseSystem& system) {
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  return description;
}

/// a + b sin(2 t) and its derivatives.
struct Wave {
  Vector a, b;
  TimeFunction value() const {
    return [w = *this](double t) -> Vector { return w.a + std::sin(2 * t) * w.b; };
  }
  TimeFunction rate() const {
    return [w = *this](double t) -> Vector { return 2 * std::cos(2 * t) * w.b; };
  }
  TimeFunction acceleration() const {
    return [w = *this](double t) -> Vector { return -4 * std::sin(2 * t) * w.b; };
  }
};

/// A random unsymmetric system with a load, two DoFs of which are constrained and move.
struct MovingSystem {
  explicit MovingSystem(unsigned seed) : dense(random_unsymmetric(4, 3, 3, seed)) {
    RandomNumbers random(seed + 100);
    load = {random.matrix(10, 1), random.matrix(10, 1)};
    motion = {random.matrix(2, 1), random.matrix(2, 1)};
    constrained = {7, 2};
    // What moves loads the rest through M and C too.
    dense.M.col(7) = random.matrix(10, 1);
    dense.C.col(2) = random.matrix(10, 1);
  }

  Reduced reduced(bool with_load_rate) const {
    auto description = describe(dense);
    description.constrained = constrained;
    description.load = load.value();
    if (with_load_rate) description.load_rate = load.rate();
    description.prescribed.value = motion.value();
    description.prescribed.rate = motion.rate();
    description.prescribed.acceleration = motion.acceleration();
    return reduce(AssembledSystem<EigenEngine>(description));
  }

  DenseSystem dense;
  std::vector<Index> constrained;
  Wave load, motion;
};

std::vector<Output> all(Quantity quantity, Index n) {
  std::vector<Output> outputs;
  for (Index i = 0; i < n; ++i)
    outputs.push_back({quantity, i});
  return outputs;
}

double relative_difference(const MultiVector& a, const MultiVector& b) {
  return (a - b).norm() / b.norm();
}

/// y + s y' + s^2/2 y'' at time t + s, from y' = A y + B F and its derivative by differences of F.
State moved(const Reduced& reduced, const State& state, double s) {
  const double h = 1e-3;
  const Vector derivative = reduced.apply(state);
  const Vector force_rate =
      (reduced.linear_load(state.time + h) - reduced.linear_load(state.time - h)) / (2 * h);
  const Vector second = reduced.apply_homogeneous(MultiVector(derivative)) + reduced.input(force_rate);
  return {state.time + s, state.y + s * derivative + 0.5 * s * s * second};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(output_map)

BOOST_AUTO_TEST_CASE(the_algebraic_displacement_of_three_unsymmetric_kinds_has_the_row_known_in_fractions) {
  const auto system = reduce(assemble<EigenEngine>(three_kinds()));
  const OutputMap<EigenEngine> map(system, {{Quantity::displacement, 2}});
  MultiVector C_o(1, 3), D_o(1, 3);
  C_o << -11. / 6, 1, -4. / 3;
  D_o << 1. / 6, -1. / 6, 1. / 6;
  BOOST_TEST((map.state_matrix() - C_o).cwiseAbs().maxCoeff() <= 1e-14);
  BOOST_TEST((map.feed_through() - D_o).cwiseAbs().maxCoeff() <= 1e-15);
  BOOST_TEST(!map.needs_load_rate());
  BOOST_TEST(map.rate_feed_through().isZero(0));
}

BOOST_AUTO_TEST_CASE(states_are_read_off_without_feed_through) {
  const auto mount = reduce(assemble<EigenEngine>(engine_mount()));
  const OutputMap<EigenEngine> map(
      mount, {{Quantity::rate, 0}, {Quantity::displacement, 2}, {Quantity::displacement, 0}});
  MultiVector C_o(3, 4);
  C_o << 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0;
  BOOST_TEST((map.state_matrix() == C_o));
  BOOST_TEST(map.feed_through().isZero(0));
}

BOOST_AUTO_TEST_CASE(displacements_rates_and_accelerations_agree_with_the_lifted_state) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const auto reduced = MovingSystem(seed).reduced(false);
    State state{0.3, RandomNumbers(seed).matrix(reduced.n_local_states(), 1)};
    const AssembledMotion lifted = reduced.lift(state);
    const OutputMap<EigenEngine> displacement(reduced, all(Quantity::displacement, 10));
    BOOST_TEST(relative_difference(displacement.evaluate(state), lifted.displacement) <= 1e-10);
    for (Index i = 0; i < 10; ++i) {
      const DoFKind kind = reduced.classification().kind(i);
      if (kind != DoFKind::algebraic) {
        const OutputMap<EigenEngine> rate(reduced, {{Quantity::rate, i}});
        BOOST_TEST(std::abs(rate.evaluate(state)[0] - lifted.rate[i]) <= 1e-10 * lifted.rate.norm());
      }
      if (kind == DoFKind::inertial || kind == DoFKind::constrained) {
        const OutputMap<EigenEngine> acceleration(reduced, {{Quantity::acceleration, i}});
        BOOST_TEST(std::abs(acceleration.evaluate(state)[0] - lifted.acceleration[i]) <=
                   1e-10 * lifted.acceleration.norm());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(matrices_times_state_and_load_give_the_outputs) {
  const DenseSystem dense = random_unsymmetric(4, 3, 3, 5);
  auto description = describe(dense);
  const Wave load{Vector::LinSpaced(10, -1, 1), Vector::LinSpaced(10, 2, 5)};
  description.load = load.value();
  description.load_rate = load.rate();
  const auto reduced = reduce(AssembledSystem<EigenEngine>(description));
  const OutputMap<EigenEngine> map(reduced, all(Quantity::rate, 10));
  BOOST_TEST(map.needs_load_rate());
  const State state{0.7, RandomNumbers(5).matrix(reduced.n_local_states(), 1)};
  const Vector z = map.state_matrix() * state.y + map.feed_through() * load.value()(0.7) +
                   map.rate_feed_through() * load.rate()(0.7);
  BOOST_TEST(relative_difference(z, map.evaluate(state)) <= 1e-13);
}

BOOST_AUTO_TEST_CASE(more_outputs_than_one_batch_holds_keep_their_order) {
  const DenseSystem dense = random_unsymmetric(20, 15, 15, 6);
  auto description = describe(dense);
  description.load = [](double) { return Vector(Vector::LinSpaced(50, -1, 1)); };
  description.load_rate = [](double) { return Vector(Vector::LinSpaced(50, 3, 2)); };
  const auto reduced = reduce(AssembledSystem<EigenEngine>(description));
  const State state{0, RandomNumbers(6).matrix(reduced.n_local_states(), 1)};
  std::vector<Output> outputs = all(Quantity::displacement, 50);
  for (const Output& rate : all(Quantity::rate, 50))
    outputs.push_back(rate);
  const Vector z = OutputMap<EigenEngine>(reduced, outputs).evaluate(state);
  const AssembledMotion lifted = reduced.lift(state);
  Vector rates = lifted.rate;
  const auto& algebraic = reduced.classification().algebraic().local();
  rates(algebraic) = reduced.algebraic_rates(state);
  BOOST_TEST(relative_difference(z.head(50), lifted.displacement) <= 1e-9);
  BOOST_TEST(relative_difference(z.tail(50), rates) <= 1e-9);
}

BOOST_AUTO_TEST_CASE(algebraic_rates_agree_with_the_library_and_with_differences_of_displacements) {
  const DenseSystem dense = random_unsymmetric(4, 3, 3, 8);
  auto description = describe(dense);
  const Wave load{Vector::LinSpaced(10, -1, 1), Vector::LinSpaced(10, 2, 5)};
  description.load = load.value();
  description.load_rate = load.rate();
  const auto reduced = reduce(AssembledSystem<EigenEngine>(description));
  const State state{0.4, RandomNumbers(8).matrix(reduced.n_local_states(), 1)};

  const std::vector<Index> algebraic = reduced.classification().algebraic().local();
  std::vector<Output> displacements, rates;
  for (const Index i : algebraic) {
    displacements.push_back({Quantity::displacement, i});
    rates.push_back({Quantity::rate, i});
  }
  const Vector rate = OutputMap<EigenEngine>(reduced, rates).evaluate(state);
  BOOST_TEST(relative_difference(rate, reduced.algebraic_rates(state)) <= 1e-10);

  const OutputMap<EigenEngine> q_K(reduced, displacements);
  const double h = 1e-4;
  const Vector difference =
      (q_K.evaluate(moved(reduced, state, h)) - q_K.evaluate(moved(reduced, state, -h))) / (2 * h);
  // Central differences of step h: h^2 times third derivatives over first ones.
  BOOST_TEST(relative_difference(rate, difference) <= 1e-4);
}

BOOST_AUTO_TEST_CASE(viscous_accelerations_are_the_derivative_of_viscous_rates) {
  const DenseSystem dense = random_unsymmetric(4, 3, 3, 9);
  auto description = describe(dense);
  const Wave load{Vector::LinSpaced(10, -1, 1), Vector::LinSpaced(10, 2, 5)};
  description.load = load.value();
  description.load_rate = load.rate();
  const auto reduced = reduce(AssembledSystem<EigenEngine>(description));
  const State state{0.4, RandomNumbers(9).matrix(reduced.n_local_states(), 1)};
  const Index dof = reduced.classification().viscous().local()[1];
  const double acceleration =
      OutputMap<EigenEngine>(reduced, {{Quantity::acceleration, dof}}).evaluate(state)[0];
  const OutputMap<EigenEngine> rate(reduced, {{Quantity::rate, dof}});
  const double h = 1e-4;
  const double difference =
      (rate.evaluate(moved(reduced, state, h))[0] - rate.evaluate(moved(reduced, state, -h))[0]) / (2 * h);
  BOOST_TEST(std::abs(acceleration - difference) <= 1e-4 * std::abs(difference));
}

BOOST_AUTO_TEST_CASE(reactions_close_the_assembled_equations) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const MovingSystem system(seed);
    const auto reduced = system.reduced(false);
    const State state{0.3, RandomNumbers(seed).matrix(reduced.n_local_states(), 1)};
    // Algebraic rates and viscous accelerations meet null columns only: zeros do for them.
    const AssembledMotion lifted = reduced.lift(state);
    const Vector residual = system.dense.M * lifted.acceleration + system.dense.C * lifted.rate +
                            system.dense.K * lifted.displacement - system.load.value()(0.3);
    const OutputMap<EigenEngine> map(reduced, {{Quantity::reaction, 7}, {Quantity::reaction, 2}});
    const Vector reaction = map.evaluate(state);
    BOOST_TEST(std::abs(reaction[0] - residual[7]) <= 1e-10 * residual.norm());
    BOOST_TEST(std::abs(reaction[1] - residual[2]) <= 1e-10 * residual.norm());
    BOOST_TEST(map.feed_through()(0, 7) == -1);
  }
}

BOOST_AUTO_TEST_CASE(a_reaction_may_need_the_rate_of_an_algebraic_dof) {
  // DoF 1 is algebraic: its damping column is null but for the row of the constrained DoF 2.
  DenseSystem dense{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  dense.M(0, 0) = 2;
  dense.C(2, 1) = 5;
  dense.K << 3, -1, 0, -1, 4, 0, 0, -3, 3;
  auto description = describe(dense);
  description.constrained = {2};
  description.load = [](double t) { return Vector(Vector::Unit(3, 1) * std::sin(t)); };
  description.load_rate = [](double t) { return Vector(Vector::Unit(3, 1) * std::cos(t)); };
  const auto reduced = reduce(AssembledSystem<EigenEngine>(description));
  const State state{0.5, (Vector(2) << 0.7, -0.2).finished()};
  // q_1 = (sin t + q_0) / 4; r_2 = 5 q_1' - 3 q_1.
  const double q_1 = (std::sin(0.5) + 0.7) / 4, rate_1 = (std::cos(0.5) - 0.2) / 4;
  const OutputMap<EigenEngine> map(reduced, {{Quantity::reaction, 2}});
  BOOST_TEST(map.needs_load_rate());
  BOOST_TEST(std::abs(map.evaluate(state)[0] - (5 * rate_1 - 3 * q_1)) <= 1e-15);
}

BOOST_AUTO_TEST_CASE(algebraic_rates_without_the_rate_of_the_load_are_refused) {
  auto description = describe(three_kinds());
  description.load = [](double) { return Vector(Vector::Ones(3)); };
  const auto reduced = reduce(AssembledSystem<EigenEngine>(description));
  const OutputMap<EigenEngine> map(reduced, {{Quantity::rate, 2}});
  BOOST_CHECK_EXCEPTION(map.evaluate({0, Vector::Zero(3)}), NotAvailable, [](const NotAvailable& e) {
    return std::string(e.what()).find("f'") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(accelerations_of_algebraic_dofs_are_refused_by_name) {
  const auto system = reduce(assemble<EigenEngine>(three_kinds()));
  BOOST_CHECK_EXCEPTION(
      OutputMap<EigenEngine>(system, {{Quantity::displacement, 0}, {Quantity::acceleration, 2}}),
      NotAvailable,
      [](const NotAvailable& e) { return std::string(e.what()).find("DoF 2") != std::string::npos; });
}

BOOST_AUTO_TEST_CASE(impossible_outputs_are_refused) {
  const auto mount = reduce(assemble<EigenEngine>(engine_mount()));
  BOOST_CHECK_THROW(OutputMap<EigenEngine>(mount, {{Quantity::displacement, 3}}), InvalidInput);
  BOOST_CHECK_THROW(OutputMap<EigenEngine>(mount, {{Quantity::displacement, -1}}), InvalidInput);
  BOOST_CHECK_EXCEPTION(
      OutputMap<EigenEngine>(mount, {{Quantity::reaction, 1}}), InvalidInput, [](const InvalidInput& e) {
        return std::string(e.what()).find("this degree of freedom is not constrained") != std::string::npos;
      });
  BOOST_CHECK_THROW(OutputMap<EigenEngine>(mount, {{Quantity::rate, 1}}).evaluate({0, Vector::Zero(3)}),
                    InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_derivative_of_the_motion_that_only_the_output_needs_is_refused_where_missing) {
  auto description = describe(engine_mount());
  description.constrained = {2};
  description.prescribed.value = [](double t) { return Vector(Vector::Constant(1, t)); };
  const auto reduced = reduce(AssembledSystem<EigenEngine>(description));
  // The free rows meet DoF 2 through a spring only, but its own damper C_h = 300 enters its reaction.
  BOOST_TEST(reduced.free().needed_prescribed() == std::vector<std::string>{"q_D"},
             boost::test_tools::per_element());
  BOOST_CHECK_EXCEPTION(
      OutputMap<EigenEngine>(reduced, {{Quantity::reaction, 2}}), InvalidInput,
      [](const InvalidInput& e) { return std::string(e.what()).find("q_D'") != std::string::npos; });
}

BOOST_AUTO_TEST_CASE(the_dense_limit_holds_for_matrices_alone) {
  const Reduced reduced = MovingSystem(3).reduced(true);
  const std::vector<Output> outputs{{Quantity::displacement, 0}, {Quantity::displacement, 1}};
  DenseFormOptions options;
  options.max_bytes = 8;
  const OutputMap<EigenEngine> map(reduced, outputs, options);
  const State state{0.3, Vector::LinSpaced(reduced.n_local_states(), 1., 2.)};
  const OutputMap<EigenEngine> unlimited(reduced, outputs);
  BOOST_TEST((map.evaluate(state) - unlimited.evaluate(state)).norm() == 0);
  BOOST_CHECK_THROW(map.state_matrix(), NotAvailable);
  BOOST_CHECK_THROW(map.feed_through(), NotAvailable);
  BOOST_CHECK_THROW(map.rate_feed_through(), NotAvailable);
}

BOOST_AUTO_TEST_SUITE_END()
