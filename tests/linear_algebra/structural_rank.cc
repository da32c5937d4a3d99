// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/ranks/structural_rank.h>

#include <Eigen/LU>
#include <boost/test/unit_test.hpp>

#include "matrices.h"
#include <bitset>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

using Lists = std::vector<std::vector<Index>>;

MultiVector random_pattern(Index n_rows, Index n_columns, double density, unsigned seed) {
  std::mt19937 generator(seed);
  std::bernoulli_distribution present(density);
  return MultiVector::NullaryExpr(n_rows, n_columns,
                                  [&](Eigen::Index, Eigen::Index) { return present(generator) ? 1. : 0.; });
}

DulmageMendelsohn decomposition(const MultiVector& dense) {
  const auto found = dulmage_mendelsohn(sparse(dense).entries());
  BOOST_REQUIRE(found);
  return *found;
}

/// Rows in which some columns (bits) have entries.
std::vector<Index> rows_met(const MultiVector& A, unsigned columns) {
  std::vector<Index> rows;
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < A.cols(); ++j)
      if ((columns >> j & 1U) && A(i, j) != 0) {
        rows.push_back(i);
        break;
      }
  return rows;
}

/// By the theorem of König, Hall and Ore over all sets of columns: the rank is n less the largest deficiency
/// |columns| - |rows met|, and the smallest set that attains it is the underdetermined part.
struct BruteForce {
  Index rank;
  std::vector<Index> rows, columns;
};

BruteForce brute_force(const MultiVector& A) {
  const auto n = static_cast<Index>(A.cols());
  Index largest = 0;
  unsigned best = 0;
  const auto size = [](unsigned set) { return static_cast<Index>(std::bitset<32>(set).count()); };
  for (unsigned set = 0; set < 1U << n; ++set) {
    const Index deficiency = size(set) - static_cast<Index>(rows_met(A, set).size());
    if (deficiency > largest || (deficiency == largest && size(set) < size(best))) {
      largest = deficiency;
      best = set;
    }
  }
  BruteForce result{n - largest, rows_met(A, best), {}};
  for (Index j = 0; j < n; ++j)
    if (best >> j & 1U) result.columns.push_back(j);
  return result;
}

std::vector<Index> united(const std::vector<PatternPart>& parts, std::vector<Index> PatternPart::*side) {
  std::vector<Index> all;
  for (const PatternPart& part : parts)
    all.insert(all.end(), (part.*side).begin(), (part.*side).end());
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(structural_rank)

BOOST_AUTO_TEST_CASE(rank_and_parts_are_those_of_all_sets_of_columns_and_of_rows) {
  Index n_deficient = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const MultiVector A = random_pattern(1 + seed % 8, 1 + seed / 8 % 8, 0.15 + 0.05 * (seed % 5), seed);
    const DulmageMendelsohn found = decomposition(A);
    const BruteForce columns = brute_force(A), rows = brute_force(A.transpose());
    BOOST_TEST(found.rank == columns.rank);
    BOOST_TEST(found.rank == rows.rank);
    BOOST_TEST(united(found.underdetermined, &PatternPart::columns) == columns.columns,
               boost::test_tools::per_element());
    BOOST_TEST(united(found.underdetermined, &PatternPart::rows) == columns.rows,
               boost::test_tools::per_element());
    BOOST_TEST(united(found.overdetermined, &PatternPart::rows) == rows.columns,
               boost::test_tools::per_element());
    BOOST_TEST(united(found.overdetermined, &PatternPart::columns) == rows.rows,
               boost::test_tools::per_element());
    n_deficient += found.rank < A.cols();
  }
  BOOST_TEST(n_deficient > 100);
}

BOOST_AUTO_TEST_CASE(entries_at_pairs_of_unmatched_rows_and_columns_make_a_square_matrix_regular) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const Index n = 2 + seed % 7;
    const MultiVector pattern = random_pattern(n, n, 0.25, seed);
    const DulmageMendelsohn found = decomposition(pattern);
    BOOST_REQUIRE_EQUAL(found.unmatched_rows.size(), static_cast<std::size_t>(n - found.rank));
    BOOST_REQUIRE_EQUAL(found.unmatched_columns.size(), static_cast<std::size_t>(n - found.rank));
    MultiVector A = pattern.cwiseProduct(random_vectors(n, n, seed + 1000));
    for (std::size_t k = 0; k < found.unmatched_rows.size(); ++k)
      A(found.unmatched_rows[k], found.unmatched_columns[k]) = 1;
    BOOST_TEST(Eigen::FullPivLU<MultiVector>(A).rank() == n);
  }
}

BOOST_AUTO_TEST_CASE(parts_that_share_nothing_are_told_apart) {
  // Columns 0 and 1 in row 0 alone; column 4 empty; rows 2 and 4 on column 3 alone; row 1 empty.
  MultiVector A = MultiVector::Zero(5, 5);
  A(0, 0) = A(0, 1) = A(2, 3) = A(4, 3) = A(3, 2) = 1;
  const DulmageMendelsohn found = decomposition(A);
  BOOST_TEST(found.rank == 3);
  const auto lists = [](const std::vector<PatternPart>& parts) {
    Lists all;
    for (const PatternPart& part : parts) {
      all.push_back(part.rows);
      all.push_back(part.columns);
    }
    return all;
  };
  BOOST_TEST((lists(found.underdetermined) == Lists{{0}, {0, 1}, {}, {4}}));
  BOOST_TEST((lists(found.overdetermined) == Lists{{1}, {}, {2, 4}, {3}}));
}

BOOST_AUTO_TEST_CASE(a_dense_row_of_unknowns_does_not_hide_the_empty_equation) {
  MultiVector A = MultiVector::Ones(6, 6);
  A.row(4).setZero();
  const DulmageMendelsohn found = decomposition(A);
  BOOST_TEST(found.rank == 5);
  BOOST_REQUIRE_EQUAL(found.overdetermined.size(), 1u);
  BOOST_TEST(found.overdetermined[0].rows == std::vector<Index>({4}), boost::test_tools::per_element());
  BOOST_TEST(found.underdetermined[0].columns.size() == 6u);
}

BOOST_AUTO_TEST_CASE(stored_zeros_do_not_count_and_empty_matrices_have_rank_zero) {
  const auto stored =
      dulmage_mendelsohn(with_all_stored(MultiVector(Eigen::Vector3d(1, 0, 2).asDiagonal())).entries());
  BOOST_REQUIRE(stored);
  BOOST_TEST(stored->rank == 2);
  BOOST_TEST(stored->underdetermined[0].columns[0] == 1);
  const auto empty = dulmage_mendelsohn(Eigen::SparseMatrix<double>(3, 0));
  BOOST_REQUIRE(empty);
  BOOST_TEST(empty->rank == 0);
  BOOST_TEST(empty->overdetermined.size() == 3u);
}

BOOST_AUTO_TEST_SUITE_END()
