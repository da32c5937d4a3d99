// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/inclusions/law_checks.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/memory/contact_step.h>
#include <halfdof/memory/massless_projector.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof::internal {

namespace {

/// Largest part theta of a step before a stop of slip. A later stop would leave no time for the reaction
/// after the stop.
constexpr double max_stop_fraction = 1 - 1e-6;

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
