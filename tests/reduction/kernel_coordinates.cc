// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/ranks/rank_decision.h>
#include <halfdof/reduction/state_space.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/frequency_response.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

/// Orthogonal, from random numbers.
MultiVector random_rotation(Index n, unsigned seed) {
  return singular_value_decomposition(RandomNumbers(seed).matrix(n, n)).U;
}

ReducedSystem<EigenEngine> reduced(const DenseSystem& system, const Vector& load,
                                   const ReductionOptions& options = {}) {
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.load = [load](double t) { return Vector(std::cos(t) * load); };
  description.load_rate = [load](double t) { return Vector(-std::sin(t) * load); };
  return reduce(AssembledSystem<EigenEngine>(description), options);
}

ReductionOptions by(ReductionMethod method) {
  ReductionOptions options;
  options.method = method;
  return options;
}

/// That null columns and kernels find the same motion. @param Q as turned()
void check_same_motion(const ReducedSystem<EigenEngine>& by_columns,
                       const ReducedSystem<EigenEngine>& by_kernels, const MultiVector& Q, double tolerance) {
  BOOST_TEST((by_kernels.method() == ReductionMethod::kernel));
  BOOST_TEST(by_kernels.classification().n_inertial() == by_columns.classification().n_inertial());
  BOOST_TEST(by_kernels.classification().n_viscous() == by_columns.classification().n_viscous());
  BOOST_TEST(by_kernels.classification().n_algebraic() == by_columns.classification().n_algebraic());
  RandomNumbers random(5);
  const auto n = static_cast<Index>(Q.rows());
  const Vector q = random.matrix(n, 1), v = random.matrix(n, 1);
  const State columns{0.3, by_columns.restrict(q, v)},
      kernels{0.3, by_kernels.restrict(Q.transpose() * q, Q.transpose() * v)};
  const AssembledMotion expected = by_columns.lift(columns), found = by_kernels.lift(kernels);
  const auto agree = [&](const Vector& a, const Vector& b) {
    BOOST_TEST((a - Q * b).norm() <= tolerance * (1 + a.norm()));
  };
  agree(expected.displacement, found.displacement);
  agree(expected.rate, found.rate);
  agree(expected.acceleration, found.acceleration);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kernel_coordinates)

// P(s) = 2 s (9 s^2 + 4 s + 12), by exact determinants.
BOOST_AUTO_TEST_CASE(two_massless_nodes_joined_by_a_damper_have_one_rate) {
  DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  system.M(0, 0) = 1;
  system.C << 0, 0, 0, 0, 3, -3, 0, -3, 3;
  system.K << 2, -2, 0, -2, 2, 0, 0, 0, 4;
  const auto found = reduced(system, Vector::Unit(3, 1));
  BOOST_TEST((found.method() == ReductionMethod::kernel));
  BOOST_TEST(found.reason().find("1 more of the intersection of both kernels") != std::string::npos,
             found.reason());
  BOOST_TEST(found.n_states() == 3);
  const SpectrumComparison spectra = compare_all(found);
  BOOST_TEST(spectra.passed);
  for (const Complex s : spectra.after.finite)
    BOOST_TEST(std::abs(s * (9. * s * s + 4. * s + 12.)) < 1e-12);
  BOOST_TEST(spectra.before.n_infinite == 3);
  BOOST_TEST(found.has_rate(0));
  BOOST_TEST(!found.has_rate(1));
  BOOST_TEST(!found.has_rate(2));
}

BOOST_AUTO_TEST_CASE(turned_systems_move_as_null_columns_say) {
  for (unsigned seed = 1; seed <= 6; ++seed)
    for (const auto& [n_I, n_C, n_K] :
         {std::array<Index, 3>{4, 2, 3}, {3, 0, 2}, {2, 3, 0}, {1, 2, 2}, {5, 0, 0}})
      for (const bool is_symmetric : {true, false}) {
        BOOST_TEST_CONTEXT(n_I << ' ' << n_C << ' ' << n_K << ' ' << is_symmetric) {
          const DenseSystem system =
              is_symmetric ? random_symmetric(n_I, n_C, n_K, seed) : random_unsymmetric(n_I, n_C, n_K, seed);
          const Index n = system.size();
          const MultiVector Q = random_rotation(n, seed + 10),
                            L = is_symmetric ? MultiVector(Q.transpose())
                                             : MultiVector(RandomNumbers(seed).matrix(n, n));
          const Vector load = RandomNumbers(seed + 20).matrix(n, 1);
          const auto by_columns = reduced(system, load);
          check_same_motion(by_columns, reduced(turned(system, L, Q), L * load, by(ReductionMethod::kernel)),
                            Q, 1e-9);
        }
      }
}

BOOST_AUTO_TEST_CASE(a_turned_engine_mount_is_told_from_one_that_oscillates_at_1e8) {
  for (const Index n : {3, 30, 500}) {
    // Beside n - 3 springs to ground: of the rotation, three rows tell.
    DenseSystem mount = engine_mount();
    mount.K -= MultiVector::Identity(3, 3);
    const MultiVector Q = random_rotation(n, 3).topRows(3);
    DenseSystem system = turned(mount, Q.transpose(), Q);
    system.K += MultiVector::Identity(n, n);
    const auto found = reduced(system, Vector::Zero(n));
    BOOST_TEST((found.method() == ReductionMethod::kernel));
    BOOST_TEST(found.n_states() == 4);
    const SpectrumComparison spectra = compare_all(found);
    // Simionatto et al., section 3.
    for (const Complex exact :
         {Complex(-0.689722809651981, 17.705915112406586), Complex(-0.689722809651981, -17.705915112406586),
          Complex(-8.779694309560127, 0), Complex(-3.174193404469245, 0)}) {
      double nearest = 1;
      for (const Complex s : spectra.after.finite)
        nearest = std::min(nearest, std::abs(s - exact));
      BOOST_TEST(nearest < 1e-10);
    }
  }
}

BOOST_AUTO_TEST_CASE(rounding_of_a_multiplier_in_turned_coordinates_is_no_stiffness) {
  // Two masses on a rigid link, and its multiplier: 3 q'' + 0.1 q' + 8 q = 0.
  DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  system.M.diagonal() << 1, 2, 0;
  system.C(0, 0) = 0.1;
  system.K << 5, 0, 1, 0, 3, -1, 1, -1, 0;
  const Complex exact = (-0.1 + std::sqrt(Complex(0.01 - 4 * 3 * 8))) / 6.;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const MultiVector Q = random_rotation(3, seed);
    const auto found = reduced(turned(system, Q.transpose(), Q), Vector::Zero(3));
    BOOST_TEST(found.n_states() == 2);
    const SpectrumComparison spectra = compare_all(found);
    BOOST_TEST(spectra.passed);
    BOOST_REQUIRE(spectra.after.finite.size() == 2u);
    BOOST_TEST(std::abs(std::abs(spectra.after.finite[0]) - std::abs(exact)) < 1e-10);
    BOOST_TEST(std::abs(spectra.after.finite[0].real() - exact.real()) < 1e-10);
  }
}

BOOST_AUTO_TEST_CASE(where_null_columns_do_kernels_find_these_columns) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const DenseSystem system = random_unsymmetric(3, 2, 2, seed);
    const Vector load = RandomNumbers(seed).matrix(7, 1);
    const auto by_columns = reduced(system, load, by(ReductionMethod::null_columns)),
               by_kernels = reduced(system, load, by(ReductionMethod::kernel));
    check_same_motion(by_columns, by_kernels, MultiVector::Identity(7, 7), 1e-12);
    for (Index i = 0; i < 7; ++i)
      BOOST_TEST((by_columns.classification().kind(i) == by_kernels.classification().kind(i)));
    BOOST_TEST((reduced(system, load).method() == ReductionMethod::null_columns));
  }
}

BOOST_AUTO_TEST_CASE(large_blocks_are_decided_by_sparse_factorizations) {
  const DenseSystem system = random_symmetric(6, 3, 4, 2);
  const MultiVector Q = random_rotation(13, 4);
  const Vector load = RandomNumbers(3).matrix(13, 1);
  ReductionOptions options = by(ReductionMethod::kernel);
  options.kernel.max_dense = 2;
  check_same_motion(reduced(system, load),
                    reduced(turned(system, Q.transpose(), Q), Q.transpose() * load, options), Q, 1e-9);
}

BOOST_AUTO_TEST_CASE(coordinates_stay_local) {
  // Masses in a row; beside each a pair of massless nodes on one damper.
  const Index n_cells = 400, n = 3 * n_cells;
  DenseSystem system{MultiVector::Zero(n, n), MultiVector::Zero(n, n), MultiVector::Zero(n, n)};
  const auto connect = [](MultiVector& A, Index i, Index j, double value) {
    A(i, i) += value;
    A(j, j) += value;
    A(i, j) -= value;
    A(j, i) -= value;
  };
  for (Index cell = 0; cell < n_cells; ++cell) {
    const Index i = 3 * cell;
    system.M(i, i) = 1;
    connect(system.K, i, i + 1, 2);
    connect(system.C, i + 1, i + 2, 3);
    system.K(i + 2, i + 2) += 4;
    if (cell > 0) connect(system.K, i, i - 3, 1);
  }
  const auto found = reduced(system, Vector::Zero(n));
  BOOST_TEST(found.classification().n_viscous() == n_cells);
  BOOST_TEST(found.classification().n_algebraic() == n_cells);
  BOOST_REQUIRE(found.free().coordinates());
  BOOST_TEST(found.free().coordinates()->n_local_entries() == 5 * n_cells);
}

BOOST_AUTO_TEST_CASE(everything_that_leads_out_of_the_coordinates_leads_to_degrees_of_freedom) {
  DenseSystem system = random_symmetric(3, 2, 2, 8);
  const MultiVector Q = random_rotation(7, 9);
  const DenseSystem other = turned(system, Q.transpose(), Q);
  const Vector load = RandomNumbers(1).matrix(7, 1);
  const auto found = reduced(other, load, by(ReductionMethod::kernel));
  const State state{0.7, RandomNumbers(2).matrix(found.n_local_states(), 1)};
  const AssembledMotion lifted = found.lift(state);

  std::vector<Output> outputs;
  for (GlobalIndex dof = 0; dof < 7; ++dof)
    outputs.push_back({OutputQuantity::displacement, dof});
  const Vector read = OutputMap<EigenEngine>(found, outputs).evaluate(state);
  BOOST_TEST((read - lifted.displacement).norm() <= 1e-9 * lifted.displacement.norm());

  const Vector rate = found.apply(state), f = std::cos(state.time) * load;
  BOOST_TEST((dense_state_matrix(found) * state.y + dense_input_matrix(found) * f - rate).norm() <=
             1e-9 * rate.norm());

  const SpectrumComparison spectra = compare_all(found);
  BOOST_TEST(spectra.passed);
  BOOST_TEST(spectra.max_residual < 1e-10);
}

BOOST_AUTO_TEST_CASE(what_kernels_do_not_mend_is_told_as_null_columns_leave_it) {
  // A node that nothing holds, beside a pair on one damper.
  DenseSystem system{MultiVector::Zero(4, 4), MultiVector::Zero(4, 4), MultiVector::Zero(4, 4)};
  system.M(0, 0) = 1;
  system.C.block(1, 1, 2, 2) << 3, -3, -3, 3;
  system.K(0, 0) = system.K(1, 1) = 2;
  BOOST_CHECK_THROW(reduced(system, Vector::Zero(4)), SingularElimination);
  BOOST_CHECK_THROW(reduced(system, Vector::Zero(4), by(ReductionMethod::none)), InvalidInput);
  system.K(2, 2) = system.K(3, 3) = 1;
  BOOST_TEST(reduced(system, Vector::Zero(4)).n_states() == 3);
}

BOOST_AUTO_TEST_CASE(a_mass_that_is_neither_there_nor_not_is_refused) {
  const Index n = 8;
  DenseSystem system{MultiVector::Zero(n, n), MultiVector::Identity(n, n), MultiVector::Identity(n, n)};
  for (Index i = 0; i < n; ++i)
    system.M(i, i) = std::pow(10., -2. * i);
  const MultiVector Q = random_rotation(n, 1);
  BOOST_CHECK_THROW(reduced(turned(system, Q.transpose(), Q), Vector::Zero(n), by(ReductionMethod::kernel)),
                    AmbiguousRank);
}

BOOST_AUTO_TEST_CASE(what_rounding_leaves_of_masses_is_none) {
  DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Identity(3, 3), MultiVector::Identity(3, 3)};
  system.M << 1, 1, 1e-18, 1, 1, 0, 0, 1e-18, 2;
  system.M(0, 0) += 2e-16;
  BOOST_TEST(reduced(system, Vector::Zero(3), by(ReductionMethod::kernel)).classification().n_inertial() ==
             2);
  BOOST_TEST(reduced(system, Vector::Zero(3)).n_states() == 5);
  // Alone in their columns, beside a mass that their springs reach; without springs between them they are
  // masses.
  system.M = Vector{{2, 1e-18, -1e-18}}.asDiagonal();
  BOOST_TEST(reduced(system, Vector::Zero(3), by(ReductionMethod::kernel)).n_states() == 6);
  system.K(0, 1) = system.K(1, 0) = system.K(1, 2) = system.K(2, 1) = 0.25;
  // With springs, what is small beside its block is dropped, but not a mass that no rounding explains.
  BOOST_CHECK_EXCEPTION(reduced(system, Vector::Zero(3), by(ReductionMethod::kernel)), SingularElimination,
                        [](const SingularElimination& error) {
                          return std::string(error.what()).find("the modulus 1e+18 1/s") != std::string::npos;
                        });
}

BOOST_AUTO_TEST_SUITE_END()
