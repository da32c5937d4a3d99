#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <algorithm>
#include <memory>
#include <string>

namespace halfdof {

namespace {

bool is_sorted(const EigenMatrix::Storage& A) {
  const Index* starts = A.outerIndexPtr();
  const Index* rows = A.innerIndexPtr();
  for (Index j = 0; j < A.outerSize(); ++j)
    for (Index k = starts[j] + 1; k < starts[j + 1]; ++k)
      if (rows[k - 1] >= rows[k]) return false;
  return true;
}

// Compressed, with ascending rows in each column; entries given twice add up.
void normalize(EigenMatrix::Storage& entries) {
  entries.makeCompressed();
  if (is_sorted(entries)) return;
  std::vector<Eigen::Triplet<double, Index>> triplets;
  triplets.reserve(static_cast<std::size_t>(entries.nonZeros()));
  for (Index j = 0; j < entries.outerSize(); ++j)
    for (EigenMatrix::Storage::InnerIterator entry(entries, j); entry; ++entry)
      triplets.emplace_back(entry.row(), j, entry.value());
  EigenMatrix::Storage sorted(entries.rows(), entries.cols());
  sorted.setFromTriplets(triplets.begin(), triplets.end());
  entries.swap(sorted);
}

std::shared_ptr<const EigenMatrix::Storage> taken(EigenMatrix::Storage& entries) {
  auto own = std::make_shared<EigenMatrix::Storage>();
  own->swap(entries);
  normalize(*own);
  return own;
}

// Bit for bit, stored zeros included. Columns are sorted: what column j has above the diagonal comes next
// below the diagonals of the columns before it.
bool is_exactly_symmetric(const EigenMatrix::Storage& A) {
  if (A.rows() != A.cols()) return false;
  const Index* starts = A.outerIndexPtr();
  const Index* rows = A.innerIndexPtr();
  const double* values = A.valuePtr();
  std::vector<Index> next(static_cast<std::size_t>(A.cols()));
  for (Index j = 0; j < A.cols(); ++j) {
    Index k = starts[j];
    for (; k < starts[j + 1] && rows[k] < j; ++k) {
      Index& mirrored = next[static_cast<std::size_t>(rows[k])];
      if (mirrored == starts[rows[k] + 1] || rows[mirrored] != j || values[mirrored] != values[k])
        return false;
      ++mirrored;
    }
    if (k < starts[j + 1] && rows[k] == j) ++k;
    next[static_cast<std::size_t>(j)] = k;
  }
  for (Index j = 0; j < A.cols(); ++j)
    if (next[static_cast<std::size_t>(j)] != starts[j + 1]) return false;
  return true;
}

// y += alpha A x for `width` columns at once, so that each entry of A is read once for all of them.
template <int width, class Scalar>
void add_product_block(const EigenMatrix::Storage& A, Scalar alpha, const Scalar* x, Eigen::Index x_stride,
                       Scalar* y, Eigen::Index y_stride) {
  const Index* starts = A.outerIndexPtr();
  const Index* rows = A.innerIndexPtr();
  const double* values = A.valuePtr();
  for (Index j = 0; j < A.outerSize(); ++j) {
    Scalar x_j[width];
    for (int c = 0; c < width; ++c)
      x_j[c] = alpha * x[j + c * x_stride];
    for (Index k = starts[j]; k < starts[j + 1]; ++k)
      for (int c = 0; c < width; ++c)
        y[rows[k] + c * y_stride] += values[k] * x_j[c];
  }
}

template <int width, class Scalar>
void add_transposed_product_block(const EigenMatrix::Storage& A, Scalar alpha, const Scalar* x,
                                  Eigen::Index x_stride, Scalar* y, Eigen::Index y_stride) {
  const Index* starts = A.outerIndexPtr();
  const Index* rows = A.innerIndexPtr();
  const double* values = A.valuePtr();
  for (Index j = 0; j < A.outerSize(); ++j) {
    Scalar sums[width] = {};
    for (Index k = starts[j]; k < starts[j + 1]; ++k)
      for (int c = 0; c < width; ++c)
        sums[c] += values[k] * x[rows[k] + c * x_stride];
    for (int c = 0; c < width; ++c)
      y[j + c * y_stride] += alpha * sums[c];
  }
}

void check_shapes(Index n_rows, Index n_columns, Eigen::Index n_x, Eigen::Index n_y, Eigen::Index x_columns,
                  Eigen::Index y_columns) {
  if (n_x == n_columns && n_y == n_rows && x_columns == y_columns) return;
  throw InvalidInput("A " + std::to_string(n_rows) + " x " + std::to_string(n_columns) +
                     " matrix cannot multiply vectors of shape " + std::to_string(n_x) + " x " +
                     std::to_string(x_columns) + " and add into " + std::to_string(n_y) + " x " +
                     std::to_string(y_columns) + ".");
}

template <class Scalar>
using BlockProduct = void(const EigenMatrix::Storage& A, Scalar alpha, const Scalar* x, Eigen::Index x_stride,
                          Scalar* y, Eigen::Index y_stride);

/// By blocks of four columns, and single ones.
template <class Scalar>
void add_by_blocks(const EigenMatrix::Storage& A, Scalar alpha, ConstView<Scalar> x, View<Scalar> y,
                   BlockProduct<Scalar>& four, BlockProduct<Scalar>& one) {
  Eigen::Index c = 0;
  for (; c + 4 <= x.cols(); c += 4)
    four(A, alpha, x.col(c).data(), x.outerStride(), y.col(c).data(), y.outerStride());
  for (; c < x.cols(); ++c)
    one(A, alpha, x.col(c).data(), x.outerStride(), y.col(c).data(), y.outerStride());
}

template <class Scalar>
void add_product_any(const EigenMatrix::Storage& A, bool is_symmetric, Scalar alpha, ConstView<Scalar> x,
                     View<Scalar> y) {
  check_shapes(static_cast<Index>(A.rows()), static_cast<Index>(A.cols()), x.rows(), y.rows(), x.cols(),
               y.cols());
  if (is_symmetric)
    add_by_blocks<Scalar>(A, alpha, x, y, add_transposed_product_block<4, Scalar>,
                          add_transposed_product_block<1, Scalar>);
  else
    add_by_blocks<Scalar>(A, alpha, x, y, add_product_block<4, Scalar>, add_product_block<1, Scalar>);
}

template <class Scalar>
void add_transposed_product_any(const EigenMatrix::Storage& A, Scalar alpha, ConstView<Scalar> x,
                                View<Scalar> y) {
  check_shapes(static_cast<Index>(A.cols()), static_cast<Index>(A.rows()), x.rows(), y.rows(), x.cols(),
               y.cols());
  add_by_blocks<Scalar>(A, alpha, x, y, add_transposed_product_block<4, Scalar>,
                        add_transposed_product_block<1, Scalar>);
}

}  // namespace

EigenMatrix::EigenMatrix(Storage&& entries)
    : entries_(taken(entries)),
      is_symmetric_(is_exactly_symmetric(*entries_)),
      rows_(static_cast<Index>(entries_->rows())),
      columns_(static_cast<Index>(entries_->cols())) {}

void EigenMatrix::add_product(double alpha, ConstView<double> x, View<double> y) const {
  add_product_any<double>(*entries_, is_symmetric_, alpha, x, y);
}

void EigenMatrix::add_product(Complex alpha, ConstView<Complex> x, View<Complex> y) const {
  add_product_any<Complex>(*entries_, is_symmetric_, alpha, x, y);
}

void EigenMatrix::add_transposed_product(double alpha, ConstView<double> x, View<double> y) const {
  add_transposed_product_any<double>(*entries_, alpha, x, y);
}

void EigenMatrix::add_transposed_product(Complex alpha, ConstView<Complex> x, View<Complex> y) const {
  add_transposed_product_any<Complex>(*entries_, alpha, x, y);
}

}  // namespace halfdof
