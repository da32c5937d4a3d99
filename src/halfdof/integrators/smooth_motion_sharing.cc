#include <halfdof/integrators/smooth_motion.h>
#include <halfdof/linear_algebra/nearest_point.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof {

namespace {

/// Parts of normal reactions in reactions of norm one that balance one another.
constexpr double takes_part = 1e-10;

/// What directions that move together differ by, relative to what they move by.
constexpr double together = 1e-8;

/// How near to its bounds friction comes while others could take more: parts of its range, halved from 1/4.
constexpr double least_margin = 1e-9;

/// How far beyond their bounds reactions may be, likewise.
constexpr double rounding = 1e-12;

/// @return less than -rounding behind the last one
double next_margin(double margin) {
  if (margin > least_margin) return 0.5 * margin;
  return margin > 0 ? 0. : margin == 0 ? -rounding : -1.;
}

}  // namespace

/// Those of what is held whose reactions may balance one another without a change of the motion: laws of one
/// direction, and tangents in the plane, whose normal reactions take no part in that.
std::vector<Index> SmoothMotion::sharing(const std::vector<Index>& held, const HeldReactions& W) const {
  const MultiVector balanced = W.balanced();
  std::vector<Index> all;
  for (const Index j : held) {
    const auto& place = condensed_.place(j);
    if (place.is_tangent()) {
      const auto normal = std::find(held.begin(), held.end(), condensed_.normal_of(j));
      const bool is_followed =
          normal == held.end() || balanced.row(normal - held.begin()).norm() > takes_part;
      if (place.law->dimension() == 2 && !is_followed) all.push_back(j);
    } else if (place.law->dimension() == 1) {
      all.push_back(j);
    }
  }
  return all;
}

void SmoothMotion::share(const Mode& mode, const Vector& admitted, Vector& r) const {
  const Held& now = held(mode.states);
  if (now.sharing.empty()) return;
  const Vector wish = (admitted - r)(now.sharing).cwiseQuotient(now.units);
  r(now.sharing) += now.units.cwiseProduct(now.balanced * (now.balanced.transpose() * wish));
}

Interval SmoothMotion::admitted(const Mode& mode, double time, Index j, const Vector& r) const {
  const Interval bounds = friction_bounds(mode, j, time);
  if (condensed_.place(j).is_contact) return {0, std::numeric_limits<double>::infinity()};
  if (!condensed_.place(j).is_tangent()) return bounds;
  const double threshold = bounds.upper * std::max(0., r[condensed_.normal_of(j)]);
  return {-threshold, threshold};
}

bool SmoothMotion::are_compatible(const std::vector<ContactState>& states, const Vector& w,
                                  const Vector& uncertainty) const {
  const Held& now = held(states);
  const MultiVector sizes = now.parting.cwiseAbs().transpose();
  const Vector of = now.parting.transpose() * w(now.directions),
               allowed = sizes * (together * w(now.directions).cwiseAbs() + uncertainty(now.directions));
  return (of.cwiseAbs().array() <= allowed.array()).all();
}

bool SmoothMotion::is_shared(const std::vector<ContactState>& states, Index j) const {
  const std::vector<Index>& all = held(states).sharing;
  return std::find(all.begin(), all.end(), j) != all.end();
}

std::optional<double> SmoothMotion::share_within_bounds(const Mode& mode, double time, Vector& r) const {
  const Held& now = held(mode.states);
  if (now.sharing.empty()) return std::nullopt;
  const auto n = static_cast<Index>(now.sharing.size());
  Vector lower(n), upper(n);
  for (Index i = 0; i < n; ++i) {
    const Interval bounds = admitted(mode, time, now.sharing[static_cast<std::size_t>(i)], r);
    lower[i] = bounds.lower;
    upper[i] = bounds.upper;
  }
  const Vector shared = r(now.sharing),
               width = (upper - lower).unaryExpr([](double d) { return std::isfinite(d) ? d : 0.; });
  for (double margin = 0.25; margin >= -rounding; margin = next_margin(margin)) {
    const Vector from = lower + margin * width - shared, to = upper - margin * width - shared;
    const std::optional<Vector> change =
        least_within_bounds(now.balanced, from.cwiseQuotient(now.units), to.cwiseQuotient(now.units));
    if (!change) continue;
    const Vector found = shared + now.units.cwiseProduct(now.balanced * *change);
    const double size = found.cwiseAbs().maxCoeff();
    for (Index i = 0; i < n; ++i) {
      // What is at a bound but for rounding is there.
      const double nearest = std::clamp(found[i], lower[i], upper[i]),
                   near = rounding * (width[i] > 0 ? width[i] : size);
      r[now.sharing[static_cast<std::size_t>(i)]] = nearest - lower[i] <= near   ? lower[i]
                                                    : upper[i] - nearest <= near ? upper[i]
                                                                                 : nearest;
    }
    return std::max(margin, 0.);
  }
  return std::nullopt;
}

}  // namespace halfdof
