// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/signed_cholesky.h>

#include <boost/test/unit_test.hpp>

#include "linear_algebra/matrices.h"
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

constexpr double any_growth = HUGE_VAL;

/// Supernodes of these numbers of columns, in a random order, full but for rows that the first one has not.
SupernodesPtr supernodes(
    const std::vector<Index>& n_columns, unsigned seed,
    const std::function<bool(Index)>& is_in_first = [](Index) { return true; }) {
  auto result = std::make_shared<Supernodes>();
  const Index n = std::accumulate(n_columns.begin(), n_columns.end(), 0);
  result->first_columns = {0};
  result->row_starts = result->value_starts = {0};
  for (const Index width : n_columns) {
    const Index first = result->first_columns.back();
    for (Index row = first; row < n; ++row)
      if (first > 0 || row < width || is_in_first(row)) result->rows.push_back(row);
    result->first_columns.push_back(first + width);
    result->row_starts.push_back(static_cast<std::int64_t>(result->rows.size()));
    const auto s = result->first_columns.size() - 2;
    result->value_starts.push_back(result->value_starts.back() + std::int64_t(result->n_rows(s)) * width);
  }
  result->row_of_place.resize(static_cast<std::size_t>(n));
  std::iota(result->row_of_place.begin(), result->row_of_place.end(), 0);
  std::shuffle(result->row_of_place.begin(), result->row_of_place.end(), std::mt19937(seed));
  result->place_of_row.resize(static_cast<std::size_t>(n));
  for (Index k = 0; k < n; ++k)
    result->place_of_row[static_cast<std::size_t>(result->row_of_place[static_cast<std::size_t>(k)])] = k;
  result->max_rows = n;
  return result;
}

/// @param A All of its entries are handed over, zeros too.
template <class Scalar>
std::optional<SignedCholesky<Scalar>> factorize(const DenseMatrix<Scalar>& A, const SupernodesPtr& by,
                                                double largest_growth = any_growth) {
  SquarePattern pattern;
  pattern.n = static_cast<Index>(A.rows());
  for (Index j = 0; j <= pattern.n; ++j)
    pattern.starts.push_back(std::int64_t(j) * pattern.n);
  for (Index j = 0; j < pattern.n; ++j)
    for (Index i = 0; i < pattern.n; ++i)
      pattern.rows.push_back(i);
  return SignedCholesky<Scalar>::factorize(by, pattern, std::vector<Scalar>(A.data(), A.data() + A.size()),
                                           largest_growth);
}

template <class Scalar>
std::optional<SignedCholesky<Scalar>> factorize_full(const DenseMatrix<Scalar>& A,
                                                     const std::vector<Index>& n_columns,
                                                     double largest_growth = any_growth) {
  return factorize(A, supernodes(n_columns, 3), largest_growth);
}

/// [H B; B^T -G] with definite H and G.
MultiVector quasi_definite(Index n, Index n_negative, unsigned seed) {
  MultiVector A = random_vectors(n, n, seed) / std::sqrt(n);
  A = (A * A.transpose()).eval();
  const Index n_positive = n - n_negative;
  A.bottomRightCorner(n_negative, n_negative) *= -1;
  A.diagonal().head(n_positive).array() += 1.;
  A.diagonal().tail(n_negative).array() -= 1.;
  return A;
}

/// [H B; B^T -G]: a Laplacian between the nodes of H and those of G, every fourth, times `weight` in G.
EigenMatrix signed_grid(Index n, double weight = 1) {
  EigenMatrix::Storage A = laplacian(n, n, n).entries();
  for (Index j = 0; j < A.cols(); ++j)
    for (EigenMatrix::Storage::InnerIterator entry(A, j); entry; ++entry)
      if (entry.row() % 4 == 3 && j % 4 == 3) entry.valueRef() *= -weight;
  return EigenMatrix(std::move(A));
}

/// Both solves and their halves, for numbers of right-hand sides that have kernels of their own and for
/// others; `factors` is a factorization of either kind.
template <class Scalar, class Matrix, class Factors>
void check_solves(const Matrix& A, const Factors& factors) {
  const auto n = static_cast<Index>(A.rows());
  for (const Index n_columns : {0, 1, 2, 3, 4, 5, 8, 9, 40}) {
    DenseMatrix<Scalar> b = random_vectors(n, n_columns, 7).cast<Scalar>();
    if (n_columns > 0) b.col(0) *= std::sqrt(Scalar(-2) * Scalar(-1));
    const DenseMatrix<Scalar> x = factors.solve(b);
    BOOST_TEST(x.cols() == n_columns);
    if (n_columns == 0) continue;
    BOOST_TEST(backward_error(A, x, b) < 1e-12);
    const DenseMatrix<Scalar> z = factors.forward(b), h = random_vectors(n, 2, 8).cast<Scalar>();
    BOOST_TEST(backward_error(A, factors.backward(z), b) < 1e-12);
    const DenseMatrix<Scalar> g = factors.transposed_backward(h);
    BOOST_TEST((g.transpose() * z - h.transpose() * x).norm() < 1e-12 * g.norm() * z.norm());
  }
}

ComplexMultiVector complex_symmetric(Index n, Index n_negative, unsigned seed) {
  return quasi_definite(n, n_negative, seed).cast<Complex>() +
         Complex(0.2, 0.4) * quasi_definite(n, 0, seed + 1).cast<Complex>();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(signed_cholesky)

// Wider and narrower than the panels of updates and the blocks that are eliminated column by column.
BOOST_AUTO_TEST_CASE(a_full_quasi_definite_matrix_is_factorized_by_supernodes_of_any_width) {
  const MultiVector A = quasi_definite(560, 170, 1);
  const ComplexMultiVector Z = complex_symmetric(560, 170, 1);
  for (const std::vector<Index>& n_columns :
       std::vector<std::vector<Index>>{{560}, {1, 16, 17, 3, 523}, {150, 1, 409}, {33, 100, 427}}) {
    const auto factors = factorize_full<double>(A, n_columns);
    BOOST_REQUIRE(factors);
    check_solves<double>(A, *factors);
    const auto complex_factors = factorize_full<Complex>(Z, n_columns);
    BOOST_REQUIRE(complex_factors);
    check_solves<Complex>(Z, *complex_factors);
  }
}

// Rows with gaps between them are gathered and scattered, more of them than go into one panel.
BOOST_AUTO_TEST_CASE(a_supernode_updates_some_rows_of_wider_ones) {
  constexpr Index n_first = 40, n = 460;
  const auto is_in_first = [](Index place) { return place % 7 != 3; };
  const SupernodesPtr by = supernodes({n_first, 330, 90}, 3, is_in_first);
  MultiVector A = quasi_definite(n, 150, 1);
  for (Index j = 0; j < n_first; ++j)
    for (Index i = n_first; i < n; ++i)
      if (!is_in_first(i)) {
        const Index row = by->row_of_place[static_cast<std::size_t>(i)],
                    column = by->row_of_place[static_cast<std::size_t>(j)];
        A(row, column) = A(column, row) = 0;
      }
  for (Index i = 0; i < n; ++i)
    A(i, i) += A(i, i) > 0 ? 20 : -20;  // dominates what is left of the row
  const auto factors = factorize(A, by);
  BOOST_REQUIRE(factors);
  BOOST_TEST((factors->signs().array() < 0).count() == 150);
  check_solves<double>(A, *factors);
  const ComplexMultiVector Z = Complex(1, 0.4) * A.cast<Complex>();
  const auto complex_factors = factorize(Z, by);
  BOOST_REQUIRE(complex_factors);
  check_solves<Complex>(Z, *complex_factors);
}

// Sylvester's law: the signs count the negative eigenvalues, those of -G.
BOOST_AUTO_TEST_CASE(signs_are_the_inertia) {
  for (const Index n_negative : {0, 1, 20, 60}) {
    const auto factors = factorize_full<double>(quasi_definite(60, n_negative, 5), {7, 20, 33});
    BOOST_REQUIRE(factors);
    BOOST_TEST((factors->signs().array() < 0).count() == n_negative);
    BOOST_TEST((factors->signs().array() > 0).count() == 60 - n_negative);
  }
}

// Of (|L||L|^T)_ii / |a_ii|: one for a definite matrix, whatever its scale; large where a pivot is small by
// accident.
BOOST_AUTO_TEST_CASE(growth_is_measured_without_regard_to_scale) {
  const Vector scale = (40 * random_vectors(50, 1, 2).array()).exp();
  const MultiVector definite = quasi_definite(50, 0, 3),
                    scaled = scale.asDiagonal() * definite * scale.asDiagonal();
  for (const MultiVector& A : {definite, scaled}) {
    BOOST_TEST(factorize_full<double>(A, {10, 40}, 1 + 1e-12).has_value());
    BOOST_TEST(!factorize_full<double>(A, {10, 40}, 1 - 1e-12).has_value());
  }
  MultiVector small_pivots = MultiVector::Constant(50, 50, 1.);
  small_pivots.diagonal() = 1e-9 * Vector::LinSpaced(50, 1, 2);
  const MultiVector also = scale.asDiagonal() * small_pivots * scale.asDiagonal();
  for (const MultiVector& A : {small_pivots, also}) {
    BOOST_TEST(factorize_full<double>(A, {10, 40}).has_value());
    BOOST_TEST(!factorize_full<double>(A, {10, 40}, 1e6).has_value());
  }
}

BOOST_AUTO_TEST_CASE(a_zero_pivot_has_no_factors) {
  MultiVector A = quasi_definite(40, 10, 1);
  A.row(17).setZero();
  A.col(17).setZero();
  BOOST_TEST(!factorize_full<double>(A, {40}).has_value());
  BOOST_TEST(!factorize_full<double>(A, {20, 20}).has_value());
  BOOST_TEST(!factorize_full<double>(MultiVector::Zero(3, 3), {1, 2}).has_value());
}

BOOST_AUTO_TEST_CASE(the_engine_takes_it_for_quasi_definite_matrices_of_large_fill) {
  const EigenMatrix A = signed_grid(9);
  const auto factorization = EigenEngine::factorize(A);
  BOOST_TEST(factorization->report().reason == "symmetric indefinite, stable without pivoting");
  BOOST_TEST(factorization->report().is_positive_definite == false);
  BOOST_TEST(factorization->report().n_factor_entries > 20 * 729);
  BOOST_TEST(factorization->report().bytes >=
             8. * static_cast<double>(factorization->report().n_factor_entries));
  check_solves<double>(A.entries(), *factorization);
  const MultiVector b = random_vectors(729, 3, 4);
  BOOST_TEST(equal(factorization->solve_transposed(b), factorization->solve(b)));
}

// Supernodes of one sign, or nothing: the smallest eigenvalue of this Laplacian is about 0.17 above its
// diagonal less 6.
BOOST_AUTO_TEST_CASE(definite_matrices_have_pivots_of_one_sign) {
  const EigenMatrix::Storage laplace = laplacian(12, 12, 12).entries();
  const Index n = static_cast<Index>(laplace.rows());
  for (const double sign : {1., -1.})
    for (const double shift : {0.1, -0.1, -0.5}) {
      EigenMatrix::Storage A = laplace;
      for (Index i = 0; i < n; ++i)
        A.coeffRef(i, i) = laplace.coeff(i, i) + shift;
      A *= sign;
      const auto factorization = EigenEngine::factorize(EigenMatrix(A));
      const bool is_definite = shift > -0.17;
      const std::string reason = factorization->report().reason;
      BOOST_TEST((reason == (sign > 0 ? "symmetric positive definite" : "symmetric negative definite")) ==
                 is_definite);
      BOOST_TEST(factorization->report().is_positive_definite == (is_definite && sign > 0));
      check_solves<double>(A, *factorization);
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_number_stays_in_its_right_hand_side) {
  const auto factorization = EigenEngine::factorize(signed_grid(9));
  for (const Index n_columns : {2, 5, 9}) {
    MultiVector b = random_vectors(729, n_columns, 4);
    b(300, 1) = std::nan("");
    const MultiVector x = factorization->solve(b);
    BOOST_TEST(x.col(1).array().isNaN().any());
    for (Index c = 0; c < n_columns; ++c)
      if (c != 1) BOOST_TEST(x.col(c).allFinite());
  }
}

BOOST_AUTO_TEST_CASE(units_change_nothing) {
  const EigenMatrix A = signed_grid(9);
  const Vector units = (150 * random_vectors(729, 1, 2).array()).exp();
  const auto scaled = EigenEngine::factorize(EigenEngine::scaled(A, units, units));
  BOOST_TEST(scaled->report().reason == "symmetric indefinite, stable without pivoting");
  const MultiVector b = random_vectors(729, 3, 4),
                    x = units.asDiagonal() * scaled->solve(units.asDiagonal() * b);
  BOOST_TEST(backward_error(A.entries(), x, b) < 1e-12);
}

// Such a matrix counts as symmetric, and L has no place for them.
BOOST_AUTO_TEST_CASE(negligible_entries_above_the_diagonal_alone_change_nothing) {
  EigenMatrix::Storage A = signed_grid(9).entries();
  for (Index apart = 30; apart < 729; apart += 7)
    for (Index i = 0; i + apart < 729; ++i)
      if (A.coeff(i, i + apart) == 0) A.coeffRef(i, i + apart) = 1e-30;
  const auto factorization = EigenEngine::factorize(EigenMatrix(A));
  BOOST_TEST(factorization->report().reason == "symmetric indefinite, stable without pivoting");
  check_solves<double>(A, *factorization);
}

// With H = G = O(1) and weight w the sums of |L||L|^T are about 1/w in the rows of G.
BOOST_AUTO_TEST_CASE(some_growth_is_made_up_for_and_too_much_goes_to_lu) {
  for (const double weight : {1e-3, 1e-4, 1e-9}) {
    const EigenMatrix A = signed_grid(9, weight);
    const auto factorization = EigenEngine::factorize(A);
    BOOST_TEST((factorization->report().solver == Solver::ldlt) == (weight >= 1e-4));
    check_solves<double>(A.entries(), *factorization);
  }
}

// Pairs that no diagonal pivot may split: growth without bound; and a node that nothing holds.
BOOST_AUTO_TEST_CASE(what_is_not_quasi_definite_goes_to_lu_and_is_right) {
  EigenMatrix::Storage A = signed_grid(9).entries();
  for (Index i = 0; i < 40; ++i)
    A.coeffRef(18 * i, 18 * i) = 1e-11;
  const auto factorization = EigenEngine::factorize(EigenMatrix(A));
  BOOST_TEST((factorization->report().solver != Solver::ldlt));
  check_solves<double>(A, *factorization);
  for (Index j = 0; j < A.cols(); ++j)
    for (EigenMatrix::Storage::InnerIterator entry(A, j); entry; ++entry)
      if (j == 100 || entry.row() == 100) entry.valueRef() = 0;
  BOOST_CHECK_EXCEPTION(EigenEngine::factorize(EigenMatrix(A)), SingularMatrix,
                        [](const SingularMatrix& error) {
                          return std::string(error.what()).find("row 100") != std::string::npos;
                        });
}

BOOST_AUTO_TEST_CASE(a_pencil_has_real_and_complex_ones) {
  const EigenMatrix K = signed_grid(9);
  Vector mass = Vector::Ones(729);
  for (Index i = 3; i < 729; i += 4)
    mass[i] = 0;
  const EigenMatrix M = EigenEngine::diagonal(mass, K.rows()), C = EigenEngine::sum(0.3, M, 0.01, K);
  const EigenPencil pencil(M, C, K);
  const auto sum = [&](auto a, auto b, auto c) {
    using Scalar = decltype(a);
    using Sparse = Eigen::SparseMatrix<Scalar>;
    const Sparse of_M = M.entries().cast<Scalar>(), of_C = C.entries().cast<Scalar>(),
                 of_K = K.entries().cast<Scalar>();
    return Sparse(a * of_M + b * of_C + c * of_K);
  };
  for (const double rate : {2., 5.}) {
    const auto real = pencil.factorize(rate * rate, rate, 1.);
    BOOST_TEST(real->report().reason == "symmetric indefinite, stable without pivoting");
    check_solves<double>(sum(rate * rate, rate, 1.), *real);
    const Complex shift(-0.3, rate);
    const auto complex = pencil.factorize(shift * shift, shift, Complex(1.));
    BOOST_TEST(complex->report().reason == "complex symmetric, stable without pivoting");
    check_solves<Complex>(sum(shift * shift, shift, Complex(1.)), *complex);
  }
  BOOST_CHECK_THROW(pencil.factorize(Complex(0., 1.), 0., 0.), SingularMatrix);
  check_solves<Complex>(sum(Complex(0., 1.), Complex(0.), Complex(1.)),
                        *pencil.factorize(Complex(0., 1.), 0., 1.));
}

BOOST_AUTO_TEST_SUITE_END()
