#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <Eigen/LU>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "linear_algebra/matrices.h"
#include <limits>
#include <string>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// Largest backward error |b - A x|_i / (|A||x| + |b|)_i: near 1e-16 for a stable solution whatever the
/// condition and the scaling of A.
template <class Scalar>
double backward_error(const DenseMatrix<Scalar>& A, const DenseMatrix<Scalar>& x,
                      const DenseMatrix<Scalar>& b) {
  const MultiVector r = (b - A * x).cwiseAbs();
  const MultiVector scale = A.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs();
  return (r.array() / scale.array().max(std::numeric_limits<double>::min())).maxCoeff();
}

/// Checks both solves against A itself, for one and for many right-hand sides.
void check_solves(const MultiVector& A, const Factorization<double>& factorization) {
  const auto n = static_cast<Index>(A.rows());
  for (const Index n_columns : {1, 3, 40}) {
    const MultiVector b = random_vectors(n, n_columns, 7);
    const MultiVector x = factorization.solve(b);
    const MultiVector y = factorization.solve_transposed(b);
    BOOST_TEST(backward_error<double>(A, x, b) < 1e-12);
    BOOST_TEST(backward_error<double>(A.transpose(), y, b) < 1e-12);
  }
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

BOOST_TEST_DONT_PRINT_LOG_VALUE(Solver)

BOOST_AUTO_TEST_SUITE(eigen_factorize)

BOOST_AUTO_TEST_CASE(solves_agree_with_the_matrix_for_every_named_solver) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const MultiVector A = random_sparse(60, 3, seed);
    for (const Solver solver : {Solver::automatic, Solver::umfpack, Solver::klu})
      check_solves(A, *EigenEngine::factorize(sparse(A), named(solver)));
    const MultiVector definite = random_definite(60, seed);
    for (const Solver solver : {Solver::automatic, Solver::cholmod, Solver::umfpack, Solver::klu})
      check_solves(definite, *EigenEngine::factorize(sparse(definite), named(solver)));
  }
}

BOOST_AUTO_TEST_CASE(a_negative_definite_matrix_goes_to_cholesky) {
  const MultiVector A = -random_definite(50, 3);
  const auto factorization = EigenEngine::factorize(sparse(A));
  BOOST_TEST(name_of(factorization->report().solver) == std::string("cholmod"));
  BOOST_TEST(factorization->report().reason == "symmetric negative definite");
  check_solves(A, *factorization);
}

BOOST_AUTO_TEST_CASE(structure_chooses_the_solver) {
  MultiVector zero_diagonal(2, 2);
  zero_diagonal << 0, 1, 1, 0;
  BOOST_CHECK(chosen(MultiVector::Identity(3, 3)) == Solver::diagonal);
  BOOST_CHECK(chosen(random_definite(30, 1)) == Solver::cholmod);
  BOOST_CHECK(chosen(zero_diagonal) == Solver::klu);
  BOOST_CHECK(chosen(random_sparse(40, 2, 1)) == Solver::klu);
}

BOOST_AUTO_TEST_SUITE_END()
