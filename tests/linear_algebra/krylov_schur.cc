// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/krylov/krylov_schur.h>

#include <Eigen/QR>
#include <boost/test/unit_test.hpp>

#include "linear_algebra/matrices.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

double off_orthonormal(ConstView<double> V) {
  return (V.transpose() * V - MultiVector::Identity(V.cols(), V.cols())).norm();
}

BlockOperator<double> times(const Vector& values) {
  return [values](ConstView<double> X) -> MultiVector { return values.asDiagonal() * X; };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(krylov_schur)

// Images of one block may be as good as parallel: eigenvalues of a beam, of a diffusion, and ones that fall
// by ten.
BOOST_AUTO_TEST_CASE(its_vectors_are_orthonormal_however_fast_eigenvalues_fall) {
  const Index n = 1000;
  const Vector k = Vector::LinSpaced(n, 1, n);
  for (const Vector& values : {Vector(k.array().pow(-4)), Vector(k.array().pow(-2)),
                               Vector((-std::log(10.) * k.array()).exp().max(1e-30))})
    for (const Index p : {2, 3, 4}) {
      const BlockOperator<double> A = times(values);
      KrylovSchur<double> krylov(A, Partition(n), 60, p, 0);
      while (krylov.can_expand())
        krylov.expand();
      BOOST_TEST(off_orthonormal(krylov.V()) < 1e-12);
    }
}

// Images of a block that differ by little, or by nothing: w_j = q_{j-1} + e q_j.
BOOST_AUTO_TEST_CASE(dependent_images_of_a_block_become_orthonormal) {
  const Index n = 500, p = 4;
  for (const double e : {1., 0.1, 0.03, 0.011, 1e-3, 1e-8, 0.}) {
    Index n_applications = 0;
    const BlockOperator<double> A = [&](ConstView<double> X) -> MultiVector {
      const MultiVector Q =
          Eigen::HouseholderQR<MultiVector>(random_vectors(n, p, static_cast<unsigned>(n_applications++)))
              .householderQ() *
          MultiVector::Identity(n, p);
      MultiVector W = e * Q.leftCols(X.cols());
      W.rightCols(p - 1) += Q.leftCols(p - 1);
      W.col(0) = Q.col(0);
      return W;
    };
    KrylovSchur<double> krylov(A, Partition(n), 40, p, 0);
    for (int step = 0; step < 5; ++step)
      krylov.expand();
    BOOST_TEST_CONTEXT("e = " << e) {
      BOOST_TEST(off_orthonormal(krylov.V()) < 1e-12);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
