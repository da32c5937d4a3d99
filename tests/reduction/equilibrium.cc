// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/reduction/consistent_state.h>

#include <boost/test/unit_test.hpp>

#include "nonlinear_models.h"
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Reduced = ReducedSystem<EigenEngine>;

State zero_state(const Reduced& reduced) {
  return {0, Vector::Zero(reduced.n_local_states())};
}

DenseSystem zero_system(Index n) {
  return {MultiVector::Zero(n, n), MultiVector::Zero(n, n), MultiVector::Zero(n, n)};
}

/// The root of k x + k_3 x^3 = f > 0.
double compressed(double k, double k_3, double f) {
  double low = 0, high = f / k;
  for (int i = 0; i < 200; ++i) {
    const double x = (low + high) / 2;
    (k * x + k_3 * x * x * x < f ? low : high) = x;
  }
  return low;
}

/// phi'' + sin phi = torque, in another unit of time.
Reduced pendulum(double unit_of_time, double torque) {
  const double k = 1 / (unit_of_time * unit_of_time);
  DenseSystem system = zero_system(1);
  system.M(0, 0) = 1;
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.load = [=](double) { return Vector(Vector::Constant(1, k * torque)); };
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.state_force = state_force({}, 1);
  description.state_force.force = [=](double, const AssembledMotion& now) {
    return Vector(Vector::Constant(1, k * std::sin(now.displacement[0])));
  };
  description.state_force.tangents = [=](double, const AssembledMotion& now) {
    Tangents<EigenEngine> tangents;
    tangents.stiffness =
        matrix_of<EigenEngine>(MultiVector::Constant(1, 1, k * std::cos(now.displacement[0])));
    return tangents;
  };
  return Reduced(AssembledSystem<EigenEngine>(std::move(description)));
}

/// Nodes of three kinds in turn, each on the ground and on its neighbour by p(x) = x^3 + x - a sin(b x).
class Waves {
 public:
  explicit Waves(int seed) : n_(3 + seed % 7), a_(n_), b_(n_), load_(n_) {
    std::srand(static_cast<unsigned>(seed));
    const auto uniform = [] { return std::rand() / static_cast<double>(RAND_MAX); };
    for (Index i = 0; i < n_; ++i) {
      a_[i] = is_algebraic(i) ? 0.2 : 2 * uniform();
      b_[i] = 1 + 2 * uniform();
      load_[i] = 4 * uniform() - 2;
    }
  }

  AssembledSystem<EigenEngine> assembled() const {
    DenseSystem system = zero_system(n_);
    for (Index i = 0; i < n_; ++i) {
      system.M(i, i) = i % 3 == 0 ? 1 + 0.1 * i : 0.;
      system.C(i, i) = i % 3 == 1 ? 0.5 : 0.;
    }
    SystemDescription<EigenEngine> description;
    description.mass = matrix_of<EigenEngine>(system.M);
    description.damping = matrix_of<EigenEngine>(system.C);
    description.stiffness = matrix_of<EigenEngine>(system.K);
    description.load = [load = load_](double) { return load; };
    description.state_force = state_force({}, n_);
    description.state_force.force = [*this](double, const AssembledMotion& now) {
      return force(now.displacement);
    };
    description.state_force.tangents = [*this](double, const AssembledMotion& now) {
      Tangents<EigenEngine> tangents;
      tangents.stiffness = matrix_of<EigenEngine>(tangent(now.displacement));
      return tangents;
    };
    return AssembledSystem<EigenEngine>(std::move(description));
  }
  double imbalance(const Vector& q) const { return (force(q) - load_).lpNorm<Eigen::Infinity>(); }

 private:
  static bool is_algebraic(Index i) { return i % 3 == 2; }
  Vector force(const Vector& q) const {
    Vector p = Vector::Zero(n_);
    for (Index i = 0; i < n_; ++i) {
      p[i] += q[i] * q[i] * q[i] + q[i] - a_[i] * std::sin(b_[i] * q[i]);
      if (i == 0) continue;
      const double x = q[i] - q[i - 1];
      p[i] += x * x * x + x;
      p[i - 1] -= x * x * x + x;
    }
    return p;
  }
  MultiVector tangent(const Vector& q) const {
    MultiVector K = MultiVector::Zero(n_, n_);
    for (Index i = 0; i < n_; ++i) {
      K(i, i) += 3 * q[i] * q[i] + 1 - a_[i] * b_[i] * std::cos(b_[i] * q[i]);
      if (i == 0) continue;
      const double k = 3 * (q[i] - q[i - 1]) * (q[i] - q[i - 1]) + 1;
      K(i, i) += k;
      K(i - 1, i - 1) += k;
      K(i, i - 1) -= k;
      K(i - 1, i) -= k;
    }
    return K;
  }

  Index n_;
  Vector a_, b_, load_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(equilibria)

BOOST_AUTO_TEST_CASE(units_of_other_dofs_do_not_loosen_a_rest) {
  // 1e6 u + 1e16 u^3 = 10 N beside a viscous DoF that rests at 1e5 Pa.
  DenseSystem system = zero_system(2);
  system.M(0, 0) = 1;
  system.K(0, 0) = 1e6;
  system.C(1, 1) = system.K(1, 1) = 1;
  const auto load = [](double) { return Vector(Eigen::Vector2d(10., 1e5)); };
  const Reduced reduced(assemble(system, {{{0, -1, 1e16, 0.}}, {}}, load));
  const State rest = equilibrium(reduced, zero_state(reduced));
  const double u = compressed(1e6, 1e16, 10);
  BOOST_TEST(std::abs(rest.y[0] - u) < 1e-9 * u, rest.y[0] << " instead of " << u);
  BOOST_TEST(std::abs(rest.y[1] - 1e5) < 1e-9 * 1e5);
}

BOOST_AUTO_TEST_CASE(a_long_chain_rests_where_its_springs_carry_what_hangs_below) {
  // Rounding of a stiff chain is far above that of its displacements.
  const Index n = 400;
  const double k = 1e9, weight = 9.81;
  DenseSystem system = zero_system(n);
  NonlinearParts parts;
  const double k_3 = 0.3 * k * std::pow(k / (static_cast<double>(n) * weight), 2);
  for (Index i = 0; i < n; ++i) {
    system.M(i, i) = 1;
    system.K(i, i) += k;
    if (i > 0) {
      system.K(i - 1, i - 1) += k;
      system.K(i - 1, i) -= k;
      system.K(i, i - 1) -= k;
    }
    parts.links.push_back({i, i - 1, k_3, 0.});
  }
  const Reduced reduced(assemble(system, parts, [=](double) { return Vector(Vector::Constant(n, weight)); }));
  const State rest = equilibrium(reduced, zero_state(reduced));
  double q = 0;
  for (Index i = 0; i < n; ++i) {
    q += compressed(k, k_3, weight * static_cast<double>(n - i));
    BOOST_REQUIRE(std::abs(rest.y[i] - q) < 1e-9 * q);
  }
  BOOST_TEST(rest.y.tail(n).isZero(0.));
}

BOOST_AUTO_TEST_CASE(a_linear_system_rests_after_one_step) {
  DenseSystem system = zero_system(2);
  system.M(0, 0) = 2;
  system.K << 5, -2, -2, 3;
  const Vector f = Eigen::Vector2d(1., 4.);
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.load = [f](double) { return f; };
  const Reduced reduced(AssembledSystem<EigenEngine>(std::move(description)));
  const State rest = equilibrium(reduced, zero_state(reduced));
  const Vector q = system.K.partialPivLu().solve(f);
  BOOST_TEST((reduced.lift(rest).displacement - q).norm() < 1e-14 * q.norm());
}

BOOST_AUTO_TEST_CASE(what_has_no_rest_is_said) {
  // u^2 + 1 = 0, between tangents that point to either side.
  DenseSystem system = zero_system(1);
  system.M(0, 0) = system.K(0, 0) = 1;
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.state_force = state_force({}, 1);
  description.state_force.force = [](double, const AssembledMotion& now) {
    const double u = now.displacement[0];
    return Vector(Vector::Constant(1, u * u + 1 - u));
  };
  description.state_force.tangents = [](double, const AssembledMotion& now) {
    Tangents<EigenEngine> tangents;
    tangents.stiffness = matrix_of<EigenEngine>(MultiVector::Constant(1, 1, 2 * now.displacement[0] - 1));
    return tangents;
  };
  AssembledMotion there{Vector::Constant(1, 0.7), Vector::Zero(1), Vector::Zero(1)};
  const Reduced reduced(AssembledSystem<EigenEngine>(std::move(description)), 0., there);
  BOOST_CHECK_EXCEPTION(
      equilibrium(reduced, State{0, Eigen::Vector2d(0.7, 0.)}), NoConvergence,
      [](const Error& error) { return std::string(error.what()).find("200 steps") != std::string::npos; });
}

BOOST_AUTO_TEST_CASE(a_guess_without_tangent_stiffness_does_no_harm) {
  // u^3 = 1 from u = 0.
  DenseSystem system = zero_system(1);
  system.M(0, 0) = 1;
  const Reduced reduced(
      assemble(system, {{{0, -1, 1., 0.}}, {}}, [](double) { return Vector(Vector::Constant(1, 1.)); }));
  for (const State& guess : {zero_state(reduced), State{0, Eigen::Vector2d(2., 3.)}}) {
    const State rest = equilibrium(reduced, guess);
    BOOST_TEST(std::abs(rest.y[0] - 1) < 1e-10);
    BOOST_TEST(rest.y[1] == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_pendulum_comes_to_rest_below_wherever_it_is_let_go) {
  for (const double unit_of_time : {1., 1e-9, 1e9})
    for (const double angle : {0.3, 1.5, std::acos(0.), 1.6, 2.5, 3.1}) {
      const Reduced reduced = pendulum(unit_of_time, 0.);
      const State rest = equilibrium(reduced, State{0, Eigen::Vector2d(angle, 0.)});
      BOOST_TEST(std::abs(std::sin(rest.y[0])) <= 1e-10, "from " << angle << " to " << rest.y[0]);
      BOOST_TEST(std::abs(rest.y[0]) <= 3.2);
      BOOST_TEST(rest.y[1] == 0);
    }
  // By a torque beyond what gravity holds it turns for ever.
  const Reduced driven = pendulum(1., 1.01);
  BOOST_CHECK_EXCEPTION(
      equilibrium(driven, zero_state(driven)), NoConvergence, [](const NoConvergence& error) {
        return std::string(error.what()).find("There may be no equilibrium") != std::string::npos;
      });
  const Reduced held = pendulum(1., 0.99);
  const State rest = equilibrium(held, zero_state(held));
  BOOST_TEST(std::abs(rest.y[0] - std::asin(0.99)) <= 1e-9);
}

BOOST_AUTO_TEST_CASE(random_potentials_come_to_rest_where_all_forces_balance) {
  // Chains of masses, viscous and algebraic nodes on softening links k x - a sin(b x), and cubic ones that
  // hold them; many rests, and tangents that are indefinite on the way.
  for (int seed = 1; seed <= 40; ++seed) {
    const Waves waves(seed);
    const Reduced reduced(waves.assembled());
    const State rest = equilibrium(reduced, State{0, 3 * Vector::Random(reduced.n_local_states())});
    const AssembledMotion lifted = reduced.lift(rest);
    BOOST_TEST(waves.imbalance(lifted.displacement) <= 1e-8, "seed " << seed);
    BOOST_TEST(lifted.rate.norm() <= 1e-9 * lifted.displacement.norm());
  }
}

/// Masses in a row with springs between them that nothing holds, and a spring to ground of the last one.
AssembledSystem<EigenEngine> chain_of_masses(Index n, double held, const TimeFunction& load = {}) {
  DenseSystem system = zero_system(n);
  system.M.setIdentity();
  for (Index i = 0; i + 1 < n; ++i) {
    const double k = 1 + 0.37 * i;
    system.K(i, i) += k;
    system.K(i + 1, i + 1) += k;
    system.K(i, i + 1) = system.K(i + 1, i) = -k;
  }
  system.K(n - 1, n - 1) += held;
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.load = load;
  return AssembledSystem<EigenEngine>(std::move(description));
}

BOOST_AUTO_TEST_CASE(a_body_that_nothing_holds_has_no_rest) {
  for (const Index n : {2, 7, 40, 400}) {
    const Reduced reduced(chain_of_masses(n, 0, [n](double) { return Vector(Vector::Unit(n, 0)); }));
    BOOST_CHECK_EXCEPTION(
        equilibrium(reduced, zero_state(reduced)), SingularElimination,
        [&](const SingularElimination& error) {
          const std::string message = error.what();
          BOOST_TEST(error.block() == "K");
          BOOST_TEST(error.dofs().size() == static_cast<std::size_t>(std::min<Index>(n, 10)));
          BOOST_TEST(message.find("in an equilibrium is not determined") != std::string::npos);
          return true;
        });
  }
}

BOOST_AUTO_TEST_CASE(a_part_that_nothing_holds_is_named_alone) {
  // The first mass stands free; the others are held.
  DenseSystem system = zero_system(4);
  system.M.setIdentity();
  system.K.diagonal() << 0, 2, 3, 4;
  const Reduced reduced(AssembledSystem<EigenEngine>(assembled_system<EigenEngine>(
      matrix_of<EigenEngine>(system.M), matrix_of<EigenEngine>(system.C), matrix_of<EigenEngine>(system.K))));
  BOOST_CHECK_EXCEPTION(
      equilibrium(reduced, zero_state(reduced)), SingularElimination,
      [](const SingularElimination& error) { return error.dofs() == std::vector<GlobalIndex>{0}; });
}

BOOST_AUTO_TEST_CASE(a_sliding_support_acts_through_springs_dampers_and_masses) {
  // K q = f - K_D q_D - C_D q_D' - M_D q_D'' at rest, by either function.
  DenseSystem system = zero_system(3);
  system.M << 2, 0, 0.25, 0, 3, 0, 0.25, 0, 1;
  system.C << 1, 0, -1, 0, 0, 0, -1, 0, 1;
  system.K << 5, -2, -3, -2, 6, -4, -3, -4, 7;
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.constrained = {2};
  const auto constant = [](double value) {
    return [value](double) { return Vector(Vector::Constant(1, value)); };
  };
  description.prescribed.value = constant(0.5);
  description.prescribed.rate = constant(0.125);
  description.prescribed.acceleration = constant(-2);
  const Eigen::Vector2d f(0.75, -1);
  const Eigen::Vector2d support(-0.5 * -3 - 0.125 * -1 + 2 * 0.25, -0.5 * -4);
  const Eigen::Vector2d expected = system.K.topLeftCorner(2, 2).inverse() * (f + support);

  Vector load = Vector::Zero(3);
  load.head(2) = f;
  const State by_load = equilibrium(Reduced(AssembledSystem<EigenEngine>(description)), load);
  description.load = [load](double) { return load; };
  const Reduced reduced{AssembledSystem<EigenEngine>(description)};
  const State by_guess = equilibrium(reduced, zero_state(reduced));
  for (const State& rest : {by_load, by_guess}) {
    BOOST_TEST((rest.y.head(2) - expected).norm() < 1e-14 * expected.norm());
    BOOST_TEST(rest.y.tail(2).norm() == 0.);
  }
}

BOOST_AUTO_TEST_CASE(another_load_replaces_that_of_the_description) {
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(MultiVector(MultiVector::Identity(2, 2)));
  description.stiffness = matrix_of<EigenEngine>(MultiVector(Eigen::Vector2d(2, 4).asDiagonal()));
  description.load = [](double t) { return Vector(Vector::Constant(2, 5 + t)); };
  const State rest =
      equilibrium(Reduced(AssembledSystem<EigenEngine>(description)), Vector(Eigen::Vector2d(6, -2)), 3.);
  BOOST_TEST(rest.y[0] == 3.);
  BOOST_TEST(rest.y[1] == -0.5);
  BOOST_TEST(rest.time == 3.);
}

BOOST_AUTO_TEST_CASE(a_load_on_an_equation_that_is_a_constraint_is_refused) {
  // q_0 = f_1 in the second equation.
  DenseSystem system = zero_system(2);
  system.M(0, 0) = 1;
  system.K << 3, 1, 1, 0;
  const Reduced reduced(AssembledSystem<EigenEngine>(assembled_system<EigenEngine>(
      matrix_of<EigenEngine>(system.M), matrix_of<EigenEngine>(system.C), matrix_of<EigenEngine>(system.K))));
  BOOST_CHECK_THROW(equilibrium(reduced, Vector(Eigen::Vector2d(0, 2))), NotAvailable);
}

BOOST_AUTO_TEST_CASE(a_soft_support_is_a_support) {
  // n masses pulled by one force: the support of 1e-9 times the other springs carries it.
  constexpr Index n = 40;
  constexpr double held = 1e-9;
  const Reduced reduced(chain_of_masses(n, held, [](double) { return Vector(Vector::Unit(n, 0)); }));
  const State rest = equilibrium(reduced, zero_state(reduced));
  BOOST_TEST(rest.y[n - 1] * held == 1., boost::test_tools::tolerance(1e-4));  // condition 1e12
}

BOOST_AUTO_TEST_SUITE_END()
