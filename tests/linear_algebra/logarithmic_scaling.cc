// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/scaling/logarithmic_scaling.h>

#include <boost/test/unit_test.hpp>

#include <set>

namespace halfdof::test {

using namespace internal;

BOOST_AUTO_TEST_SUITE(logarithmic_scalings)

namespace {

using Places = std::set<std::pair<Index, Index>>;

Places places_of(const MultiVector& A) {
  Places places;
  for (const LogarithmicEntry& entry : logarithms_of_nonzeros(Eigen::SparseMatrix<double>(A.sparseView())))
    places.insert({entry.row, entry.column});
  return places;
}

}  // namespace

BOOST_AUTO_TEST_CASE(rounding_of_zeros_is_told_whatever_the_units) {
  MultiVector A(3, 3);
  A << 1, -2, 1, 3, 1, 1e-17, 0, 2, 1;
  const Places all = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {2, 1}, {2, 2}};
  BOOST_TEST((places_of(A) == all));
  for (const double unit : {0x1p-30, 0x1p30}) {
    const Vector rows = (Vector(3) << 1, unit, 1 / unit).finished(),
                 columns = (Vector(3) << unit, unit * unit, 1).finished();
    BOOST_TEST((places_of(rows.asDiagonal() * A * columns.asDiagonal()) == all), unit);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace halfdof::test
