// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/eigen/dense_kernels.h>
#include <halfdof/linear_algebra/eigen/signed_elimination.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof::internal {

namespace {

constexpr Index panel_width = 256;  ///< largest number of columns that are updated by one matrix product
/// Order up to which updates of diagonal blocks are computed as full products, including the unused upper
/// triangle.
constexpr Index full_product_width = 64;
constexpr Index unblocked_width = 16;  ///< order up to which diagonal blocks are factorized column by column

/// Returns the diagonal entry s of S for a pivot d = s l^2: the sign of a real pivot, and 1 for a complex
/// pivot.
double sign_of_pivot(double d) {
  return d < 0 ? -1. : 1.;
}
double sign_of_pivot(Complex) {
  return 1.;
}

/// Computes the columns of L one supernode after the other: the contributions of the previous supernodes are
/// subtracted, and then the columns of the supernode are factorized (left-looking factorization).
template <class Scalar>
class SignedElimination {
 public:
  using Values = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  SignedElimination(const Supernodes& supernodes, std::optional<double> only_sign)
      : supernodes_(supernodes),
        only_sign_(only_sign),
        values_(supernodes.value_starts.back()),
        signs_(supernodes.n()) {
    const std::size_t n = supernodes.size();
    supernode_of_place_.resize(signs_.size());
    Index max_columns = 0;
    for (std::size_t s = 0; s < n; ++s) {
      supernode_of_place_.segment(supernodes.first_columns[s], supernodes.n_columns(s))
          .setConstant(static_cast<Index>(s));
      max_columns = std::max(max_columns, supernodes.n_columns(s));
    }
    n_done_.assign(n, 0);
    first_contributor_.assign(n, none);
    next_contributor_.assign(n, none);
    has_negative_.assign(n, false);
    position_.setZero(signs_.size());
    diagonal_.resize(signs_.size());
    squares_.setZero(signs_.size());
    sums_.resize(supernodes.max_rows);
    product_.resize(Eigen::Index(supernodes.max_rows) * panel_width);
    signed_.resize(Eigen::Index(max_columns) * panel_width);
  }

  /// Computes the factors.
  /// @return False if a pivot is zero or has the wrong sign, or the growth is too large
  bool run(const SquarePattern& pattern, const std::vector<Scalar>& a, double largest_growth) {
    for (std::size_t s = 0; s < supernodes_.size(); ++s) {
      assemble(s, pattern, a);
      for (Index d = first_contributor_[s], next = none; d != none; d = next) {
        next = next_contributor_[static_cast<std::size_t>(d)];
        subtract(static_cast<std::size_t>(d), s);
      }
      if (!factorize_columns(s)) return false;
      // A definite matrix needs no check, because its growth is one.
      if (!only_sign_ && !has_small_growth(s, largest_growth)) return false;
      n_done_[s] = supernodes_.n_columns(s);
      add_to_next_list(s);
    }
    return true;
  }

  SignedFactors<Scalar> factors() && { return {std::move(values_), std::move(signs_), growth_}; }

 private:
  static constexpr Index none = -1;

  const Index* rows(std::size_t s) const { return supernodes_.rows.data() + supernodes_.row_starts[s]; }
  Panel<Scalar> block(std::size_t s) {
    return {values_.data() + supernodes_.value_starts[s], supernodes_.n_rows(s)};
  }

  /// Copies the lower triangle of P A P^T to the columns of supernode s. If an entry of A has no counterpart
  /// in the other triangle, it may have no place in L and is omitted. Such an entry is negligible in a matrix
  /// that counts as symmetric.
  void assemble(std::size_t s, const SquarePattern& pattern, const std::vector<Scalar>& a) {
    const Panel<Scalar> target = block(s);
    const Index n_rows = supernodes_.n_rows(s), n_columns = supernodes_.n_columns(s),
                first = supernodes_.first_columns[s];
    for (Index i = 0; i < n_rows; ++i)
      position_[rows(s)[i]] = i;
    std::fill_n(target.first, Eigen::Index(n_rows) * n_columns, Scalar(0));
    for (Index j = 0; j < n_columns; ++j) {
      Scalar* column = target.first + Eigen::Index(j) * n_rows;
      const auto original =
          static_cast<std::size_t>(supernodes_.row_of_place[static_cast<std::size_t>(first + j)]);
      for (auto k = static_cast<std::size_t>(pattern.starts[original]);
           k < static_cast<std::size_t>(pattern.starts[original + 1]); ++k) {
        const Index place = supernodes_.place_of_row[static_cast<std::size_t>(pattern.rows[k])];
        const Index i = position_[place];
        if (place >= first + j && i < n_rows && rows(s)[i] == place) column[i] = a[k];
      }
      diagonal_[first + j] = std::abs(column[j]);
    }
  }

  /// Subtracts the contribution L_d S_d L_d^T of supernode d from the columns of supernode s, and adds d to
  /// the list of the next supernode to which d contributes.
  void subtract(std::size_t d, std::size_t s) {
    const Index n_before = n_done_[d], n_rows = supernodes_.n_rows(d) - n_before,
                first = supernodes_.first_columns[s], end = supernodes_.first_columns[s + 1];
    const Index* const row = rows(d) + n_before;
    const auto n_inside = static_cast<Index>(std::lower_bound(row, row + n_rows, end) - row);
    const Panel<Scalar> target = block(s), L{block(d).first + n_before, block(d).stride};
    const bool contiguous = position_[row[n_rows - 1]] - position_[row[0]] == n_rows - 1;
    for (Index c = 0; c < n_inside; c += panel_width) {
      const Index width = std::min(panel_width, n_inside - c);
      const auto column = [&](Index j) {
        return target.first + Eigen::Index(row[c + j] - first) * target.stride;
      };
      if (contiguous) {
        subtract_product(d, L, n_rows, c, width, {column(0) + position_[row[c]], target.stride}, Scalar(1));
      } else {
        subtract_product(d, L, n_rows, c, width, {product_.data(), n_rows - c}, Scalar(0));
        for (Index j = 0; j < width; ++j) {
          const Scalar* from = product_.data() + Eigen::Index(j) * (n_rows - c);
          Scalar* const to = column(j);
          for (Index i = j; i < n_rows - c; ++i)
            to[position_[row[c + i]]] += from[i];
        }
      }
    }
    n_done_[d] += n_inside;
    add_to_next_list(d);
  }

  /// Replaces C by beta C - B, where B is the block of L S_d L^T with the rows c ... n_rows - 1 and the
  /// columns c ... c + width - 1. L has n_rows rows and one column for each pivot of supernode d, and S_d
  /// contains the signs of these pivots. The entries of C above its diagonal become undefined. Shape: C
  /// (n_rows - c) x width.
  void subtract_product(std::size_t d, Panel<Scalar> L, Index n_rows, Index c, Index width, Panel<Scalar> C,
                        Scalar beta) {
    const Index n_inner = supernodes_.n_columns(d);
    const Panel<const Scalar> left{L.first + c, L.stride};
    const Panel<const Scalar> right =
        has_negative_[d] ? times_signs(left, width, n_inner, supernodes_.first_columns[d]) : left;
    subtract_trapezoid(n_rows - c, width, n_inner, left, right, beta, C);
  }

  /// Replaces C by beta C - A B^T on and below the diagonal of C. The entries above the diagonal become
  /// undefined. Shapes: C m x n, m >= n.
  static void subtract_trapezoid(Index m, Index n, Index n_inner, Panel<const Scalar> A,
                                 Panel<const Scalar> B, Scalar beta, Panel<Scalar> C) {
    if (n <= full_product_width) {
      multiply(m, n, n_inner, Scalar(-1), A, B, beta, C);
      return;
    }
    subtract_triangle(n, n_inner, A, B, beta, C);
    if (m > n)
      multiply(m - n, n, n_inner, Scalar(-1), {A.first + n, A.stride}, B, beta, {C.first + n, C.stride});
  }

  /// Replaces C by beta C - A B^T in the lower triangle of C, by recursion for the two halves of its columns.
  static void subtract_triangle(Index n, Index n_inner, Panel<const Scalar> A, Panel<const Scalar> B,
                                Scalar beta, Panel<Scalar> C) {
    if (n <= full_product_width) {
      multiply(n, n, n_inner, Scalar(-1), A, B, beta, C);
      return;
    }
    const Index half = n / 2, rest = n - half;
    const Panel<const Scalar> below{A.first + half, A.stride};
    subtract_triangle(half, n_inner, A, B, beta, C);
    multiply(rest, half, n_inner, Scalar(-1), below, B, beta, {C.first + half, C.stride});
    subtract_triangle(rest, n_inner, below, {B.first + half, B.stride}, beta,
                      {C.first + half + Eigen::Index(half) * C.stride, C.stride});
  }

  /// Returns the product B S of a matrix with the signs of the columns from column `first` on.
  Panel<const Scalar> times_signs(Panel<const Scalar> B, Index n_rows, Index n_columns, Index first) {
    for (Index j = 0; j < n_columns; ++j) {
      const Scalar* from = B.first + Eigen::Index(j) * B.stride;
      std::transform(from, from + n_rows, signed_.data() + Eigen::Index(j) * n_rows,
                     [sign = signs_[first + j]](Scalar value) { return sign * value; });
    }
    return {signed_.data(), n_rows};
  }

  /// Factorizes the updated columns of supernode s. @return False if a pivot is zero or has the wrong sign
  bool factorize_columns(std::size_t s) {
    const Panel<Scalar> all = block(s);
    const Index n_columns = supernodes_.n_columns(s), first = supernodes_.first_columns[s];
    if (!factorize_diagonal(all, n_columns, first)) return false;
    solve_rows(all, n_columns, first, {all.first + n_columns, all.stride}, supernodes_.n_rows(s) - n_columns);
    has_negative_[s] = (signs_.segment(first, n_columns).array() < 0).any();
    return true;
  }

  /// Factorizes a diagonal block A = L S L^T by recursion for the two halves of its columns. The first column
  /// of A is the column `first` of P A P^T.
  bool factorize_diagonal(Panel<Scalar> A, Index n, Index first) {
    if (n <= unblocked_width) return factorize_small(A, n, first);
    const Index half = n / 2;
    const auto at = [&](Index i, Index j) -> Panel<Scalar> {
      return {A.first + i + Eigen::Index(j) * A.stride, A.stride};
    };
    if (!factorize_diagonal(A, half, first)) return false;
    solve_rows(A, half, first, at(half, 0), n - half);
    for (Index c = half; c < n; c += panel_width) {
      const Index width = std::min(panel_width, n - c);
      const Panel<const Scalar> left{at(c, 0).first, A.stride};
      subtract_trapezoid(n - c, width, half, left, times_signs(left, width, half, first), Scalar(1),
                         at(c, c));
    }
    return factorize_diagonal(at(half, half), n - half, first + half);
  }

  /// Factorizes a small diagonal block A = L S L^T column by column.
  bool factorize_small(Panel<Scalar> A, Index n, Index first) {
    const auto column = [&](Index i, Index j) {
      return Eigen::Map<Values>(A.first + i + Eigen::Index(j) * A.stride, n - i);
    };
    for (Index j = 0; j < n; ++j) {
      const Scalar pivot = column(j, j)[0];
      if (!(std::abs(pivot) > 0)) return false;
      const double sign = signs_[first + j] = sign_of_pivot(pivot);
      if (only_sign_ && sign != *only_sign_) return false;
      const Scalar root = std::sqrt(sign * pivot);
      column(j, j) *= sign / root;
      column(j, j)[0] = root;
      for (Index c = j + 1; c < n; ++c)
        column(c, c) -= (sign * column(c, j)[0]) * column(c, j);
    }
    return true;
  }

  /// Replaces B by B L^{-T} S: computes the rows of L below a factorized diagonal block.
  void solve_rows(Panel<Scalar> L, Index n, Index first, Panel<Scalar> B, Index n_rows) {
    if (n_rows == 0) return;
    divide_by_lower(n_rows, n, {L.first, L.stride}, B);
    for (Index j = 0; j < n; ++j)
      if (signs_[first + j] < 0)
        Eigen::Map<Values>(B.first + Eigen::Index(j) * B.stride, n_rows) *= Scalar(-1);
  }

  /// Adds the squares of the entries in the columns of supernode s to the sums of squares of all rows. After
  /// the addition, the sums of the rows of its diagonal block are complete, and the growth of these rows is
  /// checked.
  bool has_small_growth(std::size_t s, double largest) {
    const Panel<Scalar> all = block(s);
    const Index n_rows = supernodes_.n_rows(s), n_columns = supernodes_.n_columns(s),
                first = supernodes_.first_columns[s];
    sums_.head(n_rows).setZero();
    for (Index j = 0; j < n_columns; ++j)
      sums_.segment(j, n_rows - j) +=
          Eigen::Map<const Values>(all.first + j + Eigen::Index(j) * all.stride, n_rows - j).cwiseAbs2();
    for (Index i = 0; i < n_rows; ++i)
      squares_[rows(s)[i]] += sums_[i];
    const Eigen::ArrayXd ratios =
        squares_.segment(first, n_columns).array() / diagonal_.segment(first, n_columns).array();
    growth_ = std::max(growth_, ratios.maxCoeff());
    return (ratios <= largest).all();
  }

  /// Adds supernode d to the list of supernodes that contribute to the supernode of the next row of d.
  void add_to_next_list(std::size_t d) {
    if (n_done_[d] == supernodes_.n_rows(d)) return;
    const auto s = static_cast<std::size_t>(supernode_of_place_[rows(d)[n_done_[d]]]);
    next_contributor_[d] = first_contributor_[s];
    first_contributor_[s] = static_cast<Index>(d);
  }

  const Supernodes& supernodes_;
  std::optional<double> only_sign_;
  Values values_;
  Vector signs_;
  double growth_ = 1;
  Eigen::VectorXi supernode_of_place_;
  std::vector<Index> n_done_;  ///< number of rows of each supernode whose contributions have been subtracted
  std::vector<Index> first_contributor_;  ///< first of the supernodes that contribute next to each supernode
  std::vector<Index> next_contributor_;   ///< the next supernode in the same list; none at the end
  std::vector<bool> has_negative_;        ///< whether a supernode has negative signs
  Eigen::VectorXi position_;              ///< position of each row in the present supernode
  Vector diagonal_;                       ///< the absolute values |a_ii| of the diagonal
  Vector squares_;                        ///< the sums of |l_ij|^2 over j for each row i
  Vector sums_;                           ///< workspace: sums of squares of one supernode
  Values product_, signed_;               ///< workspaces of subtract() and times_signs()
};

}  // namespace

template <class Scalar>
std::optional<SignedFactors<Scalar>> compute_signed_factors(const Supernodes& supernodes,
                                                            const SquarePattern& pattern,
                                                            const std::vector<Scalar>& values,
                                                            double largest_growth,
                                                            std::optional<double> only_sign) {
  SignedElimination<Scalar> elimination(supernodes, only_sign);
  if (!elimination.run(pattern, values, largest_growth)) return std::nullopt;
  return std::move(elimination).factors();
}

template std::optional<SignedFactors<double>> compute_signed_factors(const Supernodes&, const SquarePattern&,
                                                                     const std::vector<double>&, double,
                                                                     std::optional<double>);
template std::optional<SignedFactors<Complex>> compute_signed_factors(const Supernodes&, const SquarePattern&,
                                                                      const std::vector<Complex>&, double,
                                                                      std::optional<double>);

}  // namespace halfdof::internal
