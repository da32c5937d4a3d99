#include <halfdof/base/errors.h>
#include <halfdof/reduction/equilibrium.h>

#include <boost/test/unit_test.hpp>

#include "nonlinear_models.h"
#include <limits>
#include <string>

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
  description.state_force.force = [](double, const LiftedState& now) {
    const double u = now.displacement[0];
    return Vector(Vector::Constant(1, u * u + 1 - u));
  };
  description.state_force.tangents = [](double, const LiftedState& now) {
    Tangents<EigenEngine> tangents;
    tangents.stiffness = matrix_of<EigenEngine>(MultiVector::Constant(1, 1, 2 * now.displacement[0] - 1));
    return tangents;
  };
  LiftedState there{Vector::Constant(1, 0.7), Vector::Zero(1), Vector::Zero(1)};
  const Reduced reduced(AssembledSystem<EigenEngine>(std::move(description)), 0., there);
  BOOST_CHECK_EXCEPTION(equilibrium(reduced, State{0, Eigen::Vector2d(0.7, 0.)}), NoConvergence,
                        [](const Error& error) {
                          return std::string(error.what()).find("50 iterations") != std::string::npos;
                        });
}

BOOST_AUTO_TEST_CASE(a_rest_without_tangent_stiffness_is_refused) {
  // u^3 = 1 from u = 0.
  DenseSystem system = zero_system(1);
  system.M(0, 0) = 1;
  const Reduced reduced(
      assemble(system, {{{0, -1, 1., 0.}}, {}}, [](double) { return Vector(Vector::Constant(1, 1.)); }));
  BOOST_CHECK_THROW(equilibrium(reduced, zero_state(reduced)), SingularMatrix);
  const State rest = equilibrium(reduced, State{0, Eigen::Vector2d(2., 3.)});
  BOOST_TEST(std::abs(rest.y[0] - 1) < 1e-10);
  BOOST_TEST(rest.y[1] == 0);
}

BOOST_AUTO_TEST_SUITE_END()
