// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/krylov/invariant_subspace.h>
#include <halfdof/linear_algebra/trilinos/engine.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <boost/test/unit_test.hpp>

#include "trilinos/random_systems.h"
#include <algorithm>
#include <functional>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(trilinos_subspace)

namespace {

SubspaceOptions sought(Index n_eigenvalues) {
  SubspaceOptions options;
  options.n_eigenvalues = n_eigenvalues;
  return options;
}

BlockOperator<double> times(const TrilinosMatrix& A) {
  return [&A](ConstView<double> X) {
    MultiVector Y = MultiVector::Zero(A.rows().n_local(), X.cols());
    A.add_product(1., X, Y);
    return Y;
  };
}

MultiVector subspace(const MultiVector& dense, const SubspaceOptions& options, Layout layout) {
  const Partition rows = partition(static_cast<int>(dense.rows()), layout);
  const TrilinosMatrix A = TrilinosMatrix::distribute(dense.sparseView(), rows, rows);
  return whole(dominant_subspace(times(A), rows, options).Q, rows);
}

std::vector<double> magnitudes(const MultiVector& A) {
  const Vector all = A.eigenvalues().cwiseAbs();
  std::vector<double> sorted(all.data(), all.data() + all.size());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  return sorted;
}

/// Orthonormal, invariant to the tolerance of the iteration (1e-12) times the condition of the eigenvectors
/// (below 1e3), and belonging to the largest of all eigenvalues.
void check_dominant(const MultiVector& A, const MultiVector& Q, Index n_columns, double digits = 1e-9) {
  BOOST_TEST(Q.cols() == n_columns);
  BOOST_TEST((Q.transpose() * Q - MultiVector::Identity(Q.cols(), Q.cols())).norm() < 1e-12);
  const MultiVector T = Q.transpose() * A * Q;
  BOOST_TEST((A * Q - Q * T).norm() < 1e-9 * A.norm());
  const std::vector<double> all = magnitudes(A), found = magnitudes(T);
  for (std::size_t k = 0; k < found.size(); ++k)
    BOOST_TEST(std::abs(found[k] - all[k]) < digits * all[0]);
}

/// X B X^{-1} with a fixed, well-conditioned X.
MultiVector similar(const MultiVector& B) {
  const Eigen::Index n = B.rows();
  const MultiVector X = MultiVector::NullaryExpr(n, n, [](Eigen::Index i, Eigen::Index j) {
    return (i == j ? 3. : 0.) +
           std::sin(1. + 7. * static_cast<double>(i) + 13. * static_cast<double>(j * j)) / 10.;
  });
  return X * B * X.inverse();
}

/// Eigenvalues 1/1, 1/2, 1/3, ...
MultiVector harmonic(int n) {
  return MultiVector(
      Vector::NullaryExpr(n, [](Eigen::Index i) { return 1. / static_cast<double>(i + 1); }).asDiagonal());
}

}  // namespace

BOOST_AUTO_TEST_CASE(small_operators_are_treated_densely) {
  for (const Layout layout : all_layouts)
    for (const int n : {1, 2, 7, 40}) {
      const MultiVector A = similar(harmonic(n));
      check_dominant(A, subspace(A, sought(1), layout), 1);
    }
}

BOOST_AUTO_TEST_CASE(unsymmetric_operators_give_their_largest_eigenvalues) {
  for (const Layout layout : all_layouts) {
    const MultiVector A = similar(harmonic(90));
    check_dominant(A, subspace(A, sought(6), layout), 6);
  }
}

BOOST_AUTO_TEST_CASE(complex_pairs_are_never_cut) {
  MultiVector B = harmonic(80);
  B.block<2, 2>(2, 2) << 0.3, 2, -2, 0.3;
  B.block<2, 2>(9, 9) << -0.1, 1.5, -1.5, -0.1;
  const MultiVector A = similar(B);
  for (const Layout layout : all_layouts) {
    check_dominant(A, subspace(A, sought(1), layout), 2);
    check_dominant(A, subspace(A, sought(4), layout), 4);
    check_dominant(A, subspace(A, sought(3), layout), 4);
  }
}

BOOST_AUTO_TEST_CASE(multiple_eigenvalues_come_with_all_their_copies) {
  MultiVector B = harmonic(80) * 0.5;
  for (const int i : {5, 20, 33, 47, 61, 79})
    B(i, i) = 3;
  B(8, 8) = B(50, 50) = -2;
  const MultiVector A = similar(B);
  check_dominant(A, subspace(A, sought(8), Layout::scattered), 8);
}

BOOST_AUTO_TEST_CASE(a_defective_eigenvalue_keeps_its_whole_invariant_subspace) {
  // A rigid motion: displacement and velocity share one eigenvector.
  MultiVector B = harmonic(70) * 0.3;
  B.block<2, 2>(4, 4) << 1, 1, 0, 1;
  const MultiVector A = similar(B);
  // The double eigenvalue itself is known to the square root of the tolerance only.
  check_dominant(A, subspace(A, sought(2), Layout::consecutive), 2, 1e-5);
}

BOOST_AUTO_TEST_CASE(an_operator_of_low_rank_or_zero_gives_a_basis_of_full_size) {
  MultiVector B = MultiVector::Zero(60, 60);
  B(0, 0) = 2, B(1, 1) = -1;
  const MultiVector A = similar(B);
  // Rounding makes pairs of zeros, of which none is cut.
  const MultiVector basis = subspace(A, sought(4), Layout::scattered);
  BOOST_TEST((basis.cols() == 4 || basis.cols() == 5));
  check_dominant(A, basis, static_cast<Index>(basis.cols()));
  const MultiVector Q = subspace(MultiVector::Zero(60, 60), sought(3), Layout::scattered);
  BOOST_TEST((Q.transpose() * Q - MultiVector::Identity(3, 3)).norm() < 1e-12);
}

BOOST_AUTO_TEST_CASE(more_copies_than_the_block_has_columns_are_found_on_every_layout) {
  MultiVector A = MultiVector::Zero(120, 120);
  A.diagonal() = Vector::LinSpaced(120, 2., 1.).array().pow(3);
  A.diagonal().tail(11).setConstant(10);
  for (const Layout layout : all_layouts)
    check_dominant(A, subspace(A, sought(12), layout), 12);
}

BOOST_AUTO_TEST_CASE(the_scale_of_the_operator_does_not_matter) {
  const MultiVector A = similar(harmonic(60));
  for (const double scale : {1e-20, 1e20})
    check_dominant(A, subspace(scale * A, sought(3), Layout::scattered), 3);
}

BOOST_AUTO_TEST_CASE(too_few_restarts_are_reported_with_the_residual_reached) {
  MultiVector A = MultiVector::Identity(200, 200);
  for (int i = 0; i < 200; ++i)
    A(i, i) += 1e-4 * i;
  SubspaceOptions options = sought(6);
  options.max_restarts = 1;
  BOOST_CHECK_EXCEPTION(subspace(A, options, Layout::consecutive), NoConvergence,
                        [](const NoConvergence& error) { return error.residual() > 1e-12; });
}

BOOST_AUTO_TEST_CASE(operators_that_return_nan_and_bases_that_are_too_small_are_refused) {
  const Partition rows = partition(50, Layout::consecutive);
  const BlockOperator<double> bad = [&](ConstView<double> X) -> MultiVector {
    return (rows.local_index(3) >= 0 ? std::nan("") : 1.) * X;
  };
  BOOST_CHECK_THROW(dominant_subspace(bad, rows, sought(2)), InvalidInput);
  SubspaceOptions options = sought(6);
  options.n_basis = 7;
  BOOST_CHECK_THROW(subspace(harmonic(50), options, Layout::consecutive), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
