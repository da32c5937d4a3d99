// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <boost/test/unit_test.hpp>

#include "linear_algebra/matrices.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

using namespace halfdof;
using namespace halfdof::test;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double denormal = std::numeric_limits<double>::denorm_min();

MultiVector dense(const EigenMatrix& A) {
  return EigenEngine::to_dense(A);
}

/// Ascending rows in every column, and no stored zero.
bool is_tidy(const EigenMatrix& A) {
  const EigenMatrix::Storage& entries = A.entries();
  for (Index j = 0; j < entries.cols(); ++j) {
    Eigen::Index last = -1;
    for (EigenMatrix::Storage::InnerIterator entry(entries, j); entry; ++entry) {
      if (entry.row() <= last || entry.value() == 0.) return false;
      last = entry.row();
    }
  }
  return true;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(eigen_matrix)

BOOST_AUTO_TEST_CASE(products_agree_with_dense_ones_for_any_number_of_columns) {
  const MultiVector A = random_sparse(20, 4, 1).leftCols(13);
  const EigenMatrix matrix = sparse(A);
  for (const Index n_columns : {1, 3, 4, 9}) {
    const MultiVector x = random_vectors(13, n_columns, 2);
    const MultiVector z = random_vectors(20, n_columns, 3);
    MultiVector y = z;
    matrix.add_product(-2., x, y);
    BOOST_TEST((y - (z - 2 * A * x)).norm() < 1e-14 * y.norm());

    MultiVector w = x;
    matrix.add_transposed_product(3., z, w);
    BOOST_TEST((w - (x + 3 * A.transpose() * z)).norm() < 1e-14 * w.norm());

    const Complex alpha(0.5, -1.5);
    const ComplexMultiVector u = x + Complex(0, 1) * random_vectors(13, n_columns, 4);
    ComplexMultiVector v = z.cast<Complex>();
    matrix.add_product(alpha, u, v);
    BOOST_TEST((v - (z + alpha * (A * u))).norm() < 1e-14 * v.norm());
  }
}

BOOST_AUTO_TEST_CASE(products_take_single_vectors_and_blocks) {
  const MultiVector A = random_sparse(6, 2, 1);
  const Vector x = random_vectors(6, 1, 2);
  Vector y = Vector::Zero(6);
  sparse(A).add_product(1., x, y);
  BOOST_TEST((y - A * x).norm() < 1e-14);
  MultiVector Y = MultiVector::Zero(8, 5);
  sparse(A).add_product(1., x, Y.block(1, 2, 6, 1));
  BOOST_TEST((Y.block(1, 2, 6, 1) - A * x).norm() < 1e-14);
  BOOST_TEST(Y.col(1).norm() == 0.);
}

BOOST_AUTO_TEST_CASE(products_of_wrong_shape_are_refused) {
  const EigenMatrix A = sparse(MultiVector::Ones(3, 2));
  MultiVector y = MultiVector::Zero(3, 1);
  BOOST_CHECK_THROW(A.add_product(1., MultiVector::Ones(3, 1), y), InvalidInput);
  BOOST_CHECK_THROW(A.add_product(1., MultiVector::Ones(2, 2), y), InvalidInput);
  BOOST_CHECK_THROW(A.add_transposed_product(1., MultiVector::Ones(2, 1), y), InvalidInput);
}

BOOST_AUTO_TEST_CASE(entries_given_twice_add_up_and_unsorted_ones_are_sorted) {
  std::vector<Eigen::Triplet<double>> twice = {{2, 0, 1.}, {0, 0, 2.}, {2, 0, 4.}, {1, 1, 3.}};
  EigenMatrix::Storage entries(3, 2);
  entries.setFromTriplets(twice.begin(), twice.end());
  MultiVector expected(3, 2);
  expected << 2, 0, 0, 3, 5, 0;
  BOOST_TEST(equal(dense(EigenMatrix(entries)), expected));

  // The same through raw arrays: rows 2, 0, 2 in the first column.
  const Index starts[] = {0, 3, 4};
  const Index rows[] = {2, 0, 2, 1};
  const double values[] = {1., 2., 4., 3.};
  EigenMatrix::Storage raw(3, 2);
  raw.resizeNonZeros(4);
  std::copy_n(starts, 3, raw.outerIndexPtr());
  std::copy_n(rows, 4, raw.innerIndexPtr());
  std::copy_n(values, 4, raw.valuePtr());
  const EigenMatrix unsorted(raw);
  BOOST_TEST(is_tidy(unsorted));
  BOOST_TEST(equal(dense(unsorted), expected));
}

BOOST_AUTO_TEST_CASE(norms_are_sums_of_magnitudes) {
  MultiVector A(2, 3);
  A << 1, -2, 0, -3, 4, 0;
  BOOST_TEST(equal(EigenEngine::column_norms(with_all_stored(A)), Vector{{4., 6., 0.}}));
  BOOST_TEST(equal(EigenEngine::row_norms(with_all_stored(A)), Vector{{3., 7.}}));
}

// Columns of fewer entries than are added at once, of as many, and of some more; weights that leave out an
// infinity.
BOOST_AUTO_TEST_CASE(norms_of_columns_of_any_length_are_sums_of_magnitudes) {
  const Index n = 45;
  MultiVector A = random_vectors(n, n, 3);
  for (Index j = 0; j < n; ++j)
    A.col(j).tail(n - j).setZero();
  const Vector expected = A.cwiseAbs().colwise().sum().transpose();
  BOOST_TEST((EigenEngine::column_norms(sparse(A)) - expected).cwiseAbs().maxCoeff() < 1e-13);
  A.row(0).tail(n - 1).setConstant(HUGE_VAL);
  std::vector<Index> rows;
  for (Index i = 1; i < n; ++i)
    rows.push_back(i);
  const EigenMatrix with_infinity = sparse(A);
  const Vector without = EigenEngine::column_norms(with_infinity, Selection(rows, with_infinity.rows()));
  BOOST_TEST((without - A.bottomRows(n - 1).cwiseAbs().colwise().sum().transpose()).cwiseAbs().maxCoeff() <
             1e-13);
}

BOOST_AUTO_TEST_CASE(a_norm_is_zero_only_where_all_values_are) {
  MultiVector A = MultiVector::Zero(3, 3);
  A(1, 0) = denormal;
  A(2, 1) = -1e-200;
  const Vector columns = EigenEngine::column_norms(with_all_stored(A));
  BOOST_TEST(columns[0] == denormal);
  BOOST_TEST(columns[1] == 1e-200);
  BOOST_TEST(columns[2] == 0.);
  BOOST_TEST(EigenEngine::row_norms(with_all_stored(A))[1] == denormal);
}

BOOST_AUTO_TEST_CASE(norms_over_some_rows_see_no_others) {
  MultiVector A = random_sparse(40, 5, 1);
  A.col(3).setZero();
  A(6, 3) = 1e300;
  A(7, 3) = denormal;
  for (const std::vector<Index>& left_out : {std::vector<Index>{}, {6}, {0, 6, 39}}) {
    std::vector<Index> rows;
    for (Index i = 0; i < A.rows(); ++i)
      if (!std::binary_search(left_out.begin(), left_out.end(), i)) rows.push_back(i);
    const Vector norms = EigenEngine::column_norms(with_all_stored(A), Selection(rows, Partition(40))),
                 of_entries = EigenEngine::column_norms(sparse(A), Selection(rows, Partition(40)));
    const Vector expected = A(rows, Eigen::all).cwiseAbs().colwise().sum().transpose();
    BOOST_TEST(((norms - expected).array().abs() <= 1e-15 * expected.array()).all());
    BOOST_TEST(((of_entries - expected).array().abs() <= 1e-15 * expected.array()).all());
  }
  A(6, 3) = infinite;
  const Selection others({3, 7, 11}, Partition(40));
  BOOST_TEST(EigenEngine::column_norms(sparse(A), others)[3] == denormal);
  A(7, 3) = not_a_number;
  BOOST_TEST(std::isnan(EigenEngine::column_norms(sparse(A), others)[3]));
}

BOOST_AUTO_TEST_CASE(the_first_non_finite_entry_is_the_one_in_the_lowest_row) {
  MultiVector A = MultiVector::Ones(4, 4);
  BOOST_TEST(!EigenEngine::find_non_finite(sparse(A)).has_value());
  A(3, 0) = infinite;
  A(1, 2) = -infinite;
  A(1, 3) = not_a_number;
  const auto entry = EigenEngine::find_non_finite(sparse(A));
  BOOST_REQUIRE(entry.has_value());
  BOOST_TEST(entry->row == 1);
  BOOST_TEST(entry->column == 2);
  BOOST_TEST(entry->value == -infinite);
  A(1, 2) = 0;
  BOOST_TEST(std::isnan(EigenEngine::find_non_finite(sparse(A))->value));
}

BOOST_AUTO_TEST_CASE(columns_are_selected_without_stored_zeros) {
  const MultiVector M = random_sparse(5, 2, 1), C = random_sparse(5, 2, 2), K = random_sparse(5, 2, 3);
  const std::vector<ColumnSource> source = {ColumnSource::stiffness, ColumnSource::mass,
                                            ColumnSource::damping, ColumnSource::damping, ColumnSource::mass};
  MultiVector expected(5, 5);
  expected << K.col(0), M.col(1), C.col(2), C.col(3), M.col(4);
  const EigenMatrix D =
      EigenEngine::select_columns(with_all_stored(M), with_all_stored(C), with_all_stored(K), source);
  BOOST_TEST(equal(dense(D), expected));
  BOOST_TEST(is_tidy(D));
  BOOST_CHECK_THROW(EigenEngine::select_columns(sparse(M), sparse(C), sparse(K), {ColumnSource::mass}),
                    InvalidInput);
  BOOST_CHECK_THROW(EigenEngine::select_columns(sparse(M), sparse(C.leftCols(4)), sparse(K), source),
                    InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_submatrix_holds_the_selected_rows_and_columns_without_stored_zeros) {
  const MultiVector A = random_sparse(7, 3, 1);
  const std::vector<Index> rows = {1, 2, 5}, columns = {0, 2, 5, 6};
  const EigenMatrix B = EigenEngine::submatrix(with_all_stored(A), Selection(rows, Partition(7)),
                                               Selection(columns, Partition(7)));
  BOOST_TEST(equal(dense(B), A(rows, columns)));
  BOOST_TEST(is_tidy(B));
  const EigenMatrix none = EigenEngine::submatrix(sparse(A), Selection(), Selection(columns, Partition(7)));
  BOOST_TEST(none.rows().n_local() == 0);
  BOOST_TEST(none.columns().n_local() == 4);
}

BOOST_AUTO_TEST_CASE(blocks_of_several_rows_are_submatrices) {
  const MultiVector A = random_sparse(9, 4, 1).leftCols(9);
  const MultiVector symmetric = A + A.transpose();
  const Selection columns({0, 2, 5, 6}, Partition(9)), others({1, 7, 8}, Partition(9)),
      none({}, Partition(9));
  for (const MultiVector& of : {A, symmetric}) {
    const auto blocks = EigenEngine::row_blocks(with_all_stored(of), {others, columns, none}, columns);
    BOOST_REQUIRE(blocks.size() == 3u);
    BOOST_TEST(equal(dense(blocks[0]), of(others.local(), columns.local())));
    BOOST_TEST(equal(dense(blocks[1]), of(columns.local(), columns.local())));
    BOOST_TEST(blocks[2].rows().n_local() == 0);
    BOOST_TEST(blocks[2].columns().n_local() == 4);
    BOOST_TEST((is_tidy(blocks[0]) && is_tidy(blocks[1])));
    BOOST_TEST(!blocks[0].is_symmetric());
    BOOST_TEST(blocks[1].is_symmetric() == (of == symmetric));
  }
}

BOOST_AUTO_TEST_CASE(asymmetry_is_relative_to_both_columns_and_goes_by_values) {
  const auto rounding = boost::test_tools::tolerance(1e-15);
  MultiVector A(3, 3);
  A << 4, 1, 0, 1.5, 2, 0, 0, 0, 1;
  BOOST_TEST(EigenEngine::asymmetry(sparse(A)) == 0.5 / std::sqrt(5.5 * 3), rounding);
  BOOST_TEST(EigenEngine::asymmetry(with_all_stored(A)) == 0.5 / std::sqrt(5.5 * 3), rounding);
  A(0, 1) = 1.5;
  BOOST_TEST(EigenEngine::asymmetry(with_all_stored(A)) == 0.);
  A(0, 2) = 1e-3;  // no partner in the pattern
  BOOST_TEST(EigenEngine::asymmetry(sparse(A)) == 1e-3 / std::sqrt(5.5 * 1.001), rounding);
  BOOST_TEST(EigenEngine::asymmetry(sparse(A.transpose())) == 1e-3 / std::sqrt(5.501), rounding);
  BOOST_TEST(EigenEngine::asymmetry(sparse(MultiVector::Zero(3, 3))) == 0.);
  BOOST_TEST(EigenEngine::asymmetry(sparse(MultiVector(0, 0))) == 0.);
  BOOST_CHECK_THROW(EigenEngine::asymmetry(sparse(MultiVector::Ones(2, 3))), InvalidInput);
}

BOOST_AUTO_TEST_CASE(asymmetry_agrees_with_the_dense_definition) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const MultiVector A = random_sparse(15, 4, seed);
    const Vector norms = A.cwiseAbs().colwise().sum().transpose();
    double expected = 0;
    for (Index i = 0; i < 15; ++i)
      for (Index j = 0; j < 15; ++j)
        expected = std::max(expected, std::abs(A(i, j) - A(j, i)) / std::sqrt(norms[i] * norms[j]));
    BOOST_TEST(EigenEngine::asymmetry(sparse(A)) == expected, boost::test_tools::tolerance(1e-14));
    BOOST_TEST(EigenEngine::asymmetry(sparse(A + A.transpose())) == 0.);
  }
}

BOOST_AUTO_TEST_CASE(sums_and_diagonals_leave_no_zeros) {
  const MultiVector A = random_sparse(6, 2, 1), B = random_sparse(6, 3, 2);
  const EigenMatrix S = EigenEngine::sum(2., with_all_stored(A), -3., sparse(B));
  BOOST_TEST((dense(S) - (2 * A - 3 * B)).norm() < 1e-15 * B.norm());
  BOOST_TEST(is_tidy(S));
  BOOST_TEST(EigenEngine::sum(1., sparse(A), -1., sparse(A)).n_local_entries() == 0);
  BOOST_CHECK_THROW(EigenEngine::sum(1., sparse(A), 1., sparse(B.leftCols(5))), InvalidInput);

  const EigenMatrix D = EigenEngine::diagonal(Vector{{1., 0., -2.}}, Partition(3));
  BOOST_TEST(D.n_local_entries() == 2);
  BOOST_TEST(dense(D)(2, 2) == -2.);
  BOOST_CHECK_THROW(EigenEngine::diagonal(Vector::Ones(2), Partition(3)), InvalidInput);
}

BOOST_AUTO_TEST_CASE(empty_matrices_are_matrices) {
  const EigenMatrix none;
  BOOST_TEST(none.rows().n_global() == 0);
  BOOST_TEST(EigenEngine::column_norms(none).size() == 0);
  BOOST_TEST(EigenEngine::row_norms(none).size() == 0);
  BOOST_TEST(!EigenEngine::find_non_finite(none).has_value());
  BOOST_TEST(EigenEngine::select_columns(none, none, none, {}).n_local_entries() == 0);
  BOOST_TEST(EigenEngine::sum(1., none, 1., none).rows().n_local() == 0);
  BOOST_TEST(EigenEngine::to_dense(none).size() == 0);
}

BOOST_AUTO_TEST_CASE(a_submatrix_of_everything_shares_the_entries_unless_zeros_are_stored) {
  MultiVector A = random_sparse(9, 4, 1).leftCols(9);
  const EigenMatrix matrix = sparse(A);
  const Partition rows(9);
  const Selection all({0, 1, 2, 3, 4, 5, 6, 7, 8}, rows), some({0, 2, 8}, rows), none({}, rows);
  BOOST_TEST(&EigenEngine::submatrix(matrix, all, all).entries() == &matrix.entries());
  BOOST_TEST((dense(EigenEngine::submatrix(matrix, all, some)) - A(Eigen::all, some.local())).isZero(0));
  const EigenMatrix empty = EigenEngine::submatrix(matrix, all, none);
  BOOST_TEST(empty.rows().n_global() == 9);
  BOOST_TEST(empty.columns().n_global() == 0);
  EigenMatrix::Storage zeros = matrix.entries();
  zeros.valuePtr()[3] = 0;
  const EigenMatrix stored{zeros};
  BOOST_TEST(EigenEngine::submatrix(stored, all, all).n_local_entries() == matrix.n_local_entries() - 1);
  const std::vector<EigenMatrix> blocks = EigenEngine::row_blocks(matrix, {none, all}, all);
  BOOST_TEST(blocks[0].rows().n_global() == 0);
  BOOST_TEST(blocks[0].columns().n_global() == 9);
  BOOST_TEST(&blocks[1].entries() == &matrix.entries());
}

BOOST_AUTO_TEST_CASE(arrays_of_another_program_are_used_without_a_copy) {
  const MultiVector A = random_sparse(9, 4, 2).leftCols(9);
  auto arrays = std::make_shared<EigenMatrix::Storage>(sparse(A).entries());
  const EigenMatrix::Entries view(9, 9, arrays->nonZeros(), arrays->outerIndexPtr(), arrays->innerIndexPtr(),
                                  arrays->valuePtr());
  const double* const values = arrays->valuePtr();
  const std::weak_ptr<EigenMatrix::Storage> watched = arrays;
  {
    const EigenMatrix shared(view, std::exchange(arrays, nullptr)), copy = shared;
    BOOST_TEST(copy.entries().valuePtr() == values);
    BOOST_TEST(!watched.expired());
    BOOST_TEST((dense(copy) - A).isZero(0));
  }
  BOOST_TEST(watched.expired());
}

BOOST_AUTO_TEST_CASE(shared_arrays_are_checked) {
  const std::vector<int> starts{0, 2, 2}, descending{1, 0}, repeated{1, 1}, outside{0, 2}, negative{-1, 0};
  const std::vector<double> values{1, 2};
  for (const std::vector<int>& rows : {descending, repeated, outside, negative})
    BOOST_CHECK_THROW(
        EigenMatrix(EigenMatrix::Entries(2, 2, 2, starts.data(), rows.data(), values.data()), nullptr),
        InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
