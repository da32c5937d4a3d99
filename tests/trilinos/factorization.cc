// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/log_determinant.h>
#include <halfdof/linear_algebra/trilinos/engine.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <boost/test/unit_test.hpp>

#include "trilinos/random_systems.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(trilinos_factorization)

// Condition numbers below 1e3 times rounding.
constexpr double solved = 1e-12;

namespace {

/// Diagonally dominant enough to be well conditioned.
MultiVector regular(int n) {
  return random_sparse(n, n, 0.15) + MultiVector(3. * Vector::Ones(n).asDiagonal());
}

MultiVector positive_definite(int n) {
  const MultiVector B = random_sparse(n, n, 0.1);
  return B * B.transpose() + MultiVector(MultiVector::Identity(n, n));
}

/// [A B^T; B 0] with A positive definite, rows mixed.
MultiVector saddle_point(int n) {
  const int m = n / 3;
  MultiVector A = MultiVector::Zero(n, n);
  A.topLeftCorner(n - m, n - m) = positive_definite(n - m);
  A.bottomLeftCorner(m, n - m).leftCols(m).setIdentity();
  A.bottomLeftCorner(m, n - m) += random_sparse(m, n - m, 0.1);
  A.topRightCorner(n - m, m) = A.bottomLeftCorner(m, n - m).transpose();
  Eigen::PermutationMatrix<Eigen::Dynamic> mix(n);
  for (int i = 0; i < n; ++i)
    mix.indices()[i] = (7 * i) % n;
  return mix * A * mix.transpose();
}

TrilinosMatrix distributed(const MultiVector& dense, const Partition& rows) {
  return TrilinosMatrix::distribute(dense.sparseView(), rows, rows);
}

/// Solves for several right-hand sides, both ways, and compares with a dense solution.
template <class Scalar>
void check_solutions(const Factorization<Scalar>& factorization, const DenseMatrix<Scalar>& dense,
                     const Partition& rows) {
  const DenseMatrix<Scalar> b = random_dense(static_cast<int>(dense.rows()), 3).template cast<Scalar>();
  const Eigen::PartialPivLU<DenseMatrix<Scalar>> lu(dense), transposed_lu(dense.transpose());
  BOOST_TEST(error_of<Scalar>(factorization.solve(local(b, rows)), lu.solve(b), rows) < solved);
  BOOST_TEST(error_of<Scalar>(factorization.solve_transposed(local(b, rows)), transposed_lu.solve(b), rows) <
             solved);
  const DenseMatrix<Scalar> one = b.rightCols(1);
  BOOST_TEST(error_of<Scalar>(factorization.solve(local(one, rows)), lu.solve(one), rows) < solved);
  BOOST_TEST(factorization.solve(local(b, rows).leftCols(0)).cols() == 0);
  const Solver solver = factorization.report().solver;
  if (solver == Solver::klu || solver == Solver::krylov) {
    BOOST_CHECK_THROW(factorization.log_determinant(), NotAvailable);
    return;
  }
  LogDeterminant<Scalar> expected = log_product(lu.matrixLU().diagonal());
  expected.phase *= static_cast<double>(lu.permutationP().determinant());
  const LogDeterminant<Scalar> found = factorization.log_determinant();
  BOOST_TEST(std::abs(found.log_modulus - expected.log_modulus) <
             1e-10 * (1 + std::abs(expected.log_modulus)));
  BOOST_TEST(std::abs(found.phase - expected.phase) < 1e-10);
}

void check_real(const MultiVector& dense, const std::string& reason,
                const FactorizationOptions& options = {}) {
  for (const Layout layout : all_layouts) {
    const Partition rows = partition(static_cast<int>(dense.rows()), layout);
    const auto factorization = TrilinosEngine::factorize(distributed(dense, rows), options);
    BOOST_TEST(factorization->report().reason == reason);
    check_solutions<double>(*factorization, dense, rows);
    if (const auto inertia = factorization->inertia()) {
      const MatrixInertia expected =
          inertia_of(Eigen::SelfAdjointEigenSolver<MultiVector>(dense).eigenvalues());
      BOOST_TEST(inertia->n_positive == expected.n_positive);
      BOOST_TEST(inertia->n_negative == expected.n_negative);
    }
    const bool tells_inertia =
        reason.find("symmetric") == 0 && reason.find("unsymmetric") == std::string::npos;
    BOOST_TEST((!tells_inertia || factorization->inertia().has_value()));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(unsymmetric_matrices_are_solved_both_ways) {
  check_real(regular(60), "unsymmetric");
}

BOOST_AUTO_TEST_CASE(unsymmetric_matrices_with_empty_diagonal_are_solved) {
  MultiVector A = regular(40);
  A = A.rowwise().reverse().eval();
  check_real(A, "unsymmetric");
}

BOOST_AUTO_TEST_CASE(definite_matrices_of_either_sign_get_a_cholesky_factorization) {
  const MultiVector A = positive_definite(50);
  check_real(A, "symmetric positive definite");
  check_real(-A, "symmetric negative definite");
}

BOOST_AUTO_TEST_CASE(indefinite_matrices_are_recognized_with_and_without_a_sign_on_the_diagonal) {
  check_real(saddle_point(45), "symmetric indefinite");
  MultiVector A = positive_definite(30);
  A(3, 17) = A(17, 3) = 40;
  check_real(A, "symmetric indefinite");
}

BOOST_AUTO_TEST_CASE(diagonal_matrices_are_divided_by) {
  const Vector d = random_dense(20, 1);
  check_real(MultiVector(d.asDiagonal()), "diagonal");
}

BOOST_AUTO_TEST_CASE(small_blocks_are_solved_by_themselves_where_each_is_on_one_process) {
  const int n = 36;
  for (const Layout layout : all_layouts) {
    const Partition rows = partition(n, layout);
    // Of three rows that up to four processes leave together.
    const auto block = [&](int i) { return layout == Layout::scattered ? i % 12 : i / 3; };
    MultiVector A = random_dense(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        A(i, j) = block(i) == block(j) ? A(i, j) + (i == j ? 3 : 0) : 0;
    const MultiVector definite = A * A.transpose(), negative = -definite;
    for (const MultiVector& matrix : {A, definite, negative}) {
      const auto factorization = TrilinosEngine::factorize(distributed(matrix, rows));
      BOOST_TEST((factorization->report().solver == Solver::blocks));
      BOOST_TEST(factorization->report().reason == "blocks of at most 3 rows");
      BOOST_TEST(factorization->report().n_factor_entries == 9 * 12);
      BOOST_TEST(factorization->report().is_positive_definite == (matrix == definite));
      check_solutions<double>(*factorization, matrix, rows);
    }
    const Complex i(0, 1);
    const TrilinosPencil pencil(distributed(A, rows), distributed(definite, rows),
                                distributed(A.transpose(), rows));
    const auto complex = pencil.factorize(i, 1., 2.);
    BOOST_TEST((complex->report().solver == Solver::blocks));
    check_solutions<Complex>(*complex, i * A + definite + 2. * A.transpose(), rows);
    // Of seventeen rows, and between processes.
    A(0, 0) = 40;
    A.row(0).segment(1, 16).setConstant(0.5);
    BOOST_TEST((TrilinosEngine::factorize(distributed(A, rows))->report().solver == Solver::mumps));
  }
  const Partition rows = partition(n, Layout::scattered);
  const MultiVector pairs = MultiVector(3 * Vector::Ones(n).asDiagonal()) +
                            MultiVector(Vector::Ones(n).asDiagonal()).rowwise().reverse();
  const auto factorization = TrilinosEngine::factorize(distributed(pairs, rows));
  const bool is_alone = rows.communicator().size() == 1;
  BOOST_TEST((factorization->report().solver == (is_alone ? Solver::blocks : Solver::mumps)));
  check_solutions<double>(*factorization, pairs, rows);
}

BOOST_AUTO_TEST_CASE(singular_blocks_are_named_by_a_row) {
  const Partition rows = partition(24, Layout::one_process);
  MultiVector A = 3 * MultiVector::Identity(24, 24);
  A(10, 11) = A(11, 10) = A(4, 3) = 1;
  A(10, 10) = A(11, 11) = 1;
  BOOST_CHECK_EXCEPTION(TrilinosEngine::factorize(distributed(A, rows)), SingularMatrix,
                        [](const SingularMatrix& error) {
                          return std::string(error.what()).find("row 10") != std::string::npos;
                        });
  // To rounding: 0.1 * 0.9 - 0.3 * 0.3 is not exactly zero.
  A.block(10, 10, 2, 2) << 0.1, 0.3, 0.3, 0.9;
  BOOST_CHECK_THROW(TrilinosEngine::factorize(distributed(A, rows)), SingularMatrix);
  FactorizationOptions options;
  options.solver = Solver::blocks;
  BOOST_CHECK_THROW(TrilinosEngine::factorize(distributed(regular(24), rows), options), NotAvailable);
}

BOOST_AUTO_TEST_CASE(an_empty_matrix_has_an_empty_solution) {
  const Partition none = partition(0, Layout::consecutive);
  const auto factorization = TrilinosEngine::factorize(TrilinosEngine::diagonal(Vector(), none));
  BOOST_TEST(factorization->solve(MultiVector(0, 2)).cols() == 2);
}

BOOST_AUTO_TEST_CASE(rows_and_columns_may_be_distributed_differently) {
  const MultiVector dense = regular(40);
  const Partition rows = partition(40, Layout::scattered), columns = partition(40, Layout::consecutive);
  const MultiVector b = random_dense(40, 2);
  for (const Solver solver : {Solver::automatic, Solver::klu}) {
    FactorizationOptions options;
    options.solver = solver;
    const auto factorization =
        TrilinosEngine::factorize(TrilinosMatrix::distribute(dense.sparseView(), rows, columns), options);
    BOOST_TEST(error_of(factorization->solve(local(b, rows)), MultiVector(dense.lu().solve(b)), columns) <
               solved);
    BOOST_TEST(error_of(factorization->solve_transposed(local(b, columns)),
                        MultiVector(dense.transpose().lu().solve(b)), rows) < solved);
  }
}

BOOST_AUTO_TEST_CASE(named_solvers_are_taken) {
  FactorizationOptions options;
  for (const Solver solver : {Solver::mumps, Solver::klu}) {
    options.solver = solver;
    const Partition rows = partition(30, Layout::scattered);
    BOOST_TEST(
        (TrilinosEngine::factorize(distributed(regular(30), rows), options)->report().solver == solver));
    check_real(regular(30), "named in the options", options);
    check_real(saddle_point(30), "named in the options", options);
  }
  options.solver = Solver::diagonal;
  check_real(MultiVector(MultiVector::Identity(5, 5) * 2), "named in the options", options);
}

BOOST_AUTO_TEST_CASE(krylov_iterations_solve_what_direct_solvers_do) {
  FactorizationOptions options;
  options.solver = Solver::krylov;
  for (const MultiVector& A :
       {regular(60), positive_definite(60), MultiVector(-positive_definite(60)), saddle_point(60)})
    check_real(A, "named in the options", options);
  // A positive diagonal, but an eigenvalue of -1.
  MultiVector indefinite = MultiVector::Identity(60, 60);
  indefinite(0, 1) = indefinite(1, 0) = 2;
  check_real(indefinite, "named in the options", options);
}

BOOST_AUTO_TEST_CASE(krylov_iterations_that_do_not_converge_say_so) {
  FactorizationOptions options;
  options.solver = Solver::krylov;
  MultiVector floating = MultiVector::Zero(24, 24);
  for (int i = 0; i + 1 < 24; ++i)
    floating.block(i, i, 2, 2) += (MultiVector(2, 2) << 1, -1, -1, 1).finished();
  BOOST_CHECK_THROW(
      TrilinosEngine::factorize(distributed(floating, partition(24, Layout::scattered)), options), Error);
  const Partition rows = partition(24, Layout::scattered), columns = partition(24, Layout::consecutive);
  BOOST_CHECK_THROW(
      TrilinosEngine::factorize(TrilinosMatrix::distribute(regular(24).sparseView(), rows, columns), options),
      NotAvailable);
}

BOOST_AUTO_TEST_CASE(solvers_that_cannot_treat_the_matrix_are_refused) {
  const Partition rows = partition(12, Layout::scattered);
  FactorizationOptions options;
  for (const Solver solver : {Solver::cholmod, Solver::ldlt, Solver::umfpack, Solver::diagonal}) {
    options.solver = solver;
    BOOST_CHECK_THROW(TrilinosEngine::factorize(distributed(regular(12), rows), options), NotAvailable);
  }
}

BOOST_AUTO_TEST_CASE(singular_matrices_throw_whatever_their_structure) {
  const Partition rows = partition(24, Layout::scattered);
  MultiVector unsymmetric = regular(24), symmetric = positive_definite(24), indefinite = saddle_point(24);
  unsymmetric.col(5).setZero();
  symmetric.row(7).setZero(), symmetric.col(7).setZero();
  indefinite.row(3).setZero(), indefinite.col(3).setZero();
  // Springs between neighbours, held nowhere: small integers, so that the last pivot is exactly zero.
  MultiVector floating = MultiVector::Zero(24, 24);
  for (int i = 0; i + 1 < 24; ++i)
    floating.block(i, i, 2, 2) += (MultiVector(2, 2) << 1, -1, -1, 1).finished();
  Vector d = Vector::Ones(24);
  d[11] = 0;
  for (const MultiVector& A : {unsymmetric, symmetric, indefinite, floating, MultiVector(d.asDiagonal())})
    BOOST_CHECK_THROW(TrilinosEngine::factorize(distributed(A, rows)), SingularMatrix);
  FactorizationOptions klu;
  klu.solver = Solver::klu;
  for (const MultiVector& A : {unsymmetric, symmetric})
    BOOST_CHECK_THROW(TrilinosEngine::factorize(distributed(A, rows), klu), SingularMatrix);
}

BOOST_AUTO_TEST_CASE(a_singular_matrix_is_found_where_rounding_leaves_no_zero_pivot) {
  // Random springs between random nodes: translation is free, but no pivot cancels exactly.
  const int n = 120;
  MultiVector K = MultiVector::Zero(n, n);
  const MultiVector stiffness = random_dense(4 * n, 1).cwiseAbs();
  for (int s = 0; s < 4 * n; ++s) {
    const int i = s % n, j = (i + 1 + (7 * s) % 11) % n;
    K(i, i) += stiffness(s), K(j, j) += stiffness(s), K(i, j) -= stiffness(s), K(j, i) -= stiffness(s);
  }
  const MultiVector scaling =
      Vector::NullaryExpr(n, [](Eigen::Index i) { return std::pow(10., i % 7 - 3); }).asDiagonal();
  MultiVector unsymmetric = K;
  unsymmetric.row(3) *= 2;
  const Partition rows = partition(n, Layout::scattered);
  for (const MultiVector& A : {K, MultiVector(-K), MultiVector(scaling * K * scaling), unsymmetric})
    BOOST_CHECK_THROW(TrilinosEngine::factorize(distributed(A, rows)), SingularMatrix);
  K(17, 17) += 1e-6;
  const MultiVector b = random_dense(n, 1);
  // The condition number is about 1e9.
  BOOST_TEST(error_of(TrilinosEngine::factorize(distributed(K, rows))->solve(local(b, rows)),
                      MultiVector(K.lu().solve(b)), rows) < 1e-6);
}

BOOST_AUTO_TEST_CASE(badly_scaled_matrices_are_solved) {
  const int n = 60;
  const MultiVector scaling =
      Vector::NullaryExpr(n, [](Eigen::Index i) { return std::pow(10., i % 13 - 6); }).asDiagonal();
  for (const MultiVector& A : {regular(n), positive_definite(n), saddle_point(n)}) {
    const Partition rows = partition(n, Layout::scattered);
    const MultiVector x = random_dense(n, 2);
    const auto factorization = TrilinosEngine::factorize(distributed(scaling * A * scaling, rows));
    // (S A S)^{-1} S A x = S^{-1} x: each unknown to the same number of digits.
    const MultiVector found = factorization->solve(local(MultiVector(scaling * A * x), rows));
    const MultiVector scales = local(MultiVector(scaling * MultiVector::Ones(n, 2)), rows);
    BOOST_TEST(error_of(MultiVector(found.cwiseProduct(scales)), x, rows) < 10 * solved);
  }
}

BOOST_AUTO_TEST_CASE(digits_lost_to_sparse_pivots_are_given_back) {
  // Small diagonals tempt threshold pivoting; unrefined, the errors are up to 1e-8.
  for (int draw = 0; draw < 5; ++draw) {
    const int n = 80;
    MultiVector A = random_sparse(n, n, 0.05);
    A.diagonal().setConstant(0.02);
    const MultiVector b = random_dense(n, 2);
    for (const Layout layout : all_layouts) {
      const Partition rows = partition(n, layout);
      const auto factorization = TrilinosEngine::factorize(distributed(A, rows));
      const MultiVector x = whole(factorization->solve(local(b, rows)), rows);
      BOOST_TEST((b - A * x).norm() < 1e-14 * (A.norm() * x.norm() + b.norm()));
      const MultiVector z = whole(factorization->solve_transposed(local(b, rows)), rows);
      BOOST_TEST((b - A.transpose() * z).norm() < 1e-14 * (A.norm() * z.norm() + b.norm()));
    }
  }
}

BOOST_AUTO_TEST_CASE(no_process_holds_much_more_than_its_share) {
  // Large enough for the tree of eliminations to be split.
  const int m = 16;
  const Partition rows = partition(m * m * m, Layout::consecutive);
  const TrilinosMatrix A(difference_star(rows, m), rows, rows);
  const Communicator& world = rows.communicator();
  const double size = world.size();
  const auto n_largest = world.max(static_cast<double>(A.n_local_entries()));
  BOOST_TEST(n_largest <= 1.1 / size * static_cast<double>(world.count(A.n_local_entries())));

  const FactorizationReport report = TrilinosEngine::factorize(A)->report();
  BOOST_TEST(report.n_factor_entries > 10 * world.count(A.n_local_entries()));
  BOOST_TEST(report.largest_share >= 1 / size);
  BOOST_TEST(report.largest_share <= (size == 1 ? 1. : 1.5 / size));
}

BOOST_AUTO_TEST_CASE(a_report_tells_what_was_chosen_and_what_it_cost) {
  const Partition rows = partition(40, Layout::scattered);
  const MultiVector A = positive_definite(40);
  const FactorizationReport report = TrilinosEngine::factorize(distributed(A, rows))->report();
  BOOST_TEST((report.solver == Solver::mumps));
  BOOST_TEST(!report.ordering.empty());
  BOOST_TEST(report.n_rows == 40);
  BOOST_TEST(report.n_entries == (A.array() != 0).count());
  BOOST_TEST(report.n_factor_entries >= (report.n_entries + 40) / 2);
  BOOST_TEST(report.bytes >= 8. * static_cast<double>(report.n_factor_entries));
}

BOOST_AUTO_TEST_CASE(a_matrix_with_a_nan_or_of_wrong_shape_is_refused) {
  const Partition rows = partition(9, Layout::consecutive), columns = partition(8, Layout::consecutive);
  MultiVector A = regular(9);
  A(4, 2) = std::nan("");
  BOOST_CHECK_EXCEPTION(TrilinosEngine::factorize(distributed(A, rows)), InvalidInput,
                        [](const InvalidInput& error) {
                          return std::string(error.what()).find("row 4, column 2") != std::string::npos;
                        });
  BOOST_CHECK_THROW(TrilinosEngine::factorize(with_stored_zeros(MultiVector::Ones(9, 8), rows, columns)),
                    InvalidInput);
}

BOOST_AUTO_TEST_CASE(the_fill_of_the_alternative_is_predicted) {
  const Partition rows = partition(12 * 12 * 12, Layout::consecutive);
  const TrilinosMatrix A = TrilinosEngine::from_rows(difference_star(rows, 12), rows, rows);
  FactorizationOptions as_unsymmetric, by_klu;
  as_unsymmetric.symmetry_tolerance = -1;
  by_klu.solver = Solver::klu;
  const FactorizationReport symmetric = TrilinosEngine::factorize(A)->report(),
                            unsymmetric = TrilinosEngine::factorize(A, as_unsymmetric)->report(),
                            klu = TrilinosEngine::factorize(A, by_klu)->report();
  BOOST_TEST((symmetric.alternative == Solver::mumps));
  // Two analyses order alike, if not the same, and L U is twice L.
  BOOST_TEST(symmetric.alternative_factor_entries == static_cast<double>(unsymmetric.n_factor_entries),
             boost::test_tools::tolerance(0.15));
  BOOST_TEST((unsymmetric.alternative == Solver::klu));
  BOOST_TEST((klu.alternative == Solver::mumps));
  BOOST_TEST(klu.alternative_factor_entries == static_cast<double>(unsymmetric.n_factor_entries),
             boost::test_tools::tolerance(0.15));
}

BOOST_AUTO_TEST_CASE(definiteness_is_decided_by_cholesky) {
  for (const Layout layout : all_layouts) {
    const Partition rows = partition(20, layout);
    const auto is_definite = [&](const MultiVector& A) {
      return TrilinosEngine::factorize_definite(distributed(A, rows)) != nullptr;
    };
    BOOST_TEST(is_definite(positive_definite(20)));
    BOOST_TEST(!is_definite(-positive_definite(20)));
    BOOST_TEST(!is_definite(saddle_point(20)));
    BOOST_TEST(!is_definite(regular(20)));
    BOOST_TEST(!is_definite(MultiVector::Zero(20, 20)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
