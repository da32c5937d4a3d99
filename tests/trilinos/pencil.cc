// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/trilinos/engine.h>

#include <Eigen/LU>
#include <boost/test/unit_test.hpp>

#include "trilinos/random_systems.h"
#include <cmath>
#include <limits>
#include <optional>

using namespace halfdof;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(trilinos_pencil)

// Condition numbers below 1e3 times rounding.
constexpr double solved = 1e-12;

namespace {

/// M, C, K of 45 rows with different patterns; M and C have null columns.
struct System {
  explicit System(bool symmetric, Layout layout) : rows(partition(45, layout)) {
    M = random_sparse(45, 45, 0.1), C = random_sparse(45, 45, 0.1), K = random_sparse(45, 45, 0.1);
    if (symmetric)
      for (MultiVector* A : {&M, &C, &K})
        *A = (*A * A->transpose()).eval();
    K += MultiVector::Identity(45, 45) * 5;
    for (int j = 0; j < 45; j += 3) {
      M.col(j).setZero(), M.row(j).setZero();
      if (j % 2 == 0) C.col(j).setZero(), C.row(j).setZero();
    }
  }

  TrilinosPencil pencil(const FactorizationOptions& options = {}) const {
    return TrilinosPencil(distributed(M), distributed(C), distributed(K), options);
  }
  TrilinosMatrix distributed(const MultiVector& A) const {
    return TrilinosMatrix::distribute(A.sparseView(), rows, rows);
  }

  Partition rows;
  MultiVector M, C, K;
};

/// Several right-hand sides, both ways, against a dense solution of a M + b C + c K.
template <class Scalar>
void check(const Factorization<Scalar>& factorization, const System& system, Scalar a, Scalar b, Scalar c) {
  const DenseMatrix<Scalar> P = a * system.M + b * system.C + c * system.K, transposed = P.transpose();
  DenseMatrix<Scalar> f = random_dense(45, 2).cast<Scalar>();
  f.col(0) *= a;
  BOOST_TEST(error_of<Scalar>(factorization.solve(local(f, system.rows)), P.lu().solve(f), system.rows) <
             solved);
  BOOST_TEST(error_of<Scalar>(factorization.solve_transposed(local(f, system.rows)), transposed.lu().solve(f),
                              system.rows) < solved);
}

const Complex i(0, 1);

}  // namespace

BOOST_AUTO_TEST_CASE(real_and_complex_combinations_agree_with_dense_ones) {
  for (const bool symmetric : {false, true})
    for (const Layout layout : all_layouts) {
      const System system(symmetric, layout);
      const TrilinosPencil pencil = system.pencil();
      check<double>(*pencil.factorize(0.49, 0.7, 1.), system, 0.49, 0.7, 1.);
      check<double>(*pencil.factorize(0., 0., 1.), system, 0., 0., 1.);
      check<double>(*pencil.factorize(-2., 0., 1.), system, -2., 0., 1.);
      const Complex shift = -0.3 + 2. * i;
      check<Complex>(*pencil.factorize(shift * shift, shift, 1.), system, shift * shift, shift, 1.);
      check<Complex>(*pencil.factorize(-4., 2. * i, 1.), system, -4., 2. * i, 1.);
    }
}

BOOST_AUTO_TEST_CASE(structure_decides_how_a_combination_is_factorized) {
  const System symmetric(true, Layout::scattered), unsymmetric(false, Layout::scattered);
  const TrilinosPencil pencil = symmetric.pencil();
  BOOST_TEST(pencil.factorize(1., 1., 1.)->report().reason == "symmetric positive definite");
  BOOST_TEST(pencil.factorize(-1., -1., -1.)->report().reason == "symmetric negative definite");
  BOOST_TEST(pencil.factorize(-1000., 0., 1.)->report().reason == "symmetric indefinite");
  BOOST_TEST(pencil.factorize(-1., i, 1.)->report().reason == "complex symmetric");
  BOOST_TEST(unsymmetric.pencil().factorize(1., 1., 1.)->report().reason == "unsymmetric");
  BOOST_TEST(unsymmetric.pencil().factorize(-1., i, 1.)->report().reason == "unsymmetric");
}

BOOST_AUTO_TEST_CASE(factorizations_stay_valid_next_to_each_other_and_after_their_pencil) {
  const System system(false, Layout::consecutive);
  std::optional<TrilinosPencil> pencil = system.pencil();
  const auto first = pencil->factorize(1., 2., 3.);
  const auto complex = pencil->factorize(i, 2., 3.);
  const auto second = pencil->factorize(3., 2., 1.);
  { const auto dropped = pencil->factorize(5., 5., 5.); }
  const auto third = pencil->factorize(1., 0., 5.);
  pencil.reset();
  check<double>(*first, system, 1., 2., 3.);
  check<double>(*second, system, 3., 2., 1.);
  check<double>(*third, system, 1., 0., 5.);
  check<Complex>(*complex, system, i, 2., 3.);
}

BOOST_AUTO_TEST_CASE(one_ordering_serves_real_and_complex_factorizations) {
  const System system(true, Layout::consecutive);
  const TrilinosPencil pencil = system.pencil();
  const std::string ordering = pencil.factorize(1., 1., 1.)->report().ordering;
  BOOST_TEST((ordering != "given" && !ordering.empty()));
  BOOST_TEST(pencil.factorize(i, 1., 1.)->report().ordering == ordering);
  BOOST_TEST(pencil.factorize(-1000., 0., 1.)->report().ordering == ordering);
}

BOOST_AUTO_TEST_CASE(a_shift_on_an_eigenvalue_is_singular) {
  // s^2 m + k = 0 for s^2 = -k/m; the other rows are held.
  const Partition rows = partition(6, Layout::scattered);
  MultiVector M = MultiVector::Identity(6, 6), K = MultiVector::Identity(6, 6) * 3;
  K(1, 2) = K(2, 1) = 1;
  const MultiVector C = MultiVector::Zero(6, 6);
  const auto distributed = [&](const MultiVector& A) {
    return TrilinosMatrix::distribute(A.sparseView(), rows, rows);
  };
  const TrilinosPencil pencil(distributed(M), distributed(C), distributed(K));
  BOOST_CHECK_THROW(pencil.factorize(-3., 0., 1.), SingularMatrix);
  BOOST_CHECK_THROW(pencil.factorize(Complex(-2.), Complex(0.), Complex(1.)), SingularMatrix);
  BOOST_CHECK_THROW(pencil.factorize(0., 1., 0.), SingularMatrix);
  BOOST_CHECK_NO_THROW(pencil.factorize(-2.5, 0., 1.));
}

BOOST_AUTO_TEST_CASE(a_diagonal_pencil_is_divided_by) {
  const Partition rows = partition(7, Layout::scattered);
  const TrilinosMatrix one = TrilinosEngine::diagonal(Vector::Ones(rows.n_local()), rows);
  const TrilinosPencil pencil(one, one, one);
  const auto factorization = pencil.factorize(1. + i, i, 1.);
  BOOST_TEST((factorization->report().solver == Solver::diagonal));
  const ComplexMultiVector x = factorization->solve(ComplexMultiVector::Ones(rows.n_local(), 1));
  for (Index k = 0; k < rows.n_local(); ++k)
    BOOST_TEST(std::abs(x(k, 0) - 1. / (2. + 2. * i)) < 1e-15);
}

BOOST_AUTO_TEST_CASE(bad_input_is_refused_before_anything_is_factorized) {
  System system(false, Layout::consecutive);
  const TrilinosPencil pencil = system.pencil();
  BOOST_CHECK_THROW(pencil.factorize(std::nan(""), 0., 1.), InvalidInput);
  FactorizationOptions klu;
  klu.solver = Solver::klu;
  const TrilinosPencil with_klu = system.pencil(klu);
  check<double>(*with_klu.factorize(1., 2., 3.), system, 1., 2., 3.);
  BOOST_CHECK_THROW(with_klu.factorize(i, 2., 3.), NotAvailable);
  system.C(3, 4) = std::numeric_limits<double>::infinity();
  BOOST_CHECK_THROW(system.pencil(), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
