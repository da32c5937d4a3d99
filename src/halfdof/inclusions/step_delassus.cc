// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/delassus.h>
#include <halfdof/reduction/dense_form.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace halfdof::internal {

void check_dense_delassus(Index n_directions, Index limit) {
  if (n_directions > limit)
    throw NotAvailable(
        "The dense Delassus matrix of " + std::to_string(n_directions) +
        " directions is not formed, because the limit is " + std::to_string(limit) +
        " directions. Apply the Delassus matrix as an operator, or raise the limit (max_dense).");
}

void require_delassus(const MultiVector& W, Index n_directions, const std::string& subject,
                      const std::string& symbol) {
  if (W.rows() == n_directions) return;
  throw NotAvailable(subject + " need the dense Delassus matrix " + symbol + ", which was not formed for " +
                     std::to_string(n_directions) + " directions. Raise the limit (max_dense).");
}

void make_symmetric(MultiVector& W) {
  const MultiVector transposed = W.transpose();
  W = 0.5 * (W + transposed);
}

void add_combination(const MultiVector& columns, ConstView<double> r, View<double> sums) {
  for (Eigen::Index k = 0; k < r.cols(); ++k) {
    auto sum = sums.col(k);
    // Four columns are added at a time, so that the sum is loaded and stored a quarter as often.
    std::array<Eigen::Index, 4> used{};
    std::size_t n_used = 0;
    for (Eigen::Index j = 0; j < columns.cols(); ++j) {
      if (r(j, k) == 0.) continue;
      used[n_used++] = j;
      if (n_used < used.size()) continue;
      sum += r(used[0], k) * columns.col(used[0]) + r(used[1], k) * columns.col(used[1]) +
             r(used[2], k) * columns.col(used[2]) + r(used[3], k) * columns.col(used[3]);
      n_used = 0;
    }
    for (std::size_t i = 0; i < n_used; ++i)
      sum += r(used[i], k) * columns.col(used[i]);
  }
}

MultiVector combination(const MultiVector& columns, ConstView<double> r) {
  MultiVector sums = MultiVector::Zero(columns.rows(), r.cols());
  add_combination(columns, r, sums);
  return sums;
}

namespace {

/// Sets negligible entries of the columns z = F H and g = B^T H to zero, for a symmetric P_h = L D L^T. The
/// energy z_i^2 / D_i = z_i g_i of an entry does not depend on units. An entry whose energy is negligible
/// compared with the largest energy of the column on this process changes no response by more than a rounding
/// error. In long chains most entries are negligible.
void drop_negligible(MultiVector& z, MultiVector& g) {
  constexpr double negligible = 1e-50;
  if (z.rows() == 0) return;  // a process without DoFs
  for (Eigen::Index j = 0; j < z.cols(); ++j) {
    const auto energy = z.col(j).cwiseProduct(g.col(j)).cwiseAbs();
    // If the patterns differ, the factorization is not L D L^T, and the column is not changed.
    if (((z.col(j).array() != 0.) != (g.col(j).array() != 0.)).any()) continue;
    const double least = negligible * energy.maxCoeff();
    for (Eigen::Index i = 0; i < z.rows(); ++i)
      if (energy[i] <= least) z(i, j) = g(i, j) = 0.;
  }
}

}  // namespace

StepDelassus::Columns::Columns(const Eigen::SparseMatrix<double>& FH, const Eigen::SparseMatrix<double>& BtH)
    : forward(FH), factors(Vector::Ones(FH.rows())) {
  if (std::optional<Vector> common = row_factors(FH, BtH))
    factors = std::move(*common);
  else
    backward.emplace(BtH);
}

StepDelassus::StepDelassus(const DirectionMatrix& H, FactorizationPtr<double> step_matrix, Symmetry symmetry,
                           const DelassusOptions& options)
    : H_(H), step_matrix_(std::move(step_matrix)), options_(options) {
  if (size() <= options.max_dense) build(symmetry);
}

void StepDelassus::build(Symmetry symmetry) {
  const auto n_rows = static_cast<Index>(H_.free().rows());
  SparseColumnsBuilder forward(n_rows, size()), backward(n_rows, size());
  bool keeps_columns = true;
  W_.emplace(size(), size());
  for (Index first = 0; first < size(); first += solve_batch) {
    const Index n = std::min(solve_batch, size() - first);
    MultiVector z = step_matrix_->forward(H_.columns(first, n));
    W_->middleCols(first, n) = H_.components(step_matrix_->backward(z));
    if (!keeps_columns) continue;
    MultiVector g = step_matrix_->transposed_backward(MultiVector(H_.free().middleCols(first, n)));
    if (symmetry == Symmetry::symmetric) drop_negligible(z, g);
    forward.append(z);
    backward.append(g);
    keeps_columns = H_.communicator().max(forward.bytes() + backward.bytes()) <= options_.max_column_bytes;
  }
  if (keeps_columns) columns_.emplace(forward.finish(), backward.finish());
  if (symmetry == Symmetry::symmetric) make_symmetric(*W_);
}

const MultiVector& StepDelassus::matrix() const {
  if (!is_dense()) check_dense_delassus(size(), options_.max_dense);
  return *W_;
}

MultiVector StepDelassus::apply(ConstView<double> r) const {
  MultiVector w = MultiVector::Zero(size(), r.cols());
  add_product(r, w);
  return w;
}

void StepDelassus::add_product(ConstView<double> r, View<double> w) const {
  if (is_dense())
    add_combination(*W_, r, w);
  else
    w += H_.components(step_matrix_->solve(H_.force(r)));
}

void StepDelassus::add_local_components(ConstView<double> z, View<double> components) const {
  if (columns_)
    columns_->of_backward().add_transposed_product(columns_->factors, z, components);
  else
    components += H_.free().transpose() * step_matrix_->backward(z);
}

void StepDelassus::backward_in_place(MultiVector& z, ConstView<double> r) const {
  if (!r.isZero(0.)) {
    if (columns_)
      columns_->forward.add_product(r, z);
    else
      z += step_matrix_->forward(H_.force(r));
  }
  step_matrix_->backward_in_place(z);
}

}  // namespace halfdof::internal
