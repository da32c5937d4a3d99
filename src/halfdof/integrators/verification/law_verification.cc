// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/verification/law_verification.h>
#include <halfdof/linear_algebra/entries.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

/// Reactions below this part of the largest force may be rounding errors.
constexpr double smallest_force = 1e-6;

/// Factor by which differentiation of the polynomials of a StepPath increases rounding errors.
constexpr double noise_of_derivatives = 100;

/// Times in a step of length 1 at which time-dependent thresholds are checked, which are both ends and the
/// nodes of a Gauss rule. The largest threshold at these times is not smaller than the mean over the step by
/// this rule.
constexpr std::array<double, 7> instants = {
    0, 0.0469100770306680, 0.2307653449471585, 0.5, 0.7692346550528415, 0.9530899229693320, 1};

double distance_to_segment(const Vector& x, const Vector& from, const Vector& to) {
  const Vector along = to - from;
  const double length = along.squaredNorm();
  const double part = length > 0 ? std::clamp((x - from).dot(along) / length, 0., 1.) : 0.;
  return (x - from - part * along).norm();
}

/// Returns the error that rounding of the values at both ends and of the time causes in a mean over a short
/// step.
double rounding_of_mean(const Vector& begin, const Vector& end, const Vector& mean, double time,
                        double length) {
  return 8 * epsilon / length *
         std::max({largest_entry(begin), largest_entry(end), std::abs(time) * largest_entry(mean)});
}

}  // namespace

void keep_larger(const Violation& found, Violation& largest) {
  if (found.value <= largest.value || std::isnan(largest.value)) return;
  largest = found;
}

}  // namespace halfdof

namespace halfdof::internal {

Vector DirectionPoint::gaps_with_exact_zeros() const {
  constexpr double rounding = 8 * epsilon;
  const Vector g = gaps(), size = s.cwiseAbs() + prescribed.cwiseAbs() +
                                  std::abs(state.time) * prescribed_rate.cwiseAbs();
  return (g.array().abs() <= rounding * size.array()).select(0., g);
}

LawVerification::LawVerification(std::vector<Inclusion> inclusions, InclusionOutcome outcome,
                                 const VerificationOptions& options)
    : outcome_(std::move(outcome)),
      options_(options),
      random_(options.seed),
      size_r_(Vector::Zero(static_cast<Index>(inclusions.size()))),
      size_w_(size_r_) {
  Index first = 0;
  for (Inclusion& inclusion : inclusions) {
    inclusions_.push_back({std::move(inclusion), first});
    first += inclusions_.back().law().dimension();
  }
  for (auto& of_check : found_)
    of_check.resize(inclusions_.size());
  step_errors_.reaction.resize(inclusions_.size());
}

void LawVerification::operator()(const DirectionPoint* from, const DirectionPoint& to, const Sizes& sizes,
                                 const PrescribedStep* prescribed, const StepPath* path,
                                 const std::vector<ContactEvent>& events) {
  update_scales(from, to, sizes, path);
  const double begin = from != nullptr ? from->state.time : to.state.time;
  const double length = to.state.time - begin;
  rounding_of_held_ = 0;
  for (Index k = 0; length > 0 && k < to.s.size(); ++k)
    rounding_of_held_ = std::max(rounding_of_held_, rounding_of_held(k, *from, to));
  for (std::size_t i = 0; i < inclusions_.size(); ++i)
    check_instant(i, to.state, to.gaps(), to.middle.value_or(begin + 0.5 * length));
  if (length > 0) {
    Vector impulse = to.state.impulse - from->state.impulse;
    for (const ContactEvent& event : events)
      if (event.begin == event.end && event.impulse.size() > 0)
        impulse.segment(inclusions_[event.inclusion].first, event.impulse.size()) -= event.impulse;
    for (std::size_t i = 0; i < inclusions_.size(); ++i) {
      if (path != nullptr) {
        check_path(i, *from, to, impulse / length, *path);
      } else {
        check_impulse(i, *from, to, impulse / length);
        check_rates(i, *from, to, *prescribed);
        record_state_change(i, *from, to);
      }
      check_law(i, *from, to, *prescribed);
    }
  }
  for (const ContactEvent& event : events)
    check_event(event, path != nullptr && event.end < to.state.time ? path->states.front().r : to.state.r);
}

/// Updates the largest quantities so far, to which violations are relative. With a path the reactions within
/// the step are included, because a reaction may be zero at both ends.
void LawVerification::update_scales(const DirectionPoint* from, const DirectionPoint& to, const Sizes& sizes,
                                    const StepPath* path) {
  const Vector r = path != nullptr
                       ? Vector(to.state.r.cwiseAbs().cwiseMax(path->r.cwiseAbs().rowwise().maxCoeff()))
                       : Vector(to.state.r.cwiseAbs());
  if (from != nullptr && to.state.time > from->state.time) ++n_steps_;
  if (from != nullptr) size_step_ = std::max(size_step_, to.state.time - from->state.time);
  size_rate_ = std::max({size_rate_, sizes.rate, largest_entry(to.state.w)});
  size_force_ = std::max({size_force_, sizes.load, largest_entry(r)});
  if (from != nullptr) {
    const double step = to.state.time - from->state.time, rate = rate_by_reactions(r, step);
    size_rate_by_reactions_ = std::max(size_rate_by_reactions_, rate);
    size_displacement_by_reactions_ += step * rate;
  }
  if (first_gaps_.size() == 0) first_gaps_ = to.gaps();
  size_displacement_ = std::max(size_displacement_, largest_entry(to.gaps() - first_gaps_));
  // Reactions that hold a gap without mass may move it by large terms that cancel.
  if (outcome_.W.K.cols() == r.size()) {
    const Vector moved = outcome_.W.K.cwiseAbs() * r;
    for (const CheckedInclusion& place : inclusions_)
      if (place.law().level(0) == LawLevel::gap) size_g_ = std::max(size_g_, moved[place.first]);
  }
  for (std::size_t i = 0; i < inclusions_.size(); ++i) {
    const CheckedInclusion& place = inclusions_[i];
    double& size_r = size_r_[static_cast<Index>(i)];
    double& size_w = size_w_[static_cast<Index>(i)];
    size_r = std::max(size_r, largest_entry(place.own(r)));
    size_w = std::max(size_w, std::abs(to.rate[place.first]) + std::abs(to.prescribed_rate[place.first]));
    for (Index k = 0; k < place.law().dimension(); ++k)
      if (place.law().level(k) == LawLevel::gap)
        size_g_ =
            std::max({size_g_, std::abs(to.s[place.first + k]), std::abs(to.prescribed[place.first + k])});
  }
}

void LawVerification::record(Check check, std::size_t inclusion, double value, double time) {
  keep_larger(violation_of(inclusion, value, time), found_[static_cast<std::size_t>(check)][inclusion]);
}

Violation LawVerification::violation_of(std::size_t inclusion, double value, double time) const {
  return {value, time, "inclusion \"" + inclusions_[inclusion].inclusion.name + "\""};
}

ReducedLaw LawVerification::reduced_law_of(std::size_t inclusion) const {
  return outcome_.directions[static_cast<std::size_t>(inclusions_[inclusion].first)].reduced_law();
}

/// Checks at one instant that reactions are admissible, that gaps are not negative, and that the product of
/// gap and reaction is zero. Reactions that act throughout a step may have the thresholds in the middle of
/// the step.
void LawVerification::check_instant(std::size_t i, const NonsmoothState& state, const Vector& gaps,
                                    double middle) {
  const Law& law = inclusions_[i].law();
  const double t = state.time;
  const Vector r = inclusions_[i].own(state.r), g = inclusions_[i].own(gaps);
  double distance = law.distance(law.parameters(t, state.contacts[i]), r);
  if (!law.is_autonomous())
    distance = std::min(distance, law.distance(law.parameters(middle, state.contacts[i]), r));
  record(Check::reaction, i, distance, t);
  for (Index k = 0; k < law.dimension(); ++k) {
    if (law.level(k) != LawLevel::gap) continue;
    const double beside = g[k] + 2 * size_step_ * size_w_[static_cast<Index>(i)];
    record(Check::gap, i, depth(g[k]), t);
    if (reduced_law_of(i) == ReducedLaw::measure_inclusion) record(Check::penetration, i, depth(beside), t);
    record(Check::complementarity, i, std::abs(g[k] * r[k]), t);
  }
}

/// Checks that the mean reaction of a step lies in the convex set of admissible reactions, and agrees with
/// the reactions at both ends.
void LawVerification::check_impulse(std::size_t i, const DirectionPoint& from, const DirectionPoint& to,
                                    const Vector& mean) {
  const CheckedInclusion& place = inclusions_[i];
  const Law& law = place.law();
  const double begin = from.state.time, h = to.state.time - begin;
  const double rounding =
      rounding_of_mean(place.own(from.state.impulse), place.own(to.state.impulse), place.own(mean), begin, h);
  double distance = std::numeric_limits<double>::infinity();
  const Vector acted = simultaneous_reactions(i, mean, to);
  for (const double instant : instants) {
    for (const ContactState state : {from.state.contacts[i], to.state.contacts[i]})
      for (const double time : {begin + instant * h, to.middle.value_or(begin + instant * h)})
        distance = std::min(distance, law.distance(law.parameters(time, state), acted));
    if (law.is_autonomous()) break;
  }
  record(Check::reaction, i, std::max(distance - rounding, 0.), to.state.time);
  record(Check::impulse, i, std::max(distance_of_mean_reaction(i, mean, from, to) - rounding, 0.),
         to.state.time);
}

bool LawVerification::is_decided_by_one_kind(std::size_t i) const {
  const auto first = outcome_.directions.begin() + inclusions_[i].first;
  return std::all_of(first, first + inclusions_[i].law().dimension(), [&](const DirectionOutcome& direction) {
    return direction.decided_by == first->decided_by;
  });
}

/// Returns reactions of an inclusion that act at the same time. If DoFs of several kinds decide the
/// directions of an inclusion, methods keep some reactions constant in a step and blend other reactions. The
/// means of blended reactions belong to no instant, but their values at the end act together with the
/// constant reactions.
Vector LawVerification::simultaneous_reactions(std::size_t i, const Vector& mean,
                                               const DirectionPoint& to) const {
  const CheckedInclusion& place = inclusions_[i];
  Vector acted = place.own(mean);
  if (is_decided_by_one_kind(i)) return acted;
  for (Index k = 0; k < acted.size(); ++k) {
    const auto& kinds = outcome_.directions[static_cast<std::size_t>(place.first + k)].decided_by;
    if (kinds != std::vector<DoFKind>{DoFKind::inertial}) acted[k] = to.state.r[place.first + k];
  }
  return acted;
}

/// Returns the distance of a mean reaction from the segment between the reactions at both ends.
double LawVerification::distance_of_mean_reaction(std::size_t i, const Vector& mean,
                                                  const DirectionPoint& from,
                                                  const DirectionPoint& to) const {
  const CheckedInclusion& place = inclusions_[i];
  const Vector m = place.own(mean), begin = place.own(from.state.r), end = place.own(to.state.r);
  if (is_decided_by_one_kind(i)) return distance_to_segment(m, begin, end);
  double missed = 0;
  for (Index k = 0; k < m.size(); ++k)
    missed = std::max(missed, distance_to_segment(m.segment(k, 1), begin.segment(k, 1), end.segment(k, 1)));
  return missed;
}

/// Checks an inclusion at all nodes of a path, and compares the mean reaction of the path with the impulse,
/// and the mean rates of the path with the change of the gaps.
void LawVerification::check_path(std::size_t i, const DirectionPoint& from, const DirectionPoint& to,
                                 const Vector& mean, const StepPath& path) {
  const CheckedInclusion& place = inclusions_[i];
  const MultiVector gaps = path.s + path.prescribed;
  for (std::size_t k = 0; k < path.states.size(); ++k)
    check_instant(i, path.states[k], gaps.col(static_cast<Index>(k)), path.states[k].time);

  if (path.contains_kink) return;
  const Vector mean_on_path = StepPath::mean_of(path.r), rates = StepPath::mean_of(path.w),
               first = gaps.leftCols(1), last = gaps.rightCols(1);
  const Vector moved = (last - first) / path.length;
  const double t = to.state.time;
  const double rounding =
      rounding_of_mean(from.state.impulse, to.state.impulse, mean, from.state.time, path.length);
  record(Check::impulse, i, std::max(largest_entry(place.own(mean_on_path - mean)) - rounding, 0.), t);
  for (Index k = place.first; k < place.first + place.law().dimension(); ++k) {
    const double noise = noise_of_derivatives * (rounding_of_rate(k, from, to) + rounding_of_held_);
    record(Check::kinematics, i, std::max(std::abs(rates[k] - moved[k]) - noise, 0.), t);
  }
}

/// Checks that the rates with which the laws were solved are mean rates of the step, or rates at the end of
/// the step. Methods use the rate of a prescribed motion just before or just after the end of the step.
void LawVerification::check_rates(std::size_t i, const DirectionPoint& from, const DirectionPoint& to,
                                  const PrescribedStep& prescribed) {
  const CheckedInclusion& place = inclusions_[i];
  const double t = to.state.time, h = t - from.state.time;
  const Vector w = place.own(to.state.w), mean = place.own(to.gaps() - from.gaps()) / h;
  const Vector end = place.own(to.rate + prescribed.end_rate), now = place.own(to.rate + to.prescribed_rate);
  for (Index k = 0; k < w.size(); ++k) {
    const double missed =
        std::min({std::abs(w[k] - mean[k]), std::abs(w[k] - end[k]), std::abs(w[k] - now[k])});
    const double noise = rounding_of_rate(place.first + k, from, to) + rounding_of_held_;
    record(Check::kinematics, i, std::max(missed - noise, 0.), t);
  }
}

/// Checks that reactions and rates or gaps at the end of a step obey the law, with the parameters for the
/// contact state before or after the step. Reactions that act throughout a step may have the thresholds in
/// the middle of the step.
void LawVerification::check_law(std::size_t i, const DirectionPoint& from, const DirectionPoint& to,
                                const PrescribedStep& prescribed) {
  const CheckedInclusion& place = inclusions_[i];
  const Law& law = place.law();
  const double t = to.state.time, h = t - from.state.time;
  const Vector w = reduced_by_rounding(place, to.state.w, from, to), r = place.own(to.state.r);
  // A contact that never opens has no gaps that could serve as a scale. The scale is then the distance by
  // which the reaction would move the contact within the step.
  for (Index k = 0; k < law.dimension(); ++k)
    if (law.level(k) == LawLevel::gap)
      size_g_ = std::max(size_g_, std::abs(r[k]) / force_to_undo_unit(LawLevel::gap, place.first + k, h));

  using Either = std::array<LawParameters, 2>;
  const auto parameters_at = [&](double time) {
    return Either{law.parameters(time, from.state.contacts[i]), law.parameters(time, to.state.contacts[i])};
  };
  const auto residual_of = [&](const Either& parameters, const LawPair& pair) {
    const Vector met = pair.quantity / pair.rho;
    return std::min(law.natural_residual(parameters[0], pair.rho, met, pair.r),
                    law.natural_residual(parameters[1], pair.rho, met, pair.r));
  };
  std::vector<Either> possible = {parameters_at(t)};
  if (!law.is_autonomous()) possible.push_back(parameters_at(to.middle.value_or(t - 0.5 * h)));
  std::vector<LawPair> pairs = {law_pair(i, w, place.own(to.gaps_with_exact_zeros()), r, h)};
  if (reduced_law_of(i) == ReducedLaw::measure_inclusion) {
    const double rebound = force_to_undo_unit(LawLevel::rate, place.first, h) *
                           rebound_excess(law, place.own(from.rate + prescribed.begin_rate)[0], w[0]);
    if (r[0] == 0) return check_inactive_contact(i, from, to, rebound);
    // The contact either is closed or rebounds.
    pairs.push_back(pairs.front());
    pairs.back().quantity[0] = rebound;
  }
  Either parameters = possible.front();
  LawPair pair = pairs.front();
  for (const Either& one : possible)
    for (const LawPair& other : pairs)
      if (residual_of(one, other) < residual_of(parameters, pair)) {
        parameters = one;
        pair = other;
      }
  record(Check::law, i, residual_of(parameters, pair), t);
  record(Check::variational, i, largest_product(law, parameters[0], pair), t);
}

/// Returns the maximum of (w - w')(r - r') over random pairs (w', r') of the law, divided by the larger of w
/// and r. The maximum is positive if the variational inequality is violated, and has the unit of r.
double LawVerification::largest_product(const Law& law, const LawParameters& parameters,
                                        const LawPair& pair) {
  const Index d = law.dimension();
  const bool has_normal = d > 1 && law.level(0) == LawLevel::gap;
  const double size = std::max(largest_entry(pair.r), largest_entry(pair.quantity));
  if (size == 0 || (!has_normal && !law.is_maximal_monotone())) return 0;
  std::uniform_real_distribution<double> uniform(-2 * size, 2 * size);
  double largest = 0;
  for (int n = 0; n < options_.n_test_pairs; ++n) {
    Vector z(d), r(d);
    for (Index k = 0; k < d; ++k)
      z[k] = uniform(random_);
    if (has_normal) {
      // The normal reaction is tested with the gap, and then the tangential reactions are tested with this
      // normal reaction.
      law.resolvent(parameters, 1., z, r);
      largest = std::max(largest, (pair.quantity[0] - (r[0] - z[0])) * (pair.r[0] - r[0]));
      z[0] = pair.r[0];
    }
    law.resolvent(parameters, pair.rho, z, r);
    const Vector w = r - z;
    const Index first = has_normal ? 1 : 0;
    largest = std::max(largest, (pair.quantity - w).tail(d - first).dot((pair.r - r).tail(d - first)));
  }
  return largest / size;
}

/// Returns the size to which violations of a check by an inclusion are relative.
double LawVerification::size_of(Check check, std::size_t inclusion) const {
  const double r = std::max(size_r_[static_cast<Index>(inclusion)], smallest_force * size_force_);
  switch (check) {
    case Check::gap:
    case Check::penetration:
      return std::max(size_g_, smallest_force * size_displacement_by_reactions_);
    case Check::kinematics:
      return std::max(size_rate_, size_rate_by_reactions_);
    case Check::impact:
      return std::max(size_rate_, smallest_force * size_rate_by_reactions_);
    case Check::complementarity:
      return r * std::max(size_g_, smallest_force * size_displacement_by_reactions_);
    default:
      return r;
  }
}

Violation LawVerification::largest(Check check) const {
  Violation largest;
  const std::vector<Violation>& of_inclusions = found_[static_cast<std::size_t>(check)];
  for (std::size_t i = 0; i < of_inclusions.size(); ++i) {
    Violation found = of_inclusions[i];
    const double size = size_of(check, i);
    if (size > 0) found.value /= size;
    keep_larger(found, largest);
  }
  return largest;
}

}  // namespace halfdof::internal
