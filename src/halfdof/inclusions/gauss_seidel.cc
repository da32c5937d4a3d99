// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/gauss_seidel.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof::internal {

namespace {

/// The iteration ends after this number of sweeps in which a law found no reaction for its inclusion.
constexpr int max_failed_sweeps = 10;

}  // namespace

GaussSeidel::GaussSeidel(const OneStepProblem& problem)
    : problem_(problem), bounds_(static_cast<std::size_t>(problem.n_inclusions()), Interval{0., 0.}) {}

void GaussSeidel::prepare(const LawsAtTime& laws) {
  for (Index i = 0; i < problem_.n_inclusions(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const IntervalLaw* law = problem_.interval_law(i);
    if (law) bounds_[k] = law->reaction_interval(laws.parameters[k]);
  }
}

// Returns the size of the change of the reaction; infinity if the law found no reaction.
double GaussSeidel::relax_inclusion(Index i, const LawsAtTime& laws, Vector& r, Vector& w) const {
  const auto k = static_cast<std::size_t>(i);
  if (!laws.is_active[k]) return 0;
  const Index first = problem_.first_column(i), d = problem_.dimension(i);
  const LocalMatrix& W = problem_.diagonal_block(i);
  const LocalVector before = r.segment(first, d);
  LocalVector after = before;
  if (problem_.interval_law(i)) {
    after[0] = std::clamp(before[0] - w[first] / W(0, 0), bounds_[k].lower, bounds_[k].upper);
  } else {
    const LocalVector others = w.segment(first, d) - W * before;
    try {
      problem_.law(i).solve_local(laws.parameters[k], W, others, after);
    } catch (const Error&) {
      // The old reaction is kept, because later sweeps may find a reaction.
      return std::numeric_limits<double>::infinity();
    }
  }
  const LocalVector change = after - before;
  if (change.isZero(0.)) return 0;
  r.segment(first, d) = after;
  problem_.add_response_to_change(i, change, w);
  return change.norm();
}

IterationResult GaussSeidel::iterate(const LawsAtTime& laws, const Vector& b, double tolerance,
                                     Index max_sweeps, Vector& r, Vector& w) {
  prepare(laws);
  IterationResult result;
  best_ = r;
  double least = std::numeric_limits<double>::infinity();
  const Index n = problem_.n_inclusions();
  problem_.multiply(r, w);
  w += b;
  int n_failed = 0;
  double largest = 0, last = 0;  // changes of r: the largest one since w was recomputed, and the last one
  for (Index sweep = 1; sweep <= max_sweeps; ++sweep) {
    double change = 0;
    for (Index i = 0; i < n; ++i)
      change = std::max(change, relax_inclusion(i, laws, r, w));
    result.n_iterations = sweep;
    result.has_diverged = !r.allFinite();
    if (result.has_diverged) break;
    result.has_given_up = std::isinf(change) && ++n_failed == max_failed_sweeps;
    if (last > 0) result.rate = change / last;
    last = change;
    largest = std::max(largest, change);
    // The residual costs as much as two sweeps. Therefore the residual is computed only if the iteration may
    // have converged, if rounding errors of the updated w exceed the changes, and every 25 sweeps.
    const bool is_accuracy_exhausted = change <= 10 * problem_.precision_of_response() * largest;
    if (change > tolerance * r.lpNorm<Eigen::Infinity>() && !is_accuracy_exhausted && sweep % 25 &&
        sweep < max_sweeps && !result.has_given_up)
      continue;
    result.residual = problem_.residual(laws, b, r, w);
    largest = 0;
    result.has_diverged = !std::isfinite(result.residual.value);
    if (result.has_diverged) break;
    if (result.residual.value <= least) {
      least = result.residual.value;
      best_ = r;
    }
    if (result.residual.value <= tolerance || result.has_given_up) break;
  }
  if (result.has_diverged || result.residual.value > least) {
    r = best_;
    result.residual = problem_.residual(laws, b, r, w);
  }
  return result;
}

}  // namespace halfdof::internal
