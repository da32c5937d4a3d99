// SPDX-License-Identifier: LGPL-2.1-or-later
// The part of IntervalPivoting that corrects one inclusion at a time (principal pivoting method of Cottle and
// Dantzig).

#include <halfdof/inclusions/interval_pivoting.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof::internal {

Index IntervalPivoting::pivot_one_by_one(const Vector& b, Index max_systems, Vector& r, Vector& w) {
  Index n_systems = 0;
  // Finds a start at which all free reactions are within their bounds: inclusions whose reactions are outside
  // of their bounds are moved to the violated bound.
  bool inside = false;
  while (!inside && n_systems < max_systems) {
    ++n_systems;
    factorize();
    if (!has_factors_) return n_systems;
    inside = solve_free(b, r);
    for (const Index i : free_) {
      auto& side = side_[static_cast<std::size_t>(i)];
      if (r[i] < lower_[i]) side = Side::lower;
      if (r[i] > upper_[i]) side = Side::upper;
    }
  }
  problem_.multiply(r, w);
  w += b;
  for (Index i = 0; i < problem_.n_columns(); ++i) {
    w[i] = shifted_rate(i, r, w);
    const auto k = static_cast<std::size_t>(i);
    is_satisfied_[k] = side_[k] == Side::free || is_on_correct_side(i, w[i]);
  }
  for (Index i = 0; i < problem_.n_columns() && n_systems < max_systems; ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (!is_satisfied_[k] && !is_on_correct_side(i, w[i]))
      n_systems += drive_to_correct_side(i, max_systems - n_systems, r, w);
    is_satisfied_[k] = true;
  }
  return n_systems;
}

// Changes r_i until inclusion i is on a correct side. The argument w contains the rates of the proximal step.
Index IntervalPivoting::drive_to_correct_side(Index i, Index max_systems, Vector& r, Vector& w) {
  const double direction = w[i] < 0 ? 1 : -1;
  for (Index n_systems = 1; n_systems <= max_systems; ++n_systems) {
    factorize();
    if (!has_factors_) return n_systems;
    compute_free_response(i, direction);
    const PivotEvent event = first_event(i, direction, r, w);
    if (event.inclusion < 0) return n_systems;
    r += event.length * dr_;
    w += event.length * dw_;
    const Index j = event.inclusion;
    side_[static_cast<std::size_t>(j)] = event.side;
    if (event.side == Side::free) {
      w[j] = 0;
    } else {
      r[j] = event.side == Side::lower ? lower_[j] : upper_[j];
    }
    if (j == i) return n_systems;
  }
  return max_systems;
}

// Computes the changes dr_ and dw_ for dr_i = direction: the changes of the free reactions keep w_F = 0 by
// W_FF dr_F + W_Fi dr_i = 0, and dw = W dr.
void IntervalPivoting::compute_free_response(Index i, double direction) {
  const Vector& W_i = column(i);
  const auto n = static_cast<Index>(free_.size());
  for (Index l = 0; l < n; ++l)
    rhs_[l] = -direction * W_i[free_[static_cast<std::size_t>(l)]];
  solve(rhs_.head(n));
  dr_.setZero();
  dr_[i] = direction;
  for (Index l = 0; l < n; ++l)
    dr_[free_[static_cast<std::size_t>(l)]] = rhs_[l];
  problem_.multiply(dr_, dw_);
  if (delta_ > 0) dw_[i] += delta_ * problem_.matrix()(i, i) * direction;
  for (const Index free : free_)
    dw_[free] = 0;
}

IntervalPivoting::PivotEvent IntervalPivoting::first_event(Index i, double direction, const Vector& r,
                                                           const Vector& w) const {
  PivotEvent first{std::numeric_limits<double>::infinity(), -1, Side::free};
  const auto consider = [&](double distance, double speed, Index inclusion, Side side) {
    const double length = std::max(0., distance) / speed;
    if (length < first.length) first = {length, inclusion, side};
  };
  if (dw_[i] * direction > 0) consider(std::abs(w[i]), std::abs(dw_[i]), i, Side::free);
  for (Index j = 0; j < problem_.n_columns(); ++j) {
    const auto k = static_cast<std::size_t>(j);
    if (j == i || side_[k] == Side::free) {
      if (dr_[j] > 0) consider(upper_[j] - r[j], dr_[j], j, Side::upper);
      if (dr_[j] < 0) consider(r[j] - lower_[j], -dr_[j], j, Side::lower);
    } else if (is_satisfied_[k] && lower_[j] < upper_[j]) {
      if (side_[k] == Side::lower && dw_[j] < 0) consider(w[j], -dw_[j], j, Side::free);
      if (side_[k] == Side::upper && dw_[j] > 0) consider(-w[j], dw_[j], j, Side::free);
    }
  }
  return first;
}

}  // namespace halfdof::internal
