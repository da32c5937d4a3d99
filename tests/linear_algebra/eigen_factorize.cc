// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/linear_algebra/eigen/refinement.h>
#include <halfdof/linear_algebra/eigen/umfpack_solver.h>

#include <boost/test/unit_test.hpp>

#include "linear_algebra/solves.h"
#include <cmath>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

/// A (D y) = b for a matrix whose columns have the scale of D^{-1}. Row by row some digits of sixteen may be
/// lost, because equilibration does not find the scaling that was put in; without it, all are.
void check_scaled_solve(const MultiVector& A, const Vector& D, const FactorizationOptions& options) {
  const MultiVector y = random_vectors(static_cast<Index>(A.rows()), 2, 3).array() + 2.;
  const MultiVector b = A * (D.asDiagonal() * y);
  const auto factorization = EigenEngine::factorize(sparse(A), options);
  const MultiVector x = factorization->solve(b), z = factorization->forward(b);
  BOOST_TEST(backward_error(A, x, b) < 1e-9);
  BOOST_TEST(backward_error(A, factorization->backward(z), b) < 1e-9);
  const MultiVector h = D.cwiseInverse();
  const double seen = h.col(0).dot(x.col(0)),
               by_halves = factorization->transposed_backward(h).col(0).dot(z.col(0));
  BOOST_TEST(std::abs(by_halves - seen) < 1e-9 * h.col(0).cwiseAbs().dot(x.col(0).cwiseAbs()));
}

EigenMatrix unsymmetric(const EigenMatrix& A) {
  EigenMatrix::Storage entries = A.entries();
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> factor(0.9, 1.1);
  for (Eigen::Index k = 0; k < entries.nonZeros(); ++k)
    entries.valuePtr()[k] *= factor(generator);
  return EigenMatrix(std::move(entries));
}

MultiVector to_dense(const EigenMatrix& A) {
  return EigenEngine::to_dense(A);
}

/// For BOOST_CHECK_EXCEPTION: the message holds these words.
auto says(const std::string& words) {
  return [words](const std::exception& error) {
    return std::string(error.what()).find(words) != std::string::npos;
  };
}

Solver chosen(const MultiVector& A) {
  return EigenEngine::factorize(sparse(A))->report().solver;
}

FactorizationOptions named(Solver solver) {
  FactorizationOptions options;
  options.solver = solver;
  return options;
}

}  // namespace

namespace halfdof {

std::ostream& boost_test_print_type(std::ostream& out, Solver solver) {
  return out << name_of(solver);
}

}  // namespace halfdof

BOOST_AUTO_TEST_SUITE(eigen_factorize)

BOOST_AUTO_TEST_CASE(solves_agree_with_the_matrix_for_every_named_solver) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const MultiVector A = random_sparse(60, 3, seed);
    for (const Solver solver : {Solver::automatic, Solver::umfpack, Solver::klu})
      check_solves(A, *EigenEngine::factorize(sparse(A), named(solver)));
    const MultiVector definite = random_definite(60, seed);
    for (const Solver solver :
         {Solver::automatic, Solver::cholmod, Solver::ldlt, Solver::umfpack, Solver::klu})
      check_solves(definite, *EigenEngine::factorize(sparse(definite), named(solver)));
  }
}

BOOST_AUTO_TEST_CASE(a_definite_matrix_of_either_sign_goes_to_cholesky) {
  const MultiVector A = random_definite(50, 3);
  const auto positive = EigenEngine::factorize(sparse(A));
  const auto negative = EigenEngine::factorize(sparse(-A));
  BOOST_TEST(positive->report().solver == Solver::cholmod);
  BOOST_TEST(negative->report().solver == Solver::cholmod);
  BOOST_TEST(positive->report().reason == "symmetric positive definite");
  BOOST_TEST(negative->report().reason == "symmetric negative definite");
  check_solves(-A, *negative);
}

// CHOLMOD and ldlt combine the columns of this factor to dense blocks.
BOOST_AUTO_TEST_CASE(cholmod_and_ldlt_give_the_same_factorization_of_a_grid) {
  const EigenMatrix A = laplacian(9, 9, 9);
  const auto expected = EigenEngine::factorize(A, named(Solver::cholmod)),
             own = EigenEngine::factorize(A, named(Solver::ldlt));
  BOOST_TEST(expected->report().solver == Solver::cholmod);
  BOOST_TEST(own->report().solver == Solver::ldlt);
  BOOST_TEST(EigenEngine::factorize(A)->report().solver == Solver::ldlt);
  BOOST_TEST(own->report().n_factor_entries == expected->report().n_factor_entries);
  BOOST_TEST(own->log_determinant().log_modulus == expected->log_determinant().log_modulus,
             boost::test_tools::tolerance(1e-13));
  BOOST_TEST(expected->inertia()->n_positive == 729);
  check_solves(to_dense(A), *expected);
  check_solves(to_dense(A), *own);
}

// [H B; B^T -G] with definite H and G: every symmetric permutation has an L D L^T (Vanderbei 1995).
BOOST_AUTO_TEST_CASE(a_quasi_definite_matrix_goes_to_a_certified_ldlt) {
  MultiVector A(40, 40);
  const MultiVector B = 0.3 * random_sparse(20, 2, 5);
  A << random_definite(20, 1), B, B.transpose(), -random_definite(20, 2);
  const auto factorization = EigenEngine::factorize(sparse(A));
  BOOST_TEST(factorization->report().solver == Solver::cholmod);
  BOOST_TEST(factorization->report().reason == "symmetric indefinite, stable without pivoting");
  check_solves(A, *factorization);
}

// L D L^T of [1e-9 1; 1 -1] in this order multiplies rounding by 1e9; the certificate must not depend on
// scaling.
BOOST_AUTO_TEST_CASE(a_symmetric_indefinite_matrix_of_large_growth_goes_to_lu) {
  MultiVector A = MultiVector::Identity(6, 6);
  A.topLeftCorner(2, 2) << 1e-9, 1, 1, -1e-9;
  const Vector scale{{1e3, 1e-3, 1e5, 1., 1e-7, 1e2}};
  const MultiVector scaled = scale.asDiagonal() * A * scale.asDiagonal();
  for (const MultiVector& matrix : {A, scaled}) {
    const auto factorization = EigenEngine::factorize(sparse(matrix));
    BOOST_TEST(factorization->report().solver == Solver::klu);
    BOOST_TEST(factorization->report().reason == "symmetric indefinite, little fill");
    check_solves(matrix, *factorization);
  }
}

// A definite, a quasi-definite and an unsymmetric matrix on a grid: what one entry reaches in a triangular
// solve is the path to the root of the elimination tree.
BOOST_AUTO_TEST_CASE(the_halves_of_direct_solvers_keep_a_localized_vector_sparse) {
  const Index n = 900;
  const EigenMatrix definite = laplacian(30, 30, 1);
  Vector sign = Vector::Ones(n);
  sign.tail(n / 2).setConstant(-1.);
  EigenMatrix::Storage entries = definite.entries();
  entries.diagonal() = 9. * sign;
  const MultiVector h = Vector::Unit(n, 435);
  const auto check = [&](const EigenMatrix& A, Solver solver, const std::string& reason) {
    const auto factorization = EigenEngine::factorize(A, named(solver));
    BOOST_TEST(factorization->report().reason == reason);
    for (const MultiVector& z : {factorization->forward(h), factorization->transposed_backward(h)})
      BOOST_TEST((z.array() != 0.).count() < n / 3);
    BOOST_TEST((factorization->solve(h).array() != 0.).count() == n);
  };
  check(definite, Solver::automatic, "symmetric positive definite");
  check(EigenMatrix(EigenMatrix::Storage(-definite.entries())), Solver::automatic,
        "symmetric negative definite");
  check(EigenMatrix(entries), Solver::automatic, "symmetric indefinite, stable without pivoting");
  check(unsymmetric(definite), Solver::umfpack, "named in the options");
}

BOOST_AUTO_TEST_CASE(structure_chooses_the_solver) {
  MultiVector zero_diagonal(2, 2);
  zero_diagonal << 0, 1, 1, 0;
  BOOST_TEST(chosen(MultiVector::Identity(3, 3)) == Solver::diagonal);
  BOOST_TEST(chosen(random_definite(30, 1)) == Solver::cholmod);
  BOOST_TEST(chosen(zero_diagonal) == Solver::klu);
  BOOST_TEST(chosen(random_sparse(40, 2, 1)) == Solver::klu);
  BOOST_TEST(chosen(random_vectors(100, 100, 1)) == Solver::umfpack);
  BOOST_TEST(chosen(to_dense(unsymmetric(laplacian(500, 1, 1)))) == Solver::klu);
  BOOST_TEST(EigenEngine::factorize(unsymmetric(laplacian(15, 15, 15)))->report().solver == Solver::umfpack);
}

BOOST_AUTO_TEST_CASE(large_fill_is_ordered_by_metis_and_small_fill_by_amd) {
  BOOST_TEST(EigenEngine::factorize(laplacian(30, 30, 1))->report().ordering == "AMD");
  BOOST_TEST(EigenEngine::factorize(laplacian(25, 25, 25))->report().ordering == "METIS");
}

BOOST_AUTO_TEST_CASE(structure_goes_by_values_and_not_by_stored_pattern) {
  MultiVector diagonal = MultiVector::Identity(5, 5);
  BOOST_TEST(EigenEngine::factorize(with_all_stored(diagonal))->report().solver == Solver::diagonal);
  BOOST_TEST(EigenEngine::factorize(with_all_stored(diagonal))->report().n_entries == 5);
  const MultiVector A = random_sparse(30, 2, 1);
  const auto factorization = EigenEngine::factorize(with_all_stored(A));
  BOOST_TEST(factorization->report().solver == Solver::klu);
  check_solves(A, *factorization);
}

BOOST_AUTO_TEST_CASE(symmetry_up_to_rounding_counts_as_symmetry) {
  MultiVector A = random_definite(20, 1);
  for (Index j = 0; j < 20; ++j)
    for (Index i = 0; i < j; ++i)
      A(i, j) *= 1 + 1e-15;
  BOOST_TEST(chosen(A) == Solver::cholmod);
  A(0, 1) += 1e-10;
  A(1, 0) -= 1e-10;
  BOOST_TEST(chosen(A) != Solver::cholmod);
  FactorizationOptions loose;
  loose.symmetry_tolerance = 1e-6;
  BOOST_TEST(EigenEngine::factorize(sparse(A), loose)->report().solver == Solver::cholmod);
}

BOOST_AUTO_TEST_CASE(the_report_counts_what_was_made) {
  const auto tridiagonal = EigenEngine::factorize(laplacian(100, 1, 1));
  BOOST_TEST(tridiagonal->report().n_rows == 100);
  BOOST_TEST(tridiagonal->report().n_entries == 298);
  BOOST_TEST(tridiagonal->report().n_factor_entries == 199);  // no fill
  BOOST_TEST(tridiagonal->report().bytes >= 199 * 8.);
  BOOST_TEST(tridiagonal->report().seconds > 0.);
  BOOST_TEST(tridiagonal->report().alternative == Solver::umfpack);
  BOOST_TEST(tridiagonal->report().alternative_factor_entries == 298.);

  const EigenMatrix A = unsymmetric(laplacian(12, 12, 12));
  const auto by_umfpack = EigenEngine::factorize(A, named(Solver::umfpack));
  const auto by_klu = EigenEngine::factorize(A, named(Solver::klu));
  // Both order by AMD and stay on the diagonal.
  BOOST_TEST(static_cast<double>(by_umfpack->report().n_factor_entries) ==
                 static_cast<double>(by_klu->report().n_factor_entries),
             boost::test_tools::tolerance(0.2));
  const auto automatic = EigenEngine::factorize(A);
  BOOST_TEST(automatic->report().solver == Solver::umfpack);
  BOOST_TEST(automatic->report().alternative == Solver::klu);
  BOOST_TEST(automatic->report().alternative_factor_entries ==
                 static_cast<double>(by_klu->report().n_factor_entries),
             boost::test_tools::tolerance(0.2));
}

BOOST_AUTO_TEST_CASE(scaling_by_150_orders_of_magnitude_changes_nothing) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> exponent(-75., 75.);
  const auto scale = [&](Index n) -> Vector {
    return Vector::NullaryExpr(n, [&](Eigen::Index) { return std::pow(10., exponent(generator)); });
  };
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Vector rows = scale(50), columns = scale(50);
    const MultiVector unsymmetric = rows.asDiagonal() * random_sparse(50, 3, seed) * columns.asDiagonal();
    const MultiVector definite = rows.asDiagonal() * random_definite(50, seed) * rows.asDiagonal();
    BOOST_TEST(chosen(definite) == Solver::cholmod);
    for (const Solver solver : {Solver::automatic, Solver::umfpack, Solver::klu}) {
      check_scaled_solve(unsymmetric, columns.cwiseInverse(), named(solver));
      check_scaled_solve(definite, rows.cwiseInverse(), named(solver));
    }
  }
}

BOOST_AUTO_TEST_CASE(ill_conditioned_is_not_singular) {
  MultiVector A(2, 2);
  A << 1, 1, 1, 1 + 1e-15;
  for (const Solver solver : {Solver::automatic, Solver::umfpack, Solver::klu})
    BOOST_CHECK_NO_THROW(EigenEngine::factorize(sparse(A), named(solver)));
}

BOOST_AUTO_TEST_CASE(singular_matrices_throw_and_zero_lines_are_named) {
  MultiVector zero_row = random_sparse(10, 3, 1);
  zero_row.row(4).setZero();
  MultiVector zero_column = random_sparse(10, 3, 1);
  zero_column.col(7).setZero();
  MultiVector floating(2, 2);
  floating << 1, -1, -1, 1;
  MultiVector structural = MultiVector::Zero(3, 3);
  structural.col(0).setOnes();
  structural.row(0).setOnes();
  MultiVector zero_on_diagonal = MultiVector::Identity(4, 4);
  zero_on_diagonal(2, 2) = 0;
  for (const Solver solver : {Solver::automatic, Solver::umfpack, Solver::klu}) {
    const FactorizationOptions options = named(solver);
    for (const MultiVector& A :
         {floating, structural, zero_on_diagonal, MultiVector(MultiVector::Zero(3, 3))})
      BOOST_CHECK_THROW(EigenEngine::factorize(sparse(A), options), SingularMatrix);
    BOOST_CHECK_EXCEPTION(EigenEngine::factorize(sparse(zero_row), options), SingularMatrix, says("row 4"));
    BOOST_CHECK_EXCEPTION(EigenEngine::factorize(sparse(zero_column), options), SingularMatrix,
                          says("column 7"));
  }
  BOOST_CHECK_EXCEPTION(EigenEngine::factorize(sparse(zero_on_diagonal)), SingularMatrix, says("row 2"));
}

BOOST_AUTO_TEST_CASE(wrong_input_is_refused) {
  for (const double broken :
       {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()})
    for (const MultiVector& A : {random_definite(10, 1), random_sparse(10, 3, 1)}) {
      MultiVector with_one = A;
      with_one(3, 5) = broken;
      BOOST_CHECK_EXCEPTION(EigenEngine::factorize(sparse(with_one)), InvalidInput, says("row 3, column 5"));
    }
  BOOST_CHECK_THROW(EigenEngine::factorize(sparse(MultiVector::Ones(2, 3))), InvalidInput);
}

BOOST_AUTO_TEST_CASE(matrices_of_size_zero_and_one_work) {
  for (const Solver solver :
       {Solver::automatic, Solver::umfpack, Solver::klu, Solver::cholmod, Solver::ldlt}) {
    const auto none = EigenEngine::factorize(EigenMatrix(), named(solver));
    BOOST_TEST(none->solve(MultiVector(0, 3)).cols() == 3);
    BOOST_TEST(none->solve_transposed(MultiVector(0, 1)).rows() == 0);
    const auto one = EigenEngine::factorize(sparse(MultiVector::Constant(1, 1, -4.)), named(solver));
    BOOST_TEST(one->solve(MultiVector::Ones(1, 9))(0, 8) == -0.25);
    BOOST_TEST(one->solve_transposed(MultiVector::Ones(1, 1))(0, 0) == -0.25);
    BOOST_TEST(one->solve(MultiVector(1, 0)).cols() == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_solver_that_cannot_treat_the_matrix_is_refused) {
  MultiVector indefinite(2, 2);
  indefinite << 1, 2, 2, 1;
  BOOST_CHECK_EXCEPTION(EigenEngine::factorize(sparse(indefinite), named(Solver::cholmod)), NotAvailable,
                        says("definite"));
  BOOST_CHECK_EXCEPTION(EigenEngine::factorize(sparse(random_sparse(9, 2, 1)), named(Solver::cholmod)),
                        NotAvailable, says("not symmetric"));
  BOOST_CHECK_EXCEPTION(EigenEngine::factorize(sparse(random_sparse(9, 2, 1)), named(Solver::ldlt)),
                        NotAvailable, says("not symmetric"));
  BOOST_CHECK_EXCEPTION(
      EigenEngine::factorize(sparse(MultiVector(MultiVector::Ones(2, 2) - MultiVector::Identity(2, 2))),
                             named(Solver::ldlt)),
      NotAvailable, says("L D L^T"));
  BOOST_CHECK_EXCEPTION(EigenEngine::factorize(sparse(indefinite), named(Solver::diagonal)), NotAvailable,
                        says("off the diagonal"));
  BOOST_CHECK_EXCEPTION(EigenEngine::factorize(sparse(indefinite), named(Solver::mumps)), NotAvailable,
                        says("Trilinos engine"));
}

BOOST_AUTO_TEST_CASE(solvers_have_names) {
  for (const Solver solver : {Solver::automatic, Solver::diagonal, Solver::cholmod, Solver::ldlt,
                              Solver::umfpack, Solver::klu, Solver::mumps})
    BOOST_TEST(solver_from_name(name_of(solver)) == solver);
  BOOST_CHECK_EXCEPTION(solver_from_name("pardiso"), InvalidInput, says("umfpack"));
}

// A factorization of a matrix that differs by 1e-7 stands for one whose pivots lost nine digits.
BOOST_AUTO_TEST_CASE(lost_digits_are_given_back_by_refinement) {
  const MultiVector A = random_sparse(30, 3, 1);
  auto pattern = std::make_shared<SquarePattern>();
  std::vector<double> values, perturbed;
  pattern->n = 30;
  pattern->starts.push_back(0);
  for (Index j = 0; j < 30; ++j) {
    for (Index i = 0; i < 30; ++i)
      if (A(i, j) != 0.) {
        pattern->rows.push_back(i);
        values.push_back(A(i, j));
        perturbed.push_back(A(i, j) * (1 + 1e-7 * std::sin(i + j)));
      }
    pattern->starts.push_back(pattern->n_entries());
  }
  const UmfpackSolver<double> solver(pattern);
  const auto refined = with_refinement(solver.factorize(perturbed), pattern, values);
  const MultiVector b = random_vectors(30, 5, 2);
  // Each step of refinement multiplies the error by 1e-7 times the condition.
  BOOST_TEST((A * solver.factorize(perturbed)->solve(b) - b).norm() > 1e-8);
  BOOST_TEST((A * refined->solve(b) - b).norm() < 1e-11);
  BOOST_TEST((A.transpose() * refined->solve_transposed(b) - b).norm() < 1e-11);
  BOOST_TEST((A * refined->backward(refined->forward(b)) - b).norm() < 1e-11);
}

BOOST_AUTO_TEST_CASE(every_solver_but_division_has_an_alternative_whose_fill_is_predicted) {
  const EigenMatrix definite = laplacian(9, 9, 1), little = unsymmetric(laplacian(60, 1, 1)),
                    much = unsymmetric(laplacian(12, 12, 12));
  const auto check = [](const EigenMatrix& A, Solver chosen, Solver alternative) {
    const FactorizationReport report = EigenEngine::factorize(A, named(chosen))->report();
    BOOST_TEST(report.alternative == alternative);
    const auto actual = EigenEngine::factorize(A, named(alternative))->report().n_factor_entries;
    // Pivots and the orderings of unsymmetric patterns may cost more than was predicted, or less.
    BOOST_TEST(report.alternative_factor_entries >= 0.5 * static_cast<double>(actual));
    BOOST_TEST(report.alternative_factor_entries <= 2. * static_cast<double>(actual));
  };
  check(definite, Solver::automatic, Solver::umfpack);
  check(definite, Solver::cholmod, Solver::umfpack);
  check(definite, Solver::umfpack, Solver::cholmod);
  check(definite, Solver::klu, Solver::cholmod);
  check(little, Solver::automatic, Solver::umfpack);
  check(little, Solver::umfpack, Solver::klu);
  check(much, Solver::automatic, Solver::klu);
  check(much, Solver::klu, Solver::umfpack);
  const auto division = EigenEngine::factorize(sparse(MultiVector::Identity(3, 3)), named(Solver::umfpack));
  BOOST_TEST(division->report().alternative == Solver::diagonal);
  BOOST_TEST(division->report().alternative_factor_entries == 3);
}

BOOST_AUTO_TEST_CASE(definiteness_is_decided_by_cholesky) {
  const auto is_definite = [](double a, double b, double c, double d) {
    MultiVector A(2, 2);
    A << a, b, c, d;
    return EigenEngine::factorize_definite(sparse(A)) != nullptr;
  };
  BOOST_TEST(is_definite(2, 1, 1, 3));
  BOOST_TEST(is_definite(2, 0, 0, 3));
  BOOST_TEST(!is_definite(-2, 1, 1, -3));  // negative
  BOOST_TEST(!is_definite(2, 3, 3, 2));    // indefinite
  BOOST_TEST(!is_definite(2, 0, 0, -3));
  BOOST_TEST(!is_definite(2, 0, 0, 0));
  BOOST_TEST(!is_definite(2, 1, 0, 3));  // unsymmetric
}

BOOST_AUTO_TEST_SUITE_END()
