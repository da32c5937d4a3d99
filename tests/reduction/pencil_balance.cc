// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/reduction/weierstrass/pencil_balance.h>

#include <boost/test/unit_test.hpp>

#include "reduction/weierstrass_pencils.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

/// The balanced entries of both matrices side by side.
MultiVector balanced(const PencilBalance& balance, const KnownPencil& pencil) {
  MultiVector both(pencil.order(), 2 * pencil.order());
  both << balance.balanced_E(pencil.E), balance.balanced_A(pencil.A);
  return both;
}

MultiVector balanced(const KnownPencil& pencil) {
  return balanced(balance(pencil.E, pencil.A), pencil);
}

/// Largest quotient of two numbers in the same place.
double largest_factor(const MultiVector& a, const MultiVector& b) {
  double factor = 1;
  for (Index j = 0; j < a.cols(); ++j)
    for (Index i = 0; i < a.rows(); ++i)
      if (a(i, j) != 0) factor = std::max({factor, a(i, j) / b(i, j), b(i, j) / a(i, j)});
  return factor;
}

/// Entries between 1e-4 and 1e4 wherever the pencil has one.
KnownPencil uneven_pencil(RandomNumbers& random) {
  KnownPencil pencil = random_pencil(random, Coordinates::sparse, 30);
  for (MultiVector* matrix : {&pencil.E, &pencil.A})
    *matrix = matrix->cwiseProduct(
        MultiVector((std::log(1e4) * random.matrix(pencil.order(), pencil.order())).array().exp()));
  return pencil;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pencil_balance)

BOOST_AUTO_TEST_CASE(scalings_of_rows_columns_and_time_are_undone) {
  RandomNumbers random(1);
  for (int sample = 0; sample < 20; ++sample) {
    KnownPencil pencil = uneven_pencil(random);
    const MultiVector before = balanced(pencil);
    scale(random, pencil);
    pencil.E *= 1e-5;
    // Each factor is rounded to a power of two, once and in four sweeps.
    BOOST_TEST(largest_factor(balanced(pencil), before) <= 64);
  }
}

BOOST_AUTO_TEST_CASE(the_largest_entries_of_rows_and_columns_are_about_one) {
  RandomNumbers random(2);
  for (int sample = 0; sample < 20; ++sample) {
    const MultiVector entries = balanced(uneven_pencil(random)).cwiseAbs();
    const auto n = entries.rows();
    const Vector rows = entries.rowwise().maxCoeff();
    const Vector columns =
        entries.leftCols(n).cwiseMax(entries.rightCols(n)).colwise().maxCoeff().transpose();
    BOOST_TEST(std::max(rows.maxCoeff(), columns.maxCoeff()) <= 4);
    BOOST_TEST(std::min(rows.minCoeff(), columns.minCoeff()) >= 0.25);
  }
}

BOOST_AUTO_TEST_CASE(rounding_of_zeros_is_not_balanced) {
  RandomNumbers random(3);
  KnownPencil pencil = uneven_pencil(random);
  const PencilBalance clean = balance(pencil.E, pencil.A);
  for (MultiVector* matrix : {&pencil.E, &pencil.A}) {
    const Vector largest = matrix->cwiseAbs().rowwise().maxCoeff();
    for (Index k = 0; k < 3 * pencil.order(); ++k) {
      const Index i = random.below(pencil.order()), j = random.below(pencil.order());
      if ((*matrix)(i, j) == 0) (*matrix)(i, j) = 1e-17 * largest[i];
    }
  }
  const PencilBalance rounded = balance(pencil.E, pencil.A);
  BOOST_TEST((clean.rows - rounded.rows).norm() == 0);
  BOOST_TEST((clean.columns - rounded.columns).norm() == 0);
  BOOST_TEST(clean.rate == rounded.rate);
}

BOOST_AUTO_TEST_CASE(eigenvalues_are_measured_in_the_rate) {
  RandomNumbers random(4);
  const KnownPencil pencil =
      make_pencil(1e7 * random.matrix(5, 5), {}, random.matrix(5, 5), random.matrix(5, 5));
  const PencilBalance b = balance(pencil.E, pencil.A);
  std::vector<Complex> scaled =
      eigenvalues(b.balanced_E(pencil.E).partialPivLu().solve(b.balanced_A(pencil.A)));
  for (Complex& value : scaled)
    value *= b.rate;
  BOOST_TEST(spectral_distance(scaled, eigenvalues(pencil.A_1)) <= 1e-10);
  BOOST_TEST(b.rate > 1e5);
}

BOOST_AUTO_TEST_SUITE_END()
