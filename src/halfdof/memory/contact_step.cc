#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/inclusions/joint_weakening.h>
#include <halfdof/integrators/gaps_beside_sunken.h>
#include <halfdof/integrators/obstacle_jump.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/integrators/settled_reaction.h>
#include <halfdof/linear_algebra/dense_decompositions.h>
#include <halfdof/memory/contact_step.h>
#include <halfdof/memory/displaced_part.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof {

namespace {

/// Rates of contacts that rest, relative to the largest.
constexpr double resting = 1e-10;

/// Stops nearer to the end of a step leave nothing for the reaction behind them.
constexpr double latest_stop = 1 - 1e-6;

/// Of this step in the rates that a law meets; what is beyond one is taken from the step before.
double weight_of(bool is_line) {
  return is_line ? 1.5 : 1.;
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
          "\" falls at once where it breaks loose, and its reaction moves the rate at once: the rate would "
          "have to jump. Let it fall more gently, or add mass.");
    if (std::isinf(l[j])) l[j] = 0;
    j += named.law->dimension();
  }
  const double jump = joint_weakening(W_C, l);
  if (jump >= 1)
    throw NotAvailable(
        "Friction weakens as it slips, and would let the rates of contacts jump: with l its steepest "
        "decrease, l L^1(0+) is " +
        number_text(jump) + " and must be below one. Let it fall more gently.");
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
                       " directions together, but its modes " + std::to_string(n_directions()) +
                       " contacts. Give one law or more, and a contact for each direction.");
  check_weakening(laws_, W_C_);
  regular_ = length_of(step, std::move(response));
}

ContactStep::Length ContactStep::length_of(double step, StepResponse response) const {
  const Index m = n_directions();
  Length of{step, std::move(response), {}, MultiVector::Identity(m, m), {}, {}};
  of.s_whole = of.response.s_start + of.response.s_end;
  for (Index j = 0; j < m; ++j)
    check_opposes(j, of.s_whole(j, j));
  const MultiVector P = displaced_part(W_K_ + step * W_C_, of.s_whole);
  of.Q -= P;
  of.may_be_line.assign(laws_.size(), true);
  for (Index j = 0; j < m; ++j) {
    const auto& [i, column] = places_[static_cast<std::size_t>(j)];
    const bool on_gap = law(i).level(column) == LawLevel::gap, is_displaced = P.row(j).any();
    of.met.push_back(on_gap         ? is_displaced ? Met::end_gap : Met::impact
                     : is_displaced ? Met::mean_rate
                                    : Met::end_rate);
    if (on_gap && of.Q.row(j).any()) of.may_be_line[i] = false;
    if (is_displaced && on_gap && law(i).restitution().value_or(0.) > 0)
      throw NotAvailable(
          "The contact \"" + laws_[i].name +
          "\" has a coefficient of restitution, but its reaction moves it at once, as one without mass: "
          "nothing rebounds by a law of impact. Leave out the coefficient, or the compliance of modes that "
          "are not listed.");
    if (is_displaced && weakens(law(i)) && W_K_(j, j) > 0)
      throw NotAvailable(
          "The friction of \"" + laws_[i].name +
          "\" weakens as it slips, and its reaction moves the contact at once: the displacement would "
          "have to jump. Leave out the compliance of modes that are not listed, or add mass.");
  }
  return of;
}

/// @throws InvalidInput unless a reaction pushes its contact where it points, within a step of any length
void ContactStep::check_opposes(Index j, double moved) const {
  if (moved > 0) return;
  throw InvalidInput(
      "The reaction of \"" + laws_[law_of(j)].name + "\" moves its contact against itself, by " +
      number_text(moved) +
      " for a unit of it within a step: the structure does not resist there, and no law can be "
      "met. Look at the signs of the mass, damping and stiffness of the DoFs of its direction.");
}

double ContactStep::support(Index j, double time) const {
  const Place& place = places_[static_cast<std::size_t>(j)];
  return law(place.law).support(place.column)(time);
}

double ContactStep::support_rate(Index j, double time) const {
  const Place& place = places_[static_cast<std::size_t>(j)];
  return law(place.law).support(place.column).derivative(time);
}

/// Rates of an obstacle with which an impact is met in a step: that of its end, and before it the same less
/// what a parabola explains of the change within the step. A kink within the step or at its end so strikes as
/// a whole. If a ramp begins and ends within the step, both are its mean rate.
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
                                                 const Length& of) const {
  if (std::find(of.met.begin(), of.met.end(), Met::impact) == of.met.end()) return {};
  std::vector<EndRates> rates(places_.size(), EndRates{0, 0});
  for (Index j = 0; j < n_directions(); ++j)
    if (of.met[static_cast<std::size_t>(j)] == Met::impact)
      rates[static_cast<std::size_t>(j)] = support_rates(j, from.time, end);
  return rates;
}

/// The relative rate with which a direction begins a step. @param rates of its obstacle
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

/// What counts as rest: rounding of rates, and of those that reactions give within a step.
double ContactStep::rounding_of_rates(const ContactMotion& from, const Length& of) const {
  double size = from.w.cwiseAbs().maxCoeff();
  for (Index j = 0; j < n_directions(); ++j)
    if (of.met[static_cast<std::size_t>(j)] == Met::impact)
      size = std::max(size, rate_by_reaction(j, from, of));
  return resting * size;
}

/// The rate that the last reaction alone would give its direction within a step.
double ContactStep::rate_by_reaction(Index j, const ContactMotion& from, const Length& of) const {
  return (of.response.v_start(j, j) + of.response.v_end(j, j)) * std::abs(from.r[j]);
}

/// Contacts whose impacts are told by velocities act once the gap is about to close, or is open by rounding;
/// everything else always. @param b what the laws meet without the new reactions
std::vector<bool> ContactStep::that_take_part(const ContactMotion& from, const std::vector<EndRates>& rates,
                                              const Length& of, const Vector& b) const {
  std::vector<bool> take_part(laws_.size(), true), have_sunk, strikes;
  const double at_rest = rounding_of_rates(from, of);
  Vector w = from.w;
  for (Index j = 0; j < n_directions(); ++j)
    if (of.met[static_cast<std::size_t>(j)] == Met::impact)
      w[j] = rate_before(j, from, rates[static_cast<std::size_t>(j)]);
  for (Index j = 0; j < n_directions(); ++j) {
    const bool has_mass = of.met[static_cast<std::size_t>(j)] == Met::impact;
    have_sunk.push_back(has_mass && w[j] >= -at_rest);
    strikes.push_back(has_mass && from.contacts[law_of(j)] == ContactState::open && w[j] < -at_rest);
  }
  const Vector gaps = gaps_beside_sunken(of.s_whole, have_sunk, strikes, -of.step / 2 * w, from.g);
  for (Index j = 0; j < n_directions(); ++j) {
    if (of.met[static_cast<std::size_t>(j)] != Met::impact) continue;
    const double rounding = closing_tolerance * (std::abs(from.g[j]) + std::abs(support(j, from.time)) +
                                                 of.step * std::abs(b[j])) +
                            resting_gap * of.step * rate_by_reaction(j, from, of);
    // A closed contact at rest may stand off its obstacle by what the last step has left. It takes part if
    // the load, which moves it by step/2 b on average, closes that gap.
    const bool rests = from.contacts[law_of(j)] == ContactState::closed && std::abs(w[j]) <= at_rest;
    const double ahead = rests ? std::min(w[j], b[j]) : w[j];
    if (gaps[j] + of.step / 2 * ahead > rounding) take_part[law_of(j)] = false;
  }
  return take_part;
}

/// What reactions make the laws meet. @param scale of rows, to rates
MultiVector ContactStep::met_by_reactions(const Length& of, const Courses& courses,
                                          const Vector& scale) const {
  const Index m = n_directions();
  MultiVector S(m, m), V(m, m), W(m, m);
  for (Index k = 0; k < m; ++k) {
    const Course& course = course_of(courses, k);
    const double part = 1 - course.theta, start = course.is_line ? 1. / 3 : 1.;
    S.col(k) = part * (of.response.s_end.col(k) + start * of.response.s_start.col(k));
    V.col(k) = part * (of.response.v_end.col(k) + start * of.response.v_start.col(k));
  }
  for (Index j = 0; j < m; ++j) {
    const double per_step = weight_of(course_of(courses, j).is_line) / of.step;
    switch (of.met[static_cast<std::size_t>(j)]) {
      case Met::mean_rate:
        W.row(j) = per_step * S.row(j) + of.Q.row(j) * (V - per_step * S);
        break;
      case Met::end_gap:
        W.row(j) = scale[j] * (S.row(j) + of.Q.row(j) * (of.step * V - S));
        break;
      case Met::end_rate:
      case Met::impact:
        W.row(j) = V.row(j);
        break;
    }
  }
  return W;
}

ContactStep::Prepared ContactStep::prepare(const Length& of, const Courses& courses) const {
  const Index m = n_directions();
  Vector scale = Vector::Ones(m);
  for (Index j = 0; j < m; ++j)
    if (of.met[static_cast<std::size_t>(j)] == Met::end_gap && law(law_of(j)).is_positively_homogeneous())
      scale[j] = weight_of(course_of(courses, j).is_line) / of.step;
  const MultiVector W = met_by_reactions(of, courses, scale);
  for (Index j = 0; j < m; ++j)
    if (!(W(j, j) > 0))
      throw InvalidInput("A step of " + number_text(of.step) + " s of " + method_ +
                         " is too long: at its end the contact \"" + laws_[law_of(j)].name +
                         "\" would move against its reaction, with the rate " + number_text(W(j, j)) +
                         " for a unit of it. Take a step well below a period of the slowest modes.");
  check_directions(of, met_by_reactions(of, Courses(laws_.size()), scale));
  check_single_valued(laws_, W);
  return {std::make_unique<OneStepSolver>(OneStepProblem(laws_, W)), std::move(scale)};
}

/// If all rows are of one type, the symmetric part of W must be positive semidefinite: otherwise the
/// reactions of one contact drive another.
void ContactStep::check_directions(const Length& of, const MultiVector& W) const {
  for (const Met met : of.met)
    if (met != of.met.front()) return;
  const Vector scale = W.diagonal().cwiseSqrt().cwiseInverse();
  const MultiVector scaled = scale.asDiagonal() * ((W + W.transpose()) / 2) * scale.asDiagonal();
  const double least = symmetric_eigenvalues(scaled)[0];
  if (least < -1e-10)
    throw InvalidInput(
        "A step of " + number_text(of.step) + " s of " + method_ +
        " is too long: at its end contacts would have moved against their common reactions, by " +
        number_text(-least) +
        " of what one of them does. Take a step well below a period of the slowest modes.");
}

/// The part of u_a that r_1 has no part in, and of both u_a and u_b where theta is not zero.
Vector ContactStep::start_known(const ContactMotion& from, const Courses& courses) const {
  Vector known(n_directions());
  for (Index j = 0; j < n_directions(); ++j) {
    const Course& course = course_of(courses, j);
    known[j] = course.is_line ? (from.u_a[j] + from.u_b[j]) / 3 : course.theta * from.r[j];
  }
  return known;
}

Vector ContactStep::mean_rates(const ContactMotion& from, const Vector& s, double step, bool is_line) const {
  const double weight = weight_of(is_line);
  Vector v(n_directions());
  for (Index j = 0; j < n_directions(); ++j) {
    const double begin = support(j, from.time);
    v[j] = weight * (s[j] - from.g[j] - begin) / step;
    if (is_line) v[j] -= 0.5 * (from.mean_w[j] + (begin - support(j, from.time - step)) / step);
  }
  return v;
}

/// What the laws of a step meet without r_1, in rows of their scale.
Vector ContactStep::met_by_laws(const ContactMotion& from, double end, const std::vector<EndRates>& rates,
                                const FreeContacts& free, const Length& of, const Courses& courses,
                                const Vector& scale) const {
  Vector b(n_directions());
  for (Index j = 0; j < n_directions(); ++j) {
    const Course& course = course_of(courses, j);
    const double weight = weight_of(course.is_line), g = free.s[j] - support(j, end);
    switch (of.met[static_cast<std::size_t>(j)]) {
      case Met::end_rate:
        b[j] = free.v[j] - support_rate(j, end);
        break;
      case Met::mean_rate:
        b[j] = weight * (g - from.g[j]) / of.step - (weight - 1) * from.mean_w[j];
        if (of.Q.row(j).any())
          b[j] += of.Q.row(j).dot(free.v - mean_rates(from, free.s, of.step, course.is_line));
        break;
      case Met::end_gap:
        b[j] = g;
        if (of.Q.row(j).any())
          b[j] += of.step * of.Q.row(j).dot(free.v - mean_rates(from, free.s, of.step, false));
        b[j] *= scale[j];
        break;
      case Met::impact: {
        const EndRates& of_support = rates[static_cast<std::size_t>(j)];
        b[j] = free.v[j] - of_support.end +
               law(law_of(j)).restitution().value_or(0.) * std::min(rate_before(j, from, of_support), 0.);
      } break;
    }
  }
  return b;
}

/// Of met_by_laws(): gaps, and rates, of which means are differences of gaps.
Vector ContactStep::rounding_of_met(const ContactMotion& from, const FreeContacts& free, const Length& of,
                                    const Courses& courses, const Vector& scale) const {
  Vector size = free.v.cwiseAbs() + from.w.cwiseAbs();
  for (Index j = 0; j < n_directions(); ++j) {
    const Met met = of.met[static_cast<std::size_t>(j)];
    const double gap = std::abs(free.s[j]) + std::abs(from.g[j]) + std::abs(support(j, from.time));
    if (met == Met::mean_rate) size[j] += weight_of(course_of(courses, j).is_line) * gap / of.step;
    if (met == Met::end_gap) size[j] = scale[j] * (gap + of.step * size[j]);
  }
  return rounding_of_a_term * size;
}

/// Motion, impulse and dissipation at the end of a step. @param x what the laws met
void ContactStep::end_motion(const ContactMotion& from, const std::vector<EndRates>& rates,
                             const FreeContacts& at_end, const Length& of, const Vector& x,
                             ContactMotion& to) const {
  for (Index j = 0; j < n_directions(); ++j) {
    to.g[j] = at_end.s[j] - support(j, to.time);
    to.mean_w[j] = (to.g[j] - from.g[j]) / of.step;
    const Met met = of.met[static_cast<std::size_t>(j)];
    // What W_K moves has no rate but that of the steps.
    to.w[j] = met == Met::mean_rate                   ? x[j]
              : met == Met::end_gap && W_K_(j, j) > 0 ? to.mean_w[j]
                                                      : at_end.v[j] - support_rate(j, to.time);
  }
  const Vector mean_r = to.mean_r();
  Vector mean_w = to.mean_w;
  to.impulse += of.step * mean_r;
  // An impulse works at the mean of the rates before and after, however the obstacle moves in between.
  for (Index j = 0; j < n_directions(); ++j)
    if (of.met[static_cast<std::size_t>(j)] == Met::impact) {
      const EndRates& of_support = rates[static_cast<std::size_t>(j)];
      mean_w[j] +=
          (support(j, to.time) - support(j, from.time)) / of.step - (of_support.begin + of_support.end) / 2;
    }
  Vector r = mean_r;
  for (Index j = 0; j < n_directions(); ++j) {
    if (of.met[static_cast<std::size_t>(j)] == Met::end_gap) mean_w[j] = 0;  // contacts that stop no mass
    if (of.met[static_cast<std::size_t>(j)] == Met::mean_rate)
      r[j] =
          reaction_in_slip(from.contacts[law_of(j)], to.contacts[law_of(j)], from.r[j], to.r[j], mean_r[j]);
  }
  if (to.dissipated_by.size() == 0) to.dissipated_by.setZero(static_cast<Index>(laws_.size()));
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const double taken = of.step * law(i).dissipated_power(mean_w.segment(first_[i], law(i).dimension()),
                                                           r.segment(first_[i], law(i).dimension()));
    to.dissipated_by[static_cast<Index>(i)] += taken;
    to.dissipated += taken;
  }
}

void ContactStep::require_obstacles_without_jumps(const ContactMotion& from, const ContactMotion& to) const {
  for (const Index j : moving_) {
    const std::size_t i = law_of(j);
    const Met met = regular_.met[static_cast<std::size_t>(j)];
    if (met != Met::mean_rate) require_no_jump_of_support(laws_[i].name, law(i), from.time, to.time);
    const bool touches = to.g[j] < 0 || to.contacts[i] != ContactState::open;
    if (met != Met::impact || !touches) continue;
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
    if (regular_.met[static_cast<std::size_t>(first)] == Met::impact && to.r[first] > 0) {
      const EndRates of_support = support_rates(first, from.time, to.time);
      before[0] = rate_before(first, from, of_support);
      after[0] += support_rate(first, to.time) - of_support.end;
      // A closed contact is struck by what comes faster than its reaction has sent it in the last step.
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
                                   const Length& of, const Courses& courses, Prepared& small) const {
  const Index m = n_directions();
  ContactMotion to = from;
  to.u_a = start_known(from, courses);
  to.u_b.setZero();
  Vector &u_a = to.u_a, &u_b = to.u_b;
  for (Index j = 0; j < m; ++j)
    if (course_of(courses, j).theta > 0) u_b[j] = u_a[j];
  const auto moved = [&]() -> FreeContacts {
    return {free.s + of.response.s_start * u_a + of.response.s_end * u_b,
            free.v + of.response.v_start * u_a + of.response.v_end * u_b};
  };
  const std::vector<EndRates> rates = support_rates(from, end, of);
  const Vector b = met_by_laws(from, end, rates, moved(), of, courses, small.scale);
  const OneStepProblem& problem = small.solver->problem();
  LawsAtTime laws = problem.laws_at(end, from.contacts);
  laws.takes_part = that_take_part(from, rates, of, b);
  Vector r = from.r, x = b;
  for (Index j = 0; j < m; ++j)
    if (!laws.takes_part[law_of(j)]) r[j] = 0;
  small.solver->solve(laws, b, r, x, [&] { return rounding_of_met(from, free, of, courses, small.scale); });

  for (Index j = 0; j < m; ++j) {
    const Course& course = course_of(courses, j);
    u_a[j] += (1 - course.theta) * (course.is_line ? r[j] / 3 : r[j]);
    u_b[j] += (1 - course.theta) * r[j];
  }
  to.time = end;
  to.r = r;
  to.contacts = problem.states(laws, b, r, x);
  for (std::size_t i = 0; i < laws_.size(); ++i)
    if (!laws.takes_part[i]) to.contacts[i] = ContactState::open;
  to.settled = to.contacts == from.contacts;
  end_motion(from, rates, moved(), of, x, to);
  return to;
}

/// Whether the extrapolated and the mean slip rates of plays have the same sign.
bool ContactStep::slip_directions_agree(const Length& of, const ContactMotion& to) const {
  for (Index j = 0; j < n_directions(); ++j) {
    const ContactState state = to.contacts[law_of(j)];
    const bool slips = state == ContactState::slip_forward || state == ContactState::slip_back;
    if (of.met[static_cast<std::size_t>(j)] == Met::mean_rate && slips && to.w[j] * to.mean_w[j] < 0)
      return false;
  }
  return true;
}

Vector ContactStep::kept_rates(const ContactMotion& motion) const {
  Vector w = motion.w;
  for (Index j = 0; j < n_directions(); ++j)
    if (regular_.met[static_cast<std::size_t>(j)] == Met::mean_rate) w[j] = motion.mean_w[j];
  return w;
}

/// @return whether courses changed, so that the step is to be solved again
bool ContactStep::revise(const ContactMotion& from, const Length& of, const ContactMotion& to,
                         Courses& courses) const {
  const bool has_lines =
      std::any_of(courses.begin(), courses.end(), [](const Course& course) { return course.is_line; });
  if (has_lines && !(to.settled && slip_directions_agree(of, to))) {
    courses.assign(laws_.size(), {});
    return true;
  }
  if (to.settled) return false;
  std::vector<std::size_t> stop;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const bool slipped =
        from.contacts[i] == ContactState::slip_forward || from.contacts[i] == ContactState::slip_back;
    if (law(i).dimension() == 1 && of.met[static_cast<std::size_t>(first_[i])] == Met::end_rate && slipped &&
        to.contacts[i] != from.contacts[i] && courses[i].theta == 0)
      stop.push_back(i);
  }
  bool has_changed = false;
  for (const std::size_t i : stop) {
    const Index j = first_[i];
    // As if all of them had slipped on: those that share a DoF stop together.
    double slip = to.w[j];
    for (const std::size_t other : stop) {
      const Index k = first_[other];
      slip +=
          (of.response.v_start(j, k) + of.response.v_end(j, k)) * (from.r[k] - (to.u_a[k] + to.u_b[k]) / 2);
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
  return solve(from, end, free, length_of(step, response), smooth, constant);
}

ContactMotion ContactStep::solve(const ContactMotion& from, double end, const FreeContacts& free,
                                 const Length& of, Prepared& smooth, Prepared& constant) const {
  Courses courses(laws_.size());
  for (std::size_t i = 0; i < laws_.size(); ++i)
    courses[i].is_line = from.settled && of.may_be_line[i];
  bool is_first = from.settled;
  while (true) {
    const bool stops =
        std::any_of(courses.begin(), courses.end(), [](const Course& c) { return c.theta > 0; });
    Prepared once;
    Prepared& small = stops ? once : is_first ? smooth : constant;
    if (!small.solver) small = prepare(of, courses);
    ContactMotion to = attempt(from, end, free, of, courses, small);
    if (!revise(from, of, to, courses)) return to;
    is_first = false;
  }
}

}  // namespace halfdof
