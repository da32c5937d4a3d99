// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/verification/law_verification.h>

#include <algorithm>
#include <cmath>
#include <limits>

/// These functions compute the scales and rounding errors in the verification of laws, which are the forces
/// that undo rates and gaps within a step, and the rounding errors of rates that reactions hold at zero.

namespace halfdof::internal {

namespace {

/// Factor by which solving for the reactions increases the rounding errors of the forces that the reactions
/// balance.
constexpr double rounding_growth = 30;

}  // namespace

/// Returns the Delassus matrix of the kind of DoFs that decides a direction. The matrix is empty if it is not
/// formed.
const MultiVector& LawVerification::delassus_of(Index direction) const {
  const DirectionOutcome& outcome = outcome_.directions[static_cast<std::size_t>(direction)];
  return outcome.decided_by.front() == DoFKind::algebraic ? outcome_.W.K
         : outcome.decided_by.front() == DoFKind::viscous ? outcome_.W.C
                                                          : outcome_.W.I;
}

/// Returns the distance by which reactions would move a direction within a step if no other forces balanced
/// them.
double LawVerification::displacement_by_reactions(Index direction, const Vector& r, double step) const {
  const DirectionOutcome& outcome = outcome_.directions[static_cast<std::size_t>(direction)];
  if (outcome.decided_by.empty()) return 0;
  const MultiVector& W = delassus_of(direction);
  const double own = std::abs(r[direction]);
  const double all = W.size() > 0 ? W.row(direction).cwiseAbs().dot(r.cwiseAbs()) / outcome.W : own;
  return all / force_to_undo_unit(LawLevel::gap, direction, step);
}

double LawVerification::rounding_of_held(Index direction, const DirectionPoint& from,
                                         const DirectionPoint& to) const {
  const Vector r = from.state.r.cwiseAbs().cwiseMax(to.state.r.cwiseAbs());
  const double step = to.state.time - from.state.time;
  return (epsilon * rounding_growth + options_.state_tolerance) *
         displacement_by_reactions(direction, r, step) / step;
}

/// If a method uses means of both ends of a step (theta < 1), the gaps of algebraic DoFs at the end of a step
/// are computed from the gaps at its beginning. Their rounding errors change sign from step to step and
/// accumulate like a random walk. The change of such an error in a step is twice its value.
double LawVerification::rounding_of_rate(Index direction, const DirectionPoint& from,
                                         const DirectionPoint& to) const {
  const double step = to.state.time - from.state.time,
               length = std::abs(to.s[direction]) + std::abs(to.prescribed[direction]),
               moved = std::abs(to.s[direction] - from.s[direction]) +
                       std::abs(to.prescribed[direction] - from.prescribed[direction]);
  const bool is_counted_on =
      options_.end_weight < 1 && outcome_.directions[static_cast<std::size_t>(direction)]
                                     .acts_on[static_cast<std::size_t>(DoFKind::algebraic)];
  return (8 * epsilon *
              ((is_counted_on ? std::sqrt(n_steps_) : 1.) * length + std::abs(to.state.time) / step * moved) +
          options_.state_tolerance * length) /
             step +
         rounding_of_held(direction, from, to);
}

/// Returns the force that undoes a unit rate, or a unit gap, of a direction within a step.
double LawVerification::force_to_undo_unit(LawLevel level, Index direction, double step) const {
  const DirectionOutcome& outcome = outcome_.directions[static_cast<std::size_t>(direction)];
  if (outcome.decided_by.empty()) return 1.;
  double rate = 0;
  switch (outcome.decided_by.front()) {
    case DoFKind::algebraic:
      rate = outcome.W / step;
      break;
    case DoFKind::viscous:
      rate = outcome.W;
      break;
    case DoFKind::inertial:
    case DoFKind::constrained:
      rate = outcome.W * step;
      break;
  }
  return 1 / (level == LawLevel::rate ? rate : rate * step);
}

/// Returns the largest rate that a reaction alone would cause in its direction within a step, over all
/// directions on DoFs with mass or damping. The rates of directions that friction holds at rest are rounding
/// errors relative to this rate.
double LawVerification::rate_by_reactions(const Vector& r, double step) const {
  double largest = 0;
  for (Index j = 0; step > 0 && j < r.size(); ++j) {
    const DirectionOutcome& outcome = outcome_.directions[static_cast<std::size_t>(j)];
    const bool is_moved = !outcome.decided_by.empty() && (outcome.decided_by.front() == DoFKind::inertial ||
                                                          outcome.decided_by.front() == DoFKind::viscous);
    if (is_moved) largest = std::max(largest, std::abs(r[j]) / force_to_undo_unit(LawLevel::rate, j, step));
  }
  return largest;
}

/// Returns the rates of an inclusion, reduced in magnitude by their possible rounding errors. The reduction
/// is needed because the force that corresponds to a rate is large in a short step. @param w rates of all
/// directions
Vector LawVerification::reduced_by_rounding(const CheckedInclusion& place, const Vector& w,
                                            const DirectionPoint& from, const DirectionPoint& to) const {
  Vector own = place.own(w);
  for (Index k = 0; k < own.size(); ++k) {
    if (place.law().level(k) != LawLevel::rate) continue;
    const double noise = rounding_of_rate(place.first + k, from, to);
    own[k] -= std::clamp(own[k], -noise, noise);
  }
  return own;
}

/// Returns the factor rho of rates in a natural map, which is the force that undoes a unit rate within a
/// step. For a law whose force decreases with the rate by at most l per unit rate, the factor is at least 2
/// l, because the resolvent is single valued only for rho > l.
double LawVerification::factor_of_rates(const CheckedInclusion& place, double step) const {
  const Index d = place.law().dimension();
  const double undoes = force_to_undo_unit(LawLevel::rate, place.first + d - 1, step),
               l = place.law().one_sided_lipschitz_constant();
  return d == 1 && std::isfinite(l) ? std::max(undoes, 2 * l) : undoes;
}

auto LawVerification::law_pair(std::size_t i, const Vector& w, const Vector& g, const Vector& r,
                               double step) const -> LawPair {
  const Law& law = inclusions_[i].law();
  const Index first = inclusions_[i].first, d = law.dimension();
  LawPair pair{Vector(d), r, 1.};
  // The factor of gaps uses the longest step of the run, so that rounding errors of gaps cause no large force
  // in short steps. All tangents have the same factor, so that the direction of their rate does not change.
  const auto factor = [&](Index k) {
    return law.level(k) == LawLevel::rate ? factor_of_rates(inclusions_[i], step)
                                          : force_to_undo_unit(LawLevel::gap, first + k, size_step_);
  };
  for (Index k = 0; k < d; ++k)
    pair.quantity[k] = factor(k) * (law.level(k) == LawLevel::rate ? w[k] : g[k]);
  if (d == 1) pair.rho = factor(0);
  return pair;
}

}  // namespace halfdof::internal
