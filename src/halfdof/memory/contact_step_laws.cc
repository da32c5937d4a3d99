// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/consistent_reaction.h>
#include <halfdof/integrators/nonsmooth/gaps_without_penetration.h>
#include <halfdof/integrators/obstacle_jump.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/memory/contact_step.h>

#include <algorithm>
#include <cmath>

// The quantities on which the laws of contacts are enforced in a step (gaps, rates, motion of supports), and
// the motion, dissipated energy and events at the end of the step.

namespace halfdof::internal {

namespace {

/// A rate below this fraction of the largest rate of all contacts counts as zero.
constexpr double rest_tolerance = 1e-10;

}  // namespace

double ContactStep::support(Index j, double time) const {
  const DirectionOfLaw& place = directions_[static_cast<std::size_t>(j)];
  return law(place.law).support(place.column)(time);
}

double ContactStep::support_rate(Index j, double time) const {
  const DirectionOfLaw& place = directions_[static_cast<std::size_t>(j)];
  return law(place.law).support(place.column).derivative(time);
}

/// Returns the rates of an obstacle h(t) at the beginning and the end of a step, for impact laws. The rate at
/// the end is h'(t_1). The rate at the beginning is h'(t_1) minus the change of the rate of a parabola
/// through values of h, so that a kink of h within the step or at its end acts as a jump of the rate. If a
/// ramp of h begins and ends within the step, both rates are the mean rate of the step.
EndRates ContactStep::support_rates(Index j, double begin, double end) const {
  const DirectionOfLaw& place = directions_[static_cast<std::size_t>(j)];
  const ScalarFunction& h = law(place.law).support(place.column);
  if (h.is_constant()) return {0, 0};
  const double quarter = (end - begin) / 4, mean = (h(end) - h(begin)) / (end - begin);
  const EndRates smooth =
      end_rates({h(begin), h(begin + quarter), h(begin + 2 * quarter), h(begin + 3 * quarter), h(end)},
                end - begin, LawLevel::gap);
  const double rate = h.derivative(end);
  if (smooth.has_kink && mean > std::max(h.derivative(begin), rate)) return {mean, mean, true};
  return {smooth.begin + rate - smooth.end, rate, smooth.has_kink};
}

std::vector<EndRates> ContactStep::support_rates(const ContactMotion& from, double end,
                                                 const StepData& step_data) const {
  if (std::find(step_data.enforced_on.begin(), step_data.enforced_on.end(), EnforcedOn::impact) ==
      step_data.enforced_on.end())
    return {};
  std::vector<EndRates> rates(directions_.size(), EndRates{0, 0});
  for (Index j = 0; j < n_directions(); ++j)
    if (step_data.enforced_on[static_cast<std::size_t>(j)] == EnforcedOn::impact)
      rates[static_cast<std::size_t>(j)] = support_rates(j, from.time, end);
  return rates;
}

/// Returns the rate of a direction relative to its obstacle at the beginning of a step. @param rates rates of
/// the obstacle
double ContactStep::rate_before(Index j, const ContactMotion& from, const EndRates& rates) const {
  return from.w[j] + support_rate(j, from.time) - rates.begin;
}

Vector ContactStep::supports(double time) const {
  Vector h(n_directions());
  for (Index j = 0; j < n_directions(); ++j)
    h[j] = support(j, time);
  return h;
}

/// Returns the largest rate that counts as zero, because it may be a rounding error of rates, or of changes
/// of rates by reactions within a step.
double ContactStep::rounding_of_rates(const ContactMotion& from, const StepData& step_data) const {
  double size = from.w.cwiseAbs().maxCoeff();
  for (Index j = 0; j < n_directions(); ++j)
    if (step_data.enforced_on[static_cast<std::size_t>(j)] == EnforcedOn::impact)
      size = std::max(size, rate_by_reaction(j, from, step_data));
  return rest_tolerance * size;
}

/// Returns the rate of a direction that its own last reaction would cause within one step.
double ContactStep::rate_by_reaction(Index j, const ContactMotion& from, const StepData& step_data) const {
  return (step_data.response.v_start(j, j) + step_data.response.v_end(j, j)) * std::abs(from.r[j]);
}

/// Determines which laws are active in a step. A contact with impacts is active if its gap would close within
/// the step, or is zero up to rounding errors; all other laws are always active. @param b quantities of the
/// laws without the new reactions
std::vector<bool> ContactStep::active_laws(const ContactMotion& from, const std::vector<EndRates>& rates,
                                           const StepData& step_data, const Vector& b) const {
  std::vector<bool> is_active(laws_.size(), true), is_separating, is_impacting;
  const double at_rest = rounding_of_rates(from, step_data);
  Vector w = from.w;
  for (Index j = 0; j < n_directions(); ++j)
    if (step_data.enforced_on[static_cast<std::size_t>(j)] == EnforcedOn::impact)
      w[j] = rate_before(j, from, rates[static_cast<std::size_t>(j)]);
  for (Index j = 0; j < n_directions(); ++j) {
    const bool has_mass = step_data.enforced_on[static_cast<std::size_t>(j)] == EnforcedOn::impact;
    is_separating.push_back(has_mass && w[j] >= -at_rest);
    is_impacting.push_back(has_mass && from.contacts[law_of(j)] == ContactState::open && w[j] < -at_rest);
  }
  const Vector gaps = gaps_without_penetration(step_data.s_of_constant, is_separating, is_impacting,
                                               -step_data.step / 2 * w, from.g);
  for (Index j = 0; j < n_directions(); ++j) {
    if (step_data.enforced_on[static_cast<std::size_t>(j)] != EnforcedOn::impact) continue;
    const double rounding = closing_tolerance * (std::abs(from.g[j]) + std::abs(support(j, from.time)) +
                                                 step_data.step * std::abs(b[j])) +
                            resting_gap * step_data.step * rate_by_reaction(j, from, step_data);
    // A closed contact at rest may have a small positive gap at the end of the last step. The contact is
    // active if the load, which moves the contact by step/2 b on average, closes this gap.
    const bool rests = from.contacts[law_of(j)] == ContactState::closed && std::abs(w[j]) <= at_rest;
    const double closing_rate = rests ? std::min(w[j], b[j]) : w[j];
    if (gaps[j] + step_data.step / 2 * closing_rate > rounding) is_active[law_of(j)] = false;
  }
  return is_active;
}

/// Returns the response of the quantities on which the laws act to the reactions, the Delassus matrix of the
/// step.
/// @param scale factor of each row, which converts gaps to rates
MultiVector ContactStep::responses_of_laws(const StepData& step_data, const Courses& courses,
                                           const Vector& scale) const {
  const Index m = n_directions();
  MultiVector S(m, m), V(m, m), W(m, m);
  for (Index k = 0; k < m; ++k) {
    const ReactionCourse& course = course_of(courses, k);
    const double part = 1 - course.theta, start = course.is_linear ? 1. / 3 : 1.;
    S.col(k) = part * (step_data.response.s_end.col(k) + start * step_data.response.s_start.col(k));
    V.col(k) = part * (step_data.response.v_end.col(k) + start * step_data.response.v_start.col(k));
  }
  for (Index j = 0; j < m; ++j) {
    const double per_step = mean_rate_weight(course_of(courses, j).is_linear) / step_data.step;
    switch (step_data.enforced_on[static_cast<std::size_t>(j)]) {
      case EnforcedOn::mean_rate:
        W.row(j) = per_step * S.row(j) + step_data.Q.row(j) * (V - per_step * S);
        break;
      case EnforcedOn::end_gap:
        W.row(j) = scale[j] * (S.row(j) + step_data.Q.row(j) * (step_data.step * V - S));
        break;
      case EnforcedOn::end_rate:
      case EnforcedOn::impact:
        W.row(j) = V.row(j);
        break;
    }
  }
  return W;
}

/// Returns the part of u_a that does not depend on r_1. If theta is not zero, u_b has the same part.
Vector ContactStep::known_part_of_u_a(const ContactMotion& from, const Courses& courses) const {
  Vector known(n_directions());
  for (Index j = 0; j < n_directions(); ++j) {
    const ReactionCourse& course = course_of(courses, j);
    known[j] = course.is_linear ? (from.u_a[j] + from.u_b[j]) / 3 : course.theta * from.r[j];
  }
  return known;
}

Vector ContactStep::mean_rates(const ContactMotion& from, const Vector& s, double step,
                               bool is_linear) const {
  const double weight = mean_rate_weight(is_linear);
  Vector v(n_directions());
  for (Index j = 0; j < n_directions(); ++j) {
    const double begin = support(j, from.time);
    v[j] = weight * (s[j] - from.g[j] - begin) / step;
    if (is_linear) v[j] -= 0.5 * (from.mean_w[j] + (begin - support(j, from.time - step)) / step);
  }
  return v;
}

/// Returns the quantities on which the laws of a step act, without the effect of r_1. Each row is multiplied
/// by its entry of `scale`.
Vector ContactStep::quantities_of_laws(const ContactMotion& from, double end,
                                       const std::vector<EndRates>& rates, const FreeContacts& free,
                                       const StepData& step_data, const Courses& courses,
                                       const Vector& scale) const {
  Vector b(n_directions());
  for (Index j = 0; j < n_directions(); ++j) {
    const ReactionCourse& course = course_of(courses, j);
    const double weight = mean_rate_weight(course.is_linear), g = free.s[j] - support(j, end);
    switch (step_data.enforced_on[static_cast<std::size_t>(j)]) {
      case EnforcedOn::end_rate:
        b[j] = free.v[j] - support_rate(j, end);
        break;
      case EnforcedOn::mean_rate:
        b[j] = weight * (g - from.g[j]) / step_data.step - (weight - 1) * from.mean_w[j];
        if (step_data.Q.row(j).any())
          b[j] += step_data.Q.row(j).dot(free.v - mean_rates(from, free.s, step_data.step, course.is_linear));
        break;
      case EnforcedOn::end_gap:
        b[j] = g;
        if (step_data.Q.row(j).any())
          b[j] += step_data.step *
                  step_data.Q.row(j).dot(free.v - mean_rates(from, free.s, step_data.step, false));
        b[j] *= scale[j];
        break;
      case EnforcedOn::impact: {
        const EndRates& of_support = rates[static_cast<std::size_t>(j)];
        b[j] = free.v[j] - of_support.end +
               law(law_of(j)).restitution().value_or(0.) * std::min(rate_before(j, from, of_support), 0.);
      } break;
    }
  }
  return b;
}

/// Returns bounds of the rounding errors of quantities_of_laws(). The errors of mean rates are those of gaps,
/// divided by the step.
Vector ContactStep::rounding_of_quantities(const ContactMotion& from, const FreeContacts& free,
                                           const StepData& step_data, const Courses& courses,
                                           const Vector& scale) const {
  Vector size = free.v.cwiseAbs() + from.w.cwiseAbs();
  for (Index j = 0; j < n_directions(); ++j) {
    const EnforcedOn enforced_on = step_data.enforced_on[static_cast<std::size_t>(j)];
    const double gap = std::abs(free.s[j]) + std::abs(from.g[j]) + std::abs(support(j, from.time));
    if (enforced_on == EnforcedOn::mean_rate)
      size[j] += mean_rate_weight(course_of(courses, j).is_linear) * gap / step_data.step;
    if (enforced_on == EnforcedOn::end_gap) size[j] = scale[j] * (gap + step_data.step * size[j]);
  }
  return rounding_of_a_term * size;
}

/// Computes motion, impulse and dissipated energy at the end of a step. @param x quantities on which the laws
/// acted
void ContactStep::compute_end_motion(const ContactMotion& from, const std::vector<EndRates>& rates,
                                     const FreeContacts& at_end, const StepData& step_data, const Vector& x,
                                     ContactMotion& to) const {
  for (Index j = 0; j < n_directions(); ++j) {
    to.g[j] = at_end.s[j] - support(j, to.time);
    to.mean_w[j] = (to.g[j] - from.g[j]) / step_data.step;
    const EnforcedOn enforced_on = step_data.enforced_on[static_cast<std::size_t>(j)];
    // The rate of a contact that W_K moves is the mean rate of the step, because its rate at an instant is
    // not defined.
    to.w[j] = enforced_on == EnforcedOn::mean_rate                   ? x[j]
              : enforced_on == EnforcedOn::end_gap && W_K_(j, j) > 0 ? to.mean_w[j]
                                                                     : at_end.v[j] - support_rate(j, to.time);
  }
  const Vector mean_r = to.mean_r();
  Vector mean_w = to.mean_w;
  to.impulse += step_data.step * mean_r;
  // The work of an impulse is its product with the mean of the rates before and after the impact, for any
  // motion of the obstacle within the step.
  for (Index j = 0; j < n_directions(); ++j)
    if (step_data.enforced_on[static_cast<std::size_t>(j)] == EnforcedOn::impact) {
      const EndRates& of_support = rates[static_cast<std::size_t>(j)];
      mean_w[j] += (support(j, to.time) - support(j, from.time)) / step_data.step -
                   (of_support.begin + of_support.end) / 2;
    }
  Vector r = mean_r;
  for (Index j = 0; j < n_directions(); ++j) {
    if (step_data.enforced_on[static_cast<std::size_t>(j)] == EnforcedOn::end_gap)
      mean_w[j] = 0;  // The reaction of a massless contact does no work.
    if (step_data.enforced_on[static_cast<std::size_t>(j)] == EnforcedOn::mean_rate)
      r[j] =
          reaction_in_slip(from.contacts[law_of(j)], to.contacts[law_of(j)], from.r[j], to.r[j], mean_r[j]);
  }
  if (to.dissipated_by.size() == 0) to.dissipated_by.setZero(static_cast<Index>(laws_.size()));
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const double taken =
        step_data.step * law(i).dissipated_power(mean_w.segment(first_[i], law(i).dimension()),
                                                 r.segment(first_[i], law(i).dimension()));
    to.dissipated_by[static_cast<Index>(i)] += taken;
    to.dissipated += taken;
  }
}

void ContactStep::require_obstacles_without_jumps(const ContactMotion& from, const ContactMotion& to) const {
  for (const Index j : moving_supports_) {
    const std::size_t i = law_of(j);
    const EnforcedOn enforced_on = regular_.enforced_on[static_cast<std::size_t>(j)];
    if (enforced_on != EnforcedOn::mean_rate)
      require_no_jump_of_support(laws_[i].name, law(i), from.time, to.time);
    const bool touches = to.g[j] < 0 || to.contacts[i] != ContactState::open;
    if (enforced_on != EnforcedOn::impact || !touches) continue;
    require_no_jump(
        laws_[i].name, [&](double time) { return -support(j, time); }, from.time, to.time, from.g[j],
        std::max(std::abs(support(j, from.time)), std::abs(support(j, to.time))));
  }
}

std::vector<ContactEvent> ContactStep::events(const ContactMotion& from, const ContactMotion& to) const {
  std::vector<ContactEvent> events;
  const double at_rest = rounding_of_rates(from, regular_);
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const Index first = first_[i], d = law(i).dimension();
    LocalVector before = from.w.segment(first, d), after = to.w.segment(first, d),
                impulse = LocalVector::Zero(d);
    bool is_impacting = false;
    if (regular_.enforced_on[static_cast<std::size_t>(first)] == EnforcedOn::impact && to.r[first] > 0) {
      const EndRates of_support = support_rates(first, from.time, to.time);
      before[0] = rate_before(first, from, of_support);
      after[0] += support_rate(first, to.time) - of_support.end;
      // A closed contact has an impact only if its rate exceeds the rate that its reaction causes within one
      // step.
      const double least = from.contacts[i] == ContactState::open
                               ? at_rest
                               : std::max(at_rest, rate_by_reaction(first, from, regular_));
      is_impacting = before[0] < -least;
    }
    if (is_impacting) impulse = (to.impulse - from.impulse).segment(first, d);
    if (is_impacting || from.contacts[i] != to.contacts[i])
      events.push_back({from.time, to.time, i, before, after, impulse, from.contacts[i], to.contacts[i]});
  }
  return events;
}

}  // namespace halfdof::internal
