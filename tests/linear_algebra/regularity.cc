// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/exact/regularity.h>

#include <Eigen/QR>
#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

struct Pencil {
  MultiVector M, C, K;

  bool is_regular_to_rounding() const { return internal::is_regular_to_rounding(M, C, K); }
};

/// Two bodies, each a mass on springs with a damped joint; the second mass is `between` times the first.
Pencil two_bodies(double between) {
  Pencil pencil{MultiVector::Zero(4, 4), MultiVector::Zero(4, 4), MultiVector::Zero(4, 4)};
  for (const Index first : {0, 2}) {
    const double size = first == 0 ? 1 : between;
    pencil.M(first, first) = 3 * size;
    pencil.C(first + 1, first + 1) = 0.1 * std::sqrt(size);
    pencil.K.block(first, first, 2, 2) << 2, -1, -1, 1;
  }
  return pencil;
}

/// Q^T A Q with an orthogonal Q, rounded.
MultiVector turned(const MultiVector& A) {
  MultiVector random(A.rows(), A.rows());
  for (Index j = 0; j < A.rows(); ++j)
    for (Index i = 0; i < A.rows(); ++i)
      random(i, j) = std::sin(1. + 3 * i + 7 * j * j);
  const MultiVector Q = Eigen::HouseholderQR<MultiVector>(random).householderQ();
  return Q.transpose() * A * Q;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(regularity)

BOOST_AUTO_TEST_CASE(sizes_that_differ_leave_a_pencil_regular) {
  for (const int exponent : {0, -100, 100, 400})
    BOOST_TEST(two_bodies(std::ldexp(1., exponent)).is_regular_to_rounding());
}

BOOST_AUTO_TEST_CASE(units_do_not_matter) {
  Pencil pencil = two_bodies(std::ldexp(1., -100));
  const Vector rows = (Vector(4) << 1e-20, 3, 1e15, 7).finished(),
               columns = (Vector(4) << 5, 1e-30, 1, 1e12).finished();
  double of_time = 1;
  for (MultiVector* const A : {&pencil.K, &pencil.C, &pencil.M}) {
    *A = of_time * (rows.asDiagonal() * *A * columns.asDiagonal());
    of_time *= 1e-25;
  }
  BOOST_TEST(pencil.is_regular_to_rounding());
}

BOOST_AUTO_TEST_CASE(rounding_may_hide_a_singular_pencil) {
  Pencil pencil = two_bodies(1);
  for (MultiVector* const A : {&pencil.M, &pencil.C, &pencil.K})
    A->row(3).setZero();
  BOOST_TEST(!pencil.is_regular_to_rounding());
  for (MultiVector* const A : {&pencil.M, &pencil.C, &pencil.K})
    *A = turned(*A);
  BOOST_TEST(!pencil.is_regular_to_rounding());
}

BOOST_AUTO_TEST_CASE(a_pencil_without_unknowns_is_regular) {
  BOOST_TEST(is_regular_to_rounding(MultiVector(0, 0), MultiVector(0, 0), MultiVector(0, 0)));
}

BOOST_AUTO_TEST_SUITE_END()
