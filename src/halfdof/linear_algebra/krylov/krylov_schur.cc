// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/pseudo_random.h>
#include <halfdof/linear_algebra/kernels/tall_blocks.h>
#include <halfdof/linear_algebra/krylov/krylov_schur.h>

#include <Eigen/Cholesky>

#include <cmath>
#include <complex>
#include <optional>
#include <utility>

namespace halfdof::internal {

namespace {

/// If a projection reduces the norm of a vector to less than this fraction, the remainder is rounding error.
constexpr double rounding = 1e-14;

/// Returns the Cholesky factor S with S^H S = G, where G contains the inner products of the columns of a
/// block. No value is returned if S would have few correct digits: because the diagonal of G is tiny compared
/// with `before`, the squared norms of the columns before a projection, or because a column depends nearly
/// linearly on the columns to its left.
template <class Scalar>
std::optional<DenseMatrix<Scalar>> cholesky_factor(const Vector& before, const DenseMatrix<Scalar>& G) {
  constexpr double min_pivot = 1e-4, min_square = 1e-20;
  const Eigen::LLT<DenseMatrix<Scalar>> cholesky(G);
  if (cholesky.info() != Eigen::Success) return std::nullopt;
  DenseMatrix<Scalar> S = cholesky.matrixU();
  for (Eigen::Index j = 0; j < S.cols(); ++j)
    if (const double square = std::abs(G(j, j));
        !(std::norm(S(j, j)) > min_pivot * square && square > min_square * before[j]))
      return std::nullopt;
  return S;
}

/// Computes the inner products [V N]^H N for the new block N S^{-1} from those for the old block N. The last
/// p rows of the result are the identity up to rounding. No value is returned if the relative errors of the
/// columns of N would grow by more than a small factor. Shapes: products (n + p) x p, inverse S^{-1} p x p.
template <class Scalar>
std::optional<DenseMatrix<Scalar>> transform_products(const DenseMatrix<Scalar>& products,
                                                      const DenseMatrix<Scalar>& inverse) {
  constexpr double max_growth = 4;
  const Eigen::Index p = inverse.rows();
  const Vector sizes = products.bottomRows(p).diagonal().cwiseAbs().cwiseSqrt();
  if (!(sizes.cwiseProduct(inverse.rowwise().norm()).maxCoeff() <= max_growth)) return std::nullopt;
  DenseMatrix<Scalar> result = products * inverse;
  result.bottomRows(p) = inverse.adjoint() * result.bottomRows(p);
  return result;
}

void check_finite(const Vector& sizes) {
  if (!sizes.allFinite())
    throw InvalidInput(
        "The Krylov iteration for eigenvalues found an infinite value or NaN in the result of its operator. "
        "If the operator contains the inverse of a shifted matrix, the shift may be "
        "an eigenvalue: change the shift.");
}

}  // namespace

template <class Scalar>
KrylovSchur<Scalar>::KrylovSchur(const BlockOperator<Scalar>& apply, Partition rows, Index max_size,
                                 Index n_block, Index n_start_steps)
    : apply_(&apply),
      rows_(std::move(rows)),
      max_size_(max_size),
      n_block_(n_block),
      n_start_steps_(n_start_steps),
      vectors_(rows_.n_local(), max_size + n_block),
      H_(DenseMatrix<Scalar>::Zero(max_size + n_block, max_size)) {
  append(random_block(), 0);
}

template <class Scalar>
void KrylovSchur<Scalar>::expand() {
  const Index m = size_ + n_block_;
  const DenseMatrix<Scalar> image = (*apply_)(vectors_.middleCols(size_, n_block_));
  H_.block(0, size_, m + n_block_, n_block_) = append(image, m);
  size_ = m;
}

template <class Scalar>
OrderedSchurForm<Scalar> KrylovSchur<Scalar>::schur_form(Index n_first) const {
  return ordered_schur_form<Scalar>(H_.topLeftCorner(size_, size_), n_first);
}

template <class Scalar>
OrderedSchurForm<Scalar> KrylovSchur<Scalar>::schur_form_of_complement(Index n_found, Index n_first) const {
  const Index n = size_ - n_found;
  return ordered_schur_form<Scalar>(H_.block(n_found, n_found, n, n), n_first);
}

template <class Scalar>
Vector KrylovSchur<Scalar>::residuals(const OrderedSchurForm<Scalar>& schur) const {
  return residuals_of_complement(0, schur);
}

template <class Scalar>
Vector KrylovSchur<Scalar>::residuals_of_complement(Index n_found,
                                                    const OrderedSchurForm<Scalar>& schur) const {
  return (H_.block(size_, n_found, n_block_, size_ - n_found) * schur.Q).colwise().norm().transpose();
}

template <class Scalar>
void KrylovSchur<Scalar>::restart(const OrderedSchurForm<Scalar>& schur, Index n_kept) {
  const DenseMatrix<Scalar> Q = schur.Q.leftCols(n_kept);
  const DenseMatrix<Scalar> B = H_.block(size_, 0, n_block_, size_) * Q;
  combine_in_place<Scalar>(vectors_.leftCols(size_), Q);
  vectors_.middleCols(n_kept, n_block_) = vectors_.middleCols(size_, n_block_).eval();
  H_.setZero();
  H_.topLeftCorner(n_kept, n_kept) = schur.T.topLeftCorner(n_kept, n_kept);
  H_.block(n_kept, 0, n_block_, n_kept) = B;
  size_ = n_kept;
}

template <class Scalar>
void KrylovSchur<Scalar>::start_new_block() {
  H_.block(size_, 0, n_block_, size_).setZero();
  append(random_block(), size_);
}

template <class Scalar>
DenseMatrix<Scalar> KrylovSchur<Scalar>::random_block() {
  DenseMatrix<Scalar> X = pseudo_random(rows_, n_block_, n_random_).template cast<Scalar>();
  n_random_ += n_block_;
  for (Index step = 0; step < n_start_steps_; ++step) {
    X = (*apply_)(X);
    const Vector sizes = column_norms<Scalar>(rows_.communicator(), X);
    check_finite(sizes);
    for (Index j = 0; j < n_block_; ++j)
      if (sizes[j] > 0) X.col(j) /= sizes[j];
  }
  return X;
}

/// Applies block Gram-Schmidt orthogonalization until a projection changes N little. As a rule, two
/// projections are needed (Barlow and Smoktunowicz 2013). The inner products for the next projection are
/// computed while the present projection is subtracted, and are transformed by transform_products() when N is
/// orthonormalized, so that V is read three times instead of four. If the columns of N are nearly dependent,
/// so that the transformation would amplify rounding errors, the inner products are computed again.
template <class Scalar>
DenseMatrix<Scalar> KrylovSchur<Scalar>::append(const DenseMatrix<Scalar>& W, Index n_before) {
  constexpr int max_passes = 5;
  constexpr double small = 0.1;
  const Communicator& communicator = rows_.communicator();
  const auto V = vectors_.leftCols(n_before), both = vectors_.leftCols(n_before + n_block_);
  auto N = vectors_.middleCols(n_before, n_block_);
  N = W;
  DenseMatrix<Scalar> C = DenseMatrix<Scalar>::Zero(n_before, n_block_),
                      S = DenseMatrix<Scalar>::Identity(n_block_, n_block_);
  DenseMatrix<Scalar> products = tall_products<Scalar>(communicator, both, N);
  for (int pass = 0; pass < max_passes; ++pass) {
    const DenseMatrix<Scalar> C_N = products.topRows(n_before), G = products.bottomRows(n_block_);
    const Vector squares = G.diagonal().real();
    check_finite(squares);
    const bool last = pass > 0 && C_N.norm() < small;
    std::optional<DenseMatrix<Scalar>> S_N;
    if (last) {
      subtract_combination<Scalar>(V, C_N, N);
      S_N = cholesky_factor<Scalar>(squares, G - C_N.adjoint() * C_N);
    } else {
      products = subtract_combination_and_multiply<Scalar>(communicator, V, C_N, N);
      S_N = cholesky_factor<Scalar>(squares, products.bottomRows(n_block_));
    }
    const bool is_regular = S_N.has_value();
    if (is_regular) {
      const DenseMatrix<Scalar> inverse = S_N->template triangularView<Eigen::Upper>().solve(
          DenseMatrix<Scalar>::Identity(n_block_, n_block_));
      combine_in_place<Scalar>(N, inverse);
      if (!last) products = transform_products<Scalar>(products, inverse).value_or(DenseMatrix<Scalar>());
    } else {
      S_N = orthonormalize_columns(N, squares.cwiseSqrt());
      products.resize(0, 0);
    }
    C += C_N * S;
    S = *S_N * S;
    if (last && is_regular) break;
    if (products.size() == 0) products = tall_products<Scalar>(communicator, both, N);
  }
  DenseMatrix<Scalar> coefficients(n_before + n_block_, n_block_);
  coefficients << C, S;
  return coefficients;
}

/// Computes the QR factorization W = Q S column by column, replaces W by Q and returns S. A column that
/// depends on the columns to its left is replaced by a pseudo-random column, whose row of S is null.
/// @param sizes The norms of the columns before a projection, to which rounding errors are relative
template <class Scalar>
DenseMatrix<Scalar> KrylovSchur<Scalar>::orthonormalize_columns(View<Scalar> W, const Vector& sizes) {
  const Communicator& communicator = rows_.communicator();
  DenseMatrix<Scalar> S = DenseMatrix<Scalar>::Zero(n_block_, n_block_);
  const auto orthogonalize = [&](Index j) -> DenseMatrix<Scalar> {
    const DenseMatrix<Scalar> products = tall_products<Scalar>(communicator, W.leftCols(j), W.col(j));
    subtract_combination<Scalar>(W.leftCols(j), products, W.col(j));
    return products;
  };
  for (Index j = 0; j < n_block_; ++j) {
    S.col(j).head(j) = orthogonalize(j) + orthogonalize(j);
    double size = norm(communicator, W.col(j));
    if (size > rounding * sizes[j]) {
      S(j, j) = size;
    } else {
      W.col(j) = pseudo_random(rows_, 1, n_random_++).template cast<Scalar>();
      orthogonalize(j);
      size = norm(communicator, W.col(j));
    }
    W.col(j) /= size;
  }
  return S;
}

template class KrylovSchur<double>;
template class KrylovSchur<Complex>;

}  // namespace halfdof::internal
