// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/linear_algebra/eigen/sparse_kernels.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

bool is_sorted(const EigenMatrix::Storage& A) {
  const Index* starts = A.outerIndexPtr();
  const Index* rows = A.innerIndexPtr();
  for (Index j = 0; j < A.outerSize(); ++j)
    for (Index k = starts[j] + 1; k < starts[j + 1]; ++k)
      if (rows[k - 1] >= rows[k]) return false;
  return true;
}

/// Compresses the matrix and sorts the rows of each column. Entries in the same row and column are added.
void compress_and_sort(EigenMatrix::Storage& entries) {
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

using Entries = EigenMatrix::Entries;

/// Returns a view of compressed entries that keeps their owner alive.
std::shared_ptr<const Entries> entries_of(const Entries& entries, std::shared_ptr<const void> owner) {
  return {new Entries(entries), [owner = std::move(owner)](const Entries* view) { delete view; }};
}

/// Moves compressed entries to a new object without a copy.
std::shared_ptr<const Entries> take_entries(EigenMatrix::Storage& entries) {
  const auto own = std::make_shared<EigenMatrix::Storage>();
  own->swap(entries);
  return entries_of(Entries(own->rows(), own->cols(), own->nonZeros(), own->outerIndexPtr(),
                            own->innerIndexPtr(), own->valuePtr()),
                    own);
}

/// Moves the entries, compressed and with ascending rows in each column.
std::shared_ptr<const Entries> compressed_and_sorted(EigenMatrix::Storage& entries) {
  compress_and_sort(entries);
  return take_entries(entries);
}

/// Checks arrays of another program.
std::shared_ptr<const Entries> checked(const Entries& shared, const std::shared_ptr<const void>& owner) {
  const Index* starts = shared.outerIndexPtr();
  const Index* rows = shared.innerIndexPtr();
  const auto is_ascending = [&] { return std::is_sorted(starts, starts + shared.cols() + 1); };
  if (starts[0] != 0 || starts[shared.cols()] != shared.nonZeros() || !is_ascending())
    throw InvalidInput("The starts of the columns of a matrix with " + std::to_string(shared.nonZeros()) +
                       " entries begin with " + std::to_string(starts[0]) + " and end with " +
                       std::to_string(starts[shared.cols()]) +
                       ". They must ascend from zero to the number of entries.");
  for (Index j = 0; j < shared.cols(); ++j)
    for (Index k = starts[j]; k < starts[j + 1]; ++k)
      if (rows[k] < (k > starts[j] ? rows[k - 1] + 1 : 0) || rows[k] >= shared.rows())
        throw InvalidInput("Column " + std::to_string(j) + " of a matrix with " +
                           std::to_string(shared.rows()) + " rows has an entry in row " +
                           std::to_string(rows[k]) +
                           " (counted from 0). The rows of a column must ascend, each row at most once.");
  return entries_of(shared, owner);
}

/// Returns whether the matrix is exactly symmetric, including stored zeros. Since columns are sorted, each
/// entry (i, j) above the diagonal of a symmetric matrix equals the next unvisited entry below the diagonal
/// of column i.
bool is_exactly_symmetric(const Entries& A) {
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

/// Number of vectors that are multiplied by A together. The vectors are stored row by row, so that each entry
/// of A is read once for all vectors and multiplies numbers that are adjacent in memory.
template <class Scalar>
constexpr Eigen::Index line_width = line_doubles * sizeof(double) / sizeof(Scalar);

/// Copies at most line_width columns so that they are stored row by row; missing columns are filled with
/// zeros.
template <class Scalar>
std::vector<Scalar> lines_of(ConstView<Scalar> x) {
  std::vector<Scalar> lines(static_cast<std::size_t>(line_width<Scalar> * x.rows()));
  for (Eigen::Index c = 0; c < x.cols(); ++c)
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      lines[static_cast<std::size_t>(i * line_width<Scalar> + c)] = x(i, c);
  return lines;
}

/// Computes y += alpha A x or y += alpha A^T x for at most line_width columns.
template <class Scalar>
void add_lines(const CompressedColumns& A, bool transposed, Scalar alpha, ConstView<Scalar> x,
               View<Scalar> y) {
  const std::vector<Scalar> x_lines = lines_of<Scalar>(x);
  std::vector<Scalar> products(static_cast<std::size_t>(line_width<Scalar> * y.rows()));
  (transposed ? transposed_line_product : add_line_product)(
      A, reinterpret_cast<const double*>(x_lines.data()), reinterpret_cast<double*>(products.data()));
  for (Eigen::Index i = 0; i < y.rows(); ++i)
    for (Eigen::Index c = 0; c < y.cols(); ++c)
      y(i, c) += alpha * products[static_cast<std::size_t>(i * line_width<Scalar> + c)];
}

void check_shapes(Index n_rows, Index n_columns, Eigen::Index n_x, Eigen::Index n_y, Eigen::Index x_columns,
                  Eigen::Index y_columns) {
  if (n_x == n_columns && n_y == n_rows && x_columns == y_columns) return;
  throw InvalidInput("The shapes in the product y += A x do not agree: A is " + std::to_string(n_rows) +
                     " x " + std::to_string(n_columns) + ", x is " + std::to_string(n_x) + " x " +
                     std::to_string(x_columns) + " and y is " + std::to_string(n_y) + " x " +
                     std::to_string(y_columns) + ".");
}

/// Computes y += alpha A x or y += alpha A^T x for any number of columns.
template <class Scalar>
void add_product_of_columns(const Entries& A, bool transposed, Scalar alpha, ConstView<Scalar> x,
                            View<Scalar> y) {
  const auto n_rows = static_cast<Index>(A.rows()), n_columns = static_cast<Index>(A.cols());
  check_shapes(transposed ? n_columns : n_rows, transposed ? n_rows : n_columns, x.rows(), y.rows(), x.cols(),
               y.cols());
  for (Eigen::Index c = 0; c < x.cols(); c += line_width<Scalar>) {
    const Eigen::Index n = std::min(line_width<Scalar>, x.cols() - c);
    if (n == 1)
      (transposed ? add_transposed_product<Scalar> : add_product<Scalar>)(columns_of(A), alpha,
                                                                          x.col(c).data(), y.col(c).data());
    else
      add_lines<Scalar>(columns_of(A), transposed, alpha, x.middleCols(c, n), y.middleCols(c, n));
  }
}

}  // namespace

EigenMatrix::EigenMatrix(Storage&& entries)
    : entries_(compressed_and_sorted(entries)),
      is_symmetric_(is_exactly_symmetric(*entries_)),
      rows_(static_cast<Index>(entries_->rows())),
      columns_(static_cast<Index>(entries_->cols())) {}

EigenMatrix::EigenMatrix(Storage&& sorted, bool is_symmetric)
    : entries_(take_entries(sorted)),
      is_symmetric_(is_symmetric),
      rows_(static_cast<Index>(entries_->rows())),
      columns_(static_cast<Index>(entries_->cols())) {}

EigenMatrix::EigenMatrix(const Entries& shared, const std::shared_ptr<const void>& owner)
    : entries_(checked(shared, owner)),
      is_symmetric_(is_exactly_symmetric(*entries_)),
      rows_(static_cast<Index>(entries_->rows())),
      columns_(static_cast<Index>(entries_->cols())) {}

void EigenMatrix::add_product(double alpha, ConstView<double> x, View<double> y) const {
  add_product_of_columns<double>(*entries_, is_symmetric_, alpha, x, y);
}

void EigenMatrix::add_product(Complex alpha, ConstView<Complex> x, View<Complex> y) const {
  add_product_of_columns<Complex>(*entries_, is_symmetric_, alpha, x, y);
}

void EigenMatrix::add_transposed_product(double alpha, ConstView<double> x, View<double> y) const {
  add_product_of_columns<double>(*entries_, true, alpha, x, y);
}

void EigenMatrix::add_transposed_product(Complex alpha, ConstView<Complex> x, View<Complex> y) const {
  add_product_of_columns<Complex>(*entries_, true, alpha, x, y);
}

}  // namespace halfdof
