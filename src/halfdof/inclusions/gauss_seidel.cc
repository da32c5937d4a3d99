#include <halfdof/base/errors.h>
#include <halfdof/inclusions/gauss_seidel.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof {

namespace {

/// Sweeps in which a law found no reaction for its inclusion alone, before there is no hope.
constexpr int most_failed_sweeps = 10;

}  // namespace

GaussSeidel::GaussSeidel(const OneStepProblem& problem)
    : problem_(problem), bounds_(static_cast<std::size_t>(problem.n_inclusions()), Interval{0., 0.}) {}

void GaussSeidel::prepare(const LawsAtTime& laws) {
  for (Index i = 0; i < problem_.n_inclusions(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const IntervalLaw* law = problem_.interval_law(i);
    if (law) bounds_[k] = law->interval(laws.parameters[k]);
  }
}

// Returns by how much the reaction changed; infinity where the law found none.
double GaussSeidel::relax(Index i, const LawsAtTime& laws, const Vector& b, Vector& r) const {
  const auto k = static_cast<std::size_t>(i);
  if (!laws.takes_part[k]) return 0;
  const Index first = problem_.first_column(i);
  const LocalMatrix& W = problem_.diagonal_block(i);
  if (problem_.interval_law(i)) {
    const double before = r[first];
    const double w = problem_.row_product(first, r) + b[first];
    r[first] = std::clamp(before - w / W(0, 0), bounds_[k].lower, bounds_[k].upper);
    return std::abs(r[first] - before);
  }
  const Index d = problem_.dimension(i);
  const LocalVector before = r.segment(first, d);
  LocalVector others = b.segment(first, d);
  for (Index row = 0; row < d; ++row)
    others[row] += problem_.row_product(first + row, r);
  others -= W * before;
  LocalVector after = before;
  try {
    problem_.law(i).solve_local(laws.parameters[k], W, others, after);
  } catch (const Error&) {
    return std::numeric_limits<double>::infinity();  // the residual tells, or others move on
  }
  r.segment(first, d) = after;
  return (after - before).norm();
}

IterationResult GaussSeidel::iterate(const LawsAtTime& laws, const Vector& b, double tolerance,
                                     Index max_sweeps, Vector& r, Vector& w) {
  prepare(laws);
  IterationResult result;
  best_ = r;
  double least = std::numeric_limits<double>::infinity();
  const Index n = problem_.n_inclusions();
  int n_failed = 0;
  for (Index sweep = 1; sweep <= max_sweeps; ++sweep) {
    double change = 0;
    for (Index k = 0; k < n; ++k)
      change = std::max(change, relax(sweep % 2 ? k : n - 1 - k, laws, b, r));
    result.n_iterations = sweep;
    result.has_diverged = !r.allFinite();
    if (result.has_diverged) break;
    result.has_given_up = std::isinf(change) && ++n_failed == most_failed_sweeps;
    // The residual costs two sweeps: look where there is hope, and now and then.
    if (change > tolerance * r.lpNorm<Eigen::Infinity>() && sweep % 25 && sweep < max_sweeps &&
        !result.has_given_up)
      continue;
    result.residual = problem_.residual(laws, b, r, w);
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

}  // namespace halfdof
