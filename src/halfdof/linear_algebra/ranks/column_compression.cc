// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/ranks/column_compression.h>

#include <algorithm>
#include <cmath>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// A sum counts as zero if it is at most this number times the sum of the magnitudes of its terms.
constexpr double zero_sum = 1e-13;

/// Returns the column numbers in S of the columns of the basis Q of a kernel block: the kernel vectors have
/// the numbers of their pivots, and the other columns the remaining numbers.
std::vector<Index> columns_in_basis(const KernelBlock& block) {
  std::vector<Index> places = block.pivots;
  for (const Index column : block.columns)
    if (std::find(block.pivots.begin(), block.pivots.end(), column) == block.pivots.end())
      places.push_back(column);
  return places;
}

/// Sets the entries of a sum A that are rounding errors to zero.
/// @param sizes The sums of the magnitudes of the terms of A, with an entry wherever A has an entry
Sparse with_exact_zeros(const Sparse& A, const Sparse& sizes) {
  Sparse result = A;
  for (Index j = 0; j < result.outerSize(); ++j) {
    Sparse::InnerIterator size(sizes, j);
    for (Sparse::InnerIterator entry(result, j); entry; ++entry) {
      while (size.row() < entry.row())
        ++size;
      if (std::abs(entry.value()) <= zero_sum * size.value()) entry.valueRef() = 0;
    }
  }
  result.prune([](Index, Index, double value) { return value != 0; });
  return result;
}

}  // namespace

std::vector<Index> ColumnCompression::places(bool null) const {
  std::vector<Index> found;
  for (std::size_t j = 0; j < is_null.size(); ++j)
    if (is_null[j] == null) found.push_back(static_cast<Index>(j));
  return found;
}

ColumnCompression column_compression(const Sparse& A, const Vector& sizes, const std::string& name,
                                     EntryOrigin origin, const KernelOptions& options) {
  const auto n = static_cast<std::size_t>(A.cols());
  ColumnCompression basis{Sparse(A.cols(), A.cols()), std::vector<bool>(n, false), 0};
  std::vector<bool> is_in_block(n, false);
  std::vector<Eigen::Triplet<double>> entries;
  for (const KernelBlock& block : kernel_blocks(A, sizes, name, origin, options)) {
    const std::vector<Index> places = columns_in_basis(block);
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto column = static_cast<Index>(k);
      is_in_block[static_cast<std::size_t>(places[k])] = true;
      basis.is_null[static_cast<std::size_t>(places[k])] = column < block.n_null;
      for (std::size_t i = 0; i < block.columns.size(); ++i)
        if (const double entry = block.Q(static_cast<Index>(i), column); entry != 0)
          entries.emplace_back(block.columns[i], places[k], entry);
    }
    if (places.size() > 1) basis.n_hidden += block.n_null;
  }
  for (std::size_t j = 0; j < n; ++j)
    if (!is_in_block[j]) entries.emplace_back(static_cast<Index>(j), static_cast<Index>(j), 1.);
  basis.S.setFromTriplets(entries.begin(), entries.end());
  return basis;
}

Vector column_norms(const Sparse& A) {
  Vector norms = Vector::Zero(A.cols());
  for (Index j = 0; j < norms.size() && A.rows() > 0; ++j)
    norms[j] = A.col(j).norm();
  return norms;
}

Sparse unit_columns(const std::vector<Index>& places, Index n) {
  std::vector<Eigen::Triplet<double>> ones;
  for (std::size_t k = 0; k < places.size(); ++k)
    ones.emplace_back(places[k], static_cast<Index>(k), 1.);
  Sparse J(n, static_cast<Index>(places.size()));
  J.setFromTriplets(ones.begin(), ones.end());
  return J;
}

Sparse product_with_exact_zeros(const Sparse& A, const Sparse& B) {
  const Sparse A_abs = A.cwiseAbs(), B_abs = B.cwiseAbs();
  return with_exact_zeros(A * B, A_abs * B_abs);
}

Sparse sum_with_exact_zeros(const Sparse& A, double beta, const Sparse& B) {
  const Sparse A_abs = A.cwiseAbs(), B_abs = B.cwiseAbs();
  return with_exact_zeros(A + beta * B, A_abs + std::abs(beta) * B_abs);
}

Sparse product_with_exact_zeros(const Sparse& A, const Sparse& B, const Sparse& C) {
  const Sparse A_T = A.transpose(), A_abs = A_T.cwiseAbs(), B_abs = B.cwiseAbs(), C_abs = C.cwiseAbs();
  return with_exact_zeros(Sparse(A_T * B) * C, Sparse(A_abs * B_abs) * C_abs);
}

}  // namespace halfdof::internal
