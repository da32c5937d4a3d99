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

/// How near to its bounds friction comes while others could take more: parts of its range.
constexpr double first_margin = 0.25, least_margin = 1e-9;

/// By how much reactions that hold a limit may be beyond it: part of a range, or of the largest reaction.
constexpr double rounding = 1e-12;

/// The parts that are tried one after the other. @return none behind the last one
std::optional<double> next_margin(double margin) {
  if (margin > least_margin) return first_margin * margin;
  if (margin > 0) return 0.;
  return margin == 0 ? std::optional(-rounding) : std::nullopt;
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
  const Vector shared = r(now.sharing);
  const double largest = shared.cwiseQuotient(now.units).cwiseAbs().maxCoeff();
  // Contacts have no range, and no margin: what they may be beyond zero by is measured by all reactions.
  const Vector range = (upper - lower).unaryExpr([](double d) { return std::isfinite(d) ? d : 0.; }),
               size = (range.array() > 0).select(range, largest * now.units);
  std::optional<double> margin = range.isZero(0.) ? 0. : first_margin;
  for (; margin; margin = next_margin(*margin)) {
    const Vector inside = *margin * (*margin > 0 ? range : size), from = lower + inside - shared,
                 to = upper - inside - shared;
    const std::optional<Vector> change =
        least_within_bounds(now.balanced, from.cwiseQuotient(now.units), to.cwiseQuotient(now.units));
    if (!change) continue;
    const Vector found = shared + now.units.cwiseProduct(now.balanced * *change);
    for (Index i = 0; i < n; ++i) {
      const double nearest = std::clamp(found[i], lower[i], upper[i]), near = rounding * size[i];
      // What is at a bound but for rounding is there.
      r[now.sharing[static_cast<std::size_t>(i)]] = nearest - lower[i] <= near   ? lower[i]
                                                    : upper[i] - nearest <= near ? upper[i]
                                                                                 : nearest;
    }
    return std::max(*margin, 0.);
  }
  return std::nullopt;
}

}  // namespace halfdof
