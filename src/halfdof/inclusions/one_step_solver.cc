// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/profile.h>
#include <halfdof/inclusions/interval_pivoting.h>
#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/inclusions/projected_gradient.h>
#include <halfdof/inclusions/semismooth_newton.h>
#include <halfdof/linear_algebra/entries.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>

namespace halfdof {

using namespace internal;
namespace {

constexpr Index sweeps_before_pivoting = 50;  ///< Gauss-Seidel sweeps that are tried before pivoting
constexpr Index products_before_pivoting =
    30;  ///< steps of the projected gradient that are tried before pivoting
/// Inclusions count as weakly coupled, so that the projected gradient method is tried before pivoting, if the
/// largest eigenvalue of W, scaled by its diagonal, is below this value.
constexpr double weak_coupling = 1.5;
/// Contacts contradict one another if the motion of each contact that its own reaction would cause exceeds
/// the motion that all reactions together cause, and the largest entry of b, by this factor.
constexpr double least_cancellation = 100;
/// Additional compliance, relative to the diagonal of W, that makes reactions unique if W is singular.
constexpr double sharing_compliance = 1e-2;
/// If the first compliance does not lead to reactions without compliance, each further compliance is smaller
/// by the factor compliance_reduction, down to least_compliance. Each proximal step reduces the residual on
/// the range of W by the factor of the compliance: five steps with the first compliance reach 1e-10.
constexpr double compliance_reduction = 1e-2, least_compliance = 1e-9;
constexpr int proximal_steps = 5;  ///< steps with each compliance
/// Largest distance of an admitted reaction from the set of its law, in unit roundoffs of the reaction.
constexpr double rounding_of_projection = 4;
/// Number of Gauss-Seidel sweeps before the first Newton iteration. The number is doubled before each further
/// Newton iteration, since a linear system of Newton's method costs as much as many sweeps.
constexpr Index sweeps_before_newton = 20;
constexpr Index newton_systems = 12;  ///< limit of linear systems of one Newton iteration
/// A linear system of Newton's method with m columns (m^3 operations) takes the time of m / columns_per_sweep
/// sweeps (m^2 entries are read from memory). Usually newton_systems_expected systems are needed.
constexpr double columns_per_sweep = 30, newton_systems_expected = 2;

/// Returns the number of further sweeps up to the tolerance, at the rate of convergence of the last sweep.
double sweeps_needed(const IterationResult& swept, double tolerance) {
  if (swept.has_given_up || swept.has_diverged || !(swept.rate > 0 && swept.rate < 1))
    return std::numeric_limits<double>::infinity();
  return 1 + std::ceil(std::log(tolerance / swept.residual.value) / std::log(swept.rate));
}

bool needs_matrix(OneStepMethod method) {
  return method == OneStepMethod::gauss_seidel || method == OneStepMethod::pivoting ||
         method == OneStepMethod::newton;
}

OneStepMethod choose_method(const OneStepProblem& problem, OneStepMethod method) {
  if (method == OneStepMethod::automatic) {
    if (problem.n_inclusions() <= 1) return OneStepMethod::closed_form;
    if (problem.principal() && problem.has_only_intervals()) return OneStepMethod::pivoting;
    if (!problem.has_matrix()) return OneStepMethod::projected_gradient;
    return problem.has_only_intervals() ? OneStepMethod::pivoting : OneStepMethod::newton;
  }
  const std::string request = std::string("The method \"") + name_of(method) +
                              "\" was chosen for a time step with " + std::to_string(problem.n_inclusions()) +
                              " inclusions, but this method ";
  if (method == OneStepMethod::closed_form && problem.n_inclusions() > 1) {
    throw InvalidInput(
        request + "solves only a problem with a single inclusion. Choose another method, or \"automatic\".");
  }
  const bool is_pivoted = method == OneStepMethod::pivoting && problem.principal();
  if (needs_matrix(method) && !problem.has_matrix() && !is_pivoted) {
    throw InvalidInput(request +
                       "needs the entries of the Delassus matrix, which was given as an operator. Choose "
                       "\"projected gradient\" or \"automatic\".");
  }
  if (method == OneStepMethod::pivoting && !problem.has_only_intervals()) {
    throw InvalidInput(request +
                       "needs laws whose reactions lie in intervals, such as dry friction and unilateral "
                       "contact, for all inclusions. Choose \"Newton\", \"Gauss-Seidel\" or \"automatic\".");
  }
  return method;
}

}  // namespace

const char* name_of(OneStepMethod method) {
  switch (method) {
    case OneStepMethod::automatic:
      return "automatic";
    case OneStepMethod::closed_form:
      return "closed form";
    case OneStepMethod::gauss_seidel:
      return "Gauss-Seidel";
    case OneStepMethod::pivoting:
      return "pivoting";
    case OneStepMethod::newton:
      return "Newton";
    case OneStepMethod::projected_gradient:
      return "projected gradient";
  }
  return "unknown";
}

struct OneStepSolver::Solvers {
  explicit Solvers(const OneStepProblem& problem) : gauss_seidel(problem) {}

  GaussSeidel gauss_seidel;
  std::optional<IntervalPivoting> pivoting;
  std::optional<SemismoothNewton> newton;
  std::optional<ProjectedGradient> gradient;
};

OneStepSolver::OneStepSolver(OneStepProblem problem, OneStepOptions options)
    : problem_(std::move(problem)),
      options_(options),
      r_(Vector::Zero(problem_.n_columns())),
      w_(Vector::Zero(problem_.n_columns())),
      solvers_(std::make_unique<Solvers>(problem_)) {
  if (!(options_.tolerance > 0 && options_.tolerance < 1) || options_.max_iterations < 1) {
    std::ostringstream message;
    message << "The options of the solver for the reactions of a time step are tolerance = "
            << options_.tolerance << " and max_iterations = " << options_.max_iterations
            << ". The tolerance must lie between 0 and 1, and max_iterations must be at least 1.";
    throw InvalidInput(message.str());
  }
  options_.tolerance = std::max(options_.tolerance, least_tolerance);
  options_.method = choose_method(problem_, options.method);
  if (options_.method == OneStepMethod::pivoting) solvers_->pivoting.emplace(problem_);
  if (options_.method == OneStepMethod::newton) {
    const bool is_singular = problem_.is_singular();
    solvers_->newton.emplace(problem_, is_singular);
    if (is_singular)
      compliant_ = std::make_unique<OneStepSolver>(problem_.with_compliance(sharing_compliance), options_);
  }
  if (options_.method == OneStepMethod::projected_gradient ||
      (options_.method == OneStepMethod::pivoting && !problem_.has_matrix()))
    solvers_->gradient.emplace(problem_);
}

OneStepSolver::~OneStepSolver() = default;

bool OneStepSolver::is_weakly_coupled() const {
  return solvers_->gradient && solvers_->gradient->coupling() < weak_coupling;
}

void OneStepSolver::check(const LawsAtTime& laws, const Vector& b, const Vector& r) const {
  const auto n = static_cast<std::size_t>(problem_.n_inclusions());
  const bool sizes_fit = b.size() == problem_.n_columns() && r.size() == problem_.n_columns() &&
                         laws.parameters.size() == n && laws.before.size() == n && laws.is_active.size() == n;
  if (sizes_fit && are_finite(b) && are_finite(r)) return;
  std::ostringstream message;
  message << "A time step with " << n << " inclusions and " << problem_.n_columns()
          << " directions was given rates b without reactions with " << b.size()
          << " entries, reactions r with " << r.size() << " entries, and laws for " << laws.parameters.size()
          << " inclusions"
          << (sizes_fit
                  ? ", but b or r contains NaN or infinity. The motion of the structure has become infinite: "
                    "check the loads and the time step."
                  : ". b and r need one entry for each direction, and each inclusion needs a law.");
  throw InvalidInput(message.str());
}

OneStepReport OneStepSolver::solve(LawsAtTime& laws, const Vector& b, Vector& r, Vector& w) {
  return solve(laws, b, r, w, [] { return Vector(); });
}

OneStepReport OneStepSolver::solve(LawsAtTime& laws, const Vector& b, Vector& r, Vector& w,
                                   const std::function<Vector()>& rounding) {
  const StageTimer stage("laws");
  check(laws, b, r);
  laws_ = laws;
  r_ = r;
  w_ = b;
  for (Index i = 0; i < problem_.n_inclusions(); ++i) {
    if (laws_.is_active[static_cast<std::size_t>(i)]) continue;
    r_.segment(problem_.first_column(i), problem_.dimension(i)).setZero();
  }
  OneStepReport total;
  // The limit allows three changes of the parameters of each law.
  Index turns_left = 10 + 3 * problem_.n_inclusions();
  bool has_reconsidered = false;
  for (bool must_repeat = true; must_repeat;) {
    const OneStepReport report = solve_once(laws_, b);
    total = {report.method, total.n_iterations + report.n_iterations, report.residual, report.has_diverged};
    if (!(report.residual.value <= options_.tolerance)) {
      const bool is_explained = !report.has_diverged && std::isfinite(report.residual.value) &&
                                problem_.obeys_to_rounding(laws_, r_, w_, options_.tolerance, rounding());
      if (!is_explained) fail(total, b);
      largest_residual_ = std::max(largest_residual_, report.residual.value);
    }
    if (turns_left-- == 0) {
      throw NoReactions(
          "The reactions of a time step were not found, because laws change their parameters after each "
          "solution (Law::reconsider()). Law::reconsider() must return false after finitely many changes.",
          report.residual.value, problem_.name(report.residual.worst));
    }
    must_repeat = reconsider(laws_, rounding);
    has_reconsidered = has_reconsidered || must_repeat;
  }
  r = r_;
  w = w_;
  if (has_reconsidered) laws = laws_;
  return total;
}

bool OneStepSolver::reconsider(LawsAtTime& laws, const std::function<Vector()>& rounding) {
  if (!problem_.may_reconsider()) return false;
  rest_ = rounding();
  problem_.set_states(laws, r_, w_, found_, rest_);
  bool changed = false;
  for (Index i = 0; i < problem_.n_inclusions(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (laws.is_active[k]) changed |= problem_.law(i).reconsider(laws.parameters[k], found_[k]);
  }
  return changed;
}

OneStepReport OneStepSolver::solve_once(const LawsAtTime& laws, const Vector& b) {
  if (problem_.n_inclusions() == 0) return {OneStepMethod::closed_form, 0, {}};
  IterationResult result;
  switch (options_.method) {
    case OneStepMethod::closed_form:
      return solve_single(laws, b);
    case OneStepMethod::pivoting:
      return solve_intervals(laws, b);
    case OneStepMethod::newton:
      return compliant_ ? solve_with_singular_matrix(laws, b) : solve_general(laws, b);
    case OneStepMethod::projected_gradient:
      result = solvers_->gradient->iterate(laws, b, options_.tolerance, options_.max_iterations, r_, w_);
      break;
    default:
      result = solvers_->gauss_seidel.iterate(laws, b, options_.tolerance, options_.max_iterations, r_, w_);
  }
  return {options_.method, result.n_iterations, result.residual, result.has_diverged};
}

OneStepReport OneStepSolver::solve_single(const LawsAtTime& laws, const Vector& b) {
  try {
    if (laws.is_active[0]) problem_.law(0).solve_local(laws.parameters[0], problem_.diagonal_block(0), b, r_);
  } catch (const Error& error) {
    throw NoReactions("Inclusion \"" + problem_.name(0) + "\": " + error.what(),
                      problem_.residual(laws, b, r_, w_).value, problem_.name(0));
  }
  return {OneStepMethod::closed_form, 1, problem_.residual(laws, b, r_, w_)};
}

OneStepReport OneStepSolver::solve_intervals(const LawsAtTime& laws, const Vector& b) {
  IterationResult result;
  Index n_iterations = 0;
  if (problem_.is_sparse()) {
    result = solvers_->gauss_seidel.iterate(laws, b, options_.tolerance, sweeps_before_pivoting, r_, w_);
    n_iterations = result.n_iterations;
    if (result.residual.value <= options_.tolerance)
      return {OneStepMethod::gauss_seidel, n_iterations, result.residual};
    solvers_->pivoting->guess_from_reactions(laws, r_);
  } else if (is_weakly_coupled()) {
    result = solvers_->gradient->iterate(laws, b, options_.tolerance, products_before_pivoting, r_, w_);
    n_iterations = result.n_iterations;
    if (result.residual.value <= options_.tolerance)
      return {OneStepMethod::projected_gradient, n_iterations, result.residual};
    solvers_->pivoting->guess_from_reactions(laws, r_);
  } else {
    solvers_->pivoting->guess_from_states(laws);
  }
  result = solvers_->pivoting->iterate(laws, b, options_.tolerance, options_.max_iterations, r_, w_);
  n_iterations += result.n_iterations;
  if (result.residual.value <= options_.tolerance)
    return {OneStepMethod::pivoting, n_iterations, result.residual};

  // If W is not a P-matrix, pivoting may fail although a solution exists; an iterative method may find it.
  if (!r_.allFinite()) r_.setZero();
  const Index n_left = std::max<Index>(1, options_.max_iterations - n_iterations);
  if (problem_.has_matrix())
    result = solvers_->gauss_seidel.iterate(laws, b, options_.tolerance, n_left, r_, w_);
  else
    result = solvers_->gradient->iterate(laws, b, options_.tolerance, n_left, r_, w_);
  return {problem_.has_matrix() ? OneStepMethod::gauss_seidel : OneStepMethod::projected_gradient,
          n_iterations + result.n_iterations, result.residual, result.has_diverged};
}

/// Whether the laws admit the reactions r at rest.
bool OneStepSolver::are_admitted(const LawsAtTime& laws, const Vector& r) const {
  for (Index i = 0; i < problem_.n_inclusions(); ++i) {
    const LocalVector r_i = r.segment(problem_.first_column(i), problem_.dimension(i));
    LocalVector nearest = r_i;
    problem_.law(i).project(laws.parameters[static_cast<std::size_t>(i)], r_i, nearest);
    const double allowed = rounding_of_projection * std::numeric_limits<double>::epsilon() * r_i.norm();
    if (!((nearest - r_i).norm() <= allowed)) return false;
  }
  return true;
}

/// Returns the largest length for which the laws admit r + length d. The result is zero if d^T w >= 0, with
/// w = W (r + length d) + b, at a smaller length.
double OneStepSolver::admitted_length(const LawsAtTime& laws, const Vector& b, const Vector& r,
                                      const Vector& d) const {
  Vector Wr(r.size()), Wd(r.size());
  problem_.multiply(r, Wr);
  problem_.multiply(d, Wd);
  const double curvature = d.dot(Wd), slope = d.dot(Wr + b);
  if (!(slope < 0) || !are_admitted(laws, r)) return 0;
  const double longest = curvature > 0 ? -slope / curvature : std::numeric_limits<double>::max();
  double length = 0, beyond = 1;
  while (are_admitted(laws, r + beyond * d)) {
    length = beyond;
    beyond *= 2;
    if (beyond > longest || !(r + beyond * d).allFinite()) return 0;
  }
  for (double middle = 0.5 * (length + beyond); middle > length && middle < beyond;
       middle = 0.5 * (length + beyond))
    (are_admitted(laws, r + middle * d) ? length : beyond) = middle;
  return length <= longest ? length : 0;
}

/// Solves problems with a singular W by the proximal point method (Rockafellar 1976). Each step adds a
/// compliance to each direction, whose force is zero at the reactions of the step before, so that the
/// reactions of the step are unique; Newton's method for the problem without compliance starts from these
/// reactions. If the reactions change along one direction from step to step, the last point of this direction
/// that the laws admit is computed directly. A smaller compliance gives longer steps along this direction.
OneStepReport OneStepSolver::solve_with_singular_matrix(const LawsAtTime& laws, const Vector& b) {
  Vector anchor = Vector::Zero(b.size());
  Index n_iterations = 0;
  OneStepSolver* solver = compliant_.get();
  std::unique_ptr<OneStepSolver> less_compliant;
  r_.setZero();
  bool must_repeat = true;
  for (double part = sharing_compliance; must_repeat && part >= least_compliance;
       part *= compliance_reduction) {
    if (part < sharing_compliance) {
      less_compliant = std::make_unique<OneStepSolver>(problem_.with_compliance(part), options_);
      solver = less_compliant.get();
    }
    const Vector compliance = part * problem_.matrix().diagonal();
    for (int step = 0; must_repeat && step < proximal_steps; ++step) {
      const Vector from_anchor = b - compliance.cwiseProduct(anchor);
      n_iterations += solver->solve_general_from(laws, from_anchor, r_).n_iterations;
      const Vector shared = r_;
      const IterationResult stepped =
          solvers_->newton->iterate(laws, b, options_.tolerance, newton_systems, r_, w_);
      n_iterations += stepped.n_iterations;
      if (stepped.residual.value <= options_.tolerance)
        return {OneStepMethod::newton, n_iterations, stepped.residual};
      must_repeat = shared.allFinite() && n_iterations < options_.max_iterations;
      const Vector moved = shared - anchor;
      anchor = shared + admitted_length(laws, b, shared, moved) * moved;
      r_ = anchor;
    }
  }
  r_.setZero();
  OneStepReport report = solve_general(laws, b);
  report.n_iterations += n_iterations;
  return report;
}

/// Calls solve_general() with the initial reactions r, and returns the solution in r.
OneStepReport OneStepSolver::solve_general_from(const LawsAtTime& laws, const Vector& b, Vector& r) {
  r_ = r;
  w_ = b;
  const OneStepReport report = solve_general(laws, b);
  r = r_;
  return report;
}

OneStepReport OneStepSolver::solve_general(const LawsAtTime& laws, const Vector& b) {
  OneStepReport report;
  Index n_sweeps = sweeps_before_newton, sweeps = n_sweeps;
  double affordable = newton_systems_expected * static_cast<double>(problem_.n_columns()) / columns_per_sweep;
  while (true) {
    const Index n_left = options_.max_iterations - report.n_iterations;
    const IterationResult swept =
        solvers_->gauss_seidel.iterate(laws, b, options_.tolerance, std::min(sweeps, n_left), r_, w_);
    report = {OneStepMethod::gauss_seidel, report.n_iterations + swept.n_iterations, swept.residual,
              swept.has_diverged};
    if (swept.residual.value <= options_.tolerance || report.n_iterations >= options_.max_iterations)
      return report;
    const double needed = sweeps_needed(swept, options_.tolerance);
    if (needed <= affordable) {
      affordable -= needed;
      sweeps = static_cast<Index>(needed);
      continue;
    }

    const Vector start = r_;
    const Index n_systems = std::min(newton_systems, options_.max_iterations - report.n_iterations);
    const IterationResult stepped = solvers_->newton->iterate(laws, b, options_.tolerance, n_systems, r_, w_);
    report.n_iterations += stepped.n_iterations;
    if (stepped.residual.value <= options_.tolerance) {
      return {OneStepMethod::newton, report.n_iterations, stepped.residual};
    }
    if (swept.has_given_up) return report;
    if (!(stepped.residual.value < swept.residual.value)) r_ = start;
    n_sweeps *= 2;
    sweeps = n_sweeps;
  }
}

/// Whether the law of inclusion i admits twice the present normal reaction at rest, as laws of contacts do.
bool OneStepSolver::is_unbounded(Index i) const {
  const Law& law = problem_.law(i);
  LocalVector twice = LocalVector::Zero(law.dimension());
  twice[0] = 2 * std::abs(r_[problem_.first_column(i)]);
  LocalVector admitted = twice;
  law.project(laws_.parameters[static_cast<std::size_t>(i)], twice, admitted);
  return admitted[0] == twice[0];
}

/// Returns an error message with the names of contacts whose reactions grow without bound, because no motion
/// satisfies g >= 0 for all of them. The message is empty if there are fewer than two such contacts.
std::string OneStepSolver::contradiction_message(const Vector& b) const {
  Vector moved(r_.size());
  problem_.multiply(r_, moved);
  std::string names;
  int n = 0;
  for (Index i = 0; i < problem_.n_inclusions(); ++i) {
    const Index j = problem_.first_column(i);
    const double alone = problem_.diagonal_block(i)(0, 0) * std::abs(r_[j]);
    if (alone <= least_cancellation * std::abs(moved[j]) ||
        alone <= least_cancellation * b.lpNorm<Eigen::Infinity>() || !is_unbounded(i))
      continue;
    names += (n++ == 0 ? "\"" : ", \"") + problem_.name(i) + "\"";
  }
  if (n < 2) return "";
  return "The obstacles of " + names +
         " contradict each other: no motion satisfies g >= 0 for all of them, and their reactions grow "
         "without bound. Increase the distance of the obstacles.";
}

void OneStepSolver::fail(const OneStepReport& report, const Vector& b) const {
  const std::string& worst = problem_.name(report.residual.worst);
  if (const std::string found = contradiction_message(b); !found.empty())
    throw NoReactions(found, report.residual.value, worst);
  std::ostringstream message;
  message
      << "No reactions were found for " << problem_.n_inclusions()
      << " inclusions: " << (report.has_diverged ? "the iteration diverged, and " : "") << "after "
      << report.n_iterations << " iterations (" << name_of(report.method)
      << ") the relative residual of the laws is " << report.residual.value
      << (report.has_diverged ? " at best" : "") << ", with the largest residual at inclusion \"" << worst
      << "\" (" << problem_.law(report.residual.worst).name() << "), but must be at most "
      << options_.tolerance
      << ". Take a shorter time step, or a tolerance above this residual; check that the Delassus matrix is "
         "positive definite, in particular for large coefficients of friction.";
  throw NoReactions(message.str(), report.residual.value, worst);
}

}  // namespace halfdof
