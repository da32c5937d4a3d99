// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/state_space.h>

#include <boost/test/unit_test.hpp>

#include "reduction/constrained_models.h"

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

/// Models whose unknowns and equations have units of different size.
namespace {

/// Units of a model, in SI.
struct Units {
  double pressure = 1, time = 1;
};

constexpr Units SI;
constexpr Units MPa_and_years{1e6, 3.15e7};
constexpr Index n_elements = 8;

/// Terzaghi's column of 10 m, drained at the top and held at the bottom, by linear elements: u (from the
/// top), then p (from below the top). Units: m, and those given, per m^2.
DenseSystem terzaghi(const Units& units) {
  const double h = 10. / n_elements, E = 4e6 / units.pressure,
               mobility = 0.3e-6 / 3.15e7 * units.pressure * units.time, storage = 5e-8 * units.pressure;
  const auto u = [](Index node) { return node < n_elements ? node : -1; };
  const auto p = [](Index node) { return node > 0 ? n_elements + node - 1 : -1; };
  DenseSystem system = zero_system(2 * n_elements);
  const auto add = [](MultiVector& A, Index i, Index j, double value) {
    if (i >= 0 && j >= 0) A(i, j) += value;
  };
  for (Index e = 0; e < n_elements; ++e)
    for (const Index i : {e, e + 1})
      for (const Index j : {e, e + 1}) {
        const double sign = i == j ? 1 : -1, slope = i == e ? -1 : 1;
        add(system.K, u(i), u(j), sign * E / h);
        add(system.K, u(i), p(j), -slope / 2);
        add(system.K, p(i), p(j), sign * mobility / h);
        add(system.C, p(j), u(i), slope / 2);
        add(system.C, p(i), p(j), storage * h * (i == j ? 1. / 3 : 1. / 6));
      }
  return system;
}

ReducedSystem<EigenEngine> by_kernels(const DenseSystem& system, const Vector& load) {
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.load = [load](double t) { return Vector((1 + t) * load); };
  description.load_rate = [load](double) { return load; };
  ReductionOptions options;
  options.method = ReductionMethod::kernel;
  return reduce(AssembledSystem<EigenEngine>(description), options);
}

/// A load of 1e5 Pa on the top.
ReducedSystem<EigenEngine> loaded_column(const Units& units) {
  return by_kernels(terzaghi(units), 1e5 / units.pressure * Vector::Unit(2 * n_elements, 0));
}

double difference(const Vector& found, const Vector& expected) {
  return (found - expected).norm() / expected.norm();
}

/// Powers of a million at random.
Vector random_units(RandomNumbers& random, Index n) {
  return Vector(random.matrix(n, 1)).unaryExpr([](double x) { return std::pow(1e6, std::round(1.5 * x)); });
}

/// Orthogonal, from random numbers.
MultiVector random_rotation(Index n, unsigned seed) {
  return singular_value_decomposition(RandomNumbers(seed).matrix(n, n)).U;
}

struct ModelInUnits {
  DenseSystem system;
  Vector of_equations, of_dofs;  ///< factors

  DenseSystem scaled() const {
    const auto in_units = [&](const MultiVector& A) -> MultiVector {
      return of_equations.asDiagonal() * A * of_dofs.asDiagonal();
    };
    return {in_units(system.M), in_units(system.C), in_units(system.K)};
  }
};

/// No column of it is null.
ModelInUnits random_model(bool is_symmetric, unsigned seed) {
  const DenseSystem system =
      is_symmetric ? random_symmetric(4, 2, 3, seed) : random_unsymmetric(4, 2, 3, seed);
  const Index n = system.size();
  const MultiVector Q = random_rotation(n, seed + 10),
                    L = is_symmetric ? MultiVector(Q.transpose()) : random_rotation(n, seed + 20);
  RandomNumbers random(seed + 30);
  const Vector of_dofs = random_units(random, n);
  return {{L * system.M * Q, L * system.C * Q, L * system.K * Q},
          is_symmetric ? of_dofs : random_units(random, n),
          of_dofs};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(units)

BOOST_AUTO_TEST_CASE(a_column_of_soil_consolidates_in_pascals_as_in_megapascals) {
  const auto in_SI = loaded_column(SI), in_years = loaded_column(MPa_and_years);
  BOOST_TEST(in_SI.n_states() == n_elements);
  std::vector<Complex> found = eigenvalues_of(in_SI);
  for (Complex& value : found)
    value *= MPa_and_years.time;
  const std::vector<Complex> expected = eigenvalues_of(in_years);
  BOOST_TEST(farthest_from(found, expected) < 1e-8);
  double slowest = -1e300;
  for (const Complex value : found)
    slowest = std::max(slowest, value.real());
  // Terzaghi: -(pi / 2 H)^2 k E / (1 + S E), to (pi h / 2 H)^2 / 12.
  const double exact = -std::pow(std::acos(-1.) / 20, 2) * 0.3 * 4 / (1 + 0.05 * 4);
  BOOST_TEST(slowest == exact, boost::test_tools::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(displacements_and_pressures_are_those_of_other_units) {
  const auto in_SI = loaded_column(SI), in_years = loaded_column(MPa_and_years);
  const Index n = 2 * n_elements;
  const Vector start = Vector::LinSpaced(n, 0.01, 0.03);
  const AssembledMotion expected = in_years.lift({0, in_years.restrict(start, Vector::Zero(n))});
  Vector q = expected.displacement;
  q.tail(n_elements) *= MPa_and_years.pressure;
  const AssembledMotion found = in_SI.lift({0, in_SI.restrict(q, Vector::Zero(n))});
  for (const Index first : {0, n_elements}) {
    const auto part = [first](const Vector& x) { return Vector(x.segment(first, n_elements)); };
    BOOST_TEST(difference(part(found.displacement), part(q)) < 1e-8);
  }
  const ConsistentState state = consistent_state(in_SI, q, Vector::Zero(n));
  BOOST_TEST(difference(in_SI.lift(state).displacement.head(n_elements), q.head(n_elements)) < 1e-8);
}

BOOST_AUTO_TEST_CASE(units_of_equations_and_dofs_change_no_eigenvalue) {
  for (unsigned seed = 1; seed <= 10; ++seed)
    for (const bool is_symmetric : {true, false})
      BOOST_TEST_CONTEXT(seed << ' ' << is_symmetric) {
        const ModelInUnits model = random_model(is_symmetric, seed);
        const Vector none = Vector::Zero(model.of_dofs.size());
        const auto plain = by_kernels(model.system, none), scaled = by_kernels(model.scaled(), none);
        BOOST_TEST(scaled.n_states() == plain.n_states());
        BOOST_TEST(scaled.free().is_symmetric() == is_symmetric);
        BOOST_TEST(farthest_from(eigenvalues_of(scaled), eigenvalues_of(plain)) < 1e-8);
      }
}

BOOST_AUTO_TEST_CASE(motions_and_outputs_are_those_of_other_units) {
  for (unsigned seed = 1; seed <= 10; ++seed)
    for (const bool is_symmetric : {true, false})
      BOOST_TEST_CONTEXT(seed << ' ' << is_symmetric) {
        const ModelInUnits model = random_model(is_symmetric, seed);
        const auto n = static_cast<Index>(model.of_dofs.size());
        RandomNumbers random(seed);
        const Vector load = random.matrix(n, 1), q = random.matrix(n, 1), v = random.matrix(n, 1);
        const auto plain = by_kernels(model.system, load),
                   scaled = by_kernels(model.scaled(), model.of_equations.cwiseProduct(load));
        const AssembledMotion expected = plain.lift({0, plain.restrict(q, v)});
        const Vector unit = model.of_dofs.cwiseInverse();
        const State state{
            0, scaled.restrict(expected.displacement.cwiseProduct(unit), expected.rate.cwiseProduct(unit))};
        const AssembledMotion found = scaled.lift(state);
        BOOST_TEST(difference(found.displacement.cwiseQuotient(unit), expected.displacement) < 1e-8);
        const OutputMap<EigenEngine> map(scaled, {{OutputQuantity::displacement, 2}});
        BOOST_TEST(map.evaluate(state)[0] / unit[2] == expected.displacement[2],
                   boost::test_tools::tolerance(1e-7));
        BOOST_TEST(!scaled.has_rate(2));
      }
}

BOOST_AUTO_TEST_SUITE_END()
