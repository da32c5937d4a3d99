// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/eigen/narrow_solves.h>
#include <halfdof/linear_algebra/eigen/signed_cholesky.h>
#include <halfdof/linear_algebra/eigen/single_solves.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace halfdof::internal {

namespace {

/// Calls visit(offset of the row in X, offset of its copy, width) for the given rows, which have `width`
/// numbers each. The width is passed as a compile-time constant.
template <class Scalar, class Visit>
void for_each_row(const Index* rows, Index n_rows, Index width, const Visit& visit) {
  const auto with_width = [&](auto known) {
    for (Index i = 0; i < n_rows; ++i)
      visit(Eigen::Index(known) * rows[i], Eigen::Index(known) * i, known);
  };
  if (width == 1)
    with_width(std::integral_constant<Index, 1>());
  else if (width < max_right_hand_sides<Scalar>)
    with_width(std::integral_constant<Index, max_right_hand_sides<Scalar> / 2>());
  else
    with_width(std::integral_constant<Index, max_right_hand_sides<Scalar>>());
}

/// Copies the given rows of X to the contiguous memory `to`.
template <class Scalar>
void gather_rows(const Index* rows, Index n_rows, Index width, const Scalar* x, Scalar* to) {
  for_each_row<Scalar>(rows, n_rows, width, [&](Eigen::Index row, Eigen::Index place, auto known) {
    std::copy_n(x + row, Index(known), to + place);
  });
}

/// Copies the contiguous memory `from` to the given rows of X.
template <class Scalar>
void scatter_rows(const Index* rows, Index n_rows, Index width, const Scalar* from, Scalar* x) {
  for_each_row<Scalar>(rows, n_rows, width, [&](Eigen::Index row, Eigen::Index place, auto known) {
    std::copy_n(from + place, Index(known), x + row);
  });
}

}  // namespace

template <class Scalar>
std::optional<SignedCholesky<Scalar>> SignedCholesky<Scalar>::factorize(SupernodesPtr supernodes,
                                                                        const SquarePattern& pattern,
                                                                        const std::vector<Scalar>& values,
                                                                        double largest_growth,
                                                                        std::optional<double> only_sign) {
  auto factors = compute_signed_factors(*supernodes, pattern, values, largest_growth, only_sign);
  if (!factors) return std::nullopt;
  return SignedCholesky(std::move(supernodes), *std::move(factors));
}

template <class Scalar>
SignedCholesky<Scalar>::SignedCholesky(SupernodesPtr supernodes, SignedFactors<Scalar> factors)
    : supernodes_(std::move(supernodes)), factors_(std::move(factors)) {}

template <class Scalar>
DenseMatrix<Scalar> SignedCholesky<Scalar>::solve(ConstView<Scalar> b) const {
  const Order P = &supernodes_->row_of_place;
  return solve_by_groups(b, P, P, [this](Scalar* x, Index width) {
    solve_forward(x, width);
    apply_signs(x, width);
    solve_backward(x, width);
  });
}

template <class Scalar>
DenseMatrix<Scalar> SignedCholesky<Scalar>::forward(ConstView<Scalar> b) const {
  return solve_by_groups(b, &supernodes_->row_of_place, nullptr,
                         [this](Scalar* x, Index width) { solve_forward(x, width); });
}

template <class Scalar>
DenseMatrix<Scalar> SignedCholesky<Scalar>::backward(ConstView<Scalar> z) const {
  return solve_by_groups(z, nullptr, &supernodes_->row_of_place, [this](Scalar* x, Index width) {
    apply_signs(x, width);
    solve_backward(x, width);
  });
}

template <class Scalar>
DenseMatrix<Scalar> SignedCholesky<Scalar>::transposed_backward(ConstView<Scalar> h) const {
  return solve_by_groups(h, &supernodes_->row_of_place, nullptr, [this](Scalar* x, Index width) {
    solve_forward(x, width);
    apply_signs(x, width);
  });
}

/// Solves for groups of a few right-hand sides. The right-hand sides of a group are stored by rows, so that L
/// is read once for all right-hand sides of the group.
template <class Scalar>
template <class Solve>
DenseMatrix<Scalar> SignedCholesky<Scalar>::solve_by_groups(ConstView<Scalar> b, Order from, Order to,
                                                            const Solve& solve) const {
  constexpr Eigen::Index max_columns = max_right_hand_sides<Scalar>;
  const auto place = [](Order order, Eigen::Index k) {
    return order ? Eigen::Index((*order)[static_cast<std::size_t>(k)]) : k;
  };
  DenseMatrix<Scalar> x(b.rows(), b.cols());
  for (Eigen::Index first = 0; first < b.cols(); first += max_columns) {
    const Eigen::Index n_columns = std::min(max_columns, b.cols() - first),
                       width = n_columns == 1 ? 1 : narrow_width<Scalar>(static_cast<Index>(n_columns));
    columns_.resize(width * b.rows());
    rows_.resize(width * supernodes_->max_rows);
    Eigen::Map<DenseMatrix<Scalar>> side_by_side(columns_.data(), width, b.rows());
    for (Eigen::Index k = 0; k < b.rows(); ++k)
      for (Eigen::Index c = 0; c < width; ++c)
        side_by_side(c, k) = c < n_columns ? b(place(from, k), first + c) : Scalar(0);
    solve(columns_.data(), static_cast<Index>(width));
    for (Eigen::Index k = 0; k < b.rows(); ++k)
      for (Eigen::Index c = 0; c < n_columns; ++c)
        x(place(to, k), first + c) = side_by_side(c, k);
  }
  return x;
}

/// Replaces X by L^{-1} X. The array x contains the rows of X one after the other, with `width` numbers each.
template <class Scalar>
void SignedCholesky<Scalar>::solve_forward(Scalar* x, Index width) const {
  for (std::size_t s = 0; s < supernodes_->size(); ++s) {
    const Index n = supernodes_->n_columns(s), n_below = supernodes_->n_rows(s) - n;
    const Panel<const Scalar> L{factors_.values.data() + supernodes_->value_starts[s], n + n_below};
    Scalar* const own = x + Eigen::Index(width) * supernodes_->first_columns[s];
    if (std::all_of(own, own + Eigen::Index(n) * width, [](Scalar value) { return value == Scalar(0); }))
      continue;
    const Index* const rows = supernodes_->rows.data() + supernodes_->row_starts[s] + n;
    gather_rows(rows, n_below, width, x, rows_.data());
    if (width == 1)
      single_forward(n, n_below, L, own, rows_.data());
    else
      narrow_forward(width, n, n_below, L, own, rows_.data());
    scatter_rows(rows, n_below, width, rows_.data(), x);
  }
}

/// Replaces X by L^{-T} X. The array x contains the rows of X one after the other, with `width` numbers each.
template <class Scalar>
void SignedCholesky<Scalar>::solve_backward(Scalar* x, Index width) const {
  for (std::size_t s = supernodes_->size(); s-- > 0;) {
    const Index n = supernodes_->n_columns(s), n_below = supernodes_->n_rows(s) - n;
    const Panel<const Scalar> L{factors_.values.data() + supernodes_->value_starts[s], n + n_below};
    Scalar* const own = x + Eigen::Index(width) * supernodes_->first_columns[s];
    gather_rows(supernodes_->rows.data() + supernodes_->row_starts[s] + n, n_below, width, x, rows_.data());
    if (width == 1)
      single_backward(n, n_below, L, own, rows_.data());
    else
      narrow_backward(width, n, n_below, L, own, rows_.data());
  }
}

template <class Scalar>
void SignedCholesky<Scalar>::apply_signs(Scalar* x, Index width) const {
  Eigen::Map<DenseMatrix<Scalar>>(x, width, factors_.signs.size()) *=
      factors_.signs.template cast<Scalar>().asDiagonal();
}

template <class Scalar>
LogDeterminant<Scalar> SignedCholesky<Scalar>::log_determinant() const {
  LogDeterminant<Scalar> root;
  for (std::size_t s = 0; s < supernodes_->size(); ++s)
    for (Index j = 0; j < supernodes_->n_columns(s); ++j)
      root *= factors_.values[supernodes_->value_starts[s] + std::int64_t(j) * (supernodes_->n_rows(s) + 1)];
  const Scalar phase = root.phase * root.phase;
  return {2 * root.log_modulus, factors_.signs.prod() * phase / std::abs(phase)};
}

template class SignedCholesky<double>;
template class SignedCholesky<Complex>;

}  // namespace halfdof::internal
