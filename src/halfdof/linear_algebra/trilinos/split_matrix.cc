// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>
#include <halfdof/linear_algebra/trilinos/split_matrix.h>

#include <cmath>
#include <utility>
#include <vector>

namespace halfdof::trilinos {

namespace {

/// The term A_rp diag(A_pp)^{-1} A_pr of the approximate Schur complement S is omitted if its diagonal is
/// nowhere larger than this number times the diagonal of the term -A_rr.
constexpr double negligible_ratio = 1;

/// Computes y += |A| x for a vector x without negative entries.
void add_bound(const TrilinosMatrix& A, const Vector& x, Eigen::Ref<Vector> y) {
  const Vector stored = at_stored_columns(A, x);
  for_each_entry(A, [&](int row, int column, double value) { y[row] += std::abs(value) * stored[column]; });
}
/// Computes y += |A|^T x for a vector x without negative entries.
void add_transposed_bound(const TrilinosMatrix& A, const Vector& x, Eigen::Ref<Vector> y) {
  Vector stored = Vector::Zero(A.entries().NumMyCols());
  for_each_entry(A, [&](int row, int column, double value) { stored[column] += std::abs(value) * x[row]; });
  y += sum_at_owners(A, stored);
}

}  // namespace

SplitMatrix::SplitMatrix(const LinearCombination<double>& A, bool is_symmetric)
    : rows_(A.rows()), is_symmetric_(is_symmetric) {
  const Vector d = diagonal_of(A);
  std::vector<Index> positive, rest;
  for (Index i = 0; i < d.size(); ++i)
    (d[i] > 0 ? positive : rest).push_back(i);
  positive_ = Selection(std::move(positive), rows_);
  rest_ = Selection(std::move(rest), rows_);
  A_pp_ = block_of(A, positive_, positive_);
  if (has_one_block()) return;
  A_rp_ = block_of(A, rest_, positive_);
  A_rr_ = block_of(A, rest_, rest_);
  if (!is_symmetric_) A_pr_ = block_of(A, positive_, rest_);
}

MultiVector SplitMatrix::ordered(ConstView<double> b) const {
  MultiVector result(b.rows(), b.cols());
  internal::stack_rows(result, positive_.selected_rows(b), rest_.selected_rows(b));
  return result;
}

MultiVector SplitMatrix::unordered(ConstView<double> x) const {
  MultiVector result(x.rows(), x.cols());
  result(positive_.local(), Eigen::all) = x.topRows(positive_.n_local());
  result(rest_.local(), Eigen::all) = x.bottomRows(rest_.n_local());
  return result;
}

Vector SplitMatrix::bound_of_product(const Vector& x) const {
  Vector y = Vector::Zero(x.size());
  const Vector x_p = x.head(positive_.n_local()), x_r = x.tail(rest_.n_local());
  add_bound(A_pp_, x_p, y.head(x_p.size()));
  if (has_one_block()) return y;
  add_bound(A_rp_, x_p, y.tail(x_r.size()));
  add_bound(A_rr_, x_r, y.tail(x_r.size()));
  if (is_symmetric_)
    add_transposed_bound(A_rp_, x_r, y.head(x_p.size()));
  else
    add_bound(A_pr_, x_r, y.head(x_p.size()));
  return y;
}

MultiVector SplitMatrix::product(ConstView<double> x) const {
  MultiVector y = MultiVector::Zero(x.rows(), x.cols());
  const auto x_p = x.topRows(positive_.n_local());
  auto y_p = y.topRows(positive_.n_local());
  A_pp_.add_product(1., x_p, y_p);
  if (has_one_block()) return y;
  const auto x_r = x.bottomRows(rest_.n_local());
  auto y_r = y.bottomRows(rest_.n_local());
  A_rp_.add_product(1., x_p, y_r);
  A_rr_.add_product(1., x_r, y_r);
  if (is_symmetric_)
    A_rp_.add_transposed_product(1., x_r, y_p);
  else
    A_pr_.add_product(1., x_r, y_p);
  return y;
}

TrilinosMatrix SplitMatrix::schur_complement() const {
  const Vector d_p = diagonal_of(A_pp_), d_r = diagonal_of(A_rr_), stored = at_stored_columns(A_rp_, d_p);
  Vector added = Vector::Zero(d_r.size());
  for_each_entry(A_rp_,
                 [&](int row, int column, double value) { added[row] += value * value / stored[column]; });
  const bool counts = (added.array() > -negligible_ratio * d_r.array()).any();
  const Vector minus = -Vector::Ones(d_r.size()), ones = Vector::Ones(d_r.size());
  if (!rows_.communicator().any(counts)) return TrilinosEngine::scaled(A_rr_, minus, ones);
  const TrilinosMatrix D = TrilinosEngine::diagonal(d_p.cwiseInverse(), A_pp_.rows());
  const TrilinosMatrix right = is_symmetric_ ? transposed(A_rp_) : A_pr_;
  const TrilinosMatrix left = is_symmetric_ ? right : transposed(A_rp_);
  return TrilinosEngine::sum(-1., A_rr_, 1., TrilinosEngine::triple_product(left, D, right));
}

ApproximateInverse SplitMatrix::block_inverse(const MultiVector& near_null_space) const {
  ApproximateInverse of_pp =
      approximate_inverse(A_pp_, is_symmetric_, positive_.selected_rows(near_null_space));
  if (has_one_block()) return of_pp;
  const TrilinosMatrix S = schur_complement();
  if (rows_.communicator().any((diagonal_of(S).array() <= 0).any())) return {};
  ApproximateInverse of_S = approximate_inverse(S, is_symmetric_, rest_.selected_rows(near_null_space));
  const std::string name = of_pp.name + " and, on rows without a positive diagonal, " + of_S.name;
  return {[A_rp = A_rp_, n = positive_.n_local(), of_pp = std::move(of_pp.apply),
           of_S = std::move(of_S.apply)](ConstView<double> r) {
            const MultiVector z_p = of_pp(r.topRows(n));
            MultiVector r_r = -r.bottomRows(r.rows() - n);
            A_rp.add_product(1., z_p, r_r);
            MultiVector z(r.rows(), r.cols());
            internal::stack_rows(z, z_p, of_S(r_r));
            return z;
          },
          name, false};
}

}  // namespace halfdof::trilinos
