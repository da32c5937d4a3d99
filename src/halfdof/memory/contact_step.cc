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
#include <halfdof/memory/displaced_part.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof::internal {

namespace {

/// Largest rate of a contact at rest, relative to the largest rate of all.
constexpr double resting = 1e-10;

/// Largest theta: a later stop would leave no time for the reaction after it.
constexpr double latest_stop = 1 - 1e-6;

/// Weight of the present step in the mean rates of a law; weight - 1 is subtracted times the mean rate of the
/// step before.
double weight_of(bool is_linear) {
  return is_linear ? 1.5 : 1.;
}

bool weakens(const Law& law) {
  return law.dimension() == 1 && law.one_sided_lipschitz_constant() > 0;
}

}  // namespace

void check_weakening(const std::vector<NamedLaw>& laws, const MultiVector& W_C) {
  Vector l = Vector::Zero(W_C.rows());
  Index j = 0;
  for (const NamedLaw& named : laws) {
    if (weakens(*named.law)) l[j] = named.law->one_sided_lipschitz_constant();
    if (std::isinf(l[j]) && W_C(j, j) > 0)
      throw NotAvailable(
          "The friction of \"" + named.name +
          "\" drops abruptly where the contact breaks loose, and the rate follows its reaction without "
          "delay: the rate would have to jump. Let the friction fall more gradually, or add mass.");
    if (std::isinf(l[j])) l[j] = 0;
    j += named.law->dimension();
  }
  const double jump = joint_weakening(W_C, l);
  if (jump >= 1)
    throw NotAvailable(
        "Friction weakens so steeply that the rates of contacts would have to jump: with l its steepest "
        "decrease, l L^1(0+) is " +
        number_text(jump) + " and must be below one. Let the friction fall more gradually.");
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
      if (!law(i).support(k).is_constant()) moving_.push_back(static_cast<Index>(places_.size()));
      places_.push_back({i, k});
    }
  }
  if (n == 0 || n != n_directions())
    throw InvalidInput("The laws of " + method_ + " have " + std::to_string(n) +
                       " directions together, but its modes have " + std::to_string(n_directions()) +
                       " contacts. Give one law or more, and a contact for each direction.");
  check_weakening(laws_, W_C_);
  regular_ = data_of_steps(step, std::move(response));
}

ContactStep::StepData ContactStep::data_of_steps(double step, StepResponse response) const {
  const Index m = n_directions();
  StepData step_data{step, std::move(response), {}, MultiVector::Identity(m, m), {}, {}};
  step_data.s_whole = step_data.response.s_start + step_data.response.s_end;
  for (Index j = 0; j < m; ++j)
    check_opposes(j, step_data.s_whole(j, j));
  const MultiVector P = displaced_part(W_K_ + step * W_C_, step_data.s_whole);
  step_data.Q -= P;
  step_data.may_be_linear.assign(laws_.size(), true);
  for (Index j = 0; j < m; ++j) {
    const auto& [i, column] = places_[static_cast<std::size_t>(j)];
    const bool on_gap = law(i).level(column) == LawLevel::gap, is_displaced = P.row(j).any();
    step_data.enforced_on.push_back(on_gap         ? is_displaced ? EnforcedOn::end_gap : EnforcedOn::impact
                                    : is_displaced ? EnforcedOn::mean_rate
                                                   : EnforcedOn::end_rate);
    if (on_gap && step_data.Q.row(j).any()) step_data.may_be_linear[i] = false;
    if (is_displaced && on_gap && law(i).restitution().value_or(0.) > 0)
      throw NotAvailable(
          "The contact \"" + laws_[i].name +
          "\" has a coefficient of restitution, but its reaction displaces it immediately, like "
          "a contact without mass, which does not rebound. Leave out the coefficient, or the "
          "static compliance of the omitted modes.");
    if (is_displaced && weakens(law(i)) && W_K_(j, j) > 0)
      throw NotAvailable(
          "The friction of \"" + laws_[i].name +
          "\" decreases with the slip rate, and the friction force displaces the contact immediately: the "
          "displacement would have to jump. Leave out the static compliance of the omitted modes, or give "
          "the "
          "contact a mass.");
  }
  return step_data;
}

/// Checks that a reaction moves its contact in its own direction. @throws InvalidInput if it does not, for a
/// step of any length
void ContactStep::check_opposes(Index j, double moved) const {
  if (moved > 0) return;
  throw InvalidInput(
      "The reaction of \"" + laws_[law_of(j)].name + "\" moves its contact in the opposite direction, by " +
      number_text(moved) +
      " for a unit reaction within a step: the structure does not resist there, and no law can be satisfied. "
      "Check the signs of the mass, damping and stiffness of the DoFs of its direction.");
}

double ContactStep::support(Index j, double time) const {
  const Place& place = places_[static_cast<std::size_t>(j)];
  return law(place.law).support(place.column)(time);
}

double ContactStep::support_rate(Index j, double time) const {
  const Place& place = places_[static_cast<std::size_t>(j)];
  return law(place.law).support(place.column).derivative(time);
}

/// Returns the rates of an obstacle for impacts in a step. The rate at the end is h'(t_1). The rate at the
/// beginning is h'(t_1) minus the smooth change of the rate within the step, from a parabola, so that a kink
/// within the step or at its end acts as a jump. If a ramp begins and ends within the step, both rates are
/// its mean rate.
EndRates ContactStep::support_rates(Index j, double begin, double end) const {
  const Place& place = places_[static_cast<std::size_t>(j)];
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
  std::vector<EndRates> rates(places_.size(), EndRates{0, 0});
  for (Index j = 0; j < n_directions(); ++j)
    if (step_data.enforced_on[static_cast<std::size_t>(j)] == EnforcedOn::impact)
      rates[static_cast<std::size_t>(j)] = support_rates(j, from.time, end);
  return rates;
}

/// Returns the relative rate of a direction at the beginning of a step. @param rates rates of its obstacle
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

/// Returns the largest rate that counts as rest: rounding of rates, and of rates by reactions within a step.
double ContactStep::rounding_of_rates(const ContactMotion& from, const StepData& step_data) const {
  double size = from.w.cwiseAbs().maxCoeff();
  for (Index j = 0; j < n_directions(); ++j)
    if (step_data.enforced_on[static_cast<std::size_t>(j)] == EnforcedOn::impact)
      size = std::max(size, rate_by_reaction(j, from, step_data));
  return resting * size;
}

/// Returns the rate of a direction by its own last reaction during one step.
double ContactStep::rate_by_reaction(Index j, const ContactMotion& from, const StepData& step_data) const {
  return (step_data.response.v_start(j, j) + step_data.response.v_end(j, j)) * std::abs(from.r[j]);
}

/// Determines which laws are active in a step. Contacts with impacts are active if the gap is about to close,
/// or is open by rounding only; all other laws are always active. @param b quantities of the laws without the
/// new reactions
std::vector<bool> ContactStep::active_laws(const ContactMotion& from, const std::vector<EndRates>& rates,
                                           const StepData& step_data, const Vector& b) const {
  std::vector<bool> take_part(laws_.size(), true), do_not_approach, strikes;
  const double at_rest = rounding_of_rates(from, step_data);
  Vector w = from.w;
  for (Index j = 0; j < n_directions(); ++j)
    if (step_data.enforced_on[static_cast<std::size_t>(j)] == EnforcedOn::impact)
      w[j] = rate_before(j, from, rates[static_cast<std::size_t>(j)]);
  for (Index j = 0; j < n_directions(); ++j) {
    const bool has_mass = step_data.enforced_on[static_cast<std::size_t>(j)] == EnforcedOn::impact;
    do_not_approach.push_back(has_mass && w[j] >= -at_rest);
    strikes.push_back(has_mass && from.contacts[law_of(j)] == ContactState::open && w[j] < -at_rest);
  }
  const Vector gaps =
      gaps_without_penetration(step_data.s_whole, do_not_approach, strikes, -step_data.step / 2 * w, from.g);
  for (Index j = 0; j < n_directions(); ++j) {
    if (step_data.enforced_on[static_cast<std::size_t>(j)] != EnforcedOn::impact) continue;
    const double rounding = closing_tolerance * (std::abs(from.g[j]) + std::abs(support(j, from.time)) +
                                                 step_data.step * std::abs(b[j])) +
                            resting_gap * step_data.step * rate_by_reaction(j, from, step_data);
    // A closed contact at rest may have a small gap, which the last step has left. It is active if the load,
    // which moves it by step/2 b on average, closes that gap.
    const bool rests = from.contacts[law_of(j)] == ContactState::closed && std::abs(w[j]) <= at_rest;
    const double ahead = rests ? std::min(w[j], b[j]) : w[j];
    if (gaps[j] + step_data.step / 2 * ahead > rounding) take_part[law_of(j)] = false;
  }
  return take_part;
}

/// Returns the effect of reactions on the quantities that the laws act on. @param scale factor of each row,
/// from gaps to rates
MultiVector ContactStep::law_responses(const StepData& step_data, const Courses& courses,
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
    const double per_step = weight_of(course_of(courses, j).is_linear) / step_data.step;
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

ContactStep::Prepared ContactStep::prepare(const StepData& step_data, const Courses& courses) const {
  const Index m = n_directions();
  Vector scale = Vector::Ones(m);
  for (Index j = 0; j < m; ++j)
    if (step_data.enforced_on[static_cast<std::size_t>(j)] == EnforcedOn::end_gap &&
        law(law_of(j)).is_positively_homogeneous())
      scale[j] = weight_of(course_of(courses, j).is_linear) / step_data.step;
  const MultiVector W = law_responses(step_data, courses, scale);
  for (Index j = 0; j < m; ++j)
    if (!(W(j, j) > 0))
      throw InvalidInput("A step of " + number_text(step_data.step) + " s of " + method_ +
                         " is too long: at its end the contact \"" + laws_[law_of(j)].name +
                         "\" would move against its reaction, with the rate " + number_text(W(j, j)) +
                         " for a unit reaction. Take a step well below a period of the slowest modes.");
  check_directions(step_data, law_responses(step_data, Courses(laws_.size()), scale));
  check_single_valued(laws_, W);
  return {std::make_unique<OneStepSolver>(OneStepProblem(laws_, W)), std::move(scale)};
}

/// Checks that the symmetric part of W is positive semidefinite if all rows are of one type: otherwise
/// reactions of one contact would drive another.
void ContactStep::check_directions(const StepData& step_data, const MultiVector& W) const {
  for (const EnforcedOn enforced_on : step_data.enforced_on)
    if (enforced_on != step_data.enforced_on.front()) return;
  const Vector scale = W.diagonal().cwiseSqrt().cwiseInverse();
  const MultiVector scaled = scale.asDiagonal() * ((W + W.transpose()) / 2) * scale.asDiagonal();
  const double least = symmetric_eigenvalues(scaled)[0];
  if (least < -1e-10)
    throw InvalidInput(
        "A step of " + number_text(step_data.step) + " s of " + method_ +
        " is too long: at its end contacts would have moved against their common reactions, by the part " +
        number_text(-least) +
        " of the motion by a single reaction. Take a step well below a period of the slowest modes.");
}

/// Returns the part of u_a that does not depend on r_1; where theta is not zero, it is this part of both u_a
/// and u_b.
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
  const double weight = weight_of(is_linear);
  Vector v(n_directions());
  for (Index j = 0; j < n_directions(); ++j) {
    const double begin = support(j, from.time);
    v[j] = weight * (s[j] - from.g[j] - begin) / step;
    if (is_linear) v[j] -= 0.5 * (from.mean_w[j] + (begin - support(j, from.time - step)) / step);
  }
  return v;
}

/// Returns the quantities that the laws of a step act on, without the effect of r_1, in scaled rows.
Vector ContactStep::law_quantities(const ContactMotion& from, double end, const std::vector<EndRates>& rates,
                                   const FreeContacts& free, const StepData& step_data,
                                   const Courses& courses, const Vector& scale) const {
  Vector b(n_directions());
  for (Index j = 0; j < n_directions(); ++j) {
    const ReactionCourse& course = course_of(courses, j);
    const double weight = weight_of(course.is_linear), g = free.s[j] - support(j, end);
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

/// Returns the rounding errors of law_quantities(), for gaps and rates; mean rates are differences of gaps.
Vector ContactStep::rounding_of_quantities(const ContactMotion& from, const FreeContacts& free,
                                           const StepData& step_data, const Courses& courses,
                                           const Vector& scale) const {
  Vector size = free.v.cwiseAbs() + from.w.cwiseAbs();
  for (Index j = 0; j < n_directions(); ++j) {
    const EnforcedOn enforced_on = step_data.enforced_on[static_cast<std::size_t>(j)];
    const double gap = std::abs(free.s[j]) + std::abs(from.g[j]) + std::abs(support(j, from.time));
    if (enforced_on == EnforcedOn::mean_rate)
      size[j] += weight_of(course_of(courses, j).is_linear) * gap / step_data.step;
    if (enforced_on == EnforcedOn::end_gap) size[j] = scale[j] * (gap + step_data.step * size[j]);
  }
  return rounding_of_a_term * size;
}

/// Computes motion, impulse and dissipation at the end of a step. @param x quantities that the laws acted on
void ContactStep::end_motion(const ContactMotion& from, const std::vector<EndRates>& rates,
                             const FreeContacts& at_end, const StepData& step_data, const Vector& x,
                             ContactMotion& to) const {
  for (Index j = 0; j < n_directions(); ++j) {
    to.g[j] = at_end.s[j] - support(j, to.time);
    to.mean_w[j] = (to.g[j] - from.g[j]) / step_data.step;
    const EnforcedOn enforced_on = step_data.enforced_on[static_cast<std::size_t>(j)];
    // A contact that W_K moves has no rate other than the mean rate of the step.
    to.w[j] = enforced_on == EnforcedOn::mean_rate                   ? x[j]
              : enforced_on == EnforcedOn::end_gap && W_K_(j, j) > 0 ? to.mean_w[j]
                                                                     : at_end.v[j] - support_rate(j, to.time);
  }
  const Vector mean_r = to.mean_r();
  Vector mean_w = to.mean_w;
  to.impulse += step_data.step * mean_r;
  // The work of an impulse is its product with the mean of the rates before and after, for any motion of the
  // obstacle in between.
  for (Index j = 0; j < n_directions(); ++j)
    if (step_data.enforced_on[static_cast<std::size_t>(j)] == EnforcedOn::impact) {
      const EndRates& of_support = rates[static_cast<std::size_t>(j)];
      mean_w[j] += (support(j, to.time) - support(j, from.time)) / step_data.step -
                   (of_support.begin + of_support.end) / 2;
    }
  Vector r = mean_r;
  for (Index j = 0; j < n_directions(); ++j) {
    if (step_data.enforced_on[static_cast<std::size_t>(j)] == EnforcedOn::end_gap)
      mean_w[j] = 0;  // a contact that stops no mass does no work
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
  for (const Index j : moving_) {
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
    bool strikes = false;
    if (regular_.enforced_on[static_cast<std::size_t>(first)] == EnforcedOn::impact && to.r[first] > 0) {
      const EndRates of_support = support_rates(first, from.time, to.time);
      before[0] = rate_before(first, from, of_support);
      after[0] += support_rate(first, to.time) - of_support.end;
      // An impact on a closed contact needs a rate above the one that its reaction has caused in the last
      // step.
      const double least = from.contacts[i] == ContactState::open
                               ? at_rest
                               : std::max(at_rest, rate_by_reaction(first, from, regular_));
      strikes = before[0] < -least;
    }
    if (strikes) impulse = (to.impulse - from.impulse).segment(first, d);
    if (strikes || from.contacts[i] != to.contacts[i])
      events.push_back({from.time, to.time, i, before, after, impulse, from.contacts[i], to.contacts[i]});
  }
  return events;
}

ContactMotion ContactStep::attempt(const ContactMotion& from, double end, const FreeContacts& free,
                                   const StepData& step_data, const Courses& courses, Prepared& small) const {
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
  const Vector b = law_quantities(from, end, rates, moved(), step_data, courses, small.scale);
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
  end_motion(from, rates, moved(), step_data, x, to);
  return to;
}

/// Returns whether the extrapolated and the mean slip rates of plays have the same sign.
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

/// Adapts the courses to the result of a step. @return whether courses changed, so that the step must be
/// solved again
bool ContactStep::revise(const ContactMotion& from, const StepData& step_data, const ContactMotion& to,
                         Courses& courses) const {
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
    // The rate as if all stopping contacts had slipped on, since those that share a DoF stop together.
    double slip = to.w[j];
    for (const std::size_t other : stop) {
      const Index k = first_[other];
      slip += (step_data.response.v_start(j, k) + step_data.response.v_end(j, k)) *
              (from.r[k] - (to.u_a[k] + to.u_b[k]) / 2);
    }
    if (from.w[j] * slip >= 0) continue;
    courses[i].theta = std::clamp(from.w[j] / (from.w[j] - slip), 0., latest_stop);
    has_changed = has_changed || courses[i].theta > 0;
  }
  return has_changed;
}

ContactMotion ContactStep::solve(const ContactMotion& from, double end, const FreeContacts& free) {
  return solve(from, end, free, regular_, smooth_, constant_);
}

ContactMotion ContactStep::solve(const ContactMotion& from, double end, const FreeContacts& free, double step,
                                 const StepResponse& response) const {
  Prepared smooth, constant;
  return solve(from, end, free, data_of_steps(step, response), smooth, constant);
}

ContactMotion ContactStep::solve(const ContactMotion& from, double end, const FreeContacts& free,
                                 const StepData& step_data, Prepared& smooth, Prepared& constant) const {
  Courses courses(laws_.size());
  for (std::size_t i = 0; i < laws_.size(); ++i)
    courses[i].is_linear = from.has_same_contacts && step_data.may_be_linear[i];
  bool is_first = from.has_same_contacts;
  while (true) {
    const bool stops =
        std::any_of(courses.begin(), courses.end(), [](const ReactionCourse& c) { return c.theta > 0; });
    Prepared once;
    Prepared& small = stops ? once : is_first ? smooth : constant;
    if (!small.solver) small = prepare(step_data, courses);
    ContactMotion to = attempt(from, end, free, step_data, courses, small);
    if (!revise(from, step_data, to, courses)) return to;
    is_first = false;
  }
}

}  // namespace halfdof::internal
