// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/event_driven/smooth_motion.h>
#include <halfdof/linear_algebra/dense/nearest_point.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof::internal {

namespace {

/// Smallest normal reaction in null-space reactions of norm one that does not count as zero.
constexpr double active_part = 1e-10;

/// Largest relative violation m^T w with which the motions of dependent directions count as compatible.
constexpr double compatibility_tolerance = 1e-8;

/// The first and the smallest positive margin from the bounds of friction, relative to the range of friction.
constexpr double first_margin = 0.25, least_margin = 1e-9;

/// Largest amount by which admissible reactions may exceed a bound, relative to the range or to the largest
/// reaction.
constexpr double rounding_of_bounds = 1e-12;

/// Returns the margin that is tried after `margin`, or nothing after the last margin.
std::optional<double> next_margin(double margin) {
  if (margin > least_margin) return first_margin * margin;
  if (margin > 0) return 0.;
  return margin == 0 ? std::optional(-rounding_of_bounds) : std::nullopt;
}

}  // namespace

/// Returns the held (sticking or closed) directions whose reactions may be changed by null-space reactions,
/// which balance one another and do not change the motion. These directions are the directions of all scalar
/// laws, and the tangents of contacts in the plane whose normal reaction is zero in all null-space reactions.
std::vector<Index> SmoothMotion::shareable_directions(const std::vector<Index>& held,
                                                      const HeldDelassus& W) const {
  const MultiVector null_space = W.null_space();
  std::vector<Index> all;
  for (const Index j : held) {
    const auto& direction = condensed_.direction(j);
    if (direction.is_tangent()) {
      const auto normal = std::find(held.begin(), held.end(), condensed_.normal_of(j));
      const bool is_followed =
          normal == held.end() || null_space.row(normal - held.begin()).norm() > active_part;
      if (direction.law->dimension() == 2 && !is_followed) all.push_back(j);
    } else if (direction.law->dimension() == 1) {
      all.push_back(j);
    }
  }
  return all;
}

void SmoothMotion::project_shared_reactions(const Mode& mode, const Vector& admitted, Vector& r) const {
  const HeldSystem& now = held_system(mode.states);
  if (now.sharing.empty()) return;
  const Vector correction = (admitted - r)(now.sharing).cwiseQuotient(now.units);
  r(now.sharing) += now.units.cwiseProduct(now.null_space * (now.null_space.transpose() * correction));
}

Interval SmoothMotion::admitted(const Mode& mode, double time, Index j, const Vector& r) const {
  const Interval bounds = friction_bounds(mode, j, time);
  if (condensed_.direction(j).is_contact) return {0, std::numeric_limits<double>::infinity()};
  if (!condensed_.direction(j).is_tangent()) return bounds;
  const double threshold = bounds.upper * std::max(0., r[condensed_.normal_of(j)]);
  return {-threshold, threshold};
}

bool SmoothMotion::are_compatible(const std::vector<ContactState>& states, const Vector& w,
                                  const Vector& uncertainty) const {
  const HeldSystem& now = held_system(states);
  const MultiVector sizes = now.left_null_space.cwiseAbs().transpose();
  const Vector of = now.left_null_space.transpose() * w(now.directions),
               allowed = sizes * (compatibility_tolerance * w(now.directions).cwiseAbs() +
                                  uncertainty(now.directions));
  return (of.cwiseAbs().array() <= allowed.array()).all();
}

bool SmoothMotion::is_shared(const std::vector<ContactState>& states, Index j) const {
  const std::vector<Index>& all = held_system(states).sharing;
  return std::find(all.begin(), all.end(), j) != all.end();
}

std::optional<double> SmoothMotion::share_within_bounds(const Mode& mode, double time, Vector& r) const {
  const HeldSystem& now = held_system(mode.states);
  if (now.sharing.empty()) return std::nullopt;
  const auto n = static_cast<Index>(now.sharing.size());
  Vector lower(n), upper(n);
  for (Index i = 0; i < n; ++i) {
    const Interval bounds = admitted(mode, time, now.sharing[static_cast<std::size_t>(i)], r);
    lower[i] = bounds.lower;
    upper[i] = bounds.upper;
  }
  const Vector shared = r(now.sharing);
  const double largest = shared.cwiseQuotient(now.units).cwiseAbs().maxCoeff();
  // Contacts have no finite range and therefore no margin. Their tolerance is relative to the largest
  // reaction.
  const Vector range = (upper - lower).unaryExpr([](double d) { return std::isfinite(d) ? d : 0.; }),
               size = (range.array() > 0).select(range, largest * now.units);
  std::optional<double> margin = range.isZero(0.) ? 0. : first_margin;
  for (; margin; margin = next_margin(*margin)) {
    const Vector inside = *margin * (*margin > 0 ? range : size), from = lower + inside - shared,
                 to = upper - inside - shared;
    const std::optional<Vector> change =
        least_norm_within_bounds(now.null_space, from.cwiseQuotient(now.units), to.cwiseQuotient(now.units));
    if (!change) continue;
    const Vector found = shared + now.units.cwiseProduct(now.null_space * *change);
    for (Index i = 0; i < n; ++i) {
      const double nearest = std::clamp(found[i], lower[i], upper[i]), near = rounding_of_bounds * size[i];
      // A reaction that differs from a bound only by rounding is set to the bound.
      r[now.sharing[static_cast<std::size_t>(i)]] = nearest - lower[i] <= near   ? lower[i]
                                                    : upper[i] - nearest <= near ? upper[i]
                                                                                 : nearest;
    }
    return std::max(*margin, 0.);
  }
  return std::nullopt;
}

}  // namespace halfdof::internal
