// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/interval_pivoting.h>
#include <halfdof/linear_algebra/dense/dense_factorization.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof::internal {
namespace {

/// The shift delta of proximal steps, relative to the diagonal of W. The shift is far below the pivots of a W
/// that counts as regular, and far above rounding errors.
constexpr double proximal_shift = 1e-8;
/// Number of block exchanges without progress before inclusions are corrected one at a time.
constexpr Index max_exchanges_without_progress = 10;
/// Limit of calls of pivot_one_by_one(). If W is a P-matrix, one call finds the solution, unless rounding
/// errors require another call.
constexpr Index max_single_pivoting_calls = 4;
/// The limit of proximal steps. Two or three suffice if W is positive semidefinite.
constexpr Index max_proximal_steps = 50;

}  // namespace

IntervalPivoting::IntervalPivoting(const OneStepProblem& problem)
    : problem_(problem),
      lower_(problem.n_columns()),
      upper_(problem.n_columns()),
      side_(static_cast<std::size_t>(problem.n_columns()), Side::free),
      correct_(side_),
      anchor_(Vector::Zero(problem.n_columns())),
      rhs_(problem.n_columns()),
      is_satisfied_(side_.size()),
      dr_(problem.n_columns()),
      dw_(problem.n_columns()) {
  if (problem.has_matrix()) factor_.resize(problem.n_columns(), problem.n_columns());
  free_.reserve(side_.size());
}

void IntervalPivoting::read_bounds(const LawsAtTime& laws) {
  for (Index i = 0; i < problem_.n_columns(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Interval bounds = laws.is_active[k]
                                ? problem_.interval_law(i)->reaction_interval(laws.parameters[k])
                                : Interval{0., 0.};
    lower_[i] = bounds.lower;
    upper_[i] = bounds.upper;
    if (bounds.lower == bounds.upper) {
      side_[k] = Side::lower;
    } else if ((side_[k] == Side::lower && std::isinf(bounds.lower)) ||
               (side_[k] == Side::upper && std::isinf(bounds.upper))) {
      side_[k] = Side::free;
    }
  }
}

void IntervalPivoting::guess_from_states(const LawsAtTime& laws) {
  for (std::size_t k = 0; k < side_.size(); ++k) {
    const ContactState before = laws.before[k];
    const bool at_lower = before == ContactState::slip_forward || before == ContactState::open;
    side_[k] = at_lower ? Side::lower : before == ContactState::slip_back ? Side::upper : Side::free;
  }
}

void IntervalPivoting::guess_from_reactions(const LawsAtTime& laws, const Vector& r) {
  std::fill(side_.begin(), side_.end(), Side::free);
  read_bounds(laws);
  for (Index i = 0; i < problem_.n_columns(); ++i) {
    if (r[i] > lower_[i] && r[i] < upper_[i]) continue;
    side_[static_cast<std::size_t>(i)] = r[i] <= lower_[i] ? Side::lower : Side::upper;
  }
}

bool IntervalPivoting::factorize_shifted() {
  if (problem_.principal()) return delta_ == 0 && problem_.principal()->factorize(free_);
  const MultiVector& W = problem_.matrix();
  const auto n = static_cast<Index>(free_.size());
  auto block = factor_.topLeftCorner(n, n);
  Index k = 0;
  for (const Index column : free_) {
    Index l = 0;
    for (const Index row : free_)
      block(l++, k) = W(row, column);
    block(k, k) *= 1 + delta_;
    ++k;
  }
  // The smallest pivot, relative to the diagonal entry of its row, decides whether the matrix counts as
  // regular.
  double smallest = 1;
  if (problem_.is_symmetric()) {
    if (!cholesky_in_place(factor_, n)) return false;
    for (Index l = 0; l < n; ++l) {
      const Index row = free_[static_cast<std::size_t>(l)];
      smallest = std::min(smallest, block(l, l) * block(l, l) / W(row, row));
    }
  } else {
    const Vector scale = block.diagonal().cwiseSqrt().cwiseInverse();
    lu_.compute(scale.asDiagonal() * block * scale.asDiagonal());
    factor_.col(0).head(n) = scale;
    if (n > 0) smallest = lu_.matrixLU().diagonal().cwiseAbs().minCoeff();
  }
  return smallest > 1e-15 * static_cast<double>(n);
}

void IntervalPivoting::factorize() {
  free_.clear();
  for (Index i = 0; i < problem_.n_columns(); ++i) {
    if (side_[static_cast<std::size_t>(i)] == Side::free) free_.push_back(i);
  }
  if (has_factors_ && factorized_ == free_ && factorized_delta_ == delta_) return;
  has_factors_ = factorize_shifted();
  if (!has_factors_ && delta_ == 0) {
    delta_ = proximal_shift;
    has_factors_ = factorize_shifted();
  }
  factorized_ = free_;
  factorized_delta_ = delta_;
}

void IntervalPivoting::solve(Eigen::Ref<Vector> rhs) const {
  const Index n = static_cast<Index>(free_.size());
  if (problem_.principal()) {
    problem_.principal()->solve(rhs);
  } else if (problem_.is_symmetric()) {
    cholesky_solve_in_place(factor_, rhs);
  } else {
    const auto scale = factor_.col(0).head(n).array();
    rhs.array() *= scale;
    rhs = lu_.solve(rhs).eval();
    rhs.array() *= scale;
  }
}

void IntervalPivoting::subtract_response_of_bounds(Vector& r) {
  dr_.setZero();
  for (std::size_t k = 0; k < side_.size(); ++k) {
    if (side_[k] == Side::free) continue;
    const auto i = static_cast<Index>(k);
    dr_[i] = side_[k] == Side::lower ? lower_[i] : upper_[i];
    if (dr_[i] != 0 && problem_.has_matrix()) r -= dr_[i] * problem_.matrix().col(i);
  }
  if (problem_.has_matrix() || dr_.isZero(0.)) return;
  problem_.multiply(dr_, dw_);
  r -= dw_;
}

const Vector& IntervalPivoting::column(Index i) {
  if (problem_.has_matrix()) {
    dw_ = problem_.matrix().col(i);
  } else {
    dr_.setZero();
    dr_[i] = 1;
    problem_.multiply(dr_, dw_);
  }
  return dw_;
}

bool IntervalPivoting::solve_free(const Vector& b, Vector& r) {
  r = -b;
  subtract_response_of_bounds(r);
  if (delta_ > 0) r += delta_ * problem_.matrix().diagonal().cwiseProduct(anchor_);
  const Index n = static_cast<Index>(free_.size());
  for (Index l = 0; l < n; ++l)
    rhs_[l] = r[free_[static_cast<std::size_t>(l)]];
  solve(rhs_.head(n));

  for (std::size_t k = 0; k < side_.size(); ++k) {
    const auto i = static_cast<Index>(k);
    r[i] = side_[k] == Side::upper ? upper_[i] : lower_[i];
  }
  bool inside = true;
  for (Index l = 0; l < n; ++l) {
    const Index i = free_[static_cast<std::size_t>(l)];
    r[i] = rhs_[l];
    inside = inside && r[i] >= lower_[i] && r[i] <= upper_[i];
  }
  return inside;
}

void IntervalPivoting::refine(const Vector& w, Vector& r) {
  const Index n = static_cast<Index>(free_.size());
  for (Index l = 0; l < n; ++l)
    rhs_[l] = w[free_[static_cast<std::size_t>(l)]];
  solve(rhs_.head(n));
  for (Index l = 0; l < n; ++l) {
    const Index i = free_[static_cast<std::size_t>(l)];
    r[i] = std::clamp(r[i] - rhs_[l], lower_[i], upper_[i]);
  }
}

double IntervalPivoting::shifted_rate(Index i, const Vector& r, const Vector& w) const {
  return delta_ > 0 ? w[i] + delta_ * problem_.matrix()(i, i) * (r[i] - anchor_[i]) : w[i];
}

// Returns whether the sign of the rate of an inclusion at a bound fits this bound.
bool IntervalPivoting::is_on_correct_side(Index i, double rate) const {
  if (lower_[i] == upper_[i]) return true;
  return side_[static_cast<std::size_t>(i)] == Side::lower ? rate >= 0 : rate <= 0;
}

Index IntervalPivoting::find_wrong_sides(const Vector& r, const Vector& w) {
  Index n_wrong = 0;
  for (std::size_t k = 0; k < side_.size(); ++k) {
    const auto i = static_cast<Index>(k);
    correct_[k] = side_[k];
    if (side_[k] == Side::free) {
      if (r[i] < lower_[i]) correct_[k] = Side::lower;
      if (r[i] > upper_[i]) correct_[k] = Side::upper;
    } else if (!is_on_correct_side(i, shifted_rate(i, r, w))) {
      correct_[k] = Side::free;
    }
    n_wrong += correct_[k] != side_[k];
  }
  return n_wrong;
}

// If W is singular and the solution is not unique, successive proximal steps move the reactions by nearly
// equal small steps d, with W d nearly zero, until a reaction reaches a bound. Therefore the next proximal
// step starts at the point r + length d where the first reaction reaches a bound, if d^T (W r + b) is still
// negative there, and otherwise at r.
void IntervalPivoting::advance_anchor(const Vector& r, const Vector& w) {
  dr_ = r - anchor_;
  problem_.multiply(dr_, dw_);
  anchor_ = r;
  double length = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < r.size(); ++i)
    if (dr_[i] != 0) length = std::min(length, ((dr_[i] > 0 ? upper_[i] : lower_[i]) - r[i]) / dr_[i]);
  if (length > 0 && std::isfinite(length) && dr_.dot(w) + length * dr_.dot(dw_) < 0) anchor_ += length * dr_;
}

IterationResult IntervalPivoting::iterate(const LawsAtTime& laws, const Vector& b, double tolerance,
                                          Index max_systems, Vector& r, Vector& w) {
  read_bounds(laws);
  delta_ = 0;
  anchor_ = r;
  IterationResult result;
  Index fewest_wrong = problem_.n_columns() + 1, exchanges_left = max_exchanges_without_progress;
  Index n_drives = 0, n_proximal_steps = 0;
  while (result.n_iterations < max_systems) {
    ++result.n_iterations;
    factorize();
    if (!has_factors_) break;
    const bool inside = solve_free(b, r);
    if (inside) {
      result.residual = problem_.residual(laws, b, r, w);
      if (result.residual.value <= tolerance) return result;
    } else {
      problem_.multiply(r, w);
      w += b;
    }
    const Index n_wrong = find_wrong_sides(r, w);
    if (n_wrong == 0) {
      // All sides are correct up to rounding errors. The next step is a proximal step, or a step of
      // refinement.
      if (delta_ > 0) {
        if (++n_proximal_steps > max_proximal_steps) break;
        advance_anchor(r, w);
        fewest_wrong = problem_.n_columns() + 1;
        exchanges_left = max_exchanges_without_progress;
        continue;
      }
      refine(w, r);
      result.residual = problem_.residual(laws, b, r, w);
      return result;
    }
    if (n_wrong < fewest_wrong) {
      fewest_wrong = n_wrong;
      exchanges_left = max_exchanges_without_progress;
      side_ = correct_;
    } else if (--exchanges_left > 0) {
      side_ = correct_;
    } else if (++n_drives > max_single_pivoting_calls) {
      break;
    } else {
      result.n_iterations += pivot_one_by_one(b, max_systems - result.n_iterations, r, w);
    }
  }
  r = r.cwiseMax(lower_).cwiseMin(upper_);
  result.residual = problem_.residual(laws, b, r, w);
  return result;
}

}  // namespace halfdof::internal
