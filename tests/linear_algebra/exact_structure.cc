// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/exact/exact_structure.h>

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

/// Block diagonal: finite eigenvalues on the diagonal, and Jordan blocks at infinity of the given sizes.
struct Pencil {
  MultiVector E, A;
};

Pencil canonical_pencil(const std::vector<double>& finite, const std::vector<Index>& sizes) {
  auto n = static_cast<Index>(finite.size());
  for (const Index size : sizes)
    n += size;
  Pencil pencil{MultiVector::Zero(n, n), MultiVector::Identity(n, n)};
  Index first = 0;
  for (const double value : finite) {
    pencil.E(first, first) = 1;
    pencil.A(first, first) = value;
    ++first;
  }
  for (const Index size : sizes) {
    for (Index i = 0; i + 1 < size; ++i)
      pencil.E(first + i, first + i + 1) = 1;
    first += size;
  }
  return pencil;
}

/// Times integers of determinant one from both sides.
void mix(Pencil& pencil) {
  const auto n = static_cast<Index>(pencil.E.rows());
  for (Index k = 0; k < 3 * n; ++k) {
    const Index i = (7 * k + 3) % n, j = (5 * k + 1) % n;
    if (i == j) continue;
    const double factor = k % 2 == 0 ? 1 : -1;
    for (MultiVector* A : {&pencil.E, &pencil.A}) {
      A->row(i) += factor * A->row(j);
      A->col(j) -= factor * A->col(i).eval();
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exact_structures)

BOOST_AUTO_TEST_CASE(pencils_show_the_blocks_of_which_they_were_made) {
  Pencil pencil = canonical_pencil({-1, 0, 0, 3}, {10, 3, 3, 1});
  mix(pencil);
  const auto found = exact_structure(pencil.E, pencil.A);
  BOOST_REQUIRE(found);
  BOOST_TEST(found->is_regular());
  BOOST_TEST(found->n_finite == 4);
  BOOST_TEST(found->weyr == std::vector<Index>({4, 3, 3, 1, 1, 1, 1, 1, 1, 1}),
             boost::test_tools::per_element());
  BOOST_TEST(found->index() == 10);
  const auto at_zero = exact_structure(pencil.A, pencil.E);
  BOOST_TEST(at_zero->weyr == std::vector<Index>({2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(units_of_any_size_change_nothing) {
  Pencil pencil = canonical_pencil({-1, 2}, {3, 1});
  mix(pencil);
  for (Index i = 0; i < pencil.E.rows(); ++i) {
    pencil.E.row(i) *= std::exp2(60 * i - 200);
    pencil.A.row(i) *= std::exp2(60 * i - 200);
  }
  pencil.E *= std::exp2(-300);
  const auto found = exact_structure(pencil.E, pencil.A);
  BOOST_TEST(found->n_finite == 2);
  BOOST_TEST(found->weyr == std::vector<Index>({2, 1, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_singular_pencil_is_told_from_one_that_differs_in_the_last_digit) {
  Pencil pencil{MultiVector::Identity(3, 3), MultiVector::Constant(3, 3, 0.1)};
  pencil.E.col(2) = pencil.E.col(1);
  BOOST_TEST(!exact_structure(pencil.E, pencil.A)->is_regular());
  pencil.A(2, 2) = std::nextafter(0.1, 1.);
  BOOST_TEST(exact_structure(pencil.E, pencil.A)->is_regular());
  BOOST_TEST(exact_rank(MultiVector::Constant(3, 5, 0.1)) == 1);
  BOOST_TEST(exact_rank(pencil.A) == 2);
  BOOST_TEST(exact_rank(MultiVector(0, 4)) == 0);
}

BOOST_AUTO_TEST_CASE(large_pencils_and_empty_ones) {
  const Index n = exact_structure_limit + 1;
  BOOST_TEST(!exact_structure(MultiVector::Identity(n, n), MultiVector::Identity(n, n)));
  const auto none = exact_structure(MultiVector(0, 0), MultiVector(0, 0));
  BOOST_TEST(none->is_regular());
  BOOST_TEST(none->n_finite == 0);
  const MultiVector E = MultiVector::Random(n - 1, n - 1);
  BOOST_TEST(exact_structure(E, MultiVector::Identity(n - 1, n - 1))->n_finite == n - 1);
}

BOOST_AUTO_TEST_SUITE_END()
