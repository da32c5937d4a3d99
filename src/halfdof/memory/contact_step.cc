#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/inclusions/joint_weakening.h>
#include <halfdof/linear_algebra/dense_decompositions.h>
#include <halfdof/memory/contact_step.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof {

namespace {

/// Whether row j of a response is more than what rounding leaves of zero.
bool moves(const MultiVector& W, Eigen::Index j) {
  return std::abs(W(j, j)) > 1e-14 * W.diagonal().cwiseAbs().maxCoeff();
}

/// Stops nearer to the end of a step leave nothing for the reaction behind them.
constexpr double latest_stop = 1 - 1e-6;

bool weakens(const Law& law) {
  return law.dimension() == 1 && law.one_sided_lipschitz_constant() > 0;
}

}  // namespace

void check_weakening(const std::vector<NamedLaw>& laws, const MultiVector& W_C) {
  Vector l = Vector::Zero(W_C.rows());
  Index j = 0;
  for (const NamedLaw& named : laws) {
    if (weakens(*named.law)) l[j] = named.law->one_sided_lipschitz_constant();
    if (std::isinf(l[j]) && moves(W_C, j))
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

ContactStep::ContactStep(std::vector<NamedLaw> laws, MultiVector W_C, MultiVector W_K, std::string method)
    : laws_(std::move(laws)), W_C_(std::move(W_C)), W_K_(std::move(W_K)), method_(std::move(method)) {
  Index n = 0;
  for (const NamedLaw& named : laws_) {
    if (!named.law) throw InvalidInput("The inclusion \"" + named.name + "\" has no law. Give it one.");
    first_.push_back(n);
    n += named.law->dimension();
  }
  if (n == 0 || n != n_directions())
    throw InvalidInput("The laws of " + method_ + " have " + std::to_string(n) +
                       " directions together, but its modes " + std::to_string(n_directions()) +
                       " contacts. Give one law or more, and a contact for each direction.");
  may_jump_.resize(laws_.size(), false);
  for (std::size_t i = 0; i < laws_.size(); ++i)
    for (Index k = 0; k < law(i).dimension(); ++k) {
      const Index j = first_[i] + k;
      const bool on_gap = law(i).level(k) == LawLevel::gap;
      const bool in_place = moves(W_K_, j), at_once = in_place || moves(W_C_, j);
      if (!at_once) may_jump_[i] = true;
      places_.push_back({i, k,
                         on_gap     ? at_once ? Met::end_gap : Met::impact
                         : in_place ? Met::mean_rate
                                    : Met::end_rate});
      if (in_place && on_gap && law(i).restitution())
        throw NotAvailable(
            "The contact \"" + laws_[i].name +
            "\" has a coefficient of restitution, but its reaction moves it at once, as one without mass: "
            "nothing rebounds by a law of impact. Leave out the coefficient, or the compliance of modes that "
            "are not listed.");
      if (in_place && weakens(law(i)))
        throw NotAvailable(
            "The friction of \"" + laws_[i].name +
            "\" weakens as it slips, and its reaction moves the contact at once: the displacement would "
            "have to jump. Leave out the compliance of modes that are not listed, or add mass.");
    }
  check_weakening(laws_, W_C_);
}

double ContactStep::support(Index j, double time) const {
  const Place& place = places_[static_cast<std::size_t>(j)];
  return law(place.law).support(place.column)(time);
}

double ContactStep::support_rate(Index j, double time) const {
  const Place& place = places_[static_cast<std::size_t>(j)];
  return law(place.law).support(place.column).derivative(time);
}

ContactMotion ContactStep::start(double time, const Vector& s, const Vector& v,
                                 const std::optional<Vector>& r) const {
  const Index m = n_directions();
  ContactMotion motion{time,
                       r ? *r : Vector(Vector::Zero(m)),
                       v,
                       s,
                       Vector::Zero(m),
                       Vector::Zero(m),
                       {},
                       std::vector<bool>(laws_.size(), false),
                       Vector::Zero(m),
                       0.};
  motion.mean_r = motion.r;
  for (Index j = 0; j < m; ++j) {
    motion.g[j] -= support(j, time);
    motion.w[j] -= support_rate(j, time);
  }
  motion.mean_w = motion.w;
  for (std::size_t i = 0; i < laws_.size(); ++i)
    motion.contacts.push_back(law(i).initial_state());
  return motion;
}

/// Contacts whose impacts are told by velocities act once the gap is about to close; everything else always.
std::vector<bool> ContactStep::that_take_part(const ContactMotion& from, double step) const {
  std::vector<bool> take_part(laws_.size(), true);
  for (std::size_t j = 0; j < places_.size(); ++j) {
    const auto row = static_cast<Eigen::Index>(j);
    if (places_[j].met == Met::impact && from.g[row] + step / 2 * from.w[row] > 0)
      take_part[places_[j].law] = false;
  }
  return take_part;
}

/// What reactions make the laws meet. @param scale of rows, to rates
MultiVector ContactStep::met_by_reactions(double step, const StepResponse& response, const Courses& courses,
                                          const Vector& scale) const {
  const Index m = n_directions();
  MultiVector W(m, m);
  for (Index j = 0; j < m; ++j) {
    const Met met = places_[static_cast<std::size_t>(j)].met;
    const double mean = (course_of(courses, j).is_line ? 1.5 : 1.) / step;
    for (Index k = 0; k < m; ++k) {
      const Course& course = course_of(courses, k);
      const double part = 1 - course.theta, start = course.is_line ? 1. / 3 : 1.;
      const double s = part * (response.s_end(j, k) + start * response.s_start(j, k)),
                   v = part * (response.v_end(j, k) + start * response.v_start(j, k));
      W(j, k) = met == Met::mean_rate ? mean * s : met == Met::end_gap ? scale[j] * s : v;
    }
  }
  return W;
}

ContactStep::Prepared ContactStep::prepare(double step, const StepResponse& response,
                                           const Courses& courses) const {
  const Index m = n_directions();
  Vector scale = Vector::Ones(m);
  for (Index j = 0; j < m; ++j) {
    const Place& place = places_[static_cast<std::size_t>(j)];
    if (place.met == Met::end_gap && law(place.law).is_positively_homogeneous()) scale[j] = 1 / step;
  }
  const MultiVector W = met_by_reactions(step, response, courses, scale);
  for (Index j = 0; j < m; ++j)
    if (!(W(j, j) > 0))
      throw InvalidInput("A step of " + number_text(step) + " s of " + method_ +
                         " is too long: at its end the contact \"" +
                         laws_[places_[static_cast<std::size_t>(j)].law].name +
                         "\" would have moved against its reaction, with the motion " + number_text(W(j, j)) +
                         " for a unit of it. Take a step well below a period of the slowest modes.");
  check_directions(step, met_by_reactions(step, response, Courses(laws_.size()), scale));
  check_single_valued(laws_, W);
  return {std::make_unique<OneStepSolver>(OneStepProblem(laws_, W)), std::move(scale)};
}

/// Alike rows have a symmetric part without negative eigenvalues, or contacts push one another back.
void ContactStep::check_directions(double step, const MultiVector& W) const {
  for (const Place& place : places_)
    if (place.met != places_.front().met) return;
  const Vector scale = W.diagonal().cwiseSqrt().cwiseInverse();
  const MultiVector scaled = scale.asDiagonal() * ((W + W.transpose()) / 2) * scale.asDiagonal();
  const double least = symmetric_eigenvalues(scaled)[0];
  if (least < -1e-10)
    throw InvalidInput(
        "A step of " + number_text(step) + " s of " + method_ +
        " is too long: at its end contacts would have moved against their common reactions, by " +
        number_text(-least) +
        " of what one of them does. Take a step well below a period of the slowest modes.");
}

/// The part of u_a that r_1 has no part in, and of both u_a and u_b where theta is not zero.
Vector ContactStep::start_known(const ContactMotion& from, const Courses& courses) const {
  Vector known(n_directions());
  for (Index j = 0; j < n_directions(); ++j) {
    const Course& course = course_of(courses, j);
    known[j] = course.is_line ? 2 * from.mean_r[j] / 3 : course.theta * from.r[j];
  }
  return known;
}

/// What the laws of a step meet without r_1, in rows of their scale.
Vector ContactStep::met_by_laws(const ContactMotion& from, double step, double end, const FreeContacts& free,
                                const Courses& courses, const Vector& scale) const {
  Vector b(n_directions());
  for (Index j = 0; j < n_directions(); ++j) {
    const Place& place = places_[static_cast<std::size_t>(j)];
    const bool is_line = courses[place.law].is_line;
    switch (place.met) {
      case Met::end_rate:
        b[j] = free.v[j] - support_rate(j, end);
        break;
      case Met::mean_rate:
        b[j] = (is_line ? 1.5 : 1.) * (free.s[j] - support(j, end) - from.g[j]) / step -
               (is_line ? 0.5 * from.mean_w[j] : 0.);
        break;
      case Met::end_gap:
        b[j] = scale[j] * (free.s[j] - support(j, end));
        break;
      case Met::impact:
        b[j] = free.v[j] - support_rate(j, end) +
               law(place.law).restitution().value_or(0.) * std::min(from.w[j], 0.);
        break;
    }
  }
  return b;
}

/// Motion, impulse and dissipation at the end of a step. @param x what the laws met
void ContactStep::end_motion(const ContactMotion& from, double step, const FreeContacts& at_end,
                             const Vector& x, ContactMotion& to) const {
  for (Index j = 0; j < n_directions(); ++j) {
    to.g[j] = at_end.s[j] - support(j, to.time);
    to.mean_w[j] = (to.g[j] - from.g[j]) / step;
    const Met met = places_[static_cast<std::size_t>(j)].met;
    // What W_K moves has no rate but that of the steps.
    to.w[j] = met == Met::mean_rate                   ? x[j]
              : met == Met::end_gap && moves(W_K_, j) ? to.mean_w[j]
                                                      : at_end.v[j] - support_rate(j, to.time);
  }
  to.impulse += step * to.mean_r;
  for (std::size_t i = 0; i < laws_.size(); ++i)
    to.dissipated += step * law(i).dissipated_power(to.mean_w.segment(first_[i], law(i).dimension()),
                                                    to.mean_r.segment(first_[i], law(i).dimension()));
}

ContactStep::Solution ContactStep::attempt(const ContactMotion& from, double step, double end,
                                           const FreeContacts& free, const StepResponse& response,
                                           const Courses& courses, Prepared& small) const {
  const Index m = n_directions();
  Solution solution{from, start_known(from, courses), Vector::Zero(m)};
  Vector &u_a = solution.u_a, &u_b = solution.u_b;
  for (Index j = 0; j < m; ++j)
    if (course_of(courses, j).theta > 0) u_b[j] = u_a[j];
  const auto moved = [&]() -> FreeContacts {
    return {free.s + response.s_start * u_a + response.s_end * u_b,
            free.v + response.v_start * u_a + response.v_end * u_b};
  };
  const Vector b = met_by_laws(from, step, end, moved(), courses, small.scale);
  const OneStepProblem& problem = small.solver->problem();
  LawsAtTime laws = problem.laws_at(end, from.contacts);
  laws.takes_part = that_take_part(from, step);
  Vector r = from.r, x = b;
  for (Index j = 0; j < m; ++j)
    if (!laws.takes_part[places_[static_cast<std::size_t>(j)].law]) r[j] = 0;
  small.solver->solve(laws, b, r, x);

  for (Index j = 0; j < m; ++j) {
    const Course& course = course_of(courses, j);
    u_a[j] += (1 - course.theta) * (course.is_line ? r[j] / 3 : r[j]);
    u_b[j] += (1 - course.theta) * r[j];
  }
  ContactMotion& to = solution.end;
  to.time = end;
  to.r = r;
  to.mean_r = (u_a + u_b) / 2;
  to.contacts = problem.states(laws, b, r, x);
  for (std::size_t i = 0; i < laws_.size(); ++i)
    if (!laws.takes_part[i]) to.contacts[i] = ContactState::open;
  end_motion(from, step, moved(), x, to);
  return solution;
}

/// Sets what the next step has to know of this one. @return whether courses changed, so that it is to be solved again
bool ContactStep::revise(const ContactMotion& from, const StepResponse& response, Solution& solution,
                         Courses& courses) const {
  ContactMotion& to = solution.end;
  bool has_jumped = false;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    to.settled[i] = to.contacts[i] == from.contacts[i];
    has_jumped = has_jumped || (may_jump_[i] && !to.settled[i]);
  }
  bool has_changed = false;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    if (has_jumped && may_jump_[i]) to.settled[i] = false;
    if (to.settled[i] || !courses[i].is_line) continue;
    courses[i].is_line = false;
    has_changed = true;
  }
  if (has_changed) return true;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const Index j = first_[i];
    const bool slipped =
        from.contacts[i] == ContactState::slip_forward || from.contacts[i] == ContactState::slip_back;
    if (!may_jump_[i] || law(i).dimension() > 1 || !slipped || to.contacts[i] == from.contacts[i] ||
        courses[i].theta > 0)
      continue;
    const double slip =
        to.w[j] + (response.v_start(j, j) + response.v_end(j, j)) * (from.r[j] - to.mean_r[j]);
    if (from.w[j] * slip >= 0) continue;
    courses[i].theta = std::clamp(from.w[j] / (from.w[j] - slip), 0., latest_stop);
    has_changed = has_changed || courses[i].theta > 0;
  }
  return has_changed;
}

ContactStep::Solution ContactStep::solve(const ContactMotion& from, double step, double end,
                                         const FreeContacts& free, const StepResponse& response,
                                         bool regular) {
  Courses courses;
  for (const bool settled : from.settled)
    courses.push_back({settled, 0});
  for (const Place& place : places_)
    if (place.met == Met::impact) courses[place.law].is_line = false;
  while (true) {
    const bool stops =
        std::any_of(courses.begin(), courses.end(), [](const Course& c) { return c.theta > 0; });
    Prepared once;
    Prepared* small = &once;
    if (regular && !stops) {
      std::vector<bool> lines;
      for (const Course& course : courses)
        lines.push_back(course.is_line);
      small = &regular_[lines];
    }
    if (!small->solver) *small = prepare(step, response, courses);
    Solution solution = attempt(from, step, end, free, response, courses, *small);
    if (!revise(from, response, solution, courses)) return solution;
  }
}

}  // namespace halfdof
