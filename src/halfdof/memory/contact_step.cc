// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/inclusions/law_checks.h>
#include <halfdof/integrators/consistent_reaction.h>
#include <halfdof/integrators/nonsmooth/gaps_without_penetration.h>
#include <halfdof/integrators/obstacle_jump.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/memory/contact_step.h>
#include <halfdof/memory/massless_projector.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof::internal {

namespace {

/// A rate below this fraction of the largest rate of all contacts counts as zero.
constexpr double rest_tolerance = 1e-10;

/// Largest part theta of a step before a stop of slip. A later stop would leave no time for the reaction
/// after the stop.
constexpr double max_stop_fraction = 1 - 1e-6;

/// Returns the weight of the mean rate of the present step in equation (3). The mean rate of the step before
/// has the weight 1 minus this value.
double mean_rate_weight(bool is_linear) {
  return is_linear ? 1.5 : 1.;
}

bool weakens_with_rate(const Law& law) {
  return law.dimension() == 1 && law.one_sided_lipschitz_constant() > 0;
}

}  // namespace

void check_weakening(const std::vector<NamedLaw>& laws, const MultiVector& W_C) {
  Vector l = Vector::Zero(W_C.rows());
  Index j = 0;
  for (const NamedLaw& named : laws) {
    if (weakens_with_rate(*named.law)) l[j] = named.law->one_sided_lipschitz_constant();
    if (std::isinf(l[j]) && W_C(j, j) > 0)
      throw NotAvailable("The friction of \"" + named.name +
                         "\" drops abruptly when the contact begins to slip, and the slip rate depends on "
                         "the reaction without delay, so that the rate would have to jump. Let the friction "
                         "decrease gradually with the slip rate, or add mass.");
    if (std::isinf(l[j])) l[j] = 0;
    j += named.law->dimension();
  }
  const double jump = joint_weakening(W_C, l);
  if (jump >= 1)
    throw NotAvailable(
        "Friction decreases with the slip rate so steeply that the rates of contacts would have to jump: the "
        "product l L^1(0+) of the steepest decrease l and the immediate rate response L^1(0+) to a unit "
        "reaction is " +
        number_text(jump) + ", but must be below one. Let the friction decrease more gradually.");
}

ContactStep::ContactStep(std::vector<NamedLaw> laws, MultiVector W_C, MultiVector W_K, double step,
                         StepResponse response, std::string method)
    : laws_(std::move(laws)), W_C_(std::move(W_C)), W_K_(std::move(W_K)), method_(std::move(method)) {
  Index n = 0;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    if (!laws_[i].law) throw InvalidInput("The inclusion \"" + laws_[i].name + "\" has no law. Give it one.");
    first_.push_back(n);
    n += law(i).dimension();
    for (Index k = 0; k < law(i).dimension(); ++k) {
      if (!law(i).support(k).is_constant())
        moving_supports_.push_back(static_cast<Index>(directions_.size()));
      directions_.push_back({i, k});
    }
  }
  if (n == 0 || n != n_directions())
    throw InvalidInput(
        "The laws of " + method_ + " have " + std::to_string(n) +
        " directions in total, but the modes have " + std::to_string(n_directions()) +
        " contact directions. Give at least one law, and one contact direction of the modes for each "
        "direction of the laws.");
  check_weakening(laws_, W_C_);
  regular_ = step_data_of(step, std::move(response));
}

ContactStep::StepData ContactStep::step_data_of(double step, StepResponse response) const {
  const Index m = n_directions();
  StepData step_data{step, std::move(response), {}, MultiVector::Identity(m, m), {}, {}};
  step_data.s_of_constant = step_data.response.s_start + step_data.response.s_end;
  for (Index j = 0; j < m; ++j)
    check_own_response(j, step_data.s_of_constant(j, j));
  const MultiVector P = massless_projector(W_K_ + step * W_C_, step_data.s_of_constant);
  step_data.Q -= P;
  step_data.may_be_linear.assign(laws_.size(), true);
  for (Index j = 0; j < m; ++j) {
    const auto& [i, column] = directions_[static_cast<std::size_t>(j)];
    const bool on_gap = law(i).level(column) == LawLevel::gap, is_displaced = P.row(j).any();
    step_data.enforced_on.push_back(on_gap         ? is_displaced ? EnforcedOn::end_gap : EnforcedOn::impact
                                    : is_displaced ? EnforcedOn::mean_rate
                                                   : EnforcedOn::end_rate);
    if (on_gap && step_data.Q.row(j).any()) step_data.may_be_linear[i] = false;
    if (is_displaced && on_gap && law(i).restitution().value_or(0.) > 0)
      throw NotAvailable("The contact \"" + laws_[i].name +
                         "\" has a coefficient of restitution, but its reaction displaces the contact at "
                         "once, without inertia, so "
                         "that the contact does not rebound. Remove the coefficient, or the static "
                         "compliance of the omitted modes.");
    if (is_displaced && weakens_with_rate(law(i)) && W_K_(j, j) > 0)
      throw NotAvailable("The friction of \"" + laws_[i].name +
                         "\" decreases with the slip rate, and the friction force displaces the contact at "
                         "once, so that the displacement would have to jump. Leave out the static compliance "
                         "of the omitted modes, or give the contact a mass.");
  }
  return step_data;
}

/// Checks that a reaction moves its contact in its own direction. @throws InvalidInput if the reaction moves
/// the contact in the opposite direction, so that a step of any length would fail
void ContactStep::check_own_response(Index j, double moved) const {
  if (moved > 0) return;
  throw InvalidInput(
      "The reaction of \"" + laws_[law_of(j)].name + "\" moves its contact in the opposite direction, by " +
      number_text(moved) +
      " for a unit reaction within a step, so that no law can be satisfied. "
      "Check the signs of the mass, damping and stiffness of the DoFs on which the contact acts.");
}

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

ContactMotion ContactStep::start(double time, const Vector& s, const Vector& v,
                                 const std::optional<Vector>& r) const {
  const Index m = n_directions();
  const Vector reactions = r ? *r : Vector(Vector::Zero(m));
  ContactMotion motion{time,  reactions,       v,  s, reactions, reactions, Vector::Zero(m), {},
                       false, Vector::Zero(m), 0., {}};
  for (Index j = 0; j < m; ++j) {
    motion.g[j] -= support(j, time);
    motion.w[j] -= support_rate(j, time);
  }
  motion.mean_w = motion.w;
  for (std::size_t i = 0; i < laws_.size(); ++i)
    motion.contacts.push_back(law(i).initial_state());
  return motion;
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

ContactStep::PreparedSolver ContactStep::prepare(const StepData& step_data, const Courses& courses) const {
  const Index m = n_directions();
  Vector scale = Vector::Ones(m);
  for (Index j = 0; j < m; ++j)
    if (step_data.enforced_on[static_cast<std::size_t>(j)] == EnforcedOn::end_gap &&
        law(law_of(j)).is_positively_homogeneous())
      scale[j] = mean_rate_weight(course_of(courses, j).is_linear) / step_data.step;
  const MultiVector W = responses_of_laws(step_data, courses, scale);
  for (Index j = 0; j < m; ++j)
    if (!(W(j, j) > 0))
      throw InvalidInput("A step of " + number_text(step_data.step) + " s of " + method_ +
                         " is too long: at the end of the step the contact \"" + laws_[law_of(j)].name +
                         "\" would move against its reaction, with the rate " + number_text(W(j, j)) +
                         " for a unit reaction. Take a step well below the period of the slowest modes.");
  check_monotone_response(step_data, responses_of_laws(step_data, Courses(laws_.size()), scale));
  check_single_valued(laws_, W);
  return {std::make_unique<OneStepSolver>(OneStepProblem(laws_, W)), std::move(scale)};
}

/// Checks that the symmetric part of the Delassus matrix W is positive semidefinite if all rows are of one
/// type. Otherwise some combination of reactions would move the contacts against these reactions.
void ContactStep::check_monotone_response(const StepData& step_data, const MultiVector& W) const {
  for (const EnforcedOn enforced_on : step_data.enforced_on)
    if (enforced_on != step_data.enforced_on.front()) return;
  const Vector scale = W.diagonal().cwiseSqrt().cwiseInverse();
  const MultiVector scaled = scale.asDiagonal() * ((W + W.transpose()) / 2) * scale.asDiagonal();
  const double least = symmetric_eigenvalues(scaled)[0];
  if (least < -1e-10)
    throw InvalidInput(
        "A step of " + number_text(step_data.step) + " s of " + method_ +
        " is too long: at the end of the step a combination of reactions would move the contacts in the "
        "opposite direction, by " +
        number_text(-least) +
        " times the motion by a single reaction. Take a step well below the period of the slowest modes.");
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

ContactMotion ContactStep::solve_with_courses(const ContactMotion& from, double end, const FreeContacts& free,
                                              const StepData& step_data, const Courses& courses,
                                              PreparedSolver& small) const {
  const Index m = n_directions();
  ContactMotion to = from;
  to.u_a = known_part_of_u_a(from, courses);
  to.u_b.setZero();
  Vector &u_a = to.u_a, &u_b = to.u_b;
  for (Index j = 0; j < m; ++j)
    if (course_of(courses, j).theta > 0) u_b[j] = u_a[j];
  const auto moved = [&]() -> FreeContacts {
    return {free.s + step_data.response.s_start * u_a + step_data.response.s_end * u_b,
            free.v + step_data.response.v_start * u_a + step_data.response.v_end * u_b};
  };
  const std::vector<EndRates> rates = support_rates(from, end, step_data);
  const Vector b = quantities_of_laws(from, end, rates, moved(), step_data, courses, small.scale);
  const OneStepProblem& problem = small.solver->problem();
  LawsAtTime laws = problem.laws_at(end, from.contacts);
  laws.is_active = active_laws(from, rates, step_data, b);
  Vector r = from.r, x = b;
  for (Index j = 0; j < m; ++j)
    if (!laws.is_active[law_of(j)]) r[j] = 0;
  small.solver->solve(laws, b, r, x,
                      [&] { return rounding_of_quantities(from, free, step_data, courses, small.scale); });

  for (Index j = 0; j < m; ++j) {
    const ReactionCourse& course = course_of(courses, j);
    u_a[j] += (1 - course.theta) * (course.is_linear ? r[j] / 3 : r[j]);
    u_b[j] += (1 - course.theta) * r[j];
  }
  to.time = end;
  to.r = r;
  to.contacts = problem.states(laws, b, r, x);
  for (std::size_t i = 0; i < laws_.size(); ++i)
    if (!laws.is_active[i]) to.contacts[i] = ContactState::open;
  to.has_same_contacts = to.contacts == from.contacts;
  compute_end_motion(from, rates, moved(), step_data, x, to);
  return to;
}

/// Returns whether the extrapolated slip rate and the mean slip rate of each play have the same sign.
bool ContactStep::slip_directions_agree(const StepData& step_data, const ContactMotion& to) const {
  for (Index j = 0; j < n_directions(); ++j) {
    const ContactState state = to.contacts[law_of(j)];
    const bool slips = state == ContactState::slip_forward || state == ContactState::slip_back;
    if (step_data.enforced_on[static_cast<std::size_t>(j)] == EnforcedOn::mean_rate && slips &&
        to.w[j] * to.mean_w[j] < 0)
      return false;
  }
  return true;
}

Vector ContactStep::rates_of_laws(const ContactMotion& motion) const {
  Vector w = motion.w;
  for (Index j = 0; j < n_directions(); ++j)
    if (regular_.enforced_on[static_cast<std::size_t>(j)] == EnforcedOn::mean_rate) w[j] = motion.mean_w[j];
  return w;
}

/// Adapts the time courses of the reactions to the result of a step. @return whether courses changed, so that
/// the step must be solved again
bool ContactStep::revise_courses(const ContactMotion& from, const StepData& step_data,
                                 const ContactMotion& to, Courses& courses) const {
  const bool has_lines = std::any_of(courses.begin(), courses.end(),
                                     [](const ReactionCourse& course) { return course.is_linear; });
  if (has_lines && !(to.has_same_contacts && slip_directions_agree(step_data, to))) {
    courses.assign(laws_.size(), {});
    return true;
  }
  if (to.has_same_contacts) return false;
  std::vector<std::size_t> stop;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const bool slipped =
        from.contacts[i] == ContactState::slip_forward || from.contacts[i] == ContactState::slip_back;
    if (law(i).dimension() == 1 &&
        step_data.enforced_on[static_cast<std::size_t>(first_[i])] == EnforcedOn::end_rate && slipped &&
        to.contacts[i] != from.contacts[i] && courses[i].theta == 0)
      stop.push_back(i);
  }
  bool has_changed = false;
  for (const std::size_t i : stop) {
    const Index j = first_[i];
    // The rate at the end of the step if all contacts that stop in this step went on slipping, because
    // contacts on the same DoF stop together.
    double slip = to.w[j];
    for (const std::size_t other : stop) {
      const Index k = first_[other];
      slip += (step_data.response.v_start(j, k) + step_data.response.v_end(j, k)) *
              (from.r[k] - (to.u_a[k] + to.u_b[k]) / 2);
    }
    if (from.w[j] * slip >= 0) continue;
    courses[i].theta = std::clamp(from.w[j] / (from.w[j] - slip), 0., max_stop_fraction);
    has_changed = has_changed || courses[i].theta > 0;
  }
  return has_changed;
}

ContactMotion ContactStep::solve(const ContactMotion& from, double end, const FreeContacts& free) {
  return solve(from, end, free, regular_, linear_solver_, constant_solver_);
}

ContactMotion ContactStep::solve(const ContactMotion& from, double end, const FreeContacts& free, double step,
                                 const StepResponse& response) const {
  PreparedSolver smooth, constant;
  return solve(from, end, free, step_data_of(step, response), smooth, constant);
}

ContactMotion ContactStep::solve(const ContactMotion& from, double end, const FreeContacts& free,
                                 const StepData& step_data, PreparedSolver& smooth,
                                 PreparedSolver& constant) const {
  Courses courses(laws_.size());
  for (std::size_t i = 0; i < laws_.size(); ++i)
    courses[i].is_linear = from.has_same_contacts && step_data.may_be_linear[i];
  bool is_first = from.has_same_contacts;
  while (true) {
    const bool stops =
        std::any_of(courses.begin(), courses.end(), [](const ReactionCourse& c) { return c.theta > 0; });
    PreparedSolver once;
    PreparedSolver& small = stops ? once : is_first ? smooth : constant;
    if (!small.solver) small = prepare(step_data, courses);
    ContactMotion to = solve_with_courses(from, end, free, step_data, courses, small);
    if (!revise_courses(from, step_data, to, courses)) return to;
    is_first = false;
  }
}

}  // namespace halfdof::internal
