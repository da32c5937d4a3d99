// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/projected_gradient.h>

#include <cmath>
#include <sstream>

namespace halfdof::internal {

ProjectedGradient::ProjectedGradient(const OneStepProblem& problem)
    : problem_(problem), y_(problem.n_columns()), next_(problem.n_columns()), gradient_(problem.n_columns()) {
  estimate_largest_eigenvalue();
  check_weakening();
}

// The power method on D^-1/2 W D^-1/2. The start vector is irregular, so that it is not orthogonal to the
// eigenvector of a symmetric structure.
void ProjectedGradient::estimate_largest_eigenvalue() {
  const Index m = problem_.n_columns();
  Vector root(m), x(m);
  for (Index i = 0; i < problem_.n_inclusions(); ++i) {
    root.segment(problem_.first_column(i), problem_.dimension(i)).setConstant(std::sqrt(problem_.rho(i)));
  }
  for (Index k = 0; k < m; ++k)
    x[k] = 1 + 0.5 * std::sin(1. + 2.7 * k);
  for (int iteration = 0; iteration < 30 && m > 0; ++iteration) {
    x.normalize();
    y_ = root.cwiseProduct(x);
    problem_.multiply(y_, gradient_);
    x = root.cwiseProduct(gradient_);
    largest_eigenvalue_ = x.norm();
  }
  // The estimate converges from below.
  largest_eigenvalue_ *= 1.05;
}

void ProjectedGradient::check_weakening() {
  for (Index i = 0; i < problem_.n_inclusions(); ++i) {
    const double l = problem_.law(i).one_sided_lipschitz_constant();
    if (problem_.dimension(i) > 1 || !(l > 0) || !std::isfinite(l)) continue;
    weakens_ = true;
    const double together = l / problem_.rho(i) * largest_eigenvalue_;
    if (together < 0.5) continue;
    std::ostringstream message;
    message << "The friction of \"" << problem_.name(i) << "\" (" << problem_.law(i).name()
            << ") weakens as it slips, and may let the rates jump within the step: with l = " << l
            << " the steepest decrease, W(i, i) = " << 1 / problem_.rho(i) << " and " << largest_eigenvalue_
            << " the largest eigenvalue of W scaled by its diagonal, l W(i, i) times this eigenvalue is "
            << together
            << ", but must be below one half if the Delassus matrix is applied as an operator. If the "
               "inclusions act on mass, W grows with the time step: take one below "
            << 0.5 / together
            << " of the present one; elsewhere reduce the slope with which the friction weakens, or let the "
               "matrix be formed (raise the "
               "limit max_dense).";
    throw NotAvailable(message.str());
  }
}

IterationResult ProjectedGradient::iterate(const LawsAtTime& laws, const Vector& b, double tolerance,
                                           Index max_products, Vector& r, Vector& w) {
  IterationResult result;
  y_ = r;
  double t = 1;
  while (result.n_iterations < max_products) {
    ++result.n_iterations;
    problem_.multiply(y_, gradient_);
    gradient_ += b;
    for (Index i = 0; i < problem_.n_inclusions(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const Index first = problem_.first_column(i), d = problem_.dimension(i);
      auto next = next_.segment(first, d);
      next.setZero();
      if (!laws.is_active[k]) continue;
      const double rho = problem_.rho(i) / largest_eigenvalue_;
      const LocalVector z = y_.segment(first, d) - rho * gradient_.segment(first, d);
      problem_.law(i).resolvent(laws.parameters[k], rho, z, next);
    }
    result.has_diverged = !next_.allFinite();
    if (result.has_diverged) break;
    const double t_next = 0.5 * (1 + std::sqrt(1 + 4 * t * t));
    const bool turns_back = (y_ - next_).dot(next_ - r) > 0;
    const double beta = turns_back || weakens_ ? 0 : (t - 1) / t_next;
    y_ = next_ + beta * (next_ - r);
    t = turns_back ? 1 : t_next;
    const bool rests = (next_ - r).lpNorm<Eigen::Infinity>() <= tolerance * next_.lpNorm<Eigen::Infinity>();
    r.swap(next_);
    // The residual costs a product. It is computed if the iteration may have converged, and every ten
    // products.
    if (!rests && result.n_iterations % 10 && result.n_iterations < max_products) continue;
    result.residual = problem_.residual(laws, b, r, w);
    if (result.residual.value <= tolerance) break;
  }
  if (result.has_diverged) result.residual = problem_.residual(laws, b, r, w);
  return result;
}

}  // namespace halfdof::internal
