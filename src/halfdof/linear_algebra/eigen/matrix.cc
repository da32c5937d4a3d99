#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <algorithm>
#include <string>
#include <utility>

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
EigenMatrix::Storage normalized(EigenMatrix::Storage entries) {
  entries.makeCompressed();
  if (is_sorted(entries)) return entries;
  std::vector<Eigen::Triplet<double, Index>> triplets;
  triplets.reserve(static_cast<std::size_t>(entries.nonZeros()));
  for (Index j = 0; j < entries.outerSize(); ++j)
    for (EigenMatrix::Storage::InnerIterator entry(entries, j); entry; ++entry)
      triplets.emplace_back(entry.row(), j, entry.value());
  EigenMatrix::Storage sorted(entries.rows(), entries.cols());
  sorted.setFromTriplets(triplets.begin(), triplets.end());
  return sorted;
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
void add_product_any(const EigenMatrix::Storage& A, Scalar alpha, ConstView<Scalar> x, View<Scalar> y) {
  check_shapes(static_cast<Index>(A.rows()), static_cast<Index>(A.cols()), x.rows(), y.rows(), x.cols(),
               y.cols());
  Eigen::Index c = 0;
  for (; c + 4 <= x.cols(); c += 4)
    add_product_block<4>(A, alpha, x.col(c).data(), x.outerStride(), y.col(c).data(), y.outerStride());
  for (; c < x.cols(); ++c)
    add_product_block<1>(A, alpha, x.col(c).data(), x.outerStride(), y.col(c).data(), y.outerStride());
}

}  // namespace

EigenMatrix::EigenMatrix(Storage entries)
    : entries_(std::make_shared<const Storage>(normalized(std::move(entries)))),
      rows_(static_cast<Index>(entries_->rows())),
      columns_(static_cast<Index>(entries_->cols())) {}

void EigenMatrix::add_product(double alpha, ConstView<double> x, View<double> y) const {
  add_product_any<double>(*entries_, alpha, x, y);
}

void EigenMatrix::add_product(Complex alpha, ConstView<Complex> x, View<Complex> y) const {
  add_product_any<Complex>(*entries_, alpha, x, y);
}

void EigenMatrix::add_transposed_product(double alpha, ConstView<double> x, View<double> y) const {
  const Storage& A = *entries_;
  check_shapes(static_cast<Index>(A.cols()), static_cast<Index>(A.rows()), x.rows(), y.rows(), x.cols(),
               y.cols());
  Eigen::Index c = 0;
  for (; c + 4 <= x.cols(); c += 4)
    add_transposed_product_block<4>(A, alpha, x.col(c).data(), x.outerStride(), y.col(c).data(),
                                    y.outerStride());
  for (; c < x.cols(); ++c)
    add_transposed_product_block<1>(A, alpha, x.col(c).data(), x.outerStride(), y.col(c).data(),
                                    y.outerStride());
}

}  // namespace halfdof
