// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/condition.h>

#include <boost/test/unit_test.hpp>

#include "matrices.h"

using namespace halfdof;
using namespace halfdof::internal;

namespace {

double norm_1(const MultiVector& A) {
  return A.cwiseAbs().colwise().sum().maxCoeff();
}

struct Estimate {
  double norm;
  int n_solves;
};

Estimate estimate_of(const MultiVector& inverse, double matters = 0) {
  Estimate estimate{0, 0};
  const auto product = [&](const MultiVector& A, const Vector& x) -> Vector {
    ++estimate.n_solves;
    return A * x;
  };
  estimate.norm = estimate_inverse_norm([&](const Vector& x) { return product(inverse, x); },
                                        [&](const Vector& x) { return product(inverse.transpose(), x); },
                                        Partition(static_cast<Index>(inverse.rows())), matters);
  return estimate;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(condition)

BOOST_AUTO_TEST_CASE(the_norm_of_an_inverse_is_told_within_a_factor_of_three) {
  for (unsigned seed = 1; seed <= 10; ++seed)
    for (const Index n : {1, 2, 7, 40}) {
      const MultiVector inverse = test::random_sparse(n, 4, seed);
      const double estimate = estimate_of(inverse).norm, exact = norm_1(inverse);
      BOOST_TEST(estimate <= exact * (1 + 1e-12));
      BOOST_TEST(estimate >= exact / 3);
    }
}

BOOST_AUTO_TEST_CASE(one_solve_tells_that_a_norm_is_harmless) {
  const MultiVector inverse = test::random_definite(50, 3);
  const Estimate coarse = estimate_of(inverse, 1e12), fine = estimate_of(inverse);
  BOOST_TEST(coarse.n_solves == 1);
  BOOST_TEST(fine.n_solves > 1);
  BOOST_TEST(coarse.norm <= fine.norm * (1 + 1e-12));
}

BOOST_AUTO_TEST_CASE(a_null_vector_on_few_rows_is_not_missed) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    MultiVector inverse = test::random_definite(60, seed);
    const MultiVector few = test::random_vectors(2, 1, seed);
    inverse.block(7 * (seed % 8), 7 * (seed % 8), 2, 2) += 1e16 * few * few.transpose() / few.squaredNorm();
    BOOST_TEST(estimate_of(inverse, 1e12).norm > norm_1(inverse) / 3);
  }
}

BOOST_AUTO_TEST_CASE(norms_of_a_scaled_matrix_need_no_copy) {
  const Vector r = test::random_vectors(30, 1, 1), s = test::random_vectors(30, 1, 2);
  for (const MultiVector& A : {test::random_sparse(30, 4, 1), test::random_definite(30, 2)}) {
    const MultiVector scaled = r.asDiagonal() * A * s.asDiagonal();
    const LineNorms norms = EigenEngine::scaled_norms(test::sparse(A), r, s);
    BOOST_TEST((norms.rows - scaled.cwiseAbs().rowwise().sum()).norm() < 1e-14 * norms.rows.norm());
    BOOST_TEST((norms.columns - scaled.cwiseAbs().colwise().sum().transpose()).norm() <
               1e-14 * norms.columns.norm());
  }
}

BOOST_AUTO_TEST_CASE(equilibration_takes_units_off_rows_and_columns) {
  const Vector units = (Vector(4) << 1e-9, 1, 1e6, 1e3).finished();
  const MultiVector A = units.asDiagonal() * test::random_definite(4, 1) * units.cwiseInverse().asDiagonal();
  const RowColumnScales scale = equilibrate<EigenEngine>(test::sparse(A));
  const MultiVector scaled = MultiVector(scale.rows.asDiagonal() * A * scale.columns.asDiagonal()).cwiseAbs();
  BOOST_TEST(scaled.rowwise().sum().maxCoeff() < 4);
  BOOST_TEST(scaled.rowwise().sum().minCoeff() > 0.25);
}

BOOST_AUTO_TEST_SUITE_END()
