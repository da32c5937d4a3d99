// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/law.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace halfdof {

const char* name_of(ContactState state) {
  switch (state) {
    case ContactState::stick:
      return "stick";
    case ContactState::slip_forward:
      return "slip forward";
    case ContactState::slip_back:
      return "slip back";
    case ContactState::slip:
      return "slip";
    case ContactState::open:
      return "open";
    case ContactState::closed:
      return "closed";
  }
  return "unknown";
}

const ScalarFunction& Law::support(Index /*column*/) const {
  static const ScalarFunction still;
  return still;
}

std::vector<const ScalarFunction*> Law::functions_of_time() const {
  std::vector<const ScalarFunction*> all;
  for (Index column = 0; column < dimension(); ++column)
    all.push_back(&support(column));
  return all;
}

ContactState Law::initial_state() const {
  return level(0) == LawLevel::gap ? ContactState::open : ContactState::stick;
}

double Law::distance(const LawParameters& parameters, LocalConstView r) const {
  LocalVector nearest = r;
  project(parameters, r, nearest);
  return (nearest - r).norm();
}

LocalVector Law::reaction_at(const LawParameters& /*parameters*/, LocalConstView /*w*/,
                             LocalConstView /*preferred*/) const {
  throw NotAvailable("The law \"" + name() +
                     "\" does not define the reaction at a given slip rate. A start in slip, a prescribed "
                     "motion or an explicit integrator needs this reaction: override Law::reaction_at().");
}

SlidingReaction Law::sliding(const LawParameters& /*parameters*/, ContactState /*state*/,
                             double /*w*/) const {
  throw NotAvailable(
      "The law \"" + name() +
      "\" does not define the reaction of an inclusion that slides. The event-driven integrator needs this "
      "reaction: override Law::sliding().");
}

double Law::natural_residual(const LawParameters& parameters, double rho, LocalConstView w,
                             LocalConstView r) const {
  LocalVector nearest = r - rho * w;
  resolvent(parameters, rho, nearest, nearest);
  return (r - nearest).norm();
}

LocalMatrix Law::resolvent_derivative(const LawParameters& parameters, double rho, LocalConstView z) const {
  const Index d = dimension();
  const double step = 1e-6 * z.norm() + 1e-100;
  LocalMatrix derivative(d, d);
  for (Index column = 0; column < d; ++column) {
    LocalVector ahead = z, behind = z;
    ahead[column] += step;
    behind[column] -= step;
    resolvent(parameters, rho, ahead, ahead);
    resolvent(parameters, rho, behind, behind);
    derivative.col(column) = (ahead - behind) / (2 * step);
  }
  return derivative;
}

// Finds the zero of F(r) = r - resolvent(rho, z) with z = r - rho (W r + b) and rho = 1/|W|. Each iteration
// takes the step of Newton's method if this step halves |F|, otherwise a fixed-point step. If W is a multiple
// of the identity, in particular for d = 1, one fixed-point step is exact.
void Law::solve_local(const LawParameters& parameters, const LocalMatrix& W, LocalConstView b,
                      LocalView r) const {
  if (W.rows() == 1) {
    r[0] = -b[0] / W(0, 0);
    resolvent(parameters, 1 / W(0, 0), r, r);
    return;
  }
  constexpr int max_iterations = 1000;
  const double rho = 1 / W.cwiseAbs().rowwise().sum().maxCoeff();
  const double scale = rho * b.norm();
  const auto next_to = [&](const LocalVector& from) {
    LocalVector next = from - rho * (W * from + b);
    resolvent(parameters, rho, next, next);
    return next;
  };
  const LocalMatrix one = LocalMatrix::Identity(W.rows(), W.cols());
  double change = 0;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    const LocalVector here = r, next = next_to(here);
    change = (next - here).norm();
    r = next;
    if (change <= 1e-15 * (scale + r.norm())) return;
    const LocalVector z = here - rho * (W * here + b);
    const LocalMatrix J = one - resolvent_derivative(parameters, rho, z) * (one - rho * W);
    const LocalVector newton = here - LocalVector(Eigen::FullPivLU<LocalMatrix>(J).solve(here - next));
    if (newton.allFinite() && 2 * (next_to(newton) - newton).norm() < change) r = newton;
  }
  std::ostringstream message;
  message << "No reaction was found for a single inclusion with the law \"" << name() << "\": after "
          << max_iterations << " iterations with the resolvent of the law the reaction still changes by "
          << change << " in an iteration. Override Law::solve_local() with an exact solution.";
  throw NoConvergence(message.str(), change);
}

void IntervalLaw::resolvent(const LawParameters& parameters, double /*rho*/, LocalConstView z,
                            LocalView r) const {
  const Interval set = reaction_interval(parameters);
  r[0] = std::clamp(z[0], set.lower, set.upper);
}

LocalMatrix IntervalLaw::resolvent_derivative(const LawParameters& parameters, double /*rho*/,
                                              LocalConstView z) const {
  const Interval set = reaction_interval(parameters);
  return LocalMatrix::Constant(1, 1, set.lower < z[0] && z[0] < set.upper ? 1. : 0.);
}

void IntervalLaw::solve_local(const LawParameters& parameters, const LocalMatrix& W, LocalConstView b,
                              LocalView r) const {
  const Interval set = reaction_interval(parameters);
  r[0] = std::clamp(-b[0] / W(0, 0), set.lower, set.upper);
}

void IntervalLaw::project(const LawParameters& parameters, LocalConstView reaction, LocalView r) const {
  resolvent(parameters, 1., reaction, r);
}

LocalVector IntervalLaw::reaction_at(const LawParameters& parameters, LocalConstView w,
                                     LocalConstView preferred) const {
  const Interval set = reaction_interval(parameters);
  const double r = w[0] > 0   ? set.lower
                   : w[0] < 0 ? set.upper
                              : std::clamp(preferred[0], set.lower, set.upper);
  if (!std::isfinite(r)) {
    std::ostringstream message;
    message << "The law \"" << name() << "\" admits no finite reaction at w = " << w[0]
            << " (the gap of a contact, the slip rate of friction): the state violates the law, for example "
               "because the contact penetrates its obstacle. Start from an admissible state, or use an "
               "integrator that enforces the law.";
    throw InvalidInput(message.str());
  }
  return LocalVector::Constant(1, r);
}

SlidingReaction IntervalLaw::sliding(const LawParameters& parameters, ContactState state,
                                     double /*w*/) const {
  const Interval set = reaction_interval(parameters);
  return {state == ContactState::slip_forward ? set.lower : set.upper, 0.};
}

ContactState IntervalLaw::state(const LawParameters& parameters, LocalConstView w, LocalConstView r,
                                double tolerance) const {
  const Interval set = reaction_interval(parameters);
  if (w[0] > tolerance && r[0] <= set.lower) return ContactState::slip_forward;
  if (w[0] < -tolerance && r[0] >= set.upper) return ContactState::slip_back;
  return ContactState::stick;
}

}  // namespace halfdof
