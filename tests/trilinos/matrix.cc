// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/trilinos/engine.h>

#include <Epetra_CrsMatrix.h>
#include <Epetra_Map.h>
#include <Epetra_MpiComm.h>
#include <boost/test/unit_test.hpp>

#include "trilinos/random_systems.h"
#include <cmath>
#include <limits>
#include <numeric>

using namespace halfdof;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(trilinos_matrix)

// Sums of about ten numbers of size one: a few roundings.
constexpr double rounding = 1e-14;

BOOST_AUTO_TEST_CASE(the_largest_value_of_all_processes_is_nan_if_one_is) {
  const auto world = communicator();
  const double rank = world->rank();
  double values[] = {rank, world->rank() == 0 ? std::nan("") : 5., -std::numeric_limits<double>::infinity()};
  world->max(values, 3);
  BOOST_TEST(values[0] == world->size() - 1.);
  BOOST_TEST(std::isnan(values[1]));
  BOOST_TEST(values[2] == -std::numeric_limits<double>::infinity());
}

BOOST_AUTO_TEST_CASE(bytes_are_gathered_in_order_of_rank_also_where_some_bring_none) {
  const auto world = communicator();
  const std::string mine(static_cast<std::size_t>(world->rank()), static_cast<char>('a' + world->rank()));
  const auto all = world->gather(mine);
  BOOST_TEST(all.size() == static_cast<std::size_t>(world->size()));
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    BOOST_TEST(all[rank] == std::string(rank, static_cast<char>('a' + rank)));
  BOOST_TEST(world->sum_before(world->rank() + 1) == world->rank() * (world->rank() + 1) / 2);
}

BOOST_AUTO_TEST_CASE(products_agree_with_dense_ones_on_every_layout) {
  for (const Layout layout : all_layouts) {
    const Partition rows = partition(40, layout), columns = partition(25, layout);
    const MultiVector dense = random_sparse(40, 25, 0.2);
    const TrilinosMatrix A = TrilinosMatrix::distribute(dense.sparseView(), rows, columns);
    const MultiVector x = random_dense(25, 3), y = random_dense(40, 3);

    MultiVector result = local(y, rows);
    A.add_product(-2., local(x, columns), result);
    BOOST_TEST(error_of(result, y - 2 * dense * x, rows) < rounding);

    MultiVector transposed = local(x, columns);
    A.add_transposed_product(0.5, local(y, rows), transposed);
    BOOST_TEST(error_of(transposed, x + 0.5 * dense.transpose() * y, columns) < rounding);

    const Complex alpha(0.3, -1.1);
    const ComplexMultiVector z = x * Complex(1, 2) + x.reverse() * Complex(0, 1);
    ComplexMultiVector complex_result = local(y, rows).cast<Complex>();
    A.add_product(alpha, local(z, columns), complex_result);
    BOOST_TEST(error_of(complex_result, ComplexMultiVector(y + alpha * (dense * z)), rows) < rounding);
    BOOST_TEST((TrilinosEngine::to_dense(A) - dense).norm() == 0.);
  }
}

BOOST_AUTO_TEST_CASE(a_column_block_of_a_larger_array_is_multiplied_in_place) {
  const Partition rows = partition(12, Layout::scattered);
  const MultiVector dense = random_sparse(12, 12, 0.4), x = random_dense(12, 5);
  const TrilinosMatrix A = TrilinosMatrix::distribute(dense.sparseView(), rows, rows);
  MultiVector y = MultiVector::Zero(rows.n_local(), 5);
  const MultiVector x_local = local(x, rows);
  A.add_product(1., x_local.middleCols(1, 3), y.middleCols(2, 3));
  MultiVector expected = MultiVector::Zero(12, 5);
  expected.middleCols(2, 3) = dense * x.middleCols(1, 3);
  BOOST_TEST(error_of(y, expected, rows) < rounding);
}

BOOST_AUTO_TEST_CASE(norms_of_rows_and_columns_are_sums_of_absolute_values) {
  for (const Layout layout : all_layouts) {
    const Partition rows = partition(30, layout), columns = partition(21, layout);
    const MultiVector dense = random_sparse(30, 21, 0.2);
    const TrilinosMatrix A = TrilinosMatrix::distribute(dense.sparseView(), rows, columns);
    const MultiVector by_column = dense.cwiseAbs().colwise().sum().transpose();
    const MultiVector by_row = dense.cwiseAbs().rowwise().sum();
    BOOST_TEST(error_of(MultiVector(TrilinosEngine::column_norms(A)), by_column, columns) < rounding);
    BOOST_TEST(error_of(MultiVector(TrilinosEngine::row_norms(A)), by_row, rows) < rounding);
    const Selection some = every_third(rows, 1);
    const MultiVector over_some =
        dense(gather_selected(some, rows), Eigen::all).cwiseAbs().colwise().sum().transpose();
    BOOST_TEST(error_of(MultiVector(TrilinosEngine::column_norms(A, some)), over_some, columns) < rounding);
  }
}

BOOST_AUTO_TEST_CASE(the_first_non_finite_entry_is_the_same_on_every_process) {
  const Partition rows = partition(10, Layout::scattered);
  Eigen::SparseMatrix<double> A = MultiVector(MultiVector::Identity(10, 10)).sparseView();
  BOOST_TEST(!TrilinosEngine::find_non_finite(TrilinosMatrix::distribute(A, rows, rows)).has_value());
  A.coeffRef(7, 4) = std::nan("");
  A.coeffRef(9, 2) = std::numeric_limits<double>::infinity();
  const auto found = TrilinosEngine::find_non_finite(TrilinosMatrix::distribute(A, rows, rows));
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(found->row == 7);
  BOOST_TEST(found->column == 4);
  BOOST_TEST(std::isnan(found->value));
}

BOOST_AUTO_TEST_CASE(columns_are_selected_from_three_matrices_and_stored_zeros_vanish) {
  for (const Layout layout : all_layouts) {
    const Partition rows = partition(18, layout);
    const MultiVector M = random_sparse(18, 18, 0.3), C = random_sparse(18, 18, 0.3),
                      K = random_sparse(18, 18, 0.3);
    MultiVector expected(18, 18);
    for (int j = 0; j < 18; ++j)
      expected.col(j) = j % 3 == 0 ? M.col(j) : j % 3 == 1 ? C.col(j) : K.col(j);
    std::vector<ColumnSource> source;
    for (Index j = 0; j < rows.n_local(); ++j)
      source.push_back(static_cast<ColumnSource>(rows.global_index(j) % 3));

    const TrilinosMatrix D = TrilinosEngine::select_columns(
        with_stored_zeros(M, rows), with_stored_zeros(C, rows), with_stored_zeros(K, rows), source);
    BOOST_TEST((TrilinosEngine::to_dense(D) - expected).norm() == 0.);
    BOOST_TEST(rows.communicator().count(D.n_local_entries()) == (expected.array() != 0).count());
  }
}

BOOST_AUTO_TEST_CASE(blocks_of_several_rows_are_submatrices) {
  for (const Layout layout : all_layouts) {
    const Partition rows = partition(20, layout), columns = partition(15, layout);
    const TrilinosMatrix A = with_stored_zeros(random_sparse(20, 15, 0.4), rows, columns);
    const Selection some = every_third(rows, 1), others = every_third(rows, 0),
                    of_columns = every_third(columns, 0);
    const std::vector<TrilinosMatrix> blocks = TrilinosEngine::row_blocks(A, {some, others}, of_columns);
    BOOST_TEST(blocks.size() == 2u);
    for (const bool first : {true, false}) {
      const TrilinosMatrix expected = TrilinosEngine::submatrix(A, first ? some : others, of_columns),
                           found = blocks[first ? 0 : 1];
      BOOST_TEST((TrilinosEngine::to_dense(found) - TrilinosEngine::to_dense(expected)).isZero(0));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_submatrix_is_renumbered_by_rank) {
  for (const Layout layout : all_layouts) {
    const Partition rows = partition(20, layout), columns = partition(15, layout);
    const MultiVector dense = random_sparse(20, 15, 0.4);
    const Selection some_rows = every_third(rows, 1), some_columns = every_third(columns, 0);
    const TrilinosMatrix A =
        TrilinosEngine::submatrix(with_stored_zeros(dense, rows, columns), some_rows, some_columns);

    const auto row_of = gather_selected(some_rows, rows), column_of = gather_selected(some_columns, columns);
    const MultiVector expected = dense(row_of, column_of);
    BOOST_TEST(A.rows().n_global() == 7);
    BOOST_TEST(A.columns().n_global() == 5);
    BOOST_TEST((TrilinosEngine::to_dense(A) - expected).norm() == 0.);
    BOOST_TEST(rows.communicator().count(A.n_local_entries()) == (expected.array() != 0).count());
  }
}

BOOST_AUTO_TEST_CASE(an_empty_selection_gives_an_empty_matrix) {
  const Partition rows = partition(6, Layout::scattered);
  const TrilinosMatrix A = TrilinosEngine::diagonal(Vector::Ones(rows.n_local()), rows);
  const TrilinosMatrix none = TrilinosEngine::submatrix(A, Selection({}, rows), Selection({}, rows));
  BOOST_TEST(none.rows().n_global() == 0);
  BOOST_TEST(TrilinosEngine::column_norms(none).size() == 0);
  BOOST_TEST(TrilinosEngine::asymmetry(none) == 0.);
  BOOST_TEST(TrilinosEngine::column_norms(TrilinosMatrix()).size() == 0);
}

BOOST_AUTO_TEST_CASE(asymmetry_is_relative_to_the_geometric_mean_of_column_norms) {
  for (const Layout layout : all_layouts) {
    const Partition rows = partition(16, layout);
    const MultiVector any = random_sparse(16, 16, 0.3);
    const MultiVector symmetric = any + any.transpose();
    BOOST_TEST(TrilinosEngine::asymmetry(TrilinosMatrix::distribute(symmetric.sparseView(), rows, rows)) ==
               0.);

    const Vector norms = any.cwiseAbs().colwise().sum();
    double expected = 0;
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j)
        expected = std::max(expected, std::abs(any(i, j) - any(j, i)) / std::sqrt(norms[i] * norms[j]));
    const double found = TrilinosEngine::asymmetry(TrilinosMatrix::distribute(any.sparseView(), rows, rows));
    BOOST_TEST(std::abs(found - expected) < rounding);
  }
}

BOOST_AUTO_TEST_CASE(a_symmetric_matrix_whose_rows_and_columns_are_distributed_differently_is_symmetric) {
  const MultiVector any = random_sparse(16, 16, 0.3);
  const MultiVector symmetric = any + any.transpose();
  const TrilinosMatrix A = TrilinosMatrix::distribute(
      symmetric.sparseView(), partition(16, Layout::scattered), partition(16, Layout::one_process));
  BOOST_TEST(TrilinosEngine::asymmetry(A) == 0.);
}

BOOST_AUTO_TEST_CASE(sums_and_diagonals_agree_with_dense_ones) {
  const Partition rows = partition(9, Layout::scattered);
  const MultiVector A = random_sparse(9, 9, 0.3), B = random_sparse(9, 9, 0.3);
  const TrilinosMatrix sum = TrilinosEngine::sum(2., TrilinosMatrix::distribute(A.sparseView(), rows, rows),
                                                 -3., TrilinosMatrix::distribute(B.sparseView(), rows, rows));
  BOOST_TEST((TrilinosEngine::to_dense(sum) - (2 * A - 3 * B)).norm() < rounding);
  const Vector d = random_dense(9, 1);
  const TrilinosMatrix diagonal = TrilinosEngine::diagonal(local(d, rows), rows);
  BOOST_TEST((TrilinosEngine::to_dense(diagonal) - MultiVector(d.asDiagonal())).norm() == 0.);
}

BOOST_AUTO_TEST_CASE(matrices_on_different_maps_are_not_added) {
  const TrilinosMatrix A =
      TrilinosMatrix::distribute(random_sparse(9, 9, 0.3).sparseView(), partition(9, Layout::consecutive),
                                 partition(9, Layout::consecutive));
  const TrilinosMatrix B =
      TrilinosMatrix::distribute(random_sparse(8, 8, 0.3).sparseView(), partition(8, Layout::consecutive),
                                 partition(8, Layout::consecutive));
  BOOST_CHECK_THROW(TrilinosEngine::sum(1., A, 1., B), InvalidInput);
}

BOOST_AUTO_TEST_CASE(an_epetra_matrix_is_taken_over_in_its_own_order) {
  const Epetra_MpiComm epetra(MPI_COMM_WORLD);
  const Epetra_Map map(-1, 2, 0, epetra);
  Epetra_CrsMatrix open(Copy, map, 1);
  for (int i = 0; i < 2; ++i) {
    const int row = map.GID(i), column = map.NumGlobalElements() - 1 - row;
    const double value = row + 1;
    open.InsertGlobalValues(row, 1, &value, &column);
  }
  BOOST_CHECK_THROW(TrilinosMatrix{open}, InvalidInput);
  open.FillComplete();
  const TrilinosMatrix A(open);
  BOOST_TEST(A.rows().n_global() == 2 * epetra.NumProc());
  BOOST_TEST(A.rows().global_index(1) == 2 * epetra.MyPID() + 1);
  BOOST_TEST(TrilinosEngine::to_dense(A)(0, 2 * epetra.NumProc() - 1) == 1.);
}

BOOST_AUTO_TEST_CASE(a_map_with_gaps_is_refused) {
  const Epetra_MpiComm epetra(MPI_COMM_WORLD);
  const int mine = 2 * epetra.MyPID() + 3;
  const Epetra_Map map(-1, 1, &mine, 0, epetra);
  Epetra_CrsMatrix A(Copy, map, 1);
  const double one = 1;
  A.InsertGlobalValues(mine, 1, &one, &mine);
  A.FillComplete();
  BOOST_CHECK_THROW(TrilinosMatrix{A}, InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_large_matrix_is_not_made_dense) {
  const Partition rows = partition(5001, Layout::consecutive);
  BOOST_CHECK_THROW(TrilinosEngine::to_dense(TrilinosEngine::diagonal(Vector::Ones(rows.n_local()), rows)),
                    NotAvailable);
}

BOOST_AUTO_TEST_CASE(a_submatrix_of_everything_shares_the_entries_where_the_numbering_stays) {
  const MultiVector A = random_dense(8, 8);
  for (const Layout layout : all_layouts) {
    const Partition rows = partition(8, layout);
    std::vector<Index> local(static_cast<std::size_t>(rows.n_local()));
    std::iota(local.begin(), local.end(), 0);
    const Selection all(local, rows);
    const TrilinosMatrix matrix = with_stored_zeros(A, rows),
                         same = TrilinosEngine::submatrix(matrix, all, all);
    const bool keeps_numbers = layout != Layout::scattered;
    BOOST_TEST((&same.entries() == &matrix.entries()) == keeps_numbers);
    const auto order = gather_selected(all, rows);
    BOOST_TEST((TrilinosEngine::to_dense(same) - A(order, order)).norm() == 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
