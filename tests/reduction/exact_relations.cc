// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/reduced_system.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <algorithm>
#include <array>
#include <cmath>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

ReducedSystem<EigenEngine> reduced(const test::DenseSystem& system, const ReductionOptions& options = {}) {
  return reduce(test::assemble<EigenEngine>(system), options);
}

MultiVector identity(Index n) {
  return MultiVector::Identity(n, n);
}

MultiVector state_matrix(const ReducedSystem<EigenEngine>& system) {
  return system.apply_homogeneous(identity(system.n_local_states()));
}

/// Relative to the larger of the two, in the Frobenius norm.
double difference(const MultiVector& a, const MultiVector& b) {
  return (a - b).norm() / std::max({a.norm(), b.norm(), 1e-300});
}

/// J^T of selected rows.
MultiVector selector(const std::vector<Index>& rows, Index n) {
  return identity(n)(rows, Eigen::all);
}

/// alpha, beta, gamma, delta and kappa, nested as Simionatto et al. print them in sections 2.1 to 2.3 (kappa,
/// the algebraic displacements themselves, follows from their Eqs. (28) to (31)).
struct PrintedMatrices {
  MultiVector alpha, beta, gamma, delta, kappa;
};

/// A^-1 B.
MultiVector solved(const MultiVector& A, const MultiVector& B) {
  return A.partialPivLu().solve(B);
}

PrintedMatrices printed_matrices(const test::DenseSystem& system) {
  const test::DenseElimination e = test::dense_elimination(system);
  const Index n = system.size();
  // The columns of each kind, and its rows.
  const MultiVector M_i = system.M(Eigen::all, e.I), C_c = system.C(Eigen::all, e.C),
                    K_k = system.K(Eigen::all, e.K);
  const MultiVector R_i = selector(e.I, n), R_c = selector(e.C, n), R_k = selector(e.K, n), I = identity(n);
  PrintedMatrices p;
  const MultiVector beta_k = solved(R_k * K_k, R_k);
  const MultiVector without_k = I - K_k * beta_k;
  const MultiVector rows_c = R_c * without_k;
  p.delta = solved(rows_c * C_c, rows_c);
  const MultiVector without_c = I - C_c * p.delta;
  p.beta = beta_k * without_c;
  const MultiVector rest = without_c - K_k * p.beta;
  const MultiVector rows_i = R_i * rest;
  p.gamma = solved(rows_i * M_i, rows_i);
  const MultiVector without_i = I - M_i * p.gamma;
  p.alpha = p.delta * without_i;
  p.kappa = p.beta * without_i;
  return p;
}

/// The printed matrices invert blocks one after the other, which costs them digits that D keeps.
constexpr double nested_tolerance = 1e-9;

void check_row_blocks(const test::DenseSystem& system, const ReductionOptions& options = {}) {
  const ReducedSystem<EigenEngine> r = reduced(system, options);
  const MultiVector inverse = r.elimination().solve(identity(system.size()));
  const PrintedMatrices p = printed_matrices(system);
  BOOST_TEST(difference(r.classification().inertial().selected_rows(inverse), p.gamma) < nested_tolerance);
  BOOST_TEST(difference(r.classification().viscous().selected_rows(inverse), p.alpha) < nested_tolerance);
  BOOST_TEST(difference(r.classification().algebraic().selected_rows(inverse), p.kappa) < nested_tolerance);
  const MultiVector transposed = r.elimination().solve_transposed(identity(system.size()));
  BOOST_TEST(difference(transposed.transpose(), inverse) < 1e-12);
}

/// det P(s) = +-det D charpoly_A(s), as logarithms of magnitudes.
void check_determinants(const test::DenseSystem& system) {
  const ReducedSystem<EigenEngine> r = reduced(system);
  const MultiVector A = state_matrix(r);
  const double det_D = test::dense_elimination(system).D.determinant();
  for (const Complex s : {Complex(0.7, 0), Complex(0.3, 1.9), Complex(-2.1, 0.4)}) {
    const ComplexMultiVector M = system.M.cast<Complex>(), C = system.C.cast<Complex>(),
                             K = system.K.cast<Complex>();
    const Complex det_P = ComplexMultiVector(s * s * M + s * C + K).determinant();
    const Complex characteristic =
        ComplexMultiVector(s * MultiVector::Identity(A.rows(), A.rows()).cast<Complex>() - A.cast<Complex>())
            .determinant();
    const Complex ratio = det_P / (det_D * characteristic);
    BOOST_TEST(std::abs(ratio * ratio - 1.) < 1e-8,
               "det P / (det D charpoly_A) = " << ratio << " at s = " << s);
  }
}

/// Nothing of D is left in rows of a kind and columns of one that stands behind it. @param order Places of I,
/// C and K
test::DenseSystem triangular(test::DenseSystem system, const std::array<int, 3>& order) {
  const test::DenseElimination e = test::dense_elimination(system);
  const std::array<const std::vector<Index>*, 3> dofs{&e.I, &e.C, &e.K};
  const std::array<MultiVector*, 3> source{&system.M, &system.C, &system.K};
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b)
      if (order[b] > order[a]) (*source[b])(*dofs[a], *dofs[b]).setZero();
  return system;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exact_relations)

BOOST_AUTO_TEST_CASE(the_engine_mount_gives_the_state_matrix_in_fractions) {
  const ReducedSystem<EigenEngine> mount = reduced(test::engine_mount());
  MultiVector A(4, 4), B(4, 3);
  A << 0, 0, 0, 1, 0, -10, 0, 1, 5. / 3, 0, -10. / 3, 0, -275, -50, 25, 0;
  B << 0, 0, 0, 0, 1. / 100, 0, 0, 0, 1. / 300, 1. / 20, 1. / 20, 0;
  BOOST_TEST(difference(state_matrix(mount), A) < 1e-15);
  BOOST_TEST(difference(mount.input(identity(3)), B) < 1e-15);
  BOOST_TEST(mount.elimination().is_block_triangular());
}

BOOST_AUTO_TEST_CASE(the_unsymmetric_system_of_three_kinds_gives_its_fractions) {
  const ReducedSystem<EigenEngine> r = reduced(test::three_kinds());
  MultiVector A(3, 3), inverse(3, 3);
  A << 0, 0, 1, 7. / 5, -7. / 5, 1, -113. / 30, 8. / 5, -2. / 3;
  inverse << 19. / 30, -13. / 30, -1. / 6, -1. / 5, 2. / 5, 0, 1. / 6, -1. / 6, 1. / 6;
  BOOST_TEST(difference(state_matrix(r), A) < 1e-13);
  BOOST_TEST(difference(r.elimination().solve(identity(3)), inverse) < 1e-13);
  BOOST_TEST(!r.elimination().is_block_triangular());
}

BOOST_AUTO_TEST_CASE(lifted_algebraic_displacements_are_the_printed_combination_of_the_states) {
  const ReducedSystem<EigenEngine> r = reduced(test::three_kinds());
  State state;
  state.y = Vector(3);
  state.y << 0.3, -1.1, 2.7;
  const AssembledMotion lifted = r.lift(state);
  BOOST_TEST(lifted.displacement[2] == -11. / 6 * 0.3 + 1 * -1.1 - 4. / 3 * 2.7,
             boost::test_tools::tolerance(1e-13));
  BOOST_TEST(lifted.displacement[0] == 0.3);
  BOOST_TEST(lifted.displacement[1] == -1.1);
  BOOST_TEST(lifted.rate[0] == 2.7);
}

BOOST_AUTO_TEST_CASE(what_is_inserted_is_the_second_order_equation_whose_mass_matrix_has_no_inverse) {
  // Eqs. (8), (16) and (27) of Simionatto et al., without load, for the state and its rate. They are N
  // equations with M, C and K. A state-space form (2) of the N displacements would need the inverse of M.
  for (const auto& [n_I, n_C, n_K] : {std::array{3, 2, 0}, {3, 0, 2}, {3, 2, 4}}) {
    const test::DenseSystem system = test::random_unsymmetric(n_I, n_C, n_K, 11);
    const test::DenseElimination e = test::dense_elimination(system);
    const ReducedSystem<EigenEngine> r = reduced(system);
    State state;
    state.y = test::RandomNumbers(12).matrix(2 * n_I + n_C, 1);
    const Vector rate = state_matrix(r) * state.y, x = r.lift(state).displacement;
    const Vector M_a = system.M(Eigen::all, e.I) * rate.tail(n_I);
    const Vector C_v =
        system.C(Eigen::all, e.I) * rate.head(n_I) + system.C(Eigen::all, e.C) * rate.segment(n_I, n_C);
    BOOST_TEST(difference(M_a + C_v, -system.K * x) < 1e-12);
    BOOST_TEST(M_a.norm() > 0.1 * (M_a + C_v).norm());
    BOOST_TEST(system.M.fullPivLu().rank() == n_I);
    BOOST_TEST(n_I < system.size());
  }
}

BOOST_AUTO_TEST_CASE(row_blocks_of_the_inverse_are_the_printed_alpha_gamma_and_kappa) {
  for (unsigned seed = 1; seed <= 20; ++seed)
    for (const auto& [n_I, n_C, n_K] : {std::array{3, 2, 4}, {4, 3, 0}, {4, 0, 3}, {1, 1, 1}, {6, 5, 7}})
      check_row_blocks(test::random_unsymmetric(n_I, n_C, n_K, seed));
}

BOOST_AUTO_TEST_CASE(row_blocks_agree_on_both_paths_for_symmetric_systems) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const test::DenseSystem system = test::random_symmetric(5, 3, 4, seed);
    check_row_blocks(system);
    ReductionOptions whole;
    whole.elimination.path = EliminationPath::whole;
    check_row_blocks(system, whole);
    BOOST_TEST(reduced(system).elimination().is_block_triangular());
    BOOST_TEST(!reduced(system, whole).elimination().is_block_triangular());
  }
}

BOOST_AUTO_TEST_CASE(kinds_are_eliminated_one_after_the_other_in_any_order_that_leaves_d_triangular) {
  std::array<int, 3> order{0, 1, 2};
  do
    for (unsigned seed = 1; seed <= 5; ++seed)
      for (const auto& [n_I, n_C, n_K] : {std::array{4, 3, 2}, {3, 3, 0}, {3, 0, 3}}) {
        const test::DenseSystem system = triangular(test::random_unsymmetric(n_I, n_C, n_K, seed), order);
        check_row_blocks(system);
        const ReducedSystem<EigenEngine> r = reduced(system);
        BOOST_TEST(r.elimination().is_block_triangular());
        const bool is_ick = order == std::array<int, 3>{2, 1, 0};
        if (n_C > 0 && n_K > 0) BOOST_TEST(r.elimination().is_upper_triangular() == is_ick);
      }
  while (std::next_permutation(order.begin(), order.end()));
}

BOOST_AUTO_TEST_CASE(determinants_of_pencil_elimination_and_state_matrix_agree) {
  for (unsigned seed = 1; seed <= 10; ++seed)
    for (const auto& [n_I, n_C, n_K] :
         {std::array{2, 2, 3}, {3, 2, 0}, {3, 0, 2}, {0, 3, 2}, {3, 0, 0}, {0, 4, 0}}) {
      check_determinants(test::random_unsymmetric(n_I, n_C, n_K, seed));
      check_determinants(test::random_symmetric(n_I, n_C, n_K, seed));
    }
}

BOOST_AUTO_TEST_CASE(a_system_without_nested_form_is_reduced_all_the_same) {
  // M_II and C_CC are both singular; det P(s) = -s^3 - 2 s + 1.
  test::DenseSystem system{MultiVector(2, 2), MultiVector(2, 2), MultiVector(2, 2)};
  system.M << 0, 0, 1, 0;
  system.C << 0, 1, 0, 0;
  system.K << 1, 0, 2, 1;
  check_determinants(system);
  BOOST_TEST(reduced(system).n_states() == 3);
}

BOOST_AUTO_TEST_CASE(a_kernel_turned_into_null_columns_is_reduced) {
  // Two massless nodes joined by a damper, in relative and common displacement; det P = 2 s (9 s^2 + 4 s +
  // 12).
  test::DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector(3, 3)};
  system.M(0, 0) = 1;
  system.C(1, 1) = 3;
  system.K << 2, -2, -2, -2, 2, 2, -2, 2, 6;
  check_determinants(system);
  BOOST_TEST(reduced(system).n_states() == 3);
}

BOOST_AUTO_TEST_CASE(shifted_solves_invert_the_shifted_state_matrix) {
  for (unsigned seed = 1; seed <= 5; ++seed)
    for (const bool symmetric : {false, true}) {
      const test::DenseSystem system =
          symmetric ? test::random_symmetric(4, 3, 2, seed) : test::random_unsymmetric(4, 3, 2, seed);
      const ReducedSystem<EigenEngine> r = reduced(system);
      const MultiVector A = test::dense_state_matrix_of(system);
      const MultiVector b = test::RandomNumbers(seed).matrix(static_cast<Index>(A.rows()), 3);

      const double sigma = 1.7;
      const MultiVector y = r.shifted(sigma).solve(b);
      BOOST_TEST((sigma * y - A * y - b).norm() < 1e-10 * (A.norm() * y.norm() + b.norm()));

      const Complex z(0.4, 2.3);
      const ComplexMultiVector rhs = b.cast<Complex>() * Complex(1, -2);
      const ComplexMultiVector x = r.shifted(z).solve(rhs);
      BOOST_TEST((z * x - A.cast<Complex>() * x - rhs).norm() < 1e-10 * (A.norm() * x.norm() + rhs.norm()));
    }
}

BOOST_AUTO_TEST_CASE(applying_the_state_matrix_agrees_with_the_dense_definition) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const test::DenseSystem system = test::random_unsymmetric(4, 3, 5, seed);
    BOOST_TEST(difference(state_matrix(reduced(system)), test::dense_state_matrix_of(system)) < 1e-11);
  }
}

BOOST_AUTO_TEST_CASE(complex_states_are_applied_by_their_parts) {
  const test::DenseSystem system = test::random_unsymmetric(3, 2, 2, 5);
  const ReducedSystem<EigenEngine> r = reduced(system);
  const ComplexMultiVector Y = test::RandomNumbers(1).matrix(8, 2).cast<Complex>() * Complex(0.6, 0.8);
  const ComplexMultiVector expected = test::dense_state_matrix_of(system).cast<Complex>() * Y;
  BOOST_TEST((r.apply_homogeneous(Y) - expected).norm() < 1e-12 * expected.norm());
}

BOOST_AUTO_TEST_CASE(badly_scaled_rows_and_columns_change_the_solution_only_by_their_factors) {
  const test::DenseSystem system = test::random_symmetric(4, 2, 3, 9);
  Vector factors(9);
  for (Index i = 0; i < 9; ++i)
    factors[i] = std::pow(10., (i * 5) % 13 - 6);
  const auto scaled = [&](const MultiVector& A) {
    return MultiVector(factors.asDiagonal() * A * factors.asDiagonal());
  };
  const ReducedSystem<EigenEngine> r = reduced({scaled(system.M), scaled(system.C), scaled(system.K)});
  const MultiVector inverse =
      factors.asDiagonal() * r.elimination().solve(identity(9)) * factors.asDiagonal();
  BOOST_TEST(difference(inverse, reduced(system).elimination().solve(identity(9))) < 1e-10);
  BOOST_TEST(r.elimination().condition() < 1e4);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(extremes)

BOOST_AUTO_TEST_CASE(without_inertial_dofs_the_state_creeps) {
  const test::DenseSystem system = test::random_symmetric(0, 3, 2, 3);
  const ReducedSystem<EigenEngine> r = reduced(system);
  BOOST_TEST(r.n_states() == 3);
  BOOST_TEST(difference(state_matrix(r), test::dense_state_matrix_of(system)) < 1e-12);
}

BOOST_AUTO_TEST_CASE(without_states_the_lifted_displacement_is_the_static_one) {
  const test::DenseSystem system = test::random_symmetric(0, 0, 4, 3);
  SystemDescription<EigenEngine> description;
  description.stiffness = test::matrix_of<EigenEngine>(system.K);
  description.load = [](double t) { return Vector(Vector::LinSpaced(4, t, 2 * t)); };
  const auto r = reduce(AssembledSystem<EigenEngine>(description));
  BOOST_TEST(r.n_states() == 0);
  const Vector expected = system.K.fullPivLu().solve(Vector(Vector::LinSpaced(4, 3., 6.)));
  BOOST_TEST(difference(r.lift(State{3., Vector(0)}).displacement, expected) < 1e-12);
  BOOST_TEST(r.apply(State{3., Vector(0)}).size() == 0);
  BOOST_TEST(r.shifted(1.).solve(MultiVector(0, 2)).cols() == 2);
}

BOOST_AUTO_TEST_CASE(without_half_dofs_the_state_is_the_usual_one) {
  const test::DenseSystem system = test::random_unsymmetric(3, 0, 0, 3);
  const ReducedSystem<EigenEngine> r = reduced(system);
  MultiVector A = MultiVector::Zero(6, 6);
  A.topRightCorner(3, 3).setIdentity();
  A.bottomLeftCorner(3, 3) = -system.M.inverse() * system.K;
  A.bottomRightCorner(3, 3) = -system.M.inverse() * system.C;
  BOOST_TEST(difference(state_matrix(r), A) < 1e-12);
}

BOOST_AUTO_TEST_CASE(without_damping_the_motion_conserves_energy) {
  test::DenseSystem system = test::random_symmetric(4, 0, 2, 7);
  system.C.setZero();
  const MultiVector A = state_matrix(reduced(system));
  BOOST_TEST(A.bottomRightCorner(4, 4).norm() == 0);
  // The characteristic polynomial of a conservative system is even: the trace of every odd power vanishes.
  BOOST_TEST(std::abs((A * A * A).trace()) < 1e-12 * std::pow(A.norm(), 3));
}

BOOST_AUTO_TEST_CASE(with_every_dof_constrained_nothing_remains) {
  const test::DenseSystem system = test::engine_mount();
  SystemDescription<EigenEngine> description;
  description.stiffness = test::matrix_of<EigenEngine>(system.K);
  description.constrained = {0, 1, 2};
  description.prescribed.value = [](double t) { return Vector(Vector::Constant(3, t)); };
  const auto r = reduce(AssembledSystem<EigenEngine>(description));
  BOOST_TEST(r.n_states() == 0);
  BOOST_TEST(r.lift(State{2., Vector(0)}).displacement == Vector::Constant(3, 2.));
}

BOOST_AUTO_TEST_CASE(rates_of_algebraic_dofs_follow_from_the_rate_of_the_load) {
  const test::DenseSystem system = test::random_unsymmetric(2, 2, 2, 11);
  SystemDescription<EigenEngine> description;
  description.mass = test::matrix_of<EigenEngine>(system.M);
  description.damping = test::matrix_of<EigenEngine>(system.C);
  description.stiffness = test::matrix_of<EigenEngine>(system.K);
  const Vector pattern = Vector::LinSpaced(6, -1., 2.);
  description.load = [pattern](double t) { return Vector(std::sin(t) * pattern); };
  description.load_rate = [pattern](double t) { return Vector(std::cos(t) * pattern); };
  const auto r = reduce(AssembledSystem<EigenEngine>(description));
  const Vector y = Vector::LinSpaced(6, 0.5, -1.);

  // Central difference along the exact solution's second-order expansion; its error is of order step^2.
  const double step = 1e-5;
  const Vector rate = r.apply(State{0.3, y});
  const auto algebraic = [&](double h) {
    const Vector ahead = y + h * rate;
    return Vector(r.classification().algebraic().selected_rows(r.lift(State{0.3 + h, ahead}).displacement));
  };
  const Vector difference_quotient = (algebraic(step) - algebraic(-step)) / (2 * step);
  const Vector rates = r.algebraic_rates(State{0.3, y});
  BOOST_TEST((rates - difference_quotient).norm() < 1e-7 * rates.norm());
}

BOOST_AUTO_TEST_SUITE_END()
