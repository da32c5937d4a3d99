// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/verification/law_verification.h>
#include <halfdof/linear_algebra/entries.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof::internal {

Vector LawVerification::parameters_at(double time, const DirectionPoint& at) const {
  constexpr auto n = static_cast<Index>(LawParameters().size());
  Vector all(n * static_cast<Index>(inclusions_.size()));
  Index filled = 0;
  for (std::size_t i = 0; i < inclusions_.size(); ++i) {
    if (inclusions_[i].law().is_autonomous()) continue;
    const LawParameters parameters = inclusions_[i].law().parameters(time, at.state.contacts[i]);
    // An infinite bound does not depend on time and is therefore replaced by zero.
    for (const double parameter : parameters)
      all[filled++] = std::isfinite(parameter) ? parameter : 0.;
  }
  return all.head(filled);
}

void LawVerification::check_between(const DirectionPoint& from, const DirectionPoint& to,
                                    const std::vector<double>& times, const MultiVector& prescribed,
                                    const StepPath* path) {
  for (std::size_t i = 0; i < inclusions_.size(); ++i)
    if (path != nullptr)
      check_between_on_path(i, from, to, times, prescribed, *path);
    else
      check_between_ends(i, from, to, times, prescribed);
}

/// Checks reactions, gaps, and the reactions of slipping friction within a step, with the thresholds at each
/// instant.
void LawVerification::check_between_on_path(std::size_t i, const DirectionPoint& from,
                                            const DirectionPoint& to, const std::vector<double>& times,
                                            const MultiVector& prescribed, const StepPath& path) {
  const CheckedInclusion& place = inclusions_[i];
  const Law& law = place.law();
  const ContactState contact = path.states.front().contacts[i];
  const double h = to.state.time - from.state.time;
  for (std::size_t k = 1; k + 1 < times.size(); ++k) {
    const Vector basis = RadauNodes::get().basis((times[k] - from.state.time) / h);
    const Vector r = place.own(path.r * basis), w = reduced_by_rounding(place, path.w * basis, from, to),
                 g = place.own(path.s * basis + prescribed.col(static_cast<Index>(k)));
    const LawParameters parameters = law.parameters(times[k], contact);
    record(Check::reaction, i, law.distance(parameters, r), times[k]);
    if (law.level(0) == LawLevel::gap)
      record(Check::gap, i, depth(g[0]), times[k]);
    else if (law.dimension() == 1)
      record(Check::law, i, law.natural_residual(parameters, factor_of_rates(place, h), w, r), times[k]);
  }
}

/// Computes the violations of laws within a step in excess of the violations at both ends, with interpolated
/// reactions and displacements. On DoFs with mass or damping the mean violation is recorded as an error of
/// the rate, and on other DoFs the largest violation is recorded as an error of the reaction.
void LawVerification::check_between_ends(std::size_t i, const DirectionPoint& from, const DirectionPoint& to,
                                         const std::vector<double>& times, const MultiVector& prescribed) {
  const CheckedInclusion& place = inclusions_[i];
  const Law& law = place.law();
  const double begin = from.state.time, h = to.state.time - begin;
  const Vector w = place.own(to.state.w);
  const ReducedLaw reduced_law = reduced_law_of(i);
  const bool has_no_inertia =
      reduced_law == ReducedLaw::play || reduced_law == ReducedLaw::recovered_reaction;
  const auto largest = [&](const Vector& of_all) { return largest_entry(Vector(place.own(of_all))); };
  const double moved =
      largest(law.level(0) == LawLevel::gap ? Vector(to.s - from.s) : to.gaps() - from.gaps());
  const double size = largest(to.s) + largest(to.prescribed) +
                      outcome_.directions[static_cast<std::size_t>(place.first)].W * largest(to.state.r);
  const bool may_jump = has_no_inertia && moved > touching * size;
  Vector missed(static_cast<Index>(times.size())), gaps(missed.size());
  for (Index k = 0; k < missed.size(); ++k) {
    const double time = times[static_cast<std::size_t>(k)], part = (time - begin) / h;
    // Directions without mass and damping may jump within the step, and then have their values at either end.
    std::vector<double> places = {part};
    if (may_jump) places.insert(places.end(), {0., 1.});
    missed[k] = gaps[k] = std::numeric_limits<double>::infinity();
    for (const double at : places) {
      const Vector r = place.own((1 - at) * from.state.r + at * to.state.r),
                   g = place.own((1 - at) * from.s + at * to.s + prescribed.col(k));
      const LawPair pair = law_pair(i, w, g, r, h);
      missed[k] = std::min(missed[k], law.is_autonomous() || law.level(0) == LawLevel::gap
                                          ? 0.
                                          : law.natural_residual(law.parameters(time, to.state.contacts[i]),
                                                                 pair.rho, pair.quantity / pair.rho, r));
      gaps[k] = std::min(gaps[k], law.level(0) == LawLevel::gap ? depth(g[0]) : 0.);
    }
  }
  const auto beyond_ends = [](const Vector& x) -> Vector {
    return (x.array() - std::max(x[0], x[x.size() - 1])).max(0.);
  };
  const double time = to.state.time;
  keep_larger(violation_of(i, beyond_ends(gaps).maxCoeff(), time), step_errors_.gap);
  const Vector beyond = beyond_ends(missed);
  if (has_no_inertia) {
    keep_larger(violation_of(i, beyond.maxCoeff(), time), step_errors_.reaction[i]);
    return;
  }
  double mean = 0;
  for (Index k = 1; k < beyond.size(); ++k)
    mean += 0.5 * (beyond[k] + beyond[k - 1]) *
            (times[static_cast<std::size_t>(k)] - times[static_cast<std::size_t>(k) - 1]) / h;
  record_rate_error(i, mean / force_to_undo_unit(LawLevel::rate, place.first, h), to, h);
}

/// Records an error of a rate. The error of the rate of a viscous DoF is recorded as an error of the
/// displacement, because rates of viscous DoFs are not carried from step to step.
void LawVerification::record_rate_error(std::size_t i, double error, const DirectionPoint& to, double step) {
  error = std::max(error - rounding_of_held_, 0.);
  const std::vector<DoFKind>& kinds =
      outcome_.directions[static_cast<std::size_t>(inclusions_[i].first)].decided_by;
  if (!kinds.empty() && kinds.front() == DoFKind::viscous)
    keep_larger(violation_of(i, step * error, to.state.time), step_errors_.displacement);
  else
    keep_larger(violation_of(i, error, to.state.time), step_errors_.rate);
}

/// Records the error of friction that begins to slip, sticks or reverses at an unknown instant within a step.
/// The error is half of the rate that the change of its own reaction would cause, but at most half of the
/// rate that the changes of all reactions would cause. If a contact takes over the force of the friction, the
/// latter is zero.
void LawVerification::record_state_change(std::size_t i, const DirectionPoint& from,
                                          const DirectionPoint& to) {
  const CheckedInclusion& place = inclusions_[i];
  if (place.law().level(0) != LawLevel::rate || reduced_law_of(i) == ReducedLaw::play ||
      from.state.contacts[i] == to.state.contacts[i])
    return;
  const double h = to.state.time - from.state.time;
  const Vector change = to.state.r - from.state.r;
  double force = place.own(change).norm();
  const DirectionOutcome& outcome = outcome_.directions[static_cast<std::size_t>(place.first)];
  if (!outcome.decided_by.empty() && delassus_of(place.first).size() > 0)
    force = std::min(force, place.own(delassus_of(place.first) * change).norm() / outcome.W);
  record_rate_error(i, 0.5 * force / force_to_undo_unit(LawLevel::rate, place.first, h), to, h);
}

Violation LawVerification::largest_step_error() const {
  const auto relative = [](Violation found, double size) {
    if (size > 0) found.value /= size;
    return found;
  };
  Violation largest = relative(step_errors_.rate, size_rate_);
  keep_larger(relative(step_errors_.displacement, size_displacement_), largest);
  keep_larger(relative(step_errors_.gap, size_g_), largest);
  for (std::size_t i = 0; i < inclusions_.size(); ++i)
    keep_larger(relative(step_errors_.reaction[i], size_r_[static_cast<Index>(i)]), largest);
  return largest;
}

}  // namespace halfdof::internal
