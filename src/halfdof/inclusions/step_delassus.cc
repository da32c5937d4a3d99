#include <halfdof/base/errors.h>
#include <halfdof/inclusions/delassus.h>
#include <halfdof/reduction/dense_form.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace halfdof {

void check_dense_delassus(Index n_directions, Index limit) {
  if (n_directions > limit)
    throw NotAvailable("The Delassus matrix of " + std::to_string(n_directions) +
                       " directions is not formed: the limit is " + std::to_string(limit) +
                       ". Apply it as an operator, or raise the limit (max_dense).");
}

void require_delassus(const MultiVector& W, Index n_directions, const std::string& who,
                      const std::string& symbol) {
  if (W.rows() == n_directions) return;
  throw NotAvailable(who + " need the dense Delassus matrix " + symbol + ", which was not formed for " +
                     std::to_string(n_directions) + " directions. Raise the limit (max_dense).");
}

void make_symmetric(MultiVector& W) {
  const MultiVector transposed = W.transpose();
  W = 0.5 * (W + transposed);
}

MultiVector combination(const MultiVector& columns, ConstView<double> r) {
  std::vector<Index> used;
  for (Index j = 0; j < columns.cols(); ++j)
    if (!r.row(j).isZero(0.)) used.push_back(j);
  MultiVector sums = MultiVector::Zero(columns.rows(), r.cols());
  for (Index k = 0; k < r.cols(); ++k) {
    auto sum = sums.col(k);
    const auto term = [&](std::size_t i) { return r(used[i], k) * columns.col(used[i]); };
    std::size_t i = 0;
    // Four at a time: the sum is loaded and stored a quarter as often.
    for (; i + 3 < used.size(); i += 4)
      sum += term(i) + term(i + 1) + term(i + 2) + term(i + 3);
    for (; i < used.size(); ++i)
      sum += term(i);
  }
  return sums;
}

StepDelassus::StepDelassus(const DirectionMatrix& H, FactorizationPtr<double> step_matrix, Symmetry symmetry,
                           const DelassusOptions& options)
    : H_(H), step_matrix_(std::move(step_matrix)), options_(options) {
  if (size() <= options.max_dense) build(symmetry);
}

void StepDelassus::build(Symmetry symmetry) {
  const double bytes = 8. * static_cast<double>(H_.free().rows()) * static_cast<double>(size());
  const bool keep_columns = H_.communicator().max(bytes) <= options_.max_column_bytes;
  W_.emplace(size(), size());
  if (keep_columns) columns_.emplace(H_.free().rows(), size());
  for (Index first = 0; first < size(); first += solve_batch) {
    const Index n = std::min(solve_batch, size() - first);
    const MultiVector x = step_matrix_->solve(H_.columns(first, n));
    W_->middleCols(first, n) = H_.components(x);
    if (keep_columns) columns_->middleCols(first, n) = x;
  }
  if (symmetry == Symmetry::symmetric) make_symmetric(*W_);
}

const MultiVector& StepDelassus::matrix() const {
  if (!is_dense()) check_dense_delassus(size(), options_.max_dense);
  return *W_;
}

MultiVector StepDelassus::apply(ConstView<double> r) const {
  if (is_dense()) return *W_ * r;
  return H_.components(response(r));
}

MultiVector StepDelassus::response(ConstView<double> r) const {
  if (columns_) return combination(*columns_, r);
  return step_matrix_->solve(H_.force(r));
}

}  // namespace halfdof
